"""The chair of the host: `Ada` hosts, `Bob` plays, `Cy` looks on."""

from protocol.from_client import Abort, Forfeit, Kick, Leave, NextRound, Start
from protocol.vocabulary import ErrorCode
from server.rooms.events import Disconnected, Reconnected, Tick
from server.rooms.record import Room
from server.rooms.room import apply
from server.rooms.seats import GRACE_MS
from tests.rooms.rooms import (
    ADA,
    BOB,
    CY,
    NOW,
    T0,
    finished,
    happen,
    joins,
    lobby,
    running,
    sends,
)
from tests.rooms.test_room import refused_code

DEE = 3


def lost(room: Room, *seats: int, now: int = T0) -> Room:
    """The room when these seats have been gone for fifteen seconds."""
    return happen(room, *(Disconnected(seat, 1, now) for seat in seats), Tick(now + GRACE_MS))


def test_a_host_who_returns_within_the_round_has_the_chair_again() -> None:
    room = lost(running(), ADA)
    assert room.host == BOB
    back = apply(room, Reconnected(ADA, 2))
    assert (back.host, back.past_hosts) == (ADA, ())
    assert refused_code(back, sends(BOB, Abort())) is ErrorCode.NOT_HOST


def test_the_heir_keeps_the_chair_once_the_round_is_over() -> None:
    room = happen(lost(running(), ADA), sends(BOB, Forfeit(), T0 + 20_000))
    room = apply(room, Tick(T0 + 30 * 60 * 1_000))
    assert apply(room, Reconnected(ADA, 2)).host == BOB
    assert apply(happen(room, sends(BOB, NextRound())), Reconnected(BOB, 2)).host == BOB


def test_in_the_lobby_the_chair_is_kept_until_the_next_countdown() -> None:
    room = lost(lobby(), ADA, now=NOW)
    assert apply(room, Reconnected(ADA, 2)).host == ADA
    late = happen(room, sends(BOB, Start()), Reconnected(ADA, 2))
    assert late.host == BOB


def test_after_an_abort_the_chair_is_still_kept() -> None:
    room = happen(lost(running(), ADA), sends(BOB, Abort()), Reconnected(ADA, 2))
    assert room.host == ADA


def test_who_gives_the_seat_up_gives_the_chair_up() -> None:
    left = happen(running(), sends(ADA, Leave(), T0 + 9))
    assert (left.host, left.past_hosts) == (BOB, ())
    assert apply(left, Reconnected(ADA, 2)).host == BOB
    kicked = apply(lost(lobby(), ADA, now=NOW), sends(BOB, Kick(seat=ADA)))
    assert (kicked.host, kicked.past_hosts) == (BOB, ())


def test_of_several_hosts_the_first_comes_first() -> None:
    room = happen(running(), joins("Dee"))
    room = lost(lost(room, ADA), BOB, now=T0 + GRACE_MS)
    assert (room.host, room.past_hosts) == (DEE, (ADA, BOB))
    bob = apply(room, Reconnected(BOB, 2))
    assert (bob.host, bob.past_hosts) == (BOB, (ADA,))
    ada = apply(bob, Reconnected(ADA, 2))
    assert (ada.host, ada.past_hosts) == (ADA, ())
    assert apply(apply(room, Reconnected(ADA, 2)), Reconnected(BOB, 2)).host == ADA


def test_a_spectator_never_inherits_while_a_player_is_there() -> None:
    """A player whose connection was lost a moment ago is still there."""
    room = happen(
        running(), Disconnected(ADA, 1, T0), Disconnected(BOB, 1, T0 + 1), Tick(T0 + GRACE_MS)
    )
    assert room.host == ADA  # gone, but Bob may be back at any moment
    assert apply(room, Reconnected(BOB, 2)).host == BOB
    assert apply(room, Tick(T0 + 1 + GRACE_MS)).host == CY


def test_a_spectator_who_joined_first_does_not_go_before_players() -> None:
    room = lost(happen(lobby(), sends(BOB, Leave()), joins("Dee")), ADA, now=NOW)
    assert room.host == DEE
    left = happen(lobby(), Disconnected(BOB, 1, NOW), sends(ADA, Leave()))
    assert left.host is None
    assert apply(left, Reconnected(BOB, 2)).host == BOB


def test_nobody_has_the_chair_twice() -> None:
    room = happen(finished(), Disconnected(ADA, 1, T0), Tick(T0 + GRACE_MS), Reconnected(ADA, 2))
    assert (room.host, room.past_hosts) == (ADA, ())
