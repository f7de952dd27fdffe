"""Expressions of every type, made by chance; see ``generated``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

NUMBER, FLAG, GOOD, HILL, PLAYER, CARD, PLOT = "number", "flag", "Good", "Hill", "Player", "Card", "Plot"
MEMBERS = (HILL, GOOD, PLAYER, CARD, PLOT)
SIDES = ("north", "east", "south", "west")
HEADINGS = ("east", "west", "north_east", "south_east", "south_west", "north_west")
DIRECTIONS = (*HEADINGS, "north", "south")


class Values:
    """Writes expressions that see the names in force. ``pick(n)``: a number below n; 0 makes the simplest text."""

    def __init__(self, pick: Callable[[int], int]) -> None:
        self.pick = pick
        self.names: list[tuple[str, str]] = []  # names in force with their types, the innermost last
        self.made = 0
        self.players = (2, 3, 4, 1)[pick(4)]
        self.teams = pick(3)  # 0: none, 1: everybody keeps a score, 2: the teams do
        self.outs = False  # whether somebody may be out
        self.goods = ["wood", "wool", "iron", "gems"][: 2 + pick(3)]
        # A ring of more than 64 members has sets that are no masks.
        number = (4, 3, 2, 6, 70)[pick(5)]
        self.hills = ["oak", "elm", "ash", "fir", "yew", "box"][:number] + [f"t{i}" for i in range(6, number)]
        self.ring = pick(3) > 0
        self.track = pick(3) == 0
        if self.track:
            self.hills = [f"hill_{number}" for number in range(1, number + 1)]
        self.cards = ["lunch", "picnic", "feast"][: 1 + pick(3)]
        self.board = self.of(("squares", "squares", "rhombus", "hexagon"))
        self.columns, self.rows = 2, 1 + pick(3)
        self.ways = DIRECTIONS if self.board == "squares" else HEADINGS
        self.defines: list[tuple[str, str]] = []  # with their result types, called with a hill and a number
        self.kept: list[tuple[str, str]] = []  # with their result types, called with a hill and a player, often
        self.listing: list[tuple[str, str]] = []  # definitions of lists, with the type of their members; called alike
        self.graphs: list[str] = []
        self.more_numbers: list[Callable[[], str]] = []  # further ways to say a number
        self.trails: list[str] = []  # ways, called alike
        self.histories = False  # whether there is a history `past`
        self.supposable: list[
            tuple[str, str]
        ] = []  # rules that can be supposed to run, with the type of their second value
        self.deep = 0

    # -- choosing

    def of(self, options: Sequence[T]) -> T:
        return options[self.pick(len(options))]

    def chance(self, one_in: int) -> bool:
        return self.pick(one_in) == one_in - 1

    def fresh(self) -> str:
        self.made += 1
        return f"x{self.made}"

    @contextmanager
    def bound(self, *names: tuple[str, str]) -> Iterator[None]:
        kept = list(self.names)
        self.names.extend(names)
        yield
        self.names = kept

    def local(self, type_: str) -> list[str]:
        return [name for name, known in self.names if known == type_]

    # -- expressions

    def value(self, type_: str) -> str:
        """An expression of a type."""
        self.deep += 1
        try:
            if type_ == NUMBER:
                return self.number()
            if type_ == FLAG:
                return self.flag()
            return self.member(type_)
        finally:
            self.deep -= 1

    def after(self, text: str) -> str:
        """The expression in a position as it would be."""
        rule, type_ = self.of(self.supposable)
        return f"({text} after do {rule}({self.value(PLAYER)}, {self.value(type_)}))"

    def simple(self) -> bool:
        return self.deep > 4 or self.chance(3)

    def member(self, type_: str) -> str:
        known = self.local(type_)
        literal = {
            GOOD: self.goods, HILL: self.hills[:6], CARD: self.cards, PLAYER: ["first(Player)", "last(Player)"],
            PLOT: ["a1", *(["c7", "d5"] if self.rows > 6 else [f"b{self.rows}"])],
        }[type_]  # fmt: skip
        if known and self.pick(3):
            return self.of(known)
        if self.simple():
            return self.of([*literal, *({HILL: ["walker"], GOOD: ["fruit"]}.get(type_, []))])
        ways = [
            lambda: f"({self.optional(type_)} otherwise {self.value(type_)})",
            lambda: f"(if {self.value(FLAG)} then {self.value(type_)} else {self.value(type_)})",
        ]
        if self.supposable:
            ways.append(lambda: self.after(self.value(type_)))
        if type_ == PLAYER or (type_ == HILL and self.ring):
            ways += [lambda: f"next({self.value(type_)})", lambda: f"prev({self.value(type_)})"]
            size = self.players if type_ == PLAYER else len(self.hills)
            ways.append(lambda: f"turned({self.value(type_)}, {self.pick(7) - 2})")
            if size % 2 == 0:
                ways.append(lambda: f"opposite({self.value(type_)})")
            if type_ == HILL and self.track:
                ways.append(lambda: f"({self.value(HILL)} {self.of('+-')} {self.value(NUMBER)})")
        return self.of(ways)()

    def optional(self, type_: str) -> str:
        """An expression that may be none."""
        self.deep += 1
        try:
            plain = {
                PLAYER: ["guest", f"stone[{self.value(HILL)}]", f"piece[{self.value(PLOT)}]"],
                GOOD: ["top(pile)", "bottom(pile)", f"top(tower[{self.value(PLAYER)}])", f"pile[{self.value(NUMBER)}]"],
                HILL: ["stop_at"], CARD: ["top(deck)", "last(deck)"], PLOT: ["spot_at"], NUMBER: ["low", "high"],
            }.get(type_, [])  # fmt: skip
            if plain and self.simple():
                return self.of(plain)
            ways = [lambda: f"first({self.folded(type_)})", lambda: f"first({self.folded_optional(type_)})"]
            if type_ != NUMBER or self.pick(2):
                other = self.of(("none", self.value(type_)))
                ways += [
                    lambda: f"(if {self.value(FLAG)} then {self.optional(type_)} else {other})",
                    lambda: f"{self.optionals(type_)}[{self.value(NUMBER)}]",
                    lambda: f"top({self.optionals(type_)})",
                ]
            if type_ == NUMBER:
                ways += [lambda: f"max({self.folded(NUMBER)})", lambda: f"min({self.folded(NUMBER)})"]
            if type_ == PLOT:
                ways.append(lambda: f"step({self.value(PLOT)}, {self.of(self.ways)})")
                ways.append(lambda: f"ray({self.value(PLOT)}, {self.of(self.ways)})[{self.value(NUMBER)}]")
            if type_ in (GOOD, CARD) or (type_ == HILL and not self.ring):
                ways += [lambda: f"next({self.value(type_)})", lambda: f"prev({self.value(type_)})"]
            if type_ == HILL and self.track:
                ways.append(lambda: f"Hill[{self.value(NUMBER)}]")
                if not self.ring:
                    ways.append(lambda: f"({self.value(HILL)} {self.of('+-')} {self.value(NUMBER)})")
            if type_ in MEMBERS:
                ways.append(lambda: f"{self.listed(type_)}[{self.value(NUMBER)}]")
                ways.append(lambda: f"top({self.listed(type_)})")
            if type_ == GOOD:
                ways.append(lambda: f"{self.value(CARD)}.gift")
            return self.of(ways)()
        finally:
            self.deep -= 1

    def folded(self, type_: str) -> str:
        """``VALUE for x in ... where ...``"""
        binder, names = self.binder()
        with self.bound(*names):
            return f"{self.value(type_)} for {binder}{self.condition()}"

    def folded_optional(self, type_: str) -> str:
        """``OPTIONAL for x in ... where ...``"""
        binder, names = self.binder()
        with self.bound(*names):
            return f"{self.optional(type_)} for {binder}{self.condition()}"

    def optionals(self, type_: str) -> str:
        """A list of values that may be none."""
        self.deep += 1
        try:
            first = self.of(("none", self.value(type_), self.optional(type_)))
            ways = [
                lambda: f"[{first}, {self.optional(type_)}]",
                lambda: f"(if {self.value(FLAG)} then [{self.value(type_)}] else [none])",
                lambda: f"(if {self.value(FLAG)} then [] else [{self.optional(type_)}, none])",
                lambda: f"list({self.folded_optional(type_)})",
            ]
            return self.of(ways)()
        finally:
            self.deep -= 1

    def overflow(self) -> str:
        """A number that does not fit, some of the time; 0 or more."""
        return f"(huge * {self.of((self.value(NUMBER), 'n', 'index(walker)'))})"

    def condition(self) -> str:
        filters = (f" where {self.value(FLAG)}", f" while {self.value(FLAG)}")
        return ["", *filters, "".join(filters), "".join(reversed(filters))][self.pick(5)]

    def binder(self, whole: bool = False) -> tuple[str, tuple[tuple[str, str], ...]]:
        """One or two names that go through something. ``whole``: without a list of tuples."""
        name = self.fresh()
        way = self.pick(12)
        if way == 9:
            type_ = self.of((HILL, PLAYER, GOOD, PLOT))
            listed = self.listed(type_)
            with self.bound((name, type_)):
                inner = self.fresh()
                with self.bound((inner, type_)):
                    other = f"list({inner} in {type_} where {self.of((f'{inner} is not {name}', self.value(FLAG)))})"
            second = self.fresh()
            return f"{name} in {listed}, {second} in {other}", ((name, type_), (second, type_))
        if way == 10:
            type_ = self.of((HILL, PLAYER, GOOD))
            found = self.fresh()
            return f"{found} in {self.optionals(type_)}, {name} in {found}", ((name, type_),)
        if way == 11 and self.listing:
            made, type_ = self.of(self.listing)
            return f"{name} in {made}({self.value(HILL)}, {self.value(NUMBER)})", ((name, type_),)
        if way == 0:
            type_ = self.of(MEMBERS)
            start = f" from {self.value(type_)}" if self.chance(3) else ""
            return f"{name} in {type_}{start}", ((name, type_),)
        if way == 1:
            return f"{name} in {self.pick(3)}..{1 + self.pick(5)}", ((name, NUMBER),)
        if way == 2:
            type_ = self.of(MEMBERS)
            return f"{name} in {self.listed(type_)}", ((name, type_),)
        if way == 3:
            return f"{name} in {self.of([f'hand[{self.value(PLAYER)}]', 'bank', 'pile'])}", ((name, GOOD),)
        if way == 4:
            type_ = self.of((HILL, PLAYER, GOOD))
            return f"{name} in {self.optional(type_)}", ((name, type_),)
        if way == 5:
            return f"{name} in {self.hill_set()}", ((name, HILL),)
        if way == 6 and not whole:
            other = self.fresh()
            first, second = self.of(MEMBERS), NUMBER
            items = ", ".join(f"({self.value(first)}, {self.value(second)})" for _ in range(1 + self.pick(2)))
            return f"({name}, {other}) in [{items}]", ((name, first), (other, second))
        if way == 7:
            return f"{name} in land[{self.value(PLAYER)}]", ((name, "spot"),)
        left, right = self.binder_of(self.of(MEMBERS)), self.binder_of(self.of((PLAYER, GOOD)))
        with self.bound(left[1]):
            between = f" where {self.value(FLAG)}" if self.chance(4) else ""
        return f"{left[0]}{between}, {right[0]}", (left[1], right[1])

    def binder_of(self, type_: str) -> tuple[str, tuple[str, str]]:
        name = self.fresh()
        return f"{name} in {type_}", (name, type_)

    def listed(self, type_: str) -> str:
        """A list of members."""
        self.deep += 1
        try:
            if self.simple():
                return f"[{', '.join(self.value(type_) for _ in range(1 + self.pick(3)))}]"
            ways = [
                lambda: f"(if {self.value(FLAG)} then [] else {self.listed(type_)})",
                lambda: f"(if {self.value(FLAG)} then {self.listed(type_)} else [])",
                lambda: f"list({self.folded(type_)})",
                lambda: f"reversed({self.listed(type_)})",
                lambda: f"ahead({self.value(type_)})",
                lambda: f"behind({self.value(type_)})",
                lambda: f"({self.listed(type_)} + {self.listed(type_)})",
                lambda: self.ranked(type_),
                lambda: f"{self.listed(type_)}[{self.value(NUMBER)}..{self.value(NUMBER)}]",
            ]
            if type_ == PLOT:
                ways.append(lambda: f"ray({self.value(PLOT)}, {self.of(self.ways)})")
            for made, known in self.listing:
                if known == type_:
                    ways += [lambda made=made: f"{made}({self.value(HILL)}, {self.value(NUMBER)})"] * 2
            if type_ == GOOD:
                ways += [lambda: "pile", lambda: f"tower[{self.value(PLAYER)}]", lambda: "list(b for (a, b) in told)"]
            if type_ == HILL:
                ways += [lambda: "trail", lambda: "list(a for (a, b) in told)"]
                if "lanes" in self.graphs:
                    ways.append(lambda: f"shortest_way(lanes, {self.value(HILL)}, {self.value(HILL)})")
            return self.of(ways)()
        finally:
            self.deep -= 1

    def ranked(self, type_: str) -> str:
        binder, name = self.binder_of(type_)
        with self.bound(name):
            ranks = [f"{self.of(('most', 'fewest'))} {self.value(NUMBER)}" for _ in range(1 + self.pick(2))]
            return f"{self.of(('ranked', 'leaders'))}({binder}{self.condition()} by {', then '.join(ranks)})"

    def hill_set(self) -> str:
        self.deep += 1
        try:
            if self.simple():
                return "seen"
            ways = [
                lambda: f"set({self.folded(HILL)})",
                lambda: f"(if {self.value(FLAG)} then {self.of(('set([])', '[]'))} else {self.hill_set()})",
                lambda: f"set({self.listed(HILL)})",
                lambda: f"({self.hill_set()} {self.of(('+', '-'))} {self.hill_set()})",
                lambda: f"(if {self.value(FLAG)} then {self.hill_set()} else {self.hill_set()})",
            ]
            if self.ring:
                ways.append(lambda: f"turned({self.hill_set()}, {self.pick(5)})")
            if "lanes" in self.graphs:
                ways.append(lambda: f"within(lanes, {self.value(HILL)}, {self.value(NUMBER)})")
            if "hills" in self.graphs:
                ways.append(lambda: f"group(hills({self.value(NUMBER)}), {self.value(HILL)})")
            return self.of(ways)()
        finally:
            self.deep -= 1

    def pieces(self) -> str:
        self.deep += 1
        try:
            if self.simple():
                entries = ", ".join(f"{self.value(GOOD)}: {self.pick(3)}" for _ in range(1 + self.pick(2)))
                return self.of([f"hand[{self.value(PLAYER)}]", f"{{{entries}}}", f"{self.value(CARD)}.cost"])
            ways = [
                lambda: f"({self.pieces()} + {self.pieces()})",
                lambda: f"(if {self.value(FLAG)} then {{}} else {self.pieces()})",
                lambda: f"({self.pieces()} - {self.pieces()})",
                lambda: f"({self.pick(3)} * {self.pieces()})",
                lambda: f"{{{self.value(GOOD)}: {self.amount()}}}",
                lambda: f"(if {self.value(FLAG)} then {self.pieces()} else {self.pieces()})",
                self.pieces_for,
            ]
            return self.of(ways)()
        finally:
            self.deep -= 1

    def pieces_for(self) -> str:
        binder, names = self.binder()
        with self.bound(*names):
            return f"{{{self.value(GOOD)}: {self.amount()} for {binder}{self.condition()}}}"

    def amount(self) -> str:
        """A number of pieces; less than none only where that is not known beforehand."""
        return self.of((f"max(0, {self.value(NUMBER)})", f"n - {self.value(NUMBER)}"))

    def asked_again(self, type_: str) -> str:
        """A number or a flag for which a definition is asked many times."""
        name, of = self.of(self.kept)
        asked = self.asked_often(name, of, self.value(HILL), self.value(PLAYER))
        return asked if type_ == NUMBER else f"({asked} > {self.pick(6)})"

    def asked_often(self, name: str, type_: str, at: str, by: str) -> str:
        """A number for which a definition is asked in loops of which not all count."""
        x, y = self.fresh(), self.fresh()
        call = self.of((f"{name}({at}, {by})", f"{name}({x}, {by})", f"{name}({at}, {y})", f"{name}({x}, {y})"))
        some = f"{x} in [walker, {self.of(self.hills)}]"
        loops = self.of((f"{some}, {y} in Player, {x}g in Good", f"{some}, {x}c in Card, {y} in Player"))
        if type_ == FLAG:
            return f"count({loops} where {call})"
        with self.bound((x, HILL), (y, PLAYER), (call, NUMBER)):
            return self.of((f"sum({call} for {loops})", f"count({loops} where {self.value(FLAG)})"))

    def number_set(self) -> str:
        binder, names = self.binder()
        with self.bound(*names):
            within = f"max(-3, min(9, {self.value(NUMBER)}))"
            folded = f"set({within} for {binder}{self.condition()})"
        return self.of(
            (
                "wide",
                f"set({self.pick(3)}..{self.pick(9)})",
                folded,
                f"set([{self.pick(9)}, n])",
                f"(wide {self.of(('+', '-'))} {folded})",
            )
        )

    def heap(self, kind: str) -> str:
        """A list, a set, pieces, or a tuple of them that may be none: what has no single number."""
        if kind == "list":
            return self.listed(HILL)
        if kind == "set":
            return self.hill_set()
        if kind == "pieces":
            return self.pieces()
        if kind == "pair":
            return f"({self.value(NUMBER)}, {self.listed(GOOD)})"
        return f"(if {self.value(FLAG)} then ({self.value(HILL)}, {self.hill_set()}) else none)"

    def heaps(self, kind: str) -> str:
        """A set of them."""
        self.deep += 1
        try:
            binder, names = self.binder()
            with self.bound(*names):
                folded = f"set({self.heap(kind)} for {binder}{self.condition()})"
            if self.simple():
                return folded
            return self.of(
                (
                    f"set([{self.heap(kind)}, {self.heap(kind)}, {self.heap(kind)}])",
                    f"({folded} {self.of(('+', '-'))} {self.heaps(kind)})",
                    f"(if {self.value(FLAG)} then {folded} else {self.heaps(kind)})",
                )
            )
        finally:
            self.deep -= 1

    def of_heaps(self) -> list[Callable[[], str]]:
        """Numbers that tell how many members a set has and in which order they come."""
        kind = self.of(("list", "set", "pieces", "pair", "none"))
        name = self.fresh()
        size = "1" if kind in ("pair", "none") else f"count({name})"
        ways = [lambda: f"count({self.heaps(kind)})"]
        if size != "1":
            ways += [
                lambda: f"(first({size} for {name} in {self.heaps(kind)}) otherwise 7)",
                lambda: f"(list({size} for {name} in {self.heaps(kind)})[{1 + self.pick(4)}] otherwise 8)",
                lambda: (
                    f"(first({size} for {name} in {self.heaps(kind)} where {name} is {self.heap(kind)}) otherwise 9)"
                ),
            ]
        if kind == "pair":
            both = f"(a{name}, b{name})"
            ways.append(lambda: f"(first(a{name} + count(b{name}) for {both} in {self.heaps(kind)}) otherwise 9)")
        return ways

    def score(self, player: str) -> str:
        return f"score[{player}.team]" if self.teams == 2 else f"score[{player}]"

    def number(self) -> str:
        known = [*self.local(NUMBER), *(f"{s}.{self.of(('x', 'y', 'turn'))}" for s in self.local("spot"))]
        if known and self.chance(2):
            return self.of(known)
        if self.simple():
            return self.of(
                [
                    str(self.pick(5)), "n", "level", self.score(self.value(PLAYER)), f"marks[{self.value(HILL)}]",
                    f"taste[{self.value(PLAYER)}, {self.value(GOOD)}]", "stock", f"{self.value(CARD)}.worth",
                    f"bank[{self.value(GOOD)}]", f"hand[{self.value(PLAYER)}][{self.value(GOOD)}]", "players",
                ]
            )  # fmt: skip
        v = self.value
        ways = [
            lambda: f"({v(NUMBER)} + {v(NUMBER)})",
            lambda: f"({v(NUMBER)} - {v(NUMBER)})",
            lambda: f"({v(NUMBER)} * {self.pick(4)})",
            lambda: f"({v(NUMBER)} mod {2 + self.pick(3)})",
            lambda: f"({v(NUMBER)} / {2 + self.pick(3)} rounded {self.of(('down', 'up'))})",
            lambda: f"({v(NUMBER)} / max(1, {v(NUMBER)}) rounded {self.of(('down', 'up'))})",
            lambda: f"({v(NUMBER)} mod min(-1, {v(NUMBER)}))",
            lambda: f"(- {v(NUMBER)})",
            lambda: f"max({v(NUMBER)}, {v(NUMBER)})",
            lambda: f"min({v(NUMBER)}, {v(NUMBER)}, {v(NUMBER)})",
            lambda: f"(if {v(FLAG)} then {v(NUMBER)} else {v(NUMBER)})",
            lambda: f"({self.optional(NUMBER)} otherwise {v(NUMBER)})",
            lambda: f"sum({self.folded(NUMBER)})",
            lambda: f"count({self.folded_count()})",
            lambda: f"count({self.of([self.pieces(), self.hill_set(), self.listed(self.of(MEMBERS))])})",
            lambda: f"kinds({self.pieces()})",
            lambda: f"index({v(self.of(MEMBERS))})",
            lambda: f"index(Pair[{v(GOOD)}, {v(HILL)}])",
            lambda: f"{self.pieces()}[{v(GOOD)}]",
            lambda: f"count(bundles({self.pieces()}, {self.pick(4)}))",
            lambda: f"count(openings(land[{v(PLAYER)}]))",
            lambda: f"count({self.optionals(self.of((HILL, PLAYER, NUMBER)))})",
            lambda: f"({self.overflow()} mod {3 + self.pick(5)})",
            lambda: f"(first({self.late(NUMBER)}) otherwise {v(NUMBER)})",
            *self.more_numbers * 3,
        ]
        if self.supposable:
            ways += [
                lambda: self.after(v(NUMBER)),
                lambda: (
                    f"count({self.after(self.of([self.pieces(), self.hill_set(), self.listed(self.of(MEMBERS))]))})"
                ),
                lambda: f"({self.after(self.pieces())})[{v(GOOD)}]",
            ]
        if self.chance(4):
            ways += self.of_heaps() * 2
        if "heaps" in self.graphs:
            ways.append(lambda: f"count(groups(heaps({v(NUMBER)})))")
            ways.append(lambda: f"longest_trail(heaps({v(NUMBER)}), s)")
            ways.append(lambda: f"count(group(heaps({v(NUMBER)}), {self.listed(HILL)}))")
            ways.append(lambda: f"count(within(heaps({v(NUMBER)}), {self.listed(HILL)}, {v(NUMBER)}))")
            ways.append(lambda: f"count(shortest_way(heaps({v(NUMBER)}), {self.listed(HILL)}, [walker]))")
        if self.ring or self.track:
            ways.append(lambda: f"distance({v(HILL)}, {v(HILL)})")
        if self.track:
            ways.append(lambda: f"({v(HILL)}).number")
        if self.board != "squares":
            ways.append(lambda: f"distance({v(PLOT)}, {v(PLOT)})")
        if self.kept:
            ways.append(lambda: self.asked_again(NUMBER))
        for name, type_ in self.defines:
            if type_ == NUMBER:
                ways.append(lambda name=name: f"{name}({v(HILL)}, {v(NUMBER)})")
        if "hills" in self.graphs:
            ways.append(lambda: f"longest_trail(hills({v(NUMBER)}), {self.of(('h', 'index(h) mod 2', 'marks[h]'))})")
            ways.append(lambda: f"count(groups(hills({v(NUMBER)})))")
            ways.append(lambda: f"longest_trail(hills({v(NUMBER)}))")
            ways.append(lambda: f"(shortest(hills({v(NUMBER)}), {v(HILL)}, {v(HILL)}) otherwise {v(NUMBER)})")
        if "lanes" in self.graphs:
            ways.append(lambda: f"(shortest(lanes, {v(HILL)}, {v(HILL)}) otherwise {v(NUMBER)})")
            ways.append(lambda: f"count(within(lanes, {v(HILL)}, {v(NUMBER)}))")
        if self.histories:
            ways += [lambda: f"occurrences(past({v(PLAYER)}, {v(NUMBER)}))"] * 2
        if "plots" in self.graphs:
            ways.append(lambda: "longest_trail(plots)" if self.columns * self.rows < 7 else "1")
            ways.append(lambda: f"count(shortest_way(plots, {v(PLOT)}, {v(PLOT)}))")
            ways.append(lambda: f"count(within(plots, {v(PLOT)}, {v(NUMBER)}))")
            ways.append(lambda: f"count(group(plots, {v(PLOT)}))")
            ways.append(lambda: f"max(count(g) for g in groups(plots)) otherwise {v(NUMBER)}".join("()"))
        if "lands" in self.graphs:
            ways.append(lambda: f"count(groups(lands({v(PLAYER)})))")
            ways.append(lambda: f"longest_trail(lands({v(PLAYER)}), s.piece)")
        return self.of(ways)()

    def late(self, type_: str) -> str:
        """``VALUE for x in [...]`` where a later member of the list, or what is asked of it, may be too big."""
        name = self.fresh()
        numbers = f"[{self.pick(4)}, {self.value(NUMBER)}, {self.overflow()}]"
        if self.pick(2):
            factor = self.fresh()
            numbers = f"list({factor} * {self.of(('huge', 'n', '3'))} for {factor} in [0, n, {self.value(NUMBER)}])"
        if self.listing and self.pick(3) == 0:
            numbers = f"list(index({name}z) * huge for {name}z in {self.listed(self.of((HILL, GOOD)))})"
        with self.bound((name, NUMBER)):
            given = self.of((f"{name} mod 9", self.value(NUMBER))) if type_ == NUMBER else f"{name} > {self.pick(4)}"
            where = self.of(("", f" where {name} < {self.pick(5)}", f" while {self.overflow()} >= {name}"))
            return f"{given} for {name} in {numbers}{where}"

    def folded_count(self) -> str:
        binder, names = self.binder()
        with self.bound(*names):
            return f"{binder}{self.condition()}"

    def flag(self) -> str:
        known = self.local(FLAG)
        if known and self.chance(2):
            return self.of(known)
        if self.simple():
            return self.of(["storm", "n > 3", f"stone[{self.value(HILL)}] is none", "guest is not none", "mild"])
        v = self.value
        same = self.of((NUMBER, *MEMBERS))
        ways = [
            lambda: f"({v(NUMBER)} {self.of(('<', '<=', '>', '>='))} {v(NUMBER)})",
            lambda: f"({v(same)} {self.of(('is', 'is not'))} {v(same)})",
            lambda: (
                f"({self.optional(same)} {self.of(('is', 'is not'))} {self.of((v(same), 'none', self.optional(same)))})"
            ),
            lambda: f"({v(FLAG)} {self.of(('and', 'or'))} {v(FLAG)})",
            lambda: f"(not {v(FLAG)})",
            lambda: f"({v(HILL)} {self.of(('is in', 'is not in'))} {self.hill_set()})",
            lambda: f"({v(GOOD)} is in {self.listed(GOOD)})",
            lambda: f"({v(NUMBER)} is in {v(NUMBER)}..{v(NUMBER)})",
            lambda: f"({v(PLAYER)} is in {self.optional(PLAYER)})",
            lambda: f"some({self.folded(FLAG)})",
            lambda: f"every({self.folded(FLAG)})",
            lambda: f"some({self.folded_count()})",
            lambda: f"{self.of(('some', 'every'))}({self.late(FLAG)})",
            lambda: f"({self.overflow()} > {v(NUMBER)})",
            lambda: f"({v(FLAG)} {self.of(('and', 'or'))} {self.overflow()} > {v(NUMBER)})",
            lambda: (
                f"some({self.of(('stone[h] is guest', 'guest is stone[h]', 'stone[h] is not guest'))} for h in Hill)"
            ),
            lambda: f"every(piece[c] is {self.optional(PLAYER)} for c in Plot)",
            lambda: f"some(piece[c] is guest and {v(FLAG)} for c in Plot)",
            lambda: f"({self.optional(PLAYER)} is in {self.optionals(PLAYER)})",
            lambda: f"({self.optionals(PLAYER)} is {self.optionals(PLAYER)})",
            lambda: f"({v(NUMBER)} is in [{v(NUMBER)}, {self.overflow()}])",
            lambda: f"({self.listed(HILL)} is {self.of(('[]', self.listed(HILL)))})",
            lambda: f"(hand[{v(PLAYER)}] {self.of(('holds', 'covers'))} {self.pieces()})",
            lambda: f"({self.pieces()} is {self.pieces()})",
            lambda: f"({v(NUMBER)} is in {self.number_set()})",
            lambda: f"({self.hill_set()} is {self.hill_set()})",
            self.about_heaps,
            lambda: (
                f"({self.listed(same if same != NUMBER else HILL)} is {self.listed(same if same != NUMBER else HILL)})"
            ),
            *([lambda: self.after(v(FLAG))] * 2 if self.supposable else []),
            lambda: f"(beside(land[{v(PLAYER)}], (0, {self.pick(2)}), {self.of(SIDES)}) is none)",
            *([lambda: f"out({v(PLAYER)})", lambda: "some(out(q) for q in Player)"] if self.outs else []),
            *([lambda: f"({v(PLAYER)} is in {v(PLAYER)}.team.members)"] if self.teams else []),
        ]
        if self.kept:
            ways.append(lambda: self.asked_again(FLAG))
        for name, type_ in self.defines:
            if type_ == FLAG:
                ways.append(lambda name=name: f"{name}({v(HILL)}, {v(NUMBER)})")
        return self.of(ways)()

    def about_heaps(self) -> str:
        kind = self.of(("list", "set", "pieces", "pair", "none"))
        if self.pick(2):
            return f"({self.heap(kind)} {self.of(('is in', 'is not in'))} {self.heaps(kind)})"
        return f"({self.heaps(kind)} is {self.heaps(kind)})"
