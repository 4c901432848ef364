"""Stand-ins: Bob (1) is gone in a race against Ada (host, 0), and a computer player finishes."""

from typing import Any

import pytest

from protocol.from_client import (
    Abort,
    AddBot,
    AddStandIn,
    Chase,
    Forfeit,
    Kick,
    Leave,
    Ready,
    Rematch,
)
from protocol.vocabulary import MAX_BOTS, BotLevel, ErrorCode, Presence, RoomState
from server.rooms.events import (
    Command,
    Disconnected,
    GameEnded,
    Reconnected,
    StandInWithdrawn,
    Tick,
)
from server.rooms.race import DESERTED_MS, round_of
from server.rooms.record import PlayerStats, Room
from server.rooms.room import apply, deadline
from server.rooms.seats import BOT_GRACE_MS
from server.rooms.stand_ins import name_of, names_of_stand_ins
from server.rooms.timings import GRACE_MS
from tests.rooms.rooms import (
    ADA,
    BOB,
    CY,
    ENTROPY,
    T0,
    connections,
    finished,
    happen,
    joins,
    leaderboard,
    lobby,
    refused_code,
    running,
    sends,
    states,
)

GONE_AT = T0 + GRACE_MS
TOKEN, OTHER = "a1" * 32, "b2" * 32
OWNER = Reconnected(BOB, 9, process="b", networks=("bob",))
WON = PlayerStats(won=True, finished_ms=60_000, score=990)
TAKEN = Reconnected(BOB, 5, process="bots", networks=("server",), stand_in=TOKEN)


def asks(
    level: BotLevel = "club", *, by: int = ADA, seat: int = BOB, token: str = TOKEN
) -> Command[AddStandIn]:
    message = AddStandIn(seat=seat, level=level)
    return Command(by, GONE_AT + 1, ENTROPY, message, token_hash=token)


def abandoned(**settings: Any) -> Room:
    """Return a race whose Bob is gone."""
    return happen(running(**settings), Disconnected(BOB, 1, T0), Tick(GONE_AT))


def taken(**settings: Any) -> Room:
    """Return a race in which a stand-in plays for Bob."""
    return happen(abandoned(**settings), asks(), TAKEN)


def test_a_stand_in_takes_the_seat_and_the_game_goes_on_marked() -> None:
    asked = apply(abandoned(), asks())
    assert connections(asked) == "Ada on, Bob grace, Cy on"
    assert round_of(asked).stand_ins == {}  # nobody has played yet
    room = apply(asked, TAKEN)
    assert connections(room) == "Ada on, Bob on, Cy on"
    assert states(room) == "Ada RACING, Bob RACING, Cy WATCHING"
    assert round_of(room).stand_ins == {BOB: "club"}
    assert (room.seats[BOB].kind, room.seats[BOB].level) == ("person", None)
    assert room.seats[BOB].networks == ()


def test_it_stops_where_its_owner_gives_up() -> None:
    assert states(apply(taken(), sends(BOB, Forfeit()))).split(", ")[1] == "Bob FINISHED"
    back = happen(taken(), OWNER, sends(BOB, Forfeit()))
    assert states(back).split(", ")[1] == "Bob FORFEIT"


def test_its_game_is_not_ranked_and_wins_nothing() -> None:
    room = taken(after_win_s=60)
    live = {ADA: PlayerStats(score=5), BOB: PlayerStats(score=100)}
    rows = [(row.seat, row.place, row.stand_in) for row in leaderboard(room, live)]
    assert rows == [(ADA, 1, None), (BOB, None, "club")]
    won = apply(room, GameEnded(BOB, 1, T0 + 60_000, {BOB: WON}))
    assert round_of(won).t_end == round_of(room).t_end  # it ends nobody's time
    assert apply(won, sends(ADA, Abort())).state is RoomState.LOBBY  # no ranked player has won
    over = apply(won, sends(ADA, Forfeit(), T0 + 70_000, {ADA: PlayerStats(score=5)}))
    assert over.state is RoomState.FINISHED
    assert [seat.wins for seat in over.seats] == [0, 0, 0]
    assert [(row.seat, row.place) for row in leaderboard(over, {})] == [(ADA, 1), (BOB, None)]


def test_the_race_waits_for_it_and_goes_on_without_it_afterwards() -> None:
    room = apply(taken(), sends(ADA, Forfeit(), T0 + 20_000))
    assert room.state is RoomState.RUNNING
    over = apply(room, GameEnded(BOB, 1, T0 + 60_000, {BOB: WON}))
    assert over.state is RoomState.FINISHED
    assert connections(over) == "Ada on, Bob gone, Cy on"
    assert over.seats[BOB].stand_in is None
    again = happen(over, sends(CY, Rematch()), sends(ADA, Rematch()))
    assert again.state is RoomState.COUNTDOWN
    assert refused_code(over, TAKEN) is ErrorCode.BAD_TOKEN


def test_an_owner_who_returns_goes_on_unranked() -> None:
    back = apply(taken(), OWNER)
    bob = back.seats[BOB]
    assert (bob.stand_in, bob.connection, bob.networks) == (None, Presence.ON, ("bob",))
    assert round_of(back).stand_ins == {BOB: "club"}
    assert refused_code(back, TAKEN) is ErrorCode.BAD_TOKEN
    assert refused_code(back, asks("expert")) is ErrorCode.PLAYER_IS_BACK


def test_an_owner_who_returns_before_it_is_ranked() -> None:
    back = happen(abandoned(), asks(), OWNER)
    assert round_of(back).stand_ins == {}
    assert leaderboard(back, {})[1].place == 1


def test_a_repeated_command_adds_one() -> None:
    asked = apply(abandoned(), asks())
    assert apply(asked, asks(token=OTHER)) is asked
    over = happen(taken(), Tick(round_of(running()).t_end or 0))
    assert apply(over, asks(token=OTHER)) is over
    assert refused_code(finished(), asks()) is ErrorCode.NOT_IN_STATE


def test_another_one_may_be_asked_for_when_it_is_gone_too() -> None:
    lost = happen(taken(), Disconnected(BOB, 5, GONE_AT), Tick(GONE_AT + GRACE_MS))
    assert connections(lost) == "Ada on, Bob grace, Cy on"  # another process takes it
    gone = apply(lost, Tick(GONE_AT + BOT_GRACE_MS))
    assert apply(gone, Reconnected(BOB, 6, stand_in=TOKEN)).seats[BOB].connection is Presence.ON
    room = apply(gone, asks("expert", token=OTHER))
    assert names_of_stand_ins(room) == {name_of(OTHER): "expert"}
    assert refused_code(room, TAKEN) is ErrorCode.BAD_TOKEN
    other = apply(room, Reconnected(BOB, 7, stand_in=OTHER))
    assert round_of(other).stand_ins == {BOB: "expert"}


def test_a_connection_that_returns_is_no_other_stand_in() -> None:
    room = taken()
    assert apply(room, TAKEN) is room
    assert round_of(apply(room, Reconnected(BOB, 6, stand_in=TOKEN))) is round_of(room)


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (asks(by=CY), ErrorCode.NOT_HOST),
        (asks(seat=7), ErrorCode.NO_SUCH_SEAT),
        (asks(seat=CY), ErrorCode.NOT_RACING),
        (asks(seat=ADA), ErrorCode.PLAYER_IS_BACK),
    ],
)
def test_who_may_have_a_stand_in(asked: Command[AddStandIn], code: ErrorCode) -> None:
    assert refused_code(abandoned(), asked) is code


def test_a_player_who_has_left_has_given_up() -> None:
    room = apply(running(), sends(BOB, Leave(), T0))
    assert room.state is RoomState.RUNNING
    assert refused_code(room, asks()) is ErrorCode.NOT_RACING


def test_a_stand_in_counts_among_the_bots_of_the_room() -> None:
    full = happen(lobby(), *[sends(ADA, AddBot(level="beginner"))] * MAX_BOTS)
    racing = happen(full, sends(BOB, Ready()), sends(ADA, Ready()), Tick(T0))
    gone = happen(racing, Disconnected(BOB, 1, T0), Tick(GONE_AT))
    assert refused_code(gone, asks()) is ErrorCode.TOO_MANY_BOTS
    assert refused_code(gone, asks(seat=3)) is ErrorCode.NOT_RACING  # that of a computer player


def test_it_is_nobody_in_the_room() -> None:
    """It is no host, and a race that only it plays is deserted."""
    room = happen(
        taken(time_limit_s=None), Disconnected(ADA, 1, GONE_AT + 2), Disconnected(CY, 1, 0)
    )
    left = apply(room, Tick(GONE_AT + 2 + GRACE_MS))
    assert connections(left) == "Ada gone, Bob on, Cy gone"
    assert left.host == ADA
    assert deadline(left) == GONE_AT + 2 + GRACE_MS + DESERTED_MS


def test_a_former_host_is_host_again_by_returning_alone() -> None:
    room = happen(running(), Disconnected(ADA, 1, T0), Tick(GONE_AT))
    assert room.host == BOB
    held = happen(room, asks(by=BOB, seat=ADA), Reconnected(ADA, 5, stand_in=TOKEN))
    assert held.host == BOB
    assert apply(held, Reconnected(ADA, 6)).host == ADA


def test_a_stand_in_that_nobody_plays_is_withdrawn() -> None:
    asked = apply(abandoned(), asks())
    assert apply(asked, StandInWithdrawn(BOB, OTHER, GONE_AT)) is asked
    assert apply(asked, StandInWithdrawn(9, TOKEN, GONE_AT)) is asked
    room = apply(asked, StandInWithdrawn(BOB, TOKEN, GONE_AT))
    assert connections(room) == "Ada on, Bob gone, Cy on"
    assert names_of_stand_ins(room) == {}
    assert apply(room, StandInWithdrawn(BOB, TOKEN, GONE_AT)) is room


def test_an_aborted_race_has_no_stand_in() -> None:
    room = apply(taken(), sends(ADA, Abort()))
    assert connections(room) == "Ada on, Bob gone, Cy on"
    assert names_of_stand_ins(room) == {}


def test_the_host_removes_a_seat_with_its_stand_in() -> None:
    room = apply(taken(), sends(ADA, Kick(seat=BOB), GONE_AT))
    assert room.seats[BOB].stand_in is None
    assert "Bob FORFEIT" in states(room)


def test_a_latecomer_may_have_one_too() -> None:
    room = happen(running(chasers=True), joins("Dee"), sends(3, Chase(), T0 + 5_000))
    room = happen(room, Disconnected(3, 1, T0 + 5_000), Tick(T0 + 5_000 + GRACE_MS))
    room = happen(room, asks(seat=3), Reconnected(3, 5, stand_in=TOKEN))
    row = leaderboard(room, {})[-1]
    assert (row.seat, row.place, row.late_ms, row.stand_in) == (3, None, 5_000, "club")
