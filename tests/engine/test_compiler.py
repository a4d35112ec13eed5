"""What the compiler reads off a rule: the patterns of its body by kind, its head, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.engine.compiler import compile_rule
from reasoner.engine.rule import Header, Rule
from reasoner.errors import Place, RuleError

from .ember import EMBER, PREFIXES, patterns, rule, said

HEADER = Header(id="ember:x", title="x", source="embers:rules", section="", edition="undated")

SHAPES: dict[str, tuple[str, dict[str, list[str]]]] = {
    "triples, with ; and , and a": (
        "?x a :Spell ; :p ?y , 3 .",
        {"required": ["?x a Spell", "?x p 3", "?x p ?y"]},
    ),
    "group in a group": ("{ ?x :p ?y } { { ?y :q ?z } }", {"required": ["?x p ?y", "?y q ?z"]}),
    "optional": (
        "?x :p ?y OPTIONAL { ?y :q ?z OPTIONAL { ?z :r ?w } }",
        {"required": ["?x p ?y"], "optional": ["?y q ?z", "?z r ?w"]},
    ),
    "union": (
        "?x :o ?y { ?x :p ?y } UNION { ?x :q ?y } UNION { ?x :r ?y }",
        {"required": ["?x o ?y"], "either": ["?x p ?y", "?x q ?y", "?x r ?y"]},
    ),
    "optional in a union": (
        "{ ?x :p ?y } UNION { ?x :q ?y OPTIONAL { ?x :r ?z } }",
        {
            "either": ["?x p ?y", "?x q ?y"],
            "optional": ["?x r ?z"],
        },
    ),
    "union in an optional": (
        "?x :p ?y OPTIONAL { { ?x :q ?z } UNION { ?x :r ?z } }",
        {
            "required": ["?x p ?y"],
            "optional": ["?x q ?z", "?x r ?z"],
        },
    ),
    "not exists": (
        "?x :p ?y FILTER NOT EXISTS { ?x :q ?z . ?z :r ?y }",
        {"required": ["?x p ?y"], "absent": ["?x q ?z", "?z r ?y"]},
    ),
    "not exists among other conditions": (
        "?x :p ?y FILTER(?y > 1 && NOT EXISTS { ?x :q ?z } && ?y < 9)",
        {"required": ["?x p ?y"], "absent": ["?x q ?z"]},
    ),
    "not exists that need not apply": (
        "?x :p ?y FILTER(?y > 1 || NOT EXISTS { ?x :q ?z })",
        {"required": ["?x p ?y"], "guarded": ["?x q ?z"]},
    ),
    "not exists in not exists": (
        "?x :p ?y FILTER NOT EXISTS { ?x :q ?z FILTER NOT EXISTS { ?z :r ?w } }",
        {"required": ["?x p ?y"], "absent": ["?x q ?z"], "guarded": ["?z r ?w"]},
    ),
    "exists in not exists": (
        "?x :p ?y FILTER NOT EXISTS { ?x :q ?z FILTER EXISTS { ?z :r ?w } }",
        {"required": ["?x p ?y"], "absent": ["?x q ?z", "?z r ?w"]},
    ),
    "minus in exists": (
        "?x :p ?y FILTER EXISTS { ?x :q ?z MINUS { ?z :r ?w } }",
        {"required": ["?x p ?y"], "either": ["?x q ?z"], "guarded": ["?z r ?w"]},
    ),
    "everything in not exists": (
        """?x :p ?y FILTER NOT EXISTS {
             ?x :q ?z OPTIONAL { ?z :o ?w } MINUS { ?z :m ?w } { ?z :u ?w } UNION { ?z :v ?w }
             { SELECT ?z (COUNT(?k) AS ?n) { ?z :c ?k } GROUP BY ?z } BIND(1 AS ?b) VALUES ?l { 1 }
           }""",
        {
            "required": ["?x p ?y"],
            "absent": ["?x q ?z", "?z u ?w", "?z v ?w"],
            "guarded": ["?z c ?_:1", "?z m ?w", "?z o ?w"],
        },
    ),
    "minus": ("?x :p ?y MINUS { ?x :q ?y }", {"required": ["?x p ?y"], "absent": ["?x q ?y"]}),
    "minus in a minus": (
        "?x :p ?y MINUS { ?x :q ?y MINUS { ?x :r ?y } }",
        {"required": ["?x p ?y"], "absent": ["?x q ?y"], "guarded": ["?x r ?y"]},
    ),
    "not exists in one branch of a union": (
        "{ ?x :p ?y } UNION { ?x :q ?y FILTER NOT EXISTS { ?y :r ?x } }",
        {"either": ["?x p ?y", "?x q ?y"], "guarded": ["?y r ?x"]},
    ),
    "conditions of an optional": (
        "?x :p ?y OPTIONAL { ?x :o ?z FILTER EXISTS { ?z :q ?y } FILTER NOT EXISTS { ?z :r ?y } }",
        {"required": ["?x p ?y"], "optional": ["?x o ?z", "?z q ?y"], "guarded": ["?z r ?y"]},
    ),
    "exists": ("?x :p ?y FILTER EXISTS { ?x :q ?z }", {"required": ["?x p ?y"], "either": ["?x q ?z"]}),
    "exists under !": ("?x :p ?y FILTER(!EXISTS { ?x :q ?z })", {"required": ["?x p ?y"], "absent": ["?x q ?z"]}),
    "not exists under !": (
        "?x :p ?y FILTER(!(NOT EXISTS { ?x :q ?z }))",
        {"required": ["?x p ?y"], "either": ["?x q ?z"]},
    ),
    "or under !": (
        "?x :p ?y FILTER(!(EXISTS { ?x :q ?z } || NOT EXISTS { ?x :r ?z }))",
        {"required": ["?x p ?y"], "absent": ["?x q ?z"], "either": ["?x r ?z"]},
    ),
    "and under !": (
        "?x :p ?y FILTER(!(EXISTS { ?x :q ?z } && ?y = 1))",
        {"required": ["?x p ?y"], "guarded": ["?x q ?z"]},
    ),
    "exists compared": (
        "?x :p ?y FILTER(EXISTS { ?x :q ?z } = false)",
        {"required": ["?x p ?y"], "optional": ["?x q ?z"]},
    ),
    "exists bound": (
        "?x :p ?y BIND(EXISTS { ?x :q ?z } AS ?has) BIND(NOT EXISTS { ?x :r ?z } AS ?lacks)",
        {"required": ["?x p ?y"], "optional": ["?x q ?z"], "guarded": ["?x r ?z"]},
    ),
    "bind and values": (
        "?x :p ?y BIND(?y + 1 AS ?n) VALUES (?k ?l) { (:a 1) (UNDEF 2) }",
        {"required": ["?x p ?y"]},
    ),
    "aggregate": (
        "?x :p ?y { SELECT ?x (COUNT(?z) AS ?n) { ?x :q ?z } GROUP BY ?x }",
        {"required": ["?x p ?y"], "counted": ["?x q ?_:1"]},
    ),
    "aggregate without GROUP BY": (
        "?x :p ?y { SELECT (SUM(?z) + 1 AS ?n) { ?x :q ?z } }",
        {"required": ["?x p ?y"], "counted": ["?_:1 q ?_:2"]},
    ),
    "having": (
        "{ SELECT ?x { ?x :q ?z } GROUP BY ?x HAVING(COUNT(?z) > 1 && EXISTS { ?x :r ?w }) } ?x :p ?y",
        {"required": ["?x p ?y"], "counted": ["?x q ?_:1", "?x r ?_:2"]},
    ),
    "aggregate in a branch of a union": (
        "{ ?x :p ?y } UNION { ?x :q ?y { SELECT ?y (COUNT(?z) AS ?n) { ?y :r ?z } GROUP BY ?y } }",
        {"either": ["?x p ?y", "?x q ?y"], "guarded": ["?y r ?_:1"]},
    ),
    "negation in an aggregate": (
        """?x :p ?y { SELECT ?x (COUNT(?z) AS ?n)
                      { ?x :q ?z FILTER NOT EXISTS { ?z :r ?x } OPTIONAL { ?z :s ?w } } GROUP BY ?x }""",
        {"required": ["?x p ?y"], "counted": ["?_:1 s ?_:2", "?x q ?_:1"], "guarded": ["?_:1 r ?x"]},
    ),
    "limit": (
        "?x :p ?y { SELECT ?z { ?z :q ?w } ORDER BY ?w LIMIT 1 }",
        {"required": ["?x p ?y"], "counted": ["?z q ?_:1"]},
    ),
    "plain subquery hides what it does not name": (
        "?x :p ?y { SELECT DISTINCT ?x { ?x :q ?y } } { SELECT (?v AS ?w) { ?x :r ?v } }",
        {"required": ["?_:2 r ?_:3", "?x p ?y", "?x q ?_:1"]},
    ),
    "subquery of everything": ("?x :p ?y { SELECT * { ?x :q ?y } }", {"required": ["?x p ?y", "?x q ?y"]}),
    "subquery in a subquery": (
        "{ SELECT ?x { ?x :p ?y { SELECT ?y { ?y :q ?x } } } } ?x :r ?y",
        {"required": ["?_:1 q ?_:2", "?x p ?_:1", "?x r ?y"]},
    ),
    "blank nodes": ("?x :p [ :q ?y ] . _:z :r _:z", {"required": ["?_:1 q ?y", "?_:2 r ?_:2", "?x p ?_:1"]}),
    "list": (
        "?x :p (?y)",
        {"required": ["?_:1 first ?y", "?_:1 rest nil", "?x p ?_:1"]},
    ),
    "literals as they are written": (
        """?x :p 042 , -7 , "1"^^<http://www.w3.org/2001/XMLSchema#boolean> , "a"@hu , "it's" , true , 1.50""",
        {
            "required": [
                '?x p "1"^^boolean',
                '?x p "1.50"^^decimal',
                '?x p "a"@hu',
                '?x p "it\'s"',
                '?x p "true"^^boolean',
                "?x p -7",
                "?x p 042",
            ]
        },
    ),
    "paths": (
        "?x :p+ ?a . ?x :p*/^:q ?b . ?x (:p|:q)? ?c . ?x ^(:p/:q) ?d . ?x ((:p+)*)/(^:q)* ?y",
        {"required": ["?x (p+)*/(^q)* ?y", "?x (p|q)? ?c", "?x ^(p/q) ?d", "?x p*/^q ?b", "?x p+ ?a"]},
    ),
    "paths in not exists": (
        "?x :p ?y FILTER NOT EXISTS { ?x :q+/(:r|^:s) ?y }",
        {"required": ["?x p ?y"], "absent": ["?x q+/(r|^s) ?y"]},
    ),
    "every property but some": ("?x !(:p|:q) ?y . ?x !:r ?y", {"required": ["?x !(p|q) ?y", "?x !(r) ?y"]}),
    "any property": ("?x ?p ?y", {"required": ["?x ?p ?y"]}),
}


@pytest.mark.parametrize(("body", "expected"), SHAPES.values(), ids=SHAPES)
def test_patterns_of_a_body(body: str, expected: dict[str, list[str]]) -> None:
    """Every pattern of a body is found, with the part it plays, and nothing else is."""
    assert patterns(rule("shape", ":a :b :c", body)) == expected


READ: dict[str, tuple[str, set[str], set[str]]] = {
    "constant objects are told apart, variables stand for all": ("?x a :Spell . ?x :p ?y", {"a Spell", "p *"}, set()),
    "what is not simply needed must be complete": (
        """?x :p ?y OPTIONAL { ?x :o ?z } MINUS { ?x :m 1 } FILTER EXISTS { ?x :e ?y }
           { SELECT ?x (MAX(?v) AS ?n) { ?x :c ?v } GROUP BY ?x }""",
        {"p *", "e *"},
        {"o *", "m 1", "c *"},
    ),
    "a path reads its predicates": ("?x :p/^:q* ?y", {"p *", "q *"}, set()),
    "a path over all but some reads every predicate": ("?x !(:p|:q) ?y", {"* *", "p *", "q *"}, set()),
    "a variable predicate reads every predicate": ("?x ?p 1", {"* *"}, set()),
}


@pytest.mark.parametrize(("body", "reads", "complete"), READ.values(), ids=READ)
def test_what_a_rule_reads(body: str, reads: set[str], complete: set[str]) -> None:
    """The signatures by which rules are put in order: predicate and, where it is constant, object."""
    compiled = rule("reads", ":a :b :c", body)
    found = [{said_signature(one) for one in found} for found in (compiled.reads, compiled.reads_complete)]
    assert found == [reads, complete]


def said_signature(signature: tuple[str, str | None]) -> str:
    """Return a signature in short."""
    predicate, value = signature
    return f"{'a' if predicate.endswith('#type') else predicate.removeprefix(EMBER)} {_value(value)}"


def _value(value: str | None) -> str:
    return "*" if value is None else value.split("^")[0].strip('"<>').removeprefix(EMBER)


def test_heads() -> None:
    """All triples of the head are conclusions, in the order in which they are written."""
    compiled = rule("heads", "?x :r ?y ; a :Spell , :Card . :a :q 1 . ?y :r 'b'", "?x :p ?y")
    assert [said(head) for head in compiled.heads] == ["?x r ?y", "?x a Spell", "?x a Card", "a q 1", '?y r "b"']
    assert {said_signature(one) for one in compiled.writes} == {"r *", "a Spell", "a Card", "q 1", "r b"}


def test_needs_are_the_premises_that_name_their_predicate() -> None:
    """Without a fact of each of these no solution is possible; paths and conditions do not count."""
    compiled = rule("needs", "?x :r ?y", "?x a :Spell ; :p 1 ; :q+ ?y OPTIONAL { ?x :o ?y } FILTER EXISTS { ?y :e ?x }")
    assert {said_signature(one) for one in compiled.needs} == {"a Spell", "p *"}


TRICKY = {
    "comment": "# CONSTRUCT { ?a ?b ?c } WHERE { }\nCONSTRUCT { ?x :r ?y } # }\nWHERE { ?x :p ?y } # {",
    "prefix called construct": "PREFIX construct: <https://example.org/ember/>\n"
    "CONSTRUCT { ?x construct:r ?y } WHERE { ?x construct:p ?y }",
    "variable called construct": "CONSTRUCT { ?construct :r ?y } WHERE { ?construct :p ?y }",
    "IRI with #": "CONSTRUCT { ?x <https://example.org/ember/r> ?y ; <x:y#construct{> ?y }\nWHERE { ?x :p ?y }".replace(
        "{>", ">"
    ),
    "braces in strings": "CONSTRUCT { ?x :r ?y ; :s '}' , \"{\" , '\\'}' } WHERE { ?x :p ?y }",
    "braces in long strings": "CONSTRUCT { ?x :r ?y ; :s \"\"\"a \" } {\"\"\" , '''it's }\n}''' }\nWHERE { ?x :p ?y }",
    "small letters": "construct { ?x :r ?y } where { ?x :p ?y }",
    "no WHERE": "CONSTRUCT{?x :r ?y}{?x :p ?y}",
}


@pytest.mark.parametrize("query", TRICKY.values(), ids=TRICKY)
def test_query_that_runs_is_the_body(query: str) -> None:
    """Only the head is replaced, and no line moves: the query gives the same solutions as the rule's own text."""
    text = PREFIXES + query
    compiled = compile_rule(HEADER, text, Place(Path("x.rq")), "x.rq")
    assert compiled.select.count("\n") == text.count("\n")
    store = ox.Store()
    a, b = ox.NamedNode(EMBER + "a"), ox.NamedNode(EMBER + "b")
    store.add(ox.Quad(a, ox.NamedNode(EMBER + "p"), b))
    solutions = store.query(compiled.select)
    assert isinstance(solutions, ox.QuerySolutions)
    found = [{one.value: row[one] for one in solutions.variables} for row in solutions]
    assert [set(row.values()) for row in found] == [{a, b}]
    constructed = store.query(text)
    assert isinstance(constructed, ox.QueryTriples)
    assert {head.instance(row) for row in found for head in compiled.heads} == set(constructed)


HINTS = {
    "construct": "\n  CONSTRUCT { … } WHERE { … }",
    "graphs": "\n  it reads all that is known of the game",
    "grouping": "\n  put that into a subquery: { SELECT … }",
    "split": "\n  split the set in two",
    "blank": "\n  build an IRI with BIND(IRI(CONCAT(…)) AS ?new)",
    "volatile": "\n  build the value of what the solution binds",
    "predicate": "\n  write one triple in the head for each predicate, or one rule for each",
    "unbound": "\n  bind it in WHERE { … }, or correct the name",
}
NO_RULE: dict[str, tuple[str, str]] = {
    "SELECT * WHERE { ?x :p ?y }": ("a rule is one CONSTRUCT query with a head", "construct"),
    "CONSTRUCT WHERE { ?x :p ?y }": ("a rule is one CONSTRUCT query with a head", "construct"),
    "CONSTRUCT { } WHERE { ?x :p ?y }": ("a rule is one CONSTRUCT query with a head", "construct"),
    "CONSTRUCT { ?x :r ?y } FROM <x:y> WHERE { ?x :p ?y }": ("a rule may not choose its graphs with FROM", "graphs"),
    "CONSTRUCT { ?x :r ?y } WHERE { GRAPH ?g { ?x :p ?y } }": ("a rule may not use GRAPH", "graphs"),
    "CONSTRUCT { ?x :r ?y } WHERE { ?x :p ?y FILTER NOT EXISTS { GRAPH <x:y> { ?x :q ?y } } }": (
        "a rule may not use GRAPH",
        "graphs",
    ),
    "CONSTRUCT { ?x :r ?y } WHERE { SERVICE <x:y> { ?x :p ?y } }": ("a rule may not use SERVICE", "graphs"),
    "CONSTRUCT { ?x :r ?y } WHERE { ?x :p ?y } LIMIT 1": ("a rule may not group or limit its solutions", "grouping"),
    "CONSTRUCT { ?x :r ?x } WHERE { ?x :p ?y } GROUP BY ?x": (
        "a rule may not group or limit its solutions",
        "grouping",
    ),
    "CONSTRUCT { ?x :r 1 } WHERE { ?x :p ?y } ORDER BY ?x OFFSET 1": (
        "a rule may not group or limit its solutions",
        "grouping",
    ),
    "CONSTRUCT { ?x :r ?y } WHERE { ?x !(:p|^:q) ?y }": (
        "a rule may not have an inverse step in a negated property set",
        "split",
    ),
    **{
        f"CONSTRUCT {{ ?x :r ?n }} WHERE {{ ?x :p ?y BIND({name}() AS ?n) }}": (
            f"a rule may not call {name}(), which gives another value each time",
            "volatile",
        )
        for name in ("RAND", "NOW", "UUID", "STRUUID", "BNODE")
    },
    "CONSTRUCT { ?x :r ?y } WHERE { ?x :p ?y FILTER(EXISTS { ?x :q ?z FILTER(?z < RAND()) }) }": (
        "a rule may not call RAND(), which gives another value each time",
        "volatile",
    ),
    "CONSTRUCT { ?x ?p ?y } WHERE { ?x ?p ?y }": ("a rule's head may not have a variable predicate", "predicate"),
    "CONSTRUCT { ?x :r [] } WHERE { ?x :p ?y }": (
        "a rule's head may not have a blank node: the fixpoint would never end",
        "blank",
    ),
    "CONSTRUCT { _:b :r ?x } WHERE { ?x :p ?y }": (
        "a rule's head may not have a blank node: the fixpoint would never end",
        "blank",
    ),
    **{
        f"CONSTRUCT {{ ?x :r ?z }} WHERE {{ ?x :p ?y {part} }}": (
            "?z stands in the head but is never bound in the body",
            "unbound",
        )
        for part in (
            "",
            "FILTER(?z = 1)",
            "FILTER NOT EXISTS { ?x :q ?z }",
            "FILTER EXISTS { ?x :q ?z }",
            "MINUS { ?x :q ?z }",
            "{ SELECT ?x { ?x :q ?z } }",
            "{ SELECT ?x (COUNT(?z) AS ?n) { ?x :q ?z } GROUP BY ?x }",
        )
    },
}


@pytest.mark.parametrize(("query", "expected"), NO_RULE.items(), ids=NO_RULE)
def test_what_can_be_no_rule_is_refused(query: str, expected: tuple[str, str]) -> None:
    """R106, with what is wrong and what to write instead."""
    with pytest.raises(RuleError) as caught:
        compile_rule(HEADER, PREFIXES + query, Place(Path("x.rq")), "x.rq")
    message, hint = expected
    assert str(caught.value) == f"R106 x.rq:3: {message}{HINTS[hint]}"


@pytest.mark.parametrize(
    ("query", "line"),
    {
        "CONSTRUCT {\n  ?x :r ?y .\n  ?x :r ?z\n}\nWHERE { ?x :p ?y }": 5,
        "CONSTRUCT {\n  ?x :r ?y .\n  ?x ?q ?y\n}\nWHERE { ?x ?q ?y }": 5,
        "CONSTRUCT { ?x :r ?y }\n# GRAPH\nWHERE {\n  GRAPH ?g { ?x :p ?y }\n}": 6,
        "CONSTRUCT { ?x :r ?n }\nWHERE {\n  ?x :p ?y\n  BIND(now() AS ?n)\n}": 6,
        "CONSTRUCT { ?x :r ?x }\nWHERE { ?x :p ?y }\nGROUP BY ?x": 5,
        "\nSELECT * WHERE { ?x :p ?y }": 4,
    }.items(),
)
def test_what_no_rule_can_have_is_placed(query: str, line: int) -> None:
    """The line is that of the word at fault, not of one in a comment."""
    with pytest.raises(RuleError) as caught:
        compile_rule(HEADER, PREFIXES + query, Place(Path("x.rq")), "x.rq")
    assert (caught.value.code, caught.value.place) == ("R106", Place(Path("x.rq"), line))


BROKEN = {
    "CONSTRUCT { ?x :r ?y }\nWHERE { ?x :p ?y": 4,
    "CONSTRUCT { ?x :r ?y }\nWHERE {\n  ?x unknown:p ?y }": 5,
    "CONSTRUCT { ?x :r ?y }\nWHERE { ?x :p ?y }\n}": 5,
    "CONSTRUCT { ?x :r ?y }\nWHERE { << ?x :p ?y >> :q ?y }": 4,
    "CONSTRUCT { ?x :r ?y }\nWHERE { ?x :p ?y .\n LATERAL { ?x :q ?z } }": 5,
}


@pytest.mark.parametrize(("query", "line"), BROKEN.items(), ids=BROKEN)
def test_what_is_no_sparql_is_refused_with_its_line(query: str, line: int) -> None:
    """R103, also for what only one of the two parsers takes; the message is one line and not endless."""
    with pytest.raises(RuleError) as caught:
        compile_rule(HEADER, PREFIXES + query, Place(Path("x.rq")), "x.rq")
    assert caught.value.code == "R103"
    assert caught.value.place is not None
    assert (caught.value.place.line, caught.value.place.column > 0) == (line, True)
    assert caught.value.message.startswith("the rule is not valid SPARQL")
    assert "\n" not in caught.value.message
    assert len(caught.value.message) < 400


@pytest.mark.parametrize("body", [body for body, _ in SHAPES.values()], ids=SHAPES)
def test_rule_comes_back_from_json(body: str) -> None:
    """A rule written to JSON and read again is the same rule, and the JSON of both is the same."""
    compiled = rule(
        "json", "?x :r 'é\"\\n'@hu , ?y", f"?x :any ?y {{ {body} }}", exception_to=("other",), section="1.2"
    )
    text = json.dumps(compiled.to_json())
    again = Rule.from_json(json.loads(text))
    assert again == compiled
    assert again.lines == compiled.lines
    assert json.dumps(again.to_json()) == text


def test_lines_of_names() -> None:
    """The first line on which a name or IRI stands; prefix and comment lines do not count."""
    text = "# :p\nPREFIX : <https://example.org/ember/>\nCONSTRUCT { ?x e:r ?y }\nWHERE { ?x e:p ?y .\n ?y e:p <x:q> }"
    compiled = compile_rule(HEADER, text.replace("PREFIX :", "PREFIX e:"), Place(Path("x.rq")), "x.rq")
    assert compiled.lines == {"e:r": 3, "e:p": 4, "<x:q>": 5}


# --- the kinds mean what they say: tried on random bodies and random facts

_PREDICATES = "pqrs"
_VARIABLES = ("?x", "?y", "?z")
_triple = st.builds(
    "{} :{} {} .".format,
    st.sampled_from(_VARIABLES),
    st.sampled_from(_PREDICATES),
    st.sampled_from((*_VARIABLES, ":a")),
)
_path = st.builds(
    "{} {} {} .".format,
    st.sampled_from(_VARIABLES),
    st.sampled_from([":p/:q", "^:r", ":s+", ":p|:r", "!(:p|:q)", "!:s"]),
    st.sampled_from(_VARIABLES),
)
_simple = st.one_of(_triple, _triple, _path)


def _nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("{} {}".format, inner, inner),
        st.builds("OPTIONAL {{ {} }}".format, inner),
        st.builds("MINUS {{ {} }}".format, inner),
        st.builds("{{ {} }} UNION {{ {} }}".format, inner, inner),
        st.builds("FILTER EXISTS {{ {} }}".format, inner),
        st.builds("FILTER NOT EXISTS {{ {} }}".format, inner),
        st.builds("FILTER(!EXISTS {{ {} }} || NOT EXISTS {{ {} }})".format, inner, inner),
        st.builds("FILTER(!(EXISTS {{ {} }} && EXISTS {{ {} }}))".format, inner, inner),
        st.builds("FILTER(EXISTS {{ {} }} = EXISTS {{ {} }})".format, inner, inner),
        st.builds("{{ SELECT ?x {{ {} }} }}".format, inner),
        st.builds("{{ SELECT ?x (COUNT(?y) AS ?n) {{ {} }} GROUP BY ?x }}".format, inner),
        st.builds("{{ SELECT ?y {{ {} }} ORDER BY ?y LIMIT 1 }}".format, inner),
    )


_body = st.builds("?x :p ?y . {}".format, st.recursive(_simple, _nested, max_leaves=5))
_facts = st.sets(st.tuples(st.sampled_from("abc"), st.sampled_from(_PREDICATES), st.sampled_from("abc")), max_size=9)
_fact = st.tuples(st.sampled_from("abc"), st.sampled_from(_PREDICATES), st.sampled_from("abc"))


def _conclusions(select: str, facts: set[tuple[str, str, str]]) -> set[tuple[str, str]]:
    store = ox.Store()
    store.extend(ox.Quad(*(ox.NamedNode(EMBER + part) for part in fact)) for fact in sorted(facts))  # type: ignore[arg-type]
    solutions = store.query(select)
    assert isinstance(solutions, ox.QuerySolutions)
    return {(str(row["x"]), str(row["y"])) for row in solutions}


@settings(max_examples=300)
@given(body=_body, facts=_facts, fact=_fact)
def test_a_fact_matters_only_as_the_kinds_say(
    body: str, facts: set[tuple[str, str, str]], fact: tuple[str, str, str]
) -> None:
    """A further fact adds conclusions only if it is read, and takes some away only if it must have been complete."""
    compiled = rule("random", "?x :r ?y", body)
    before, after = _conclusions(compiled.select, facts), _conclusions(compiled.select, facts | {fact})
    written = (EMBER + fact[1], f"<{EMBER}{fact[2]}>")
    if after - before:
        assert any(_sees(read, written) for read in compiled.reads | compiled.reads_complete)
    if before - after:
        assert any(_sees(read, written) for read in compiled.reads_complete)


def _sees(read: tuple[str, str | None], written: tuple[str, str]) -> bool:
    return read[0] == "*" or (read[0] == written[0] and read[1] in (None, written[1]))
