"""The history of a kept table, as JSON and as CSV, and its standings by game.

See RULES, Standings of a table. Everything but the members comes from the history's entries.
"""

import csv
import io
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from protocol import http
from protocol.games import GameId
from server.rooms.record import Room, Seat
from server.rooms.table_history import HistoryEntry, HistoryRow
from server.views import view_of
from server.views.rooms import is_here

FORM = 10  # how many of the latest races a person's form shows
PAIRED = 16  # how many people are compared in pairs in each game: the ones with the most races
UNSAFE = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet treats a cell that starts with one of these as a formula."""
COLUMNS = (
    *("round", "ended", "game", "time_limit_s", "window_s", "score_by", "deal", "not_counted"),
    *("place", "seat", "name", "colour", "result", "won", "ms", "score", "suits", "moves"),
    *("computer", "flags"),
)


class Race(NamedTuple):
    """A person's result in a race that counts for the standings."""

    entry: HistoryEntry
    row: HistoryRow
    place: int


RacesBySeat = Mapping[int, Sequence[Race]]  # each seat's are sorted oldest first


def table_history(room: Room, entries: Sequence[HistoryEntry]) -> http.TableHistory:
    """Return a kept table with its history; `entries` are sorted oldest first."""
    assert room.kept is not None, "only a kept room has a history"
    logged = {played.n for played in room.rounds if played.has_logs}
    logged |= {played.n for played in room.shelf}
    return view_of(
        http.TableHistory,
        room.kept,
        room=room.code,
        members=tuple(
            http.TableMember(
                seat=seat.number,
                name=seat.name,
                colour=seat.colour,
                here=is_here(seat),
                last_ms=None if is_here(seat) else seat.left_at,
            )
            for seat in room.seats
            if not (seat.is_bot or seat.has_left or seat.was_kicked)
        ),
        rounds=tuple(_round(entry, has_replay=entry.n in logged) for entry in reversed(entries)),
        standings=_standings(room, entries),
    )


def _round(entry: HistoryEntry, *, has_replay: bool) -> http.TableRound:
    """Return the view of a round; `why` says why it does not count for the standings."""
    return view_of(
        http.TableRound,
        entry,
        counted=not entry.not_counted,
        why=entry.not_counted,
        replay=has_replay,
        rows=tuple(http.TableRow(**row._asdict()) for row in entry.rows),
    )


def _standings(room: Room, entries: Sequence[HistoryEntry]) -> tuple[http.GameStandings, ...]:
    """Return the standings of each game; `entries` are sorted oldest first.

    People have the name in their seat or, once they have left, in their latest row. Those whose
    names were deleted stay nameless, even if somebody else has their seat by now.
    """
    games: dict[GameId, dict[int, list[Race]]] = defaultdict(lambda: defaultdict(list))
    people: dict[int, Seat | HistoryRow] = {}
    for entry in entries:
        for row in entry.rows:
            people[row.seat] = row
            if row.is_counted and row.place is not None and not entry.not_counted:
                games[entry.game][row.seat].append(Race(entry, row, row.place))
    named = {seat for seat, row in people.items() if row.name}
    people |= {seat.number: seat for seat in room.seats if seat.number in named}
    return tuple(
        http.GameStandings(game=game, rows=_ranked(races, people), pairs=_pairs(races))
        for game, races in games.items()
    )


def _ranked(
    races_by_seat: RacesBySeat, people: Mapping[int, Seat | HistoryRow]
) -> tuple[http.MemberStanding, ...]:
    """Return the standings of one game, best first; names and colours come from `people`."""
    # A best score is taken from races with the same kind of score as the latest race.
    latest = max((races[-1].entry for races in races_by_seat.values()), key=lambda entry: entry.n)
    rows = [
        http.MemberStanding(
            seat=seat,
            name=people[seat].name,
            colour=people[seat].colour,
            races=len(races),
            wins=sum(seat in race.entry.winners for race in races),
            podiums=sum(seat in race.entry.podium for race in races),
            average=_average_place(races),
            best_ms=_fastest_win_ms(races),
            best_score=max(
                (race.row.score for race in races if race.entry.score == latest.score),
                default=None,
            ),
            form=tuple(race.place for race in races[-FORM:]),
        )
        for seat, races in races_by_seat.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-row.wins, -row.podiums, row.average, row.seat)))


def _pairs(races_by_seat: RacesBySeat) -> tuple[http.Pair, ...]:
    """Compare any two people who have raced each other, among the people with the most races."""
    most_first = sorted(races_by_seat, key=lambda seat: (-len(races_by_seat[seat]), seat))
    pairs = []
    for a, b in combinations(sorted(most_first[:PAIRED]), 2):
        races_of_b = {race.entry.n: race for race in races_by_seat[b]}
        of_a = (race for race in races_by_seat[a] if race.entry.n in races_of_b)
        if shared := [(race, races_of_b[race.entry.n]) for race in of_a]:
            pairs.append(_pair(a, b, shared))
    return tuple(pairs)


def _pair(a: int, b: int, races: list[tuple[Race, Race]]) -> http.Pair:
    """Compare two seats; `races` has their results in each race that both played."""
    races_a, races_b = [of_a for of_a, _ in races], [of_b for _, of_b in races]
    ahead = [  # the seat that was ahead in each race
        None if of_a.place == of_b.place else a if of_a.place < of_b.place else b
        for of_a, of_b in races
    ]
    leads_ms = [  # of `a` in the races that both have won
        of_b.row.ms - of_a.row.ms
        for of_a, of_b in races
        if of_a.row.won and of_b.row.won and of_a.row.ms is not None and of_b.row.ms is not None
    ]
    return http.Pair(
        a=a,
        b=b,
        races=len(races),
        ahead=ahead.count(a),
        behind=ahead.count(b),
        average_a=_average_place(races_a),
        average_b=_average_place(races_b),
        best_a=_fastest_win_ms(races_a),
        best_b=_fastest_win_ms(races_b),
        widest_a=max((lead for lead in leads_ms if lead > 0), default=None),
        widest_b=max((-lead for lead in leads_ms if lead < 0), default=None),
        last=tuple(ahead[-FORM:]),
    )


def _average_place(races: Sequence[Race]) -> float:
    return round(sum(race.place for race in races) / len(races), 2)


def _fastest_win_ms(races: Iterable[Race]) -> int | None:
    times = (race.row.ms for race in races if race.row.won and race.row.ms is not None)
    return min(times, default=None)


def table_csv(entries: Iterable[HistoryEntry], format_time: Callable[[int], str]) -> str:
    """Return a history as CSV: one line for each player in each round."""
    text = io.StringIO()
    text.write("\ufeff")  # without it Excel reads the file as Latin-1
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for entry in entries:
        rules = (entry.time_limit_s, entry.window_s, entry.score, entry.deal, entry.not_counted)
        of_round = (entry.n, format_time(entry.ended), entry.game, *rules)
        for row in entry.rows:
            name = f"'{row.name}" if row.name.startswith(UNSAFE) else row.name
            of_person = (row.place, row.seat, name, row.colour, row.state.value, int(row.won))
            figures = (row.ms, row.score, row.suits, row.moves)
            writer.writerow((*of_round, *of_person, *figures, row.level, " ".join(row.flags)))
    return text.getvalue()
