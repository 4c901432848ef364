"""The history of a kept table and its standings by game, as JSON and as CSV.

RULES, Standings of a table. All of it follows from the entries of the history; the record of the
room adds only the seats that are there now.
"""

import csv
import io
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from protocol.games import GameId
from protocol.http import (
    GameStandings,
    MemberStanding,
    Pair,
    TableHistory,
    TableMember,
    TableRound,
    TableRow,
)
from protocol.vocabulary import SeatColour
from server.rooms.record import Room
from server.rooms.table_history import HistoryEntry, HistoryRow
from server.views.rooms import is_here

FORM = 10  # races that the form of a person has
PODIUM = 3
PAIRED = 16  # people of a game who are compared two by two: those with the most races
UNSAFE = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for a formula at the beginning of a cell."""
COLUMNS = (
    *("round", "ended", "game", "time_limit_s", "window_s", "score_by", "deal", "not_counted"),
    *("place", "seat", "name", "colour", "result", "won", "ms", "score", "suits", "moves"),
    *("computer", "flags"),
)


class Person(NamedTuple):
    """How a person is called, now or when they played last."""

    name: str
    colour: SeatColour


class Race(NamedTuple):
    """The result of a person in a race that counts."""

    row: HistoryRow
    place: int
    is_win: bool
    score_by: str


def table_history(room: Room, entries: Sequence[HistoryEntry]) -> TableHistory:
    """Return a kept table with its history, whose earliest entry comes first."""
    assert room.kept is not None, "only a kept room has a history"
    shown = {each.n for each in room.rounds if each.has_logs} | {each.n for each in room.shelf}
    return TableHistory(
        room=room.code,
        name=room.kept.name,
        since=room.kept.since,
        until=room.kept.until,
        members=tuple(
            TableMember(
                seat=seat.number,
                name=seat.name,
                colour=seat.colour,
                here=is_here(seat),
                last_ms=None if is_here(seat) else seat.left_at,
            )
            for seat in room.seats
            if not (seat.is_bot or seat.has_left or seat.was_kicked)
        ),
        rounds=tuple(_round(entry, has_replay=entry.n in shown) for entry in reversed(entries)),
        standings=standings(entries, _people(room, entries)),
    )


def _round(entry: HistoryEntry, *, has_replay: bool) -> TableRound:
    return TableRound(
        n=entry.n,
        ended=entry.ended,
        game=entry.game,
        time_limit_s=entry.time_limit_s,
        window_s=entry.window_s,
        score=entry.score,
        deal=entry.deal,
        counted=not entry.not_counted,
        why=entry.not_counted,
        replay=has_replay,
        rows=tuple(TableRow(**row._asdict()) for row in entry.rows),
    )


def _people(room: Room, entries: Sequence[HistoryEntry]) -> dict[int, Person]:
    rows = (row for entry in entries for row in entry.rows)
    played = {row.seat: Person(row.name, row.colour) for row in rows}
    return played | {seat.number: Person(seat.name, seat.colour) for seat in room.seats}


def standings(
    entries: Sequence[HistoryEntry], people: Mapping[int, Person]
) -> tuple[GameStandings, ...]:
    """Return the standings of each game that was raced, by a history."""
    games: dict[GameId, dict[int, dict[int, Race]]] = defaultdict(lambda: defaultdict(dict))
    for entry in entries:
        if not entry.not_counted:
            for row in entry.rows:
                if row.is_counted and row.place is not None:
                    race = Race(row, row.place, row.seat in entry.winners, entry.score)
                    games[entry.game][row.seat][entry.n] = race
    return tuple(
        GameStandings(game=game, rows=_standings(by_seat, people), pairs=_pairs(by_seat))
        for game, by_seat in games.items()
    )


def _standings(
    by_seat: Mapping[int, Mapping[int, Race]], people: Mapping[int, Person]
) -> tuple[MemberStanding, ...]:
    # Scores of other rules are other figures: the best is one by the rules of the latest race.
    latest = max((n, race.score_by) for races in by_seat.values() for n, race in races.items())
    rows = [
        _standing(seat, people[seat], list(races.values()), latest[1])
        for seat, races in by_seat.items()
    ]
    rows.sort(key=lambda row: (-row.wins, -row.podiums, row.average, row.seat))
    return tuple(rows)


def _standing(seat: int, person: Person, races: list[Race], score_by: str) -> MemberStanding:
    scores = (race.row.score for race in races if race.score_by == score_by)
    return MemberStanding(
        seat=seat,
        name=person.name,
        colour=person.colour,
        races=len(races),
        wins=sum(race.is_win for race in races),
        podiums=sum(race.place <= PODIUM for race in races),
        average=_average(races),
        best_ms=_best_ms(races),
        best_score=max(scores, default=None),
        form=tuple(race.place for race in races[-FORM:]),
    )


def _pairs(by_seat: Mapping[int, Mapping[int, Race]]) -> tuple[Pair, ...]:
    most = sorted(by_seat, key=lambda seat: (-len(by_seat[seat]), seat))[:PAIRED]
    pairs = []
    for a, b in combinations(sorted(most), 2):
        common = [n for n in by_seat[a] if n in by_seat[b]]
        if common:
            pairs.append(_pair(a, b, [(by_seat[a][n], by_seat[b][n]) for n in common]))
    return tuple(pairs)


def _pair(a: int, b: int, races: list[tuple[Race, Race]]) -> Pair:
    of_a, of_b = [one for one, _ in races], [other for _, other in races]
    ahead = [
        None if one.place == other.place else a if one.place < other.place else b
        for one, other in races
    ]
    leads = [
        other.row.ms - one.row.ms
        for one, other in races
        if one.row.won and other.row.won and one.row.ms is not None and other.row.ms is not None
    ]
    return Pair(
        a=a,
        b=b,
        races=len(races),
        ahead=ahead.count(a),
        behind=ahead.count(b),
        average_a=_average(of_a),
        average_b=_average(of_b),
        best_a=_best_ms(of_a),
        best_b=_best_ms(of_b),
        widest_a=max((lead for lead in leads if lead > 0), default=None),
        widest_b=max((-lead for lead in leads if lead < 0), default=None),
        last=tuple(ahead[-FORM:]),
    )


def _average(races: Sequence[Race]) -> float:
    return round(sum(race.place for race in races) / len(races), 2)


def _best_ms(races: Iterable[Race]) -> int | None:
    times = (race.row.ms for race in races if race.row.won and race.row.ms is not None)
    return min(times, default=None)


def table_csv(entries: Iterable[HistoryEntry], dated: Callable[[int], str]) -> str:
    """Return a history as CSV, a line for each row of each round, with its time as `dated`.

    No cell is a formula for a spreadsheet, whatever a player is called.
    """
    text = io.StringIO()
    text.write("\ufeff")  # without it Excel takes the text for Latin-1
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for entry in entries:
        rules = (entry.time_limit_s, entry.window_s, entry.score, entry.deal, entry.not_counted)
        for row in entry.rows:
            name = f"'{row.name}" if row.name.startswith(UNSAFE) else row.name
            of_round = (entry.n, dated(entry.ended), entry.game, *rules)
            of_person = (row.place, row.seat, name, row.colour, row.state.value, int(row.won))
            figures = (row.ms, row.score, row.suits, row.moves)
            writer.writerow((*of_round, *of_person, *figures, row.level, " ".join(row.flags)))
    return text.getvalue()
