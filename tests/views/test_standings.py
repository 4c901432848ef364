"""The standings, whole and as changes: all changes together give the whole."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from protocol.to_client import StandingsChanges, StandingsMessage
from protocol.views import Standing
from protocol.vocabulary import SeatState
from server.rooms.ranking import LeaderboardRow
from server.rooms.record import PlayerStats
from server.views.standings import changes_text, standings_text
from tests.players import live, with_standings_changes
from tests.rooms.rooms import ADA, BOB, leaderboard, running

STATS = st.builds(
    PlayerStats,
    score=st.integers(0, 3),
    moves=st.integers(0, 2),
    won=st.booleans(),
    finished_ms=st.none() | st.integers(0, 2),
    on_table=st.integers(0, 2),
    gained_ms=st.integers(0, 2),
    has_acted=st.booleans(),
)
PLAYERS = st.tuples(
    st.booleans(),
    st.builds(
        LeaderboardRow,
        seat=st.just(0),
        name=st.sampled_from(["Ada", 'a "quoted" ü']),
        state=st.sampled_from(SeatState),
        place=st.none(),
        late_ms=st.none() | st.integers(0, 2),
        stats=STATS,
        stand_in=st.sampled_from([None, "club"]),
    ),
)


def ranked(players: list[tuple[bool, LeaderboardRow]]) -> list[LeaderboardRow]:
    """Return rows as a ranking has them, unranked last; a tied row shares the place before it."""
    rows: list[LeaderboardRow] = []
    for tied, row in sorted(players, key=lambda player: is_unranked(player[1])):
        place = rows[-1].place if tied and rows else len(rows) + 1
        rows.append(row._replace(place=None if is_unranked(row) else place))
    return rows


def is_unranked(row: LeaderboardRow) -> bool:
    return row.late_ms is not None or row.stand_in is not None


ROWS = (
    st.dictionaries(st.integers(0, 4), PLAYERS)
    .flatmap(
        lambda known: st.permutations(
            [(tied, row._replace(seat=seat)) for seat, (tied, row) in known.items()]
        )
    )
    .map(ranked)
)


def whole(rows: list[LeaderboardRow]) -> list[dict[str, Any]]:
    text = standings_text(rows, 7, 9)
    assert StandingsMessage.model_validate_json(text).number == 7
    shown: list[dict[str, Any]] = json.loads(text)["standings"]
    return shown


@given(ROWS, ROWS)
def test_changes_lead_from_one_leaderboard_to_the_next(
    before: list[LeaderboardRow], after: list[LeaderboardRow]
) -> None:
    seats = {row.seat for row in after}
    before = ranked([(False, row) for row in before if row.seat in seats])
    text = changes_text(before, after, 8)
    if not text:
        assert live(whole(before)) == live(whole(after))
        return
    changes = StandingsChanges.model_validate_json(text)
    assert json.loads(changes.model_dump_json()) == json.loads(text)
    assert changes.number == 8
    assert live(with_standings_changes(whole(before), json.loads(text))) == live(whole(after))
    order = [row.seat for row in after]
    changed = [change["seat"] for change in changes.changed]
    assert changed == sorted(changed, key=order.index)
    for change in changes.changed:
        known = next((row for row in whole(before) if row["seat"] == change["seat"]), None)
        if known is None:
            assert change in whole(after)
        else:
            assert not change.keys() & {"place", "gained_ms"}
            assert all(known.get(key) != value for key, value in change.items() if key != "seat")


def changes(ada: PlayerStats, bob: PlayerStats, later: PlayerStats) -> dict[str, Any]:
    """Return the message of a change of Bob's stats."""
    before, after = (leaderboard(running(), {ADA: ada, BOB: each}) for each in (bob, later))
    text = changes_text(before, after, 2)
    message: dict[str, Any] = {} if text == "" else json.loads(text)
    return message


def test_one_act_sends_only_what_it_changes() -> None:
    ada, bob = PlayerStats(score=9, moves=1, gained_ms=5), PlayerStats(score=3)
    message = {"type": "standings_changes", "number": 2}
    moved = bob.model_copy(update={"moves": 1, "gained_ms": 3})
    assert changes(ada, bob, moved) == {**message, "changed": [{"seat": BOB, "moves": 1}]}
    assert changes(ada, bob, bob.model_copy(update={"on_table": 1})) == {}  # shown to nobody
    # Seats that share a place are together.
    ahead = PlayerStats(score=19)
    change = {"changed": [{"seat": BOB, "score": 19}], "order": [[BOB], [ADA]]}
    assert changes(PlayerStats(score=3), bob, ahead) == {**message, **change}
    change = {"changed": [{"seat": BOB, "score": 3}], "order": [[ADA, BOB]]}
    assert changes(PlayerStats(score=3), ahead, bob) == {**message, **change}


def test_a_change_of_the_seat_is_sent_alone() -> None:
    before = leaderboard(running(), {ADA: PlayerStats(score=9), BOB: PlayerStats(score=3)})
    changed: dict[str, Any] = {"state": SeatState.FORFEIT, "name": "Bobby", "late_ms": 500}
    for change in ({name: value} for name, value in changed.items()):
        after = [before[0], before[1]._replace(**change)]
        assert json.loads(changes_text(before, after, 2))["changed"] == [{"seat": BOB, **change}]


def test_changes_have_all_fields_of_a_standing() -> None:
    change = TypeAdapter(StandingsChanges).json_schema()["$defs"]["StandingChange"]
    assert set(change["properties"]) == set(Standing.model_fields)
    assert change["required"] == ["seat"]
