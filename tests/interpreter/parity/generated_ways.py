"""Ways made by chance; see ``generated``."""

from __future__ import annotations

from generated_values import FLAG, GOOD, HILL, NUMBER, PLOT, Values


def ways_item(maker: Values, number: int) -> list[str]:
    """An item of ways and definitions of what they lead to and past, which the maker then knows."""
    name = f"trails{number}"
    type_ = maker.of((HILL, PLOT, GOOD, NUMBER))
    paired = maker.chance(3)
    with maker.bound(("at", HILL), ("much", NUMBER)):
        start = maker.value(type_)
        steps = [_step(maker, type_, paired) for _ in range(1 + maker.pick(2))]
        end = [f"  w may end{maker.of(('', ' where ' + _seen(maker, type_, paired)))}"] if maker.chance(2) else []
    parameters = "(at: Hill, much: -999999..999999)"
    head = f"ways {name}{parameters}, at most {maker.of((3, 4, 5, 2))} deep"
    begin = f"  from ({start}, {maker.of(('none', 'at'))})" if paired else f"  from {start}"
    given = f"{name}(at, much)"
    part = "list(a for (a, b) in w)" if paired else "w"
    maker.listing += [(f"ends{number}", type_), (f"passed{number}", type_)]
    maker.defines.append((f"count_of{number}", NUMBER))
    maker.trails.append(name)
    through = "(a, b) in last(w)" if paired else "a in [last(w)]"
    return [
        "\n".join([head, begin, *steps, *end]),
        f"define ends{number}{parameters} = list(a for w in {given}, {through})",
        f"define passed{number}{parameters} = list(a for w in leaders(w in {given} by most count(w)), a in {part})",
        f"define count_of{number}{parameters} = count({given})",
    ]


def _seen(maker: Values, type_: str, paired: bool) -> str:
    """A condition that sees the way so far."""
    with maker.bound(("count(w)", NUMBER), *(() if paired else (("last(w)", type_),))):
        return maker.value(FLAG)


def _step(maker: Values, type_: str, paired: bool) -> str:
    short = f"count(w) < {2 + maker.pick(3)}"
    way = maker.pick(4)
    name, other = maker.fresh(), maker.fresh()
    with maker.bound(("count(w)", NUMBER), *(() if paired else (("last(w)", type_),))):
        one = maker.value(type_)
        if way == 0 and not paired and type_ != NUMBER:
            return f"  step w to {maker.optional(type_)} where {short} and {maker.value(FLAG)}"
        if way == 1:
            target = f"({one}, {maker.of((maker.value(HILL), 'at'))})" if paired else one
            return f"  step w to {target} where {short}"
        several = [one, *(maker.value(type_) for _ in range(maker.pick(3)))]
        domain = f"{name} in [{', '.join(several)}]"
        if paired:
            domain = f"({other}, {other}h) in last(w), {domain}"
        fresh = maker.of(("", f" and {name} is not in {'list(a for (a, b) in w)' if paired else 'w'}"))
        with maker.bound((name, type_)):
            more = maker.of(("", f" and {maker.value(FLAG)}"))
            target = f"({name}, {maker.value(HILL)})" if paired else name
        return f"  step w to {target} for {domain} where {short}{fresh}{more}"
