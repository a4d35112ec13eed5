"""What keeps the code readable: small modules, one direction of imports, no game in the package, no stray names.

Each test gathers every fault before it fails, so that one run shows them all.
"""

from __future__ import annotations

import ast
import re
import tokenize
import tomllib
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from io import BytesIO
from pathlib import Path

import pytest
from rdflib import RDF, RDFS, Graph, Literal, Namespace
from rdflib.namespace import DCTERMS, SKOS

TERM = Namespace("https://w3id.org/cardlore/term/")
MOST_LINES = 400

# The parts of the package, each a module or a folder of modules. A part may import those above it, never those below.
ORDER = (
    "errors",
    "paths",
    "parallel",
    "terms",
    "engine",
    "language",
    "knowledge",
    "abilities",
    "importing",
    "reference",
    "cardtexts",
    "index",
    "owl",
    "effects",
    "situation",
    "export",
    "operations",
    "game",
    "render",
    "__init__",
    "options",
    "loading",
    "commands",
    "cli",
    "__main__",
)

CODE = re.compile(r"\b[A-Z][0-9]{3}\b")


class Module:
    """One module of the package: `path` in the checkout, `text`, `tree`, dotted `name`, and the `part` it lies in."""

    def __init__(self, root: Path, path: Path) -> None:
        self.path = path
        self.text = (root / path).read_text(encoding="utf-8")
        self.tree = ast.parse(self.text, filename=str(path))
        self.name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        self.part = path.with_suffix("").parts[1]

    def imports(self) -> Iterator[tuple[int, str]]:
        """Yield line and dotted name of everything imported, wherever in the module it happens."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from ((node.lineno, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{self.path}:{node.lineno}: relative import"
                yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)

    def words(self) -> Iterator[tuple[int, str]]:
        """Yield line and value of every string constant, and of every identifier."""
        for token in tokenize.tokenize(BytesIO(self.text.encode()).readline):
            if token.type == tokenize.NAME:
                yield token.start[0], token.string
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.lineno, node.value


@pytest.fixture(scope="module")
def modules(root: Path, project_files: tuple[Path, ...]) -> tuple[Module, ...]:
    """Every module of the package."""
    found = tuple(Module(root, path) for path in project_files if path.parts[0] == "reasoner" and path.suffix == ".py")
    assert found
    return found


def test_modules_are_small(modules: tuple[Module, ...]) -> None:
    """No module has more lines than a reader can hold."""
    lengths = {str(module.path): module.text.count("\n") for module in modules}
    assert {path: lines for path, lines in lengths.items() if lines > MOST_LINES} == {}


def test_everything_public_says_what_it_is(modules: tuple[Module, ...]) -> None:
    """Modules, public classes, functions and methods have docstrings. Properties are told by the class's."""

    def undocumented(node: ast.Module | ast.ClassDef, name: str) -> Iterator[str]:
        for inner in node.body:
            if not isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            attribute = any(ast.unparse(each).endswith("property") for each in inner.decorator_list)
            if inner.name.startswith("_") or attribute:
                continue
            if not ast.get_docstring(inner):
                yield f"{name}.{inner.name}"
            if isinstance(inner, ast.ClassDef):
                yield from undocumented(inner, f"{name}.{inner.name}")

    faults = [module.name for module in modules if module.tree.body and not ast.get_docstring(module.tree)]
    faults += [fault for module in modules for fault in undocumented(module.tree, module.name)]
    assert faults == []


def test_parts_of_the_package_are_in_the_order(modules: tuple[Module, ...]) -> None:
    """A new module or folder takes its place in ORDER; one that is gone leaves it."""
    assert {module.part for module in modules} == set(ORDER)


def test_imports_point_one_way(modules: tuple[Module, ...]) -> None:
    """A part imports only from parts before it in ORDER."""
    parts = {module.part for module in modules} | set(ORDER)
    rank = {part: place for place, part in enumerate(ORDER)}
    faults = set()
    for module in modules:
        for line, name in module.imports():
            first, *rest = name.split(".")
            if first != "reasoner":
                continue
            part = rest[0] if rest and rest[0] in parts else "__init__"
            if rank.get(part, 0) > rank.get(module.part, 0):
                faults.add(f"{module.path}:{line}: {module.part} imports {part}")
    assert faults == set()


def test_modules_do_not_import_in_a_circle(modules: tuple[Module, ...]) -> None:
    """Within a part, too, imports have a direction."""
    known = {module.name for module in modules}
    needs: dict[str, set[str]] = {}
    for module in modules:
        wanted = {next((n for n in (name, name.rpartition(".")[0]) if n in known), "") for _, name in module.imports()}
        needs[module.name] = wanted - {"", module.name}
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(error.args[1]))


def names_of_games(root: Path, project_files: tuple[Path, ...]) -> set[str]:
    """Return what the games call themselves: their folders, and the labels and titles in their `game.ttl`."""
    names = set()
    for path in project_files:
        if path.parts[0] == "data" and path.name == "game.ttl":
            graph = Graph().parse(root / path)
            names.add(path.parent.name)
            for game in graph.subjects(RDF.type, TERM.Game):
                names |= {str(o) for p in (RDFS.label, SKOS.altLabel, DCTERMS.title) for o in graph.objects(game, p)}
    return names


def words_of_games(root: Path, project_files: tuple[Path, ...]) -> tuple[set[str], set[str]]:
    """Return the labels and local names of all card types: those in English, and the others."""
    english, other = set(), set()
    for path in project_files:
        if path.parts[0] == "data" and path.suffix == ".ttl":
            graph = Graph().parse(root / path)
            for term in graph.subjects(RDF.type, TERM.CardType):
                local = re.split("[/#]", str(term))[-1]
                labels = [o for p in (RDFS.label, SKOS.altLabel) for o in graph.objects(term, p)]
                for label in (label for label in labels if isinstance(label, Literal)):
                    (english if (label.language or "en").startswith("en") else other).add(str(label))
                english.add(local)
    return english, other


def test_no_game_is_named_in_the_package(
    root: Path, project_files: tuple[Path, ...], modules: tuple[Module, ...]
) -> None:
    """A game is a folder of data: neither its name nor its card types occur in code, comments or docstrings.

    English names of card types are also ordinary words ("event", "building"): they only may not be a constant or an
    identifier of their own. Any other language's may not occur at all.
    """
    names = names_of_games(root, project_files)
    english, other = words_of_games(root, project_files)
    assert names
    assert english
    assert other
    anywhere = re.compile("|".join(rf"(?<!\w){re.escape(n)}(?!\w)" for n in sorted(names | other)), re.IGNORECASE)
    alone = {word.casefold() for word in english} - {term.casefold() for term in shared_terms(root)}
    faults = []
    for module in modules:
        for number, line in enumerate(module.text.splitlines(), start=1):
            faults += [f"{module.path}:{number}: {hit.group()}" for hit in anywhere.finditer(line)]
        faults += [f"{module.path}:{number}: {word}" for number, word in module.words() if word.casefold() in alone]
    assert faults == []


def shared_terms(root: Path) -> set[str]:
    """Return the local names of the shared vocabulary, which the code does rely on."""
    graph = Graph().parse(root / "ontology" / "core.ttl")
    return {str(term).removeprefix(TERM) for term in graph.subjects() if str(term).startswith(TERM)}


def test_every_error_code_is_explained(root: Path, modules: tuple[Module, ...]) -> None:
    """The codes in the package and in the headers of queries, and those in docs/errors.md, are the same."""
    used = {code for module in modules for _, word in module.words() for code in CODE.findall(word) if word == code}
    headers = [path.read_text(encoding="utf-8") for path in (root / "queries").rglob("*.rq")]
    used |= {code for text in headers for code in re.findall(r"^#\+ code: (\S+)$", text, re.MULTILINE)}
    explained = set(CODE.findall((root / "docs" / "errors.md").read_text(encoding="utf-8")))
    assert used
    assert explained == used


def test_letter_of_a_code_tells_its_kind(modules: tuple[Module, ...]) -> None:
    """An error's code begins with the letter that the tree at the top of errors.py gives its class."""
    (errors,) = (module for module in modules if module.part == "errors")
    letters = dict(re.findall(r"── (\w+) +([A-Z])…", ast.get_docstring(errors.tree) or ""))
    assert letters
    faults = []
    for module in modules:
        for node in ast.walk(module.tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in letters):
                continue
            code = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
            if isinstance(code, str) and not code.startswith(letters[node.func.id]):
                faults.append(f"{module.path}:{node.lineno}: {node.func.id} {code}")
    assert faults == []


def test_no_file_names_a_place_of_its_author(root: Path, project_files: tuple[Path, ...]) -> None:
    """No absolute path of a home, work or temporary folder, and not the path of this checkout."""
    local = re.compile(
        rf"(?<![\w.])/(?:home|root|Users|work|tmp|mnt|opt)/\w|[A-Z]:\\\w|{re.escape(str(root))}(?![\w.])"
    )
    faults = []
    for path in project_files:
        text = (root / path).read_text(encoding="utf-8")
        for number, line in enumerate(text.splitlines(), start=1):
            faults += [f"{path}:{number}: {hit.group()}" for hit in local.finditer(line)]
    assert faults == []


def test_version_is_written_once(root: Path, modules: tuple[Module, ...]) -> None:
    """The version stands in pyproject.toml; the changelog has a section for it or for what comes next."""
    current = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert [str(module.path) for module in modules if current in module.text] == []
    headings = re.findall(r"^## (.+)$", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings
    assert headings[0] == "Unreleased" or headings[0].startswith(current)
