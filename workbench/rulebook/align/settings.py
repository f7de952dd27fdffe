"""Weights of the aligner. One set serves every pair of languages; ``benchmarks/align.py`` measures each of them."""

from __future__ import annotations

import attrs


@attrs.frozen
class Settings:
    """What counts how much, each from 0 to 1 unless said otherwise.

    ``cognates``, ``learn``: whether words spelt alike and the learnt lexicon are used at all.
    ``numbers``: share of the numbers in the likeness of two sentences that have any.
    ``either``: share of the better covered sentence; the rest asks that both cover each other.
    ``length``: how strongly a difference in length counts (0: not).
    ``information``: nats of common information at which words are trusted to two thirds (0: at once).
    ``heading``: factor when only one of the two is a heading.
    ``order``: share of the neighbourhood; ``reach``: how far it carries on; ``skip``: factor per sentence left out.
    ``rounds``: how often lexicon and alignment improve each other.
    ``least``: share of a good pair's likeness under which nothing corresponds; ``near_best``: how near a pair must be
    to the best of one of its two sentences, ``near_both``: to the best of both.
    """

    cognates: bool = True
    learn: bool = True
    numbers: float = 0.3
    either: float = 0.2
    length: float = 0.2
    information: float = 1.0
    heading: float = 0.6
    order: float = 0.65
    reach: float = 0.85
    skip: float = 0.85
    rounds: int = 4
    least: float = 0.25
    near_best: float = 0.9
    near_both: float = 0.8
