"""The history of a kept table: one entry for each finished round.

An entry is a line of JSON, about 300 bytes for a round of three players. Its rows are arrays that
never get longer: later releases add fields to the entry instead. Each round number counts once.
"""

from collections.abc import Iterable
from typing import Annotated, NamedTuple

from pydantic import Field, ValidationError

from protocol import vocabulary
from protocol.games import GameId
from server.rooms.ranking import LeaderboardRow, final_ranking, has_tried, winners
from server.rooms.record import Record, Room, Round, if_set

PODIUM = 3  # places on the podium

Natural = Annotated[int, Field(ge=0, le=2**53)]


class HistoryRow(NamedTuple):
    """A row of the leaderboard at the end of the round."""

    seat: Natural
    name: str
    colour: vocabulary.SeatColour
    place: Natural | None  # None if unranked
    state: vocabulary.SeatState
    won: bool
    ms: Natural | None  # the length of the game by the player's clock; None if time ran out
    score: int
    suits: Natural
    moves: Natural
    level: vocabulary.BotLevel | None  # set for computer players
    flags: tuple[vocabulary.RowFlag, ...]

    @property
    def is_counted(self) -> bool:
        """Whether it counts in the standings: it is ranked and a person's."""
        return self.place is not None and "program" not in self.flags


class HistoryEntry(Record):
    """A finished round."""

    n: Natural  # the round's number
    ended: Natural  # when it ended (milliseconds since the epoch)
    game: GameId
    time_limit_s: int | None = None
    window_s: int | None = if_set(None)
    score: vocabulary.Score
    deal: vocabulary.DealSource
    winners: tuple[Natural, ...] = ()  # the seats that have won the round (RULES, Wins)
    podium: tuple[Natural, ...] = ()  # the seats on its podium (RULES, Wins)
    rows: tuple[HistoryRow, ...]

    @property
    def not_counted(self) -> vocabulary.NotCounted:
        """Why it does not count (RULES, Standings of a table); empty if it does."""
        if any("stand_in" in row.flags for row in self.rows):
            return "stand_in"
        if sum(row.is_counted for row in self.rows) > 1:
            return ""
        return "latecomers" if any("late" in row.flags for row in self.rows) else "computers"


def entry_of(room: Room, played: Round) -> HistoryEntry:
    """Return the entry of a finished round; `room` must still have its computer players."""
    assert played.ended is not None, "a finished round has ended"
    levels = {seat.number: seat.level for seat in room.seats}
    rows, settings = final_ranking(played).rows, played.settings
    return HistoryEntry(
        n=played.n,
        ended=played.ended,
        game=settings.game,
        time_limit_s=settings.time_limit_s,
        window_s=settings.window_s,
        score=settings.score,
        deal=settings.deal,
        winners=winners(rows),
        podium=tuple(row.seat for row in rows if _is_on_podium(row)),
        rows=tuple(_row(played, row, levels.get(row.seat)) for row in rows),
    )


def _is_on_podium(row: LeaderboardRow) -> bool:
    return row.place is not None and row.place <= PODIUM and has_tried(row)


def _row(played: Round, row: LeaderboardRow, level: vocabulary.BotLevel | None) -> HistoryRow:
    """Return a row for the history; `level` is set for computer players."""
    seat, stats = row.seat, row.stats
    flags: dict[vocabulary.RowFlag, bool] = {
        "stand_in": seat in played.stand_ins,
        "late": seat in played.late_ms and not played.is_window,  # nobody is late in a window
        "program": seat in played.programs,
    }
    return HistoryRow(
        seat=seat,
        name=row.name,
        colour=played.colours.get(seat, vocabulary.SEAT_COLOURS[0]),  # rounds before 1.0.0 lack it
        place=row.place,
        state=row.state,
        won=stats.won,
        ms=stats.finished_ms,
        score=stats.score,
        suits=stats.suits,
        moves=stats.moves,
        level=level,
        flags=tuple(flag for flag, is_set in flags.items() if is_set),
    )


def new_entries(before: Room, room: Room) -> list[HistoryEntry]:
    """Return the entries that a change adds to the history, without rounds that nobody played.

    When the room becomes a table, these are all rounds in its record.
    """
    if room.kept is None:
        return []
    recorded = () if before.kept is None else {played.n for played in before.rounds}
    new = (played for played in room.rounds if played.names and played.n not in recorded)
    return [entry_of(room, played) for played in new]


def newly_shelved(before: Room, room: Room) -> dict[int, str]:
    """Return, by number, the texts of newly shelved rounds, and "" for those just taken off."""
    new, old = ({shelved.n for shelved in version.shelf} for version in (room, before))
    added = [played for played in before.rounds if played.n in new - old]
    return dict.fromkeys(old - new, "") | {played.n: played.model_dump_json() for played in added}


def without_name(line: str, seat: int) -> str:
    """Return a stored entry without a player's name; unchanged if it cannot be read."""
    if f"[{seat}," not in line:
        return line  # no row starts with the seat: saves parsing most lines
    try:
        entry = HistoryEntry.model_validate_json(line)
    except ValidationError:
        return line
    rows = (row._replace(name="") if row.seat == seat else row for row in entry.rows)
    return entry.replace(rows=tuple(rows)).model_dump_json()


def parse_entries(lines: Iterable[str]) -> tuple[list[HistoryEntry], int]:
    """Return the entries of a stored history, and how many lines cannot be read."""
    by_round: dict[int, HistoryEntry] = {}
    damaged = 0
    for line in lines:
        try:
            entry = HistoryEntry.model_validate_json(line)
        except ValidationError:
            damaged += 1
        else:
            by_round[entry.n] = entry
    return list(by_round.values()), damaged
