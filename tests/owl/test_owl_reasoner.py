"""Classification with the real engines: what is empty, equal or contained, and when nothing is consistent."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pyoxigraph as ox
import pytest

from reasoner.errors import OntologyError, Problems
from reasoner.owl import engines
from reasoner.owl.names import THING, ntriples
from reasoner.owl.reasoner import Classification, Engine, classify, consistent
from reasoner.reference.selector import EVERYTHING, NOTHING, Compare, Has, Selector, all_of, any_of, negate
from reasoner.terms.namespaces import CORE, OWL, RDF, TYPE

EM = "https://w3id.org/cardlore/game/ember/term/"
REF = "urn:ember:reference:"
NAMED_INDIVIDUAL = f"<{OWL}NamedIndividual>"
ENGINES: tuple[Engine, ...] = ("hermit", "pellet")


def kind(name: str) -> Has:
    return Has(TYPE.value, ox.NamedNode(EM + name))


def card_type(name: str) -> Has:
    return Has(CORE + "hasCardType", ox.NamedNode(EM + name))


def named(name: str) -> Has:
    return Has(CORE + "hasName", ox.Literal(name))


def zone(name: str) -> Has:
    return Has(CORE + "isDirectlyInZone", ox.NamedNode(EM + name))


def itself(name: str) -> Has:
    return Has(CORE + "is", ox.NamedNode("urn:ember:card:" + name))


REFERENCES: dict[str, Selector] = {
    "soldier": kind("Soldier"),
    "guard of type lény": all_of([kind("Guard"), card_type("Lény")]),
    "lény guard": all_of([card_type("Lény"), kind("Guard")]),
    "soldier of type lény": all_of([kind("Soldier"), card_type("Lény")]),
    "guard spell": all_of([kind("Guard"), kind("Spell")]),
    "guard, no soldier": all_of([kind("Guard"), negate(kind("Soldier"))]),
    "in hand and field": all_of([zone("hand"), zone("field")]),
    "guard or scout": any_of([kind("Guard"), kind("Scout")]),
    "named Őr": named("Őr"),
    "named Űr": named("Űr"),
    "itself": itself("c1"),
    "another": negate(itself("c2")),
    "anything": EVERYTHING,
    "guard or no guard": any_of([kind("Guard"), negate(kind("Guard"))]),
    "nothing": NOTHING,
}


def references(*names: str) -> dict[str, Selector]:
    return {REF + name.replace(" ", "-"): REFERENCES[name] for name in names or REFERENCES}


def short(iri: str) -> str:
    return iri.removeprefix(REF).replace("-", " ").removeprefix(EM).removeprefix(CORE)


@pytest.fixture(scope="session", params=ENGINES)
def result(request: pytest.FixtureRequest, ember: Callable[..., bytes]) -> Classification:
    found: Classification = classify(ember(), references(), request.param)
    return found


def test_empty_references_are_found(result: Classification) -> None:
    assert result.consistent
    assert sorted(map(short, result.unsatisfiable)) == [
        "guard spell",
        "guard, no soldier",
        "in hand and field",
        "nothing",
    ]


def test_equal_references_and_classes_are_found(result: Classification) -> None:
    assert sorted(sorted(map(short, group)) for group in result.equal) == [
        ["Soldier", "soldier"],
        ["anything", "guard or no guard", OWL + "Thing"],
        ["guard of type lény", "lény guard"],
    ]


def test_direct_containment(result: Classification) -> None:
    direct = {(short(whole), short(part)) for whole, part in result.contains}
    assert {("Soldier", "guard or scout"), ("guard or scout", "Guard"), ("guard or scout", "Scout")} <= direct
    assert {("Guard", "guard of type lény"), ("Guard", "lény guard"), ("soldier of type lény", "lény guard")} <= direct
    assert ("Card", "Lény") in direct
    assert ("Soldier", "Guard") not in direct  # "guard or scout" lies between
    assert all("Thing" not in pair for pair in direct)
    assert result.contains == tuple(sorted(set(result.contains)))


def test_a_card_type_stays_a_class_and_an_individual(result: Classification) -> None:
    """Its superclasses are superclasses, its types are no superclasses: owlready2 gets both wrong."""
    assert result.includes(CORE + "Card", EM + "Lény")
    assert not result.includes(CORE + "CardType", EM + "Lény")


def test_containment_across_levels(result: Classification) -> None:
    def includes(whole: str, part: str) -> bool:
        iris = {short(iri): iri for pair in result.contains for iri in pair} | {"guard spell": REF + "guard-spell"}
        return result.includes(iris[whole], iris[part])

    assert includes("Card", "lény guard")
    assert includes("soldier", "Soldier")
    assert includes("Soldier", "soldier")
    assert includes("anything", "named Őr")
    assert includes("named Őr", "guard spell")  # it is empty
    assert not includes("Guard", "Soldier")
    assert not includes("named Őr", "named Űr")


def test_empty_references_have_reasons(result: Classification) -> None:
    assert result.why[REF + "guard-spell"] == (
        f"each <{EM}Guard> is <{EM}Soldier>; each <{EM}Soldier> is <{EM}Lény>; "
        f"nothing is both <{EM}Lény> and <{EM}Spell>"
    )
    assert result.why[REF + "guard,-no-soldier"].endswith(f"the reference leaves out <{EM}Soldier>")


LEVEL = EM + "hasLevel"
COMPARED: dict[str, Selector] = {
    "at most 3": Compare(LEVEL, "AtMost", 3),
    "less than 4": Compare(LEVEL, "LessThan", 4),
    "not at most 3": negate(Compare(LEVEL, "AtMost", 3)),
    "more than 3": Compare(LEVEL, "MoreThan", 3),
    "exactly 3": Compare(LEVEL, "Exactly", 3),
    "exactly 3, at least 4": all_of([Compare(LEVEL, "Exactly", 3), Compare(LEVEL, "AtLeast", 4)]),
    "at most 3, not at most 3": all_of([Compare(LEVEL, "AtMost", 3), negate(Compare(LEVEL, "AtMost", 3))]),
    "spell not at most 3": all_of([kind("Spell"), negate(Compare(LEVEL, "AtMost", 3))]),
}


@pytest.mark.parametrize("engine", ENGINES)
def test_comparisons(engine: Engine, ember: Callable[..., bytes]) -> None:
    """An ember has one level at most, a spell none: neither a comparison nor its negation is met by what has none."""
    found = classify(ember(), {REF + name.replace(" ", "-"): one for name, one in COMPARED.items()}, engine)
    assert sorted(map(short, found.unsatisfiable)) == [
        "at most 3, not at most 3",
        "exactly 3, at least 4",
        "spell not at most 3",
    ]
    assert sorted(sorted(map(short, group)) for group in found.equal) == [
        ["at most 3", "less than 4"],
        ["more than 3", "not at most 3"],
    ]
    assert found.includes(REF + "at-most-3", REF + "exactly-3")
    assert found.includes(EM + "Lény", REF + "not-at-most-3")
    assert not found.includes(REF + "not-at-most-3", EM + "Spell")
    assert found.why[REF + "spell-not-at-most-3"].startswith(f"what has <{LEVEL}> is <{EM}Lény>")


def test_pellet_gives_the_reason_that_is_not_plain(ember: Callable[..., bytes]) -> None:
    chosen = references("in hand and field", "guard spell")
    assert set(classify(ember(), chosen).why) == {REF + "guard-spell"}
    why = classify(ember(), chosen, "pellet").why
    assert "field differentFrom hand" in why[REF + "in-hand-and-field"].splitlines()
    assert f"<{EM}Soldier>" in why[REF + "guard-spell"]


def test_referents_are_different_from_each_other(ember: Callable[..., bytes]) -> None:
    both = {REF + "both": all_of([itself("c1"), itself("c2")])}
    for engine in ENGINES:
        assert classify(ember(), both, engine).unsatisfiable == (REF + "both",)
    assert classify(ember(), references("itself", "another")).contains[-1] == (REF + "another", REF + "itself")


def test_many_references_that_say_the_same_are_one_class(
    ember: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = []

    def hierarchy(path: Path, timeout: float) -> list[engines.Edge] | None:
        sizes.append(path.read_text(encoding="utf-8").count("equivalentClass"))
        return engines.hermit_hierarchy(path, timeout)

    monkeypatch.setitem(classify.__globals__["ENGINES"], "hermit", hierarchy)
    many = {f"{REF}{number}": kind("Guard") for number in range(50)}
    found = classify(ember(), many)
    assert sizes == [1]
    assert found.equal == (frozenset({EM + "Guard", *many}),)


@pytest.mark.parametrize("engine", ENGINES)
def test_letters_survive_where_the_locale_knows_ascii_only(
    engine: Engine, ember: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    found = classify(ember(), references("named Őr", "named Űr"), engine)
    assert (EM + "Lény", EM + "Soldier") in found.contains
    assert found.equal == ()


def test_the_same_input_gives_the_same_result(ember: Callable[..., bytes]) -> None:
    lines = ember().splitlines(keepends=True)
    assert classify(ember(), references()) == classify(b"".join(reversed(lines)), dict(reversed(references().items())))


def test_an_inconsistent_vocabulary_is_a_result(ember: Callable[..., bytes]) -> None:
    data = ember("em:oops a owl:NamedIndividual , em:Guard , em:Spell .")
    for engine in ENGINES:
        found = classify(data, references("soldier"), engine)
        assert (found.consistent, found.contains, found.culprits) == (False, (), ())
        first, *axioms = found.why[THING.value].splitlines()
        assert first == "the vocabulary contradicts itself, without any reference"
        assert "oops type Spell" in axioms
        assert found.includes("urn:a", "urn:b")


def test_the_references_at_fault_are_named(ember: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    def no_pellet(path: Path, timeout: float) -> str:
        raise OntologyError("O303", "too old")

    monkeypatch.setattr(engines, "pellet_contradiction", no_pellet)
    member = f"<urn:ember:c> <{RDF}type> <{REF}guard-spell> .\n<urn:ember:c> <{RDF}type> {NAMED_INDIVIDUAL} .\n"
    found = classify(ember() + member.encode(), references("soldier", "guard spell", "itself", "another"))
    assert not found.consistent
    assert found.culprits == (REF + "guard-spell",)
    assert found.why[THING.value] == f"the vocabulary is consistent, but not with <{REF}guard-spell>"


def test_two_references_at_fault_together(ember: Callable[..., bytes]) -> None:
    member = "".join(f"<urn:ember:c> <{RDF}type> <{REF}{one}> .\n" for one in ("guard", "spell", "card"))
    chosen = {
        REF + "guard": kind("Guard"),
        REF + "spell": kind("Spell"),
        REF + "card": Has(TYPE.value, ox.NamedNode(CORE + "Card")),
    }
    found = classify(ember() + member.encode(), chosen)
    assert found.culprits == (REF + "guard", REF + "spell")


def test_consistency_alone(ember: Callable[..., bytes]) -> None:
    assert consistent(b"")
    assert consistent(ember())
    assert not consistent(ember("em:oops a owl:NamedIndividual , em:Guard , em:Spell ."))


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        (kind("Gaurd"), f"{EM}Gaurd is not declared as a class"),
        (Has(CORE + "hasNmae", ox.Literal("x")), f"{CORE}hasNmae is not declared as a data property"),
        (Has(CORE + "hasName", ox.NamedNode("urn:x")), f"{CORE}hasName is not declared as an object property"),
        (negate(Has(CORE + "hasCardType", ox.Literal("x"))), f"{CORE}hasCardType is not declared as a data property"),
    ],
)
def test_unknown_terms_are_errors(selector: Selector, message: str, ember: Callable[..., bytes]) -> None:
    with pytest.raises(OntologyError) as raised:
        classify(ember(), {REF + "r": selector})
    assert raised.value.code == "O304"
    assert raised.value.message == f"reference {REF}r: {message}"


def test_all_unknown_terms_come_at_once_with_suggestions(ember: Callable[..., bytes]) -> None:
    with pytest.raises(Problems) as raised:
        classify(ember(), {REF + "r": all_of([kind("Gaurd"), kind("Sodlier")])})
    assert [error.suggestions[0] for error in raised.value.errors] == [EM + "Guard", EM + "Soldier"]


def test_a_reference_may_use_another(ember: Callable[..., bytes]) -> None:
    inner = {REF + "inner": kind("Guard"), REF + "outer": negate(Has(TYPE.value, ox.NamedNode(REF + "inner")))}
    both = {**inner, REF + "none": all_of([kind("Guard"), Has(TYPE.value, ox.NamedNode(REF + "outer"))])}
    assert classify(ember(), both).unsatisfiable == (REF + "none",)


def test_bytes_that_are_no_n_triples_are_an_error() -> None:
    with pytest.raises(OntologyError, match="line 2 is not valid N-Triples") as raised:
        consistent(b"<urn:a> <urn:b> <urn:c> .\n<urn:a> <urn:b> .\n")
    assert raised.value.code == "O307"


def test_what_hermit_refuses_is_an_error_with_its_cause(ember: Callable[..., bytes]) -> None:
    with pytest.raises(OntologyError, match="OWL 2 datatype map") as raised:
        consistent(ember("em:ready core:hasName '2026-01-10'^^xsd:date ."))
    assert raised.value.code == "O303"
    assert "\n" not in raised.value.message
    assert "profile" in raised.value.hint


def test_what_pellet_would_ignore_is_an_error(ember: Callable[..., bytes]) -> None:
    with pytest.raises(OntologyError, match="Unsupported axiom") as raised:
        classify(ember("em:Guard owl:unheardOf em:Soldier ."), {}, "pellet")
    assert raised.value.code == "O303"


@pytest.mark.parametrize("engine", ENGINES)
def test_time_runs_out(engine: Engine, ember: Callable[..., bytes]) -> None:
    with pytest.raises(OntologyError, match=r"had not finished after 0\.01 s") as raised:
        classify(ember(), references(), engine, timeout=0.01)
    assert raised.value.code == "O302"


def test_nothing_is_printed_and_nothing_left_behind(
    ember: Callable[..., bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = dict(os.environ)
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        for engine in ENGINES:
            classify(ember(), references(), engine)
        classify(ember("em:oops a owl:NamedIndividual , em:Guard , em:Spell ."), {})
    assert (out.getvalue(), err.getvalue()) == ("", "")
    assert capfd.readouterr() == ("", "")
    assert list(tmp_path.iterdir()) == []
    assert dict(os.environ) == before


def test_the_product_s_own_vocabulary(root: Path) -> None:
    """Every game's classes have members in some model, and their references can be told apart."""
    games = sorted((root / "data").glob("*/terms.ttl"))
    assert games
    core = [quad.triple for quad in ox.parse(path=root / "ontology/core.ttl", rename_blank_nodes=True)]
    for game in games:
        terms = [quad.triple for quad in ox.parse(path=game, rename_blank_nodes=True)]
        found = classify(ntriples([*core, *terms]), {})
        assert (found.consistent, found.unsatisfiable, found.equal) == (True, (), ()), game


def test_references_of_the_first_game(root: Path) -> None:
    """A main caste contains its sub-castes; no card of a caste is an action card, for castes go with another type."""
    files = [root / "ontology/core.ttl", root / "data/magus/terms.ttl"]
    vocabulary = ntriples(quad.triple for path in files for quad in ox.parse(path=path, rename_blank_nodes=True))
    term = "https://w3id.org/cardlore/game/magus/term/"
    main, sub, action = (Has(TYPE.value, ox.NamedNode(term + name)) for name in ("HARCOS", "Harcos", "Akciolap"))
    found = classify(
        vocabulary,
        {"urn:main": main, "urn:sub": sub, "urn:again": all_of([sub, main]), "urn:none": all_of([sub, action])},
    )
    assert ("urn:main", "urn:sub") in found.contains
    assert found.unsatisfiable == ("urn:none",)
    assert f"nothing is both <{term}Akciolap> and <{term}Kalandozo>" in found.why["urn:none"]
    assert {"urn:sub", "urn:again"} <= next(group for group in found.equal if "urn:sub" in group)
