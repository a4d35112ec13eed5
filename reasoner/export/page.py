"""One HTML page with the whole graph: two tables that can be searched and sorted, and a drawing.

The tables are plain HTML and need no script. The script (reasoner.export.page_parts) reads them, so there is
no second copy of the data. Every text is escaped, and a content security policy lets nothing run or load but
the page's own script and style, known by their hashes: no text of a card can run, and nothing leaves the page.
Sources: HTML Living Standard; Content Security Policy Level 3; WAI-ARIA 1.2 (sortable table, status).
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from html import escape

from reasoner.export.flat import EDGE_LISTS, NODE_FIELDS, FlatEdge, FlatGraph, FlatNode, flatten, split_list, written
from reasoner.export.model import ANSWERS, InteractionGraph
from reasoner.export.page_parts import BODY_HEAD, SCRIPT, STYLE
from reasoner.export.text import legal

_EDGE_COLUMNS = ("from", "relation", "to", "answer", "when", "rules", "sources", "editions", "reference", "wording")


def page(graph: InteractionGraph) -> Iterator[str]:
    """Yield `graph` as one HTML page that needs nothing else."""
    flat = flatten(graph)
    title = f"Interaction graph: {flat.attributes['game']}"
    yield _head(title)
    yield BODY_HEAD.format(
        title=_text(title),
        about=_text(_about(flat)),
        relations=_options({edge.attributes["relation"] for edge in flat.edges}),
        answers="".join(f"<option>{answer}</option>" for answer in ANSWERS),
    )
    labels = {node.id: written(node.attributes["label"]) or node.id for node in flat.nodes}
    yield from _table("edges", "Edges", _EDGE_COLUMNS, (_edge_row(edge, labels) for edge in flat.edges))
    own = [name for name in flat.columns if name not in NODE_FIELDS]
    columns = ("id", *NODE_FIELDS, *own)
    yield from _table("nodes", "Cards and references", columns, (_node_row(node, flat) for node in flat.nodes))
    yield f"</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"


def _head(title: str) -> str:
    allowed = f"script-src {_hash(SCRIPT)}; style-src {_hash(STYLE)}"
    policy = f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{_text(title)}</title>\n<style>{STYLE}</style>\n</head>\n"
    )


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def _about(flat: FlatGraph) -> str:
    kinds = [node.attributes["kind"] for node in flat.nodes]
    counts = [(kinds.count("card"), "card"), (kinds.count("reference"), "reference"), (len(flat.edges), "edge")]
    parts = [f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in counts]
    return f"As of {flat.attributes['as_of']}: {', '.join(parts)}."


def _options(names: Iterable[str]) -> str:
    return "".join(f"<option>{_text(name)}</option>" for name in sorted(names))


def _table(name: str, caption: str, columns: Iterable[str], rows: Iterable[str]) -> Iterator[str]:
    yield f'<section class="wide" role="region" aria-labelledby="{name}-caption" tabindex="0">\n<table id="{name}">\n'
    yield f'<caption id="{name}-caption">{caption}</caption>\n<thead><tr>'
    for column in columns:
        yield f'<th scope="col">{_text(column)}</th>'
    yield "</tr></thead>\n<tbody>\n"
    yield from rows
    yield "</tbody>\n</table>\n</section>\n"


def _edge_row(edge: FlatEdge, labels: dict[str, str]) -> str:
    ends = f'data-source="{_text(edge.source)}" data-target="{_text(edge.target)}"'
    cells = [_cell(labels[edge.source]), _cell(edge.attributes["relation"]), _cell(labels[edge.target])]
    for name, text in edge.attributes.items():
        if name != "relation":
            cells.append(_list_cell(text) if name in EDGE_LISTS else _cell(text))
    return f'<tr id="{edge.key}" data-answer="{edge.attributes["answer"]}" {ends}>{"".join(cells)}</tr>\n'


def _node_row(node: FlatNode, flat: FlatGraph) -> str:
    cells = [f'<th scope="row">{_text(node.id)}</th>']
    for name, kind in flat.columns.items():
        text = written(node.attributes.get(name, ""))
        cells.append(_list_cell(text) if kind == "list" else _cell(text))
    return f'<tr data-id="{_text(node.id)}" data-kind="{node.attributes["kind"]}">{"".join(cells)}</tr>\n'


def _cell(text: str) -> str:
    # dir=auto: a text written from right to left must not turn its neighbours round.
    return f'<td dir="auto">{_text(text)}</td>'


def _list_cell(joined: str) -> str:
    return f"<td>{', '.join(f'<bdi>{_text(item)}</bdi>' for item in split_list(joined))}</td>"


def _text(text: str) -> str:
    # Readers turn a bare carriage return into a line feed.
    return escape(legal(text)).replace("\r", "&#13;")
