import pytest

from protocol.from_client import Chase, Forfeit
from protocol.vocabulary import ErrorCode
from server.rooms.events import Refusal
from server.rooms.race import check_watching, horizon_ms, is_undelayed
from server.rooms.record import Room
from server.rooms.room import apply
from tests.rooms.rooms import ADA, BOB, CY, T0, counting_down, finished, lobby, running, sends

OVER = apply(running(spectate="boards"), sends(ADA, Forfeit(), T0 + 9))
HIDDEN = apply(running(), sends(ADA, Forfeit(), T0 + 9))


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
        # Players whose game is over watch the others where the room shows boards.
        (OVER, ADA, [BOB], None),
        (OVER, BOB, [ADA], ErrorCode.BOARDS_ARE_HIDDEN),
        (HIDDEN, ADA, [BOB], ErrorCode.BOARDS_ARE_HIDDEN),
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


def test_only_racers_whose_game_is_over_see_boards_without_delay() -> None:
    room = running(spectate="boards", chasers=True)
    assert [is_undelayed(room, seat) for seat in (ADA, BOB, CY)] == [False] * 3
    room = apply(room, sends(CY, Chase(), T0 + 5))
    with pytest.raises(Refusal):
        check_watching(room, CY, [ADA])
    room = apply(room, sends(CY, Forfeit(), T0 + 9))
    check_watching(room, CY, [ADA])
    assert not is_undelayed(room, CY)
    assert is_undelayed(OVER, ADA)
    assert is_undelayed(finished(), CY)


def test_boards_are_delayed_during_the_round() -> None:
    room = running(spectate="boards", board_delay_s=60)
    assert horizon_ms(room, T0 + 61_500, delayed=True) == 1_500
    assert horizon_ms(room, T0 + 61_500, delayed=False) == 61_500
    assert horizon_ms(finished(), T0, delayed=True) == float("inf")
