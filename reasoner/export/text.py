"""Which characters a file can hold: what Unicode, XML and HTML leave out becomes U+FFFD, the replacement character."""

from __future__ import annotations

import re

REPLACEMENT = "\ufffd"

# Surrogates that stand alone: Python strings may hold them, no encoding can.
_SURROGATE = re.compile(r"[\ud800-\udfff]")
# The complement of production 2, Char, of XML 1.0.
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def encodable(text: str) -> str:
    """Return `text` without lone surrogates, so that UTF-8 can encode it."""
    return _SURROGATE.sub(REPLACEMENT, text)


def legal(text: str) -> str:
    """Return `text` without the characters that XML 1.0 forbids: most control characters, U+FFFE, U+FFFF."""
    return _NOT_XML.sub(REPLACEMENT, text)
