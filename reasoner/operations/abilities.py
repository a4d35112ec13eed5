"""The abilities of a card or in a text: of which kinds they are, and where they work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import pyoxigraph as ox

from reasoner.abilities.classify import Classifier
from reasoner.abilities.model import Ability, Anatomy, Bearer, Where
from reasoner.abilities.rulebook import FILE, Rulebook, read_rulebook
from reasoner.abilities.script import FILE as SCRIPT
from reasoner.abilities.script import read_script
from reasoner.errors import UseError, close_to
from reasoner.knowledge.base import KnowledgeBase
from reasoner.terms.lookup import values
from reasoner.terms.namespaces import core, graph

STATED = ""


@dataclass(frozen=True)
class Found:
    """The abilities of one text, or those that a card file states (`language` is STATED then, and spans are empty)."""

    name: str
    language: str
    anatomy: Anatomy


class AbilityReader:
    """Reads abilities in the texts of one game, in every language that tells how."""

    def __init__(self, base: KnowledgeBase) -> None:
        folder = base.library.game(base.game)
        scripts = sorted(path.parent for path in (base.library.data / "languages").glob(f"*/{SCRIPT}"))
        if not (folder / FILE).is_file():
            raise UseError(
                "U116", f"the game '{base.game}' does not tell of abilities", hint=f"write data/{base.game}/{FILE}"
            )
        self.base = base
        self.rulebook: Rulebook = read_rulebook(folder, base.vocabulary)
        self.classifiers = {path.name: Classifier(self.rulebook, read_script(path)) for path in scripts}

    @cached_property
    def _letters(self) -> dict[str, frozenset[str]]:
        names = {
            code: "".join(name for one in self.rulebook.keywords for name in one.names.get(code, ()))
            for code in self.classifiers
        }
        return {code: frozenset(text.casefold()) for code, text in names.items()}

    def language_of(self, text: str) -> str:
        """Return the language whose letters fill most of `text`."""
        return max(
            sorted(self.classifiers),
            key=lambda code: sum(letter in self._letters[code] for letter in text.casefold() if letter.isalpha()),
        )

    def known(self, language: str) -> str:
        """Return `language` if texts in it can be read.

        Raises:
            UseError: U116 if none can.
        """
        if language not in self.classifiers:
            raise UseError(
                "U116",
                f"nothing tells how abilities are written in '{language}'",
                suggestions=close_to(language, self.classifiers),
                hint=f"languages: {', '.join(sorted(self.classifiers))}",
            )
        return language

    def is_text(self, text: str) -> bool:
        """Return whether `text` is worded like the text of a card, and not like a name."""
        read = self.classifiers[self.language_of(text)](text, Bearer())
        plain = {kind for one in self.rulebook.bearers for kind in one.kinds}
        told = any(one.keyword or one.kinds[0] not in plain for one in read.abilities)
        return told or "\n" in text or bool(read.ignored) or text.rstrip()[-1:] in ".。"

    def in_text(self, text: str, language: str, types: frozenset[str]) -> Found:
        """Return the abilities in `text`, on a card of which no more is known than its types."""
        return Found("", language, self.classifiers[self.known(language)](text, Bearer(types=types)))

    def on_card(self, card: ox.NamedNode, language: str | None = None) -> list[Found]:
        """Return the abilities of a card and of its faces, by text in every language or in `language` alone.

        What has no text has the abilities that its file states.
        """
        found: list[Found] = []
        layouts = self._values(card, "hasLayout")
        layout = layouts[0].value if layouts else ""
        for print_ in (card, *self._faces(card)):
            found.extend(self._on_print(print_, layout, language))
        return found

    def _on_print(self, bearer: ox.NamedNode, layout: str, language: str | None) -> Iterator[Found]:
        names = [name.value for name in self._values(bearer, "printedName")]
        translated = [one for one in self._values(bearer, "translatedName") if isinstance(one, ox.Literal)]
        types = frozenset(one.value for one in self._values(bearer, "printedCardType"))
        texts = sorted(
            (one.language or "", one.value)
            for one in self._values(bearer, "printedText")
            if isinstance(one, ox.Literal) and one.language in self.classifiers
        )
        for code, text in texts:
            if language in (None, code):
                own = (*names, *(one.value for one in translated if one.language == code))
                anatomy = self.classifiers[code](text, Bearer(own, types, layout))
                yield Found(names[0] if names else "", code, anatomy)
        stated = tuple(self._stated(bearer))
        if not texts and stated:
            yield Found(names[0] if names else "", STATED, Anatomy("", stated, ()))

    def _stated(self, bearer: ox.NamedNode) -> Iterator[Ability]:
        keywords = {one.iri: one for one in self.rulebook.keywords}
        default = self.rulebook.bearer(frozenset(one.value for one in self._values(bearer, "printedCardType")))
        for node in sorted(self._values(bearer, "hasAbility"), key=str):
            keyword = next((keywords.get(one.value) for one in self._values(node, "hasKeyword")), None)
            kinds = tuple(one.value for one in self._values(node, "isOfAbilityKind"))
            zones = tuple(one.value for one in self._values(node, "worksIn"))
            where = Where(
                zones, bool(self._values(node, "worksEverywhere")), bool(self._values(node, "worksOutsidePlay"))
            )
            if where == Where():
                where = (keyword.where if keyword else None) or default.where or Where()
            yield Ability(0, 0, kinds or (keyword.kinds if keyword else ()), where, keyword.iri if keyword else None)

    def _faces(self, card: ox.NamedNode) -> list[ox.NamedNode]:
        return [one for one in self._values(card, "hasFace") if isinstance(one, ox.NamedNode)]

    def _values(self, node: ox.NamedNode | ox.Literal, name: str) -> list[ox.NamedNode | ox.Literal]:
        found = values(self.base.store, ox.NamedNode(node.value), core(name), graph(self.base.game, "cards"))
        return [one for one in found if isinstance(one, ox.NamedNode | ox.Literal)]


def abilities(base: KnowledgeBase, what: str, language: str | None = None, types: Iterable[str] = ()) -> list[Found]:
    """Return the abilities of the card called `what`, or in the text `what`.

    A text is taken for one where it is worded like one, or where its `types` are given.

    Raises:
        UseError: U104 no such card, U116 the game or the language can't be read.
        DataError: D104 an unknown type; D702, D806 the files on abilities are wrong.
    """
    reader = AbilityReader(base)
    if language is not None:
        reader.known(language)
    kinds = [base.vocabulary.find(name, core("CardType"), None, error=UseError, code="U108") for name in types]
    try:
        card = base.card(what)
    except UseError:
        if not kinds and not reader.is_text(what):
            raise
        code = language or reader.language_of(what)
        return [reader.in_text(what, code, frozenset(kind.value for kind in kinds))]
    return reader.on_card(card, language)
