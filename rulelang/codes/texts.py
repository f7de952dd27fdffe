"""Codes of findings in rulebooks, data, source documents and looks."""

from __future__ import annotations

from .reading import Code

TEXTS = {
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
        "Punctuation",
        "A bracket or quotation mark has no partner, or one of another language closes it; there is a blank, stop or "
        "comma too many, or none where one belongs; a sentence begins with a small letter. Whether statements end with "
        "a stop, and whether marks such as `:` have a blank before them, is learnt from the rest of the text.",
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
        "Words that do not go with one another",
        "A number stands beside a noun of the other number, `2 card` or `1 cards`, or forms for one and for several "
        "have changed places; a noun has an article of another gender or number than everywhere else; the subject "
        "that begins a sentence is several and its verb for one. What is right is learnt from the text itself: its "
        "plural forms, its articles, and terms of the glossary that it uses in both numbers. Correct the word, or give "
        "the reason below the statement.",
    ),
    "R0930": Code(
        "Every language against the rule",
        "All languages agree, and their rule says the opposite: they say fewest and the rule has `most`, last and the "
        "rule has `first(...)`. One of the two is wrong. Correct the text in every language, or the rule; if both are "
        "right, give the reason below the statement.",
    ),
    "R0931": Code(
        "A passage for two values of one reading",
        "A passage of a source document states the statements of two values of a reading. Only one of them can hold, "
        "so the map says that the passage contradicts itself. Keep the value that it speaks for; if it can be read "
        "either way, keep neither and say so in the passage's `note`.",
    ),
    "R0932": Code(
        "Spelling",
        "A word that no other statement has is one letter away from one that many have, and no dictionary has it (the "
        "dictionaries come with the extra `spell`); or it is a little word of another language of the game, left over "
        "from translating; or it has a small letter where it has a capital everywhere else. Correct it, or give the "
        "reason below the statement.",
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
"""By code."""
