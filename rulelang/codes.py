"""The codes of all findings: what each means, why it matters, what to do. The pages in docs/codes come from this."""

from __future__ import annotations

import attrs

FAMILIES = {
    "R01": "Files and layout",
    "R02": "Writing",
    "R03": "How files, tables and variants fit together",
    "R04": "Names, types and numbers",
    "R05": "How the game runs",
    "R06": "Examples",
    "R07": "Rulebook texts",
    "R08": "Data",
    "R09": "Sources and languages",
}
"""The first three letters of a code tell what kind of finding it is."""


@attrs.frozen
class Code:
    """``title``: what is wrong in a few words. ``text``: one paragraph on meaning, reason and remedy."""

    title: str
    text: str


CODES = {
    "R0101": Code(
        "A file cannot be read",
        "The file is there by name, but the system does not let it be read: it is a folder, a link to nothing, or "
        "not yours to read. Without it nobody can tell what the game declares, so nothing else of the game is "
        "judged. Give the file its own name back, or give yourself the right to read it.",
    ),
    "R0102": Code(
        "Not UTF-8 text",
        "Rules, tables and rulebook texts are UTF-8, the usual encoding, so that every language can be written. "
        "This file holds bytes that mean nothing in UTF-8: it is in an old encoding, in UTF-16, or no text at "
        "all. Save it as UTF-8 in your editor; a mark at its start (BOM) is fine.",
    ),
    "R0103": Code(
        "A tab",
        "Indentation says which lines belong together, and a tab is as wide as each editor likes, so two people "
        "would see two different rules. Write spaces, two for each level; most editors can do that for you.",
    ),
    "R0104": Code(
        "Too long",
        "A line, or a whole file, is far longer than a rule that people read. Mostly it is no rule text at all, "
        "or lines got joined by accident. Break the line inside brackets, give parts of it names, or split the "
        "file.",
    ),
    "R0105": Code(
        "A character that cannot be seen",
        "Text copied from a web page or a document can bring characters that nobody sees: zero-width spaces, "
        "control characters, marks of writing direction. Two words that look alike would then differ. Delete the "
        "character.",
    ),
    "R0106": Code(
        "An empty file",
        "A rules file without a word in it is mostly one that was meant to be filled, or was emptied by accident. "
        "Start it with the line that says what it belongs to, or remove it.",
    ),
    "R0107": Code(
        "Nested too deep",
        "Blocks inside blocks, or brackets inside brackets, so deep that nobody can read them. The bound also "
        "keeps a broken or hostile file from using up the machine. Give the inner parts names with `define`, "
        "`let` or a rule.",
    ),
    "R0108": Code(
        "Indentation that fits nothing",
        "A line stands further right than the line above its block, or less far than any line it could belong to, "
        "so it is unclear which block it is part of. Line it up with the lines of its block; `rulelang fmt` keeps "
        "it so.",
    ),
    "R0201": Code(
        "A word that does not fit",
        "The line starts well but goes on in a way the language does not have: a misspelt word, a word too many "
        "or too few, a name that is a word of the language. Nothing that is not understood is ever skipped. "
        "Compare the line with what the message says could stand there.",
    ),
    "R0202": Code(
        "Something is missing",
        "A line breaks off, a bracket is not closed, or a line that opens a block has no indented lines below it. "
        "Complete it; a block that is meant to do nothing says `do nothing`.",
    ),
    "R0203": Code(
        "A sign that means nothing",
        "The language uses words and few signs. Signs of programming languages (`==`, `;`, `&&`), typographic "
        "signs and texts whose quote is not closed are refused, with the way to say it here.",
    ),
    "R0205": Code(
        "A name that is taken",
        "A name introduced here already stands for something else in the game. If both were allowed, a reader "
        "would have to know which one is meant where. Choose another name: one name stands for one thing.",
    ),
    "R0301": Code(
        "What a file is",
        "Every file says in its first line what it is: `game`, `part of`, `examples of` or `variant ... of`; one "
        "such line a file. Only a variant may change what another file declares. Add the line, or move what "
        "stands here to a file where it belongs.",
    ),
    "R0302": Code(
        "Two games in a folder",
        "A folder holds one game, and two of its files start with `game`. Give each game its own folder, or start "
        "one of the files with `part of`.",
    ),
    "R0303": Code(
        "Declared twice",
        "Two things have the same name or id, so a rule that uses the name could mean either. Ids of rules must "
        "differ too: rulebook, examples and statistics hang on them. Rename one, or remove the copy.",
    ),
    "R0304": Code(
        "Belongs to another game or variant",
        "A file says it belongs to a game that is not the one in its folder, or an example or a variant names a "
        "variant that is not there. Correct the name, or move the file.",
    ),
    "R0305": Code(
        "Nothing to change",
        "A variant changes, replaces, removes or extends something that the game does not have under that name or "
        "id: it was misspelt, or renamed in the game. A change that went nowhere would leave the game as it was "
        "without a word. Correct the name.",
    ),
    "R0306": Code(
        "Two variants change the same thing",
        "Both variants are in play and both change the same number, rule or declaration. Which one holds would "
        "depend on the order they happen to be read in. Say which comes last: `variant x of game after y`.",
    ),
    "R0307": Code(
        "Not for every number of players",
        "The game is for several numbers of players, and for one of them a table has no rows, a number no value, "
        "or a player no seat. Each number of players is checked by itself. Add what is missing, or change "
        "`players`.",
    ),
    "R0308": Code(
        "A table's file is missing",
        "`rows from` names a file that is not there, or one outside the game's folder. A game is complete in its "
        "folder, so that it can be copied and shared. The path is relative to the file that names it.",
    ),
    "R0309": Code(
        "Rows that do not fit their table",
        "The rows of a table must have a value of the right kind for every column. In a file the first line names "
        "the columns, the first value of each line names the row. A value is missing, too many, of the wrong kind "
        "or out of bounds, or the file is not comma-separated text. Correct the row, or the column's type.",
    ),
    "R0310": Code(
        "Variants in a circle",
        "Variants stand on one another (`of game, other`) or come after one another (`after`), and following "
        "these words leads back to the start, so there is no order to apply them in. Remove one of the steps.",
    ),
    "R0401": Code(
        "An unknown name",
        "Nothing in the game has this name. Unknown words are never skipped or guessed: a misspelt name would "
        "otherwise change the rules unseen. Correct it, or declare what it stands for.",
    ),
    "R0402": Code(
        "The wrong kind of value",
        "A value of one kind stands where another kind is needed: a player where a number belongs, a pool where a "
        "single value belongs, two things compared that can never be the same. The message names both kinds.",
    ),
    "R0403": Code(
        "The wrong number of values",
        "A rule, a definition or a place on the table needs a certain number of values, and gets more or fewer. "
        "What is kept for each player needs to know whose: `score[p]`.",
    ),
    "R0404": Code(
        "Out of bounds",
        "Every number has bounds, and this one can never lie in them; or a range is empty, something may be "
        "divided by 0, or a place would be larger than any game needs. Correct the number or widen the range "
        "where it is declared.",
    ),
    "R0405": Code(
        "No rule to run",
        "`do` names a rule that is not there, or one that stands inside another rule: such a rule runs in its "
        "place and cannot be called from elsewhere. Correct the id, or move the rule to the first column.",
    ),
    "R0406": Code(
        "A name with two meanings",
        "The name is a member of two enums or tables, and from where it stands either could be meant. Rename one "
        "of them, or use it where the other side shows which one it is.",
    ),
    "R0407": Code(
        "It may be none",
        "The value may be none: nobody, nothing, no field. What should happen then is not said. `each x in ...` "
        "runs only when there is one; `... otherwise ...` gives another value instead.",
    ),
    "R0408": Code(
        "An unknown column",
        "The table has no column of this name. Correct it, or declare the column and fill it.",
    ),
    "R0409": Code(
        "Not known before the game starts",
        "Sizes, bounds, tables and numbers are fixed before the game starts, and this depends on what happens in "
        "it. Use numbers, options, `players` and counts of enums and tables; for a value that changes, declare "
        "something under `the game has`.",
    ),
    "R0410": Code(
        "An attribute that does not fit",
        "`at most`, `not below`, `any N others for 1` say something about one kind of thing each, and this thing "
        "is of another kind. Remove the attribute, or change what the thing is.",
    ),
    "R0411": Code(
        "Not in its place",
        "`needs` stands first in a rule or an option, before anything happens; rules inside others run in their "
        "place, so they have no parameters and wait for no event. Move it.",
    ),
    "R0412": Code(
        "No score to count in",
        "`scores` and `loses` change what is called `score` and kept for each player, a number. The game has "
        "none. Declare it under `each Player has`.",
    ),
    "R0413": Code(
        "A reading without its reason",
        "A reading decides where the rulebook is silent or can be understood in two ways. Whoever reads it later "
        "wants to know why one way was taken. Add `because` with the reason.",
    ),
    "R0414": Code(
        "The game has no beginning",
        "A game starts with its rule `play` and ends with it. There is no rule of that id. Write one, or give the "
        "rule that runs the game this id.",
    ),
    "R0415": Code(
        "Nothing says who wins",
        "Players score, but nothing says that the score decides. Write a `winner` line, with what decides between "
        "players who are equal, or let a rule say `... wins`.",
    ),
    "R0501": Code(
        "A case is missing",
        "A definition by cases has no value for some of them: a member without a line, no `otherwise` at the end, "
        "or lines below `otherwise` that are never reached. Then some rule would one day find no value. Add the "
        "case.",
    ),
    "R0502": Code(
        "A shortage that is not decided",
        "There may be less than is moved, drawn or paid, or nothing to choose, and the text does not say what "
        "happens then. Rulebooks forget this often, and each table decides otherwise. Guard the step (`needs`, "
        "`if`), take `up to` so many, say `otherwise`, or begin with `surely` when the rules never let it happen: "
        "then it is checked while the game runs.",
    ),
    "R0503": Code(
        "A place that may be full",
        "The place has room for so many pieces, and here it may be full already. Check first that there is room, "
        "or begin with `surely` when the rules never let it happen.",
    ),
    "R0504": Code(
        "Something needs itself",
        "A rule runs itself, or a definition or number is defined by itself, perhaps through others. It would "
        "never come to an end. Break the circle; to do something several times, write `repeat at most`.",
    ),
    "R0505": Code(
        "Events in a circle",
        "A rule that waits for an event announces it again, perhaps through other rules, so one event would start "
        "the next for ever. Break the circle.",
    ),
    "R0506": Code(
        "Nothing to stop",
        "`stop` leaves the `repeat` or `take turns` around it, and around this one there is none in the same "
        "rule. Move it into the loop, or use `if` to leave the rest out.",
    ),
    "R0507": Code(
        "Turns in which nobody decides",
        "In these turns nobody chooses, nothing is rolled and nothing is drawn, so they would run on by "
        "themselves. Let somebody decide in the turn, or go through the players once with `each`.",
    ),
    "R0508": Code(
        "Hidden things would show",
        "What is hidden from players would become known: a list of options depends on it, or it says `seen by "
        "owner` and has no owner. Let the owner choose, look only at how many there are, or change who sees it.",
    ),
    "R0509": Code(
        "Never used",
        "A rule is never run, an event never announced or never waited for, a graph never asked for. That is "
        "allowed, but mostly a line was forgotten or a name misspelt. Use it or remove it.",
    ),
    "R0510": Code(
        "It never ends",
        "Nothing ends these turns or this repeat: no `until`, no `stop`, no end of the game. Say when they end.",
    ),
    "R0511": Code(
        "Deciding together changes what all share",
        "What players decide together must not depend on the order they are asked in, so the block may change only "
        "what belongs to the player it is run for, and look only at that and at what was known before. Change shared "
        "things after the block, going through the players one by one.",
    ),
    "R0601": Code(
        "The players of an example",
        "The example names more or fewer players than the game is for, or two players by the same name. Name the "
        "right number, each differently.",
    ),
    "R0602": Code(
        "An unknown number or option in an example",
        "`with` gives a number, option or reading another value for this example. There is none of that name, or "
        "it does not have that value.",
    ),
    "R0603": Code(
        "An unknown rule or option in an example",
        "The example runs, chooses or expects something that the game does not have under that id. Often the rule "
        "was renamed and the example was not. Correct the id.",
    ),
    "R0604": Code(
        "Not a state of the table",
        "`given` says what lies on the table when the example begins: places, values, flags that the game keeps. "
        "What is computed cannot be given; give what it is computed from. Numbers and options are set by `with`.",
    ),
    "R0701": Code(
        "A rule without a statement",
        "A rule, number, table or reading runs in the game, and the rulebook of one language does not mention it; or "
        "its section is empty. A player with that rulebook could not know it. Write a section with its id and a "
        "statement.",
    ),
    "R0702": Code(
        "A section without a rule",
        "The rulebook has a section with an id that nothing in the game has: the rule was removed or renamed, or the "
        "id is misspelt. Correct the id, or remove the section.",
    ),
    "R0703": Code(
        "A wrong value in a rulebook text",
        "Values stand in braces and come from the rules, so that text and game never differ. What is in these braces "
        "is not a number of the game, or a brace has no partner.",
    ),
    "R0704": Code(
        "A value that depends on the number of players",
        "The number differs with the number of players, so the text must say which it means: `{name@2}` for two "
        "players.",
    ),
    "R0705": Code(
        "Malformed rulebook text",
        "A rulebook text consists of headings, sections with an id, and numbered statements, counted from 1 in each "
        "section. Everything else would belong to no rule and be checked by nobody. Make it a statement or remove it.",
    ),
    "R0801": Code(
        "Stand-in data",
        "Some rows are marked as stand-ins: the real values were not known. The game can be played, but its "
        "results rest on them. This is a note, not an error; replace the rows and drop the mark when the values "
        "are known.",
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
        "text without meaning is a passage of the kind `noise`.",
    ),
    "R0905": Code(
        "Document differs from its map",
        "Maps point at lines of one exact text, known by its hash. The text that was found is another one: a new "
        "edition, another scan, or somebody corrected it. Get the text that was mapped, or look at each passage named "
        "and write its new hash down.",
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
        "check of that name. Reasons that outlive their findings would one day hide a real one. Remove it, or correct "
        "the name.",
    ),
    "R0910": Code(
        "A number differs",
        "A statement has another number in one language than in the others, whether in digits, in words or as a value "
        "of the rules. Two players with two rulebooks would play two games. Correct the language that is wrong. "
        "Between source documents it is a note: the rules follow one of them.",
    ),
    "R0911": Code(
        "A plus or minus differs",
        "The same number has a plus or minus in one source document and none in another, or its minus could be the "
        "bullet of a list. Points won could be read as points lost. It is a note; say which reading the rules take.",
    ),
    "R0912": Code(
        "A number typed instead of taken from the rules",
        "A statement types a number instead of taking it from the rules, so it would stay when the rules change; or "
        "nothing it is about has that number. Put the value in braces. Numbers of players may be typed.",
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
        "game. Write the term. In source documents it is a note: they may say what they like.",
    ),
    "R0916": Code(
        "Must in one language, may in another",
        "The languages of a statement differ in what is a duty, a choice or a ban. It is the mistake that changes a "
        "game most and shows least. Say the same in each, or give the reason below the statement.",
    ),
    "R0917": Code(
        "At most in one language, at least in another",
        "The languages differ in at most, at least, exactly, only, both, each or any. Say the same in each, or give "
        "the reason below the statement.",
    ),
    "R0918": Code(
        "A statement is missing in a language",
        "Another language has a statement that this one lacks, so a reader of this one does not know the rule. Write "
        "it, at the same place. That one source document lacks what others state is a note.",
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
        "A passage of a source document names a statement that no rulebook text has. The way from the source to what "
        "runs ends there. Name the statement it is now.",
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
}
"""Every code that a finding can have."""
