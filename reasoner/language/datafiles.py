"""The data files of a language: its words and its endings, checked while they are read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reasoner.errors import DataError, Place
from reasoner.language.endings import ADJECTIVE, WAYS, Alternation, Case, Endings
from reasoner.language.lexicon import Entry
from reasoner.language.mention import COMPARISONS, Comparison


def read_data(path: Path) -> Any:
    """Return what a YAML file of a language holds, unchecked. YAML is imported only here.

    Raises:
        DataError: D701 unreadable or no YAML.
    """
    import yaml

    try:
        text = path.read_text(encoding="utf-8")
        return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except OSError as problem:
        raise DataError("D701", f"cannot read the file: {problem.strerror}", place=Place(path)) from None
    except UnicodeDecodeError as problem:
        raise DataError("D701", f"the file is not UTF-8 text: {problem.reason}", place=Place(path)) from None
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        place = Place(path, mark.line + 1, mark.column + 1) if mark else Place(path)
        raise DataError("D701", f"not valid YAML: {getattr(problem, 'problem', problem)}", place=place) from None


_KEYS = {"word", "digits", "sign", "class", "denotes", "forms", "number", "compares"}


def load_words(path: Path, items: Any) -> tuple[tuple[Entry, ...], dict[str, Entry]]:
    """Return the entries in the `items` of a words file, and those that stand for numbers in digits, by their sign.

    Raises:
        DataError: D702 an item that is not as it must be.
        OntologyError: if `denotes` has a prefix other than core.
    """
    from reasoner.terms.namespaces import core

    if not isinstance(items, list):
        raise _wrong(path, "the file must be a list of words")
    entries: list[Entry] = []
    numerals: dict[str, Entry] = {}
    for number, item in enumerate(items, start=1):
        what = f"word {number}"
        if not isinstance(item, dict):
            raise _wrong(path, f"{what} is no mapping", number)
        unknown = set(item) - _KEYS
        grammar_class, word = item.get("class"), item.get("word", "0" if item.get("digits") is True else None)
        if unknown or not isinstance(word, str) or not word.strip() or not isinstance(grammar_class, str):
            raise _wrong(path, f"{what} needs 'word' (or 'digits: true') and 'class': see the head of the file", number)
        denotes = item.get("denotes", "")
        prefix, _, local = str(denotes).partition(":")
        if denotes and (prefix != "core" or not local):
            raise _wrong(path, f"{what}, '{word}', must denote a term of the shared vocabulary, core:…", number)
        iris = (core(local).value,) if local else ()
        value = item.get("number")
        if value is not None and (type(value) is not int or value < 0):
            raise _wrong(path, f"{what}, '{word}', must have a whole number as 'number'", number)
        bound = _comparison(item, path, number)
        entry = Entry(word.casefold(), word, grammar_class, iris, None, False, _forms(item, path, number), value, bound)
        if "digits" in item:
            numerals[str(item.get("sign", ""))] = entry
        else:
            entries.append(entry)
    return tuple(entries), numerals


def load_endings(path: Path, data: Any) -> Endings:
    """Return the endings in the `data` of an endings file.

    Raises:
        DataError: D702 something missing or not as it must be.
    """
    try:
        endings = Endings(
            vowels={kind: str(data["vowels"][kind]) for kind in ("back", "rounded", "front", "neutral")},
            lengthening={str(short): str(long) for short, long in data["lengthening"].items()},
            digraphs=tuple(map(str, data["digraphs"])),
            plural=_case({"name": "plural", **data["plural"]}),
            linking={
                str(name): {way: tuple(map(str, table[way])) for way in WAYS} for name, table in data["linking"].items()
            },
            cases=tuple(map(_case, data["cases"])),
            after_plural=_texts(data["plural"].get("then", {})),
            fixed={str(end): str(way) for way, ends in data["fixed"].items() for end in ends},
            alternations=tuple(
                Alternation(str(ends), str(becomes), _texts(stems["linking"]))
                for stems in data["stems"]
                for ends, becomes in stems["words"].items()
            ),
            adjective=_case({"name": ADJECTIVE, **data["adjective"]}) if "adjective" in data else None,
        )
    except (KeyError, TypeError, AttributeError) as problem:
        raise _wrong(path, f"something is missing or of the wrong kind: {problem!r}") from None
    if not set(endings.fixed.values()) <= set(WAYS):
        raise _wrong(path, f"words are fixed as {', '.join(WAYS)} only")
    named = {case.linking for case in (endings.plural, *endings.cases) if case.linking is not None}
    for mapping in (endings.after_plural, *(one.linking for one in endings.alternations)):
        named |= {*mapping, *mapping.values()}
    if named - set(endings.linking):
        raise _wrong(path, f"there is no linking called {', '.join(sorted(named - set(endings.linking)))}")
    return endings


def _case(data: Mapping[str, Any]) -> Case:
    return Case(
        name=str(data["name"]),
        variants={way: str(data[way]) for way in WAYS if way in data or way != "rounded"},
        linking=data.get("linking"),
        direct_after=tuple(data.get("direct_after", ())),
        doubles=data.get("doubles", False) is True,
        keeps=data.get("keeps", False) is True,
        after_vowel=str(data.get("after_vowel", "")),
    )


def _texts(data: Mapping[Any, Any]) -> dict[str, str]:
    return {str(key): str(value) for key, value in data.items()}


def _forms(item: Mapping[str, Any], path: Path, number: int) -> tuple[tuple[str, str], ...]:
    forms = item.get("forms", {})
    if not isinstance(forms, dict) or not all(isinstance(texts, list) for texts in forms.values()):
        raise _wrong(path, f"the forms of '{item.get('word')}' must be lists by the names of endings", number)
    return tuple((str(text), str(case)) for case, texts in forms.items() for text in texts)


def _comparison(item: Mapping[str, Any], path: Path, number: int) -> Comparison | None:
    if "compares" not in item:
        return None
    found = next((one for one in COMPARISONS if item["compares"] == f"core:{one}"), None)
    if found is None:
        known = ", ".join(f"core:{one}" for one in COMPARISONS)
        raise _wrong(path, f"'{item.get('word')}' must compare as one of {known}", number)
    return found


def _wrong(path: Path, message: str, number: int = 0) -> DataError:
    """Return the error; its place is item `number` of the list in the file, or where the file begins."""
    import yaml

    # Lines are not kept with the words: they are looked up again when something is wrong, and only then.
    root = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader) if number else None
    items = root.value if isinstance(root, yaml.SequenceNode) else []
    line = items[number - 1].start_mark.line + 1 if 0 < number <= len(items) else 1
    return DataError("D702", message, place=Place(path, line))
