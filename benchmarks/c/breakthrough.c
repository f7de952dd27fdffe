/* Random playouts of Breakthrough. Bit 0 is a1, bit 63 is h8. The board is turned upside down after every move, so that
   the mover always goes up. */

#include "playout.h"

#define FILE_A 0x0101010101010101u
#define FILE_H (FILE_A << 7)
#define LAST_ROW 0xFF00000000000000u

static Outcome play(u64 *chance)
{
    u64 mover = 0xFFFFu, other = (u64)0xFFFF << 48;
    for (int decisions = 1;; decisions++) {
        u64 straight = mover << 8 & ~(mover | other);
        u64 west = (mover & ~FILE_A) << 7 & ~mover;
        u64 east = (mover & ~FILE_H) << 9 & ~mover;
        unsigned straights = count(straight), wests = count(west);
        unsigned k = below(chance, straights + wests + count(east));
        /* Move k is in one of the three boards. In the other two its number is too large, or below 0 and so too large
           modulo 64, and they give nothing. No branch has to be guessed. */
        u64 s = bit_number(straight, k);
        u64 w = bit_number(west, k - straights);
        u64 e = bit_number(east, k - straights - wests);
        u64 target = s | w | e;
        mover ^= target | s >> 8 | w >> 7 | e >> 9;
        other &= ~target;
        if (target & LAST_ROW || !other)
            return (Outcome){(decisions - 1) & 1, decisions};
        u64 moved = __builtin_bswap64(mover);
        mover = __builtin_bswap64(other);
        other = moved;
    }
}
