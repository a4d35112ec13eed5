"""GraphML and GEXF, for Gephi, yEd, Cytoscape, igraph and networkx.

Sources: GraphML 1.0 (http://graphml.graphdrawing.org/specification.html), GEXF 1.2 draft (https://gexf.net).
networkx has writers too, but its GEXF states the day of writing and gives names such as `start` and `viz` a
meaning of their own, and its GraphML depends on whether lxml is installed. The tests read the files with networkx.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from xml.sax.saxutils import escape, quoteattr

from reasoner.export.flat import EDGE_FIELDS, FlatGraph, Scalar, Type, flatten, written
from reasoner.export.model import InteractionGraph
from reasoner.export.text import legal

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
_GRAPHML = "http://graphml.graphdrawing.org/xmlns"
_GEXF = "http://www.gexf.net/1.2draft"


def graphml(graph: InteractionGraph) -> Iterator[str]:
    """Yield `graph` as GraphML. Keys are named g0… (graph), n0… (nodes) and e0… (edges), in column order."""
    flat = flatten(graph)
    keys = _keys(flat)
    yield f'{_HEAD}<graphml xmlns="{_GRAPHML}" {_XSI} xsi:schemaLocation="{_GRAPHML} {_GRAPHML}/1.0/graphml.xsd">\n'
    for scope, columns in keys.items():
        for key, name, kind in columns.values():
            yield f'  <key id="{key}" for="{scope}" attr.name={_quoted(name)} attr.type="{_plain(kind)}"/>\n'
    yield '  <graph edgedefault="directed">\n'
    yield from _data(flat.attributes, keys["graph"], "    ")
    for node in flat.nodes:
        yield f"    <node id={_quoted(node.id)}>\n"
        yield from _data(node.attributes, keys["node"], "      ")
        yield "    </node>\n"
    for edge in flat.edges:
        yield f'    <edge id="{edge.key}" source={_quoted(edge.source)} target={_quoted(edge.target)}>\n'
        yield from _data(edge.attributes, keys["edge"], "      ")
        yield "    </edge>\n"
    yield "  </graph>\n</graphml>\n"


def gexf(graph: InteractionGraph) -> Iterator[str]:
    """Yield `graph` as GEXF. It has no `lastmodifieddate`: the same graph gives the same file."""
    flat = flatten(graph)
    keys = {scope: columns for scope, columns in _keys(flat).items() if scope != "graph"}
    keys["node"].pop("label")  # GEXF has its own place for it
    about = "; ".join(f"{name}: {value}" for name, value in flat.attributes.items())
    yield f'{_HEAD}<gexf xmlns="{_GEXF}" {_XSI} xsi:schemaLocation="{_GEXF} {_GEXF}/gexf.xsd" version="1.2">\n'
    yield f"  <meta>\n    <creator>cardlore</creator>\n    <description>{_text(about)}</description>\n  </meta>\n"
    yield '  <graph defaultedgetype="directed" mode="static">\n'
    for scope, columns in keys.items():
        yield f'    <attributes class="{scope}" mode="static">\n'
        for key, name, kind in columns.values():
            yield f'      <attribute id="{key}" title={_quoted(name)} type="{_plain(kind)}"/>\n'
        yield "    </attributes>\n"
    yield "    <nodes>\n"
    for node in flat.nodes:
        yield f"      <node id={_quoted(node.id)} label={_quoted(written(node.attributes['label']))}>\n"
        yield from _attvalues(node.attributes, keys["node"])
        yield "      </node>\n"
    yield "    </nodes>\n    <edges>\n"
    for edge in flat.edges:
        ends = f"source={_quoted(edge.source)} target={_quoted(edge.target)}"
        yield f'      <edge id="{edge.key}" {ends} label={_quoted(edge.attributes["relation"])}>\n'
        yield from _attvalues(edge.attributes, keys["edge"])
        yield "      </edge>\n"
    yield "    </edges>\n  </graph>\n</gexf>\n"


_Keys = dict[str, tuple[str, str, Type]]  # name of the attribute -> id of the key, name, type


def _keys(flat: FlatGraph) -> dict[str, _Keys]:
    scopes: dict[str, Mapping[str, Type]] = {
        "graph": dict.fromkeys(flat.attributes, "string"),
        "node": flat.columns,
        "edge": dict.fromkeys(EDGE_FIELDS, "string"),
    }
    return {
        scope: {name: (f"{scope[0]}{index}", name, kind) for index, (name, kind) in enumerate(columns.items())}
        for scope, columns in scopes.items()
    }


def _plain(kind: Type) -> str:
    return "string" if kind == "list" else kind


def _data(attributes: Mapping[str, Scalar], keys: _Keys, indent: str) -> Iterator[str]:
    for name, value in attributes.items():
        yield f'{indent}<data key="{keys[name][0]}">{_text(written(value))}</data>\n'


def _attvalues(attributes: Mapping[str, Scalar], keys: _Keys) -> Iterator[str]:
    yield "        <attvalues>\n"
    for name, value in attributes.items():
        if name in keys:
            yield f'          <attvalue for="{keys[name][0]}" value={_quoted(written(value))}/>\n'
    yield "        </attvalues>\n"


def _text(text: str) -> str:
    # Readers turn a bare carriage return into a line feed.
    return escape(legal(text), {"\r": "&#13;"})


def _quoted(text: str) -> str:
    return quoteattr(legal(text))  # writes tabs and line ends as references, which keeps them
