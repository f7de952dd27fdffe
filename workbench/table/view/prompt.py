"""A question and its answers, with all that the controls of a page need; how a page looks is none of its business."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.program.nodes import Bind, Local, Move, Node, Pay
from rulelang.program.walk import statements
from rulelang.types import SQUARE, FlagType, MemberType, NumberType, PiecesType

from ...pictures.build.facts import domain_of, facts_of
from ...pictures.build.reuse import Kept
from ...pictures.option_addresses import Laying, aim, laying, place_of, small, text_of
from ...pictures.scene import nodes as scene
from ...pictures.scene.look import words
from ...terminal.telling import passages

if TYPE_CHECKING:
    from interpreter.data import Decision, Option

    from ...wording import Wording
    from .window import Window


_FACES = 60
"""Pictures of pieces that are sent with a question."""
_TOLD = 12
"""Options of a menu at most for which it is told what sets them apart, such as their price."""


@attrs.frozen
class Prompt:
    """A question to one seat.

    - ``question``: ``text sentences[] about what``, ``so far``, ``where[] rule passages[]``; ``what`` is chosen, in
      words, and ``where`` are addresses of what it is about.
    - ``options``: ``index text action values labels counts lay detail``. ``values`` has a key for each value by its
      name, ``labels`` what people call it; ``counts`` are the pieces that it pays or takes, ``lay`` is what it lays,
      ``at piece turn``.
    - ``fields``: each name that is chosen, ``name label kind``; ``kind`` is one of number, turn, pieces, square, flag,
      member. ``actions``: those of a menu, ``id label``.
    - ``meant``: the options that each address may mean, in the picture or not.
    - ``faces``: pictures of values by key; ``ghosts``: of pieces as they would be laid, by piece and turn.
    - ``purse``: where all that is chosen are pieces, the ``place`` they come from and ``kinds[]``: ``name label``.
    """

    question: dict[str, Any]
    options: list[dict[str, Any]]
    fields: list[dict[str, str]]
    actions: list[dict[str, str]]
    meant: Mapping[str, frozenset[int]]
    faces: dict[str, str]
    ghosts: dict[str, str]
    purse: dict[str, Any] | None

    def shown(self) -> dict[str, Any]:
        """What a page is sent of it."""
        return {part: getattr(self, part) for part in NOTHING_ASKED}


NOTHING_ASKED: Mapping[str, Any] = {
    "question": None, "options": [], "fields": [], "actions": [], "purse": None, "faces": {}, "ghosts": {},
}  # fmt: skip


def asked(wording: Wording, window: Window, decision: Decision, kept: Kept | None = None) -> Prompt:
    """The open decision, for the seat that it asks, through its window. ``kept``: pictures that were made before."""
    kept = Kept() if kept is None else kept
    kept.begin(wording.program, wording.look)
    return _Asking(wording, window, decision, kept).all()


@attrs.define
class _Asking:
    wording: Wording
    window: Window
    decision: Decision
    kept: Kept

    def all(self) -> Prompt:
        decision, wording = self.decision, self.wording
        kinds, domains = self._fields()
        laid = [laying(wording.program, decision, option) for option in decision.options]
        few = decision.kind == "menu" and 1 < len(decision.options) <= _TOLD
        beside = wording.beside(self.window, decision, range(len(decision.options))) if few else {}
        options = [
            self._option(number, option, domains, laid[number], beside.get(number))
            for number, option in enumerate(decision.options)
        ]
        actions = dict.fromkeys(option.id for option in decision.options if option.id is not None)
        return Prompt(
            question=self._question(kinds, domains),
            options=options,
            fields=[{"name": n, "label": wording.look.label(n), "kind": kind} for n, kind in kinds.items()],
            actions=[{"id": name, "label": wording.action(name)} for name in actions],
            meant=aim(wording.program, decision).at,
            faces=self._faces(domains),
            ghosts=self._ghosts(laid),
            purse=self._purse(kinds, domains),
        )

    def _question(self, kinds: Mapping[str, str], domains: Mapping[str, str]) -> dict[str, Any]:
        decision, wording = self.decision, self.wording
        sentences = wording.question(decision)
        return {
            "text": sentences[0] if sentences else words(decision.rule).capitalize(),
            "sentences": sentences,
            "about": wording.about(self.window, decision),
            "so far": self._so_far(),
            "what": ", ".join(self._chosen(kinds, domains)) if decision.kind == "choose" else "",
            "where": list(self._where()),
            "rule": decision.rule,
            "passages": passages(wording.program, decision.rule),
        }

    def _so_far(self) -> str:
        told = self.wording.so_far(self.decision)
        return self.wording.words.say("turn.so_far", pieces=told) if told else ""

    def _chosen(self, kinds: Mapping[str, str], domains: Mapping[str, str]) -> dict[str, None]:
        """What people call that which is chosen; a name of one letter says nothing to them."""
        look = self.wording.look
        told = [name for name, kind in kinds.items() if kind != "turn" and (name in domains or len(name) > 1)]
        return dict.fromkeys(look.label(domains.get(name, name)) for name in told)

    def _where(self) -> Iterator[str]:
        """The members of boards, and the places, that the question is about."""
        program = self.wording.program
        known = {name: value for name, value in self.decision.subject.items() if isinstance(value, str)}
        for domain in sorted(facts_of(program).stages):
            members = program.domains[domain].members
            yield from (scene.member(domain, value) for value in known.values() if value in members)
        yield from self.wording.places(self.decision)

    # ------------------------------------------------------------ options

    def _option(
        self, number: int, option: Option, domains: Mapping[str, str], laid: Laying | None, detail: str | None
    ) -> dict[str, Any]:
        values = values_of(self.decision, option)
        counts = next((dict(v) for v in values.values() if _is_pieces(v)), None)
        return {
            "index": number,
            "text": self.wording.option(self.decision, option),
            "action": option.id,
            "values": {name: key_of(value) for name, value in values.items()},
            "labels": {name: self._label(domains.get(name), value) for name, value in values.items()},
            "counts": counts,
            "lay": None if laid is None else {"at": laid.square, "piece": laid.piece, "turn": laid.turn},
            "detail": detail,
        }

    def _label(self, domain: str | None, value: Any) -> str:
        return self.wording.names.value(value, self.wording.program.domains[domain] if domain else None)

    def _fields(self) -> tuple[dict[str, str], dict[str, str]]:
        """The kind of each name that is chosen, and the domain of its values where they are members."""
        kinds: dict[str, str] = {}
        domains: dict[str, str] = {}
        if self.decision.kind == "pay":
            kinds["pays"] = "pieces"
            paid = self._paid()
            if paid is not None:
                domains["pays"] = paid
        known: set[tuple[str | None, tuple[str, ...]]] = set()
        for option in self.decision.options:
            names = tuple(values_of(self.decision, option))
            if (option.id, names) in known or self.decision.kind == "pay":
                continue
            known.add((option.id, names))
            nodes = text_of(self.wording.program, self.decision, option)
            for bind in (node for node in nodes if isinstance(node, Bind) and node.name in names):
                kinds.setdefault(bind.name, _kind(bind, nodes))
                domain = domain_of(bind.type) if not isinstance(bind.type, NumberType) else None
                if domain is not None:
                    domains.setdefault(bind.name, domain.name)
        return kinds, domains

    def _paid(self) -> str | None:
        """The domain of the pieces that are paid."""
        paying = self._paying()
        domain = domain_of(self.wording.program.variables[paying.source.variable].element) if paying else None
        return domain.name if domain is not None else None

    # ------------------------------------------------------------ pictures

    def _faces(self, domains: Mapping[str, str]) -> dict[str, str]:
        """Pictures of the members that can be chosen, by domain and name."""
        stages = facts_of(self.wording.program).stages
        wanted: dict[tuple[str, str], None] = {}
        for option in self.decision.options:
            for name, value in values_of(self.decision, option).items():
                domain = domains.get(name)
                for member in value if _is_pieces(value) else [value]:
                    if domain is not None and domain not in stages and isinstance(member, str):
                        wanted[domain, member] = None
        return dict(self._drawn(list(wanted)))

    def _drawn(self, wanted: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        for domain, member in wanted[:_FACES]:
            svg = self._piece(domain, member)
            if svg is not None:
                yield member, svg

    def _ghosts(self, laid: Sequence[Laying | None]) -> dict[str, str]:
        """Pictures of what may be laid, turned as it may be."""
        wanted = dict.fromkeys((one.domain, one.piece, one.turn) for one in laid if one is not None)
        found = {}
        for domain, piece, turn in list(wanted)[:_FACES]:
            svg = self._piece(domain, piece, turn)
            if svg is not None:
                found[f"{piece}/{turn}"] = svg
        return found

    def _piece(self, domain: str, member: str, turn: int = 0) -> str | None:
        pieces, key = self.kept.pieces, (domain, member, turn)
        if key not in pieces:
            pieces[key] = small(self.wording.program, self.wording.look, domain, member, turn=turn)
        return pieces[key]

    # ------------------------------------------------------------ pieces that are counted

    def _purse(self, kinds: Mapping[str, str], domains: Mapping[str, str]) -> dict[str, Any] | None:
        """What counted pieces there are, where all that is chosen are pieces."""
        if list(kinds.values()) != ["pieces"]:
            return None
        name = next(iter(kinds))
        found: dict[str, None] = {}
        for option in self.decision.options:
            found |= dict.fromkeys(next(iter(values_of(self.decision, option).values()), None) or {})
        domain = domains.get(name)
        order = self.wording.program.domains[domain].members if domain else sorted(found)
        listed = [{"name": k, "label": self._label(domain, k)} for k in order if k in found]
        return {"place": self._place(), "kinds": listed}

    def _place(self) -> str | None:
        """The address of the place that is paid from."""
        node = self._paying()
        if node is None:
            return None
        place = node.source
        return place_of(self.wording.program, place.variable, place.indices, self.decision.subject)

    def _paying(self) -> Pay | None:
        rule = self.wording.program.rules.get(self.decision.rule)
        found = statements(self.wording.program, rule.body) if rule is not None else ()
        return next((node for node in found if isinstance(node, Pay)), None)


def values_of(decision: Decision, option: Option) -> dict[str, Any]:
    """The values of an option by name; ``pays`` of a payment; none for "no"."""
    if option.value is None:
        return {}
    return dict(option.value["with"]) if decision.kind == "menu" else dict(option.value)


def key_of(value: Any) -> str | int | bool | None:
    """A value as a key by which a page tells it from others."""
    if isinstance(value, dict):
        if set(value) == {"x", "y"}:
            return f"{value['x']},{value['y']}"
        return ",".join(f"{kind}:{number}" for kind, number in value.items())
    if isinstance(value, list):
        return ",".join(str(key_of(one)) for one in value)
    return value if value is None or isinstance(value, (str, int)) else str(value)


def _is_pieces(value: Any) -> bool:
    return isinstance(value, dict) and set(value) != {"x", "y"} and all(type(n) is int for n in value.values())


def _kind(bind: Bind, nodes: Sequence[Node]) -> str:
    turns = (n.turn for n in nodes if isinstance(n, Move))
    if any(isinstance(turn, Local) and turn.name == bind.name for turn in turns):
        return "turn"
    match bind.type:
        case NumberType():
            return "number"
        case PiecesType():
            return "pieces"
        case FlagType():
            return "flag"
        case MemberType():
            return "member"
    return "square" if bind.type == SQUARE else "member"
