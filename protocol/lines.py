"""The cleaning of names and chat lines, whose cost has a bound whatever their sender wrote."""

import re
import unicodedata
from collections.abc import Iterator

MULTIPLE = 3
"""Code points that are read for each character of the limit.

Decomposed syllables of Hangul take three, and so do letters of Vietnamese.
"""
_MARKS = frozenset(("Mn", "Mc", "Me"))
_MARKS_IN_A_ROW = 2
_PART, _LONGEST_PART = 16, 32
"""Code points that are normalized together, and with the ones that may join them, at most.

A code point can become 18, and marks are sorted in quadratic time.
"""
_ASCII_CONTROLS = dict.fromkeys((*range(0x20), 0x7F))
_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]+"
)
"""The invisible fillers, joiners and selectors whose category is that of letters or marks."""
_SOUND_MARKS = "\uff9e\uff9f"
"""The halfwidth letters of Katakana that become marks."""
_JOINING_LETTERS = frozenset(
    chr(code)
    for first, last in (
        (0x1161, 0x1175),  # Hangul vowels and final consonants, here and in the forms below
        (0x11A8, 0x11C2),
        (0x3133, 0x3133),
        (0x3135, 0x3136),
        (0x313A, 0x313F),
        (0x314F, 0x3163),
        (0xFF9E, 0xFF9F),
        (0xFFA3, 0xFFA3),
        (0xFFA5, 0xFFA6),
        (0xFFAA, 0xFFAF),
        (0xFFC2, 0xFFC7),
        (0xFFCA, 0xFFCF),
        (0xFFD2, 0xFFD7),
        (0xFFDA, 0xFFDC),
        (0x16D63, 0x16D6A),  # vowels of Kirat Rai
    )
    for code in range(first, last + 1)
)
"""The letters that may compose with the character before them, as all marks may."""


def clean_line(text: str, length: int) -> str:
    """Return a text as one visible line of at most `length` characters, normalized to NFKC.

    Control, format and bidi characters are removed, and so are stacked combining marks, which
    could cover other lines. Invisible characters are removed, so that names that look the same
    are equal. Only the beginning of the text is read: as much as `length` characters can take.
    """
    text = text[: MULTIPLE * length]
    if text.isascii():
        return " ".join(text.translate(_ASCII_CONTROLS).split())[:length].rstrip()
    visible = _INVISIBLE.sub("", "".join(filter(str.isprintable, _SPACES.sub(" ", text))))
    kept: list[str] = []
    marks = 0
    for part in _parts(visible):
        for character in unicodedata.normalize("NFKC", part):
            if unicodedata.category(character) in _MARKS:
                marks += 1
                if marks <= _MARKS_IN_A_ROW:
                    kept.append(character)
                continue
            marks = 0
            if character != " " or (kept and kept[-1] != " "):
                kept.append(character)
        if len(kept) >= length:
            break
    return "".join(kept)[:length].rstrip()


def _parts(text: str) -> Iterator[str]:
    """Return a text in parts whose normalized forms, joined, are the normalized text.

    Only rows of more than sixteen marks are shortened.
    """
    start, size = 0, len(text)
    while start < size:
        end, longest = start + _PART, min(size, start + _LONGEST_PART)
        while end < longest and may_join(text[end]):
            end += 1
        yield text[start:end]
        if end == longest:
            while end < size and (
                unicodedata.category(text[end]) in _MARKS or text[end] in _SOUND_MARKS
            ):
                end += 1
        start = end


def may_join(character: str) -> bool:
    """Return whether a character may compose or change places with the one before it."""
    return unicodedata.category(character) in _MARKS or character in _JOINING_LETTERS
