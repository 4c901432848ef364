"""The sentences of the errors."""

import pytest
from spider_race_client import Refused, SeatLost

from protocol.to_client import RefusalDetails
from protocol.vocabulary import CloseCode, ErrorCode, SettingsClash

DETAILS = {
    "'join' was refused: there is no such room (no_such_room)": (
        *("join", ErrorCode.NO_SUCH_ROOM),
        RefusalDetails(),
    ),
    "'act' was refused: the target's last card is not one rank higher (wrong_rank)"
    "; cards 9S, QD; piles t2, t3": (
        *("act", ErrorCode.WRONG_RANK),
        RefusalDetails(cards=("9S", "QD"), piles=("t2", "t3")),
    ),
    "'create' was refused: these settings do not go together (bad_settings)"
    "; the DOS score allows no undo; fields score, undo": (
        *("create", ErrorCode.BAD_SETTINGS),
        RefusalDetails(fields=("score", "undo"), reason=SettingsClash.DOS_WITHOUT_UNDO),
    ),
    "'join' was refused: too_late_today; rain": (
        *("join", ErrorCode("too_late_today")),
        RefusalDetails(reason=SettingsClash("rain")),
    ),
}
"""The last one has words of a later release."""


@pytest.mark.parametrize("sentence", DETAILS)
def test_a_refusal_says_what_is_wrong_and_what_it_concerns(sentence: str) -> None:
    assert str(Refused(*DETAILS[sentence])) == sentence


@pytest.mark.parametrize(
    ("code", "reason"),
    [(CloseCode.REPLACED, "a newer connection has taken the seat"), (4599, "unknown reason")],
)
def test_a_lost_seat_says_why(code: int, reason: str) -> None:
    assert str(SeatLost(code)) == f"The server has ended the race: {reason} ({int(code)})."
