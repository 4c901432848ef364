"""The sentences of the errors."""

from typing import Any

import pytest
from spider_race_client import Refused, SeatLost

from protocol.to_client import RefusalDetails
from protocol.vocabulary import CloseCode, ErrorCode, SettingsClash


def check(code: ErrorCode, sentence: str, **details: Any) -> None:
    refused = Refused("join", code, RefusalDetails(**details))
    assert str(refused) == f"'join' was refused: {sentence}"


def test_a_refusal_says_what_is_wrong_and_what_it_concerns() -> None:
    check(ErrorCode.NO_SUCH_ROOM, "there is no such room (no_such_room)")
    sentence = "the target's last card is not one rank higher (wrong_rank); cards 9S; piles t2, t3"
    check(ErrorCode.WRONG_RANK, sentence, cards=("9S",), piles=("t2", "t3"))
    sentence = "these settings do not go together (bad_settings); the DOS score allows no undo"
    clash = SettingsClash.DOS_WITHOUT_UNDO
    check(ErrorCode.BAD_SETTINGS, f"{sentence}; fields score", fields=("score",), reason=clash)
    # Words of a later release.
    check(ErrorCode("too_late_today"), "too_late_today; rain", reason=SettingsClash("rain"))


@pytest.mark.parametrize(
    ("code", "reason"),
    [(CloseCode.REPLACED, "a newer connection has taken the seat"), (4599, "unknown reason")],
)
def test_a_lost_seat_says_why(code: int, reason: str) -> None:
    assert str(SeatLost(code)) == f"The server has ended the race: {reason} ({int(code)})."
