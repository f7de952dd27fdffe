"""Definitions asked for again and again with equal arguments, made by chance; see ``generated``."""

from __future__ import annotations

from generated_values import FLAG, GOOD, HILL, NUMBER, PLAYER, Values


def kept_item(maker: Values, number: int) -> list[str]:
    """A definition that takes some work, for few arguments, and another that asks for it; the maker knows both."""
    known, maker.kept = maker.kept, []
    name, type_ = f"kept{number}", maker.of((NUMBER, NUMBER, FLAG))
    with maker.bound(("at", HILL), ("by", PLAYER), ("it", HILL), ("good", GOOD)):
        inner, test = maker.value(type_), maker.value(FLAG)
    run = f"it in Hill, good in Good where {test}"
    fold = maker.of(("sum", "count")) if type_ == NUMBER else maker.of(("some", "every"))
    body = f"count({run})" if fold == "count" else f"{fold}({inner} for {run})"
    maker.kept = [*known, (name, type_)]
    found = [f"define {name}(at: Hill, by: Player) = {body}"]
    with maker.bound(("at", HILL), ("by", PLAYER)):
        again = maker.asked_often(
            name, type_, maker.of(("at", maker.value(HILL))), maker.of(("by", maker.value(PLAYER)))
        )
    found.append(f"define more{number}(at: Hill, by: Player) = {again}")
    maker.kept.append((f"more{number}", NUMBER))
    return found
