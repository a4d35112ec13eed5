"""Texts in which one word stands for another: what an effect has made of the words of an object.

A word is a term (a colour, a subtype), whatever it is called in the language of a text: a text is read as it is
printed, and where a word of it can denote the term, it denotes the other one instead. So no ending and no article has
to be found. Names are no such words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import pyoxigraph as ox

from reasoner.language.mention import Reading, Word
from reasoner.terms.lookup import Value
from reasoner.terms.namespaces import core

READS = core("readsWordAs")
_AS = "/as/"


def word_as(word: ox.NamedNode, other: ox.NamedNode) -> ox.NamedNode:
    """Return the value of core:readsWordAs that says that `word` stands for `other`, a term of the same game."""
    return ox.NamedNode(f"{word.value}{_AS}{other.value.rsplit('/', 1)[1]}")


def words_of(values: Iterable[Value]) -> dict[ox.NamedNode, ox.NamedNode]:
    """Return which word stands for which other, from values of core:readsWordAs."""
    found = {}
    for value in values:
        word, _, other = value.value.partition(_AS)
        found[ox.NamedNode(word)] = ox.NamedNode(f"{word.rsplit('/', 1)[0]}/{other}")
    return found


def reworded(reading: Reading, words: Mapping[ox.NamedNode, ox.NamedNode]) -> Reading:
    """Return what a text comes to in which `words` stand for others."""
    if not words:
        return reading
    instead = {word.value: other.value for word, other in words.items()}
    mentions = (
        replace(mention, words=tuple(_changed(word, instead) for word in mention.words))
        for mention in reading.alternatives
    )
    return replace(reading, alternatives=tuple(mentions))


def _changed(word: Word, instead: Mapping[str, str]) -> Word:
    can_denote = tuple(instead.get(one, one) for one in word.can_denote)
    return replace(word, can_denote=can_denote, arguments=tuple(instead.get(one, one) for one in word.arguments))
