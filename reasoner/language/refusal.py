"""Why a phrase can't be read, said so that its author can mend it: the word, its place, what may have been meant."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from reasoner.errors import TextError
from reasoner.language.lattice import Edge
from reasoner.language.lexicon import Lexicon, joined
from reasoner.language.morphology import Morphology
from reasoner.language.parser import Stop
from reasoner.language.scope import Outcome
from reasoner.language.tokens import Token, is_unspaced

Attempt = tuple[Sequence[Edge], Outcome]

_MOST_SUGGESTIONS: Final = 3
_AROUND: Final = 4  # how many words before and after an unknown one may belong to the same name
_ALIKE: Final = 0.75  # share of letters in common from which on two names are taken for alike

# What may follow, in the words of the reader and in this order; several terminals may be one thing to them.
_THINGS: Final = {
    "TYPE": "a card type",
    "CARDWORD": "the word for a card",
    "CLASSIFIER": "a classifier",
    "NAME": "a card name",
    "STATUS": "a status",
    "ZONE": "a place",
    "LOCATED": "a word for being there",
    "SAME": "a word for the same",
    "OTHER": "a word for another",
    "QUANTITY": "a quantity",
    "NUM": "a number",
    "ONE": "a number",
    "ORDINAL": "a number",
    "ONWARD": "a word for more or less",
    "COMPARATIVE": "a word for more or less",
    "BOUND": "a determiner",
    "DET": "a determiner",
    "ARTICLE": "an article",
    "NEG": "a negation",
    "JOINT": "a comma or a word that joins",
    "OPEN": "an opening bracket",
    "CLOSE": "a closing bracket",
}


def unknown_word(tokens: Sequence[Token], at: int, lexicon: Lexicon, endings: Morphology) -> TextError:
    """Return T101 for the word at token `at`, which no entry of the lexicon accounts for; T104 if it is marked."""
    if tokens[at].run:
        return _no_name(tokens, at, lexicon)
    word = joined([tokens[at], *_rest_of_word(tokens, at)])
    if not tokens[at].is_word:
        return TextError(
            "T101",
            f"unknown sign '{tokens[at].text}' (letter {tokens[at].start + 1})",
            hint="a phrase is one reference, without full stops and the like",
        )
    exact, alike = _names_around(tokens, at, lexicon)
    found = [*exact, *_with_right_ending(word, lexicon, endings), *alike, *lexicon.suggest(word)]
    known = _known_beginning(word, lexicon)
    return TextError(
        "T101",
        f"unknown word '{word}' (letter {tokens[at].start + 1})",
        suggestions=tuple(text for text in dict.fromkeys(found) if text != word)[:_MOST_SUGGESTIONS],
        hint=f"'{known}' is known, but not with '{word[len(known) :]}' at its end" if known else "",
    )


def not_a_phrase(attempts: Sequence[Attempt], tokens: Sequence[Token]) -> TextError:
    """Return T102: every word is known, but they make no noun phrase. It tells where the furthest attempt stopped."""
    obstacles = [outcome.obstacle for _, outcome in attempts if outcome.stop is None]
    if obstacles:
        reason = next(filter(None, obstacles), "one noun phrase would bear two card names")
        return TextError("T102", f"the words make no noun phrase: {reason}")
    stops = [(path, outcome.stop) for path, outcome in attempts if outcome.stop is not None]
    furthest = max(_token_at(path, stop.place, tokens) for path, stop in stops)
    stops = [(path, stop) for path, stop in stops if _token_at(path, stop.place, tokens) == furthest]
    path, stop = stops[0]
    expected = {name.partition("_")[0] for _, one in stops for name in one.expected}
    things = list(dict.fromkeys(thing for name, thing in _THINGS.items() if name in expected))
    could = " or ".join([*([", ".join(things[:-1])] if things[1:] else []), *things[-1:]]) or "nothing"
    after = f"after '{_text(path[stop.place - 1], tokens)}'" if stop.place else "at the beginning"
    if furthest == len(tokens):
        return TextError("T102", f"the phrase is not complete {after}", hint=f"what could follow: {could}")
    edge = path[stop.place]
    return TextError(
        "T102",
        f"'{_text(edge, tokens)}' (letter {tokens[edge.start].start + 1}) can't stand {after}",
        hint=f"what could stand there: {could}",
    )


def no_phrase_from(stop: Stop, edges: Sequence[Edge], tokens: Sequence[Token]) -> TextError:
    """Return T102 for the place, a token, at which every attempt of an ordered grammar stopped."""
    at = min(stop.place, len(tokens))
    before = [Edge(i, i + 1, edges[0].entry, "", frozenset()) for i in range(at)]
    if before and is_unspaced(tokens[at - 1].text):
        before[-1] = next((edge for edge in edges if edge.stop == at), before[-1])
    after = next((edge for edge in edges if edge.start == at), Edge(at, at + 1, edges[0].entry, "", frozenset()))
    path = (*before, after) if at < len(tokens) else tuple(before)
    return not_a_phrase([(path, Outcome(stop=Stop(at, stop.expected)))], tokens)


def too_many(most: int) -> TextError:
    """Return T107: more than `most` readings."""
    return TextError(
        "T107",
        f"the phrase can be read in more than {most} ways",
        hint="put brackets around what belongs together, or give its parts one at a time",
    )


def _no_name(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> TextError:
    marked = [token for token in tokens if token.run == tokens[at].run]
    text = joined(marked)
    start = marked[0].start + 1
    if any(match.entry.name is not None and match.length == len(marked) for match in lexicon.lookup(marked)):
        after = "".join(token.text for token in _rest_of_word(tokens, tokens.index(marked[-1])))
        return TextError(
            "T101",
            f"unknown ending '{after}' after the card name '{text}' (letter {start})",
            hint="between a name and the next word there must be a space",
        )
    exact, alike = _names_around(tokens, at, lexicon)
    found = dict.fromkeys([*lexicon.suggest(text, names_only=True), *exact, *alike])
    how = "bold text" if tokens[at].bold else "the text in quotation marks"
    return TextError(
        "T104",
        f"{how} '{text}' (letter {start}) is no card name",
        suggestions=tuple(found)[:_MOST_SUGGESTIONS],
        hint="such marks stand around a whole card name and nothing else; an ending may follow",
    )


def _rest_of_word(tokens: Sequence[Token], at: int) -> Iterator[Token]:
    for token in tokens[at + 1 :]:
        if is_unspaced(token.text) and _script(token) == _script(tokens[at]):
            yield token
        elif not (token.glued and (token.is_word or token.is_hyphen)):
            return
        else:
            yield token


def _script(token: Token) -> str:
    """Return a mark of the script of a token's first letter: words of scripts without spaces seldom go beyond it."""
    return unicodedata.name(token.text[0], "")[:3]


def _with_right_ending(word: str, lexicon: Lexicon, endings: Morphology) -> Iterator[str]:
    """Yield the right forms of known words of which `word` may be a misspelt form."""
    for stem, case, plural in endings.guesses(word):
        for entry in lexicon.find((stem.casefold(),)):
            typed = word[: len(stem)] if word.lower().startswith(stem) else entry.spelling
            form = endings.inflect(entry.spelling if entry.name is not None else typed, case, plural=plural)[0]
            if form != word:
                yield form


def _known_beginning(word: str, lexicon: Lexicon) -> str:
    """Return the longest known word, of two letters at least, that `word` begins with, as typed."""
    cuts = range(len(word) - 1, 1, -1)
    return next((word[:cut] for cut in cuts if lexicon.find((word[:cut].casefold(),))), "")


def _names_around(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> tuple[list[str], list[str]]:
    """Return the card names that stand around token `at` but for letter case, spaces and marks, and those like them."""
    windows = {
        "".join(token.text for token in tokens[start:stop]).casefold()
        for start in range(max(0, at - _AROUND), at + 1)
        for stop in range(at + 1, min(len(tokens), at + _AROUND) + 1)
    }
    single = {token.text.casefold() for token in tokens[max(0, at - _AROUND) : at + _AROUND]}
    matchers = [difflib.SequenceMatcher(None, "", text) for text in sorted(windows)]
    exact = sorted(entry.spelling for window in windows for entry in lexicon.names_written(window))
    alike = []
    for entry in lexicon.names_alike(single):
        whole = entry.lexeme.replace(" ", "")
        if whole not in windows and len(entry.lexeme.replace("-", " ").split()) > 1:
            likeness = max(_likeness(matcher, whole) for matcher in matchers)
            if likeness >= _ALIKE:
                alike.append((-likeness, entry.spelling))
    return exact, [spelling for _, spelling in sorted(alike)]


def _likeness(matcher: difflib.SequenceMatcher[str], text: str) -> float:
    """Return how alike the two are, 0 if less than _ALIKE: the exact answer takes long, so bounds are asked first."""
    matcher.set_seq1(text)
    return matcher.ratio() if matcher.real_quick_ratio() >= _ALIKE and matcher.quick_ratio() >= _ALIKE else 0.0


def _token_at(path: Sequence[Edge], place: int, tokens: Sequence[Token]) -> int:
    return path[place].start if place < len(path) else len(tokens)


def _text(edge: Edge, tokens: Sequence[Token]) -> str:
    return joined(tokens[edge.start : edge.stop])
