"""Small words that carry the force of a rule, in Dutch, English, French and German.

Each table gives, by language and class, regular expressions over lower-case text. A class is what must agree between
languages; which words say it may differ. Where two expressions meet in a text, the one that begins first wins, and of
two that begin together the one whose class stands first in the table.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Mapping

_GAP = r"(?:[ \n][\w'’-]+){0,4}?[ \n]"
"""Up to four words between the two parts of an expression."""

MODALITY: Mapping[str, Mapping[str, str]] = {
    "en": {
        "": r"as \w+(?: \w+)? as possible",
        "must not": r"(?:must|may|can|could)(?: \w+)? (?:not|never|no longer)\b|cannot|can't|mustn't|not allowed|"
        r"not permitted|not possible|impossible|forbidden|prohibited|"
        rf"\b(?:no|nobody|none|nothing|neither|no one)\b{_GAP}(?:may|can)|unable",
        "need not": r"(?:need|needs|have|has) (?:not|no)\b|(?:do|does)(?:n't| not) (?:need|have) to|needn't|"
        rf"\b(?:nobody|no one|none)\b{_GAP}?(?:needs?|ha(?:s|ve)) to",
        "must": r"must|have to|has to|needs? to|obliged|compulsory|mandatory|shall",
        "may": r"may|can|could|allowed|permitted|possible|is free to|are free to|optional|opportunity|opportunities|"
        r"the option of|say no",
    },
    "nl": {
        "": r"zo \w+ mogelijk",
        "must not": rf"\b(?:mag|mogen|kan|kun|kunt|kunnen)\b{_GAP}(?:niet|geen|nooit|niemand)\b|niet toegestaan|"
        r"niet mogelijk|onmogelijk|verboden|(?:mag|mogen|kan|kunnen) (?:niet|geen|nooit)|"
        rf"\b(?:geen|niemand|niets|geen enkele)\b{_GAP}(?:mag|mogen|kan|kunnen)",
        "need not": rf"\b(?:niemand|geen)\b(?: \w+)? (?:hoef|moet)\w*|"
        rf"\b(?:hoef|hoeft|hoeven)\b(?:{_GAP}(?:niet|geen|niets)\b)?",
        "must": r"moet|moeten|moest|dient|dienen|verplicht|verplichting",
        "may": r"mag|mogen|kan|kun|kunt|kunnen|mogelijk|toegestaan|mogelijkheid|mogelijkheden",
    },
    "fr": {
        "": r"(?:le|la|les) (?:plus|moins)(?: \w+){0,3} possibles?",
        "must not": rf"\b(?:ne|n['’])[ \n]?(?:(?:le|la|les|lui|en|y|se|l['’])[ \n]?)*"
        r"(?:peut|peux|peuvent|pouvez|pourra|doit|doivent|devez|dois)\b(?:-\w+)?"
        rf"(?:{_GAP}|[ \n])(?:pas|plus|jamais|aucune?|rien|ni)\b|interdit|interdite|interdits|impossible|"
        r"(?:pas|plus|jamais) (?:possible|permis|autorisée?s?)|"
        rf"\b(?:aucune?|personne|nul|nulle|rien)\b{_GAP}(?:ne|n['’])[ \n]?(?:peut|peuvent)|"
        rf"\b(?:ne|n['’])[ \n]?(?:peut|peuvent)\b",
        "need not": r"(?:pas|jamais) (?:obligée?s?|obligatoires?|nécessaires?|tenue?s?|besoin)|inutile|"
        r"sans obligation|(?:personne|aucune? \w+) n['’]est (?:obligée?|tenue?)|"
        r"n['’](?:a|ont|avez) pas à",
        "must": r"doit|doivent|dois|devez|devons|faut|obligatoire|obligatoires|obligatoirement|obligée?s?|tenue?s? de",
        "may": r"peut|peux|peuvent|pouvez|puis|pouvoir|possible|possibles|possibilité|possibilités|permis|permise|"
        r"autorisée?s?|libre de|libres de|l['’]opportunité",
    },
    "de": {
        "": r"so \w+ wie möglich",
        "must not": rf"\b(?:darf|darfst|dürfen|dürft|kann|kannst|können|könnt)\b{_GAP}(?:nicht|nie|niemals|kein\w*)\b|"
        r"nicht (?:erlaubt|möglich|gestattet|zulässig)|unmöglich|verboten|unzulässig|"
        rf"\b(?:kein\w*|niemand|nichts)\b{_GAP}(?:darf|dürfen|kann|können)",
        "need not": rf"\b(?:niemand|kein\w*(?: \w+)?) (?:muss|müssen|braucht)|"
        rf"\bbrauch(?:t|st|en)?\b{_GAP}(?:nicht|kein\w*|nichts)\b|"
        rf"(?:muss|musst|müssen|müsst){_GAP}nicht\b",
        "must": r"muss|musst|müssen|müsst|verpflichtet|pflicht|verpflichtend",
        "may": r"darf|darfst|dürfen|dürft|kann|kannst|können|könnt|möglich|erlaubt|möglichkeit|möglichkeiten|gestattet|"
        r"steht .{0,20}frei|freigestellt",
    },
}
"""How binding a rule is: must, may, must not, need not; without a name what only looks like one of these."""

QUANTIFIERS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "at most": r"at most|no more than|up to|maximum(?: of)?|as many as|not more than|"
        r"(?:no|never|nor|neither)\b[^.;:]{0,40}? more than",
        "at least": r"at least|minimum(?: of)?|no fewer than|no less than|or more",
        "exactly": r"exactly|precisely",
        "more than": r"more than",
        "only": r"only|no other|solely|nothing else",
        "every": r"each|every|all|everyone|everybody|whole|entire",
        "any": r"any|whichever|whatever|no matter|regardless|random|of (?:your|their|his|her|its) choice|"
        r"anywhere",
        "both": r"both|n?either",
        "other": r"other|others|another|different|else",
        "first": r"first",
        "last": r"last|final|finally",
        "again": r"again|once more",
        "at once": r"at once|immediately|right away|straight away|directly",
    },
    "nl": {
        "at most": r"hoogstens|hooguit|ten hoogste|maximaal|max\.|maximum|niet meer dan|nooit meer dan|"
        r"tot wel|tot en met",
        "at least": r"minstens|ten minste|tenminste|minimaal|min\.|minimum|op zijn minst|of meer",
        "exactly": r"precies|exact",
        "more than": r"meer dan",
        "only": r"alleen|enkel|slechts|uitsluitend|geen andere|maar één|pas",
        "every": r"elk|elke|ieder|iedere|iedereen|alle|allemaal|alles|telkens|per|hele|volledige|volledig",
        "any": r"willekeurig|willekeurige|ongeacht|naar keuze|om het even|eender|maakt niet uit|welke .{0,20} ook|vrij",
        "both": r"beide|beiden|allebei",
        "other": r"ander|andere|anderen|anders|een ander",
        "first": r"eerst|eerste|allereerst",
        "last": r"laatste|ten slotte|slot",
        "again": r"opnieuw|nogmaals|nog een keer",
        "at once": r"meteen|onmiddellijk|direct|dadelijk",
    },
    "fr": {
        "at most": r"au plus|au maximum|maximum|tout au plus|jusqu['’]à (?:[0-9{]\w*|deux|trois)|"
        r"pas plus de|jamais plus de|"
        r"ne [^.]{0,20}dépasser",
        "at least": r"au moins|au minimum|minimum|ou plus",
        "exactly": r"exactement|précisément",
        "more than": r"plus (?:de|d['’]\w+)",
        "only": r"seulement|uniquement|(?<!un )(?<!une )(?<!du )(?<!le )(?<!la )(?<!même )seule?s?|"
        r"n(?:e[ \n]|['’](?!importe))[^.;]{1,70}?[ \n]qu(?:e|['’]\w+)|"
        r"aucune? autre",
        "both": r"tou(?:te)?s (?:les )?deux|les deux|"
        r"des deux|leurs deux|ces deux|ses deux|tes deux|l['’]une? (?:ou|et) l['’]autre",
        "every": r"chaque|chacune?|tous|toutes|tout|toute|par|(?:un|une) par|entière?s?|complète?s?|ensemble",
        "any": r"quelconques?|n['’]importe|quelles? que|quels? que|quelle? qu|au choix|au hasard|"
        r"de (?:son|leur|ton|votre) choix|peu importe|librement",
        "other": r"autre|autres|différente?s?|autrement",
        "first": r"d['’]abord|premier|premiers|en premier|première(?! mati)",
        "last": r"dernière?s?|finale?s?|enfin|finalement",
        "again": r"de nouveau|à nouveau",
        "at once": r"aussitôt|immédiatement|tout de suite|directement|sur-le-champ",
    },
    "de": {
        "at most": r"höchstens|maximal|maximum|bis zu|nicht mehr als|nie mehr als|niemals mehr als",
        "at least": r"mindestens|wenigstens|minimal|minimum|oder mehr",
        "exactly": r"genau|exakt",
        "more than": r"mehr als",
        "only": r"nur|ausschließlich|allein|lediglich|erst|kein\w* ander\w*",
        "every": r"jede|jeder|jedes|jedem|jeden|alle|all|aller|allen|alles|jeweils|je|pro|"
        r"ganze|ganzen|gesamte|gesamten",
        "any": r"beliebig\w*|irgend\w*|egal|gleich(?:gültig)?|unabhängig|zufällig\w*|nach wahl|freier wahl|seiner wahl|"
        r"ihrer wahl|eurer wahl|deiner wahl",
        "both": r"beide|beiden|beider|beides|beidseitig",
        "other": r"ander\w*|verschieden\w*|sonst",
        "first": r"zuerst|erste|ersten|erster|erstes|zunächst",
        "last": r"letzte\w*|zuletzt|schließlich|schluss\w*",
        "again": r"erneut|nochmals|noch einmal",
        "at once": r"sofort|unmittelbar|direkt|gleich",
    },
}
"""How much and how many a rule speaks of."""

BINDING = {
    "at most": "at most",
    "at least": "at least",
    "exactly": "exactly",
    "only": "only",
    "both": "both",
    "every": "each or any",
    "any": "each or any",
}
"""The quantifiers that translations of one statement must share, and what they are compared as: languages differ in
where they say "each" and where "any", and say the other classes by many means."""


def modality(text: str, language: str) -> Counter[str]:
    """How often a text says each class of ``MODALITY``; empty for a language that is not known."""
    return Counter(_classes(text, language, "modality"))


def quantifiers(text: str, language: str) -> Counter[str]:
    """How often a text says each class of ``QUANTIFIERS``; empty for a language that is not known."""
    return Counter(_classes(text, language, "quantifiers"))


def binding(text: str, language: str) -> Counter[str]:
    """As ``quantifiers``, but those of ``BINDING`` only, by what they are compared as."""
    return Counter(BINDING[name] for name in _classes(text, language, "quantifiers") if name in BINDING)


def knows(language: str) -> bool:
    """Whether there are tables for a language."""
    return language in MODALITY


@functools.lru_cache(maxsize=50_000)
def _classes(text: str, language: str, which: str) -> tuple[str, ...]:
    if not knows(language):
        return ()
    names, pattern = _pattern(language, which)
    found = []
    for match in pattern.finditer(text.lower()):
        name = match.lastgroup
        assert name is not None
        found.append(names[name])
    return tuple(filter(None, found))


@functools.cache
def _pattern(language: str, which: str) -> tuple[dict[str, str], re.Pattern[str]]:
    """One expression for all classes, in the order of the table: negations stand before what they negate."""
    table = (MODALITY if which == "modality" else QUANTIFIERS)[language]
    names = {f"c{number}": name for number, name in enumerate(table)}
    parts = "|".join(rf"(?P<c{number}>\b(?:{words})(?!\w))" for number, words in enumerate(table.values()))
    return names, re.compile(parts)
