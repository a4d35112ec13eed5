"""Selectors as OWL class expressions: what they look like, that they come back, that the bytes stay the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner.errors import OntologyError
from reasoner.language.mention import COMPARISONS, Comparison
from reasoner.owl.expressions import (
    IS,
    all_different,
    canonical,
    define,
    define_all,
    definitions,
    expression,
    selector_of,
)
from reasoner.owl.names import Index, ntriples
from reasoner.owl.profile import check
from reasoner.reference.selector import (
    EVERYTHING,
    NOTHING,
    All,
    Any,
    Compare,
    Has,
    Not,
    Selector,
    all_of,
    any_of,
    negate,
)
from reasoner.terms.namespaces import OWL, RDF, RDFS, TYPE, XSD

EX = "urn:ember:"


def kind(name: str) -> Has:
    return Has(TYPE.value, ox.NamedNode(EX + name))


def status(name: str) -> Has:
    return Has(EX + "hasStatus", ox.NamedNode(EX + name))


def named(name: str) -> Has:
    return Has(EX + "hasName", ox.Literal(name))


def itself(name: str) -> Has:
    return Has(IS.value, ox.NamedNode(EX + name))


def level(comparison: Comparison, number: int) -> Compare:
    return Compare(EX + "hasLevel", comparison, number)


def parse(turtle: str) -> list[ox.Triple]:
    spaces = {"": EX, "owl": OWL, "rdf": RDF, "rdfs": RDFS, "xsd": XSD}
    head = "".join(f"@prefix {name}: <{space}> .\n" for name, space in spaces.items())
    return [quad.triple for quad in ox.parse(head + turtle, format=ox.RdfFormat.TURTLE)]


def same_graph(one: Iterable[ox.Triple], other: Iterable[ox.Triple]) -> bool:
    datasets = [ox.Dataset(ox.Quad(t.subject, t.predicate, t.object) for t in triples) for triples in (one, other)]
    for dataset in datasets:
        dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return datasets[0] == datasets[1]


FACETS: dict[Comparison, str] = {
    "AtMost": "[ xsd:maxInclusive 3 ]",
    "AtLeast": "[ xsd:minInclusive 3 ]",
    "MoreThan": "[ xsd:minExclusive 3 ]",
    "LessThan": "[ xsd:maxExclusive 3 ]",
}


def some(facets: str, what: str = "owl:onDatatype xsd:integer ; owl:withRestrictions") -> str:
    datatype = f"[ a rdfs:Datatype ; {what} ( {facets} ) ]"
    return f"[ a owl:Restriction ; owl:onProperty :hasLevel ; owl:someValuesFrom {datatype} ]"


@pytest.mark.parametrize(
    ("selector", "turtle"),
    [
        (kind("Guard"), ":Guard"),
        (EVERYTHING, "owl:Thing"),
        (NOTHING, "owl:Nothing"),
        (status("ready"), "[ a owl:Restriction ; owl:onProperty :hasStatus ; owl:hasValue :ready ]"),
        (named("Őr"), '[ a owl:Restriction ; owl:onProperty :hasName ; owl:hasValue "Őr" ]'),
        (itself("c1"), "[ a owl:Class ; owl:oneOf ( :c1 ) ]"),
        (negate(kind("Guard")), "[ a owl:Class ; owl:complementOf :Guard ]"),
        (all_of([kind("Guard"), kind("Elf")]), "[ a owl:Class ; owl:intersectionOf ( :Elf :Guard ) ]"),
        (
            any_of([kind("Guard"), negate(itself("c1"))]),
            """[ a owl:Class ; owl:unionOf (
                :Guard [ a owl:Class ; owl:complementOf [ a owl:Class ; owl:oneOf ( :c1 ) ] ] ) ]""",
        ),
        *((level(comparison, 3), some(facets)) for comparison, facets in FACETS.items()),
        (level("Exactly", 3), some("3", "owl:oneOf")),
        (level("AtLeast", -12), some("[ xsd:minInclusive -12 ]")),
        (
            negate(level("AtMost", 3)),
            f"""[ a owl:Class ; owl:intersectionOf (
                [ a owl:Restriction ; owl:onProperty :hasLevel ; owl:someValuesFrom xsd:integer ]
                [ a owl:Class ; owl:complementOf {some("[ xsd:maxInclusive 3 ]")} ] ) ]""",
        ),
        (
            all_of([kind("Guard"), level("LessThan", 3)]),
            f"""[ a owl:Class ; owl:intersectionOf ( :Guard {some("[ xsd:maxExclusive 3 ]")} ) ]""",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_selector_has_its_class_expression(selector: Selector, turtle: str) -> None:
    expected = parse(f":r a owl:Class ; owl:equivalentClass {turtle} .")
    assert same_graph(define(EX + "r", selector), expected)
    assert definitions(expected) == {EX + "r": selector}


IRIS = st.sampled_from(["a", "B", "c.d", "é", "x(y)", "z,1"]).map(lambda name: ox.NamedNode(EX + name))
LITERALS = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=5).map(ox.Literal),
    st.integers().map(ox.Literal),
    st.booleans().map(ox.Literal),
    st.text(max_size=3).map(lambda text: ox.Literal(text, language="hu")),
)
ATOMS = st.one_of(
    IRIS.map(lambda iri: Has(TYPE.value, iri)),
    IRIS.map(lambda iri: Has(IS.value, iri)),
    st.builds(Has, st.sampled_from([EX + "p", EX + "q"]), st.one_of(IRIS, LITERALS)),
    st.builds(Compare, st.sampled_from([EX + "p", EX + "q"]), st.sampled_from(COMPARISONS), st.integers()),
)
# Any selector that can be built, canonical or not.
SELECTORS = st.recursive(
    ATOMS,
    lambda part: st.one_of(
        part.map(Not),
        st.lists(part, max_size=3).map(lambda parts: All(tuple(parts))),
        st.lists(part, max_size=3).map(lambda parts: Any(tuple(parts))),
    ),
    max_leaves=12,
)


@given(SELECTORS)
def test_a_selector_comes_back_in_canonical_form(selector: Selector) -> None:
    node, triples = expression(selector)
    assert selector_of(node, triples) == canonical(selector)
    assert canonical(canonical(selector)) == canonical(selector)


@given(st.dictionaries(st.sampled_from([EX + "r1", EX + "r2", EX + "r3"]), SELECTORS))
def test_definitions_come_back_from_their_bytes(references: dict[str, Selector]) -> None:
    data = ntriples(define_all(references))
    assert data == ntriples(define_all(dict(reversed(references.items()))))
    triples = [quad.triple for quad in ox.parse(data, format=ox.RdfFormat.N_TRIPLES)]
    assert definitions(triples) == {iri: canonical(references[iri]) for iri in sorted(references)}


@given(SELECTORS, SELECTORS)
def test_equal_selectors_and_only_they_have_equal_bytes(one: Selector, other: Selector) -> None:
    equal = canonical(one) == canonical(other)
    assert (ntriples(define(EX + "r", one)) == ntriples(define(EX + "r", other))) is equal


@given(st.dictionaries(st.sampled_from([EX + "r1", EX + "r2"]), SELECTORS, min_size=1))
def test_definitions_are_well_formed_and_share_no_blank_node(references: dict[str, Selector]) -> None:
    shape = {"O353", "O356", "O357"}
    assert [finding for finding in check(define_all(references)) if finding.code in shape] == []


def test_blank_nodes_are_named_after_the_text() -> None:
    assert ntriples(define(EX + "r", negate(kind("Guard")))).decode().splitlines()[1].split()[2].startswith("_:e")
    first, second = define(EX + "r1", status("ready")), define(EX + "r2", status("ready"))
    assert not {t.subject for t in first} & {t.subject for t in second}


def test_individuals_are_declared_once() -> None:
    references = {EX + "r1": status("ready"), EX + "r2": all_of([status("ready"), itself("c1"), named("x")])}
    declared = [t.subject for t in define_all(references) if t.object == ox.NamedNode(OWL + "NamedIndividual")]
    assert declared == [ox.NamedNode(EX + "c1"), ox.NamedNode(EX + "ready")]


def test_owl_one_of_several_is_read_as_any_of_them() -> None:
    triples = parse(":r a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:oneOf ( :b :a :b ) ] .")
    assert definitions(triples)[EX + "r"] == any_of([itself("a"), itself("b")])


def test_all_different_needs_two() -> None:
    assert all_different([EX + "a", EX + "a"]) == []
    index = Index(all_different([EX + "b", EX + "a"]))
    (node, *_) = index.subjects()
    (head,) = index.objects(node, ox.NamedNode(OWL + "distinctMembers"))
    assert index.members(head) == [ox.NamedNode(EX + "a"), ox.NamedNode(EX + "b")]


@pytest.mark.parametrize("characteristic", [TYPE.value, IS.value])
def test_a_literal_is_no_class_and_no_referent(characteristic: str) -> None:
    with pytest.raises(OntologyError, match="is a literal") as raised:
        define(EX + "r", negate(Has(characteristic, ox.Literal("x"))))
    assert raised.value.code == "O306"


@pytest.mark.parametrize(
    ("turtle", "message"),
    [
        ("[ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :C ]", "someValuesFrom"),
        ("[ a owl:Restriction ; owl:onProperty :p ; owl:allValuesFrom :C ]", "allValuesFrom"),
        ("[ a owl:Class ]", "found none"),
        ("[ a owl:Class ; owl:complementOf :C ; owl:unionOf ( :C :D ) ]", "complementOf"),
        ("[ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom xsd:integer ]", "one facet"),
        ("[ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom 3 ]", "one facet"),
        ("[ a owl:Restriction ; owl:onProperty :p , :q ; owl:someValuesFrom :C ]", "one named property"),
        (some("[ xsd:minInclusive 3 ]").replace("xsd:integer", "xsd:decimal"), "one facet"),
        (some("[ xsd:minInclusive 3 ; xsd:maxInclusive 4 ]"), "one facet"),
        (some("[ xsd:minInclusive 3 ] [ xsd:maxInclusive 4 ]"), "one facet"),
        (some("[ xsd:minInclusive 3.0 ]"), "one facet"),
        (some("'x'"), "one facet"),
        (some("[ xsd:minInclusive 'three'^^xsd:integer ]"), "one facet"),
        (some("[ xsd:pattern '3' ]"), "one facet"),
        (some(""), "one facet"),
        (some("3 4", "owl:oneOf"), "one whole number"),
        (some("'x'", "owl:oneOf"), "one whole number"),
        (some(":c1", "owl:oneOf"), "one whole number"),
        (some("3", "owl:onDatatype xsd:integer ; owl:withRestrictions ( [ xsd:minInclusive 3 ] ) ; owl:oneOf"), "one"),
        (f"[ a owl:Class ; owl:complementOf {some('[ xsd:maxInclusive 3 ]')} ]", "denied only of what has a value"),
        (
            f"""[ a owl:Class ; owl:intersectionOf (
                [ a owl:Restriction ; owl:onProperty :q ; owl:someValuesFrom xsd:integer ]
                [ a owl:Class ; owl:complementOf {some("[ xsd:maxInclusive 3 ]")} ] ) ]""",
            "one facet",
        ),
        ("[ a owl:Restriction ; owl:onProperty :p , :q ; owl:hasValue :C ]", "one named property"),
        ("[ a owl:Restriction ; owl:onProperty :p ; owl:hasValue [] ]", "not a blank node"),
        ("[ a owl:Restriction ; owl:onProperty :p ; owl:hasValue :a , :b ]", "one constructor"),
        ("[ a owl:Class ; owl:unionOf :C ]", "rdf:List"),
        ("[ a owl:Class ; owl:unionOf [ rdf:first :C ] ]", "rdf:List"),
        ("[ a owl:Class ; owl:unionOf ( :C 'x' ) ]", "literal"),
        ("[ a owl:Class ; owl:oneOf ( 'x' ) ]", "not the IRI of a referent"),
        ("'x'", "literal"),
        (":C , :D", "two definitions"),
        ("_:x . _:x a owl:Class ; owl:complementOf _:x", "contains itself"),
        ("[ a owl:Class ; owl:unionOf _:l ] . _:l rdf:first :C ; rdf:rest _:l", "rdf:List"),
    ],
)
def test_what_no_selector_can_say_is_an_error(turtle: str, message: str) -> None:
    with pytest.raises(OntologyError, match=message) as raised:
        definitions(parse(f":r a owl:Class ; owl:equivalentClass {turtle} ."))
    assert raised.value.code == "O305"


def test_the_definitions_of_a_game_are_owl_2_dl(ember: Callable[..., bytes]) -> None:
    term = "https://w3id.org/cardlore/game/ember/term/"
    core = "https://w3id.org/cardlore/term/"
    selector = all_of(
        [
            Has(TYPE.value, ox.NamedNode(term + "Guard")),
            negate(Has(core + "hasStatus", ox.NamedNode(term + "ready"))),
            any_of([Has(core + "hasName", ox.Literal("Őr")), itself("c1")]),
        ]
    )
    vocabulary = [quad.triple for quad in ox.parse(ember(), format=ox.RdfFormat.N_TRIPLES)]
    compared = all_of([Compare(term + "hasLevel", "Exactly", 3), negate(Compare(term + "hasLevel", "AtMost", 2))])
    references = {EX + "r": selector, EX + "s": negate(selector), EX + "t": compared, EX + "u": negate(compared)}
    assert check([*vocabulary, *define_all(references)]) == []
