"""What has been checked before a move may no longer be so once a watcher has run."""

from __future__ import annotations

from pathlib import Path

from small_games import changed, mistakes

# Between the condition and the move a nested rule ends, and there the watcher empties the pile.
LAMP = """\
game lamp
  players 2..2
  seats red, blue

enum Gem: ruby, opal

the game has
  pile: pool of Gem = {ruby: 3}
  bin: pool of Gem
  lit: flag
  rounds: 0..9

each Player has
  score: 0..9

winner most score[p], then shared

rule play
  take turns p from first(Player) until rounds is 3
    increase rounds by 1
    p chooses n in 1..2
    if pile[ruby] > 0
      rule switch
        set lit to yes
      move 1 of ruby from pile to bin
  end the game

rule empty whenever lit
  move all from pile to bin
  set lit to no
"""


def test_a_watcher_may_empty_a_place_at_the_end_of_a_nested_rule(tmp_path: Path) -> None:
    ((code, message),) = mistakes(tmp_path / "with", LAMP)
    assert code == "R0502" and "`pile`" in message
    harmless = changed(LAMP, "  move all from pile to bin\n  set lit to no", "  set lit to no")
    assert mistakes(tmp_path / "without", harmless) == []
