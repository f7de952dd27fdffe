"""Small games full of secrets, made by chance: hidden places and values, private choices, blocks decided together.

What looks at something hidden in sight of others says ``openly``. A ``bold`` maker leaves the word out here and there;
the checks must refuse what then gives something away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

CARDS = ("oak", "elm", "ash")

SUPPOSED = """\
rule would(p: Player, n: 0..3)
  set bid[p] to n
  move all of oak from stash[p] to safe[p]

rule mix(p: Player)
  openly set level to min(3, vault[oak])
  do would(p, 2)

"""
"""Rules that are only supposed to run."""

AGAIN = """\
rule again(p: Player, n: 0..3), at most 4 deep
  set bid[p] to min(3, weighed(p, n))
  if n > 0
    do again(p, n - 1)

rule bid_again(p: Player)
  set bid[p] to 2
  do again(p, 1)

rule forget(p: Player)
  set secret[p] to none

"""
"""Rules that run themselves, and those that cards name."""


class Maker:
    """Writes one game. ``pick(n)`` gives a number below n."""

    def __init__(self, pick: Callable[[int], int], *, bold: bool = False) -> None:
        self.pick = pick
        self.bold = bold
        self.made = 0
        self.deep = 0
        self.hidden: list[str] = []  # names of numbers that not everybody knows
        self.together = False
        self.called = False
        self.counted = bool(pick(2))  # whether everybody may count the cards in a hand

    def of(self, ways: Sequence[str]) -> str:
        return ways[self.pick(len(ways))]

    def fresh(self, word: str) -> str:
        self.made += 1
        return f"{word}{self.made}"

    def openly(self) -> str:
        return "" if self.bold and not self.pick(2) else "openly "

    # -- values

    def card(self) -> str:
        return self.of(CARDS)

    def secret_number(self, p: str) -> str:
        """A number from 0 to 3 that only ``p`` can know."""
        ways = [
            f"min(3, bid[{p}])",
            f"min(3, hand[{p}][{self.card()}])",
            f"(if secret[{p}] is none then 0 else 2)",
            f"min(3, count(c in stash[{p}] where c is {self.card()}))",
            f"min(3, heavy({p}))",
            f"min(3, sum(notes[{p}]))",
            f"min(3, count(raises({p}, {self.pick(2)})))",
            f"min(3, weighed({p}, {self.pick(4)}))",
            f"(min(3, bid[{p}]) after do again({p}, {self.pick(4)}))",
            f"(min(3, heavy({p})) after do would({p}, {self.pick(4)}))",
            f"(min(3, count(safe[{p}])) after do would({p}, bid[{p}]))",
            f"min(3, count(c in brow[next({p})] where c is {self.card()}))",
            f"plan[{p}]",
            *self.hidden,
        ]
        return self.of(ways)

    def secret_card(self) -> str:
        return self.of(["(top(deck) otherwise oak)", "wish", "(first(c in Card where vault[c] > 0) otherwise elm)"])

    def unknown_number(self, p: str) -> str:
        """A number from 0 to 3 that nobody can know."""
        return self.of(
            [
                *(f"min(3, vault[{self.card()}])", f"mark[{self.card()}]", f"max({self.secret_number(p)}, mark[oak])"),
                *(f"(min(3, level) after do mix({p}))", f"min(3, occurrences(past({p})))"),
            ]
        )

    def open_number(self) -> str:
        return self.of(["level", "1", "2", "min(3, count(table))", "min(3, count(deck))"])

    def secret_flag(self, p: str) -> str:
        return f"{self.secret_number(p)} {self.of(('>', '<', 'is', 'is not'))} {self.pick(3)}"

    # -- statements

    def block(self, p: str, size: int = 3) -> list[str]:
        kept = len(self.hidden)
        self.deep += 1
        lines = [line for _ in range(1 + self.pick(size)) for line in self.statement(p)]
        self.deep -= 1
        del self.hidden[kept:]
        return [f"  {line}" for line in lines]

    def statement(self, p: str) -> list[str]:
        ways: list[Callable[[str], list[str]]] = [self.unseen] * 5 + [self.chosen] * 4
        if self.deep < 4:
            ways += [self.nested] * 2
        if not self.together:
            ways += [self.in_sight] * 4 + [self.disclosed] + [self.showing] * 2
        return ways[self.pick(len(ways))](p)

    def unseen(self, p: str) -> list[str]:
        """Changes that others must not be able to tell from their absence, nor their amount."""
        number = self.secret_number(p)
        own = [
            f"set bid[{p}] to {number}",
            f"set bid[{p}] to {self.pick(3)}",
            f"set secret[{p}] to (if {self.secret_flag(p)} then {self.card()} else none)",
            f"set guess[{p}, {self.card()}] to {number}",
            f"set notes[{p}] to notes[{p}] + [{number}, {self.pick(3)}]",
            f"surely move up to {number} of {self.card()} from hand[{p}] to stash[{p}]",
            f"move all from stash[{p}] to hand[{p}]",
            f"do again({p}, {self.pick(4)})",
            f"do {self.card()}.does({p})",
            f"move all of {self.card()} from hand[{p}] to stash[{p}]",
            f"move up to 1 from stash[{p}] to hand[{p}]",
        ]
        if self.counted:
            own = [line for line in own if " hand[" not in line or "up to 1 of" in line]
        others = [
            f"set wish to {self.of((self.card(), self.secret_card()))}",
            *(f"remember past({p})", "forget past"),
            f"set mark[{self.card()}] to {self.unknown_number(p)}",
            f"surely move up to {number} from vault to stash[{p}]",
            f"surely move up to {self.pick(3)} of {self.card()} from stash[{p}] to vault",
            f"move all from vault to stash[{p}]",
            "surely move up to 1 from deck to vault",
            f"surely move up to 1 from deck to hand[{p}]",
            f"shuffle stash[{p}]",
            f"surely move up to 1 from deck to brow[{p}]",
            f"move all from brow[{p}] to vault",
            f"set plan[{p}] to {self.pick(4)}",
        ]
        if self.pick(4) == 0:
            name = self.fresh("known")
            self.hidden.append(name)
            return [f"let {name} = {number}"]
        if self.called and not self.together and self.pick(4) == 0:
            return [f"do part({p}, {number})"]
        return [self.of(own if self.together else own + others)]

    def chosen(self, p: str) -> list[str]:
        way = self.pick(10)
        name = self.fresh("pick")
        if way == 8:
            many = self.of(("up to 2", "any", "up to 1"))
            lines = [f"{p} chooses {many} of {name} in hand[{p}]", f"move {name} from hand[{p}] to stash[{p}]"]
            return lines if self.together else [*lines, f"if count({name}) is 1", "  set level to min(9, level + 1)"]
        if way == 9:
            head = f"{p} chooses {self.of(('1', '2', '1..2'))} of {name} in Card"
            return [head, f"set secret[{p}] to first({name}x in {name})"]
        if way == 6:
            return self.paid(p)
        if way == 7 and not self.counted:
            moves = [
                f"move all from sleeve[{p}] to hand[{p}]",
                f"surely move up to 1 of {name} from hand[{p}] to sleeve[{p}]",
            ]
            return [f"surely {p} chooses {name} in Card", *moves]
        if way == 0:
            return [f"surely {p} chooses {name} in 0..{1 + self.pick(3)}", f"set bid[{p}] to {name}"]
        if way == 1:
            return [f"surely {p} chooses {name} in Card", f"set secret[{p}] to {name}"]
        if way == 2 and not self.counted:
            return [
                f"surely {p} chooses {name} in Card",
                f"surely move up to 1 of {name} from hand[{p}] to stash[{p}]",
            ]
        if way == 5 and self.pick(2):
            raised = f"list(last({name}w) for {name}w in raises({p}, 0))"
            return [
                f"surely {p} chooses ({name}, {name}n) in [({p}, 1)] + {raised}",
                f"set bid[{p}] to {name}n",
            ]
        if way == 3:
            other = self.fresh("pick")
            return [
                f"surely {p} chooses {name} in 0..2, {other} in Card where {name} <= bid[{p}] or {other} is oak",
                f"set guess[{p}, {other}] to {name}",
            ]
        if way == 4:
            # Only its player sees which options there are; one is always there.
            first, second = self.fresh("way"), self.fresh("way")
            return [
                f"{p} chooses one of",
                f"  option {first}({name} in 0..3)",
                f"    needs {name} <= bid[{p}] + {self.pick(2)}",
                f"    set bid[{p}] to {name}",
                f"  option {second}",
                f"    set secret[{p}] to {self.card()}",
            ]
        if self.together:
            return [f"surely {p} chooses {name} in 0..2", f"set shown[{p}] to {name}"]
        return [
            f"surely {p} chooses {name} in Card where {name} is not {self.card()}",
            "set level to min(9, level + 1)",
        ]

    def paid(self, p: str) -> list[str]:
        """A payment out of sight, or something else out of sight."""
        first, second, price = self.fresh("way"), self.fresh("way"), f"{{{self.card()}: {1 + self.pick(2)}}}"
        return [
            f"{p} chooses one of",
            f"  option {first}",
            f"    needs hand[{p}] covers {price}",
            f"    surely {p} pays {price} from hand[{p}] to safe[{p}]",
            f"  option {second}",
            f"    surely move all from safe[{p}] to hand[{p}]",
        ]

    def nested(self, p: str) -> list[str]:
        way = self.pick(6)
        if way == 4:  # there is always one, and what it is stays hidden
            name = self.fresh("known")
            number = self.secret_number(p)
            kept = len(self.hidden)
            self.hidden.append(name)
            lines = [f"if there is {name} in [{number}]", *self.block(p, 2)]
            del self.hidden[kept:]
            return lines
        if way == 5:
            name = self.fresh("card")
            word = "" if self.counted else self.openly()
            if self.together:
                return [f"if there is {name} in [{self.card()}]", f"  set secret[{p}] to {name}"]
            return [f"{word}if there is {name} in hand[{p}]", f"  surely move 1 of {name} from hand[{p}] to safe[{p}]"]
        if way == 0:
            self.made += 1
            return [f"rule inner{self.made} when {self.open_number()} > 0", *self.block(p, 2)]
        if way == 1:
            return [f"repeat at most {1 + self.pick(2)}", *self.block(p, 2)]
        if way == 2:
            name = self.fresh("card")
            return [f"each {name} in Card", f"  set guess[{p}, {name}] to {self.secret_number(p)}", *self.block(p, 1)]
        return [f"if {self.open_number()} > {self.pick(3)}", *self.block(p, 2)]

    def in_sight(self, p: str) -> list[str]:
        way = self.pick(7)
        if way == 0:
            return [f"surely roll {self.fresh('die')} in 1..6", "set level to min(9, level + 1)"]
        if way == 1:
            return [f"{p} scores {self.open_number()}"]
        if way == 2:
            return ["surely move up to 1 from deck to table"]
        if way == 3:
            return ["move up to 1 of oak from table to vault"]
        if way == 4:
            return [f"increase shown[{p}] by min(1, 3 - shown[{p}])"]
        if way == 5:
            q = self.fresh("q")
            self.together = True
            lines = [f"together each {q} in Player from {p}", *self.block(q, 2)]
            self.together = False
            return lines
        return ["set storm to yes", f"surely roll {self.fresh('coin')} in [oak, elm]"]

    def disclosed(self, p: str) -> list[str]:
        """What everybody is meant to learn."""
        way = self.pick(9)
        if way == 8:
            name = self.fresh("card")
            card = self.of((self.secret_card(), f"(secret[{p}] otherwise ash)"))
            return [f"let {name} = {card}", f"{self.openly()}do {name}.does({p})"]
        if way == 6:
            first, second = self.fresh("way"), self.fresh("way")
            return [
                f"{self.openly()}{p} chooses one of",
                f"  option {first}",
                f"    needs {self.secret_flag(p)}",
                f"    set bid[{p}] to 1",
                f"  option {second}({self.fresh('pick')} in Card where {self.secret_flag(p)})",
                "otherwise",
                *self.block(p, 1),
            ]
        if way == 7:
            found = self.fresh("card")
            head = f"{self.openly()}if there is {found} in Card where hand[{p}][{found}] > {self.pick(2)}"
            return [head, f"  set secret[{p}] to {found}", "otherwise", *self.block(p, 1)]
        if way == 0:
            return [f"{self.openly()}if {self.secret_flag(p)}", *self.block(p, 2)]
        if way == 1:
            return [f"{self.openly()}set level to {self.of((self.secret_number(p), self.unknown_number(p)))}"]
        if way == 2:
            return [f"{self.openly()}{p} scores {self.secret_number(p)}"]
        if way == 3:
            name = self.fresh("known")
            return [f"{self.openly()}let {name} = {self.secret_number(p)}", f"{p} scores {name}"]
        if way == 4:
            return [f"{self.openly()}repeat at most {self.secret_number(p)}", *self.block(p, 1)]
        self.made += 1
        return [f"rule told{self.made} {self.openly()}when {self.secret_flag(p)}", *self.block(p, 1)]

    def showing(self, p: str) -> list[str]:
        """What some are meant to learn, and what they then go by."""
        other, card = f"next({p})", self.card()
        to = self.of((other, p, "all", f"each {self.fresh('q')} in Player"))
        if to.startswith("each"):
            to += f" where {to.split()[1]} is not {p}"
        shown = self.of(
            [
                *(f"hand[{p}]", f"bid[{p}]", f"secret[{p}]", f"safe[{p}]", f"sleeve[{p}]", f"guess[{p}, {card}]"),
                *(f"brow[{p}]", f"plan[{p}]", f"plan[{other}]", f"stash[{p}]", "wish", f"mark[{card}]", "vault"),
                *("up to 2 from deck", f"up to 1 from stash[{p}]", f"all of {card} from hand[{p}]"),
                *(f"up to 1 of {card} from vault", f"up to 1 from brow[{p}]"),
            ]
        )
        lines = [f"show {shown} to {to}"]
        name = self.fresh("pick")
        way = self.pick(4)
        if way == 0:
            lines = [
                f"show bid[{other}] to {p}",
                f"surely {p} chooses {name} in 0..3 where {name} <= bid[{other}] or {name} is 0",
                f"set bid[{p}] to {name}",
            ]
        elif way == 1 and not self.counted:
            lines = [
                f"show hand[{p}] to {other}",
                f"surely {other} chooses {name} in Card where hand[{p}][{name}] > 0 or {name} is oak",
                f"surely move up to 1 of {name} from hand[{p}] to hand[{other}]",
            ]
        elif way == 2:
            lines = [f"show bid[{p}] to all", f"if bid[{p}] > {self.pick(3)}", *self.block(p, 1)]
        return lines

    # -- the whole

    def game(self) -> str:
        """The text of one game in one file."""
        players = 2 + self.pick(2)
        counted = ", counted" if self.counted else ""
        rules = []
        if self.pick(2):
            self.hidden = ["n"]
            rules.append("\n".join(["rule part(p: Player, n: 0..3)", *self.block("p", 2)]))
            self.hidden = []
            self.called = True
        if self.pick(2):
            rules.append(
                "rule watch whenever storm\n  set storm to no\n  set level to min(9, level + 1)"
                if self.pick(2)
                else "rule watch whenever storm\n  set level to min(9, level + 1)"
            )
        out = self.of(("", "", "", "out when shown[p] is 3", "out when round > 3 and bid[p] is 3"))
        last = [f"  do part(p, {self.secret_number('p')})"] if self.called else []
        rules.append("\n".join(["rule turn(p: Player)", *self.block("p", 5), *last]))
        return (
            f"""\
game tiny
  players {players}

table Card
  does: rule(p: Player) or none = none
  rows
    oak: bid_again
    elm
    ash: forget

the game has
  deck: stack of Card = {{c: 6 for c in Card}}, seen by nobody, counted
  vault: bag of Card = {{c: 2 for c in Card}}, seen by nobody
  table: pool of Card
  wish: Card, seen by nobody
  storm: flag
  level: 0..9
  round: 0..9

each Player has
  hand: pool of Card, seen by owner{counted}{self.of(("", ", 2 of any for 1"))}
  stash: stack of Card, seen by owner
  safe: pool of Card, seen by owner
  sleeve: slot of Card, seen by owner
  bid: 0..3, seen by owner
  secret: Card or none, seen by owner
  brow: stack of Card, seen by all but owner
  notes: list of 0..3, last 3, seen by owner
  shown: 0..3
  score: 0..999{self.of(("", ", not above 999, seen by owner", ", not below 0"))}

each Player p has
  plan: 0..3, seen by q where q is not next(p)

each Card has
  mark: 0..3, seen by nobody

each Player and Card has
  guess: 0..3, seen by owner

history past(p: Player), last 4, seen by nobody: hand, bid, vault, p

ways raises(p: Player, least: 0..1), at most 4 deep
  from (p, bid[p])
  step w to (q, n) for (q, m) in last(w), n in least..3 where n > m and count(w) < 3
  w may end where count(w) < 2 or hand[p][oak] > 0
define heavy(p: Player) = light(p) + bid[p]
define weighed(p: Player, n: 0..3): 0..99, at most 4 deep = if n is 0 then heavy(p) else min(99, 1 + weighed(p, n - 1))
define light(p: Player) = count(c in Card where hand[p][c] > 1)

winner most score[p], then shared
{out}

rule play
  shuffle deck
  each p in Player
    surely move 3 from deck to hand[p]
    surely move up to 1 from deck to stash[p]
    surely move 1 from deck to brow[p]
  {"openly " if "bid" in out else ""}take turns p from first(Player) until round is 9
    increase round by 1
    surely p chooses start in 1..2
    do turn(p)

"""
            + SUPPOSED
            + AGAIN
            + "\n\n".join(rules)
            + "\n"
        )
