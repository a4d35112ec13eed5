"""Selectors and facts said back in plain English, with the game's own words for its terms."""

from __future__ import annotations

import re

import pyoxigraph as ox

from reasoner.knowledge.vocabulary import Vocabulary
from reasoner.reference.possible import IDENTITY, Clash
from reasoner.reference.selector import All, Any, Compare, Has, Not, Selector
from reasoner.terms.namespaces import DOMAIN, TYPE, core

_PHRASE = core("phrase")
_HAS = re.compile(r"\{s\} has (?:the |a |an )?(.*?)\{o\}(.*)")


def say(selector: Selector, vocabulary: Vocabulary, language: str) -> str:
    """Return `selector` as a predicate: "is a knight, is an adventurer and is controlled"."""
    if isinstance(selector, Has):
        return _atom(selector, vocabulary, language)
    if isinstance(selector, Compare):
        return f"has {_valued(selector, vocabulary)} of {compared(selector, vocabulary)}"
    if isinstance(selector, Not) and isinstance(selector.part, Compare):
        # Not "does not have": what has none is not meant either.
        return f"has {_valued(selector.part, vocabulary)} that is not {compared(selector.part, vocabulary)}"
    if isinstance(selector, Not):
        return (
            _negated(_atom(selector.part, vocabulary, language))
            if isinstance(selector.part, Has)
            else f"not ({say(selector.part, vocabulary, language)})"
        )
    if not selector.parts:
        return "is anything" if isinstance(selector, All) else "is nothing"
    word = "and" if isinstance(selector, All) else "or"
    texts = [say(part, vocabulary, language) for part in selector.parts]
    texts = [
        f"({text})" if isinstance(part, All | Any) and len(part.parts) > 1 else text
        for part, text in zip(selector.parts, texts, strict=True)
    ]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} {word} {texts[-1]}"


def say_clash(clash: Clash, vocabulary: Vocabulary, language: str) -> str:
    """Return why something can't be: "what is controlled is in play, and nothing is in hand and is in play at once"."""
    leads = [
        f"what {say(said, vocabulary, language)} {say(taken, vocabulary, language)}" for said, taken in clash.taken
    ]
    one, other = clash.pair
    if not leads or not isinstance(other, Not):
        leads.append(f"nothing {say(one, vocabulary, language)} and {say(other, vocabulary, language)} at once")
    return ", and ".join(leads)


def say_fact(fact: ox.Triple, vocabulary: Vocabulary, language: str, name: NameOf) -> str:
    """Return a fact as a sentence; `name` gives the name of things that the vocabulary does not label."""
    return say_parts(name(fact.subject), fact.predicate, name(fact.object), vocabulary)


def say_parts(subject: str, predicate: ox.NamedNode, value: str, vocabulary: Vocabulary) -> str:
    """Return a sentence from the names of subject and object and the phrase of the predicate."""
    if predicate == TYPE:
        return f"{subject} is {value}"
    template = vocabulary.texts(predicate, _PHRASE).get("en")
    if template is None:
        template = f"{{s}} {vocabulary.label(predicate)}" + ("" if value == "true" else " {o}")
    return template.replace("{s}", subject).replace("{o}", value)


def say_lack(subject: str, predicate: ox.NamedNode, value: str, vocabulary: Vocabulary) -> str:
    """Return that nothing is in one place of a fact, of which the name is empty; "" where there is no way to say it."""
    template = vocabulary.texts(predicate, _PHRASE).get("en", "")
    if not subject and value and template.startswith("{s} "):
        kind = vocabulary.first(predicate, DOMAIN)
        nothing = f"no {vocabulary.label(kind)}" if isinstance(kind, ox.NamedNode) else "nothing"
        return say_parts(nothing, predicate, value, vocabulary)
    has = _HAS.fullmatch(template)
    return f"{subject} has no {has[1]}{has[2]}".rstrip() if has and subject and not value else ""


def quantity_label(characteristic: str, vocabulary: Vocabulary) -> str:
    """Return what the number is called that `characteristic` gives: the label of the quantity, if there is one."""
    iri = ox.NamedNode(characteristic)
    return vocabulary.label(next(iter(vocabulary.subjects(core("isGivenBy"), iri)), iri))


def compared(atom: Compare, vocabulary: Vocabulary) -> str:
    """Return the comparison and the number of `atom`: "at most 3"."""
    return f"{vocabulary.label(core(atom.comparison))} {atom.number}"


def with_article(name: str) -> str:
    """Return an English name with "a" or "an"."""
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def _valued(atom: Compare, vocabulary: Vocabulary) -> str:
    return with_article(quantity_label(atom.characteristic, vocabulary))


def _atom(atom: Has, vocabulary: Vocabulary, language: str) -> str:
    value = atom.value
    if atom.characteristic == IDENTITY:
        return "is the very card that bears the text or that was spoken of"
    if isinstance(value, ox.NamedNode):
        # States and zones are said in English, classes in the words of the game.
        text = vocabulary.label(value, language) if atom.characteristic == TYPE.value else vocabulary.label(value)
    else:
        text = value.value
    sentence = say_parts("", ox.NamedNode(atom.characteristic), text, vocabulary)
    return " ".join(sentence.split())


def _negated(text: str) -> str:
    return f"is not {text[3:]}" if text.startswith("is ") else f"does not ({text})"


class NameOf:
    """Names everything in a proof: labels for terms, printed names for cards, ids for objects, spellings for words.

    What cards speak of (types, castes, zones …) is named in the language of the cards, everything else in English.
    """

    def __init__(self, vocabulary: Vocabulary, language: str, names: dict[str, str]) -> None:
        self.vocabulary = vocabulary
        self.language = language
        self.names = names
        self.of_cards = frozenset((*vocabulary.instances(core("Classifier")), *vocabulary.instances(core("Zone"))))

    def __call__(self, term: object) -> str:
        if isinstance(term, ox.Literal):
            return f"“{term.value}”" if term.datatype.value.endswith("string") or term.language else term.value
        if isinstance(term, ox.NamedNode):
            if term.value in self.names:
                return self.names[term.value]
            if term in self.of_cards:
                return self.vocabulary.label(term, self.language)
            return self.vocabulary.label(term).removeprefix("has ")  # as properties are called
        return str(term)
