/* Random playouts of Reversi. Bit 0 is a1, bit 63 is h8. The four axes are worked on side by side, as a vector of
   four boards; a compiler without wide registers takes them apart by itself. */

#include "playout.h"

typedef u64 Boards __attribute__((vector_size(32)));

static const Boards AXES = {1, 8, 7, 9};

/* Discs that can be turned over along each axis: none on the edges that the axis would run over. */
#define INNER 0x7E7E7E7E7E7E7E7Eu
static const Boards TURNABLE = {INNER, ~(u64)0, INNER, INNER};

static inline u64 any_of(Boards b)
{
    return b[0] | b[1] | b[2] | b[3];
}

static inline Boards everywhere(u64 board)
{
    return (Boards){board, board, board, board};
}

/* Unbroken runs of discs in ``through`` that begin next to ``from``, up and down along each axis: 1, 2, 4, 6 discs. */
static inline void runs(Boards from, Boards through, Boards *up, Boards *down)
{
    Boards u = through & from << AXES;
    Boards d = through & from >> AXES;
    u |= through & u << AXES;
    d |= through & d >> AXES;
    Boards pairs_up = through & through << AXES;
    Boards pairs_down = through & through >> AXES;
    Boards two = AXES + AXES;
    u |= pairs_up & u << two;
    d |= pairs_down & d >> two;
    u |= pairs_up & u << two;
    d |= pairs_down & d >> two;
    *up = u;
    *down = d;
}

static inline u64 moves(u64 mover, u64 other)
{
    Boards up, down;
    runs(everywhere(mover), everywhere(other) & TURNABLE, &up, &down);
    return any_of(up << AXES | down >> AXES) & ~(mover | other);
}

/* The discs that ``placed`` turns over. */
static inline u64 turned(u64 placed, u64 mover, u64 other)
{
    Boards up, down;
    runs(everywhere(placed), everywhere(other) & TURNABLE, &up, &down);
    Boards closing = everywhere(mover);
    /* A comparison gives all ones where it holds. */
    up &= (Boards)((up << AXES & closing) != 0);
    down &= (Boards)((down >> AXES & closing) != 0);
    return any_of(up | down);
}

static Outcome play(u64 *chance)
{
    u64 mover = (u64)1 << 28 | (u64)1 << 35, other = (u64)1 << 27 | (u64)1 << 36;
    u64 legal = moves(mover, other);
    int seat = 0, decisions = 0;
    for (;;) {
        decisions++;
        if (legal) {
            u64 placed = bit_number(legal, below(chance, count(legal)));
            u64 flips = turned(placed, mover, other);
            mover |= placed | flips;
            other ^= flips;
        }
        u64 next_legal = moves(other, mover);
        /* After a pass the other can move, or the game had ended before. */
        if (!next_legal && !moves(mover, other))
            break;
        legal = next_legal;
        u64 moved = mover;
        mover = other;
        other = moved;
        seat ^= 1;
    }
    int ahead = (int)count(mover) - (int)count(other);
    return (Outcome){ahead > 0 ? seat : ahead < 0 ? seat ^ 1 : -1, decisions};
}
