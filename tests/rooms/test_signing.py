"""A name that is put under a game of today's race, which its player began without one."""

import pytest

from protocol.from_client import Sign
from protocol.vocabulary import ErrorCode, RoomState
from server.rooms.days import key_of, report_of, settings_of_day
from server.rooms.deals import draw_deal
from server.rooms.events import COUNTDOWN_MS, Reported, Tick
from server.rooms.lobby import open_room, start_with_cards
from server.rooms.record import Outgoing, Room, parse_record, round_of
from server.rooms.room import apply, deadline
from tests.rooms.rooms import ADA, CODE, ENTROPY, NOW, refused_code, sends

ATTEMPT = "the-first-attempt-to-sign"


def race(*, nameless: bool = True) -> Room:
    """Return the room of a game of today's race that has just begun."""
    settings = settings_of_day("spider-1")
    room = open_room(CODE, "Player", settings)
    of_round = {"cards": "2026-11-28/spider-1", "key": key_of("token"), "secret": True}
    deal = draw_deal(settings, ENTROPY, 0)
    begun = start_with_cards(room, NOW, deal, nameless=nameless, **of_round)
    return apply(begun, Tick(round_of(begun).t0))


def test_todays_race_has_a_countdown_and_known_cards_have_none() -> None:
    settings = settings_of_day("spider-1")
    room, deal = open_room(CODE, "Player", settings), draw_deal(settings, ENTROPY, 0)
    for key, t0 in ((key_of("token"), NOW + COUNTDOWN_MS), ("", NOW)):
        begun = start_with_cards(room, NOW, deal, cards="2026-11-28/spider-1", key=key)
        assert round_of(begun).t0 == t0
        assert (begun.state is RoomState.COUNTDOWN) == (key != "")


def over(room: Room) -> Room:
    return apply(room, Tick(round_of(room).t_end or 0))


def signed(room: Room, name: str = "Ada", attempt: str = "", now: int = NOW) -> Room:
    return apply(room, sends(ADA, Sign(name=name, attempt=attempt), now))


def name_on_board(room: Room) -> str:
    return str(report_of(room.rounds[-1]).result)


@pytest.mark.parametrize("is_over", [False, True])
def test_signing_names_the_seat_and_the_result(*, is_over: bool) -> None:
    room = over(signed(race())) if not is_over else signed(over(race()))
    assert [seat.name for seat in room.seats] == ["Ada"]
    assert '"name":"Ada"' in name_on_board(room)
    assert round_of(room) == room.rounds[-1]
    assert not round_of(room).nameless
    assert parse_record(CODE, room.model_dump_json()) == room


def test_a_game_is_signed_once() -> None:
    room = signed(race(), attempt=ATTEMPT)
    assert signed(room, attempt=ATTEMPT) is room
    for later in (room, over(room)):
        sign = sends(ADA, Sign(name="Eve", attempt=f"another-{ATTEMPT}"))
        assert refused_code(later, sign) is ErrorCode.NOT_IN_STATE


def test_a_game_that_started_with_a_name_cannot_be_signed() -> None:
    for room in (race(nameless=False), over(race(nameless=False))):
        assert refused_code(room, sends(ADA, Sign(name="Eve"))) is ErrorCode.NOT_IN_STATE


def test_signing_reports_the_result_again() -> None:
    room = over(race())
    assert room.outbox[1].is_reported is False
    done = apply(room, Reported(1, room.outbox[1], None))
    assert done.outbox == {}
    later = NOW + 4_000_000
    again = signed(done, now=later)
    assert again.outbox == {1: Outgoing(due=later)}
    assert deadline(again) == later
    # A report that was under way with the old name does not count.
    under_way = signed(room, now=later)
    assert apply(under_way, Reported(1, room.outbox[1], None)) is under_way
