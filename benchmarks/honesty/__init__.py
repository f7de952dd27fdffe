"""Whether comparisons are honest: false alarms, coverage of intervals, games needed, where the truth is known.

A *pool* of many games is played once; its means are the truth. Comparisons are then drawn from it with replacement, as
many as one likes: of a game with itself, for false alarms, or of a game and a house rule in pairs, for all else.
"""
