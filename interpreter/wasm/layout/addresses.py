"""Addresses in the memory of a module: those that are the same for every program, and those that a program settles.

Nothing is imported here, so that machine code from the cache can run before anything else is loaded. See ``memory`` for
what the regions are for.
"""

from __future__ import annotations

from typing import NamedTuple

WORD = 4
"""Bytes of a word."""

STATE = 1 << 16

FLOOR, LEFT = STATE - 16, STATE - 8
"""The budget of the decision at work, two numbers of 64 bits at the end of the guard: what must be left of it, nothing
unless somebody wants the module to stop, and the work that may still be done."""

DONE, OVER_NOW, ASKED = 0, 1, 2
"""Status that a rule's function gives: it has ended; the game has; somebody must decide."""

# Header of the state, in bytes from STATE.
CHANCE, OVER, WINNERS, TURNS, DIRTY, WATCHING, WHOLE, SAVED = 0, 8, 12, 16, 20, 24, 28, 32
SECRET, SECRET_PLAYER, SECRET_DONE, SECRET_RULE = 36, 40, 44, 48
AT_TURN = 52
"""One more than the number of the player whose turn has begun, until they are asked; 0: nobody's."""

HEADER = 64

# Scratch, in bytes from its start.
FAULT, FAULT_A, FAULT_B, FAULT_C = 0, 4, 8, 12
ASK_PLAYER, ASK_UNIT, ASK_SITE, ASK_COUNT, ASK_WORDS = 16, 20, 24, 28, 32
TRACE_LENGTH, LIMIT = 36, 40
DECISIONS = 44
CHOICE = 48
CALLER = 52
SUPPOSING = 56
ASK_WIDTHS, ASK_HIDDEN = 60, 64
STREAMS = 72
MOST_SEATS = 64
TRACE = STREAMS + 8 * MOST_SEATS
TRACE_ROOM = 1 << 14
SQUARES = TRACE + 2 * TRACE_ROOM
SQUARES_ROOM = 512 * 16
REMEMBERED = SQUARES + SQUARES_ROOM
REMEMBERED_ROOM = 256 * 8
FIXED = REMEMBERED + REMEMBERED_ROOM
"""Whether outcomes of chance are fixed; then how many are left, where the next lies, and whether chance follows."""

FIXED_LEFT, FIXED_NEXT, FIXED_ENDS = FIXED + 4, FIXED + 8, FIXED + 12
SCRATCH_SIZE = FIXED + 16

NO_FAULT = -3
"""The number of the fault point when there was no fault."""

SAVED_ROOM = 1 << 16
"""Bytes for the frames of a suspended game."""

SAVED_SPARE = 4096
"""Bytes of these that are left free, for the last frame that still fits."""

OPTIONS_ROOM = 1 << 20
"""Bytes for options that there are at least; with more to be listed, each asks for room."""

MOST_OPTIONS_ROOM = 1 << 28
"""Bytes for options that there are at most, even if the limits allow more options with long lists in them."""

BUILD_ROOM = 1 << 24
RESULTS_ROOM = 1 << 18
ARENA_ROOM = 1 << 25
KEPT_ROOM = 1 << 22
VALUES_ROOM = 1 << 20


# The block of words that a search needs, in bytes from its start; see ``search.wat``.
SEARCH_WORLDS, SEARCH_COUNT, SEARCH_STRIDE, SEARCH_ASK, SEARCH_ROWS, SEARCH_ORDER = 0, 4, 8, 12, 16, 20
SEARCH_ITERATIONS, SEARCH_DROPPED, SEARCH_SEED = 24, 28, 32
SEARCH_NODES, SEARCH_MOST, SEARCH_MADE, SEARCH_TABLE, SEARCH_MASK, SEARCH_LN = 40, 44, 48, 52, 56, 60
SEARCH_PASSED, SEARCH_LIMIT, SEARCH_WIDE, SEARCH_DEPTH = 64, 68, 72, 76
SEARCH_WINNING, SEARCH_RIVALS, SEARCH_UNWON, SEARCH_SEEN, SEARCH_PATH = 80, 84, 88, 92, 96
SEARCH_TOGETHER = 100
SEARCH_SCALE, SEARCH_MARGINS, SEARCH_EXPLORE = 104, 112, 120
SEARCH_LOW = 128
SEARCH_SCORES = 136
SEARCH_REWARDS = SEARCH_SCORES + WORD * MOST_SEATS
SEARCH_SIDES = SEARCH_REWARDS + WORD * MOST_SEATS
SEARCH_HISTORY = SEARCH_SIDES + WORD * MOST_SEATS
SEARCH_PENDING = SEARCH_HISTORY + 8 * MOST_SEATS
LEARN_TABLE = SEARCH_PENDING + 8 * MOST_SEATS
LEARN_MASK, LEARN_MADE, LEARN_STRIDE = LEARN_TABLE + 4, LEARN_TABLE + 8, LEARN_TABLE + 12
LEARN_LOG, LEARN_LOGGED, LEARN_ROOM = LEARN_TABLE + 16, LEARN_TABLE + 20, LEARN_TABLE + 24
LEARN_CHOICES, LEARN_QUESTIONS, LEARN_UNITS, LEARN_STREAMS = (LEARN_TABLE + 28 + 4 * i for i in range(4))
LEARN_NOTED, LEARN_NOTES_END = LEARN_TABLE + 44, LEARN_TABLE + 48
GREEDY_FORK = LEARN_TABLE + 56
GREEDY_CHANCE, GREEDY_OWN, GREEDY_EPSILON = GREEDY_FORK + 8, GREEDY_FORK + 16, GREEDY_FORK + 24
GREEDY_OPTIONS, GREEDY_NUMBER, GREEDY_MOST, GREEDY_TRIES, GREEDY_BUDGET, GREEDY_NOW, GREEDY_TRY, GREEDY_AT = (
    GREEDY_FORK + 32 + 4 * i for i in range(8)
)
GREEDY_LIMIT, GREEDY_TRYING, GREEDY_DONE, GREEDY_STREAM, GREEDY_SEATS = (GREEDY_FORK + 64 + 4 * i for i in range(5))
GREEDY_ASK = GREEDY_FORK + 84
GREEDY_ASK_WIDTHS, GREEDY_ASK_HIDDEN = GREEDY_ASK + 20, GREEDY_ASK + 24
GREEDY_CLEAR = GREEDY_FORK + 112
GREEDY_ROUNDS, GREEDY_HALVED, GREEDY_FIRST, GREEDY_SCALE, GREEDY_WIDE = (GREEDY_FORK + 120 + 4 * i for i in range(5))
SEARCH_VALUE, SEARCH_VALUES = GREEDY_FORK + 140, GREEDY_FORK + 144
SEARCH_SIZE = GREEDY_FORK + 152
NODE_SIZE = 40

# The block of words that many games side by side need in the same place; see ``stepping.wat``.
VECTOR_SEED, VECTOR_SLOTS, VECTOR_STRIDE, VECTOR_COUNT, VECTOR_ALL = 0, 8, 12, 16, 20
VECTOR_OWN, VECTOR_ACTIONS, VECTOR_TABLE, VECTOR_TABLE_MASK = 24, 28, 32, 36
VECTOR_UNITS, VECTOR_SITES, VECTOR_PLANS, VECTOR_INITIAL, VECTOR_WIDTH = 40, 44, 48, 52, 56
VECTOR_SEEDS, VECTOR_TAKEN, VECTOR_TOLD, VECTOR_MASKS, VECTOR_PLAYERS, VECTOR_LEFT_OUT = 60, 64, 68, 72, 76, 80
VECTOR_ENDED, VECTOR_WINNERS, VECTOR_SCORES, VECTOR_LIMIT, VECTOR_AT, VECTOR_STOP = 84, 88, 92, 96, 100, 104
VECTOR_SIZE = 112

MARGINS_SEEN = 64
"""Ends of random play that say how far apart the sides mostly are."""

RACE_FEWEST = 4
"""Tries of each option in a race before one may drop out."""

MOST_PAGES = 1 << 15
"""Pages of 64 KiB to which the memory of a search may grow."""


class Addresses(NamedTuple):
    """Addresses that a program settles, and sizes in bytes from STATE on.

    ``fixed_size``: all of a state but its saved frames, which follow; ``open_size``: without what players are deciding
    together, which a state leaves out when they are not. ``search``: where the memory ends, and a search begins.
    """

    fixed_size: int
    open_size: int
    fired: int
    scratch: int
    options: int
    results: int
    search: int
