"""Endings of nouns: the forms of a word, and the words a form may belong to. What the endings are is data.

`Endings.inflect` is the definition; `Endings.stems` is its inverse, and gives nothing that `inflect` would not form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from reasoner.language.morphology import ADJECTIVE, BARE, Stem, lettered

WAYS: Final = ("back", "front", "rounded")


@dataclass(frozen=True)
class Case:
    """An ending: `variants` by vowel class ("rounded" only if it differs from "front"), and how it is joined.

    `linking` names the vowels that stand before it after a consonant, except after those of `direct_after`; `doubles`:
    its first letter becomes the consonant before it; `keeps`: a final short vowel stays short before it; `after_vowel`
    stands before it after a vowel.
    """

    name: str
    variants: Mapping[str, str]
    linking: str | None = None
    direct_after: tuple[str, ...] = ()
    doubles: bool = False
    keeps: bool = False
    after_vowel: str = ""

    def text(self, way: str) -> str:
        """Return the variant for the vowel class `way`."""
        return self.variants.get(way) or self.variants["front"]


@dataclass(frozen=True)
class Alternation:
    """Words in `ends` may end in `becomes` before a linking vowel; `linking` says which linking then takes which."""

    ends: str
    becomes: str
    linking: Mapping[str, str]


@dataclass(frozen=True)
class Endings:
    """The endings of a language whose words take them by vowel harmony.

    `vowels` maps back, rounded, front and neutral to letters; `linking` a kind of linking to vowel class to vowels, the
    usual one first; `after_plural` a kind of linking to the kind that stands for it after the plural; `fixed` the end
    of a word to the vowel class it goes with, whatever its vowels. `adjective` makes an adjective of the word for a
    quantity, after a number ("of level 3"); as a vowel, it stands after the stems of `alternations`, whatever linking.
    """

    vowels: Mapping[str, str]
    lengthening: Mapping[str, str]
    digraphs: tuple[str, ...]
    plural: Case
    linking: Mapping[str, Mapping[str, tuple[str, ...]]]
    cases: tuple[Case, ...]
    after_plural: Mapping[str, str]
    fixed: Mapping[str, str]
    alternations: tuple[Alternation, ...]
    adjective: Case | None = None

    def inflect(self, word: str, case: str = BARE, *, plural: bool = False) -> tuple[str, ...]:
        """Return the forms of `word` with the ending `case`, the usual one first; endings are in small letters.

        Raises:
            KeyError: if there is no ending of that name.
        """
        forms: dict[str, None] = {}
        for way in self.harmony(word):
            bases = tuple(self._join(word, self.plural, way)) if plural else (word,)
            if case != BARE:
                ending = self._by_name[case]
                bases = tuple(form for base in bases for form in self._join(base, ending, way, after_plural=plural))
            forms.update(dict.fromkeys(bases))
        return tuple(forms)

    def stems(self, form: str) -> tuple[Stem, ...]:
        """Return every word that `form` may be an inflected form of; the bare form is not among them."""
        folded = form.lower()
        if len(folded) != len(form):  # letters of other scripts may grow: no place in the form is sure any more
            return ()
        found: dict[Stem, None] = {}
        for text, case, plural in self._analyses(folded, strict=True):
            stem = lettered(text, form)
            if _ending_as_typed(stem, form) and folded in self.inflect(text, case, plural=plural):
                found[Stem(stem, case, plural)] = None
        return tuple(found)

    def adjectives(self, word: str) -> tuple[str, ...]:
        """Return the adjectives made of `word`, the usual one first; none if the language makes none so."""
        if self.adjective is None:
            return ()
        forms: dict[str, None] = {}
        for way in self.harmony(word):
            text = self.adjective.text(way)
            changed = [_changed(word, one) + text for one in self.alternations if word.lower().endswith(one.ends)]
            forms.update(dict.fromkeys([*changed, *self._join(word, self.adjective, way)]))
        return tuple(forms)

    def adjective_stems(self, form: str) -> tuple[Stem, ...]:
        """Return every word of which `form` may be the adjective."""
        folded = form.lower()
        if self.adjective is None or len(folded) != len(form):
            return ()
        found: dict[Stem, None] = {}
        for text in dict.fromkeys(self.adjective.variants.values()):
            for ending in (text, self.adjective.after_vowel + text):
                for word in self._words(folded.removesuffix(ending)) if folded.endswith(ending) else ():
                    stem = lettered(word, form)
                    if _ending_as_typed(stem, form) and folded in self.adjectives(word):
                        found[Stem(stem, ADJECTIVE, False)] = None
        return tuple(found)

    def after_hyphen(self, word: str, ending: str) -> tuple[str, ...]:
        """Return the endings, by name, that `ending` may be where a hyphen or a mark joins it to unchanged `word`."""
        if not word or (ending != ending.lower() and not (ending.isupper() and word.isupper())):
            return ()
        word, ending = word.lower(), ending.lower()
        found: dict[str, None] = {}
        for way in self.harmony(word):
            plurals = tuple(self._suffixes(word, self.plural, way))
            if ending in plurals:
                found[BARE] = None
            for case in self.cases:
                after_plural = (
                    head + tail
                    for head in plurals
                    for tail in self._suffixes(word + head, case, way, after_plural=True)
                )
                if ending in self._suffixes(word, case, way) or ending in after_plural:
                    found[case.name] = None
        return tuple(found)

    def guesses(self, form: str) -> tuple[tuple[str, str, bool], ...]:
        """Return (word, case, plural) for each ending that `form` may have been meant to bear, shortest word first.

        Harmony, linking vowels and the length of the last vowel are not heeded: this explains misspelt forms.
        """
        found = dict.fromkeys(self._analyses(form.lower(), strict=False))
        return tuple(sorted(found, key=lambda one: (len(one[0]), one)))

    def harmony(self, word: str) -> tuple[str, ...]:
        """Return the vowel classes whose endings `word` may take, the likelier first."""
        text = (word.lower().replace("-", " ").split() or [""])[-1]
        ends = max((end for end in self.fixed if text.endswith(end)), key=len, default=None)
        if ends is not None:
            return (self.fixed[ends],)
        kinds = [kind for i in range(len(text)) if (kind := self._kind(text, i))]
        if not kinds:
            return WAYS
        last, before = kinds[-1], kinds[:-1]
        if last in ("back", "rounded"):
            return (last,)
        if "back" in before:
            return ("back", "front") if last == "neutral" else ("front", "back")
        return ("front",)

    def _suffixes(self, base: str, ending: Case, way: str, *, after_plural: bool = False) -> Iterator[str]:
        """Yield what stands after the unchanged `base`, be it joined or after a hyphen."""
        if after_plural and way == "rounded" and self.harmony(base) == ("front",):
            way = "front"  # the linking vowel before the plural decides
        text = ending.text(way)
        if self._kind(base, len(base) - 1):
            yield ending.after_vowel + text
        elif ending.linking is not None:
            if self._last_consonant(base) in ending.direct_after and not after_plural:
                yield text
            linking = self.after_plural.get(ending.linking, ending.linking) if after_plural else ending.linking
            yield from (vowel + text for vowel in self.linking[linking][way])
        elif ending.doubles:
            yield self._last_consonant(base) + text[1:]
        else:
            yield text

    def _join(self, base: str, ending: Case, way: str, *, after_plural: bool = False) -> Iterator[str]:
        """Yield the forms of `base` with `ending`: the changes that a stem undergoes are made here."""
        if ending.linking is not None and not after_plural:
            for stem, linking in self._alternates(base, ending.linking):
                yield from (stem + vowel + ending.text(way) for vowel in self.linking[linking][way])
        before = base
        if self._kind(base, len(base) - 1):
            long = self.lengthening.get(base[-1].lower())
            if long is not None and not ending.keeps:
                before = base[:-1] + (long.upper() if base[-1].isupper() else long)
        elif ending.doubles:
            last = self._last_consonant(base)
            cut = base[: len(base) - len(last)]
            # A doubled sign of several letters repeats its first only; what is double already stays as it is.
            before = cut if cut.lower().endswith(last[:1]) else cut + base[len(cut) : len(cut) + 1]
        yield from (before + suffix for suffix in self._suffixes(base, ending, way, after_plural=after_plural))

    def _analyses(self, form: str, *, strict: bool) -> Iterator[tuple[str, str, bool]]:
        """Yield (word, case, plural) that `form` may come from; what it does not come from may be among them."""
        for word in self._plural_words(form, strict=strict):
            yield word, BARE, True
        for case in self.cases:
            for base in self._without(form, case, strict=strict):
                yield from ((word, case.name, False) for word in self._words(base))
                yield from ((word, case.name, True) for word in self._plural_words(base, strict=strict))

    def _plural_words(self, form: str, *, strict: bool) -> Iterator[str]:
        for base in self._without(form, self.plural, strict=strict):
            yield from self._words(base)

    def _without(self, form: str, case: Case, *, strict: bool) -> Iterator[str]:
        """Yield what may stand before the ending `case` in `form`, without a linking vowel."""
        for text in dict.fromkeys(case.variants.values()):
            if form.endswith(text) and len(form) > len(text):
                base = form[: -len(text)]
                yield base
                if case.linking is not None or not strict:
                    table = self.linking[case.linking or "open"]
                    vowels = {vowel for row in table.values() for vowel in row} if strict else self._all_vowels
                    if len(base) > 1 and base[-1] in vowels:
                        yield base[:-1]
            if case.doubles and form.endswith(text[1:]):
                base = form[: 1 - len(text)]
                yield base
                yield base[:-1]
                yield from (base[: -len(d) - 1] + d for d in self.digraphs if base.endswith(d[0] + d))

    def _words(self, base: str) -> Iterator[str]:
        """Yield the words whose stem before an ending may be `base`."""
        if not base:
            return
        yield base
        for short, long in self.lengthening.items():
            if base.endswith(long):
                yield base[: -len(long)] + short
        for one in self.alternations:
            if base.endswith(one.becomes):
                yield base[: -len(one.becomes)] + one.ends

    def _alternates(self, word: str, linking: str) -> Iterator[tuple[str, str]]:
        """Yield the other stems of `word` before `linking`, each with the linking it takes."""
        folded = word.lower()
        for one in self.alternations:
            if folded.endswith(one.ends) and linking in one.linking:
                yield _changed(word, one), one.linking[linking]

    def _last_consonant(self, word: str) -> str:
        folded = word.lower()
        return next((digraph for digraph in self.digraphs if folded.endswith(digraph)), folded[-1:])

    def _kind(self, word: str, place: int) -> str:
        """Return the vowel class of the letter at `place`, "" for a consonant or the last letter of a digraph."""
        kind = self._kinds.get(word[place].lower(), "") if place >= 0 else ""
        return "" if kind and word[max(0, place - 1) : place + 1].lower() in self.digraphs else kind

    @cached_property
    def _kinds(self) -> dict[str, str]:
        return {letter: kind for kind, letters in self.vowels.items() for letter in letters}

    @cached_property
    def _all_vowels(self) -> frozenset[str]:
        return frozenset(self._kinds)

    @cached_property
    def _by_name(self) -> dict[str, Case]:
        return {case.name: case for case in self.cases}


def _changed(word: str, one: Alternation) -> str:
    """Return `word`, which ends as `one` says, as it is before a vowel."""
    return word[: -len(one.ends)] + lettered(one.becomes, word[-len(one.ends) :])


def _ending_as_typed(stem: str, form: str) -> bool:
    """Return whether what follows `stem` in `form` is in small letters, or all of it in capitals."""
    typed = form[len(stem) :]
    return typed == typed.lower() or form.isupper()
