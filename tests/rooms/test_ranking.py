from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.from_client import Forfeit, Kick, Leave
from protocol.vocabulary import SeatState
from server.rooms.events import Event, GameEnded, Tick
from server.rooms.race import round_of
from server.rooms.ranking import LeaderboardRow, Ranking, rank, winners
from server.rooms.record import PlayerStats, Room
from server.views.standings import standing_view
from tests.rooms.rooms import ADA, BOB, T0, happen, leaderboard, running, sends


def places(room: Room, ada: PlayerStats, bob: PlayerStats) -> str:
    return text(leaderboard(room, {ADA: ada, BOB: bob}))


def text(rows: list[LeaderboardRow]) -> str:
    """Return a leaderboard in one line: `1 Bob, 2 Ada`."""
    return ", ".join(f"{row.place or '-'} {row.name}" for row in rows)


WON = PlayerStats(score=990, won=True, finished_ms=60_000)
STUCK = PlayerStats(score=300, finished_ms=50_000)


def won(**stats: int) -> PlayerStats:
    return WON.model_copy(update=stats)


@pytest.mark.parametrize(
    ("ranking", "ada", "bob", "expected"),
    [
        ("first_home", WON, WON, "1 Ada, 1 Bob"),
        ("first_home", WON, won(finished_ms=59_999), "1 Bob, 2 Ada"),
        ("first_home", WON, won(score=1_000, finished_ms=60_001), "1 Ada, 2 Bob"),
        ("first_home", PlayerStats(score=995), WON, "1 Bob, 2 Ada"),
        ("first_home", PlayerStats(score=10), PlayerStats(score=20), "1 Bob, 2 Ada"),
        ("first_home", STUCK, PlayerStats(score=301), "1 Bob, 2 Ada"),
        ("first_home", PlayerStats(face_down=3), PlayerStats(face_down=2), "1 Bob, 2 Ada"),
        ("first_home", PlayerStats(gained_ms=2), PlayerStats(gained_ms=1), "1 Bob, 2 Ada"),
        ("first_home", PlayerStats(gained_ms=1), PlayerStats(gained_ms=1), "1 Ada, 1 Bob"),
        ("best_score", PlayerStats(score=995), WON, "1 Bob, 2 Ada"),
        ("best_score", WON, won(score=991, finished_ms=99_999), "1 Bob, 2 Ada"),
        ("best_score", won(gained_ms=9), won(gained_ms=8, finished_ms=99_999), "1 Bob, 2 Ada"),
        ("best_score", won(gained_ms=9), won(gained_ms=9, finished_ms=99_999), "1 Ada, 1 Bob"),
        ("best_score", PlayerStats(score=10), PlayerStats(score=20), "1 Bob, 2 Ada"),
        ("best_score", PlayerStats(face_down=3), PlayerStats(face_down=2), "1 Bob, 2 Ada"),
        ("best_score", PlayerStats(gained_ms=2), PlayerStats(gained_ms=1), "1 Bob, 2 Ada"),
        ("best_score", PlayerStats(gained_ms=1), PlayerStats(gained_ms=1), "1 Ada, 1 Bob"),
    ],
)
def test_places(ranking: str, ada: PlayerStats, bob: PlayerStats, expected: str) -> None:
    assert places(running(ranking=ranking), ada, bob) == expected


BOTH = pytest.mark.parametrize("ranking", ["first_home", "best_score"])


@BOTH
@pytest.mark.parametrize(
    ("ada", "bob", "expected"),
    [
        # Idle, and forty acts that turned cards up.
        (
            PlayerStats(score=500, face_down=44),
            PlayerStats(score=460, face_down=40),
            "1 Bob, 2 Ada",
        ),
        (PlayerStats(suits=1, face_down=9), PlayerStats(suits=0, face_down=0), "1 Ada, 2 Bob"),
        (PlayerStats(suits=1), PlayerStats(suits=1, on_table=1), "1 Bob, 2 Ada"),
        (PlayerStats(suits=1, score=9), PlayerStats(on_table=1, score=8), "1 Ada, 2 Bob"),
        (PlayerStats(face_down=3, score=9), PlayerStats(face_down=3, score=10), "1 Bob, 2 Ada"),
        (PlayerStats(gained_ms=2), PlayerStats(gained_ms=1), "1 Bob, 2 Ada"),
        (PlayerStats(gained_ms=1), PlayerStats(gained_ms=1), "1 Ada, 1 Bob"),
        (PlayerStats(suits=8, score=1_200), won(suits=8, score=300), "1 Bob, 2 Ada"),
    ],
)
def test_unfinished_games_are_ranked_by_progress_under_the_moves_score(
    ranking: str, ada: PlayerStats, bob: PlayerStats, expected: str
) -> None:
    assert places(running(ranking=ranking, score="moves"), ada, bob) == expected


def test_winners_are_ranked_by_time_or_score_under_the_moves_score_too() -> None:
    slow, fast = won(score=1_100), won(score=900, finished_ms=50_000, suits=8)
    assert places(running(ranking="first_home", score="moves"), slow, fast) == "1 Bob, 2 Ada"
    assert places(running(ranking="best_score", score="moves"), slow, fast) == "1 Ada, 2 Bob"


def test_only_the_moves_score_ranks_suits_before_points() -> None:
    ada, bob = PlayerStats(score=10, suits=1, on_table=1), PlayerStats(score=11)
    assert places(running(score="woods"), ada, bob) == "1 Bob, 2 Ada"


@BOTH
@pytest.mark.parametrize(
    "event",
    [
        sends(ADA, Forfeit(), T0 + 9, {ADA: PlayerStats(score=50)}),
        sends(ADA, Leave(), T0 + 9, {ADA: PlayerStats(score=50)}),
        sends(BOB, Kick(seat=ADA), T0 + 9, {ADA: PlayerStats(score=50)}),
    ],
)
def test_players_who_left_are_ranked_below_all_who_stayed(ranking: str, event: Event) -> None:
    room = running(ranking=ranking).model_copy(update={"host": BOB})
    room = happen(room, event)
    assert places(room, PlayerStats(), PlayerStats(score=0)) == "1 Bob, 2 Ada"


@BOTH
@pytest.mark.parametrize(
    ("end", "state"),
    [
        (Tick(T0 + 1_800_000, {BOB: PlayerStats(score=4)}), SeatState.TIMED_OUT),
        (
            GameEnded(BOB, 1, T0 + 20, {BOB: PlayerStats(score=4, finished_ms=20)}),
            SeatState.FINISHED,
        ),
    ],
)
def test_players_who_forfeit_are_below_all_others_in_the_result_too(
    ranking: str, end: Tick | GameEnded, state: SeatState
) -> None:
    room = happen(
        running(ranking=ranking), sends(ADA, Forfeit(), T0 + 9, {ADA: PlayerStats(score=50)}), end
    )
    rows = leaderboard(room, {})
    assert [(row.place, row.name, row.state) for row in rows] == [
        (1, "Bob", state),
        (2, "Ada", SeatState.FORFEIT),
    ]


@BOTH
def test_players_who_forfeit_are_ranked_by_their_stats(ranking: str) -> None:
    room = happen(
        running(ranking=ranking),
        sends(ADA, Forfeit(), T0 + 9, {ADA: PlayerStats(score=50)}),
        sends(BOB, Forfeit(), T0 + 9, {BOB: PlayerStats(score=51)}),
    )
    assert text(leaderboard(room, {})) == "1 Bob, 2 Ada"


@BOTH
@pytest.mark.parametrize(
    ("done", "rows"),
    [
        (WON, [(1, "Ada", SeatState.FINISHED), (2, "Bob", SeatState.RACING)]),
        (STUCK, [(1, "Ada", SeatState.FINISHED), (2, "Bob", SeatState.RACING)]),
    ],
)
@pytest.mark.parametrize("reported", [True, False])
@pytest.mark.parametrize("kicked", [True, False])
def test_players_who_leave_after_their_game_has_ended_keep_the_group(
    ranking: str, done: PlayerStats, rows: list[object], reported: bool, kicked: bool
) -> None:
    """The end may be reported to the room already, or stand only in the store."""
    room = running(ranking=ranking).model_copy(update={"host": BOB})
    if reported:
        room = happen(room, GameEnded(ADA, 1, T0 + 60_000, {ADA: done}))
    at = T0 + 60_001
    room = happen(
        room,
        sends(BOB, Kick(seat=ADA), at, {ADA: done})
        if kicked
        else sends(ADA, Leave(), at, {ADA: done}),
    )
    now = leaderboard(room, {BOB: PlayerStats(score=299)})
    assert [(row.place, row.name, row.state) for row in now] == rows


def test_results_of_finished_players_take_precedence_over_stored_stats() -> None:
    room = happen(running(), GameEnded(ADA, 1, T0 + 60_000, {ADA: WON}))
    rows = leaderboard(room, {ADA: PlayerStats(), BOB: PlayerStats(score=4)})
    assert [(row.name, row.stats.score, row.state) for row in rows] == [
        ("Ada", 990, SeatState.FINISHED),
        ("Bob", 4, SeatState.RACING),
    ]


def test_results_without_suits_on_the_table_are_ranked() -> None:
    old = PlayerStats.model_validate_json('{"score": 450, "suits": 1, "finished_ms": 9}')
    room = happen(running(score="moves"), GameEnded(ADA, 1, T0 + 9, {ADA: old}))
    room = Room.model_validate_json(room.model_dump_json())
    assert text(leaderboard(room, {BOB: PlayerStats(score=499)})) == "1 Ada, 2 Bob"


def test_suits_on_the_table_are_used_by_the_ranking_only() -> None:
    """Opponents see score, moves, removed suits and face-down cards, and nothing else."""
    (line, _) = leaderboard(running(score="moves"), {BOB: PlayerStats(on_table=1)})
    row = standing_view(line)
    assert (row.name, row.suits) == ("Bob", 0)
    assert "on_table" not in row.model_dump()


def test_before_the_first_act_all_cards_of_the_deal_are_face_down() -> None:
    rows = leaderboard(running(), {})
    assert [(row.place, row.stats.face_down) for row in rows] == [(1, 44), (1, 44)]


@pytest.mark.parametrize(
    ("settings", "ada", "bob", "expected"),
    [
        # Shown only: they count for nothing.
        ({}, won(cheats=9), won(finished_ms=60_001), "1 Ada, 2 Bob"),
        ({}, won(cheats=9), WON, "1 Ada, 1 Bob"),
        # A tie is broken by fewer, after the time or the score and before all else.
        ({"cheats": "tie"}, won(cheats=1), WON, "1 Bob, 2 Ada"),
        ({"cheats": "tie"}, won(cheats=9), won(finished_ms=60_001), "1 Ada, 2 Bob"),
        ({"cheats": "tie"}, won(cheats=2), won(cheats=1), "1 Bob, 2 Ada"),
        (
            {"cheats": "tie"},
            PlayerStats(score=9, cheats=1),
            PlayerStats(score=9, face_down=44, gained_ms=99),
            "1 Bob, 2 Ada",
        ),
        ({"cheats": "tie"}, PlayerStats(score=9, cheats=1), PlayerStats(score=8), "1 Ada, 2 Bob"),
        (
            {"cheats": "tie", "ranking": "best_score"},
            won(cheats=1),
            won(gained_ms=99),
            "1 Bob, 2 Ada",
        ),
        (
            {"cheats": "tie", "score": "moves"},
            PlayerStats(suits=1, score=9, cheats=1),
            PlayerStats(suits=1, score=9, gained_ms=99),
            "1 Bob, 2 Ada",
        ),
        # Out: below all clean games of the group, and above the groups behind it.
        ({"cheats": "out"}, won(cheats=1), won(finished_ms=99_999), "1 Bob, 2 Ada"),
        ({"cheats": "out"}, won(cheats=1), PlayerStats(score=980), "1 Ada, 2 Bob"),
        (
            {"cheats": "out"},
            PlayerStats(score=900, cheats=1),
            PlayerStats(score=1),
            "1 Bob, 2 Ada",
        ),
        ({"cheats": "out"}, won(cheats=1), won(cheats=9), "1 Ada, 1 Bob"),
        (
            {"cheats": "out", "score": "moves"},
            PlayerStats(suits=7, score=900, cheats=1),
            PlayerStats(),
            "1 Bob, 2 Ada",
        ),
    ],
)
def test_cheats_count_as_the_settings_of_the_room_say(
    settings: dict[str, Any], ada: PlayerStats, bob: PlayerStats, expected: str
) -> None:
    assert places(running(undo="any", **settings), ada, bob) == expected


def lost(**stats: int) -> PlayerStats:
    return PlayerStats(**{"suits": 2, "face_down": 20, "score": 300, "gained_ms": 50, **stats})


BY_SCORE = ({"face_down": 21}, {"gained_ms": 51})
"""What counts after the cheats, worse by one, where the score counts first."""


@pytest.mark.parametrize(
    ("settings", "game", "after"),
    [
        ({"score": "woods"}, lost, BY_SCORE),
        ({"score": "woods", "ranking": "best_score"}, lost, BY_SCORE),
        ({"score": "woods", "ranking": "best_score"}, won, BY_SCORE),
        ({"game": "little-spider", "score": "cards"}, lost, BY_SCORE),
        ({"score": "moves", "ranking": "best_score"}, won, BY_SCORE),
        # Suits and face-down cards come before this score, in games that were not won.
        ({"score": "moves"}, lost, ({"gained_ms": 51},)),
        ({"score": "moves", "ranking": "best_score"}, lost, ({"gained_ms": 51},)),
    ],
)
def test_ties_are_broken_by_cheats_right_after_every_score(
    settings: dict[str, Any], game: Callable[..., PlayerStats], after: Iterable[dict[str, int]]
) -> None:
    room = running(undo="any", cheats="tie", **settings)
    clean, cheated = game(), game(cheats=1)
    assert places(room, cheated, clean) == "1 Bob, 2 Ada"
    for change in after:
        later = game(**change)
        assert places(room, later, clean) == "1 Bob, 2 Ada"
        assert places(room, cheated, later) == "1 Bob, 2 Ada", change
    assert places(room, game(cheats=1, score=clean.score + 1), clean) == "1 Ada, 2 Bob"


def test_under_the_moves_score_cheats_come_after_suits_and_face_down_cards() -> None:
    room = running(undo="any", cheats="tie", score="moves")
    for better in ({"suits": 3}, {"face_down": 19}, {"score": 301}):
        assert places(room, lost(cheats=9, **better), lost()) == "1 Ada, 2 Bob", better


def test_players_who_cheat_are_ranked_above_players_who_forfeit() -> None:
    room = happen(
        running(undo="any", cheats="out"),
        sends(BOB, Forfeit(), T0 + 9, {BOB: PlayerStats(score=99)}),
    )
    assert text(leaderboard(room, {ADA: PlayerStats(score=1, cheats=3)})) == "1 Ada, 2 Bob"


UNPLAYED = PlayerStats(has_acted=False)
GAVE_UP: dict[str, Any] = {"state": SeatState.FORFEIT, "place": 1}


def row(seat: int, stats: PlayerStats = STUCK, **fields: Any) -> LeaderboardRow:
    """Return a row of a finished round; without other fields its player has the first place."""
    known = {"name": "", "state": SeatState.FINISHED, "place": 1, "late_ms": None, **fields}
    return LeaderboardRow(seat=seat, stats=stats, **known)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([row(0), row(1, place=2)], (0,)),
        ([row(0), row(1)], (0, 1)),
        ([row(0, **GAVE_UP), row(1, **{**GAVE_UP, "place": 2})], ()),
        ([row(0, **GAVE_UP), row(1, **GAVE_UP)], ()),
        ([row(0, **GAVE_UP)], ()),
        # A winner who leaves afterwards keeps the win.
        ([row(0, WON, **GAVE_UP), row(1, place=2)], (0,)),
        # One who played and stayed has won against one who gave up; one who stayed idle has not.
        ([row(0), row(1, state=SeatState.FORFEIT, place=2)], (0,)),
        ([row(0, UNPLAYED), row(1, state=SeatState.FORFEIT, place=2)], ()),
        ([row(0, UNPLAYED), row(1, place=2)], ()),
        ([row(0, UNPLAYED), row(1)], (1,)),
        ([row(0, UNPLAYED), row(1, UNPLAYED, state=SeatState.FORFEIT, place=2)], ()),
        ([row(0, UNPLAYED), row(1, UNPLAYED)], ()),
        # Chasers have no place, and their acts are none of the race.
        ([row(0, UNPLAYED), row(1, WON, place=None, late_ms=9)], ()),
        ([row(0), row(1, WON, place=None, late_ms=9)], (0,)),
        ([row(1, WON, place=None, late_ms=9)], ()),
        ([], ()),
    ],
)
def test_the_winners_share_the_first_place_and_have_acted_and_not_given_up(
    rows: list[LeaderboardRow], expected: tuple[int, ...]
) -> None:
    assert winners(rows) == expected


def test_a_record_says_only_of_unplayed_games_that_nobody_played_them() -> None:
    assert "has_acted" not in STUCK.model_dump_json()
    assert PlayerStats.model_validate_json(UNPLAYED.model_dump_json()) == UNPLAYED


LIVE = st.dictionaries(
    st.integers(0, 4),
    st.builds(PlayerStats, score=st.integers(0, 2), face_down=st.integers(0, 1)) | st.just(WON),
)


def test_stats_that_a_finished_player_no_longer_has_change_no_ranking() -> None:
    room = running()
    played = round_of(room)
    played = played.model_copy(update={"results": {ADA: PlayerStats(score=9, finished_ms=1)}})
    ranking = Ranking(played, {}, {ADA: SeatState.FINISHED})
    before = ranking.rows
    ranking.update({ADA: PlayerStats(score=1)})
    assert ranking.rows == before
    assert ranking.rows[0].stats.score == 9


def test_players_who_keep_stats_and_place_keep_their_rows_while_others_change_places() -> None:
    played = round_of(running())
    played = played.model_copy(update={"names": dict(enumerate("ABC"))})
    scores = {seat: PlayerStats(score=score) for seat, score in enumerate([30, 20, 10])}
    ranking = Ranking(played, scores, {})
    first = ranking.rows[0]
    assert text(ranking.rows) == "1 A, 2 B, 3 C"
    ranking.update({1: PlayerStats(score=5), 2: PlayerStats(score=25)})
    assert text(ranking.rows) == "1 A, 2 C, 3 B"
    assert ranking.rows[0] is first


@BOTH
@given(st.lists(LIVE, min_size=1, max_size=6))
def test_a_ranking_that_is_updated_is_that_of_the_latest_stats(
    ranking: str, updates: list[dict[int, PlayerStats]]
) -> None:
    played = round_of(running(ranking=ranking))
    played = played.model_copy(
        update={
            "names": dict(enumerate("ABCDE")),
            "late_ms": {3: 500, 4: 900},
            "results": {2: PlayerStats(score=1, finished_ms=9)},
        }
    )
    states = {2: SeatState.FINISHED, 1: SeatState.FORFEIT}
    live, *later = updates
    kept = Ranking(played, live, states)
    for update in later:
        live |= update
        before = {row.seat: row for row in kept.rows}
        kept.update(update)
        assert kept.rows == rank(played, live, states)
        for row in kept.rows:
            known = before[row.seat]
            assert row is known or row.stats is not known.stats or row.place != known.place


@pytest.mark.parametrize(
    ("late", "playing"), [({}, SeatState.RACING), ({1: 5}, SeatState.CHASING)]
)
def test_a_win_and_the_end_of_its_game_are_one_change_of_a_row(
    late: dict[int, int], playing: SeatState
) -> None:
    played = round_of(running())
    played = played.model_copy(update={"names": {1: "A"}, "late_ms": late})
    ranking = Ranking(played, {1: PlayerStats(score=9)}, {})
    assert [row.state for row in ranking.rows] == [playing]
    ranking.update({1: PlayerStats(score=990, won=True, finished_ms=75_000)})
    assert [(row.state, row.stats.won) for row in ranking.rows] == [(SeatState.FINISHED, True)]
    ranking.update({1: PlayerStats(score=9)})  # a failover has lost the end
    assert [row.state for row in ranking.rows] == [playing]


TIED = {
    "cheats": (PlayerStats(score=9, cheats=0), PlayerStats(score=9, cheats=2)),
    "face_down": (PlayerStats(score=9, face_down=3), PlayerStats(score=9, face_down=4)),
    "last_gain": (PlayerStats(score=9, gained_ms=5), PlayerStats(score=9, gained_ms=6)),
}


@pytest.mark.parametrize("score", ["woods", "moves"])
@pytest.mark.parametrize("by", list(TIED))
def test_a_ranking_says_what_decides_between_equal_scores(by: str, score: str) -> None:
    played = round_of(running(score=score, cheats="tie", ranking="best_score"))
    played = played.model_copy(update={"names": {1: "A", 2: "B"}})
    ahead, behind = TIED[by]
    assert Ranking(played, {2: ahead, 1: behind}, {}).tie_breaks() == {2: by}
    assert Ranking(played, {2: ahead, 1: ahead}, {}).tie_breaks() == {}


def test_other_scores_groups_and_times_need_no_reason() -> None:
    played = round_of(running(ranking="first_home", cheats="tie"))
    played = played.model_copy(
        update={"names": {1: "A", 2: "B", 3: "C", 4: "D"}, "late_ms": {4: 9}}
    )
    live = {
        1: PlayerStats(score=990, won=True, finished_ms=5),
        2: PlayerStats(score=990, won=True, finished_ms=6),
        3: PlayerStats(score=990),
        4: PlayerStats(score=990),
    }
    assert Ranking(played, live, {}).tie_breaks() == {}
    live[2] = PlayerStats(score=990, won=True, finished_ms=5, cheats=1)
    assert Ranking(played, live, {}).tie_breaks() == {1: "cheats"}
