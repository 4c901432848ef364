"""Names and lines are cleaned as ever, by work that is bounded whatever their sender wrote."""

import sys
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.lines import MULTIPLE, clean_line, may_join
from protocol.vocabulary import LINE_LENGTH, MAX_FRAME_BYTES, NAME_LENGTH
from tests.security.effort import fuzzed

EVERY = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
INVISIBLE = {
    *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
    *range(0x180B, 0x1810),
    *range(0xFE00, 0xFE10),
    *range(0xE0100, 0xE01F0),
}
DEAR = (
    *(
        "\ufdfa",
        "\u0301\u0316",
        "a\u0301\u0316",
        "\uff9e\u0316",
        "\u0344\u0316",
        "\u1112\u1161\u11ab",
    ),
    *("\u00e9\ufe0f", "\u3000", "\u200d", "\u1161", "x"),
    "\ufdfa" + "\u0301\u0316" * 20,
)
"""Texts that take long to normalize, or of which little is left."""

odd = st.text(
    st.sampled_from(
        "a b\u0301\u0316\u0323\u200d\u034f\uffa0\u3000\u1100\u1161\u11a8\u3131\u314f\uff9e"
    )
    | st.characters(exclude_categories=["Cs"]),
    max_size=MULTIPLE * NAME_LENGTH,
)


def is_visible(character: str) -> bool:
    return unicodedata.category(character)[0] != "C" and ord(character) not in INVISIBLE


def cleaned_at_once(text: str, length: int) -> str:
    """Return the line by its definition: everything is normalized, and then cut."""
    kept: list[str] = []
    marks = 0
    visible = "".join(filter(is_visible, unicodedata.normalize("NFKC", text)))
    for character in unicodedata.normalize("NFKC", visible):
        category = unicodedata.category(character)
        marks = marks + 1 if category[0] == "M" else 0
        if category[0] == "Z":
            kept.append(" ")
        elif marks <= 2:
            kept.append(character)
    return " ".join("".join(kept).split())[:length].rstrip()


@given(odd, st.sampled_from([NAME_LENGTH, LINE_LENGTH]))
@example("a\u200d\u0301", NAME_LENGTH)  # the two characters combine once the joiner is removed
@example("e\u0301\u034f\u0323", NAME_LENGTH)  # and these change places
@example("x" * 15 + "\u1112\u1161\u11ab" * 10, NAME_LENGTH)  # a syllable where a part could end
@example("x" * 15 + "e\u0323\u0302" * 10, NAME_LENGTH)
@example("\uff76\uff9e" * 30, NAME_LENGTH)
@example("\u314b" * 60, LINE_LENGTH)
@example("\u1100" + "\u1161" * 60, LINE_LENGTH)
@example("\ufdfa" * MULTIPLE * NAME_LENGTH, LINE_LENGTH)
@fuzzed(300)
def test_a_text_that_is_read_whole_is_cleaned_by_the_definition(text: str, length: int) -> None:
    assert clean_line(text, length) == cleaned_at_once(text, length)


@pytest.mark.parametrize("letter", ["\u1ed7", "\ud55c", "\u01d6", "\u0958"])
def test_a_whole_line_of_decomposed_letters_is_kept(letter: str) -> None:
    whole = unicodedata.normalize("NFKC", letter) * LINE_LENGTH
    text = unicodedata.normalize("NFD", letter) * LINE_LENGTH
    assert clean_line(text, LINE_LENGTH) == whole[:LINE_LENGTH]


@pytest.mark.unmeasured
def test_the_characters_that_may_join_the_one_before_them_are_known() -> None:
    """Of all other characters a part of a line may begin with."""
    seconds = {chr(code) for code in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))}
    for character in EVERY:
        parts = unicodedata.decomposition(character).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            seconds.add(chr(int(parts[1], 16)))
    for character in EVERY:
        first = unicodedata.normalize("NFKD", character)[0]
        assert may_join(character) or not (unicodedata.combining(first) or first in seconds)


@pytest.mark.unmeasured
def test_no_visible_character_becomes_an_invisible_one() -> None:
    """So invisible characters can be removed before the rest is normalized."""
    for character in EVERY:
        parts = unicodedata.normalize("NFKD", character)
        assert {is_visible(part) for part in parts} == {is_visible(character)}


@pytest.mark.parametrize("length", [NAME_LENGTH, LINE_LENGTH])
@pytest.mark.parametrize("unit", DEAR, ids=ascii)
def test_few_characters_of_a_frame_are_normalized(
    monkeypatch: pytest.MonkeyPatch, unit: str, length: int
) -> None:
    """Regression: a line of one expensive letter stopped the process for 15 ms."""
    read: list[int] = []
    written: list[int] = []

    def counted(form: str, text: str, real: Callable[..., str] = unicodedata.normalize) -> str:
        read.append(len(text))
        written.append(len(real(form, text)))
        return real(form, text)

    monkeypatch.setattr(unicodedata, "normalize", counted)
    text = unit * (MAX_FRAME_BYTES // len(unit))
    assert clean_line(text, length) == clean_line(text[: MULTIPLE * length], length)
    assert sum(read) <= 2 * MULTIPLE * length
    assert sum(written) <= 2 * (MULTIPLE * length + 16 * 18)
    assert max(read, default=0) <= 32, "marks are sorted in quadratic time"
