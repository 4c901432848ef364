"""Cleans names and chat lines, at a bounded cost for any text."""

import re
import unicodedata
from collections.abc import Iterator

import regex

PER_GRAPHEME = 12  # code points read for each grapheme: couples with skin tones take ten
MAX_CODE_POINTS = 800  # the most code points read of any text
_MARKS = frozenset(("Mn", "Mc", "Me"))
_MARKS_IN_A_ROW = 6  # a syllable of Burmese takes five
_STACKED_MARKS = 2  # how many of these may lie above, below or on others, as in Vietnamese
_BESIDE = range(2, 27)  # the combining classes of signs beside their letter, as in Hebrew
_graphemes = regex.compile(r"\X").findall
# Normalize this many code points together, or up to the second number if the next ones may join
# them. A code point can become 18, and marks are sorted in quadratic time.
_PART, _LONGEST_PART = 16, 32
_ASCII_CONTROLS = dict.fromkeys((*range(0x20), 0x7F))
_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
# The invisible fillers, joiners and selectors that Unicode counts as letters or marks.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0"
    "\U000e0100-\U000e01ef]+"
)
_JOINERS = frozenset(map(chr, (0x200C, 0x200D, 0xFE0F, *range(0xE0061, 0xE0080))))
_JOINER = re.compile("[\u200c\u200d\ufe0f\U000e0061-\U000e007f]")
# The places where joiners and the like change how the text looks. Elsewhere they are invisible.
_MEANT = regex.compile(
    r"""(
    # Emoji of several, emoji that are text otherwise, keycaps, and the flags of Great Britain.
      \u200d(?<=\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?.)
          (?=\p{Extended_Pictographic})
    | \ufe0f(?<=[\p{Emoji}--\p{Emoji_Presentation}--[0-9\#*]].)
    | \ufe0f(?<=[0-9\#*].)(?=\u20e3)
    | \U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074
          |\U000e0077\U000e006c\U000e0073)\U000e007f(?<=\U0001f3f4.{6})
    # Scripts of India: beside a virama, and the final consonants of Malayalam.
    | [\u200c\u200d](?:(?<=\p{ccc=9}.)(?=\p{Lo})|(?<=\p{Lo}.)(?=\p{ccc=9}))
    | \u200d(?<=\u0d4d.)
    # Arabic and other cursive scripts: between letters that would join, as in RFC 5892, A.1.
    | \u200c(?<=[\p{jt=D}\p{jt=L}]\p{jt=T}*.)(?=\p{jt=T}*[\p{jt=D}\p{jt=R}])
    )|[\u200c\u200d\ufe0f\U000e0061-\U000e007f]""",
    regex.VERBOSE | regex.VERSION1,
)
_SOUND_MARKS = "\uff9e\uff9f"  # the halfwidth letters of Katakana that become marks
# The letters that may compose with the character before them, as all marks may.
_JOINING_LETTER = re.compile(
    # Vowels and final consonants of Hangul, marks of Katakana, vowels of Kirat Rai.
    "[\u1161-\u1175\u11a8-\u11c2\u3133\u3135\u3136\u313a-\u313f\u314f-\u3163\uff9e\uff9f\uffa3\uffa5"
    "\uffa6\uffaa-\uffaf\uffc2-\uffc7\uffca-\uffcf\uffd2-\uffd7\uffda-\uffdc\U00016d63-\U00016d6a]"
)


def clean_line(text: str, length: int) -> str:
    """Return a text as one visible line of at most `length` graphemes, normalized to NFKC.

    A grapheme is an extended grapheme cluster of Unicode: a character as readers count them.
    Control, format and bidi characters are removed, and so are stacked combining marks, which
    could cover other lines. Joiners stay where they change how the text looks. Other invisible
    characters are removed, so that names that look the same are equal. Only the start of the text
    is read: as many code points as `length` graphemes can take.
    """
    text = text[: min(PER_GRAPHEME * length, MAX_CODE_POINTS)]
    if text.isascii():
        return " ".join(text.translate(_ASCII_CONTROLS).split())[:length].rstrip()
    line = _cleaned(text, length)
    while not _is_clean(line):  # a joiner may have lost its meaning with its neighbour
        line = _cleaned(line, length)
    return line


def skeleton(name: str) -> str:
    """Return a name without joiners: names that differ only in these may look the same."""
    return _JOINER.sub("", name)


def _cleaned(text: str, length: int) -> str:
    """Return a text as a line of at most `length` graphemes, which may have needless joiners."""
    kept: list[str] = []
    marks = stacked = graphemes = 0  # the marks on the latest letter, and how many are stacked
    for part in _parts(_visible(text)):
        begin = len(kept)
        for character in unicodedata.normalize("NFKC", part):
            if _is_mark(character):
                marks += 1
                stacked += _is_stacked(character)
                # Drop every mark after one too many: it could join the marks that were kept.
                if marks <= _MARKS_IN_A_ROW and stacked <= _STACKED_MARKS:
                    kept.append(character)
                continue
            if character not in _JOINERS:  # marks after a joiner lie on the same letter
                marks = stacked = 0
            if character != " " or (kept and kept[-1] != " "):
                kept.append(character)
        if len(kept) >= length:
            # Don't count a part's first grapheme: it may continue the last one of the part before.
            graphemes += len(_graphemes("".join(kept[begin:]))) - 1
            if graphemes >= length:
                break
    line = "".join(kept)
    line = line if len(line) <= length else "".join(_graphemes(line)[:length])
    return line.rstrip(" \u200c")  # at the end a non-joiner has no meaning


def _visible(text: str) -> str:
    """Return a text without control, format and invisible characters, and with plain spaces."""
    shown = [each for each in _SPACES.sub(" ", text) if each.isprintable() or each in _JOINERS]
    return _with_meant_joiners(_INVISIBLE.sub("", "".join(shown)))


def _with_meant_joiners(text: str) -> str:
    """Return a text with only those joiners that change how it looks."""
    return _MEANT.sub(lambda found: found[1] or "", text)


def _is_clean(line: str) -> bool:
    """Return whether `_cleaned` would return the line unchanged."""
    return _JOINER.search(line) is None or (
        unicodedata.is_normalized("NFKC", line) and _with_meant_joiners(line) == line
    )


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in _MARKS


def _is_stacked(mark: str) -> bool:
    """Return whether a mark lies above, below or on its letter, and not beside it."""
    position = unicodedata.combining(mark)
    return (
        (position > 0 and position not in _BESIDE)
        or unicodedata.category(mark) == "Me"
        or ("\u0e31" <= mark <= "\u0ecd" and mark != "\u0ebc")  # Thai and Lao
    )


def _parts(text: str) -> Iterator[str]:
    """Split a text into parts that can be normalized one by one, with the same result but faster.

    Marks that would make a part too long are left out; `_cleaned` keeps fewer in a row anyway.
    """
    start, size = 0, len(text)
    while start < size:
        end, longest = start + _PART, min(size, start + _LONGEST_PART)
        while end < longest and may_join(text[end]):
            end += 1
        yield text[start:end]
        if end == longest:
            while end < size and (_is_mark(text[end]) or text[end] in _SOUND_MARKS):
                end += 1
        start = end


def may_join(character: str) -> bool:
    """Return whether a character may compose or change places with the one before it."""
    return _is_mark(character) or bool(_JOINING_LETTER.match(character))
