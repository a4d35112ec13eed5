"""How a query is read and run: its text, its dataset, its time, the values of its variables, and what JSON shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from reasoner.errors import CardloreError, QueryError
from reasoner.operations.query import Question, data, run_query
from reasoner.operations.queryvalues import term
from reasoner.operations.sparqlrun import Result, within
from reasoner.operations.sparqltext import SparqlText, is_sparql
from reasoner.terms.namespaces import BASE, RDF, RDFS, XSD, Prefixes, rule_iri

GRAPH = BASE + "graph/"
PREFIXES = Prefixes({"": BASE, "g": GRAPH, "card": BASE + "card/", "rdf": RDF, "rdfs": RDFS, "xsd": XSD})
# Two cards share a name; one triple stands in two graphs.
TRIG = f"""
PREFIX : <{BASE}> PREFIX card: <{BASE}card/> PREFIX g: <{GRAPH}> PREFIX rdfs: <{RDFS}>
g:cards {{ card:fox a :Card ; rdfs:label "Fox" ; :level 2 . card:owl a :Card ; rdfs:label "Owl" .
  card:owl-again a :Card ; rdfs:label "Owl" . card:fox :eats card:owl }}
g:more {{ card:fox a :Card . card:fox :likes card:fox }}
g:rules {{ {rule_iri("a:1")} a :Rule ; :about card:fox }}
"""


@pytest.fixture(scope="module")
def store() -> ox.Store:
    """A few triples in three graphs, and their merge as the default graph."""
    quads = list(ox.parse(TRIG.encode(), format=ox.RdfFormat.TRIG))
    made = ox.Store()
    made.extend([*quads, *(ox.Quad(q.subject, q.predicate, q.object, ox.DefaultGraph()) for q in quads)])
    return made


def ask(store: ox.Store, text: str, seconds: float | None = None, **values: str) -> Result:
    """Return the result of a query text."""
    return run_query(store, Question("", "", "", {}, Path("<text>"), text), PREFIXES, values, seconds)


def rows(store: ox.Store, text: str, **values: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query text as plain data."""
    return [tuple(data(value, PREFIXES) for value in row) for row in ask(store, text, **values).rows]


def refusal(store: ox.Store, text: str, seconds: float | None = None, **values: str) -> CardloreError:
    """Return the error that a query text gives."""
    with pytest.raises(QueryError) as caught:
        ask(store, text, seconds, **values)
    return caught.value


# --- the text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("SELECT * { ?s ?p ?o }", True),
        ("DESCRIBE card:fox", True),
        ("describe\ncard:fox", True),
        ("LOAD <http://example.org/x>", True),
        ("PREFIX x: <http://x/> DESCRIBE x:y", True),
        ("select.rq", False),
        ("add-a-card", False),
        ("describe/this.rq", False),
        ("", False),
    ],
)
def test_what_is_sparql(text: str, wanted: bool) -> None:
    assert is_sparql(text) is wanted


def test_words_in_strings_iris_and_comments_are_no_words() -> None:
    text = SparqlText(
        "# FROM <http://a/>\nPREFIX p: <http://FROM/>\nSELECT ?x { ?x p:FROM \"FROM <b> ?no\" , '''it's ORDER BY''' }"
    )
    assert text.form == "SELECT"
    assert text.dataset({}) is None
    assert text.variables == {"x"}
    assert not text.is_ordered
    assert text.undeclared({}) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("SELECT ?x { ?x a ?y } ORDER BY ?x", True),
        ("SELECT ?x { ?x a ?y } order\nby ?x", True),
        ("SELECT ?x { { SELECT ?x { ?x a ?y } ORDER BY ?x } }", False),
        ("SELECT ?order { ?order a ?by }", False),
    ],
)
def test_only_the_order_of_the_whole_counts(text: str, wanted: bool) -> None:
    assert SparqlText(text).is_ordered is wanted


# --- what is asked


def test_a_triple_in_two_graphs_is_one_in_the_default_graph(store: ox.Store) -> None:
    assert rows(store, "SELECT (COUNT(*) AS ?n) { card:fox a :Card }") == [(1,)]
    assert rows(store, "SELECT (COUNT(*) AS ?n) { GRAPH ?g { card:fox a :Card } }") == [(2,)]


@pytest.mark.parametrize(
    ("clause", "default", "named"),
    [
        ("", 11, 12),
        ("FROM g:more", 2, 0),
        ("FROM g:more FROM g:cards", 9, 0),
        ("FROM NAMED g:more", 0, 2),
        ("FROM g:cards FROM NAMED g:more FROM NAMED g:rules", 8, 4),
        (f"FROM <{GRAPH}rules>", 2, 0),
    ],
)
def test_from_says_what_is_asked(store: ox.Store, clause: str, default: int, named: int) -> None:
    """Several graphs after FROM are merged; without FROM NAMED there is no graph to ask for by name."""
    assert rows(store, f"SELECT (COUNT(*) AS ?n) {clause} {{ ?s ?p ?o }}") == [(default,)]
    assert rows(store, f"SELECT (COUNT(*) AS ?n) {clause} {{ GRAPH ?g {{ ?s ?p ?o }} }}") == [(named,)]


def test_from_is_resolved_as_the_text_says(store: ox.Store) -> None:
    assert rows(store, f"BASE <{GRAPH}> SELECT (COUNT(*) AS ?n) FROM <more> {{ ?s ?p ?o }}") == [(2,)]
    assert rows(store, f"PREFIX m: <{GRAPH}m> SELECT (COUNT(*) AS ?n) FROM m:ore {{ ?s ?p ?o }}") == [(2,)]


def test_from_an_unknown_graph_is_refused(store: ox.Store) -> None:
    assert str(refusal(store, "SELECT *\n  FROM g:card { ?s ?p ?o }")) == (
        f"Q107 <text>:2:8: there is no graph <{GRAPH}card>\n"
        f"  did you mean '{GRAPH}cards' or '{GRAPH}more' or '{GRAPH}rules'?\n"
        "  SELECT ?graph { GRAPH ?graph {} } lists the graphs"
    )


def test_an_undeclared_prefix_is_named(store: ox.Store) -> None:
    assert str(refusal(store, "PREFIX crad: <http://x/>\nSELECT * { ?s a :Card . ?s cards:eats ?o }")) == (
        "Q105 <text>:2:28: the prefix 'cards:' of 'cards:eats' is not declared\n"
        "  did you mean 'card:' or 'rdfs:' or 'crad:'?\n"
        "  declare it with PREFIX, or use one of these: : card: crad: g: rdf: rdfs: xsd:"
    )


def test_other_syntax_errors_say_what_could_stand_there(store: ox.Store) -> None:
    error = refusal(store, "SELECT ?x WHERE ?x")
    assert (error.code, str(error.place)) == ("Q103", "<text>:1:17")
    assert error.message == 'not a valid SPARQL query: expected "{"'


@pytest.mark.parametrize(
    "text", ["INSERT DATA { :a :b :c }", "delete where { ?s ?p ?o }", "LOAD <http://x/>", "CLEAR ALL", "DROP ALL"]
)
def test_updates_are_refused_as_such(store: ox.Store, text: str) -> None:
    word = text.split()[0].upper()
    error = refusal(store, text)
    assert (error.code, error.message) == ("Q106", f"{word} is an update, and the knowledge base is only read")


# --- the same answer every time


@pytest.mark.parametrize(
    "text",
    [
        "SELECT (BNODE() AS ?made) ?x { ?x a :Card }",
        "SELECT (BNODE() AS ?made) ?x { ?x a :Card } ORDER BY DESC(?x)",
        "CONSTRUCT { [] :of ?x ; :called ?name } { ?x rdfs:label ?name }",
    ],
)
def test_blank_nodes_that_a_query_makes_have_the_same_labels_in_every_run(store: ox.Store, text: str) -> None:
    first = ask(store, text)
    assert any(isinstance(one, ox.BlankNode) for row in first.rows for one in row)
    assert ask(store, text) == first


def test_order_and_equal_rows_are_kept_where_blank_nodes_are_labelled(store: ox.Store) -> None:
    names = [row[1] for row in rows(store, "SELECT (BNODE() AS ?b) ?n { ?x rdfs:label ?n } ORDER BY DESC(?n)")]
    assert names == ["Owl", "Owl", "Fox"]
    some = "SELECT (IF(?n = 'Fox', BNODE(), ?none) AS ?b) { ?x rdfs:label ?n }"
    assert [row == (None,) for row in rows(store, some)] == [True, True, False]


# --- time


def test_a_long_query_ends_when_its_time_is_up(store: ox.Store) -> None:
    # Some seconds, since nothing stops the thread.
    long = "SELECT (COUNT(*) AS ?n) { " + " ".join(f"?a{i} ?b{i} ?c{i} ." for i in range(7)) + " }"
    error = refusal(store, long, seconds=0.05)
    assert (error.code, error.message) == ("Q108", "the query took longer than 0.05 seconds")


def test_what_is_done_in_time_gives_its_value_or_its_error() -> None:
    assert within(60, lambda: 7) == 7
    assert within(None, lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        within(60, lambda: 1 // 0)


# --- values


def test_a_value_is_found_by_every_way_to_call_it(store: ox.Store) -> None:
    text = "SELECT ?x ?y { ?x :eats ?y }"
    for value in ("Fox", "card:fox", f"<{BASE}card/fox>", f"{BASE}card/fox", "fox"):
        assert rows(store, text, x=value) == [("card:fox", "card:owl")], value
    assert rows(store, "SELECT ?r { ?r a :Rule }", r="a:1") == [(f":{rule_iri('a:1').value.removeprefix(BASE)}",)]
    assert rows(store, "SELECT ?x { ?x :level ?l }", l="2") == [("card:fox",)]


def test_the_query_decides_between_a_thing_and_its_name(store: ox.Store) -> None:
    assert rows(store, "SELECT ?x ?n { ?x rdfs:label ?n }", n="Fox") == [("card:fox", "Fox")]
    assert rows(store, "SELECT ?x ?n { ?x rdfs:label ?n }", x="Fox") == [("card:fox", "Fox")]


def test_several_things_of_one_name_are_refused(store: ox.Store) -> None:
    assert str(refusal(store, "SELECT ?x ?n { ?x rdfs:label ?n }", x="Owl")) == (
        "Q109 ?x = 'Owl' can be 2 things\n  give one of: card:owl, card:owl-again"
    )
    assert rows(store, "SELECT ?x ?n { ?x rdfs:label ?n }", x="owl") == [("card:owl", "Owl")]


@pytest.mark.parametrize(
    ("text", "value", "near"),
    [
        ("SELECT ?x { ?x a :Card }", "Fax", ("Fox",)),
        ("SELECT ?x { ?x a :Card }", "card:fax", ("card:fox",)),
        ("SELECT ?x { ?x a :Rule }", "a:11", ("a:1",)),
        ("SELECT (COUNT(*) AS ?n) { ?x a :Card }", "Fax", ("Fox",)),
        ("ASK { ?x a :Card }", "Fax", ("Fox",)),
        ("CONSTRUCT WHERE { ?x a :Card }", "Fax", ("Fox",)),
        ("CONSTRUCT { ?x a :Beast } WHERE { ?x a :Card }", "Fax", ("Fox",)),
        ("SELECT (COUNT(*) AS ?n) FROM g:more { ?x a :Card }", "Fax", ("Fox",)),
        ("SELECT ?y { { SELECT ?x ?y { ?y :eats ?x } } }", "Owll", ("Owl",)),
    ],
)
def test_a_value_that_nothing_is_called_is_an_error(
    store: ox.Store, text: str, value: str, near: tuple[str, ...]
) -> None:
    """Whether the variable is shown or not, in every form of a query."""
    error = refusal(store, text, x=value)
    assert (error.code, error.message) == ("Q109", f"nothing that ?x can be is called '{value}'")
    assert set(near) <= set(error.suggestions)


def test_a_known_thing_of_another_kind_is_an_error_and_one_of_the_same_kind_has_no_rows(store: ox.Store) -> None:
    text = "SELECT ?x { ?x :eats ?y }"
    assert rows(store, text, x="owl") == []
    assert refusal(store, text, x="a:1").code == "Q109"


def test_few_values_are_listed_where_none_is_near(store: ox.Store) -> None:
    assert refusal(store, "SELECT ?x { ?y :level ?x }", x="many").hint == "values: 2"


def test_a_variable_that_only_a_filter_uses_takes_any_text(store: ox.Store) -> None:
    text = "SELECT ?x { ?x rdfs:label ?n FILTER(STRSTARTS(?n, ?start)) }"
    assert rows(store, text, start="F") == [("card:fox",)]
    assert rows(store, text, start="Z") == []


def test_a_variable_that_the_query_computes_takes_a_value_that_it_can_have(store: ox.Store) -> None:
    text = "SELECT ?x { ?x rdfs:label ?n BIND(STRLEN(?n) AS ?long) BIND(CONCAT(?n, '!') AS ?loud) }"
    assert rows(store, text, loud="Fox!") == [("card:fox",)]
    assert rows(store, text, long="3", x="fox") == [("card:fox",)]
    assert refusal(store, f"{text} VALUES ?n {{ 'Fox' }}", loud="Fox!").code == "Q104"


@pytest.mark.parametrize("value", ["<no iri>", "<fox>", "http://no iri", "card:%zz", 'card:"', "{", "\\", '"'])
def test_what_is_no_iri_is_called_so_by_nothing(store: ox.Store, value: str) -> None:
    assert refusal(store, "SELECT ?x { ?x a :Card }", x=value).code == "Q109"


def test_an_unknown_variable_is_an_error(store: ox.Store) -> None:
    error = refusal(store, "SELECT ?card { ?card a :Card # ?crads\n }", crad="Fox")
    assert str(error) == "Q104 the query has no variable ?crad\n  did you mean 'card'?\n  variables: card"


# --- JSON


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("2", 2),
        (f'"-3"^^<{XSD}int>', -3),
        (f'"1.5"^^<{XSD}decimal>', 1.5),
        (f'"1e3"^^<{XSD}double>', 1000.0),
        (f'"INF"^^<{XSD}double>', "INF"),
        (f'"many"^^<{XSD}integer>', "many"),
        (f'"true"^^<{XSD}boolean>', True),
        (f'"0"^^<{XSD}boolean>', False),
        ('"2"', "2"),
        ('"róka"@hu', "róka"),
        ("card:fox", "card:fox"),
    ],
)
def test_json_has_numbers_and_truth_values_as_such(value: str, wanted: object) -> None:
    found = data(term(value, PREFIXES), PREFIXES)
    assert (found, type(found)) == (wanted, type(wanted))


def test_json_has_null_for_nothing(store: ox.Store) -> None:
    assert rows(store, "SELECT ?none { }") == [(None,)]
