"""Names and lines are cleaned as before, with bounded work for any text."""

import sys
import unicodedata
from collections.abc import Callable

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.lines import MAX_CODE_POINTS, PER_GRAPHEME, clean_line, may_join, skeleton
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
    *("\ufdfa", "\u0301\u0316", "a\u0301\u0316", "\uff9e\u0316", "\u0344\u0316"),
    "\u1112\u1161\u11ab",
    *("\u00e9\ufe0f", "\u3000", "\u200d", "\u1161", "x"),
    "\ufdfa" + "\u0301\u0316" * 20,
)
"""Texts that take long to normalize, or leave little."""

LETTERS = (
    "a b\u0301\u0316\u0323\u034f\uffa0\u3000\u1100\u1161\u11a8\u3131\u314f\uff9e\u0e01\u0e47\u0e49"
)
JOINERS = "\u200c\u200d\ufe0f\U000e0067\U000e007f"
odd = st.text(
    st.sampled_from(LETTERS)
    | st.characters(exclude_categories=["Cs"], exclude_characters=JOINERS),
    max_size=PER_GRAPHEME * NAME_LENGTH,
)
joined = st.text(
    st.sampled_from(
        f"{LETTERS}{JOINERS}\u0645\u06cc\u0627\u064b\u0651\u0915\u094d\u0937\u0d28\u0d4d\u1019\u103c"
        "\U0001f9d1\U0001f680\u2764\u2122\U0001f3f4\U0001f3fd\u0031\u20e3\u202e\u202c"
    ),
    max_size=60,
)
"""Texts with joiners that may have a meaning."""
GRAPHEMES = (
    *("\u1019\u103c\u102d\u102f\u1037", "\u1019\u103c\u103d\u103e\u1031\u1037"),  # Burmese
    *("\u06cc\u200c", "\u0641", "\u0644\u064e\u0651"),  # Persian, Arabic
    # Of India and Ceylon; Thai, Lao and Tibetan.
    *("\u0915\u094d\u0937\u093f", "\u0d28\u0d4d\u200d", "\u0dc1\u0dca\u200d\u0dbb\u0dd3"),
    *("\u0e19\u0e49", "\u0eab\u0ebc\u0eb7\u0ec9", "\u0f66\u0f92\u0fb2\u0f74"),
    *("\u05e9\u05b8\u05bc\u05c1\u0591", "\u1ed7", "\ud55c", "A", "\u5b57"),
    "\U0001f9d1\u200d\U0001f680",  # an astronaut
    "\U0001f469\U0001f3fd\u200d\u2764\ufe0f\u200d\U0001f48b\u200d\U0001f468\U0001f3ff",  # a couple
    *("\u2764\ufe0f", "1\ufe0f\u20e3", "\U0001f1e9\U0001f1ea"),
    "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # Scotland
)
"""Characters as readers count them."""


def is_visible(character: str) -> bool:
    return unicodedata.category(character)[0] != "C" and ord(character) not in INVISIBLE


def cleaned_at_once(text: str, length: int) -> str:
    """Return the line by its definition: everything is normalized, and then cut."""
    kept: list[str] = []
    marks = stacked = 0
    visible = "".join(filter(is_visible, unicodedata.normalize("NFKC", text)))
    for character in unicodedata.normalize("NFKC", visible):
        category = unicodedata.category(character)
        marks = marks + 1 if category[0] == "M" else 0
        stacked = stacked + is_stacked(character) if marks else 0
        if category[0] == "Z":
            kept.append(" ")
        elif marks <= 6 and stacked <= 2:
            kept.append(character)
        else:
            marks = 7  # so the row ends
    line = " ".join("".join(kept).split())
    return "".join(regex.findall(r"\X", line)[:length]).rstrip()


def is_stacked(mark: str) -> bool:
    place = unicodedata.combining(mark)
    is_thai_or_lao = 0x0E31 <= ord(mark) <= 0x0ECD and mark != "\u0ebc"
    return is_thai_or_lao or place == 1 or place > 26 or unicodedata.category(mark) == "Me"


@given(odd, st.sampled_from([NAME_LENGTH, LINE_LENGTH]))
@example("a\u200d\u0301", NAME_LENGTH)  # the two characters combine once the joiner is removed
@example("e\u0301\u034f\u0323", NAME_LENGTH)  # and these change places
@example("x" * 15 + "\u1112\u1161\u11ab" * 10, NAME_LENGTH)  # a syllable where a part could end
@example("x" * 15 + "e\u0323\u0302" * 10, NAME_LENGTH)
@example("\uff76\uff9e" * 30, NAME_LENGTH)
@example("\u314b" * 60, LINE_LENGTH)
@example("\u1100" + "\u1161" * 60, LINE_LENGTH)
@example("\ufdfa" * PER_GRAPHEME * NAME_LENGTH, LINE_LENGTH)
@fuzzed(300)
def test_a_text_that_is_read_whole_is_cleaned_by_the_definition(text: str, length: int) -> None:
    assert clean_line(text, length) == cleaned_at_once(text, length)


@given(odd | joined, st.sampled_from([NAME_LENGTH, LINE_LENGTH]))
@example("\U0001f9d1\u200d\u2122", NAME_LENGTH)  # the second emoji becomes letters
@example("\u06cc" * 24 + "\u200c\u06cc", NAME_LENGTH)
@example("\u0645\u0651\u200c\u0651\u0651\u0651\u0645", NAME_LENGTH)
@fuzzed(300)
def test_a_clean_line_is_clean_and_bounded(text: str, length: int) -> None:
    line = clean_line(text, length)
    assert clean_line(line, length) == line
    assert len(regex.findall(r"\X", line)) <= length
    assert unicodedata.is_normalized("NFKC", line)
    assert not regex.search(r"(?V1)[\p{C}--[\u200c\u200d\U000e0061-\U000e007f]]", line)
    marks = regex.findall(r"\p{M}+", skeleton(line))
    assert all(len(row) <= 6 and sum(map(is_stacked, row)) <= 2 for row in marks)


@given(st.lists(st.sampled_from(GRAPHEMES), min_size=1, max_size=2 * NAME_LENGTH))
@example(["\U0001f9d1\u200d\U0001f680"] * 25)
@example(["\u1019\u103c\u102d\u102f\u1037"] * 25)
@fuzzed(300)
def test_characters_as_readers_count_them_are_kept_whole(characters: list[str]) -> None:
    # A joiner at the end of a word, or before another script, joins nothing.
    text = "".join(characters).replace("\u06cc\u200c", "\u06cc\u200c\u0645")
    kept = "".join(regex.findall(r"\X", text)[:NAME_LENGTH])
    # At the end of a line only the joiner of Malayalam changes how it looks.
    kept = regex.sub(r"(?<!\u0d4d)[\u200c\u200d]$", "", kept)
    assert clean_line(text, NAME_LENGTH) == kept


@pytest.mark.parametrize(
    "name",
    [
        "\u1019\u103c\u102d\u102f\u1037",
        "\u0646\u06cc\u0645\u200c\u0641\u0627\u0635\u0644\u0647",
        "\U0001f9d1\u200d\U0001f680",
        "\u0995\u09cd\u200c\u09b7",  # a visible virama
        "\u09b0\u200d\u09cd\u09af",
    ],
)
def test_names_of_all_scripts_are_kept(name: str) -> None:
    assert clean_line(name, NAME_LENGTH) == name
    assert clean_line(f"x{name}", 1) == "x"


@pytest.mark.parametrize("joiner", ["\u200c", "\u200d", "\ufe0f", "\u200c\u200d"])
@pytest.mark.parametrize(
    ("left", "right"),
    [
        *(("A", "da"), ("", "Ada"), ("Ada", ""), ("1", "2")),
        # These do not join.
        *(("\u062f", "\u0627"), ("\u06cc", ""), ("", "\u06cc"), ("\u06cc", "a")),
        *(("\U0001f680", ""), ("\U0001f680", "a"), ("\u5b57", "\u5b57"), ("\u0915\u094d", "")),
    ],
    ids=ascii,
)
def test_joiners_without_a_meaning_are_removed(left: str, right: str, joiner: str) -> None:
    assert clean_line(f"{left}{joiner}{right}", NAME_LENGTH) == left + right


@pytest.mark.parametrize("mark", ["\u0301", "\u0335", "\u20dd", "\u0e47", "\u0e49", "\u064e"])
def test_stacks_of_marks_are_low(mark: str) -> None:
    assert clean_line("\u0e01" + mark * 30, NAME_LENGTH) == "\u0e01" + mark * 2


@pytest.mark.parametrize("letter", ["\u1ed7", "\ud55c", "\u01d6", "\u0958"])
def test_a_whole_line_of_decomposed_letters_is_kept(letter: str) -> None:
    whole = unicodedata.normalize("NFKC", letter) * LINE_LENGTH
    text = unicodedata.normalize("NFD", letter) * LINE_LENGTH
    assert clean_line(text, LINE_LENGTH) == whole


def test_the_characters_that_may_join_the_one_before_them_are_known() -> None:
    """A part of a line may start with any other character."""
    seconds = {chr(code) for code in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))}
    for character in EVERY:
        parts = unicodedata.decomposition(character).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            seconds.add(chr(int(parts[1], 16)))
    for character in EVERY:
        first = unicodedata.normalize("NFKD", character)[0]
        assert may_join(character) or not (unicodedata.combining(first) or first in seconds)


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
    assert clean_line(text, length) == clean_line(
        text[: PER_GRAPHEME * length][:MAX_CODE_POINTS], length
    )
    assert sum(read) <= 2 * PER_GRAPHEME * length
    assert sum(written) <= 2 * (PER_GRAPHEME * length + 16 * 18)
    assert max(read, default=0) <= 32, "marks are sorted in quadratic time"
