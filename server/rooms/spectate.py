"""Who may see whose board (RULES, What a spectator or an opponent may know)."""

from collections.abc import Sequence

from protocol.vocabulary import ErrorCode, RoomState
from server.rooms.record import Room
from server.rooms.refusal import Refusal


def check_watching(room: Room, watcher: int, boards: Sequence[int]) -> None:
    """Whether a seat may watch these boards.

    All players of a round hold the same deal, so nobody who has a seat in it sees another's
    board while it is on, whether they still race or not. When it is over everything is open.

    Raises:
        Refusal: the room shows none, not to this seat, or one of them is in no race.
    """
    played = room.round
    on = room.state is RoomState.RUNNING
    if boards and (played is None or not (on or room.state is RoomState.FINISHED)):
        raise Refusal(ErrorCode.NOT_IN_STATE)
    if played is None or not boards:
        return
    if on and (played.settings.spectate != "boards" or watcher in played.names):
        raise Refusal(ErrorCode.BOARDS_ARE_HIDDEN)
    if any(board not in played.names for board in boards):
        raise Refusal(ErrorCode.NO_SUCH_SEAT)


def horizon_ms(room: Room, now: int) -> float:
    """How much of a board is shown: what was done until so many milliseconds after t0."""
    played = room.round
    assert played is not None, "boards are of a round"
    if room.state is RoomState.FINISHED:
        return float("inf")
    return now - played.t0 - played.settings.board_delay_s * 1_000
