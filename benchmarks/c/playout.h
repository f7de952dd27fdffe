/* What the yardsticks share: the generator, a fair choice among bits, and the loop that plays and reports.

   Usage of each program: NAME PLAYOUTS SEED
   It prints one JSON object: playouts, CPU seconds, wins of the first and of the second seat, mean number of decisions.

   The generator is SplitMix64, a number below n is made the way of Lemire (2019), as in interpreter/chance.py.
   Every playout takes the next numbers of one stream. */

#ifndef PLAYOUT_H
#define PLAYOUT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

typedef uint64_t u64;

typedef struct {
    int winner;    /* seat 0 or 1; -1 when nobody, or both, won */
    int decisions; /* moves and passes */
} Outcome;

/* Plays one game of uniformly random moves. */
static Outcome play(u64 *chance);

static inline u64 next(u64 *chance)
{
    u64 z = (*chance += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* From 0 to n - 1, each as likely as the others. The remainder is only worked out where it can matter. */
static inline unsigned below(u64 *chance, unsigned n)
{
    unsigned __int128 product = (unsigned __int128)next(chance) * n;
    if (__builtin_expect((u64)product < n, 0)) {
        u64 threshold = -(u64)n % n;
        while ((u64)product < threshold)
            product = (unsigned __int128)next(chance) * n;
    }
    return (unsigned)(product >> 64);
}

/* The set bit number k of mask, from 0, as a mask of one bit; 0 when there are not so many. k is taken modulo 64. */
static inline u64 bit_number(u64 mask, unsigned k)
{
#ifdef __BMI2__
    return _pdep_u64((u64)1 << (k & 63), mask);
#else
    for (k &= 63; k && mask; k--)
        mask &= mask - 1;
    return mask & -mask;
#endif
}

static inline unsigned count(u64 mask)
{
    return (unsigned)__builtin_popcountll(mask);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s PLAYOUTS SEED\n", argv[0]);
        return 2;
    }
    long playouts = strtol(argv[1], NULL, 10);
    u64 chance = strtoull(argv[2], NULL, 10);
    if (playouts < 1) {
        fprintf(stderr, "%s: the number of playouts must be at least 1, not %s\n", argv[0], argv[1]);
        return 2;
    }
    long wins[2] = {0, 0};
    long decisions = 0;
    clock_t started = clock();
    for (long i = 0; i < playouts; i++) {
        Outcome outcome = play(&chance);
        wins[0] += outcome.winner == 0;
        wins[1] += outcome.winner == 1;
        decisions += outcome.decisions;
    }
    double seconds = (double)(clock() - started) / CLOCKS_PER_SEC;
    printf("{\"playouts\": %ld, \"cpu_seconds\": %.6f, \"wins\": [%ld, %ld], \"mean_decisions\": %.6f}\n",
           playouts, seconds, wins[0], wins[1], (double)decisions / (double)playouts);
    return 0;
}

#endif
