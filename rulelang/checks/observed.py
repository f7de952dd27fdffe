"""Observations of players: what each statement shows them, with the sources it depends on that they may not know.

Everybody sees who is asked and by which rule, that a rule runs, how often a loop goes round, which places change, how
many pieces move unless both places keep that to themselves, and of what all can see, how it changes. The options are
seen by the player who chooses. A place that pieces are taken from may be looked at: a move shows what moves to
whoever sees one of its two places. What is chosen or rolled in secret may be put anywhere, as that is what the rules
do with it; but whether a condition on it holds tells more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

import attrs

from .. import program as ir
from ..fixes import Fix, Prefix
from ..program.analysis.flow import Flow, Label
from ..program.analysis.flow.labels import joined
from ..program.analysis.flow.visible_to import Symbol
from ..program.printer import expression_text
from ..program.walk import walk
from ..source import Span
from ..structural import Structural, frozen
from ..types import FLAG
from .risks import Risk, Risks

Audience: TypeAlias = frozenset[Symbol | None] | None
"""Who observes something: these players (None: one who cannot be named; ``Flow.seers``: those who see a cell), or
without a set everybody."""

EVERYBODY: Audience = None

_BEGIN = "begin with `openly`"
_LOOK = "Look only at what everybody can see"
_HIDE = "Write `seen by nobody` before the colon of the history, leave out what is hidden"


@frozen
class Leak(Structural):
    """Something observed by players who may not know all of its ``label``.

    ``observation``: the beginning of a sentence that ends with a source. ``remedy``: what to do about it, or else how
    to disclose it, as in ``openly``. ``promised``: the text says, by ``surely`` or an invariant, that it never happens.
    """

    code: Literal["R0508", "R0512", "R0513", "R0515"]
    rule: str
    span: Span
    observation: str
    label: Label
    remedy: str
    openly: str = _BEGIN
    fixes: tuple[Fix, ...] = ()
    promised: bool = False


def fault_of(
    risk: Risk,
    rule: str,
    part: ir.Action | ir.Expr,
    label: Label,
    openly: str = _BEGIN,
    fixes: tuple[Fix, ...] = (),
) -> Leak:
    """What a fault of a part gives away. ``rule``: empty for what is worked out beside all rules."""
    stops = f"The game stops if {risk.when}, so everybody would learn something about"
    promised = getattr(part, "surely", False) or risk.safe(trusting=True)
    return Leak("R0515", rule, part.span, stops, label, risk.remedy, openly, fixes, promised)


@frozen
class LeakFinder(Structural):
    """Finds leaks in one rule or option. ``root``: the top-level rule around it. ``menus``: by option.

    ``here``: the part looked at: what has been shown before it is known.
    """

    program: ir.Program
    flow: Flow
    risks: Risks
    menus: Mapping[str, ir.Menu]
    root: str
    rule: ir.Rule
    here: ir.Action = attrs.field(factory=ir.Nothing)

    def leaks(self, part: ir.Action) -> Iterator[Leak]:
        """Those of a statement, a need or the head of the rule, without the statements inside it."""
        here = attrs.evolve(self, here=part)
        told = [*here._leaks(part), *here._faults_inside(part)]
        yield from told
        yield from here._faults(part, joined(leak.label for leak in told))

    def tells(self, part: ir.Action) -> bool:
        """Whether there is a leak when nothing faults. What may fault takes much longer to find out about."""
        return any(True for _ in attrs.evolve(self, here=part)._leaks(part))

    def _leaks(self, part: ir.Action) -> Iterator[Leak]:
        match part:
            case ir.Rule():
                yield from self._head(part)
            case ir.Needs() if self.rule.kind == "option":
                menu = self.menus[self.rule.id]
                yield from self._options(menu.who, part.condition, self.rule.id, part.span, part)
            case ir.Choose():
                yield from self._choose(part)
            case ir.ChooseSome():
                yield from self._choose_some(part)
            case ir.Menu():
                yield from self._menu(part)
            case ir.Pay():
                yield from self._pay(part)
            case ir.Let(value=named) | ir.IfThere(binds=named) if part.openly:
                yield from self._steers("what is given a name", named, part.span)
            case ir.Branch() | ir.IfThere() | ir.Each() | ir.Together() | ir.Repeat() | ir.TakeTurns():
                yield from self._steering(part)
            case ir.SetValue(target, value) | ir.Change(target, _, value):
                yield from self._set(target, value, part)
            case ir.Move():
                yield from self._move(part)
            case ir.Score():
                yield from self._score(part)
            case ir.Shuffle():
                yield from self._places((part.place,), part.span)
            case ir.Show():
                yield from self._show(part)
            case ir.Roll():
                if not self.flow.secret[self.root] >= {bind.slot for bind in part.binds.binds}:
                    yield from self._told("what is rolled", part.binds, part.span)
            case ir.Wins():
                yield from self._told("who wins", part.who, part.span)
            case ir.Do(arguments=values) | ir.Announce(arguments=values) if part.openly:
                yield from self._steers("what is passed on", values, part.span)
            case _:  # all else shows nobody anything, unless it faults
                return

    # -- faults

    def _faults(self, part: ir.Action, told: Label) -> Iterator[Leak]:
        """Everybody sees that the game stops, whatever for. ``told``: what is given away anyway."""
        openly = "write `openly needs ...`" if isinstance(part, ir.Needs) else _BEGIN
        for risk in self.risks.of(part, self.root, self.rule):
            label = {source: trail for source, trail in self._of(risk.on).items() if source not in told}
            if label and not risk.safe():
                told = joined((told, label))
                fixes = (*risk.fixes, *_said_openly(part))
                yield fault_of(risk, self.rule.id, part, label, openly, fixes)

    def _faults_inside(self, part: ir.Action) -> Iterator[Leak]:
        """Those of what belongs to a statement: what is carried out unseen, and counts of what is chosen so far."""
        match part:
            case ir.Branch(condition, then, otherwise):
                yield from self._unseen((*then, *otherwise), condition)
            case ir.IfThere(binds, then, otherwise):
                yield from self._unseen((*then, *otherwise), ir.Fold("some", None, binds, FLAG))
            case ir.Each(binds, body) | ir.Together(binds, body):
                yield from self._unseen(body, binds)
            case ir.Repeat("at most", value, body):
                yield from self._unseen(body, value)
            case ir.ChooseSome():
                enough = [ask for ask in part.asks if isinstance(ask, ir.Branch)]
                for node in walk(part.asks):
                    if isinstance(node, ir.Action) and not any(node is ask for ask in enough):
                        at = attrs.evolve(self, here=node)
                        yield from at._faults_inside(node)
                        if isinstance(node, ir.Let):  # all else is counting what the player has chosen so far
                            yield from at._faults(node, {})
            case _:
                return

    def _unseen(self, body: Sequence[ir.Statement], decides: ir.Node) -> Iterator[Leak]:
        """A fault in what is carried out unseen tells what decided whether that happens, or how often."""
        if not _silent(body):
            return
        label = self._of(decides)
        for s in (node for node in walk(body) if isinstance(node, ir.Action)) if label else ():
            for risk in self.risks.of(s, self.root, self.rule):
                if not risk.safe():
                    yield fault_of(risk, self.rule.id, s, label)

    def sees_already(self, s: ir.Show) -> bool:
        """Whether the one player to whom something is shown sees it anyway."""
        seat = None if s.who is None else self.flow.symbol(self.root, s.who)
        if self.program.variables[s.place.variable].seen_by == "all":
            return False  # so does everybody else
        content = self._content(s.place)
        of_place = [source for source in content if source.name == s.place.variable and source.kind == "content"]
        return seat is not None and all(self.flow.knows(self.root, ir.Nothing(), seat, source) for source in of_place)

    # -- the course of the game

    def _head(self, rule: ir.Rule) -> Iterator[Leak]:
        for word, condition in (("whenever", rule.whenever), ("when", rule.guard)):
            if condition is not None:
                openly = f"write `openly {word} ...`"
                yield from self._steers(f"whether `{rule.id}` runs", condition, condition.span, openly=openly)

    def _steering(self, s: ir.Branch | ir.IfThere | ir.Each | ir.Together | ir.Repeat | ir.TakeTurns) -> Iterator[Leak]:
        match s:
            case ir.Branch(condition, then, otherwise) if not _silent((*then, *otherwise)):
                seen = "which rule runs" if s.by_column else "which way this goes"
                yield from self._steers(seen, condition, condition.span)
            case ir.IfThere(binds, then, otherwise) if not _silent((*then, *otherwise)):
                label = self._open(self.flow.any_combination(self.root, binds))
                yield from self._leak("R0512", "Everybody sees which way this goes, and", label, binds.span)
            case ir.Each(binds, body) | ir.Together(binds, body) if not _silent(body):
                yield from self._steers("what is gone through", binds, binds.span)
            case ir.Repeat("at most", value, body) if not _silent(body):
                yield from self._steers("how often this is repeated", value, value.span)
            case ir.TakeTurns(start=start, following=following, until=until, out=out):
                yield from self._steers("whose turn is first", start, start.span)
                yield from self._steers("whose turn is next", following, following.span)
                if out is not None:
                    yield from self._steers("who has a turn", out, s.span, "Let everybody see who is out")
                if until is not None:
                    yield from self._steers("when these turns end", until, until.span)

    def _steers(
        self,
        seen: str,
        node: ir.Node | Sequence[ir.Node | None] | None,
        span: Span,
        remedy: str = _LOOK,
        openly: str = _BEGIN,
    ) -> Iterator[Leak]:
        """Of what everybody observes; a secret choice is not to be looked at either."""
        yield from self._leak("R0512", f"Everybody sees {seen}, and", self._of(node), span, remedy, openly)

    # -- questions

    def _choose(self, s: ir.Choose) -> Iterator[Leak]:
        yield from self._steers("who is asked", s.who, s.who.span)
        options = list(self._options(s.who, s.binds, self.rule.id, s.binds.span, s))
        yield from options
        if s.body is not None and not s.surely and s.some is None and not options:
            yield from self._asked(s, self._of(self.risks.any(s.binds)), s.binds.span)

    def _asked(self, s: ir.Choose | ir.Menu, label: Label, span: Span) -> Iterator[Leak]:
        """Whether a question is asked at all."""
        if label and not self.risks.always_asked(s, self.root):
            remedy = "Let there always be something to choose"
            yield from self._leak("R0512", "Everybody sees whether this is asked, and", label, span, remedy)

    def _choose_some(self, s: ir.ChooseSome) -> Iterator[Leak]:
        """Those of all its questions, and of whether there is enough to choose from at all."""
        enough = [ask for ask in s.asks if isinstance(ask, ir.Branch)]
        for ask in enough:
            remedy = "Let there always be enough to choose from"
            yield from self._steers("whether this is asked", ask.condition, s.span, remedy)
        for node in walk(s.asks):
            if isinstance(node, ir.Repeat):
                yield from self._steers("how many can be chosen", node.value, s.span)
            elif isinstance(node, ir.Action) and not any(node is ask for ask in enough):
                yield from attrs.evolve(self, here=node)._leaks(node)

    def _menu(self, s: ir.Menu) -> Iterator[Leak]:
        yield from self._steers("who is asked", s.who, s.who.span)
        for id_ in s.options:
            option = self.program.rules[id_]
            if option.binds is not None:
                yield from self._options(s.who, option.binds, id_, option.span, s)
        if s.otherwise is not None and not s.surely:
            yield from self._asked(s, self._of(self.risks.possible(s)), s.span)

    def _options(
        self, who: ir.Expr, node: ir.Node, rule: str, span: Span, part: ir.Choose | ir.Menu | ir.Needs | ir.Pay
    ) -> Iterator[Leak]:
        label = self._unknown(self._of(node), frozenset((self.flow.symbol(self.root, who),)))
        openly = "write `openly needs ...`" if isinstance(part, ir.Needs) else _BEGIN
        if label:
            told = f"These options would tell `{expression_text(who)}` something about"
            yield Leak(
                "R0508", rule, span, told, label, "Let the owner choose, look only at how many there are", openly
            )

    def _pay(self, s: ir.Pay) -> Iterator[Leak]:
        """The ways to pay are worked out from what is in the place; how many pieces are paid is seen by all."""
        yield from self._steers("who is asked", s.who, s.who.span)
        variable = self.program.variables[s.source.variable]
        content = ir.Read(s.source.variable, s.source.indices, variable.type, span=s.source.span)
        yield from self._options(s.who, content, self.rule.id, s.span, s)
        yield from self._told("how much is paid", s.cost, s.span)
        if s.less is not None:
            yield from self._told("how much is paid", s.less, s.span)
        yield from self._places((s.target,), s.span)

    # -- changes

    def _set(self, target: ir.Place, value: ir.Expr, s: ir.Statement) -> Iterator[Leak]:
        yield from self._places((target,), s.span)
        audience = self._audience(target)
        label = self._unless_secret(self._of(value))
        seen, remedy = _seen(audience, f"`{target.variable}`"), _LOOK
        if self.program.variables[target.variable].history:
            seen, remedy = f"Everybody sees when `{target.variable}` holds a position again, and", _HIDE
        yield from self._leak("R0513", seen, self._unknown(label, audience), s.span, remedy)

    def _score(self, s: ir.Score) -> Iterator[Leak]:
        yield from self._told("who scores", s.who, s.span)
        score = self.program.variables.get(self.program.score or "")
        if score is None or score.seen_by == "all":
            yield from self._told("how many points these are", s.amount, s.span)
        elif score.seen_by != "nobody":
            label = self._unless_secret(self._of(s.amount))
            audience = self._audience(ir.Place(score.name, (s.who,)))
            yield from self._leak("R0513", _seen(audience, f"`{score.name}`"), self._unknown(label, audience), s.span)

    def _move(self, s: ir.Move) -> Iterator[Leak]:
        yield from self._places((s.source, s.target), s.span)
        audience = _both(self._audience(s.source), self._audience(s.target))
        what: list[ir.Expr | None] = [s.kind, s.square, s.turn]
        what += [s.amount] if s.what in ("at", "pieces") else []
        label = self._unless_secret(self._of(what))
        own = self._content(s.source)
        chosen = self._unknown({source: trail for source, trail in label.items() if source not in own}, audience)
        yield from self._leak("R0513", _seen(audience, "what is moved here"), chosen, s.span)
        if not chosen:
            yield from self._number(s, audience, own)

    def _number(self, s: ir.Move, audience: Audience, own: Label) -> Iterator[Leak]:
        """How many pieces move. Whoever sees neither place may see that one of them is counted."""
        label = self._unless_secret(joined(self._counts(s)))
        counted = any(self.program.variables[place.variable].counted for place in (s.source, s.target))
        if audience is EVERYBODY or not counted:
            label = {source: trail for source, trail in label.items() if source not in own}
        else:
            audience = EVERYBODY
        seen = _seen(audience, "how many pieces move here")
        yield from self._leak("R0513", seen, self._unknown(label, audience), s.span)

    def _show(self, s: ir.Show) -> Iterator[Leak]:
        """Everybody sees that a place is shown, and to whom; they see what is shown."""
        yield from self._places((s.place,), s.span)
        yield from self._told("to whom this is shown", (s.who, s.seats), s.span)
        audience: Audience = EVERYBODY
        if s.who is not None or s.seats is not None:
            audience = frozenset((None if s.who is None else self.flow.symbol(self.root, s.who),))
        own = self._content(s.place)
        label = self._unless_secret(self._of((s.amount, s.kind)))
        chosen = {source: trail for source, trail in label.items() if source not in own}
        yield from self._leak("R0513", _seen(audience, "what is shown"), self._unknown(chosen, audience), s.span)

    def _counts(self, s: ir.Move) -> Iterator[Label]:
        """The labels of the number of pieces that move."""
        variable = self.program.variables[s.source.variable]
        content = ir.Read(s.source.variable, s.source.indices, variable.type, span=s.source.span)
        if s.what in ("number", "number of", "pieces"):
            yield self._of(s.amount)
        if s.what == "all" or (s.what == "number" and s.up_to):
            yield self._size(content)
        elif s.what == "all of" or s.up_to:
            yield self._of((content, s.kind))

    # -- what places have to do with it

    def _places(self, places: Iterable[ir.Place], span: Span) -> Iterator[Leak]:
        """Everybody sees which places change, whatever happens there."""
        for place in places:
            yield from self._told(f"which `{place.variable}` changes", place.indices, span)

    def _told(self, seen: str, node: ir.Node | Sequence[ir.Node | None] | None, span: Span) -> Iterator[Leak]:
        """Of what everybody observes, and may be shown what was chosen in secret."""
        label = self._unless_secret(self._of(node))
        yield from self._leak("R0513", f"Everybody sees {seen}, and", label, span)

    def _leak(
        self,
        code: Literal["R0512", "R0513"],
        observation: str,
        label: Label,
        span: Span,
        remedy: str = _LOOK,
        openly: str = _BEGIN,
    ) -> Iterator[Leak]:
        if label:
            yield Leak(code, self.rule.id, span, f"{observation} would learn something about", label, remedy, openly)

    def _of(self, node: ir.Node | Sequence[ir.Node | None] | None) -> Label:
        """The label of a part of a rule, without what has been shown to everybody."""
        return self._open(self.flow.of(self.root, node))

    def _size(self, what: ir.Expr) -> Label:
        return self._open(self.flow.size(self.root, what))

    def _open(self, label: Label) -> Label:
        return self.flow.open_at(self.root, self.here, label)

    def _unknown(self, label: Label, audience: Audience) -> Label:
        """The sources that somebody of the audience may not know."""
        if audience is None:
            return label
        knows = self.flow.knows
        return {s: t for s, t in label.items() if not all(knows(self.root, self.here, seat, s) for seat in audience)}

    def _unless_secret(self, label: Label) -> Label:
        return {source: trail for source, trail in label.items() if source.kind == "content"}

    def _content(self, place: ir.Place) -> Label:
        variable = self.program.variables[place.variable]
        content = ir.Read(place.variable, place.indices, variable.type, span=place.span)
        return {} if variable.seen_by == "all" else self._of(content)

    def _audience(self, place: ir.Place) -> Audience:
        variable = self.program.variables[place.variable]
        if variable.seen_by == "all":
            return EVERYBODY
        if variable.seen_by == "owner":
            return frozenset((self.flow.symbol(self.root, place.indices[0]),))
        return frozenset() if variable.seen_by == "nobody" else frozenset((self.flow.seers(self.root, place),))


def _both(a: Audience, b: Audience) -> Audience:
    return EVERYBODY if a is None or b is None else a | b


def _seen(audience: Audience, what: str) -> str:
    """The beginning of a sentence that goes on with what these would learn."""
    return f"Everybody sees {what}, and" if audience is EVERYBODY else f"Whoever sees {what}"


def _said_openly(part: ir.Action) -> tuple[Fix, ...]:
    """What makes a statement, or a need, disclose what it looks at; the head of a rule says it in its midst."""
    fix = Fix("Begin with `openly`: everybody is meant to learn it", (Prefix("openly ", span=part.span),))
    return () if isinstance(part, ir.Rule) else (fix,)


def _silent(body: Sequence[ir.Statement]) -> bool:
    """Whether nobody observes that these statements are carried out."""
    return all(
        isinstance(s, (ir.Let, ir.Nothing))
        or (isinstance(s, (ir.Branch, ir.IfThere)) and _silent((*s.then, *s.otherwise)))
        for s in body
    )
