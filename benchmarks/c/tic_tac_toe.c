/* Random playouts of tic-tac-toe. A side is a mask of nine bits; a table tells which masks hold three in a row. */

#include "playout.h"

#define FULL 0x1FFu

static const unsigned short LINES[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
static unsigned char has_line[FULL + 1];

__attribute__((constructor)) static void fill_table(void)
{
    for (unsigned mask = 0; mask <= FULL; mask++)
        for (int i = 0; i < 8; i++)
            has_line[mask] |= (mask & LINES[i]) == LINES[i];
}

static Outcome play(u64 *chance)
{
    unsigned mover = 0, other = 0;
    for (int ply = 0; ply < 9; ply++) {
        unsigned empty = FULL & ~(mover | other);
        mover |= (unsigned)bit_number(empty, below(chance, 9 - (unsigned)ply));
        if (has_line[mover])
            return (Outcome){ply & 1, ply + 1};
        unsigned moved = mover;
        mover = other;
        other = moved;
    }
    return (Outcome){-1, 9};
}
