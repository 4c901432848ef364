import pytest

from protocol.from_client import Forfeit
from protocol.vocabulary import ErrorCode
from server.rooms.record import Room
from server.rooms.refusal import Refusal
from server.rooms.spectate import check_watching, horizon_ms
from tests.rooms.rooms import (
    ADA,
    BOB,
    CY,
    T0,
    counting_down,
    finished,
    happen,
    lobby,
    running,
    sends,
)


@pytest.mark.parametrize(
    ("room", "watcher", "boards", "code"),
    [
        (running(spectate="boards"), CY, [ADA, BOB], None),
        (running(spectate="boards"), CY, [], None),
        (running(), CY, [], None),
        (running(), CY, [ADA], ErrorCode.BOARDS_ARE_HIDDEN),
        (running(spectate="boards"), ADA, [BOB], ErrorCode.BOARDS_ARE_HIDDEN),
        (running(spectate="boards"), CY, [CY], ErrorCode.NO_SUCH_SEAT),
        (lobby(spectate="boards"), CY, [ADA], ErrorCode.NOT_IN_STATE),
        (lobby(spectate="boards"), CY, [], None),
        (counting_down(spectate="boards"), CY, [ADA], ErrorCode.NOT_IN_STATE),
        (finished(), CY, [ADA], None),
        (finished(), ADA, [BOB], None),
    ],
)
def test_boards_that_a_seat_may_watch(
    room: Room, watcher: int, boards: list[int], code: ErrorCode | None
) -> None:
    if code is None:
        check_watching(room, watcher, boards)
        return
    with pytest.raises(Refusal) as refused:
        check_watching(room, watcher, boards)
    assert refused.value.code is code


def test_players_who_forfeit_cannot_watch_boards() -> None:
    room = happen(running(spectate="boards"), sends(ADA, Forfeit(), T0 + 9))
    with pytest.raises(Refusal):
        check_watching(room, ADA, [BOB])


def test_boards_are_delayed_while_the_round_is_on() -> None:
    room = running(spectate="boards", board_delay_s=60)
    assert horizon_ms(room, T0 + 61_500) == 1_500
    assert horizon_ms(finished(), T0) == float("inf")
