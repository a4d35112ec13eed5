"""Rule files: their headers, and every error of a rule or of a set of rules, as it is shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest

from reasoner.engine.rule import Header, Rule
from reasoner.engine.rulefile import check_rules, outranked, read_rule
from reasoner.errors import CardloreError
from reasoner.knowledge.program import make_programs
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.terms.namespaces import BASE, Prefixes

HEADER = """\
#+ id: ember:burn
#+ title: Fire burns wood
#+ source: embers:rules 3.2, second sentence
#+ edition: 2024-05
"""
QUERY = """\
PREFIX ember: <https://w3id.org/cardlore/game/ember/term/>
CONSTRUCT { ?x ember:burns ?y }
WHERE { ?x ember:meets ?y }
"""


def read(text: str, folder: Path, name: str = "x.rq") -> Rule:
    """Return the rule in a file `name` that holds `text`."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_rule(path, name)


def shown(action: Callable[[], object], folder: Path) -> str:
    """Return the error that `action` ends in, as it is shown, with places below `folder`."""
    with pytest.raises(CardloreError) as caught:
        action()
    return str(caught.value).replace(f"{folder}/", "")


def test_header_in_full(tmp_path: Path) -> None:
    """Every key is read; a list may be written as such or with commas, and a note may be folded."""
    text = HEADER + (
        "#+ exception-to: [ember:a, ember:b.except]\n"
        "#+ more-specific-than: ember:c,ember:d\n"
        '#+ note: "One: two,\n'
        '#+   and three."\n'
    )
    rule = read(text + QUERY, tmp_path)
    assert rule.header == Header(
        id="ember:burn",
        title="Fire burns wood",
        source="embers:rules",
        section="3.2, second sentence",
        edition="2024-05",
        exception_to=("ember:a", "ember:b.except"),
        more_specific_than=("ember:c", "ember:d"),
        note="One: two, and three.",
    )
    assert outranked(rule) == ("ember:a", "ember:b.except", "ember:c", "ember:d")
    assert rule.path == "x.rq"
    assert {key: rule.lines[key] for key in ("id", "source", "exception-to", "note", "ember:burns", "ember:meets")} == {
        "id": 1,
        "source": 3,
        "exception-to": 5,
        "note": 7,
        "ember:burns": 10,
        "ember:meets": 11,
    }


def test_header_may_stand_anywhere(tmp_path: Path) -> None:
    """Its lines are those that begin with `#+`; other comments, a byte order mark and CRLF do not matter."""
    plain = read(HEADER + QUERY, tmp_path)
    lines = HEADER.splitlines(keepends=True)
    mixed = read("\ufeff# by us\n" + lines[0] + "# more\n" + QUERY + "".join(lines[1:]).replace("\n", "\r\n"), tmp_path)
    assert mixed.header == plain.header
    assert mixed.lines["edition"] == 9


@pytest.mark.parametrize(
    ("identifier", "clause"), [("ember:B", "ember:B"), ("ember:B.except", "ember:B"), ("ember:3.2.1", "ember:3")]
)
def test_clause_is_the_id_up_to_the_first_dot(identifier: str, clause: str, tmp_path: Path) -> None:
    """Citing a clause covers the rules below it."""
    assert read(HEADER.replace("ember:burn", identifier) + QUERY, tmp_path).header.clause == clause


@pytest.mark.parametrize("edition", ["1996", "1996-02", "2024-02-29", "undated"])
def test_editions(edition: str, tmp_path: Path) -> None:
    """A year, a month, a day that exists, or none."""
    assert read(HEADER.replace("2024-05", edition) + QUERY, tmp_path).header.edition == edition


KEYS = "id, title, source, edition, exception-to, more-specific-than, language, note"
NO_HEADER = f"R101 x.rq:1: the file has no header\n  begin with lines `#+ key: value`; keys: {KEYS}"
REQUIRED = "\n  required: id, title, source, edition"
NO_EDITION = "\n  the date of issue as YYYY, YYYY-MM or YYYY-MM-DD, or 'undated'"
BAD_FILES: dict[str, tuple[str, str]] = {
    "empty file": ("", NO_HEADER),
    "no header": (QUERY, NO_HEADER),
    "header is a text": ("#+ just words\n" + QUERY, NO_HEADER),
    "header is a list": ("#+ - a\n" + QUERY, NO_HEADER),
    "no id": (HEADER.replace("#+ id: ember:burn\n", ""), f"R101 x.rq:1: the header lacks 'id'{REQUIRED}"),
    "no title": (HEADER.replace("#+ title: Fire burns wood\n", ""), f"R101 x.rq:1: the header lacks 'title'{REQUIRED}"),
    "empty source": (
        HEADER.replace(" embers:rules 3.2, second sentence", ""),
        f"R101 x.rq:3: the header lacks 'source'{REQUIRED}",
    ),
    "no edition": (HEADER.replace("#+ edition: 2024-05\n", ""), f"R101 x.rq:1: the header lacks 'edition'{REQUIRED}"),
    "a colon in a title": (
        HEADER.replace("Fire", "Fire: it"),
        "R102 x.rq:2: the header is not valid YAML: mapping values are not allowed here",
    ),
    "an open quote": (
        HEADER.replace("Fire", '"Fire'),
        "R102 x.rq:2: the header is not valid YAML: found unexpected end of stream",
    ),
    "a control character": (
        HEADER.replace("Fire", "Fire\a"),
        "R102 x.rq:1: the header is not valid YAML: unacceptable character #x0007: special characters are not allowed",
    ),
    "a key twice": (HEADER + "#+ id: ember:other\n", "R102 x.rq:5: the header gives 'id' twice"),
    "a list of titles": (HEADER.replace("Fire burns wood", "[a, b]"), "R102 x.rq:2: 'title' is one text, not a list"),
    "a mapping": (
        HEADER + "#+ exception-to: {a: b}\n",
        "R102 x.rq:5: the header key 'exception-to' holds more than a list of words",
    ),
    "a list of lists": (
        HEADER + "#+ exception-to: [[a]]\n",
        "R102 x.rq:5: the header key 'exception-to' holds more than a list of words",
    ),
    "an unknown key": (
        HEADER + "#+ exeption-to: ember:a\n",
        "R110 x.rq:5: unknown header key 'exeption-to'\n  did you mean 'exception-to'?",
    ),
    "an unknown key like no other": (HEADER + "#+ strength: 3\n", "R110 x.rq:5: unknown header key 'strength'"),
    **{
        f"the id {name}": (
            HEADER.replace("ember:burn", name),
            f"R112 x.rq:1: '{name}' is no rule id\n  write game:name or game:name.part",
        )
        for name in ("burn", "Ember:burn", "ember:bürn", "ember:a b", "ember:a/b", "ember:.a")
    },
    **{
        f"the edition {name}": (
            HEADER.replace("2024-05", name),
            f"R112 x.rq:4: '{name}' is no edition{NO_EDITION}",
        )
        for name in ("2024-13", "2023-02-29", "24", "2024-5", "2024-05-1", "May 2024", "202405", "２０２４")
    },
}


@pytest.mark.parametrize(("text", "expected"), BAD_FILES.values(), ids=BAD_FILES)
def test_bad_file(text: str, expected: str, tmp_path: Path) -> None:
    """The message names the line of the key that is wrong."""
    content = text if text in ("", QUERY) or text.endswith(QUERY) else text + QUERY
    assert shown(lambda: read(content, tmp_path), tmp_path) == expected


def test_deep_nesting_is_an_error_like_others(tmp_path: Path) -> None:
    """A header that is nested beyond Python's stack ends in no traceback."""
    found = shown(lambda: read(HEADER + "#+ note: " + "[" * 5000 + "\n" + QUERY, tmp_path), tmp_path)
    assert found.startswith("R102 x.rq:1: the header is not valid YAML: ")


def test_unreadable_files(tmp_path: Path) -> None:
    """No UTF-8, no file, a folder."""
    (tmp_path / "latin.rq").write_bytes(HEADER.replace("wood", "wööd").encode("latin-1"))
    (tmp_path / "folder.rq").mkdir()
    errors = [
        shown(lambda name=name: read_rule(tmp_path / name, name), tmp_path)
        for name in ("latin.rq", "no.rq", "folder.rq")
    ]
    assert errors == [
        "R102 latin.rq: the file is not UTF-8 text: invalid start byte",
        "R102 no.rq: cannot read the file: No such file or directory",
        "R102 folder.rq: cannot read the file: Is a directory",
    ]


# --- what only the set of rules shows


def rules_of(folder: Path, **headers: str) -> list[Rule]:
    """Return one rule per item: its local name, and the lines to add to its header (or to put for the source)."""
    found = []
    for name, lines in headers.items():
        header = HEADER.replace("ember:burn", f"ember:{name}")
        if lines.startswith("#+ source"):
            header = header.replace("#+ source: embers:rules 3.2, second sentence\n", lines)
        else:
            header += lines
        found.append(read(header + QUERY, folder, f"{name}.rq"))
    return found


SETS: dict[str, tuple[dict[str, str], str]] = {
    "unknown exception": (
        {"burn": "", "wet": "#+ exception-to: [ember:bur]\n"},
        "R104 wet.rq:5: unknown rule 'ember:bur' in exception-to\n  did you mean 'ember:burn' or 'ember:wet'?",
    ),
    "unknown more specific": (
        {"burn": "#+ note: x\n#+ more-specific-than: ember:nothing-like-it\n"},
        "R104 burn.rq:6: unknown rule 'ember:nothing-like-it' in more-specific-than",
    ),
    "unknown source": (
        {"burn": "#+ source: ember:rules 3\n"},
        """R111 burn.rq:3: unknown source 'ember:rules'
  did you mean 'embers:rules'?
  sources are declared in game.ttl""",
    ),
    "exception to itself": (
        {"burn": "#+ exception-to: ember:burn\n"},
        (
            "R109 burn.rq:5: rules except each other in a cycle: ember:burn -> ember:burn\n"
            "  ember:burn (burn.rq:5): exception-to ember:burn\n"
            "  take one of these out"
        ),
    ),
    "cycle over both keys": (
        {
            "a": "#+ more-specific-than: ember:b\n",
            "b": "#+ exception-to: ember:c\n",
            "c": "#+ exception-to: ember:a\n",
            "d": "#+ exception-to: ember:a\n",
        },
        (
            "R109 a.rq:5: rules except each other in a cycle: ember:a -> ember:b -> ember:c -> ember:a\n"
            "  ember:a (a.rq:5): more-specific-than ember:b\n"
            "  ember:b (b.rq:5): exception-to ember:c\n"
            "  ember:c (c.rq:5): exception-to ember:a\n"
            "  take one of these out"
        ),
    ),
}


@pytest.mark.parametrize(("headers", "expected"), SETS.values(), ids=SETS)
def test_bad_set_of_rules(headers: dict[str, str], expected: str, tmp_path: Path) -> None:
    """The place is the line of the key that names what is wrong."""
    rules = rules_of(tmp_path, **headers)
    assert shown(lambda: check_rules(rules, ["embers:rules"], tmp_path), tmp_path) == expected


def test_id_given_twice(tmp_path: Path) -> None:
    """The second file is named, and the first in the message; several faults are told together."""
    first = read(HEADER + QUERY, tmp_path, "a.rq")
    second = read("#\n" + HEADER + "#+ exception-to: ember:c\n" + QUERY, tmp_path, "b.rq")
    assert shown(lambda: check_rules([first, second], ["embers:rules"], tmp_path), tmp_path) == (
        "R108 b.rq:2: rule 'ember:burn' is defined twice, also at a.rq:1\n"
        "  rules are known by their ids: give one of them another\n"
        "R104 b.rq:6: unknown rule 'ember:c' in exception-to\n"
        "  did you mean 'ember:burn'?"
    )


def test_good_set_of_rules(tmp_path: Path) -> None:
    """Two exceptions to one rule, and an exception to an exception, are no cycle."""
    rules = rules_of(
        tmp_path,
        a="",
        b="#+ exception-to: ember:a\n",
        c="#+ exception-to: [ember:a, ember:b]\n",
        d="#+ more-specific-than: ember:c\n",
    )
    check_rules(rules, ["embers:rules"], tmp_path)


TERMS = """\
@prefix core: <https://w3id.org/cardlore/term/> .
@prefix ember: <https://w3id.org/cardlore/game/ember/term/> .
@prefix embers: <https://w3id.org/cardlore/game/ember/source/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
embers:rules a core:Source .
ember:burns a owl:ObjectProperty .
ember:meets a owl:ObjectProperty .
ember:means a owl:ObjectProperty ; rdfs:domain core:Word .
core:Word a owl:Class .
"""
EMBER = f"{BASE}game/ember/"


@pytest.fixture
def vocabulary() -> Vocabulary:
    """The vocabulary of a game with three properties, one of them of words."""
    graph = ox.NamedNode("https://example.org/terms")
    store = ox.Store()
    store.load(TERMS.encode(), format=ox.RdfFormat.TURTLE, to_graph=graph)
    prefixes = {"core": f"{BASE}term/", "ember": f"{EMBER}term/", "embers": f"{EMBER}source/"}
    return Vocabulary(store, (graph,), Prefixes(prefixes))


TERM_FAULTS: dict[str, tuple[str, str]] = {
    "unknown in the head": (
        QUERY.replace("ember:burns", "ember:burn"),
        "R105 x.rq:6: unknown term 'ember:burn'\n  did you mean 'ember:burns' or 'ember:means' or 'embers:rules'?",
    ),
    "unknown in a path under NOT EXISTS": (
        QUERY.replace("?x ember:meets ?y", "?x ember:meets ?y\n FILTER NOT EXISTS { ?x ember:meets/^ember:mets ?y }"),
        "R105 x.rq:8: unknown term 'ember:mets'\n  did you mean 'ember:meets' or 'ember:means' or 'ember:burns'?",
    ),
    "unknown under two negations": (
        QUERY.replace(
            "?x ember:meets ?y",
            "?x ember:meets ?y\n FILTER NOT EXISTS { ?y ember:burns ?z FILTER NOT EXISTS { ?z ember:mets ?x } }",
        ).replace("{ ?x ember:burns ?y }", "{ ?x ember:means ?y }"),
        "R105 x.rq:8: unknown term 'ember:mets'",
    ),
    "object from a word": (
        QUERY.replace("?x ember:meets ?y", "?x ember:meets ?y OPTIONAL { ?w ember:means ?y }"),
        "R114 x.rq:1: 'ember:burn' concludes something about objects from what a mention means (ember:means)",
    ),
    "negation of its own conclusion": (
        QUERY.replace("?x ember:meets ?y", "?x ember:meets ?y FILTER NOT EXISTS { ?y ember:burns ?x }"),
        (
            "R107 x.rq:7: rules that wait for each other in a cycle: ember:burn -> ember:burn\n"
            "  ember:burn (x.rq:6) concludes ember:burns, which must be absent for ember:burn (x.rq:7)"
        ),
    ),
}


@pytest.mark.parametrize(("query", "expected"), TERM_FAULTS.values(), ids=TERM_FAULTS)
def test_rule_against_the_vocabulary(query: str, expected: str, vocabulary: Vocabulary, tmp_path: Path) -> None:
    """Terms are declared, objects do not depend on texts, and there is an order."""
    word = read(
        HEADER.replace("ember:burn", "ember:word")
        + QUERY.replace("?x ember:burns ?y", "?y ember:means ?x").replace("ember:meets", "ember:burns"),
        tmp_path,
        "word.rq",
    )
    rules = [read(HEADER + query, tmp_path), word]
    found = shown(lambda: make_programs(rules, vocabulary, tmp_path, None), tmp_path)
    assert found.splitlines()[: expected.count("\n") + 1] == expected.splitlines()
