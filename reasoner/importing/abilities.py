"""The abilities in the text of an imported card, as lines of N-Triples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from reasoner.abilities.classify import Classifier
from reasoner.abilities.model import Ability, Bearer, Where
from reasoner.abilities.rulebook import FILE, read_rulebook
from reasoner.abilities.script import FILE as SCRIPT
from reasoner.abilities.script import read_script
from reasoner.importing.mapping import ImportMapping
from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.paths import Library
from reasoner.terms.namespaces import TYPE, XSD, core

Abilities = Callable[[str, str, Iterable[str], str, Iterable[str]], Iterator[str]]


def ability_reader(library: Library, mapping: ImportMapping, vocabulary: Vocabulary) -> Abilities | None:
    """Return what makes lines of (bearer, text, names, layout, types), or None if the mapping wants no abilities.

    Raises:
        DataError: D702, D806 the files on abilities are wrong.
    """
    if mapping.abilities is None:
        return None
    rulebook = read_rulebook(library.game(mapping.game), vocabulary)
    classifier = Classifier(rulebook, read_script(library.data / "languages" / mapping.abilities[1]))
    keywords = {one.iri for one in rulebook.keywords}

    def lines(iri: str, text: str, names: Iterable[str], layout: str, types: Iterable[str]) -> Iterator[str]:
        bearer = Bearer(tuple(names), frozenset(types), layout)
        usual = rulebook.bearer(bearer.types).where
        for number, one in enumerate(classifier(text, bearer).abilities, 1):
            node = f"<{iri}/ability/a{number}>"
            yield f"{node} <{TYPE.value}> <{core('Ability').value}> .\n"
            yield f"<{iri}> <{core('hasAbility').value}> {node} .\n"
            # What a keyword stands for, and where that works, is said of the keyword.
            if one.keyword in keywords:
                yield f"{node} <{core('hasKeyword').value}> <{one.keyword}> .\n"
            else:
                yield from _said(node, one, usual)

    return lines


def _said(node: str, one: Ability, usual: Where | None) -> Iterator[str]:
    for kind in one.kinds:
        yield f"{node} <{core('isOfAbilityKind').value}> <{kind}> .\n"
    if one.where == usual:
        return
    for zone in one.where.zones:
        yield f"{node} <{core('worksIn').value}> <{zone}> .\n"
    for holds, name in ((one.where.everywhere, "worksEverywhere"), (one.where.outside, "worksOutsidePlay")):
        if holds:
            yield f'{node} <{core(name).value}> "true"^^<{XSD}boolean> .\n'


def ability_files(library: Library, game: str) -> list[Path]:
    """Return the files on which the abilities of an import depend."""
    return sorted((*library.game(game).glob(FILE), *(library.data / "languages").glob(f"*/{SCRIPT}")))
