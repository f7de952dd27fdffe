"""Random playouts of Connect Four in plain, ordinary Python: lists, loops, the random module."""

from __future__ import annotations

import random

WIDTH, HEIGHT, IN_A_ROW = 7, 6, 4
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def connect_four(playouts: int, seed: int) -> tuple[int, int, int]:
    """Plays games of uniformly random moves. Returns the wins of the first and second seat, and the number of moves."""
    choose = random.Random(seed).choice
    wins = [0, 0]
    moves = 0
    for _ in range(playouts):
        columns: list[list[int]] = [[] for _ in range(WIDTH)]
        for move in range(WIDTH * HEIGHT):
            seat = move & 1
            column = choose([x for x in range(WIDTH) if len(columns[x]) < HEIGHT])
            columns[column].append(seat)
            moves += 1
            if _completes(columns, column, seat):
                wins[seat] += 1
                break
    return wins[0], wins[1], moves


def _completes(columns: list[list[int]], column: int, seat: int) -> bool:
    """Whether the disc on top of a column stands in a row of four."""
    row = len(columns[column]) - 1
    for dx, dy in DIRECTIONS:
        length = 1
        for sign in (1, -1):
            x, y = column + sign * dx, row + sign * dy
            while 0 <= x < WIDTH and 0 <= y < len(columns[x]) and columns[x][y] == seat:
                length += 1
                x, y = x + sign * dx, y + sign * dy
        if length >= IN_A_ROW:
            return True
    return False
