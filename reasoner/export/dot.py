r"""DOT, for Graphviz. Source: the grammar at https://graphviz.org/doc/info/lang.html and its escString type.

It is meant for drawing, so a card's own attributes stay out: names such as `color`, `image` or `URL` mean
something to Graphviz. Everything is quoted; `\`, `"` and line ends are escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reasoner.export.flat import NODE_FIELDS, flatten, written
from reasoner.export.model import InteractionGraph
from reasoner.export.text import legal

_SHAPES = {"card": "box", "reference": "ellipse"}
_STYLES = {"yes": "solid", "when": "dashed", "unsettled": "dotted", "no-value": "dotted"}
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"})
_ENTITY = re.compile(r"&(?=#?\w+;)")


def dot(graph: InteractionGraph) -> Iterator[str]:
    """Yield `graph` as DOT: cards are boxes, references ellipses; "when" is dashed, others but "yes" dotted."""
    flat = flatten(graph)
    yield f"digraph {_quoted(flat.attributes['game'])} {{\n"
    yield f"  graph [{_attributes(flat.attributes)}];\n"
    for node in flat.nodes:
        texts = {name: written(node.attributes[name]) for name in NODE_FIELDS}
        yield f"  {_quoted(node.id)} [{_attributes(texts | {'shape': _SHAPES[texts['kind']]})}];\n"
    for edge in flat.edges:
        texts = {"key": edge.key, "label": edge.attributes["relation"], **edge.attributes}
        style = {"style": _STYLES[texts["answer"]]}
        yield f"  {_quoted(edge.source)} -> {_quoted(edge.target)} [{_attributes(texts | style)}];\n"
    yield "}\n"


def _attributes(texts: dict[str, str]) -> str:
    return ", ".join(
        # Labels alone are drawn, and there Graphviz would turn &lt; into <.
        f"{name}={_quoted(_ENTITY.sub('&amp;', text) if name == 'label' else text)}"
        for name, text in texts.items()
    )


def _quoted(text: str) -> str:
    return '"' + legal(text).translate(_ESCAPES) + '"'
