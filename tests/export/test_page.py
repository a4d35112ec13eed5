"""The HTML page: holds every node and edge, needs nothing else, and runs nothing that a card says."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from typing import Any

from hypothesis import example, given

from reasoner.export import InteractionGraph, to_networkx
from reasoner.export.flat import EDGE_FIELDS, EDGE_LISTS, flatten, split_list, written

from .graphs import cleaned, graphs, sample, text

TAGS = """
    html head meta title style body a header h1 p main form label input select option figure svg figcaption span
    section table caption thead tbody tr th td bdi script
"""
ATTRIBUTES = """
    lang charset http-equiv content name class href dir id role type autocomplete spellcheck value hidden tabindex
    scope aria-label aria-labelledby data-source data-target data-answer data-id data-kind
"""


class Page(HTMLParser):
    """Collects tags, attributes, and the rows of both tables; a cell is the list of its texts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.contents: dict[str, str] = {}
        self.rows: dict[str, list[tuple[dict[str, str | None], list[list[str]]]]] = {}
        self.heads: dict[str, list[str]] = {}
        self.table = self.open = ""
        self.in_body = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self.open = tag
        if tag == "table":
            self.table = dict(attrs)["id"] or ""
            self.rows[self.table], self.heads[self.table] = [], []
        elif tag == "tbody":
            self.in_body = True
        elif tag == "tr" and self.in_body:
            self.rows[self.table].append((dict(attrs), []))
        elif tag in ("td", "th") and self.in_body:
            self.rows[self.table][-1][1].append([""])
        elif tag == "bdi":
            self.rows[self.table][-1][1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "tbody":
            self.in_body = False
        self.open = "td" if tag == "bdi" else ""

    def handle_data(self, data: str) -> None:
        if self.in_body and self.open in ("td", "th", "bdi"):
            self.rows[self.table][-1][1][-1][-1 if self.open == "bdi" else 0] += data
        elif self.open == "th":
            self.heads[self.table].append(data)
        elif self.open in ("script", "style", "title"):
            self.contents[self.open] = self.contents.get(self.open, "") + data


def items(cell: list[str]) -> tuple[str, ...]:
    assert cell[0] == ", " * (len(cell) - 2)
    return tuple(cell[1:])


def cleaned_items(joined: str) -> tuple[str, ...]:
    return tuple(map(cleaned, split_list(joined)))


@given(graphs())
@example(sample())
def test_both_tables_hold_everything(graph: InteractionGraph) -> None:
    page, result, columns = Page(text(graph, "html")), to_networkx(graph), flatten(graph).columns
    nodes = {data["data-id"]: cells for data, cells in page.rows["nodes"]}
    assert len(nodes) == len(page.rows["nodes"])
    expected_nodes: dict[Any, Any] = {}
    for name, data in result.nodes(data=True):
        texts = [(column, written(data.get(column, ""))) for column in columns]
        expected_nodes[name] = [
            [name],
            *([*cleaned_items(t)] if columns[c] == "list" else [cleaned(t)] for c, t in texts),
        ]
    found_nodes = {
        name: [
            [*items(cell)] if index and list(columns.values())[index - 1] == "list" else cell
            for index, cell in enumerate(cells)
        ]
        for name, cells in nodes.items()
    }
    assert found_nodes == expected_nodes

    edges = {}
    for row, cells in page.rows["edges"]:
        shown = dict(zip(EDGE_FIELDS, [cells[1], *cells[3:]], strict=True))
        edges[row["id"]] = (
            row["data-source"],
            row["data-target"],
            {name: items(cell) if name in EDGE_LISTS else cell[0] for name, cell in shown.items()},
        )
    expected_edges = {
        key: (s, t, {name: cleaned_items(v) if name in EDGE_LISTS else cleaned(v) for name, v in data.items()})
        for s, t, key, data in result.edges(keys=True, data=True)
    }
    assert len(edges) == len(page.rows["edges"])
    assert edges == expected_edges


@given(graphs())
@example(sample())
def test_nothing_that_a_card_says_becomes_markup(graph: InteractionGraph) -> None:
    html = text(graph, "html")
    page, empty = Page(html), Page(text(InteractionGraph("toy", "", (), ()), "html"))
    assert set(page.tags) <= set(TAGS.split())
    assert {name for name, _ in page.attributes} <= set(ATTRIBUTES.split())
    assert page.tags.count("script") == page.tags.count("style") == 1
    assert (page.contents["script"], page.contents["style"]) == (empty.contents["script"], empty.contents["style"])
    assert [value for name, value in page.attributes if name in ("href", "src")] == ["#edges"]


def test_the_policy_allows_the_script_and_the_style_of_the_page_and_nothing_else() -> None:
    page = Page(text(sample(), "html"))
    [policy] = [value for name, value in page.attributes if name == "content" and value and "default-src" in value]
    hashes = {
        kind: base64.b64encode(hashlib.sha256(page.contents[kind].encode()).digest()).decode()
        for kind in ("script", "style")
    }
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{hashes['script']}'; style-src 'sha256-{hashes['style']}'; "
        "base-uri 'none'; form-action 'none'"
    )
    # Nothing in the script turns text into markup or code, or asks the network.
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacent|document\.write|eval|Function\(|fetch|XMLHttp|import|Math\.random",
        page.contents["script"],
    )


def test_it_can_be_used_without_sight_or_mouse() -> None:
    html = text(sample(), "html")
    assert '<html lang="en">' in html
    page = Page(html)
    labelled = re.findall(r"<label[^>]*>[^<]*<(?:input|select) id=|<label[^>]*><input id=", html)
    assert len(labelled) == page.tags.count("input") + page.tags.count("select") == 4
    assert page.tags.count("caption") == page.tags.count("table") == 2
    assert page.tags.count("th") == sum(map(len, page.heads.values())) + len(page.rows["nodes"])
    assert ("role", "status") in page.attributes
    assert re.search(r'<svg [^>]*role="img" aria-labelledby="legend"', html)
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    assert {value for name, value in page.attributes if name == "aria-labelledby"} <= set(ids)


def test_it_is_light_or_dark_as_the_reader_wants_and_names_the_graph() -> None:
    page = Page(text(sample(), "html"))
    assert "prefers-color-scheme: dark" in page.contents["style"]
    assert page.contents["title"] == "Interaction graph: toy"
    assert "As of 2012-05-01: 3 cards, 2 references, 11 edges." in text(sample(), "html")


def test_an_edge_shows_the_names_of_its_ends_or_else_their_ids() -> None:
    [(row, cells)] = [
        (row, cells) for row, cells in Page(text(sample(), "html")).rows["edges"] if cells[1] == ["toy:burns"]
    ]
    assert row["data-answer"] == "yes"
    assert [cell[0] for cell in cells[:4]] == ['The "Lute"\\ </script> \ufffd 🃏', "toy:burns", "Rion", "yes"]
