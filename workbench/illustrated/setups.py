"""The setup by number of players: what lies where when the turns begin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulelang.program import Program
from rulelang.program import nodes as ir
from rulelang.program.nodes import Variable
from rulelang.program.walk import walk
from rulelang.types import Domain, NumberType

from ..pictures.build.facts import PLAYER, facts_of
from ..pictures.scene.look import Look
from ..pictures.scene.nodes import cells
from ..pictures.sheets import counted_pieces
from ..rulebook.languages.catalogue import counted, say
from ..rulebook.print.matter import Grid, Row
from .components import capital, kind_label
from .course import below, main_loop

if TYPE_CHECKING:
    from interpreter.game import State


def after_setup(program: Program, seed: int) -> State:
    """The position that the turns begin with, or that in which somebody has to decide before; as ``seed`` deals it.

    Where the rules do not say what is setup, the position at the first decision.
    """
    from interpreter.loading import game_of

    game = game_of(program, "reference")
    rules = setup_rules(program)
    if rules is None:
        return game.start(seed)
    state = game.blank(seed)
    for rule in rules:
        if state.decision is None:
            state.run(rule)
    return state


def setup_rules(program: Program) -> list[str] | None:
    """The rules that run one after another before the loop that is the game; None where there is more to it."""
    loop = main_loop(program)
    found: list[str] = []
    for statement in program.rules[program.start].body:
        if loop is None or _holds(program, statement, loop):
            break
        match statement:
            case ir.NamedRule(rule) | ir.Do(rule, ()) if not program.rules[rule].params:
                found.append(rule)
            case _:
                return None
    return found if loop is not None else None


def _holds(program: Program, statement: ir.Node, loop: ir.Node) -> bool:
    bodies = (node for id_ in below(program, statement) for node in program.rules[id_].body)
    return any(node is loop for node in walk([statement, *bodies]))


_SEEDS = (1, 2, 3)
"""Games that are looked at: what differs between them is left to chance."""
_NAMED = 6
"""Of more kinds than this only the number of pieces is told."""


def setups(programs: Sequence[Program], looks: Sequence[Look], sections: Collection[str]) -> Grid | None:
    """What lies on the table and what each player has, a column for each number of players; no head where there is
    only one number, and nothing where nothing lies anywhere.

    ``looks``: of each Program. ``sections``: the ids that a link can lead to.
    """
    lang = looks[0].lang
    heads = ("", *(counted("players", lang, p.players) for p in programs)) if len(programs) > 1 else ()
    starts = [_starts(program) for program in programs]
    rows: list[Row] = []
    for mine, title in ((False, "on_the_table"), (True, "each_player_has")):
        found = list(_rows(programs, looks, starts, sections, mine))
        rows += [Row(say(title, lang), ()), *found] if found else []
    return Grid(heads, tuple(rows)) if rows else None


def _starts(program: Program) -> list[Mapping[str, Any]]:
    return [after_setup(program, seed).values() for seed in _SEEDS]


def _rows(
    programs: Sequence[Program],
    looks: Sequence[Look],
    starts: Sequence[Sequence[Mapping[str, Any]]],
    sections: Collection[str],
    mine: bool,
) -> Iterator[Row]:
    names = dict.fromkeys(name for program in programs for name in program.variables)
    for name in names:
        told, label = [], ""
        for program, look, values in zip(programs, looks, starts, strict=True):
            variable = program.variables.get(name)
            shown = variable is not None and variable in facts_of(program).shown and not look.says(name, "hidden")
            if variable is None or not shown or _is_mine(variable) != mine:
                told.append("")
                continue
            label = say("score", look.lang) if name == program.score and not look.of(name).labels else look.label(name)
            told.append(_content(variable, [start.get(name) for start in values], look))
        if any(told):
            yield Row(capital(label), tuple(text or "–" for text in told), name if name in sections else None)


def _is_mine(variable: Variable) -> bool:
    return bool(variable.owners) and variable.owners[0].domain.name == PLAYER


def _content(variable: Variable, games: Sequence[Any], look: Look) -> str:
    """The content of a variable in words, as far as it does not depend on chance; of a player's, what each has."""
    if variable.element is None and not isinstance(variable.type, NumberType):
        return ""
    told = dict.fromkeys(part for value in games for part in _parts(variable, value, look))
    if len(told) > 1:  # chance decides which pieces there are, not how many
        told = dict.fromkeys(str(_total(part)) for value in games for part in _cells_of(variable, value))
    return " / ".join(told) if len(told) <= 2 and set(told) != {"0"} else ""


def _parts(variable: Variable, value: Any, look: Look) -> Iterator[str]:
    for content in _cells_of(variable, value):
        yield _words(variable, content, look)


def _cells_of(variable: Variable, value: Any) -> Iterator[Any]:
    """What each player has in all places of a variable; of others, what there is in all."""
    if not _is_mine(variable):
        yield _together(variable, value, len(variable.owners))
        return
    for inner in value.values():
        yield _together(variable, inner, len(variable.owners) - 1)


def _together(variable: Variable, value: Any, owners: int) -> Counter[str] | int:
    contents = [content for _, content in cells(variable.name, value, owners)]
    if variable.element is None:
        return sum(int(content) for content in contents)
    return sum((counted_pieces(content) for content in contents), Counter())


def _total(content: Counter[str] | int) -> int:
    return content if isinstance(content, int) else content.total()


def _words(variable: Variable, content: Counter[str] | int, look: Look) -> str:
    if isinstance(content, int) or len(content) > _NAMED or not content:
        return str(_total(content))
    kind = variable.element
    of = kind if isinstance(kind, NumberType) else kind.domain if kind is not None else None
    if isinstance(of, Domain) and len(content) == len(of) > 1 and len(set(content.values())) == 1:
        return say("of_each", look.lang, n=next(iter(content.values())))
    if isinstance(of, NumberType):  # pieces with a number on them
        return ", ".join(kind_label(of, kind, look) if number == 1 else f"{number} × {kind_label(of, kind, look)}"
                         for kind, number in content.items())  # fmt: skip
    return ", ".join(f"{number} {kind_label(of, kind, look)}" for kind, number in content.items())
