"""Boards that a seat may see (RULES, What a spectator or an opponent may know)."""

from collections.abc import Sequence

from protocol.vocabulary import ErrorCode, RoomState
from server.rooms.record import Room
from server.rooms.refusal import Refusal


def check_watching(room: Room, watcher: int, boards: Sequence[int]) -> None:
    """Check that a seat may watch these boards.

    All players of a round have the same deal, so none of them sees the board of another one
    before the round is over, not even after a forfeit. Then all boards are open.

    Raises:
        Refusal: the room shows no boards, or not to this seat, or one seat plays no game.
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
    """Return the time on the round's clock up to which boards are shown (milliseconds)."""
    played = room.round
    assert played is not None, "boards are of a round"
    if room.state is RoomState.FINISHED:
        return float("inf")
    return now - played.t0 - played.settings.board_delay_s * 1_000
