"""The parts of a rule besides its plain patterns, each as it is written."""

from __future__ import annotations

import pytest

from .ember import rule, said

BODIES: dict[str, tuple[str, list[tuple[str, str, list[str], list[str]]]]] = {
    "none": ("?x :p ?y ; :q ?z .", []),
    "filters": (
        '?x :p ?y FILTER(?y > 1) FILTER regex(STR(?y), ")}{") FILTER <http://www.w3.org/2001/XMLSchema#boolean>(?y)',
        [
            ("filter", "FILTER(?y > 1)", [], []),
            ("filter", 'FILTER regex(STR(?y), ")}{")', [], []),
            ("filter", "FILTER <http://www.w3.org/2001/XMLSchema#boolean>(?y)", [], []),
        ],
    ),
    "absent": (
        "?x :p ?y FILTER NOT EXISTS { ?y :q ?z FILTER(?z > 1) } MINUS { ?x :r ?y }",
        [
            ("absent", "FILTER NOT EXISTS { ?y :q ?z FILTER(?z > 1) }", ["?y q ?z"], []),
            ("absent", "MINUS { ?x :r ?y }", ["?x r ?y"], []),
        ],
    ),
    "alternatives": (
        "?x :p ?y { ?y :q ?z } UNION { ?y :r ?z } FILTER EXISTS { ?y :s ?w }",
        [
            ("either", "{ ?y :q ?z } UNION { ?y :r ?z }", [], ["?y q ?z", "?y r ?z"]),
            ("either", "FILTER EXISTS { ?y :s ?w }", ["?y s ?w"], []),
        ],
    ),
    "what no solution fails on": (
        "?x :p ?y OPTIONAL { ?y :q ?z } BIND((?y + 1) AS ?n)",
        [("given", "OPTIONAL { ?y :q ?z }", [], []), ("given", "BIND((?y + 1) AS ?n)", [], [])],
    ),
    "values": ("?x :p ?y VALUES (?x ?y) { (1 2) }", [("filter", "VALUES (?x ?y) { (1 2) }", [], [])]),
    "a subquery": (
        "{ SELECT ?x (COUNT(?z) AS ?y) { ?x :q ?z } GROUP BY ?x }",
        [("either", "{ SELECT ?x (COUNT(?z) AS ?y) { ?x :q ?z } GROUP BY ?x }", [], ["?x q ?_:1"])],
    ),
    "names and comments that look like parts": (
        "?x :filter ?minus . # FILTER { (\n ?x :optional ?y",
        [],
    ),
}


@pytest.mark.parametrize(("body", "expected"), BODIES.values(), ids=BODIES)
def test_parts(body: str, expected: list[tuple[str, str, list[str], list[str]]]) -> None:
    """Kind, text, and the patterns inside: those that hold together, and those of which some hold."""
    found = rule("parts", "?x :head ?y", body if "?y" in body else f"?x :p ?y . {body}").parts
    assert [
        (one.kind, one.text, list(map(said, one.patterns)), list(map(said, one.others))) for one in found
    ] == expected
