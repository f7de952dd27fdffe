"""The codes of all findings: meaning, reason and remedy. The pages in docs/codes are made from them."""

from __future__ import annotations

import attrs

FAMILIES = {
    "R01": "Files and layout",
    "R02": "Spelling and syntax",
    "R03": "How files, tables and variants fit together",
    "R04": "Names, types and numbers",
    "R05": "How the game runs",
    "R06": "Examples",
    "R07": "Rulebook texts",
    "R08": "Data",
    "R09": "Sources and languages",
    "R10": "Looks of pictures",
}
"""The kind of finding, by the first three letters of its code."""


@attrs.frozen
class Code:
    """``title``: what is wrong in a few words. ``text``: one paragraph on meaning, reason and remedy."""

    title: str
    text: str


CODES = {
    "R0101": Code(
        "Unreadable file",
        "The file is listed in the folder but cannot be read: it is a folder itself, a broken link, or you do not "
        "have permission. Without it nobody can know what the game declares, so the rest of the game is not "
        "checked either. Rename or move it, or give yourself permission to read it.",
    ),
    "R0102": Code(
        "Not UTF-8 text",
        "Rules, tables and rulebook texts are UTF-8, the usual encoding, which can write every language. This file "
        "contains bytes that are not UTF-8: it was saved in an older encoding or in UTF-16, or it is not text at "
        "all. Save it as UTF-8 in your editor; a byte order mark (BOM) at the start is fine.",
    ),
    "R0103": Code(
        "Tab character",
        "Indentation shows which lines belong together. Every editor gives a tab its own width, so two people "
        "could see two different rules. Use spaces, two for each level; most editors can convert tabs for you.",
    ),
    "R0104": Code(
        "Line or file too long",
        "A line, or a whole file, is far longer than anything people would want to read. Usually it is not rules "
        "text at all, or lines were joined by accident. Break the line inside brackets, give parts of it names, or "
        "split the file.",
    ),
    "R0105": Code(
        "Invisible character",
        "Text copied from a web page or a document can contain characters that nobody sees: zero-width spaces, "
        "control characters, marks of writing direction. They make words differ that look the same. Delete the "
        "character.",
    ),
    "R0106": Code(
        "Empty file",
        "A rules file with nothing in it was probably meant to be filled in, or was emptied by accident. Start it "
        "with the line that says what it belongs to, or delete it.",
    ),
    "R0107": Code(
        "Nested too deeply",
        "Blocks inside blocks, or brackets inside brackets, are so deep that nobody can follow them. The limit "
        "also keeps a broken or hostile file from using up the machine. Give the inner parts names with `define`, "
        "`let` or a rule.",
    ),
    "R0108": Code(
        "Uneven indentation",
        "A line is not aligned with any line it could belong to, so it is unclear which block it is part of. Align "
        "it with the other lines of its block. `rulelang fmt` keeps the indentation even.",
    ),
    "R0201": Code(
        "Unexpected word",
        "The line starts well but continues in a way the language does not know: a word is misspelt, missing or "
        "superfluous, or a name is also a word of the language. The language never skips what it does not "
        "understand. Compare the line with what the message expects.",
    ),
    "R0202": Code(
        "Something is missing",
        "A line breaks off, a bracket is not closed, or a line that opens a block has no indented lines below it. "
        "Complete it. For a block that should do nothing, write `do nothing`.",
    ),
    "R0203": Code(
        "Unknown sign",
        "The language uses words and only a few signs. It does not accept signs of programming languages (`==`, "
        "`;`, `&&`), typographic signs, or text with no closing quote. The message says what to write instead.",
    ),
    "R0205": Code(
        "Name already taken",
        "A name introduced here already means something else in the game. If both were allowed, readers would have "
        "to know which one is meant where. Choose another name: one name, one meaning.",
    ),
    "R0301": Code(
        "Missing or misplaced header",
        "The first line of every file says what the file is: `game`, `part of`, `examples of` or `variant ... of`. "
        "There is one such line in a file, and only a variant may change what another file declares. Add the line, "
        "or move the text to the file where it belongs.",
    ),
    "R0302": Code(
        "Two games in one folder",
        "A folder holds one game, but two of its files start with `game`. Give each game its own folder, or start "
        "one of the files with `part of`.",
    ),
    "R0303": Code(
        "Declared twice",
        "Two things have the same name or id, so a rule that uses it could mean either. Rule ids must differ as "
        "well, because the rulebook, examples and statistics refer to them. Rename one of the two, or remove the "
        "copy.",
    ),
    "R0304": Code(
        "Belongs to another game or variant",
        "The file names a game other than the one in its folder, or an example or a variant names a variant that "
        "does not exist. Correct the name, or move the file.",
    ),
    "R0305": Code(
        "Nothing to change",
        "A variant changes, replaces, removes or extends something that the game does not have under that name or "
        "id: it is misspelt, or it was renamed in the game. The change would silently have no effect. Correct the "
        "name.",
    ),
    "R0306": Code(
        "Two variants change the same thing",
        "Two variants in use change the same number, rule or declaration, so the result would depend on the order "
        "they happen to be read in. Say which one comes last: `variant x of game after y`.",
    ),
    "R0307": Code(
        "Incomplete for some numbers of players",
        "The game allows several numbers of players, and for one of them a table has no rows, a number has no "
        "value, or a player has no seat. Each number of players is checked on its own. Add what is missing, or "
        "change `players`.",
    ),
    "R0308": Code(
        "Missing table file",
        "`rows from` names a file that does not exist or lies outside the game's folder. A game's folder must hold "
        "everything the game needs, so that it can be copied and shared. The path is relative to the file that "
        "names it.",
    ),
    "R0309": Code(
        "Rows do not match their table",
        "Every row of a table needs a value of the right kind for each column. In a csv file the first line names "
        "the columns, and each later line starts with the name of its row. Here a value is missing, superfluous, "
        "of the wrong kind or out of bounds, or the file is not comma-separated text. Correct the row, or the type "
        "of the column.",
    ),
    "R0310": Code(
        "Circular variants",
        "Variants build on one another (`of game, other`) or come after one another (`after`), and these words "
        "lead back to the first, so there is no order in which to apply them. Remove one of the links.",
    ),
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
        "The name is a member of two enums or tables, and nothing here shows which one is meant. Rename one of "
        "them, or use the name where the other side of the comparison makes it clear.",
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
    "R0701": Code(
        "Rule without a statement",
        "A rule, number, table or reading takes effect in the game, but the rulebook of one language does not "
        "mention it, or its section is empty. A player with that rulebook could not know it. Write a section with "
        "its id and a statement.",
    ),
    "R0702": Code(
        "Section without a rule",
        "The rulebook has a section whose id nothing in the game has: the rule was removed or renamed, or the id "
        "is misspelt. Correct the id, or remove the section.",
    ),
    "R0703": Code(
        "Wrong value in a rulebook text",
        "Values are written in braces and come from the rules, so that text and game never differ. These braces do "
        "not contain a number of the game, or a brace has no partner.",
    ),
    "R0704": Code(
        "Value depends on the number of players",
        "The number depends on how many people play, so the text must say which one it means: `{name@2}` for two "
        "players.",
    ),
    "R0705": Code(
        "Malformed rulebook text",
        "A rulebook text consists of headings, sections with an id, and numbered statements, counted from 1 in "
        "each section. Anything else would belong to no rule, and nothing would check it. Make it a statement, or "
        "remove it.",
    ),
    "R0706": Code(
        "Forms that leave something out",
        "Words that depend on a value are written as plural forms, `{points: one # point; other # points}`. Each form "
        "is named after a plural category of the language, as Unicode CLDR has it, and there must be one for every "
        "value that the rules, their options and their variants can give, besides `other`. The forms of a setting are "
        "named after its values, `{trump: wood du #; stone de la #}`; each value has one, or `other` stands for the "
        "rest. Add the form that is missing, or correct its name.",
    ),
    "R0707": Code(
        "Text not translated yet",
        "A language that the game names has no text, or its text has sections whose statements are still empty. A "
        "printed rulebook takes what is missing from another language and marks it. Translate what is named, in the "
        "text itself or with `rulelang texts export` and `texts import`; `rulelang texts start` begins a language.",
    ),
    "R0708": Code(
        "A value of a setting without a name",
        "A text prints the value of a setting, `{trump}` or `#` among its forms, and the glossary does not say what "
        "that value is called in this language, so that the rulebook would print its name in the rules. Give it a "
        "term: a concept whose id is the value.",
    ),
    "R0801": Code(
        "Stand-in data",
        "Some rows are marked as stand-ins because the real values were not known. The game can be played, but its "
        "results depend on them. This is a note, not an error. When you know the values, replace the rows and "
        "remove the mark.",
    ),
    "R0901": Code(
        "Malformed source map",
        "The map of a source document is TOML with a `[document]` and a `[[passage]]` for each stretch of lines. "
        "Something in it is misspelt, missing or of the wrong kind. What is right is still used; correct the key that "
        "the message names.",
    ),
    "R0902": Code(
        "Malformed glossary",
        "The glossary holds a `[[concept]]` for each thing that must be called the same everywhere: an `id`, and by "
        "language a list with the term and the forms of it that are not found by themselves. Correct the entry; until "
        "then its terms are not compared.",
    ),
    "R0903": Code(
        "Malformed confirmations",
        "`confirmed.toml` is written by `rulelang sources confirm` and holds hashes of the rules and of what the "
        "texts say about them. An entry cannot be read, mostly because it was edited by hand or by a merge. Confirm "
        "the section again.",
    ),
    "R0904": Code(
        "Lines not mapped exactly once",
        "Each line of a source document belongs to one passage, so that nothing of the rules is overlooked and "
        "nothing counted twice. Here lines belong to no passage, to two, or lie beyond the end. Correct the ranges; "
        "text without meaning is a passage of kind `noise`.",
    ),
    "R0905": Code(
        "Document differs from its map",
        "Maps point at lines of one exact text, known by its hash. The text that was found is another one: a new "
        "edition, another scan, or somebody corrected it. Get the text that was mapped, or look at each passage named "
        "and record its new hash.",
    ),
    "R0906": Code(
        "Recorded numbers differ from the document",
        "A map keeps the numbers of each passage as values, so that they can be compared without the text. Read again "
        "from the document itself, they differ. Correct the list; where a scan made the number unreadable, say so "
        "with `ignore`.",
    ),
    "R0907": Code(
        "Unused `ignore`",
        "An `ignore` gives a reason why a finding is all right, but there is no longer such a finding, or there is no "
        "check of that name. A reason that outlives its finding could one day hide a real one. Remove it, or correct "
        "the name.",
    ),
    "R0908": Code(
        "Malformed comments",
        "`comments.toml` keeps what translators and reviewers remarked about single sentences. An entry cannot be "
        "read, mostly because it was edited by hand or by a merge. Correct it, or delete it if it is settled.",
    ),
    "R0910": Code(
        "A number differs",
        "A statement has another number in one language than in the others, whether in digits, in words or as a value "
        "of the rules. Players with different rulebooks would play different games. Correct the language that is "
        "wrong. Between source documents it is a note: the rules follow one of them.",
    ),
    "R0911": Code(
        "A plus or minus differs",
        "The same number has a plus or minus in one source document and none in another, or its minus could be the "
        "bullet of a list. Points won could be read as points lost. It is a note; say which reading the rules take.",
    ),
    "R0912": Code(
        "A number typed instead of taken from the rules",
        "A statement types a number instead of taking it from the rules, so it would not follow when the rules change; "
        "or nothing that it is about has that number. Put the value in braces. Numbers of players may be typed.",
    ),
    "R0913": Code(
        "Different values in one language",
        "The values in braces are not the same in all languages of a statement. Even if they are equal today, a "
        "change of the rules would make the languages differ. Use the same ones everywhere.",
    ),
    "R0914": Code(
        "A term is missing or different",
        "The other languages speak of a concept of the glossary, and this one does not, or calls it by another "
        "concept's term. Use the term; if the words are right, add the form to the glossary, or give the reason below "
        "the statement.",
    ),
    "R0915": Code(
        "A word that the glossary rules out",
        "The glossary lists words that must not be used for a concept, mostly because they mean something else in the "
        "game. Write the term. In source documents it is a note: they may use any words.",
    ),
    "R0916": Code(
        "Must in one language, may in another",
        "The languages of a statement differ in what is a duty, a choice or a ban. Such a mistake "
        "changes a game the most and is the hardest to see. Say the same in each, or give the reason below the "
        "statement.",
    ),
    "R0917": Code(
        "At most in one language, at least in another",
        "The languages differ in at most, at least, exactly, only, both, each or any. Say the same in each, or give "
        "the reason below the statement.",
    ),
    "R0918": Code(
        "A statement is missing in a language",
        "Another language has a statement that this one lacks, so a reader of this one does not know the rule. Write "
        "it, at the same place. If only a source document lacks it, this is a note.",
    ),
    "R0919": Code(
        "Rules changed since confirmed",
        "Somebody confirmed that these statements say what runs; since then the rule, number or table has changed. "
        "The words may still be right: read them, correct them, and confirm them again.",
    ),
    "R0920": Code(
        "Not translated",
        "A statement is the same, or nearly so, in two languages: it was copied to be translated later. Translate it.",
    ),
    "R0921": Code(
        "A passage states a statement that does not exist",
        "A passage of a source document names a statement that no rulebook text has. The trail from the source to "
        "the rules ends there. Name the statement that it states now.",
    ),
    "R0922": Code(
        "Repeated word",
        "A word appears twice in a row, as happens when a sentence is changed. Remove one, or give the reason below "
        "the statement when both are meant.",
    ),
    "R0923": Code(
        "Unpaired bracket or quotation mark",
        "A bracket or quotation mark is opened and not closed, or closed and not opened, or one of another language "
        "closes it. Add the partner.",
    ),
    "R0924": Code(
        "Damaged passage",
        "Scanning or layout has damaged the source text: a sentence breaks off, a picture is gone, lines are out of "
        "order. Its map should say so in `damage`, so that nobody trusts the passage; then it is only a note. If the "
        "text is as it should be, give the reason with `ignore`.",
    ),
    "R0925": Code(
        "Opposite meaning in one language",
        "A language says before where the others say after, left for right, most for fewest, `you` for another player; "
        "or it lacks a word that turns the meaning, such as not or unless, or has one too many. Where two languages "
        "stand against two, nobody can tell which are right: look at the rule. Say the same in every language, or give "
        "the reason below the statement.",
    ),
    "R0926": Code(
        "A clause left out or added",
        "The statement is much shorter or longer in one language than one would expect from the others, or has a "
        "sentence more or less. A condition or an exception may be missing there. If nothing is, give the reason below "
        "the statement.",
    ),
    "R0927": Code(
        "Edited since confirmed",
        "Somebody confirmed that these statements say what runs; since then their words have changed. Read them again, "
        "beside the other languages and the rule, and confirm them again.",
    ),
    "R0928": Code(
        "Plural forms that do not say the same",
        "A statement has a form for one and a form for several, and they differ in more than the number: one says at "
        "least and the other at most, or one has a word such as not, before or every and the other has none. Let "
        "every form say the same.",
    ),
    "R0929": Code(
        "A word that does not go with its number",
        "A number stands beside a noun of the other number, `2 card` or `1 cards`, or forms for one and for several "
        "have changed places. What is right is learnt from the text itself: its plural forms, and terms of the "
        "glossary that it uses in both numbers. Correct the word, or give the reason below the statement.",
    ),
    "R0930": Code(
        "Every language against the rule",
        "All languages agree, and their rule says the opposite: they say fewest and the rule has `most`, last and the "
        "rule has `first(...)`. One of the two is wrong. Correct the text in every language, or the rule; if both are "
        "right, give the reason below the statement.",
    ),
    "R1001": Code(
        "A look that cannot be read",
        "A look starts with `look of NAME`, the name of the game or of one of its variants. Below that stand sentences "
        "`names: phrases`, with members indented below the domain they belong to. Pictures leave out what cannot be "
        "read.",
    ),
    "R1002": Code(
        "Unknown name in a look",
        "A look speaks of enums, tables, boards and their members, of columns (`Field.river`), and of what the game, a "
        "player or a field has. This name is none of them; it may be misspelt, or renamed in the rules since.",
    ),
    "R1003": Code(
        "Unknown phrase in a look",
        "Looks have a small, closed vocabulary: a colour, a shape, `icon NAME`, a label in a language, and a few words "
        "such as `hidden`. This phrase is not in it. Pictures leave it out.",
    ),
    "R1004": Code(
        "Unknown symbol",
        "Symbols come from the set that is part of the package. This name is not in it; search with "
        "`rulelang look symbols WORD`.",
    ),
    "R1005": Code(
        "Said twice in a look",
        "The same thing is said of one name twice, so one of the two would have no effect. Remove it.",
    ),
    "R1006": Code(
        "Label missing in a language",
        "A name that has a label in one language needs one in each language of the game, or people who play in another "
        "would meet the rules' own name. English may be left out where that name is what people say.",
    ),
    "R1007": Code(
        "Hard to tell apart",
        "Two members of one domain would be drawn with the same symbol and shape in colours that look alike, or two "
        "players have colours that somebody cannot tell apart: everybody, people who lack one kind of cones (about one "
        "man in twelve), or, where the letters on them are the same as well, whoever prints without colours. Change "
        "the colour or the symbol of one of them.",
    ),
    "R1008": Code(
        "Hard to see",
        "A piece has nearly the colour of the board or the field that it stands on, so that only its outline shows: "
        "the contrast (the ratio of WCAG, from 1 to 21) is below 1.25, and the hue does not help everybody either. "
        "Pictures are tried light, as they are printed too, and dark. Change the colour of the piece or of the board.",
    ),
}
"""Every code that a finding can have."""
