"""Codes of findings in what rules and examples mean."""

from __future__ import annotations

from .reading import Code

RULES = {
    "R0401": Code(
        "Unknown name",
        "Nothing in the game has this name. Unknown words are never skipped or guessed, because a misspelt name "
        "would change the rules without anyone noticing. Correct the name, or declare it.",
    ),
    "R0402": Code(
        "Wrong kind of value",
        "A value of one kind is used where another is needed: a player instead of a number, a pool instead of a "
        "single value, or two things compared that can never be equal. The message names both kinds.",
    ),
    "R0403": Code(
        "Wrong number of values",
        "A rule, a definition or a place needs a certain number of values and is given more or fewer. Anything "
        "kept for each player needs to know which player: `score[p]`.",
    ),
    "R0404": Code(
        "Out of bounds",
        "Every number has bounds, and this one can never be within them. Or a range is empty, something might be "
        "divided by 0, or a place is larger than any game needs. Correct the number, or widen its range where it "
        "is declared.",
    ),
    "R0405": Code(
        "No such rule to run",
        "`do` names a rule that does not exist, or one that is written inside another rule. Such a rule runs where "
        "it is written and cannot be called from elsewhere. Correct the id, or move the rule out to the first "
        "column.",
    ),
    "R0406": Code(
        "Ambiguous name",
        "The name is a member of two enums, tables or grids, and nothing here shows which one is meant. Write the "
        "one that is meant before it, with a dot.",
    ),
    "R0407": Code(
        "May be none",
        "The value may be none: nobody, nothing, no field. The text does not say what should happen then. `if there "
        "is x in ...` runs only when there is a value; `... otherwise ...` supplies another value.",
    ),
    "R0408": Code(
        "Unknown column",
        "The table has no column with this name. Correct the name, or declare the column and fill it in.",
    ),
    "R0409": Code(
        "Not known before the game starts",
        "Sizes, bounds, tables and numbers are fixed before the game starts, but this one depends on what happens "
        "during play. Use numbers, settings, `players`, and counts of enums and tables. For a value that changes, "
        "declare something under `the game has`.",
    ),
    "R0410": Code(
        "Attribute does not apply",
        "`at most`, `not below` and exchanges such as `any 2 others for 1` each apply to one kind of thing, and this "
        "is another kind. Remove the attribute, or change what the thing is.",
    ),
    "R0411": Code(
        "Misplaced line",
        "`needs` comes first in a rule or an option, before anything happens. Rules inside other rules run where "
        "they are written, so they have no parameters and do not wait for events. Move the line.",
    ),
    "R0412": Code(
        "No score to count",
        "`scores` and `loses` change a number called `score` that is kept for each player or each team, and the "
        "game has none. Declare it under `each Player has`, or `each Team has`.",
    ),
    "R0413": Code(
        "Reading without a reason",
        "A reading decides where the rulebook is silent or ambiguous. Whoever reads it later wants to know why. "
        "Add `because` with the reason.",
    ),
    "R0414": Code(
        "No rule to start the game",
        "A game starts and ends with its rule `play`, and there is no rule with that id. Write one, or give that "
        "id to the rule that runs the game.",
    ),
    "R0415": Code(
        "No winner",
        "Players score points, but nothing says that points decide who wins. Write a `winner` line, including what "
        "breaks a tie, or let a rule say `... wins`.",
    ),
    "R0416": Code(
        "Name that looks like another",
        "Two names can look the same and be different: a Cyrillic `с` for a Latin `c`, a ligature, a wide letter, an "
        "accent that is a character of its own. Whoever reads the rules then reads something else than what is played. "
        "Write each name in plain letters of one script.",
    ),
    "R0501": Code(
        "Missing case",
        "A definition by cases does not cover everything: a member has no line, `otherwise` is missing at the end, "
        "or lines below `otherwise` can never be reached. Sooner or later a rule would find no value. Add the "
        "case.",
    ),
    "R0502": Code(
        "Undecided shortage",
        "There may be fewer pieces than are moved, drawn or paid, or nothing to choose, and the text does not say "
        "what happens then. Rulebooks often forget this, and every group of players settles it differently. Check "
        "beforehand (`needs`, `if`), take `up to` that many, or say `otherwise`. If the rules never let it happen, "
        "begin with `surely`: it is then checked during play.",
    ),
    "R0503": Code(
        "Place may be full",
        "The place has room for a limited number of pieces, and it may already be full. Check first that there is "
        "room. If the rules never let it happen, begin with `surely`.",
    ),
    "R0504": Code(
        "Circular definition",
        "A rule runs itself, or a definition or number is defined in terms of itself, perhaps by way of others. It "
        "would never come to an end. Break the circle, or, of a rule, say how deep it may go: `rule chain(h: Hill), at "
        "most 6 deep`. To do something several times, write `repeat at most`.",
    ),
    "R0505": Code(
        "Circular events",
        "A rule that waits for an event announces the same event again, perhaps by way of other rules, so each "
        "event would start the next forever. Break the circle.",
    ),
    "R0506": Code(
        "Nothing to stop",
        "`stop` leaves the `repeat` or `take turns` around it, but there is none around this one in the same rule. "
        "Move it into the loop, or use `if` to skip the rest.",
    ),
    "R0507": Code(
        "Turns without a decision",
        "Nobody chooses anything in these turns, nothing is rolled or drawn, and nothing is sure to be used up in "
        "every turn, so they might go on for ever. Let somebody decide in the turn, move a piece or count something "
        "in every turn, or go through the players once with `each`.",
    ),
    "R0508": Code(
        "Reveals hidden information",
        "Players would learn something they are not meant to see: a list of options depends on it, or it is `seen "
        "by owner` but has no owner. Let the owner choose, look only at how many pieces there are, or change who "
        "sees it. If the rules disclose it on purpose, begin with `openly`.",
    ),
    "R0509": Code(
        "Never used",
        "A rule never runs, an event is never announced or never waited for, or a graph is never used. This is "
        "allowed, but usually a line was forgotten or a name misspelt. Use it, or remove it.",
    ),
    "R0510": Code(
        "Never ends",
        "Nothing ends these turns or this repeat: there is no `until`, no `stop` and no end of the game. Or a way "
        "(an item `ways`) has no bound, or a step that is always possible again. Say when it ends.",
    ),
    "R0511": Code(
        "Simultaneous decisions change shared things",
        "What players decide together must not depend on who is asked first. So the block may change only what "
        "belongs to the player it runs for, and look only at that and at what was known before. Change shared "
        "things after the block, one player at a time.",
    ),
    "R0512": Code(
        "The course of the game reveals hidden information",
        "Everybody sees who is asked something, which rules run, and what happens how often. Here that depends on "
        "something that not everybody can see, so everybody would learn about it, even if nobody is told. Players who "
        "must show that they cannot do something disclose it on purpose: the rules say so with `openly`. If nobody "
        "is meant to learn it, ask in any case, with an option that is always possible.",
    ),
    "R0513": Code(
        "A change reveals hidden information",
        "Something that others can see changes, and how it changes is worked out from something that they cannot see: "
        "points from a hidden hand, or the number of pieces taken from one. If it is disclosed on purpose, begin with "
        "`openly`. If not, keep the result where it is hidden as well.",
    ),
    "R0514": Code(
        "Nothing to disclose",
        "`openly` says that everybody learns what a statement looks at, but everybody may know that already. The word "
        "would make readers look for something hidden. Remove it.",
    ),
    "R0515": Code(
        "A fault would tell something hidden",
        "Where a step cannot be carried out, the game stops, the position stays as it was, and everybody sees that."
        " If something hidden decides it, everybody learns about it, and whoever may try again can ask again and "
        "again. So it must be certain that this never happens: offer only what is possible (`needs`, `where`), take"
        " `up to` what is there, stop at the bounds (`min`, `max`, `not below`, `not above`), ask for it before the"
        " rule is run. What holds when a rule is run can be said with `needs`. The word `surely` is a promise and "
        "no proof: with it this is a warning, and if the promise is broken at a table, the game ends there, so that "
        "nobody can ask twice. If everybody is meant to learn it, begin with `openly`.",
    ),
    "R0520": Code(
        "Cannot be supposed",
        "A value `after do ...` is worked out as if the rule had run, and nothing changes. So the rule may ask nobody, "
        "leave nothing to chance and not end the game, and neither may the rules it runs; and what a variable holds at "
        "first cannot depend on it. Put what changes the position in a rule of its own, and name that one.",
    ),
    "R0601": Code(
        "Wrong players in an example",
        "The example names more or fewer players than the game allows, or two players with the same name. Name the "
        "right number of players, each differently.",
    ),
    "R0602": Code(
        "Unknown number or setting in an example",
        "`with` gives a number, option or reading another value for this example, but nothing has that name, or it "
        "cannot have that value. Correct the name or the value.",
    ),
    "R0603": Code(
        "Unknown rule or option in an example",
        "The example runs, chooses or expects something that the game does not have under that id. Often the rule "
        "was renamed and the example was not. Correct the id.",
    ),
    "R0604": Code(
        "Not part of the starting position",
        "`given` describes the position at the start of an example: places, values and flags that the game keeps. "
        "Computed values cannot be given; give the values they are computed from. Use `with` for numbers and "
        "settings.",
    ),
    "R0605": Code(
        "Example that checks nothing",
        "The example sets up a position, or runs a rule, and then says nothing about what must come out, so it would "
        "pass whatever the rules did. Say what must hold: `then` with a condition, `fired` with a rule, a choice that "
        "must be possible or refused, who is asked, who wins.",
    ),
    "R0606": Code(
        "Cases that do not fit",
        "Below `cases`, an example has a table: names in its first line, and in each row a case with a value for every "
        "name. The steps are run once for each case, with its values in place of the names. So every name must be used "
        "in a step, may not mean anything else in the game, and must have a value of the right kind in every row.",
    ),
    "R0607": Code(
        "Step that cannot fail",
        "A step of an example says nothing, because it could not fail: something is given twice, so that the first "
        "value never counts; a rule is said not to have run that could not run here at all, or before anything has "
        "run; or a choice is not named by its value. An example that cannot fail proves nothing. Correct the step, or "
        "remove it.",
    ),
}
"""By code."""
