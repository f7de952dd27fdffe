/* Random playouts of Connect Four. Columns are seven bits apart: six cells and an empty one that keeps rows from
   running into each other. Bit 0 is the lowest cell of the first column. */

#include "playout.h"

#define COLUMN_BOTTOMS 0x0000040810204081u
#define COLUMN_TOPS (COLUMN_BOTTOMS << 5)

/* Four in a row: pairs of neighbours, then pairs of pairs. */
static inline int has_four(u64 discs)
{
    u64 column = discs & discs >> 1;
    u64 row = discs & discs >> 7;
    u64 rising = discs & discs >> 8;
    u64 falling = discs & discs >> 6;
    return ((column & column >> 2) | (row & row >> 14) | (rising & rising >> 16) | (falling & falling >> 12)) != 0;
}

static Outcome play(u64 *chance)
{
    u64 mover = 0, taken = 0;
    for (int ply = 0; ply < 42; ply++) {
        u64 open = COLUMN_TOPS & ~taken;
        u64 bottom = bit_number(open, below(chance, count(open))) >> 5;
        u64 landed = (taken + bottom) & ~taken;
        mover |= landed;
        taken |= landed;
        /* Nobody has four discs before the seventh. */
        if (ply >= 6 && has_four(mover))
            return (Outcome){ply & 1, ply + 1};
        mover ^= taken;
    }
    return (Outcome){-1, 42};
}
