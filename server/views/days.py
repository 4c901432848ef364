"""Views of the days and their boards. Callers leave out anything that a client may not see."""

from collections.abc import Sequence

from protocol.http import ComputerGame, DayBoard, DayComputers, DayGame, DayRow, Days, DaySpread
from protocol.vocabulary import DayGameId
from server.rooms.days import LIMIT_MS, Board, DayState, Placed
from server.rooms.deals import commitment_of
from server.views import view_of


def days_view(
    day: str,
    now_ms: int,
    ends_ms: int,
    games: Sequence[DayState],
    tomorrow: Sequence[DayState],
    past: Sequence[str],
) -> Days:
    """Return the view of `day`, with the games of the day after it and the dates of past days."""
    return Days(
        day=day,
        now=now_ms,
        ends=ends_ms,
        games=tuple(map(_game_view, games)),
        next=tuple(map(_game_view, tomorrow)),
        past=tuple(past),
    )


def _game_view(state: DayState) -> DayGame:
    commitment, players = commitment_of(state.deal.record), state.begun
    return view_of(DayGame, state, state.deal, commitment=commitment, players=players)


def board_view(day: str, game: DayGameId, board: Board) -> DayBoard:
    """Return the view of the board of a day's game."""
    return view_of(
        DayBoard,
        board,
        day=day,
        game=game,
        over=board.is_over,
        players=board.begun,
        rows=tuple(map(_row_view, board.rows)),
        around=tuple(map(_row_view, board.around)),
        spread=view_of(DaySpread, board.spread),
        computers=tuple(map(_row_view, board.computers)),
    )


def computers_view(day: str, game: DayGameId, computers: Sequence[Placed]) -> DayComputers:
    """Return the computer players' games, without cards: the day may not be over."""
    return DayComputers(day=day, game=game, computers=tuple(map(_computer_view, computers)))


def _computer_view(row: Placed) -> ComputerGame:
    """Return a computer player's game; one that was not won lasts until the day's time limit."""
    result, stats = row.result, row.result.stats
    assert result.level is not None, "a computer player has a level"
    ms, score, suits = zip(*result.course, strict=True) if result.course else ((), (), ())
    ended_ms = LIMIT_MS if stats.finished_ms is None else stats.finished_ms
    course = {"ms": ms, "score": score, "suits": suits}
    return view_of(ComputerGame, row, result, stats, ended_ms=ended_ms, **course)


def _row_view(row: Placed) -> DayRow:
    stats = row.result.stats
    return view_of(DayRow, row, row.result, stats, ms=stats.finished_ms)
