"""Which boards a seat may see, and when (RULES, What a spectator or an opponent may know)."""

from collections.abc import Sequence

from protocol.vocabulary import ErrorCode, RoomState
from server.rooms.events import Refusal
from server.rooms.record import Room, round_of


def check_watching(room: Room, watcher: int, boards: Sequence[int]) -> None:
    """Refuse if the room does not show all of these boards to this seat.

    All players of a round have the same deal, so players who can still act see no other board. In
    an open window, only players whose game is over see boards, and only boards of finished games.
    Once the round is over everybody sees all boards.
    """
    if not boards:
        return
    played, on = room.round, room.state is RoomState.RUNNING
    if played is None or not (on or room.state is RoomState.FINISHED):
        raise Refusal(ErrorCode.NOT_IN_STATE)
    can_act = watcher in played.names and watcher not in played.results
    if room.has_open_window:
        can_act = not sees_results(room, watcher) or any(
            board in played.names and board not in played.results for board in boards
        )
    if on and (played.settings.spectate != "boards" or can_act):
        raise Refusal(ErrorCode.BOARDS_ARE_HIDDEN)
    if any(board not in played.names for board in boards):
        raise Refusal(ErrorCode.NO_SUCH_SEAT)


def sees_results(room: Room, seat: int) -> bool:
    """Return whether a seat may see results: in an open window, once its own game is over."""
    return not room.has_open_window or seat in round_of(room).results


def is_undelayed(room: Room, watcher: int) -> bool:
    """Return whether a seat sees boards without delay: its own game is over, or the round is.

    A seat with a result cannot act any more: the store refuses its acts. Chasers and spectators
    see boards late, because they could help players who still race.
    """
    played = round_of(room)
    is_over = watcher in played.results and (played.is_window or watcher not in played.late_ms)
    return room.state is RoomState.FINISHED or is_over


def horizon_ms(room: Room, now_ms: int, *, delayed: bool) -> float:
    """Return the latest time that boards may show, in milliseconds since t0."""
    played = round_of(room)
    if room.state is RoomState.FINISHED:
        return float("inf")
    delay_s = played.settings.board_delay_s if delayed else 0
    return now_ms - played.t0 - delay_s * 1_000
