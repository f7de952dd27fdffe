"""A code of findings."""

from __future__ import annotations

import attrs


@attrs.frozen
class Code:
    """``title``: what is wrong in a few words. ``text``: one paragraph on meaning, reason and remedy."""

    title: str
    text: str


# Codes of findings in files, spelling, and how the parts of a game fit together.


READING = {
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
}
"""By code."""
