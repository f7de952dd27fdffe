"""Small rich game texts, made by chance: every type, place, statement and most of the built-in functions.

A ``Maker`` asks ``pick(n)`` for a number below n, so that Hypothesis (which then also simplifies) and a plain generator
of numbers can drive it. What it writes has the right types, but not every text is a sound game: the checks refuse some.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import generated_boards
from generated_kept import kept_item
from generated_values import CARD, FLAG, GOOD, HILL, MEMBERS, NUMBER, PLAYER, PLOT, Values
from generated_ways import ways_item


class Maker(Values):
    """Writes one game."""

    def __init__(self, pick: Callable[[int], int]) -> None:
        super().__init__(pick)
        self.columns, self.rows = generated_boards.size(self)
        self.more_numbers.append(lambda: self.of(generated_boards.numbers(self))())
        self.loops = 0  # how many repeats and turns are open, which a ``stop`` could leave
        self.asking = True  # whether the rule in hand may let somebody decide
        self.callable: list[tuple[str, str]] = []  # rules with the type of their second value
        self.events = False
        self.effects: list[str] = []  # rules that the cards name
        self.supposing = False  # whether the rule in hand is one that can be supposed to run

    def exchanges(self) -> tuple[str, ...]:
        first, second, last = self.goods[0], self.goods[1], self.goods[-1]
        return (
            f", 1 of {first} for 1",
            f", 2 of [{first}, {second}] for 1 of {last}",
            f", 2 of any for 1 of {second}, 1 of {second} for 1 of {first}",
        )

    # -- statements

    def block(self, size: int = 3) -> list[str]:
        lines: list[str] = []
        kept = list(self.names)
        for _ in range(1 + self.pick(size)):
            lines += self.statement()
        self.names = kept
        return [f"  {line}" for line in lines]

    def statement(self) -> list[str]:
        self.deep += 1
        try:
            if self.deep > 3:
                return self.small()
            ways = [self.small] * 6 + [self.nested] * 4
            if self.asking and not self.supposing:
                ways += [self.asked] * 4
            return self.of(ways)()
        finally:
            self.deep -= 1

    def small(self) -> list[str]:
        v = self.value
        player = self.of(self.local(PLAYER) or ["first(Player)"])
        up = lambda: self.of((f"{self.pick(4)}", v(NUMBER)))  # noqa: E731
        ways = [
            lambda: ["do nothing"],
            lambda: [f"set n to max(0, min(20, {v(NUMBER)}))"],
            lambda: [f"set walker to {v(HILL)}"],
            lambda: [f"set {self.of(('guest', f'stone[{v(HILL)}]', f'piece[{v(PLOT)}]'))} to {self.optional(PLAYER)}"],
            lambda: [f"set seen to {self.hill_set()}"],
            lambda: [f"set storm to {v(FLAG)}"],
            lambda: [f"set low to {self.of(('none', f'max(-5, min(5, {v(NUMBER)}))', f'min(3, {v(NUMBER)})'))}"],
            lambda: [f"set high to {self.optional(NUMBER)}"],
            lambda: [f"set stop_at to {self.optional(HILL)}"],
            lambda: [f"set spot_at to {self.optional(PLOT)}"],
            lambda: [f"set fruit to {v(GOOD)}"],
            lambda: [f"set trail to {self.of(('trail + ', ''))}{self.listed(HILL)}"],
            lambda: [f"set told to {self.of(('told', 'told[2..5]', 'told[2..5]'))} + [({v(HILL)}, {v(GOOD)})]"],
            lambda: [f"set told to list((h, {v(GOOD)}) for h in {self.hill_set()})[1..4]"],
            lambda: [
                f"set lows to [{self.optional(NUMBER)}, low] + lows" if self.chance(2) else "set lows to lows + [low]"
            ],
            lambda: [f"set wide to {self.number_set()}"],
            lambda: [f"set wanted to {self.pieces()}"],
            lambda: [f"increase marks[{v(HILL)}] by {self.of(('1', v(NUMBER)))}"],
            lambda: [f"decrease level by {v(NUMBER)}"],
            lambda: [f"increase taste[{v(PLAYER)}, {v(GOOD)}] by {1 + self.pick(2)}"],
            lambda: [f"{player} {self.of(('scores', 'loses'))} {v(NUMBER)}"],
            lambda: [f"surely move up to {up()} of {v(GOOD)} from bank to hand[{v(PLAYER)}]"],
            lambda: [f"surely move all of {v(GOOD)} from hand[{v(PLAYER)}] to bank"],
            lambda: [f"surely move {up()} of {v(GOOD)} from hand[{v(PLAYER)}] to {self.of(('bank', 'sack', 'pile'))}"],
            lambda: [f"surely move {self.pieces()} from {self.of((f'hand[{v(PLAYER)}]', 'sack'))} to bank"],
            lambda: [f"surely move {self.pieces()} from bank to {self.of(('sack', f'hand[{v(PLAYER)}]', 'pile'))}"],
            lambda: [f"surely move up to {up()} from pile to {self.of(('sack', f'tower[{v(PLAYER)}]', 'bank'))}"],
            lambda: [f"surely move at {v(NUMBER)} from pile to {self.of((f'tower[{v(PLAYER)}]', 'bank'))}"],
            lambda: [f"surely move all from tower[{v(PLAYER)}] to {self.of(('pile', 'bank'))}"],
            lambda: [f"surely move {up()} of {v(GOOD)} from pile to {self.of(('bank', f'tower[{v(PLAYER)}]'))}"],
            lambda: [f"surely move {self.pieces()} from pile to bank"],
            lambda: [
                f"surely move up to 1 from deck to {self.of(('drawn', 'deck'))}",
                "surely move all from drawn to deck",
            ],
            lambda: [f"surely move 1 of {v(GOOD)} from bank to land[{v(PLAYER)}] at ({self.pick(2)}, {self.pick(2)})"],
            lambda: [f"surely move all of {v(GOOD)} from land[{v(PLAYER)}] to bank"],
            lambda: generated_boards.cells(self),
            self.let,
            self.let,
        ]
        if self.histories:
            ways += [lambda: [f"remember past({v(PLAYER)}, {v(NUMBER)})"]] * 3 + [lambda: ["forget past"]]
        if self.supposing:
            return self.of(ways)()
        ways += [
            lambda: [f"surely move up to {up()} from sack to {self.of(('bank', 'pile', f'hand[{v(PLAYER)}]'))}"],
            lambda: [f"shuffle {self.of(('pile', 'deck', f'tower[{v(PLAYER)}]'))}"],
        ]
        for rule, parameter in self.callable:
            ways += [
                lambda rule=rule, parameter=parameter: [
                    f"do {rule}({self.of(self.local(PLAYER) or ['first(Player)'])}, {v(parameter)})"
                ]
            ]
        if self.effects:
            ways += [lambda: self.by_column(player)] * 2
        if self.events:
            ways.append(lambda: [f"announce hills_change({v(HILL)})"])
        ways.append(self.roll)
        if self.loops and self.chance(2):
            ways.append(lambda: ["stop"])
        if self.chance(4):
            ways.append(lambda: [f"if {v(FLAG)}", f"  {self.of(('end the game', f'{self.winning(player)} wins'))}"])
        return self.of(ways)()

    def by_column(self, player: str) -> list[str]:
        """The rule that a card names."""
        if self.chance(2):
            return [f"do {self.of((*self.local(CARD), *self.cards))}.effect({player})"]
        name, card = self.fresh(), self.value(CARD)
        return [f"let {name} = {card}", f"do {name}.effect({player})"]

    def winning(self, player: str) -> str:
        """Who wins."""
        with self.bound(("w", PLAYER)):
            several = f"(w in Player where {self.value(FLAG)})"
        ways = [player, "everybody", "nobody", f"set{several}", f"list{several}", f"[{player}]"]
        return self.of([*ways, *([f"{player}.team", "odd", f"{player}.team.members"] if self.teams else [])])

    def let(self) -> list[str]:
        name, type_ = self.fresh(), self.of((NUMBER, FLAG, *MEMBERS))
        text = self.value(type_)
        self.names.append((name, type_))
        return [f"let {name} = {text}"]

    def roll(self) -> list[str]:
        name = self.fresh()
        way = self.pick(4)
        if way == 0:
            text, type_ = f"{name} in 1..6", NUMBER
        elif way == 1:
            type_ = self.of(MEMBERS)
            text = f"{name} in [{', '.join(self.value(type_) for _ in range(2 + self.pick(2)))}]"
        elif way == 2:
            type_ = self.of(MEMBERS)
            text = f"{name} in {type_}"
        else:
            other = self.fresh()
            text, type_ = f"{name} in 1..3, {other} in Player where {self.value(FLAG)}", NUMBER
        self.names.append((name, type_))
        return [f"surely roll {text}"]

    def nested(self) -> list[str]:
        v = self.value
        way = self.pick(8)
        if way == 7:
            binder, names = self.binder()
            head = f"if there is {binder}{['', f' where {self.in_bound(names)}'][self.pick(2)]}"
            with self.bound(*names):
                lines = [head, *self.block(2)]
            return [*lines, *(["otherwise", *self.block(2)] if self.chance(2) else [])]
        if way == 0:
            lines = [f"if {v(FLAG)}", *self.block()]
            if self.chance(2):
                lines += [f"otherwise if {v(FLAG)}", *self.block(1), "otherwise", *self.block(2)]
            return lines
        if way == 1:
            binder, names = self.binder(whole=True)
            head = f"each {binder}{['', f' where {self.in_bound(names)}'][self.pick(2)]}"
            with self.bound(*names):
                return [head, *self.block(2)]
        if way == 2:
            self.loops += 1
            lines = [f"repeat at most {1 + self.pick(3)}", *self.block(2)]
            self.loops -= 1
            return lines
        if way == 3:
            self.made += 1
            guard = f" when {self.of(('', 'not '))}({v(FLAG)})" if self.chance(2) else ""
            lines = [f"rule inner{self.made}{guard}"]
            loops, self.loops = self.loops, 0
            lines += self.block(2)
            self.loops = loops
            return lines
        if way == 4 and not self.supposing:
            name, start = self.fresh(), v(PLAYER)
            self.loops += 1
            with self.bound((name, PLAYER)):
                then = f", then {self.of((f'prev({name})', f'next({name})', v(PLAYER)))}" if self.chance(2) else ""
                until = f" until {name} is {v(PLAYER)} or spent > 50"
                lines = [f"take turns {name} from {start}{then}{until}", *self.block(2)]
                lines += [f"  roll {self.fresh()} in 1..2", "  set spent to min(60, spent + 5)"]
            self.loops -= 1
            return lines
        if way == 5:
            falls = "20 - n"
            self.loops += 1
            lines = [f"repeat falling {falls}", *self.block(1), "  set n to min(20, n + 3)", "  if n > 12", "    stop"]
            self.loops -= 1
            return lines
        return [f"if {v(FLAG)}", *self.block(2)]

    def in_bound(self, names: tuple[tuple[str, str], ...]) -> str:
        with self.bound(*names):
            return self.value(FLAG)

    def aimed(self, player: str) -> list[str]:
        """A menu whose options must lead as far as they can."""
        self.made += 1
        aim = f"{self.of(('fewest', 'most'))} {self.value(NUMBER)}"
        lines = [f"{player} chooses one of for {aim}, at most {1 + self.pick(2)} deep"]
        for number in range(1 + self.pick(2)):
            rule, type_ = self.of(self.supposable)
            name, kind = self.fresh(), self.of((HILL, PLAYER))
            lines.append(f"  option aimed{self.made}.o{number}({name} in {kind})")
            with self.bound((name, kind)):
                lines += [f"    needs {self.value(FLAG)}"] * self.pick(2)
                lines.append(f"    do {rule}({self.value(PLAYER)}, {self.value(type_)})")
        return [*lines, "otherwise", *self.block(1)]

    def asked(self) -> list[str]:
        player = self.of(self.local(PLAYER) or ["first(Player)"])
        way = self.pick(14)
        if way == 13:
            return self.aimed(player) if self.supposable else self.small()
        v = self.value
        if way == 12:
            binders, name = generated_boards.chosen(self)
            with self.bound((name, PLOT)):
                return [f"{player} chooses {binders}", *self.block(2), "otherwise", *self.block(1)]
        if way == 11:
            return self.trail(player) if self.trails else self.small()
        if way > 8:
            return self.several(player)
        if way == 7:
            return self.many_options(player)
        if way == 8:
            type_ = self.of((PLAYER, HILL))
            name = self.fresh()
            lines = [f"{player} chooses {name} in {self.optionals(type_)}"]
            target = f"set {'guest' if type_ == PLAYER else 'stop_at'} to {name}"
            return [*lines, f"  {target}", "otherwise", "  do nothing"]
        if way in (0, 1):
            binder, names = self.binder()
            may = "may choose" if way else "chooses"
            head = f"{player} {may} {binder}{['', f' where {self.in_bound(names)}'][self.pick(2)]}"
            with self.bound(*names):
                lines = [head, *self.block(2)]
            return [*lines, "otherwise", *self.block(1)]
        if way == 2:
            name = self.fresh()
            with self.bound((name, GOOD)):
                return [f"{player} chooses {name} in hand[{player}]", *self.block(2)]
        if way == 3:
            cost = self.of((self.pieces(), f"all but {self.pick(3)} of {self.pieces()}"))
            return [
                f"if hand[{player}] covers {cost}",
                f"  surely {player} pays {cost} from hand[{player}] to bank",
            ]
        if way == 4:
            name = self.fresh()
            with self.bound((name, "square")):
                lines = [f"{player} chooses {name} in openings(land[{player}])"]
                lines.append(
                    f"  surely move up to 1 of {v(GOOD)} from bank to land[{player}] at {name} turned {self.pick(4)}"
                )
            return lines
        if way == 5:
            name = self.fresh()
            return [
                f"{player} chooses {name} in bundles(hand[{player}], {1 + self.pick(2)})",
                f"  surely move {name} from hand[{player}] to bank",
            ]
        lines = [f"surely {player} chooses one of"]
        for _ in range(1 + self.pick(3)):
            self.made += 1
            binder, names = self.binder(whole=True)
            with_values = self.chance(2)
            where = f" where {self.in_bound(names)}" if self.chance(3) else ""
            lines.append(f"  option pick{self.made}" + (f"({binder}{where})" if with_values else ""))
            with self.bound(*(names if with_values else ())):
                if self.chance(2):
                    lines.append(f"    needs {v(FLAG)}")
                lines += [f"  {line}" for line in self.block(2)]
        if self.chance(2):
            return [lines[0].removeprefix("surely "), *lines[1:], "otherwise", *self.block(2)]
        self.made += 1
        return [*lines, f"  option pass{self.made}", "    do nothing"]

    def trail(self, player: str) -> list[str]:
        """A choice of a way, or of what matters of it."""
        name, given = self.fresh(), f"{self.of(self.trails)}({self.value(HILL)}, {self.value(NUMBER)})"
        offered = self.of(
            (
                f"{name} in {given}",
                f"{name} in leaders({name}w in {given} by most count({name}w))",
                f"{name} in list(set({name}w) for {name}w in {given})",
                f"{name} in list({name}w[1..{1 + self.pick(3)}] for {name}w in {given})",
            )
        )
        with self.bound((f"count({name})", NUMBER)):
            lines = [f"{player} {self.of(('chooses', 'may choose'))} {offered}", *self.block(2)]
        return [*lines, "otherwise", *self.block(1)]

    def several(self, player: str) -> list[str]:
        """Several chosen one after another: pieces, members, or an order."""
        name, each = self.fresh(), self.fresh()
        many = self.of(
            ("2", f"up to {1 + self.pick(3)}", "any", f"{self.pick(2)}..{1 + self.pick(3)}", self.value(NUMBER))
        )
        with self.bound((name, GOOD)):
            where = self.of(("", f" where {self.value(FLAG)}"))
        way = self.pick(5)
        if way == 0:
            head = f"{player} chooses {many} of {name} in hand[{player}]{where}"
            return [
                head,
                f"  move {name} from hand[{player}] to bank",
                *self.block(1),
                *self.of((["otherwise", *self.block(1)], [])),
            ]
        if way == 1:
            return [
                f"surely {player} chooses up to 2 of {name} in hand[{player}]",
                f"surely move {name} from hand[{player}] to bank",
            ]
        if way == 2:
            lines = [f"{player} chooses {many} of {name} in Good{where}", f"  each {each} in {name}"]
            with self.bound((each, GOOD)):
                return [*lines, *(f"  {line}" for line in self.block(1))]
        if way == 3:
            lines = [f"{player} chooses {many} of {name} in {self.listed(HILL)}", f"  each {each} in {name}"]
            with self.bound((each, HILL)):
                return [*lines, *(f"  {line}" for line in self.block(1)), "otherwise", *self.block(1)]
        place = self.of((f"hand[{player}]", "[wood, wool, wood]", "Good"))
        lines = [f"{player} orders {name} in {place}{where}", f"each {each} in {name}"]
        with self.bound((each, GOOD)):
            return [*lines, *self.block(1)]

    def many_options(self, player: str) -> list[str]:
        """A choice among hundreds or thousands of options, taken from lists that repeat members."""
        a, b, c = self.fresh(), self.fresh(), self.fresh()
        top = self.of((9, 40, 300))
        ways = self.of(("Direction" if self.board == "squares" else "Heading", f"[{', '.join(self.ways[:3] * 2)}]"))
        beside = f"{self.of(('step', 'ray'))}({self.value(PLOT)}, {c}d)"
        first = f"{a} in list({c} mod {self.of((7, 50, 1000))} for {c} in 0..{top})"
        second = self.of(
            (
                f"{b} in {self.listed(HILL)}",
                f"{b} in list({c}h for {c}h in Hill, {c}n in 1..3)",
                f"{b} in (if {self.value(FLAG)} then {self.listed(HILL)} else list({c}h for {c}h in Hill))",
                f"({c}g, {b}) in list(({c}g, {c}h) for {c}h in {self.listed(HILL)}, {c}g in Good, {c}n in 1..2)",
                f"{b} in Hill, {c}p in list({c}q for {c}d in {ways}, {c}q in {beside})",
            )
        )
        with self.bound((a, NUMBER), (b, HILL)):
            where = self.of(("", f" where {self.value(FLAG)}"))
            return [f"{player} chooses {first}, {second}{where}", *self.block(1)]

    # -- the whole

    def plots(self) -> str:
        """The board."""
        if self.board == "hexagon":
            return f"hexes Plot: {2 if self.rows < 7 else self.rows // 2 + 2}"
        return f"{'grid' if self.board == 'squares' else 'hexes'} Plot: {self.columns} by {self.rows}"

    def in_teams(self) -> Iterator[str]:
        seats = range(1, self.players + 1)
        for name, first in (("odd", 1), ("even", 2)):
            if first in seats:
                yield f"\n  team {name}: {', '.join(map(str, seats[first - 1 :: 2]))}"

    def game(self) -> str:
        """The text of one game in one file."""
        many = {g: 1 + self.pick(6) for g in self.goods}
        counts = "{" + ", ".join(f"{g}: {n}" for g, n in many.items()) + "}"
        named = [f"effect{number}" for number in range(self.pick(3))]
        rows = [
            f"    {c}: {{{self.of(self.goods)}: {1 + self.pick(2)}}}, {self.pick(9) - 3}"
            + self.of(("", f", {self.goods[0]}", f", none, {self.of((*named, 'none'))}"))
            for c in self.cards
        ]
        points = f"  score: {self.of(('-50..200', '0..99', '0..99 = 5, not below 0'))}\n"
        parts = [
            f"game tiny\n  players {self.players}" + ("".join(self.in_teams()) if self.teams else ""),
            f"enum Good: {', '.join(self.goods)}",
            f"{'track' if self.track else 'enum'} Hill{', ring' if self.ring else ''}: "
            + (f"{len(self.hills)}" if self.track else ", ".join(self.hills)),
            "table Card\n  cost: pieces of Good\n  worth: -3..9\n  gift: Good or none = none\n"
            + f"  effect: rule(p: Player) or none = {self.of((*named, 'none'))}\n  rows\n"
            + "\n".join(rows),
            self.plots(),
            "table Pair: Good and Hill\n  mark: 0..9 = if good is "
            f"{self.goods[0]} then {self.pick(9)} else {self.pick(5)}\n  double: 0..18 = mark * 2"
            + self.of(("", f"\n  rows\n    {self.goods[0]}_{self.hills[-1]}: 7")),
            f"number stock = {self.pick(9)}",
            "option mild: no, yes\n  default no",
            "the game has\n"
            f"  bank: pool of Good = {counts}\n"
            f"  sack: bag of Good = {{{self.goods[0]}: {self.pick(4)}, {self.goods[1]}: 1}}\n"
            f"  pile: stack of Good = [{', '.join(self.of(self.goods) for _ in range(self.pick(5)))}]\n"
            "  deck: stack of Card = {c: 2 for c in Card}\n  drawn: stack of Card\n"
            "  walker: Hill\n  fruit: Good\n  guest: Player or none\n  stop_at: Hill or none\n  spot_at: Plot or none\n"
            "  seen: set of Hill\n  wide: set of -3..9\n  storm: flag\n  level: -4..6\n  n: 0..20\n"
            "  round: 0..30\n  spent: 0..60\n"
            "  low: -5..5 or none\n  high: 0..9 or none\n  huge: 0..2147483647 = 900000000\n"
            "  wanted: pieces of Good\n"
            "  trail: list of Hill, last 3\n  told: list of Hill and Good, at most 6\n"
            "  lows: list of -5..5 or none, last 2",
            f"each Player has\n  hand: pool of Good = {{{self.goods[0]}: 2}}"
            f"{self.of(('', ', 2 of any for 1', ', at most 7', *self.exchanges()))}\n"
            f"{'' if self.teams == 2 else points}"
            "  tower: stack of Good, at most 3\n  land: grid of Good, at most 5",
            *([f"each Team has\n{points}"] if self.teams == 2 else []),
            "each Hill has\n  stone: slot of Player\n  marks: 0..5",
            "each Plot has\n  piece: Player or none",
            "each Player and Plot has\n  mine: flag",
            "each Player and Good has\n  taste: 0..3 = 1",
            "event hills_change(h: Hill)",
        ]
        if self.pick(2):
            parts.append(
                "graph hills(k: -999999..999999)\n  node h in Hill where "
                f"{self.of(('stone[h] is not none', 'h is in seen', 'marks[h] < k', 'index(h) < 5'))}\n"
                "  edge h to "
                + (
                    f"next(h){self.of(('', ', length marks[h]'))}{self.of(('', ' where storm or marks[h] < 3'))}"
                    if self.ring
                    else "g for g in Hill where index(g) < index(h)"
                )
            )
            self.graphs.append("hills")
        if self.pick(2):
            length = self.of(
                ("", ", length marks[h]", ", length 3 - min(3, index(h))", ", length 6 / (n + 1) rounded up")
            )
            way = self.of(("", ", one way"))
            parts.append(
                "graph lanes\n  node h in Hill where marks[h] < 4 or storm\n"
                f"  edge h to g{way}{length} for g in {self.of(('trail', 'list(a for (a, b) in told)', 'Hill'))} "
                f"where {self.of(('index(g) mod 3 > 0', 'index(g) < index(h)', 'n > 2'))}"
            )
            self.graphs.append("lanes")
        if self.pick(2):
            parts.append(generated_boards.graph(self))
            self.graphs.append("plots")
        if self.pick(2):
            parts.append(
                "graph lands(p: Player)\n  node s in land[p], d in Side\n"
                "  edge (s, d) to (b, turned(d, 2)) for b in beside(land[p], s, d)"
            )
            # Its nodes are tuples; the measure sees their names.
            self.graphs.append("lands")
        if self.pick(2):
            kept = [
                "stone",
                "marks",
                "piece",
                "taste",
                "land",
                "hand",
                "trail",
                "told",
                "seen",
                "wide",
                "low",
                "n mod 3",
            ]
            kept += [
                "p",
                "k mod 4",
                "(p, storm)",
                "list(top(tower[q]) for q in Player)",
                "guest",
                "wanted",
                "pile",
                "lows",
            ]
            told = ", ".join(self.of(kept) for _ in range(1 + self.pick(5)))
            bound = self.of(("at most 40", "last 5", "at most 3", "last 1"))
            parts.append(f"history past(p: Player, k: -999999..999999), {bound}: {told}")
            self.histories = True
        if self.chance(3):
            with self.bound(("k", NUMBER)):
                nodes = f"[{self.listed(HILL)}, {self.listed(HILL)}, {self.listed(HILL)}]"
                to = self.of(("s + [walker]", "list(h in s where index(h) > k)", "reversed(s)", self.listed(HILL)))
                parts.append(f"graph heaps(k: -999999..999999)\n  node s in {nodes}\n  edge s to {to}")
            self.graphs.append("heaps")

        if self.pick(2):
            with self.bound(("p", PLAYER)):
                parts.append(f"out when {self.of(('round > 4 and ', ''))}{self.value(FLAG)}")
            self.outs = True
        would = []
        self.supposing = True
        for number in range(self.pick(3)):
            type_ = self.of((HILL, NUMBER, GOOD))
            shown = "-999999..999999" if type_ == NUMBER else type_
            with self.bound(("p", PLAYER), ("v", type_)):
                would.append("\n".join([f"rule would{number}(p: Player, v: {shown})", *self.block(2)]))
            self.supposable = [*self.supposable, (f"would{number}", type_)]
        self.supposing = False
        for number in range(self.pick(3)):
            type_ = self.of((HILL, GOOD, PLAYER, NUMBER))
            with self.bound(("at", HILL), ("much", NUMBER)):
                empty, some = "[]", self.listed(type_) if type_ != NUMBER else f"list({self.late(NUMBER)})"
                way = self.pick(4)
                if way == 0:
                    body = f"\n  when {self.value(FLAG)}: {empty}\n  otherwise: {some}"
                elif way == 1:
                    body = f"\n  when {self.value(FLAG)}: {some}\n  otherwise: {empty}"
                else:
                    body = f" = {some}"
            parts.append(f"define lists{number}(at: Hill, much: -999999..999999){body}")
            self.listing.append((f"lists{number}", type_))
        for number in range(self.pick(3)):
            parts += ways_item(self, number)
        for number in range(self.pick(4)):
            type_ = self.of((NUMBER, FLAG))
            with self.bound(("at", HILL), ("much", NUMBER)):
                if self.chance(3):
                    body = f"\n  when {self.value(FLAG)}: {self.value(type_)}\n  otherwise: {self.value(type_)}"
                else:
                    body = f" = {self.value(type_)}"
            parts.append(f"define made{number}(at: Hill, much: -999999..999999){body}")
            self.defines.append((f"made{number}", type_))
        for number in range(self.pick(3)):
            parts += kept_item(self, number)
        parts += [*self.again_defined()] if self.pick(2) else []

        parts.append(f"winner most {self.score('p')}, then fewest count(hand[p]), then shared")
        rules = would
        self.callable = list(self.supposable)
        if self.pick(2):
            self.asking = self.chance(2)
            with self.bound(("where_to", HILL)):
                rules.append("\n".join(["rule heard on hills_change(where_to)", *self.block(2)]))
            self.events = True
        if self.pick(2):
            self.asking = self.chance(2)
            with self.bound(("p", PLAYER), ("v", NUMBER)):
                first, inside, last = self.block(1), self.block(1), self.block(1)
            most, times = self.of((4, 4, 6, 2)), 1 + self.pick(2)
            rules.append(
                "\n".join(
                    [f"rule again(p: Player, v: -999999..999999), at most {most} deep", *first, "  if v mod 4 > 0"]
                    + [f"  {line}" for line in inside]
                    + ["    do again(next(p), v mod 4 - 1)"] * times
                    + last
                )
            )
            self.callable = [*self.callable, ("again", NUMBER)]
        for effect in named:
            self.asking = self.chance(2)
            with self.bound(("p", PLAYER)):
                rules.append("\n".join([f"rule {effect}(p: Player)", *self.block(2)]))
        self.effects = named
        for number in range(self.pick(3)):
            type_ = self.of((HILL, NUMBER, GOOD))
            self.asking = self.chance(2)
            shown = "-999999..999999" if type_ == NUMBER else type_
            with self.bound(("p", PLAYER), ("v", type_)):
                guard = f" when {self.of(('', 'not '))}({self.value(FLAG)})" if self.chance(3) else ""
                rules.append("\n".join([f"rule part{number}(p: Player, v: {shown}){guard}", *self.block(2)]))
            self.callable = [*self.callable, (f"part{number}", type_)]
        self.asking = True
        for number in range(self.pick(3)):
            self.asking = self.chance(3)
            rules.append("\n".join([f"rule watch{number} whenever {self.value(FLAG)}", *self.block(1)]))
        self.asking = True
        with self.bound(("p", PLAYER)):
            rules.append("\n".join(["rule turn(p: Player)", *self.block(4)]))
        if self.chance(3):
            rules.append(
                "rule bids(p: Player)\n  together each q in Player from p\n    q chooses k in 0..min(3, 1 + stock)\n"
                "      set taste[q, wood] to k\n      rule bids.inner when k > 1\n        q chooses g in Good\n"
                "          set taste[q, g] to 0"
            )
        rules.append(
            "rule play\n  take turns p from first(Player) until round >= 12\n    roll coin in 1..2\n"
            "    set round to min(30, round + 1)\n    do turn(p)"
            + ("\n    do bids(p)" if any(r.startswith("rule bids(") for r in rules) else "")
        )
        if self.pick(2):
            lasting = (
                "bank, sack, pile, hand, tower, land",
                "trail, level",
                "told, wanted",
                "taste, seen",
                "lows, guest",
            )
            parts.append(f"carry {self.of(lasting)}, {self.of(('deck, drawn', 'marks', 'stone', 'mine, low'))}")
        return "\n\n".join([*parts, *rules]) + "\n"

    def again_defined(self) -> list[str]:
        """Definitions that use themselves: of numbers, flags and lists."""
        found = []
        below = "much mod 4 - 1"
        with self.bound(("at", HILL), ("much", NUMBER)):
            end, other, where = self.value(NUMBER), self.value(FLAG), self.value(HILL)
            stop = self.of(("much mod 4 is 0", "much mod 4 is 0 or storm"))
            part = self.of(("walker", "at", where))
        high = self.of((2147483647, 40))
        head = "(at: Hill, much: -999999..999999)"
        found.append(
            f"define sums{head}: -{high}..{high}, at most {self.of((4, 4, 3))} deep = "
            f"if {stop} then {end} else 1 + sums({part}, {below})"
        )
        found.append(
            f"define turns{head}: flag, at most 5 deep = if {stop} then {other} else not turned_on(at, {below})"
        )
        found.append(f"define turned_on{head} = turns({part}, much)")
        found.append(
            f"define chain{head}: list of Hill, at most 4 deep = if {stop} then [at] else [at] + chain({part}, {below})"
        )
        found.append(
            f"define spread{head}: set of Hill, at most 4 deep\n  when {stop}: [at]\n"
            f"  otherwise: spread({part}, {below}) + [at]"
        )
        self.defines += [("sums", NUMBER), ("turns", FLAG)]
        self.listing.append(("chain", HILL))
        return found
