"""The texts of the codes."""

import pytest

from protocol.vocabulary import CloseCode, ErrorCode, SettingsClash

REASON_BYTES = 123  # of a close frame, at most: RFC 6455, 5.5


@pytest.mark.parametrize("text", [each.meaning for each in (*ErrorCode, *SettingsClash)])
def test_the_meaning_of_every_code_is_a_clause(text: str) -> None:
    assert text
    assert text.strip(".") == text


@pytest.mark.parametrize("code", CloseCode)
def test_the_reason_of_every_close_code_fits_into_its_frame(code: CloseCode) -> None:
    assert 0 < len(code.reason.encode()) <= REASON_BYTES
