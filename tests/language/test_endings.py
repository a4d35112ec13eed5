"""Endings: forms known to be right, forms known to be wrong, and the inverse, against an independent lemmatiser too."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner.language.grammar import Language
from reasoner.language.morphology import ADJECTIVE, BARE, Stem

WORDS = (
    "kalandozó szövetséges építmény küldetés akadálylap akciólap eseménylap toronyszint csapda bestia lap lovag harcos"
    " gladiátor fejvadász bajvívó barbár"
)
VOCABULARY = WORDS.split()
ENDINGS = (
    "accusative dative instrumental translative causal inessive illative elative superessive sublative delative"
    " adessive allative ablative terminative formal"
)
CASES = ENDINGS.split()

# word: plural, then accusative, instrumental, superessive, allative, formal; then plural accusative and instrumental
GOLD = """
kalandozó: kalandozók kalandozót kalandozóval kalandozón kalandozóhoz kalandozóként kalandozókat kalandozókkal
szövetséges: szövetségesek szövetségest szövetségessel szövetségesen szövetségeshez szövetségesként szövetségeseket szövetségesekkel
építmény: építmények építményt építménnyel építményen építményhez építményként építményeket építményekkel
küldetés: küldetések küldetést küldetéssel küldetésen küldetéshez küldetésként küldetéseket küldetésekkel
akciólap: akciólapok akciólapot akciólappal akciólapon akciólaphoz akciólapként akciólapokat akciólapokkal
toronyszint: toronyszintek toronyszintet toronyszinttel toronyszinten toronyszinthez toronyszintként toronyszinteket toronyszintekkel
csapda: csapdák csapdát csapdával csapdán csapdához csapdaként csapdákat csapdákkal
bestia: bestiák bestiát bestiával bestián bestiához bestiaként bestiákat bestiákkal
lovag: lovagok lovagot lovaggal lovagon lovaghoz lovagként lovagokat lovagokkal
harcos: harcosok harcost harcossal harcoson harcoshoz harcosként harcosokat harcosokkal
fejvadász: fejvadászok fejvadászt fejvadásszal fejvadászon fejvadászhoz fejvadászként fejvadászokat fejvadászokkal
bajvívó: bajvívók bajvívót bajvívóval bajvívón bajvívóhoz bajvívóként bajvívókat bajvívókkal
barbár: barbárok barbárt barbárral barbáron barbárhoz barbárként barbárokat barbárokkal
elme: elmék elmét elmével elmén elméhez elmeként elméket elmékkel
kör: körök kört körrel körön körhöz körként köröket körökkel
erdő: erdők erdőt erdővel erdőn erdőhöz erdőként erdőket erdőkkel
torony: tornyok tornyot toronnyal tornyon toronyhoz toronyként tornyokat tornyokkal
tükör: tükrök tükröt tükörrel tükrön tükörhöz tükörként tükröket tükrökkel
kéz: kezek kezet kézzel kézen kézhez kézként kezeket kezekkel
tűz: tüzek tüzet tűzzel tűzön tűzhöz tűzként tüzeket tüzekkel
híd: hidak hidat híddal hídon hídhoz hídként hidakat hidakkal
ló: lovak lovat lóval lovon lóhoz lóként lovakat lovakkal
kő: kövek követ kővel kövön kőhöz kőként köveket kövekkel
lándzsa: lándzsák lándzsát lándzsával lándzsán lándzsához lándzsaként lándzsákat lándzsákkal
bridzs: bridzsek bridzset briddzsel bridzsen bridzshez bridzsként bridzseket bridzsekkel
sakk: sakkok sakkot sakkal sakkon sakkhoz sakkként sakkokat sakkokkal
toll: tollak tollat tollal tollon tollhoz tollként tollakat tollakkal
pakli: paklik paklit paklival paklin paklihoz pakliként paklikat paklikkal
Airun al Marem: Maremek Maremet Maremmel Maremen Maremhez Maremként Maremeket Maremekkel
Rutilicus: Rutilicusok Rutilicust Rutilicussal Rutilicuson Rutilicushoz Rutilicusként Rutilicusokat Rutilicusokkal
Harry: Harryk Harryt Harryval Harryn Harryhoz Harryként Harrykat Harrykkal
"""  # noqa: E501
SLOTS = [
    (BARE, True),
    ("accusative", False),
    ("instrumental", False),
    ("superessive", False),
    ("allative", False),
    ("formal", False),
    ("accusative", True),
    ("instrumental", True),
]
ROWS = [
    (word, slot, form)
    for line in GOLD.strip().splitlines()
    for word, _, forms in [line.partition(": ")]
    for slot, form in zip(SLOTS, forms.split(), strict=True)
]


@pytest.mark.parametrize(("word", "slot", "form"), ROWS)
def test_right_forms_are_formed_and_understood(
    word: str, slot: tuple[str, bool], form: str, language: Language
) -> None:
    """In both directions; of several words the last one is inflected."""
    case, plural = slot
    *before, last = word.split()
    whole = " ".join([*before, form])
    assert whole in language.endings.inflect(word, case, plural=plural)
    assert Stem(last, case, plural) in language.endings.stems(form)


@pytest.mark.parametrize("word", VOCABULARY)
def test_the_usual_form_comes_first(word: str, language: Language) -> None:
    """For the words in use, the first form offered is the right one: it is what suggestions show."""
    forms = {slot: form for row, slot, form in ROWS if row == word}
    for (case, plural), form in forms.items():
        assert language.endings.inflect(word, case, plural=plural)[0] == form


WRONG = """
csapdat csapdak csapdaban csapdaval csapdara bestiat bestiak elmet elmek lapval lapvel lappel lapal lapt lapk laponak
kalandozóre kalandozóben kalandozóot kalandozóok szövetségesban szövetségesra szövetségesok küldetésban küldetésok
toronyszintra toronyszintok fejvadászszal fejvadásszel körhez körhoz körok kézban lovagvel lovagk harcosek harcosk
csapdáként építményk építményban barbárrel
lapja lapjai lapom lapod lapjuk lapjára lapomat lapé csapdája csapdám csapdáé kalandozója kalandozói kalandozóid
kalandozóját kalandozóé harcosa harcosaim harcosai lovagja szövetségese küldetése küldetésem keze kezében kezedben
kezemből lovai hatalma tornya bestiája
"""


@pytest.mark.parametrize("form", WRONG.split())
def test_wrong_and_possessed_forms_are_not_understood(form: str, language: Language) -> None:
    """Neither misspelt forms nor possessed ones lead to a word in use."""
    words = {*VOCABULARY, "elme", "kör", "kéz", "ló", "hatalom", "torony"}
    assert [stem for stem in language.endings.stems(form) if stem.text in words] == []


# Where the lemmatiser disagrees, it is wrong: it does not know these words, or takes them for others.
ORACLE_WRONG = {
    "akadálylapba", "akadálylapig", "akadálylapok", "akadálylapon", "akadálylapot", "akadálylappal", "akadálylappá",
    "akadálylapra", "akciólapba", "akciólapig", "akciólapok", "akciólapon", "akciólapot", "akciólappal", "akciólappá",
    "akciólapra", "bajvívóba", "bajvívóig", "bajvívók", "bajvívón", "bajvívóra", "bajvívót", "bajvívóvá",
    "eseménylapba", "eseménylapig", "eseménylapok", "eseménylapon", "eseménylapot", "eseménylappal", "eseménylappá",
    "eseménylapra", "lappal", "lappá",
}  # fmt: skip


def test_an_independent_lemmatiser_agrees(language: Language) -> None:
    """The first form in every slot of every word in use leads the lemmatiser back to that word, and so it does us."""
    import simplemma

    wrong, forms = set(), 0
    for word in VOCABULARY:
        for case, plural in [(BARE, True), *((case, plural) for case in CASES for plural in (False, True))]:
            form = language.endings.inflect(word, case, plural=plural)[0]
            forms += 1
            if simplemma.lemmatize(form, lang="hu") != word:
                wrong.add(form)
            assert Stem(word, case, plural) in language.endings.stems(form)
    assert forms == len(VOCABULARY) * (2 * len(CASES) + 1)
    assert wrong == ORACLE_WRONG


ADJECTIVES = """
szint: szintű, költség: költségű, idézési költség: idézési költségű, támadás: támadású, szám: számú, pont: pontú,
érték: értékű, mana: manájú, elme: elméjű, erdő: erdőjű, életerő: életerejű, idő: idejű, kéz: kezű, bokor: bokrú,
levél: levelű, ló: lovú, lélek: lelkű, szín: színű, díj: díjú, SZINT: SZINTű
"""
MADE = [one.strip().split(": ") for one in ADJECTIVES.replace("\n", " ").split(",")]


@pytest.mark.parametrize(("word", "form"), MADE)
def test_adjectives_of_quantities(word: str, form: str, language: Language) -> None:
    """The usual form comes first, and leads back to the word; an ending of a noun it is not."""
    assert language.endings.adjectives(word)[0] == form
    stems = language.endings.adjective_stems(form.split()[-1])
    assert Stem(word.split()[-1], ADJECTIVE, False) in stems
    assert ADJECTIVE not in {stem.case for stem in language.endings.stems(form)}


@pytest.mark.parametrize(
    "form", ["szintú", "szintjű", "költségú", "támadásű", "manaú", "manajú", "manáú", "szintŰ", "ű"]
)
def test_wrong_adjectives_are_not_understood(form: str, language: Language) -> None:
    """Neither the wrong vowel, nor a missing or needless consonant, nor a length that does not change."""
    assert not {stem.text for stem in language.endings.adjective_stems(form)} & {"szint", "költség", "támadás", "mana"}


@pytest.mark.parametrize(
    ("digits", "endings"),
    [
        ("1", "egyhez egynél"), ("2", "kettőhöz kettőnél"), ("3", "háromhoz háromnál"), ("5", "öthöz ötnél"),
        ("6", "hathoz hatnál"), ("10", "tízhez tíznél"), ("20", "húszhoz húsznál"), ("40", "negyvenhez negyvennél"),
        ("100", "százhoz száznál"), ("1000", "ezerhez ezernél"), ("15", "tizenöthöz tizenötnél"),
    ],
)  # fmt: skip
def test_numbers_in_digits_take_the_endings_of_their_names(digits: str, endings: str, language: Language) -> None:
    """The allative tells all three vowel classes apart."""
    allative, adessive = endings.split()
    for case, form, wrong in (("allative", allative, "hoz hez höz"), ("adessive", adessive, "nál nél")):
        for ending in wrong.split():
            assert (language.endings.after_hyphen(digits, ending) == (case,)) is form.endswith(ending)


def test_the_cases_are_these(language: Language) -> None:
    """An ending that is added takes its place in the tests."""
    assert [case.name for case in language.endings.cases] == CASES


words = st.one_of(
    st.sampled_from(VOCABULARY),
    st.text("aábcdeéfghiíjklmnoóöőprstuúüűvyz", min_size=1, max_size=10),
    st.sampled_from(["Organ Rion", "A Sötét Térítő", "HARCOS", "Kiss", "Zan-indukátor", "X"]),
)


@given(words, st.sampled_from([BARE, *CASES]), st.booleans())
def test_stems_is_the_inverse_of_inflect(language: Language, word: str, case: str, plural: bool) -> None:
    """What is formed from a word leads back to it, letter case included; what leads to a word is formed from it."""
    if case == BARE and not plural:
        assert language.endings.inflect(word) == (word,)
        return
    for form in language.endings.inflect(word, case, plural=plural):
        *before, last = form.split()
        assert before == word.split()[:-1]
        found = language.endings.stems(last)
        assert (word.split()[-1], case, plural) in [(stem.text, stem.case, stem.plural) for stem in found]
        for stem in found:
            assert last.lower() in language.endings.inflect(stem.text.lower(), stem.case, plural=stem.plural)


@given(words)
def test_adjective_stems_is_the_inverse_of_adjectives(language: Language, word: str) -> None:
    """As above."""
    for form in language.endings.adjectives(word):
        last = form.split()[-1]
        found = language.endings.adjective_stems(last)
        assert word.split()[-1] in [stem.text for stem in found]
        assert all(last.lower() in language.endings.adjectives(stem.text.lower()) for stem in found)


@given(st.text(max_size=20))
def test_any_text_has_only_stems_that_form_it(language: Language, form: str) -> None:
    """Arbitrary text never fails, and `stems` never invents."""
    for stem in language.endings.stems(form):
        assert form.lower() in language.endings.inflect(stem.text.lower(), stem.case, plural=stem.plural)
    for stem in language.endings.adjective_stems(form):
        assert form.lower() in language.endings.adjectives(stem.text.lower())
    language.endings.guesses(form)
    language.endings.after_hyphen(form, "ra")
    language.endings.after_hyphen("Rion", form)


@pytest.mark.parametrize(
    ("form", "stem"),
    [
        ("HARCOSra", "HARCOS"),
        ("HARCOSRA", "HARCOS"),
        ("Harcosra", "Harcos"),
        ("CSAPDÁK", "CSAPDA"),
        ("Csapdák", "Csapda"),
        ("TORNYOK", "TORONY"),
        ("Tornyok", "Torony"),
        ("FEJVADÁSSZAL", "FEJVADÁSZ"),
        ("HATALMAT", "HATALOM"),
    ],
)
def test_stems_keep_the_letter_case_that_is_typed(form: str, stem: str, language: Language) -> None:
    """Letters that the form has not, too, are as the others."""
    assert stem in [one.text for one in language.endings.stems(form)]


@pytest.mark.parametrize("form", ["harcosRA", "HarcosRa", "harcosRa", "HARCOSrA"])
def test_an_ending_in_capitals_belongs_to_a_word_in_capitals(form: str, language: Language) -> None:
    """Other mixtures are misprints."""
    assert language.endings.stems(form) == ()


@pytest.mark.parametrize(
    ("word", "ending", "cases"),
    [
        ("Rion", "t", {"accusative"}),
        ("Rion", "nal", {"instrumental"}),
        ("Rion", "val", set()),
        ("Rion", "nel", set()),
        ("Rion", "ra", {"sublative"}),
        ("Rion", "ok", {BARE}),
        ("Rion", "okat", {"accusative"}),
        ("Rion", "okkal", {"instrumental"}),
        ("Fejvadász", "szal", {"instrumental"}),
        ("Kiss", "sel", {"instrumental"}),
        ("Csapda", "t", {"accusative"}),
        ("Csapda", "k", {BARE}),
        ("RION", "RA", {"sublative"}),
        ("Rion", "RA", set()),
        ("Rion", "ja", set()),
        ("", "t", set()),
    ],
)
def test_endings_after_a_hyphen(word: str, ending: str, cases: set[str], language: Language) -> None:
    """The word stays as it is; the doubled consonant goes to the ending."""
    assert set(language.endings.after_hyphen(word, ending)) == cases


def test_guesses_explain_a_misspelt_form(language: Language) -> None:
    """Wrong harmony, a short vowel, no assimilation."""
    assert ("kalandozó", "sublative", False) in language.endings.guesses("kalandozóre")
    assert ("csapda", "accusative", False) in language.endings.guesses("csapdat")
    assert ("lap", "instrumental", False) in language.endings.guesses("lapval")
