"""The host of a room and the successors: `Ada` hosts, `Bob` plays, `Cy` watches."""

from protocol.from_client import Abort, Forfeit, Kick, Leave, NextRound, Start
from protocol.vocabulary import ErrorCode
from server.rooms.events import Disconnected, Reconnected, Tick
from server.rooms.record import Room
from server.rooms.room import apply
from server.rooms.timings import GRACE_MS
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
    refused_code,
    running,
    sends,
)

DEE = 3


def lost(room: Room, *seats: int, now: int = T0) -> Room:
    """Return the room after these seats have disconnected and their grace has ended."""
    return happen(room, *(Disconnected(seat, 1, now) for seat in seats), Tick(now + GRACE_MS))


def test_a_host_who_returns_within_the_round_is_host_again() -> None:
    room = lost(running(), ADA)
    assert room.host == BOB
    back = apply(room, Reconnected(ADA, 2))
    assert (back.host, back.past_hosts) == (ADA, ())
    assert refused_code(back, sends(BOB, Abort())) is ErrorCode.NOT_HOST


def test_the_next_host_stays_host_once_the_round_is_over() -> None:
    room = happen(lost(running(), ADA), sends(BOB, Forfeit(), T0 + 20_000))
    room = apply(room, Tick(T0 + 30 * 60 * 1_000))
    assert apply(room, Reconnected(ADA, 2)).host == BOB
    assert apply(happen(room, sends(BOB, NextRound())), Reconnected(BOB, 2)).host == BOB


def test_a_host_can_return_in_the_lobby_until_the_next_countdown() -> None:
    room = lost(lobby(), ADA, now=NOW)
    assert apply(room, Reconnected(ADA, 2)).host == ADA
    late = happen(room, sends(BOB, Start()), Reconnected(ADA, 2))
    assert late.host == BOB


def test_a_host_who_returns_after_an_abort_is_host_again() -> None:
    room = happen(lost(running(), ADA), sends(BOB, Abort()), Reconnected(ADA, 2))
    assert room.host == ADA


def test_hosts_who_leave_or_are_kicked_are_not_host_again() -> None:
    left = happen(running(), sends(ADA, Leave(), T0 + 9))
    assert (left.host, left.past_hosts) == (BOB, ())
    assert apply(left, Reconnected(ADA, 2)).host == BOB
    kicked = apply(lost(lobby(), ADA, now=NOW), sends(BOB, Kick(seat=ADA)))
    assert (kicked.host, kicked.past_hosts) == (BOB, ())


def test_the_earliest_of_several_hosts_takes_precedence() -> None:
    room = happen(running(), joins("Dee"))
    room = lost(lost(room, ADA), BOB, now=T0 + GRACE_MS)
    assert (room.host, room.past_hosts) == (DEE, (ADA, BOB))
    bob = apply(room, Reconnected(BOB, 2))
    assert (bob.host, bob.past_hosts) == (BOB, (ADA,))
    ada = apply(bob, Reconnected(ADA, 2))
    assert (ada.host, ada.past_hosts) == (ADA, ())
    assert apply(apply(room, Reconnected(ADA, 2)), Reconnected(BOB, 2)).host == ADA


def test_a_spectator_never_becomes_host_while_a_player_is_there() -> None:
    """A player in grace counts as there."""
    room = happen(
        running(), Disconnected(ADA, 1, T0), Disconnected(BOB, 1, T0 + 1), Tick(T0 + GRACE_MS)
    )
    assert room.host == ADA  # gone, but Bob is still in grace
    assert apply(room, Reconnected(BOB, 2)).host == BOB
    assert apply(room, Tick(T0 + 1 + GRACE_MS)).host == CY


def test_players_become_host_before_spectators_who_joined_first() -> None:
    room = lost(happen(lobby(), sends(BOB, Leave()), joins("Dee")), ADA, now=NOW)
    assert room.host == DEE
    left = happen(lobby(), Disconnected(BOB, 1, NOW), sends(ADA, Leave()))
    assert left.host is None
    assert apply(left, Reconnected(BOB, 2)).host == BOB


def test_a_returned_host_is_no_former_host() -> None:
    room = happen(finished(), Disconnected(ADA, 1, T0), Tick(T0 + GRACE_MS), Reconnected(ADA, 2))
    assert (room.host, room.past_hosts) == (ADA, ())
