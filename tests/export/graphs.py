"""Interaction graphs to test with: one by hand, and a hypothesis strategy for all others."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from reasoner.export import Edge, InteractionGraph, Node, render
from reasoner.export.model import MATCHES, REFERS_BY, Attribute, Given

CARD = "https://w3id.org/cardlore/game/toy/card/"

# What has broken files before: ends of strings and sections, line ends, what XML forbids, what no encoding holds.
NASTY = [
    "",
    " ",
    '"',
    "'",
    "\\",
    'ends in \\"',
    "a|b\\|c\\e",
    "two\nlines",
    "dos\r\nmac\rend",
    "\ttab",
    "]]>",
    "--><!--",
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "&amp; &lt; &#65; & <b>",
    "\x00\x01\x1f\x7f\x85",
    "\ufffe\uffff\ud800",
    "\u2028\u2029\ufeff",
    "Őrült 🃏👩‍👩‍👧 カード",
    "\u202eעברית\u202c العربية",
    "=1+1,2;3",
    "{title} %s $x `y`",
]
texts = st.one_of(st.sampled_from(NASTY), st.text(st.characters(exclude_categories=())), st.text())
lists = st.lists(texts, max_size=3).map(tuple)
values: st.SearchStrategy[Attribute] = st.one_of(
    texts, st.booleans(), st.integers(), st.integers(-9, 9), st.floats(allow_nan=True, allow_infinity=True), lists
)
names = st.one_of(st.sampled_from(["level", "caste", "id", "label", "label_", "start", "viz", "key", "pid"]), texts)


@st.composite
def graphs(draw: st.DrawFn) -> InteractionGraph:
    """Any graph of up to four cards and three references."""
    cards = [f"toyc:c{index}" for index in range(draw(st.integers(0, 4)))]
    references = [f"toyc:r/{index}" for index in range(draw(st.integers(0, 3)))]
    attributes = st.dictionaries(names, values, max_size=4)
    nodes = [Node(name, CARD + name[5:], "card", draw(texts), draw(attributes)) for name in cards]
    nodes += [Node(name, CARD + name[5:], "reference", draw(texts), draw(attributes)) for name in references]
    ends = [(card, other, relation) for card in cards for other in cards for relation in ("core:requires", "toy:burns")]
    ends += [(card, reference, REFERS_BY) for card in cards for reference in references]
    ends += [(reference, card, MATCHES) for card in cards for reference in references]
    edges = []
    fewest = draw(st.integers(0, 3))
    for source, target, relation in draw(st.lists(st.sampled_from(ends), min_size=fewest, max_size=6)) if ends else []:
        answer: Given = draw(st.sampled_from(["yes", "when", "unsettled", "no-value"]))
        rules = tuple(draw(st.lists(st.sampled_from(["toy:B", "toy:B.except", "core:printed-type"]), max_size=2)))
        sources = draw(st.lists(st.sampled_from(["toys:rules", "https://example.org/a", *NASTY]), max_size=2))
        reference = draw(st.sampled_from([None, *references]))
        optional = (reference, draw(st.none() | texts))
        basis = (draw(lists), rules, tuple(sources), draw(lists))
        edges.append(Edge(source, target, relation, answer, *basis, *optional))
    return InteractionGraph("toy", draw(texts), tuple(nodes), tuple(edges))


def sample() -> InteractionGraph:
    """A graph in which everything occurs: each answer, several edges between two nodes, a loop, awkward texts."""
    rion, lute, mirror = "toyc:rion", "toyc:lute", "toyc:mirror"
    burn, copy = "toyc:lute/a1/r1", "toyc:mirror/a1/r1"
    basis = ((), ("toy:B", "toy:G"), ("toys:rules", "Rulebook, 3.02"), ("2012-05-01",))
    nodes = [
        Node(rion, CARD + "rion", "card", "Rion", {"caste": ("Fighter", "a|b"), "level": 3, "invented": True}),
        Node(lute, CARD + "lute", "card", 'The "Lute"\\ </script> \x01 🃏', {"level": 2, "start": "later"}),
        Node(mirror, CARD + "mirror", "card", "מראה\nKristálytükör", {"caste": "Thing", "weight": 0.5}),
        Node(burn, CARD + "lute/a1/r1", "reference", "**Rion**"),
        Node(copy, CARD + "mirror/a1/r1", "reference", "any & all <cards>"),
    ]
    edges = [
        Edge(lute, burn, REFERS_BY),
        Edge(burn, rion, MATCHES, "yes", *basis, wording="**Rion**"),
        Edge(lute, rion, "toy:burns", "yes", *basis, reference=burn, wording="**Rion**"),
        Edge(lute, rion, "core:requires", "unsettled", rules=("toy:B",), editions=("1", "2"), reference=burn),
        Edge(mirror, copy, REFERS_BY, rules=("core:printed-type",)),
        Edge(copy, mirror, MATCHES, "when", ("shown", "controlled"), rules=("toy:B.except",)),
        Edge(mirror, mirror, "core:copies", "when", ("shown", "controlled"), rules=("toy:B.except",), reference=copy),
        Edge(copy, rion, MATCHES, "unsettled"),
        Edge(copy, lute, MATCHES, "no-value"),
        Edge(lute, copy, REFERS_BY, "unsettled"),
        Edge(mirror, lute, "core:interactsWith", wording="no reference"),
    ]
    return InteractionGraph("toy", "2012-05-01", tuple(nodes), tuple(edges))


def text(graph: InteractionGraph, format: str, ending: str = "") -> str:  # noqa: A002
    """Return what one file of the format holds, having made sure that it can be encoded."""
    return "".join(render(graph, format)[ending]).encode().decode()


def cleaned(value: Any) -> Any:
    """Return a text with U+FFFD for every character outside production 2 of XML 1.0; anything else as it is."""
    if not isinstance(value, str):
        return value
    return "".join(char if _is_xml(ord(char)) else "\ufffd" for char in value)


def without_surrogates(value: str) -> str:
    """Return a text with U+FFFD for every lone surrogate."""
    return re.sub("[\ud800-\udfff]", "\ufffd", value)


def _is_xml(code: int) -> bool:
    ranges = [(0x20, 0xD7FF), (0xE000, 0xFFFD), (0x10000, 0x10FFFF)]
    return code in (9, 10, 13) or any(low <= code <= high for low, high in ranges)


def mapped(attributes: dict[str, Any], change: Callable[[Any], Any] = cleaned) -> dict[str, Any]:
    """Return `attributes` with every value changed."""
    return {name: change(value) for name, value in attributes.items()}
