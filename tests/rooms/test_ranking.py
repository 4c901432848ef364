"""The leaderboard: places, winners, and updates."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.vocabulary import SeatState
from server.rooms.events import GameEnded
from server.rooms.ranking import LeaderboardRow, Ranking, board_order, final_ranking, winners
from server.rooms.record import PlayerStats, Room, Round, round_of
from server.views.standings import standing_view
from tests.rooms.rooms import ADA, BOB, T0, happen, leaderboard, running
from tests.rooms.stories import field_of, play, stats_of
from tests.stories import stories

RANKINGS = ("first_home", "best_score")
# The settings of the room, the games of Ada and Bob, and the places. Rows without `ranking` apply
# to both rankings.
PLACES = """
ranking=first_home | won | won -> 1 Ada, 1 Bob
ranking=first_home | won | won finished_ms=59_999 -> 1 Bob, 2 Ada
ranking=first_home | won | won score=1_000 finished_ms=60_001 -> 1 Ada, 2 Bob
| score=995 | won -> 1 Bob, 2 Ada
| score=10 | score=20 -> 1 Bob, 2 Ada
ranking=first_home | score=300 finished_ms=50_000 | score=301 -> 1 Bob, 2 Ada
| face_down=3 | face_down=2 -> 1 Bob, 2 Ada
| gained_ms=2 | gained_ms=1 -> 1 Bob, 2 Ada
| gained_ms=1 | gained_ms=1 -> 1 Ada, 1 Bob
ranking=best_score | won | won score=991 finished_ms=99_999 -> 1 Bob, 2 Ada
ranking=best_score | won gained_ms=9 | won gained_ms=8 finished_ms=99_999 -> 1 Bob, 2 Ada
ranking=best_score | won gained_ms=9 | won gained_ms=9 finished_ms=99_999 -> 1 Ada, 1 Bob

Under the score `moves`, games that were not won are ranked by progress first, then by score.
score=moves | score=500 face_down=44 | score=460 face_down=40 -> 1 Bob, 2 Ada
score=moves | suits=1 face_down=9 | suits=0 -> 1 Ada, 2 Bob
score=moves | suits=1 | suits=1 on_table=1 -> 1 Bob, 2 Ada
score=moves | suits=1 score=9 | on_table=1 score=8 -> 1 Ada, 2 Bob
score=moves | face_down=3 score=9 | face_down=3 score=10 -> 1 Bob, 2 Ada
score=moves | gained_ms=2 | gained_ms=1 -> 1 Bob, 2 Ada
score=moves | gained_ms=1 | gained_ms=1 -> 1 Ada, 1 Bob
score=moves | suits=8 score=1_200 | won suits=8 score=300 -> 1 Bob, 2 Ada
score=moves ranking=first_home | won score=1_100 | won score=900 finished_ms=50_000 -> 1 Bob, 2 Ada
score=moves ranking=best_score | won score=1_100 | won score=900 finished_ms=50_000 -> 1 Ada, 2 Bob
score=woods | score=10 suits=1 on_table=1 | score=11 -> 1 Bob, 2 Ada

Cheats that are only shown have no effect.
ranking=first_home | won cheats=9 | won finished_ms=60_001 -> 1 Ada, 2 Bob
| won cheats=9 | won -> 1 Ada, 1 Bob

Fewer cheats break a tie in time or score, before anything else does.
cheats=tie | won cheats=1 | won -> 1 Bob, 2 Ada
cheats=tie ranking=first_home | won cheats=9 | won finished_ms=60_001 -> 1 Ada, 2 Bob
cheats=tie | won cheats=2 | won cheats=1 -> 1 Bob, 2 Ada
cheats=tie | score=9 cheats=1 | score=9 face_down=44 gained_ms=99 -> 1 Bob, 2 Ada
cheats=tie | score=9 cheats=1 | score=8 -> 1 Ada, 2 Bob
cheats=tie game=little-spider score=cards | cheats=1 | face_down=44 gained_ms=99 -> 1 Bob, 2 Ada
cheats=tie ranking=best_score | won cheats=1 | won face_down=1 gained_ms=99 -> 1 Bob, 2 Ada
cheats=tie ranking=best_score | won score=991 cheats=1 | won -> 1 Ada, 2 Bob
cheats=tie score=moves ranking=best_score | won cheats=1 | won face_down=1 -> 1 Bob, 2 Ada
cheats=tie score=moves | suits=1 score=9 cheats=1 | suits=1 score=9 gained_ms=99 -> 1 Bob, 2 Ada
cheats=tie score=moves | cheats=9 suits=3 face_down=20 | suits=2 face_down=20 -> 1 Ada, 2 Bob
cheats=tie score=moves | cheats=9 suits=2 face_down=19 | suits=2 face_down=20 -> 1 Ada, 2 Bob
cheats=tie score=moves | cheats=9 face_down=20 score=301 | face_down=20 score=300 -> 1 Ada, 2 Bob

Games with cheats are below all clean games of their group, and above the next group.
cheats=out | won cheats=1 | won finished_ms=99_999 -> 1 Bob, 2 Ada
cheats=out | won cheats=1 | score=980 -> 1 Ada, 2 Bob
cheats=out | score=900 cheats=1 | score=1 -> 1 Bob, 2 Ada
cheats=out | won cheats=1 | won cheats=9 -> 1 Ada, 1 Bob
cheats=out score=moves | suits=7 score=900 cheats=1 | -> 1 Bob, 2 Ada
"""


def text(rows: list[LeaderboardRow]) -> str:
    """Return a leaderboard in one line: `1 Bob, 2 Ada`."""
    return ", ".join(f"{row.place or '-'} {row.name}" for row in rows)


def places(settings: str, ada: str, bob: str) -> str:
    room = running(**{"undo": "any", **dict(map(field_of, settings.split()))})
    return text(leaderboard(room, {ADA: stats_of(ada), BOB: stats_of(bob)}))


@pytest.mark.parametrize("row", [row for row in PLACES.splitlines() if "->" in row])
@pytest.mark.parametrize("ranking", RANKINGS)
def test_places(ranking: str, row: str) -> None:
    games, _, expected = row.partition("-> ")
    settings, ada, bob = games.split("|")
    if "ranking" not in settings:
        settings += f"ranking={ranking}"
    assert places(settings, ada, bob) == expected


GROUPS = """
Players who gave up, left or were kicked are below all who stayed
  running
  ? Ada Forfeit @+9 {Ada score=50, Bob score=4} -> board=1 Bob 2 Ada
  ? Ada Leave @+9 {Ada score=50, Bob score=4} -> board=1 Bob 2 Ada
  Bob Leave @+9 {Bob score=50, Ada score=4} -> board=1 Ada 2 Bob
  running; Ada Kick Bob @+9 {Bob score=50, Ada score=4} -> board=1 Ada 2 Bob
  running; Ada Forfeit @+9 {Ada score=50}
  ? tick @T0+15m {Bob score=4} -> board=1 Bob 2 Ada, Bob TIMED_OUT place=1, Ada FORFEIT place=2
  Bob ends @+9 {Bob score=4 finished_ms=20} -> board=1 Bob 2 Ada, Bob FINISHED, Ada FORFEIT
A player without an act is below one who gave up
  running; Ada Forfeit @+9 {Ada score=50} -> board=1 Ada 2 Bob
Players who give up after the end of the race are out of time
  running; Ada Forfeit @T0+15m {Ada score=50, Bob score=4} -> Ada TIMED_OUT, board=1 Ada 2 Bob
  ? Bob Leave @+200 {Bob score=4} -> Bob TIMED_OUT, FINISHED, ended=T0+15m
  Bob Forfeit held=True @+200 {Bob score=4} -> Bob TIMED_OUT, FINISHED
  running; Ada Forfeit held=True @T0+15m-1 {Ada score=50, Bob score=4}
  tick @+200 {Ada score=50, Bob score=4} -> Ada FORFEIT, Bob TIMED_OUT, board=1 Bob 2 Ada
Players who gave up are ranked by their stats
  running; Ada Forfeit @+9 {Ada score=50}; Bob Forfeit @+9 {Bob score=51} -> board=1 Bob 2 Ada
Players who leave after their game has ended keep their group, even if the room did not know yet
  running; Bob Leave @T0+61s {Ada score=299, Bob won} -> board=1 Bob 2 Ada, Bob FINISHED
  running; Ada Kick Bob @T0+61s {Ada score=299, Bob won} -> board=1 Bob 2 Ada, Bob FINISHED
  running; Bob ends @T0+60s {Bob won}; Bob Leave {Ada score=299} -> board=1 Bob 2 Ada
  running; Bob ends @T0+60s {Bob won}; Ada Kick Bob {Ada score=299} -> board=1 Bob 2 Ada
  running; Bob Leave @T0+61s {Ada score=299, Bob score=300 finished_ms=50_000} -> board=1 Bob 2 Ada
  running; Bob ends @T0+60s {Bob score=300 finished_ms=50_000}
  ? Bob Leave {Ada score=299} -> board=1 Bob 2 Ada, Bob FINISHED
  Ada Kick Bob {Ada score=299} -> board=1 Bob 2 Ada, Bob FINISHED
Results of finished players take precedence over stored stats
  running; Ada ends @T0+60s {Ada won}; tick {Bob score=4} -> Ada FINISHED score=990, Bob RACING
Before the first act all cards of the deal are face down
  running -> board=1 Ada 1 Bob
Players who cheat are ranked above players who forfeit
  running undo=any cheats=out; Bob Forfeit {Bob score=99}; tick {Ada score=1 cheats=3} \
-> board=1 Ada 2 Bob
"""


@pytest.mark.parametrize("ranking", RANKINGS)
@stories(GROUPS)
def test_groups_of_players(ranking: str, story: str) -> None:
    play(story.replace("running", f"running ranking={ranking}"))


# Games from the best to the worst, in the four groups. Each beats the next one in one part of the
# order, and loses in all later parts.
ORDER = """
won finished_ms=50_000 score=900
won finished_ms=50_001 score=990
score=21 face_down=9 gained_ms=9
score=20 face_down=2 gained_ms=9
score=20 face_down=3 gained_ms=5
score=20 face_down=3 gained_ms=6
left score=31 face_down=9 gained_ms=9
left score=30 face_down=1 gained_ms=9
left score=30 face_down=2 gained_ms=5
left score=30 face_down=2 gained_ms=6
idle score=501 face_down=9 gained_ms=9
idle left score=500 face_down=1 gained_ms=9
idle score=500 face_down=2 gained_ms=5
idle score=500 face_down=2 gained_ms=6
"""


def game_of(line: str) -> tuple[PlayerStats, SeatState]:
    words = line.split()
    numbers = " ".join(word for word in words if word not in {"left", "idle"})
    stats = stats_of(numbers).replace(has_acted="idle" not in words)
    return stats, SeatState.FORFEIT if "left" in words else SeatState.TIMED_OUT


@pytest.mark.parametrize("window_s", [None, 86_400])
def test_rounds_windows_and_the_board_of_a_day_have_one_order(window_s: int | None) -> None:
    """Regression: the board ranked games without an act differently from rounds."""
    games = [game_of(line) for line in reversed(ORDER.strip().splitlines())]
    results = {seat: stats for seat, (stats, _) in enumerate(games)}
    states = {seat: state for seat, (_, state) in enumerate(games)}
    played = race("NMLKJIHGFEDCBA", settings={"ranking": "first_home"})
    settings = played.settings.model_copy(update={"window_s": window_s})
    played = played.replace(settings=settings, results=results, states=states)
    assert [row.name for row in final_ranking(played).rows] == list("ABCDEFGHIJKLMN")
    of_day = sorted(results, key=lambda seat: board_order(played, seat))
    assert of_day == list(reversed(results))
    assert len({board_order(played, seat) for seat in results}) == len(results)


@pytest.mark.parametrize("score", ["woods", "moves"])
@pytest.mark.parametrize("off", ["late_ms", "stand_ins"])
@pytest.mark.parametrize(
    ("ranked", "better"),
    [("won", "won finished_ms=50_000"), ("score=9", "won"), ("score=9", "score=10 suits=1")],
)
def test_unranked_games_come_last(ranked: str, better: str, off: str, score: str) -> None:
    settings = {"ranking": "first_home", "score": score}
    unranked = {off: {ADA: 9 if off == "late_ms" else "club"}}
    played = race("AB", settings=settings).replace(**unranked)
    rows = Ranking(played, {ADA: stats_of(better), BOB: stats_of(ranked)}).rows
    assert text(rows) == "1 B, - A"


def test_results_without_suits_on_the_table_are_ranked() -> None:
    old = PlayerStats.model_validate_json('{"score": 450, "suits": 1, "finished_ms": 9}')
    room = happen(running(score="moves"), GameEnded(ADA, 1, T0 + 9, {ADA: old}))
    room = Room.model_validate_json(room.model_dump_json())
    assert text(leaderboard(room, {BOB: PlayerStats(score=499)})) == "1 Ada, 2 Bob"


def test_only_the_ranking_uses_suits_on_the_table() -> None:
    """Opponents see score, moves, removed suits and face-down cards, and nothing else."""
    (line, other) = leaderboard(running(score="moves"), {BOB: PlayerStats(on_table=1)})
    row = standing_view(line)
    assert (row.name, row.suits) == ("Bob", 0)
    assert "on_table" not in row.model_dump()
    assert other.stats.face_down == 44  # before the first act


# Rows of a finished round, by seat: the place, `left` (gave up), `late` (a chaser), `idle` (made
# no act), `won`; then the seats that have won the round.
WINNERS = """
1; 2 -> 0
1; 1 -> 0 1
1 left; 2 left ->
1 left; 1 left ->
1 left ->

A winner who leaves afterwards keeps the win.
1 left won; 2 -> 0

Players who stay win against players who gave up, but not without an act.
1; 2 left -> 0
1 idle; 2 left ->
1 idle; 2 ->
1 idle; 1 -> 1
1 idle; 2 idle left ->
1 idle; 1 idle ->

Chasers have no place, and their acts do not count in the race.
1 idle; late won ->
1; late won -> 0
late won ->
->
"""


def row_of(seat: int, words: list[str]) -> LeaderboardRow:
    stats = stats_of("won" if "won" in words else "score=300 finished_ms=50_000")
    return LeaderboardRow(
        seat=seat,
        name="",
        stats=PlayerStats(has_acted=False) if "idle" in words else stats,
        state=SeatState.FORFEIT if "left" in words else SeatState.FINISHED,
        place=None if "late" in words else int(words[0]),
        late_ms=9 if "late" in words else None,
    )


@pytest.mark.parametrize("line", [line for line in WINNERS.splitlines() if "->" in line])
def test_winners_share_the_first_place_have_acted_and_have_not_given_up(line: str) -> None:
    games, _, expected = line.partition("->")
    rows = [row_of(seat, game.split()) for seat, game in enumerate(games.split(";")) if game]
    assert winners(rows) == tuple(map(int, expected.split()))


def test_only_the_records_of_unplayed_games_have_has_acted() -> None:
    unplayed = PlayerStats(has_acted=False)
    assert "has_acted" not in PlayerStats().model_dump_json()
    assert PlayerStats.model_validate_json(unplayed.model_dump_json()) == unplayed


def race(names: str, first: int = 0, **fields: Any) -> Round:
    """Return the round of a race; each letter is the name of a player."""
    settings = fields.pop("settings", {})
    known = {"names": dict(enumerate(names, first)), **fields}
    return round_of(running(**settings)).replace(**known)


def test_stats_that_a_finished_player_no_longer_has_change_no_ranking() -> None:
    results, states = {ADA: PlayerStats(score=9, finished_ms=1)}, {ADA: SeatState.FINISHED}
    ranking = Ranking(race("AB", results=results, states=states), {})
    before = ranking.rows
    ranking.update({ADA: PlayerStats(score=1)})
    assert ranking.rows == before
    assert ranking.rows[0].stats.score == 9


def test_rows_with_the_same_stats_and_place_stay_the_same_objects() -> None:
    scores = {seat: PlayerStats(score=score) for seat, score in enumerate([30, 20, 10])}
    ranking = Ranking(race("ABC"), scores)
    first = ranking.rows[0]
    assert text(ranking.rows) == "1 A, 2 B, 3 C"
    ranking.update({1: PlayerStats(score=5), 2: PlayerStats(score=25)})
    assert text(ranking.rows) == "1 A, 2 C, 3 B"
    assert ranking.rows[0] is first


LIVE = st.dictionaries(
    st.integers(0, 4),
    st.builds(PlayerStats, score=st.integers(0, 2), face_down=st.integers(0, 1))
    | st.just(stats_of("won")),
)


@pytest.mark.parametrize("ranking", RANKINGS)
@given(st.lists(LIVE, min_size=1, max_size=6))
def test_updates_equal_new_rankings(ranking: str, updates: list[dict[int, PlayerStats]]) -> None:
    results = {2: PlayerStats(score=1, finished_ms=9)}
    late = {3: 500, 4: 900}
    states = {2: SeatState.FINISHED, 1: SeatState.FORFEIT}
    settings = {"ranking": ranking}
    played = race("ABCDE", settings=settings, late_ms=late, results=results, states=states)
    live, *later = updates
    kept = Ranking(played, live)
    for update in later:
        live |= update
        before = {row.seat: row for row in kept.rows}
        kept.update(update)
        assert kept.rows == Ranking(played, live).rows
        for row in kept.rows:
            known = before[row.seat]
            assert row is known or row.stats is not known.stats or row.place != known.place


@pytest.mark.parametrize("playing", [SeatState.RACING, SeatState.CHASING])
def test_a_win_and_its_end_change_the_row_once(playing: SeatState) -> None:
    late = {1: 5} if playing is SeatState.CHASING else {}
    ranking = Ranking(race("A", 1, late_ms=late), {1: PlayerStats(score=9)})
    assert [row.state for row in ranking.rows] == [playing]
    ranking.update({1: stats_of("won")})
    assert [(row.state, row.stats.won) for row in ranking.rows] == [(SeatState.FINISHED, True)]
    ranking.update({1: PlayerStats(score=9)})  # a failover has lost the end
    assert [row.state for row in ranking.rows] == [playing]


@pytest.mark.parametrize("score", ["woods", "moves"])
@pytest.mark.parametrize(
    ("ahead", "behind", "by"),
    [
        ("cheats=0", "cheats=2", "cheats"),
        ("face_down=3", "face_down=4", "face_down"),
        ("gained_ms=5", "gained_ms=6", "last_gain"),
    ],
)
def test_a_ranking_gives_the_tie_breaker(ahead: str, behind: str, by: str, score: str) -> None:
    settings = {"score": score, "cheats": "tie", "ranking": "best_score"}
    played = race("AB", 1, settings=settings)
    first, second = stats_of(f"score=9 {ahead}"), stats_of(f"score=9 {behind}")
    assert Ranking(played, {2: first, 1: second}).tie_breaks() == {2: by}
    assert Ranking(played, {2: first, 1: first}).tie_breaks() == {}


def test_without_a_tie_there_is_no_tie_breaker() -> None:
    played = race("ABCD", 1, settings={"ranking": "first_home", "cheats": "tie"}, late_ms={4: 9})
    lost = PlayerStats(score=990)
    live = {1: stats_of("won"), 2: stats_of("won finished_ms=60_001"), 3: lost, 4: lost}
    assert Ranking(played, live).tie_breaks() == {}
    live[2] = stats_of("won cheats=1")
    assert Ranking(played, live).tie_breaks() == {1: "cheats"}
