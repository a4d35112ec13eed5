"""Witnesses: the rules that could disagree, the smallest situations in which they do, and what those show."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from reasoner.knowledge.base import KnowledgeBase, open_base
from reasoner.operations.casefile import read_case
from reasoner.operations.cases import run_case
from reasoner.operations.checks.candidates import candidate_pairs
from reasoner.operations.checks.contradictions import contradictions
from reasoner.operations.checks.findings import INFO, WARNING
from reasoner.operations.checks.generate import Placed, Situation
from reasoner.operations.checks.playing import Player, answers, flow, prevailing
from reasoner.operations.checks.subject import Subject
from reasoner.operations.checks.trials import Found, Trials
from reasoner.operations.checks.witness import Search, search
from reasoner.paths import Library

from .libraries import ROOT, ember

HEADER = """\
#+ id: ember:{name}
#+ title: A rule of the test
#+ source: embers:rules 1
#+ edition: undated
PREFIX core: <https://w3id.org/cardlore/term/>
PREFIX ember: <https://w3id.org/cardlore/game/ember/term/>
"""
COSTS = """
ember:printedCost a owl:DatatypeProperty ;
  rdfs:label "printed cost"@en ; rdfs:domain core:Card ; rdfs:range xsd:integer ; core:cardField "cost" .
ember:Base a owl:NamedIndividual, core:Quantity ; rdfs:label "base cost"@en, "alapár"@hu ;
  core:isGivenBy core:hasBaseCost .
ember:Modified a owl:NamedIndividual, core:Quantity ; rdfs:label "modified cost"@en, "végár"@hu ;
  core:isGivenBy core:hasModifiedCost .
ember:Cost a owl:NamedIndividual, core:Quantity ; rdfs:label "cost"@en, "ár"@hu .
"""
COST_RULES = {
    "base": """CONSTRUCT { ?one core:hasBaseCost ?cost }
        WHERE { ?one core:hasOwnCard ?card . ?card ember:printedCost ?cost }""",
    "fresh": """CONSTRUCT { ?one core:hasModifiedCost ?cost }
        WHERE { ?one core:hasBaseCost ?cost ; core:lacksStatus ember:Tired }""",
    "tired": """CONSTRUCT { ?one core:hasModifiedCost ?more }
        WHERE { ?one core:hasBaseCost ?cost ; core:hasStatus ember:Tired . BIND(?cost + 1 AS ?more) }""",
    "old": """CONSTRUCT { ?word core:meansQuantity ember:Modified ; core:isReadAs ember:Cost }
        WHERE { ?word core:canDenote ember:Cost }""",
    "new": """CONSTRUCT { ?word core:meansQuantity ember:Base ; core:isReadAs ember:Cost }
        WHERE { ?word core:canDenote ember:Cost }""",
}

Opened = Callable[..., KnowledgeBase]


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    """Ember with further rules, by name, and with further terms."""

    def make(terms: str = "", **rules: str) -> KnowledgeBase:
        library = ember(tmp_path / "library")
        for name, text in rules.items():
            path = library.data / "ember" / "rules" / f"{name}.rq"
            path.write_text(HEADER.format(name=name) + text, encoding="utf-8")
        with (library.data / "ember" / "terms.ttl").open("a", encoding="utf-8") as file:
            file.write(terms)
        return open_base(library, "ember")

    return make


@pytest.fixture(scope="module")
def magus() -> KnowledgeBase:
    """The first game as it is."""
    return open_base(Library(ROOT), "magus")


@pytest.fixture(scope="module")
def searched(magus: KnowledgeBase) -> Search:
    """What the search finds there."""
    return search(magus)


def rules_of(found: Found) -> tuple[str, str, str]:
    first, second = found.disagreement.rules
    return first.id, second.id, found.disagreement.basis


def replayed(case: str, base: KnowledgeBase, folder: Path) -> None:
    """Check that a witness is a case that can be pasted: it passes, and what it cites has a part in its answers."""
    path = folder / "witness.yaml"
    path.write_text(case, encoding="utf-8")
    result = run_case(read_case(path, [base.game]), base)
    assert result.passed, (result.error, result.differences, case)
    assert result.conflicts


# --- in the invented game


def test_clean_game_has_nothing_to_search(opened: Opened) -> None:
    """What one clause excepts from itself is no contradiction."""
    base = opened()
    found = search(base)
    assert (found.pairs, found.found, found.trials) == ((), (), 0)
    assert found.note == "rules that could disagree: 0 pairs; a witness for 0"


def test_smallest_situation_about_an_object(opened: Opened, tmp_path: Path) -> None:
    """One object, with the one status that the second rule needs; both sides are told."""
    base = opened(bad="CONSTRUCT { ?one core:hasCardType ember:Varazs }\nWHERE { ?one core:hasStatus ember:Tired }")
    (found,) = search(base).found
    assert rules_of(found) == ("core:printed-type", "ember:bad", "undecided")
    assert found.case == (
        "game: ember\n"
        "title: core:printed-type against ember:bad\n"
        "cites: [core:printed-type, ember:bad]\n"
        "given:\n"
        "  tér:\n"
        "    - {id: a, card: Zsarát, tired: true}\n"
        "steps:\n"
        "  - expect: {characteristics: a, type: unsettled}\n"
    )
    assert found.says == (
        "if core:printed-type is followed, type of a is lény",
        "if ember:bad is followed, type of a is varázs",
    )
    replayed(found.case, base, tmp_path)


def test_event_is_found_where_one_is_needed(opened: Opened, tmp_path: Path) -> None:
    """Nothing smaller will do than one move of the one card that the type is not printed on anyway."""
    base = opened(bad="CONSTRUCT { ?one core:hasCardType ember:Varazs }\nWHERE { ?event core:moves ?one }")
    (found,) = search(base).found
    assert found.situation.events == ((("move", "a"), ("to", "kéz")),)
    assert [one.status for one in found.situation.objects] == [None]
    replayed(found.case, base, tmp_path)


def test_text_is_borne_by_whom_it_takes(opened: Opened, tmp_path: Path) -> None:
    """The rules agree on what the text means unless its bearer is of the name; then a second card shows it."""
    base = opened(
        bad="""CONSTRUCT { ?word core:nameScope core:ItselfOnly } WHERE {
            ?mention core:hasWord ?word ; core:isOnReferent ?one .
            ?word core:meansName ?name . ?one core:hasName ?name }"""
    )
    own = base.library.data / "ember" / "rules" / "1-own-name.rq"
    own.unlink()
    base = open_base(base.library, "ember")
    (found,) = search(base).found
    assert rules_of(found) == ("ember:bad", "ember:names", "undecided")
    assert found.case.endswith(
        "given:\n"
        "  tér:\n"
        "    - {id: a, card: Szikra}\n"
        "    - {id: b, card: Szikra}\n"
        "steps:\n"
        "  - expect: {match: Szikra, on: a, members: {a: yes, b: unsettled}}\n"
    )
    assert found.says == ("if ember:bad is followed, b: no", "if ember:names is followed, b: yes")
    replayed(found.case, base, tmp_path)


def test_two_quantities_are_compared_rule_by_rule(opened: Opened, tmp_path: Path) -> None:
    """Where the word for a number means the one or the other, it is told where the numbers are the same."""
    base = opened(COSTS, **COST_RULES)
    cards = base.library.data / "ember" / "cards" / "cards.yaml"
    text = cards.read_text(encoding="utf-8").replace("type: lény\n", "type: lény\n    cost: 4\n")
    cards.write_text(text, encoding="utf-8")
    base = open_base(base.library, "ember")
    found = next(one for one in search(base).found if one.pair.predicate.endswith("meansQuantity"))
    assert rules_of(found) == ("ember:new", "ember:old", "undecided")
    assert found.case.endswith(
        "given:\n"
        "  tér:\n"
        "    - {id: a, card: Zsarát, tired: true}\n"
        "steps:\n"
        "  - expect: {value: ár, of: a, is: unsettled}\n"
    )
    assert found.says == ("if ember:new is followed, “ár” of a is 4", "if ember:old is followed, “ár” of a is 5")
    assert found.partly == "in part: other numbers by ember:tired; the same by ember:base, ember:fresh"
    assert "ember:fresh “A rule of the test”: both are 4 (of a in tér: [{id: a, card: Zsarát}])" in found.compared
    assert (
        "ember:tired “A rule of the test”: 4 against 5 (of a in tér: [{id: a, card: Zsarát, tired: true}])"
        in found.compared
    )
    (finding,) = (one for one in contradictions(Subject(base)) if one.message.startswith("ember:new"))
    assert finding.message.endswith(f"; {found.partly}")
    replayed(found.case, base, tmp_path)


def test_pair_that_never_meets_is_counted(opened: Opened) -> None:
    """Rules that need what excludes each other are no finding."""
    base = opened(
        one="CONSTRUCT { ?one core:hasBaseCost 1 }\nWHERE { ?one core:hasStatus ember:Tired }",
        two="CONSTRUCT { ?one core:hasBaseCost 2 }\nWHERE { ?one core:lacksStatus ember:Tired }",
    )
    found = search(base)
    assert [[rule.id for rule in pair.rules] for pair in found.pairs] == [["ember:one", "ember:two"]]
    assert found.found == ()
    assert found.trials > 0
    assert found.note == (
        f"rules that could disagree: 1 pair; a witness for 0, none for 1 in {found.trials} texts and situations"
    )


def test_budget_ends_the_search(opened: Opened) -> None:
    """With nothing to spend nothing is found."""
    base = opened(bad="CONSTRUCT { ?one core:hasCardType ember:Varazs }\nWHERE { ?one core:hasStatus ember:Tired }")
    assert search(base, most_trials=0).found == ()


def test_removed_exception_leaves_the_rules_undecided(opened: Opened) -> None:
    """Without its `exception-to` the narrower rule of Ember is an open question, with a witness."""
    base = opened()
    path = base.library.data / "ember" / "rules" / "1-own-name.rq"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("#+ exception-to: [ember:names]\n", ""), encoding="utf-8")
    (finding,) = contradictions(Subject(open_base(base.library, "ember")))
    assert (finding.code, finding.severity) == ("K401", WARNING)
    assert "members: {a: yes, b: unsettled}" in finding.witness


def test_a_player_goes_back_as_if_nothing_had_been(opened: Opened) -> None:
    """What was played before has no part in what is played next."""
    base = opened()
    dragon = Placed("a", base.card("dragon"), "tér")
    moved = ((("move", "a"), ("to", "kéz")),)
    question = {"match": "egy sárkány lap"}
    zone = {"match": "kézben lévő lap"}
    player = Player(base)
    for situation, expected in (
        (Situation((dragon,), moved), {"a": "yes"}),
        (Situation((dragon,)), {}),
        (Situation((dragon,), (*moved, (("move", "a"), ("to", "tér")))), {}),
        (Situation((Placed("b", base.card("dragon"), "kéz"),)), {"b": "yes"}),
    ):
        play = player.play(situation)
        assert play is not None
        found = answers(play, zone)
        assert found is not None
        assert found.answers == expected
        asked = answers(play, question)
        assert asked is not None
        assert list(asked.answers) == [one.piece for one in situation.objects]
    assert player.play(Situation((Placed("a", base.card("dragon"), "nowhere"),))) is None


def test_a_rule_can_be_set_over_its_rivals(opened: Opened) -> None:
    """Also over one that excepts it."""
    base = opened()
    general = next(rule for rule in base.programs.rules if rule.id == "ember:names")
    play = Player(base).play(
        Situation((Placed("a", base.card("dragon"), "tér"), Placed("b", base.card("dragon"), "tér")))
    )
    assert play is not None
    question = {"match": "Zsarát", "on": "a"}
    both = [answers(play, question, side) for side in (base, prevailing(base, general, ["ember:names.own"]))]
    assert [dict(one.answers) for one in both if one] == [{"a": "yes"}, {"a": "yes", "b": "yes"}]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"id": "a", "on": True, "is": 5}, "{id: a, on: true, is: 5}"),
        (["**Név** lap", "ember:bad", "Ő, ki: más", "no", "5", "true", ""], None),
    ],
)
def test_plain_data_is_written_as_it_is_read(value: object, text: str | None, tmp_path: Path) -> None:
    """With quotation marks only where they are needed; what is written is read back as it was."""
    from reasoner.knowledge.yamlfile import read_yaml

    written = flow(value)
    assert text is None or written == text
    assert read_yaml(tmp_path, text=written) == value


def test_cards_that_print_the_like_are_tried_once(opened: Opened) -> None:
    """One card stands for all of its kind, the plainest first; zones in which statuses apply come first."""
    base = opened()
    cards = base.library.data / "ember" / "cards" / "more.yaml"
    cards.write_text("cards:\n  - {id: other, name: Láng, type: varázs, invented: true}\n", encoding="utf-8")
    materials = Trials(open_base(base.library, "ember")).materials
    assert [card.value.rpartition("/")[2] for card in materials.cards] == ["other", "spell", "dragon"]
    assert materials.zones == ("tér", "kéz")
    assert materials.statuses == (("blessed", True), ("blessed", False), ("tired", True))
    assert materials.elsewhere == {"blessed": {"kéz"}, "tired": frozenset()}


# --- in the first game


def test_contradictions_of_the_first_game_are_found_without_its_cases(searched: Search) -> None:
    """Each with what decides; three pairs could disagree by their form and never do."""
    assert {rules_of(found) for found in searched.found} == {
        ("magus:B", "magus:B.reason", "undecided"),
        ("magus:C.lasts", "magus:F.fresh", "undecided"),
        ("magus:A", "magus:G", "specificity"),
        ("magus:D.card", "magus:A", "specificity"),
        ("magus:C", "core:printed-type", "exception"),
        ("magus:C.lasts", "core:printed-type", "exception"),
        ("magus:C", "magus:F.fresh", "exception"),
        ("magus:D", "core:spelled-name", "exception"),
    }
    left = {pair for pair in searched.pairs if pair not in {found.pair for found in searched.found}}
    assert {tuple(rule.id for rule in pair.rules) for pair in left} == {
        ("core:printed-type", "magus:F.fresh"),
        ("magus:B", "magus:B.lap"),
        ("magus:C", "magus:C.lasts"),
    }
    assert all(found.shows for found in searched.found)


def test_witnesses_of_the_first_game(searched: Search) -> None:
    """As small as they can be: what is asked, of how many objects, after which events."""
    told = {}
    for found in searched.found:
        cards = [one.card.value for one in found.situation.objects]
        events = [" ".join(map(str, dict(event).values())) for event in found.situation.events]
        told[rules_of(found)[:2]] = (len(cards), len(set(cards)), events, found.case.splitlines()[-1].split(": ", 1)[1])
    assert told["magus:B", "magus:B.reason"] == (1, 1, [], "{match: Eseménylap, members: {a: unsettled}}")
    assert told["magus:C.lasts", "magus:F.fresh"] == (
        1,
        1,
        ["a Akadálylap", "a Cserepakli"],
        "{characteristics: a, type: unsettled}",
    )
    assert told["magus:C", "magus:F.fresh"][:3] == (1, 1, ["a Cserepakli", "a Akadálylap"])
    objects, cards_of_one, events, question = told["magus:A", "magus:G"]
    assert (objects, cards_of_one, events) == (2, 1, [])
    assert question.startswith('{match: "**')
    assert question.endswith("on: a, members: {a: yes}}")
    objects, cards_of_one, events, question = told["magus:D.card", "magus:A"]
    assert (objects, cards_of_one, events) == (2, 1, [])
    assert " lap, on: a, members: {a: yes, b: yes}}" in question
    assert told["magus:D", "core:spelled-name"][:3] == (2, 2, ["a b"])


def test_witnesses_are_cases_that_pass(searched: Search, magus: KnowledgeBase, tmp_path: Path) -> None:
    """Each can be pasted into a file, and the clauses that it cites have a part in its answers."""
    for found in searched.found:
        replayed(found.case, magus, tmp_path)


def test_search_is_the_same_every_time(searched: Search, magus: KnowledgeBase) -> None:
    """Trial for trial."""
    again = search(magus)
    assert [found.case for found in again.found] == [found.case for found in searched.found]
    assert again.trials == searched.trials


def test_findings_name_witness_and_place(magus: KnowledgeBase) -> None:
    """What cases met keeps its code and place, and is told of the witness."""
    findings = list(contradictions(Subject(magus)))
    (one,) = (finding for finding in findings if finding.message.startswith("magus:C.lasts against magus:F.fresh"))
    assert (one.code, one.severity) == ("K401", WARNING)
    assert one.place is not None
    assert one.place.path.parent.name == "cases"
    assert one.witness.startswith("game: magus\n")
    assert [line for line in one.details if line.startswith("if ")] == [
        "if magus:C.lasts is followed, type of a is Akadálylap",
        "if magus:F.fresh is followed, type of a is Kalandozó",
    ]
    (one,) = (finding for finding in findings if finding.message.startswith("magus:A prevails over magus:G"))
    assert (one.code, one.severity) == ("K402", INFO)
    assert sum(bool(finding.witness) for finding in findings) == len(findings)


def test_removed_exception_of_the_first_game_is_an_open_question(tmp_path: Path) -> None:
    """C over F.fresh is decided by `exception-to` alone; without it the witness is unsettled, and no case is needed."""
    for folder in ("ontology", "data"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    shutil.rmtree(tmp_path / "data" / "magus" / "cases")
    path = tmp_path / "data" / "magus" / "rules" / "C.rq"
    text = path.read_text(encoding="utf-8")
    assert ", magus:F.fresh" in text
    path.write_text(text.replace(", magus:F.fresh", ""), encoding="utf-8")
    base = open_base(Library(tmp_path), "magus")
    assert len(candidate_pairs(base)) == 11
    found = {rules_of(one)[:2]: one for one in search(base).found}
    one = found["magus:C", "magus:F.fresh"]
    assert one.disagreement.basis == "undecided"
    assert one.case.endswith("{characteristics: a, type: unsettled}\n")
    (finding,) = (f for f in contradictions(Subject(base)) if f.message.startswith("magus:C against magus:F.fresh"))
    assert (finding.code, finding.place) == ("K401", Subject(base).rule_place(one.disagreement.rules[0]))


# --- in the second game


def test_rulings_that_follow_one_another_differ_in_part(tmp_path: Path) -> None:
    """AK28 over AK4 and AK4 over AK2 by date: another number where cards change a cost, the same for extra spending."""
    base = open_base(Library(ROOT), "hkk")
    found = {rules_of(one): one for one in search(base).found}
    for rules in (("hkk:AK28b.word", "hkk:AK4.word"), ("hkk:AK4.word", "hkk:AK2.word")):
        one = found[*rules, "later issue"]
        other, _, same = one.partly.partition("; the same by ")
        assert other == "in part: other numbers by hkk:AK4.changed"
        assert "hkk:AK4.extra" in same.split(", ")
        assert [line.rpartition(" is ")[0] for line in one.says] == [
            f"if {rule} is followed, “idézési költség” of a" for rule in rules
        ]
    for one in found.values():
        replayed(one.case, base, tmp_path)
