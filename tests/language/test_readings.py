"""Phrases with the whole list of their readings: none missing, none extra, in this order."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import replace

import pytest

from reasoner.language.grammar import Language, read
from reasoner.language.lexicon import Lexicon
from reasoner.language.mention import Mention, Reading, Word

# A phrase, and below it its readings. The notation is that of the fixture `show`.
TABLE = """
# --- one word
kalandozó
    kalandozó/t*
Kalandozó
    Kalandozó/t*
HARCOS
    HARCOS/c*
lap
    lap/w*
Gladiátor
    Gladiátor/c*
    Gladiátor/n*
gladiátor
    gladiátor/c*
Rutilicus
    Rutilicus/n*

# --- determiners, numbers, sameness
egy kalandozó lap
    egy/d kalandozó/t* lap/w
az összes HARCOS kalandozó
    az/a összes/d HARCOS/c kalandozó/t*
minden egyes lap
    minden_egyes/d lap/w*
3 kalandozó lap
    3/# kalandozó/t* lap/w
legfeljebb két szövetséges
    legfeljebb/d két/# szövetséges/t*
ugyanaz a kalandozó
    ugyanaz/same a/a kalandozó/t*
ugyanazt a kalandozó lapot
    ugyanazt/same a/a kalandozó/t* lapot/w
ugyanarra a lapra
    ugyanarra/same a/a lapra/w*
ugyanilyen lapot
    ugyanilyen/same lapot/w*
ugyanazt
    ugyanazt/same*
egy másik kalandozó
    egy/d másik/other kalandozó/t*
másik két kalandozó
    másik/other két/# kalandozó/t*
két másik kalandozó
    két/# másik/other kalandozó/t*
másikat
    másikat/other*

# --- comparisons: one word each, with number and quantity; without a quantity a number says how many
5 szintű kalandozó
    5_szintű/Exactly:5:szint kalandozó/t*
pontosan 5 szintű kalandozó
    pontosan_5_szintű/Exactly:5:szint kalandozó/t*
legfeljebb 3 idézési költségű kalandozó
    legfeljebb_3_idézési_költségű/AtMost:3:idézési_költség kalandozó/t*
legalább 4 alap idézési költségű lap
    legalább_4_alap_idézési_költségű/AtLeast:4:alap_idézési_költség lap/w*
3-nál nagyobb idézési költségű lap
    3-nál_nagyobb_idézési_költségű/MoreThan:3:idézési_költség lap/w*
5-nél kevesebb idézési költségű lap
    5-nél_kevesebb_idézési_költségű/LessThan:5:idézési_költség lap/w*
több mint 5 idézési költségű lap
    több_mint_5_idézési_költségű/MoreThan:5:idézési_költség lap/w*
3 vagy kisebb idézési költségű lap
    3_vagy_kisebb_idézési_költségű/AtMost:3:idézési_költség lap/w*
3 vagy annál magasabb szintű Lovag
    3_vagy_annál_magasabb_szintű/AtLeast:3:szint Lovag/c*
3 alatti szintű kalandozókra
    3_alatti_szintű/LessThan:3:szint kalandozókra/t*
legfeljebb 3. szintű kalandozó
    legfeljebb_3._szintű/AtMost:3:szint kalandozó/t*
harmadik szintű kalandozó
    harmadik_szintű/Exactly:3:szint kalandozó/t*
három szintű kalandozó
    három_szintű/Exactly:3:szint kalandozó/t*
egy szintű kalandozó
    egy_szintű/Exactly:1:szint kalandozó/t*
egynél nagyobb szintű kalandozó
    egynél_nagyobb_szintű/MoreThan:1:szint kalandozó/t*
10-nél nagyobb életerejű kalandozó
    10-nél_nagyobb_életerejű/MoreThan:10:életerő kalandozó/t*
3 SZINTŰ kalandozó
    3_SZINTŰ/Exactly:3:szint kalandozó/t*
Két egy szintű kalandozó
    Két/# egy_szintű/Exactly:1:szint kalandozó/t*
legalább két legfeljebb 3 szintű irányított kalandozó lap
    legalább/d két/# legfeljebb_3_szintű/AtMost:3:szint irányított/s kalandozó/t* lap/w
több mint 3 kalandozó
    több_mint/d 3/# kalandozó/t*
ugyanaz a 3 szintű kalandozó
    ugyanaz/same a/a 3_szintű/Exactly:3:szint kalandozó/t*
másik 3 szintű kalandozó
    másik/other 3_szintű/Exactly:3:szint kalandozó/t*
nem 3 szintű kalandozó
    !3_szintű/Exactly:3:szint kalandozó/t*
nem legfeljebb 3 szintű kalandozó
    !legfeljebb_3_szintű/AtMost:3:szint kalandozó/t*
Lovag vagy 3 szintű kalandozó
    Lovag/c* | 3_szintű/Exactly:3:szint kalandozó/t*
    Lovag/c kalandozó/t* | 3_szintű/Exactly:3:szint kalandozó/t*
3 szintű kalandozó vagy szövetséges
    3_szintű/Exactly:3:szint kalandozó/t* | 3_szintű/Exactly:3:szint szövetséges/t*
    3_szintű/Exactly:3:szint kalandozó/t* | szövetséges/t*
2 szintű vagy 3 szintű kalandozó
    2_szintű/Exactly:2:szint kalandozó/t* | 3_szintű/Exactly:3:szint kalandozó/t*
legalább 2 szintű és legfeljebb 4 szintű kalandozó
    legalább_2_szintű/AtLeast:2:szint legfeljebb_4_szintű/AtMost:4:szint kalandozó/t*
    legalább_2_szintű/AtLeast:2:szint kalandozó/t* | legfeljebb_4_szintű/AtMost:4:szint kalandozó/t*
idézési költség
    idézési_költség/q*
a szintet
    a/a szintet/q*

# --- statuses and places
irányított kalandozó
    irányított/s kalandozó/t*
nem irányított kalandozó
    !irányított/s kalandozó/t*
irányítatlan kalandozó
    ~irányítatlan/s kalandozó/t*
nem irányítatlan kalandozó
    !~irányítatlan/s kalandozó/t*
Jelenben lévő kalandozó
    Jelenben/z kalandozó/t*
a Múltban lévő kalandozó lap
    a/a Múltban/z kalandozó/t* lap/w
egy kézben levő lap
    egy/d kézben/z lap/w*
Múltból egy lap
    Múltból/z egy/d lap/w*
egy kalandozó lapot a Múltból
    egy/d kalandozó/t* lapot/w a/a Múltból/z
minden kalandozó a Jelenben
    minden/d kalandozó/t* a/a Jelenben/z
kézben vagy a Múltban lévő lap
    kézben/z lap/w* | a/a Múltban/z lap/w*
nem a Jelenben lévő kalandozó
    a/a !Jelenben/z kalandozó/t*

# --- types, classifiers and names
csapda akadálylap
    csapda/t akadálylap/t*
HARCOS lap
    HARCOS/c* lap/w
HARCOS Lovag kalandozó lap
    HARCOS/c Lovag/c kalandozó/t* lap/w
Organ Rion kalandozó lap
    Organ_Rion/n kalandozó/t* lap/w
**Organ Rion** kalandozó lap
    **Organ_Rion**/n kalandozó/t* lap/w
„Organ Rion” kalandozó
    Organ_Rion/n kalandozó/t*
"Organ Rion" kalandozó
    Organ_Rion/n kalandozó/t*
„**Organ Rion**” lap
    **Organ_Rion**/n* lap/w
A Sötét Térítő
    A_Sötét_Térítő/n*
a A Sötét Térítő
    a/a A_Sötét_Térítő/n*
Kard, amely dalol vagy Vér-eskü
    Kard,_amely_dalol/n* | Vér-eskü/n*

# --- endings
HARCOSOKRA
    HARCOSOKRA/c*
HARCOSra
    HARCOSra/c*
Harcosok
    Harcosok/c*
Lovaggal
    Lovaggal/c*
Organ Rion-t
    Organ_Rion-t/n*
Organ Riont
    Organ_Riont/n*
**Organ Rion**ra
    **Organ_Rionra**/n*
**Organ Rionra**
    **Organ_Rionra**/n*
**Organ Rion**-nal
    **Organ_Rion-nal**/n*
„Organ Rion”-t
    Organ_Rion-t/n*
Héroszok csarnokát
    Héroszok_csarnokát/n*
**Héroszok csarnoká**ban
    **Héroszok_csarnokában**/n*
**Héroszok csarnoka**ban
    **Héroszok_csarnokaban**/n*
A Sötét Térítővel
    A_Sötét_Térítővel/n*
Vér-esküt
    Vér-esküt/n*

# --- negation
nem HARCOS kalandozó
    !HARCOS/c kalandozó/t*
nem-HARCOS kalandozó
    !HARCOS/c kalandozó/t*
nem-**Organ Rion** lap
    !**Organ_Rion**/n* lap/w
nem kalandozó
    !kalandozó/t*
nem kalandozó lap
    !kalandozó/t* lap/w
HARCOS nem kalandozó lap
    HARCOS/c !kalandozó/t* lap/w
nem Lovag vagy Harcos
    !Lovag/c* | Harcos/c*
    !Lovag/c !Harcos/c*
nem-Lovag vagy Harcos
    !Lovag/c* | Harcos/c*
nem Lovag és nem Harcos
    !Lovag/c* | !Harcos/c*
nem Lovag vagy Harcos kalandozó
    !Lovag/c* | Harcos/c kalandozó/t*
    !Lovag/c !Harcos/c kalandozó/t*
    !Lovag/c kalandozó/t* | Harcos/c kalandozó/t*
nem (Lovag vagy Harcos) kalandozó
    !Lovag/c !Harcos/c kalandozó/t*
nem (rejtett Lovag vagy Harcos) kalandozó
    !rejtett/s !Harcos/c kalandozó/t* | !Lovag/c !Harcos/c kalandozó/t*
nem kalandozó vagy szövetséges lap
    !kalandozó/t* | szövetséges/t* lap/w
    !kalandozó/t !szövetséges/t* lap/w
    !kalandozó/t* lap/w | szövetséges/t* lap/w

# --- lists: the scope of what follows
Lovag vagy Harcos
    Lovag/c* | Harcos/c*
kalandozó vagy szövetséges
    kalandozó/t* | szövetséges/t*
kalandozó vagy szövetséges lap
    kalandozó/t* | szövetséges/t* lap/w
    kalandozó/t* lap/w | szövetséges/t* lap/w
egy kalandozó vagy szövetséges lap
    egy/d kalandozó/t* | egy/d szövetséges/t* lap/w
    egy/d kalandozó/t* lap/w | egy/d szövetséges/t* lap/w
(kalandozó vagy szövetséges) lap
    kalandozó/t* lap/w | szövetséges/t* lap/w
kalandozó vagy (szövetséges lap)
    kalandozó/t* | szövetséges/t* lap/w
(Lovag vagy Harcos) kalandozó lap
    Lovag/c kalandozó/t* lap/w | Harcos/c kalandozó/t* lap/w
Lovag vagy Harcos kalandozó lap
    Lovag/c* | Harcos/c kalandozó/t* lap/w
    Lovag/c kalandozó/t* lap/w | Harcos/c kalandozó/t* lap/w
Lovag, Harcos vagy Barbár kalandozó
    Lovag/c* | Harcos/c* | Barbár/c kalandozó/t*
    Lovag/c kalandozó/t* | Harcos/c kalandozó/t* | Barbár/c kalandozó/t*
Lovag, Harcos, vagy Barbár
    Lovag/c* | Harcos/c* | Barbár/c*
Lovag vagy Harcos vagy Barbár lap
    Lovag/c* | Harcos/c* | Barbár/c* lap/w
    Lovag/c* | Harcos/c* lap/w | Barbár/c* lap/w
    Lovag/c* lap/w | Harcos/c* lap/w | Barbár/c* lap/w
bestia vagy csapda akadálylap
    bestia/t* | csapda/t akadálylap/t*
    bestia/t akadálylap/t* | csapda/t akadálylap/t*
Rutilicus vagy Küdügin kalandozó
    Rutilicus/n* | Küdügin/n kalandozó/t*
    Rutilicus/n kalandozó/t* | Küdügin/n kalandozó/t*
Lovag vagy Harcos a Múltból
    Lovag/c* | Harcos/c* a/a Múltból/z
    Lovag/c* a/a Múltból/z | Harcos/c* a/a Múltból/z

# --- lists: the scope of what stands before; a status alone is no noun
rejtett Lovag vagy Harcos
    rejtett/s Lovag/c* | rejtett/s Harcos/c*
    rejtett/s Lovag/c* | Harcos/c*
rejtett vagy irányított kalandozó
    rejtett/s kalandozó/t* | irányított/s kalandozó/t*
irányított kalandozó vagy szövetséges lap
    irányított/s kalandozó/t* | irányított/s szövetséges/t* lap/w
    irányított/s kalandozó/t* | szövetséges/t* lap/w
    irányított/s kalandozó/t* lap/w | irányított/s szövetséges/t* lap/w
    irányított/s kalandozó/t* lap/w | szövetséges/t* lap/w
irányított (kalandozó vagy szövetséges lap)
    irányított/s kalandozó/t* | irányított/s szövetséges/t* lap/w
    irányított/s kalandozó/t* lap/w | irányított/s szövetséges/t* lap/w
másik kalandozó vagy szövetséges
    másik/other kalandozó/t* | másik/other szövetséges/t*
    másik/other kalandozó/t* | szövetséges/t*
egy Lovag vagy egy Harcos
    egy/d Lovag/c* | egy/d Harcos/c*
két Lovag, egy Harcos vagy Barbár
    két/# Lovag/c* | egy/d Harcos/c* | egy/d Barbár/c*
egy a Múltban lévő Lovag vagy Harcos
    egy/d a/a Múltban/z Lovag/c* | egy/d a/a Múltban/z Harcos/c*
    egy/d a/a Múltban/z Lovag/c* | egy/d Harcos/c*

# --- "and" and a comma alone: any of the attributes, or all at once; of nouns, any
irányított és rejtett kalandozó
    irányított/s rejtett/s kalandozó/t*
    irányított/s kalandozó/t* | rejtett/s kalandozó/t*
irányított, rejtett kalandozó
    irányított/s rejtett/s kalandozó/t*
    irányított/s kalandozó/t* | rejtett/s kalandozó/t*
(Lovag vagy rejtett és irányított) kalandozó
    Lovag/c kalandozó/t* | rejtett/s irányított/s kalandozó/t*
    Lovag/c kalandozó/t* | rejtett/s kalandozó/t* | irányított/s kalandozó/t*
kalandozók és szövetségesek
    kalandozók/t* | szövetségesek/t*
Lovag, Harcos
    Lovag/c* | Harcos/c*

# --- lists and endings: members agree; only if none do may the last one's ending serve all
kalandozót vagy szövetségest
    kalandozót/t* | szövetségest/t*
kalandozó vagy szövetséges lapot
    kalandozó/t* lapot/w | szövetséges/t* lapot/w
kalandozót vagy szövetséges lapot
    kalandozót/t* | szövetséges/t* lapot/w
kalandozó vagy szövetségest
    kalandozó/t* | szövetségest/t*
nem Lovagot vagy Harcost
    !Lovagot/c* | Harcost/c*
    !Lovagot/c !Harcost/c*
"""


def parse(table: str) -> dict[str, list[str]]:
    """Return phrase -> expected readings."""
    found: dict[str, list[str]] = {}
    phrase = ""
    for line in table.splitlines():
        if line.startswith("    "):
            found[phrase].append(line.strip())
        elif line.strip() and not line.startswith("#"):
            phrase = line
            assert phrase not in found, f"twice in the table: {phrase}"
            found[phrase] = []
    return found


CASES = parse(TABLE)
assert all(CASES.values())


@pytest.mark.parametrize("phrase", CASES)
def test_readings_are_exactly_these(
    phrase: str, readings: Callable[[str], tuple[Reading, ...]], show: Callable[[Reading], str]
) -> None:
    """Every reading, and no other."""
    assert list(map(show, readings(phrase))) == CASES[phrase]


# Neither of the two nouns of "not a, not b" can give up its ending to stand before the other.
NOT_ALONE = {"nem Lovagot vagy Harcost"}


@pytest.mark.parametrize(
    "phrase", [one for one, expected in CASES.items() if (expected[1:] or "|" in expected[0]) and one not in NOT_ALONE]
)
def test_every_alternative_can_be_said_alone(
    phrase: str, readings: Callable[[str], tuple[Reading, ...]], show: Callable[[Reading], str]
) -> None:
    """Each alternative of a list, written out, is itself a phrase, and that alternative is one of its readings."""
    for reading in readings(phrase):
        for mention in reading.alternatives:
            words = " ".join(
                ("nem " if word.negated else "")
                + (f"**{word.spelling}**" if word.bold else word.spelling)
                + (" lévő" if word.grammar_class == "ZONE" and word.spelling.endswith(("ban", "ben")) else "")
                for word in mention.words
            ).replace("a nem ", "nem a ")
            alone = [show(one) for one in readings(words)]
            assert show(Reading((mention,))) in alone


@pytest.mark.parametrize("phrase", CASES)
def test_offsets_slice_back_to_the_spelling(phrase: str, readings: Callable[[str], tuple[Reading, ...]]) -> None:
    """Between its offsets stands the word as typed, but for marks."""
    for reading in readings(phrase):
        for mention in reading.alternatives:
            assert sum(word.is_head for word in mention.words) == 1
            assert [word.start for word in mention.words] == sorted(word.start for word in mention.words)
            for word in mention.words:
                typed = phrase[word.start : word.end]
                for mark in ("**", "„", "”", '"'):
                    typed = typed.replace(mark, "")
                assert typed == word.spelling


def test_a_word_says_all_that_the_eye_sees(lexicon: Lexicon, language: Language) -> None:
    """Every field, for a word that means three things, an inflected name, a function word and a comparison."""
    term, core = "https://example.org/term/", "https://w3id.org/cardlore/term/"
    (reading,) = read("nem HARCOS **Organ Rion** lapot", lexicon, language)
    three = (term + "HARCOS", term + "Harcos", term + "harcos")
    caste = Word("HARCOS", "harcos", "AllCapitals", False, True, "CLASSIFIER", three, None, False, 4, 10)
    name = Word("Organ Rion", "organ rion", "Capitalised", True, False, "NAME", (), "Organ Rion", True, 13, 23)
    card = Word("lapot", "lap", "LowerCase", False, False, "CARDWORD", (core + "CardWord",), None, False, 26, 31)
    assert reading == Reading((Mention((caste, name, card)),), "hu")
    assert reading.alternatives[0].head.name == "Organ Rion"
    (reading,) = read("nem legfeljebb 3 SZINTŰ lap", lexicon, language)
    level = Word(
        "legfeljebb 3 SZINTŰ", "szint", "AllCapitals", False, True, "QUANTITY", (term + "szint",), None, *[False, 4, 23]
    )
    assert reading.alternatives[0].words[0] == replace(level, comparison="AtMost", number=3)


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("HARCOS", "AllCapitals"),
        ("HARCOSra", "AllCapitals"),
        ("HARCOSOKRA", "AllCapitals"),
        ("HARCOS-ra", "AllCapitals"),
        ("Harcosra", "Capitalised"),
        ("Harcosok", "Capitalised"),
        ("harcosokra", "LowerCase"),
        ("hArcos", "Mixed"),
        ("HARcos", "Mixed"),
        ("Héroszok csarnoka", "Capitalised"),
        ("A Sötét Térítőt", "Capitalised"),
        ("Airun al Maremmel", "Capitalised"),
        ("CSAPDÁK", "AllCapitals"),
        ("Csapdát", "Capitalised"),
    ],
)
def test_letter_case_is_that_of_the_stem(
    phrase: str, expected: str, readings: Callable[[str], tuple[Reading, ...]]
) -> None:
    """Endings do not count."""
    (reading,) = readings(phrase)
    assert reading.alternatives[0].head.letter_case == expected


def test_decomposed_accents_and_other_spaces_are_read(readings: Callable[[str], tuple[Reading, ...]]) -> None:
    """What looks the same is the same: NFD text, a no-break space, a line break."""
    plain = readings("Múltban lévő kalandozó")
    assert readings(unicodedata.normalize("NFD", "Múltban lévő kalandozó")) == plain
    assert readings("Múltban\u00a0lévő\nkalandozó") == plain


def test_reading_twice_gives_the_same(lexicon: Lexicon, language: Language) -> None:
    """The memory of shapes changes nothing."""
    phrase = "irányított kalandozó vagy szövetséges lap"
    first = read(phrase, lexicon, language)
    assert read(phrase, lexicon, language) == first
    language.outcome.cache_clear()  # type: ignore[attr-defined]
    assert read(phrase, lexicon, language) == first
