"""The end of games in a race, and late joiners who chase it."""

from dataclasses import replace

import pytest

from protocol.from_client import Abort, Chase, Configure, End, Forfeit, Kick, Leave, Ready, Start
from protocol.settings import Settings
from protocol.vocabulary import ErrorCode, Presence, RoomState, SeatState
from server.rooms.events import Disconnected, Event, GameEnded, Reconnected, Tick
from server.rooms.new_rooms import open_room
from server.rooms.race import round_of
from server.rooms.record import PlayerStats, Room
from server.rooms.room import apply, deadline
from server.rooms.timings import GRACE_MS
from tests.present import present
from tests.rooms.rooms import (
    ADA,
    BOB,
    CODE,
    CY,
    ENTROPY,
    T0,
    happen,
    joins,
    leaderboard,
    lobby,
    raced_by_programs,
    refused_code,
    running,
    sends,
    states,
)

WON = PlayerStats(score=990, won=True, finished_ms=60_000)
DEE = 3


def chased(**settings: object) -> Room:
    """Return a race of Ada and Bob that Cy and Dee chase, one of them a new player."""
    return happen(
        running(chasers=True, **settings),
        sends(CY, Chase(), T0 + 60_000),
        joins("Dee"),
        sends(DEE, Chase(), T0 + 90_000),
    )


def board(room: Room) -> str:
    """Return the leaderboard in one line: `1 Ada 990, - Cy 12`."""
    lines = leaderboard(room, {})
    return ", ".join(f"{line.place or '-'} {line.name} {line.stats.score}" for line in lines)


def test_late_joiners_may_chase_where_the_room_allows_it() -> None:
    room = chased()
    assert states(room) == "Ada RACING, Bob RACING, Cy CHASING, Dee CHASING"
    assert round_of(room).late_ms == {CY: 60_000, DEE: 90_000}
    assert round_of(room).names[CY] == "Cy"
    cy = present(room.seat(CY))
    assert cy.role == "player"  # and will be in the next round


def test_nobody_may_chase_in_other_rooms() -> None:
    assert refused_code(running(), sends(CY, Chase(), T0 + 9)) is ErrorCode.NO_CHASERS


def test_nobody_plays_a_round_twice() -> None:
    assert refused_code(chased(), sends(ADA, Chase(), T0 + 99_000)) is ErrorCode.NOT_IN_STATE
    given_up = apply(chased(), sends(CY, Forfeit(), T0 + 99_000))
    assert refused_code(given_up, sends(CY, Chase(), T0 + 99_000)) is ErrorCode.NOT_IN_STATE
    assert refused_code(lobby(chasers=True), sends(CY, Chase(), T0)) is ErrorCode.NOT_IN_STATE


def test_chasers_stand_below_all_racers_and_have_no_place() -> None:
    room = happen(
        chased(),
        GameEnded(CY, 1, T0 + 200_000, {CY: WON}),
        Tick(T0 + 1_800_000, {ADA: PlayerStats(score=5), BOB: PlayerStats(score=9)}),
    )
    assert board(room) == "1 Bob 9, 2 Ada 5, - Cy 990, - Dee 0"
    lines = {line.name: line for line in leaderboard(room, {})}
    assert lines["Cy"].state is SeatState.FINISHED
    assert (lines["Ada"].late_ms, lines["Cy"].late_ms) == (None, 60_000)


def test_a_round_knows_its_programs_after_they_have_left() -> None:
    room = happen(raced_by_programs(), sends(3, Leave(), T0 + 9), sends(4, Leave(), T0 + 9))
    assert round_of(room).programs == (3, 4)


def test_chasers_are_shown_as_chasing() -> None:
    line = leaderboard(chased(), {DEE: PlayerStats(score=30)})[-2]
    assert (line.name, line.stats.score, line.state) == ("Dee", 30, SeatState.CHASING)


def test_the_round_ends_with_its_last_racer_and_stores_results_of_chasers() -> None:
    stats = {BOB: PlayerStats(score=5), CY: PlayerStats(score=31), DEE: PlayerStats(score=12)}
    room = happen(
        chased(),
        GameEnded(ADA, 1, T0 + 99_000, {ADA: WON, **stats}),
        sends(BOB, Forfeit(), T0 + 100_000, stats),
    )
    assert room.state is RoomState.FINISHED
    assert states(room) == "Ada FINISHED, Bob FORFEIT, Cy TIMED_OUT, Dee TIMED_OUT"
    assert board(room) == "1 Ada 990, 2 Bob 5, - Cy 31, - Dee 12"


def test_a_chaser_who_has_won_does_not_end_the_round() -> None:
    room = apply(chased(), GameEnded(CY, 1, T0 + 99_000, {CY: WON}))
    assert room.state is RoomState.RUNNING


def test_a_chaser_may_forfeit_leave_or_be_kicked() -> None:
    assert "Cy FORFEIT" in states(apply(chased(), sends(CY, Forfeit(), T0 + 99_000)))
    assert "Cy FORFEIT" in states(apply(chased(), sends(CY, Leave(), T0 + 99_000)))
    assert "Cy FORFEIT" in states(apply(chased(), sends(ADA, Kick(seat=CY), T0 + 99_000)))


def test_the_time_of_a_forfeit_is_by_the_clock_of_the_player() -> None:
    room = happen(chased(), sends(CY, Forfeit(), T0 + 75_000), sends(ADA, Forfeit(), T0 + 75_000))
    assert round_of(room).results[CY].finished_ms == 15_000
    assert round_of(room).results[ADA].finished_ms == 75_000


def test_a_room_for_one_has_no_countdown() -> None:
    room = apply(open_room(CODE, "Ada", Settings(max_players=1)), sends(ADA, Start(), T0))
    assert room.state is RoomState.RUNNING
    assert states(room) == "Ada RACING"
    assert (round_of(room).t0, round_of(room).names) == (T0, {ADA: "Ada"})
    again = happen(room, sends(ADA, Abort(), T0 + 9), sends(ADA, Start(), T0 + 10))
    assert again.state is RoomState.RUNNING
    assert apply(lobby(), sends(ADA, Start(), T0)).state is RoomState.COUNTDOWN


def test_the_first_win_gives_the_others_the_rest_of_the_time_that_the_room_sets() -> None:
    room = apply(running(after_win_s=120), GameEnded(ADA, 1, T0 + 60_000, {ADA: WON}))
    assert round_of(room).t_end == deadline(room) == T0 + 180_000
    assert apply(room, Tick(T0 + 179_999)) is room
    over = apply(room, Tick(T0 + 180_000, {BOB: PlayerStats(score=7)}))
    assert states(over) == "Ada FINISHED, Bob TIMED_OUT, Cy WATCHING"
    assert round_of(over).ended == T0 + 180_000


@pytest.mark.parametrize("time_limit_s", [None, 3_600])
def test_later_wins_do_not_change_the_end(time_limit_s: int | None) -> None:
    dee = happen(lobby(after_win_s=60, time_limit_s=time_limit_s), joins("Dee"))
    room = happen(dee, *(sends(seat, Ready()) for seat in (ADA, BOB, DEE)), Tick(T0))
    room = apply(room, GameEnded(ADA, 1, T0 + 60_000, {ADA: WON}))
    again = {ADA: WON, BOB: WON.model_copy(update={"finished_ms": 90_000})}
    for event in (GameEnded(BOB, 1, T0 + 90_000, again), sends(BOB, Leave(), T0 + 90_000, again)):
        after = apply(room, event)
        assert after.state is RoomState.RUNNING
        assert round_of(after).t_end == T0 + 120_000


def test_only_a_win_of_a_racer_shortens_the_race() -> None:
    stuck = PlayerStats(score=12, finished_ms=60_000)
    for room, event in (
        (running(), GameEnded(ADA, 1, T0 + 60_000, {ADA: WON})),  # the setting is off
        (running(after_win_s=60), GameEnded(ADA, 1, T0 + 60_000, {ADA: stuck})),
        (running(after_win_s=60), sends(ADA, Forfeit(), T0 + 60_000)),
        (chased(after_win_s=60), GameEnded(CY, 1, T0 + 99_000, {CY: WON})),
        (running(after_win_s=600, time_limit_s=70), GameEnded(ADA, 1, T0 + 60_000, {ADA: WON})),
    ):
        after = apply(room, event)
        assert round_of(after).t_end == round_of(room).t_end


def test_a_win_that_only_the_store_has_shortens_the_race_from_when_it_is_known() -> None:
    """The winner's process has died: the others still get all of the time."""
    room = apply(running(after_win_s=60), Tick(T0 + 100_000, {ADA: WON}))
    assert round_of(room).t_end == T0 + 160_000


def test_winners_who_leave_do_not_forfeit() -> None:
    assert "Bob FINISHED" in states(apply(running(), sends(BOB, Leave(), T0 + 9, {BOB: WON})))


def test_players_who_leave_keep_a_win_that_only_the_store_has() -> None:
    for leaving in (
        sends(BOB, Leave(), T0 + 9, {BOB: WON}),
        sends(BOB, Forfeit(), T0 + 9, {BOB: WON}),
    ):
        room = apply(running(), leaving)
        assert round_of(room).results == {BOB: WON}


def test_players_who_leave_a_race_are_gone() -> None:
    bob = present(apply(running(), sends(BOB, Leave(), T0 + 9)).seat(BOB))
    assert (bob.connection, bob.left_at) == (Presence.GONE, T0 + 9)


def test_chasers_who_won_before_the_race_ended_are_finished() -> None:
    room = apply(chased(), Tick(T0 + 99_000, {ADA: WON, BOB: WON, CY: WON}))
    assert states(room) == "Ada FINISHED, Bob FINISHED, Cy FINISHED, Dee TIMED_OUT"


def test_the_end_of_a_game_that_the_store_has_lost_changes_nothing() -> None:
    room = running()
    assert apply(room, GameEnded(ADA, 1, T0 + 9, {ADA: PlayerStats(score=980)})) is room
    assert apply(room, GameEnded(ADA, 1, T0 + 9)) is room


# A race that somebody has won


def test_a_race_with_a_winner_is_not_aborted() -> None:
    room = apply(running(), GameEnded(BOB, 1, T0 + 60_000, {BOB: WON}))
    assert refused_code(room, sends(ADA, Abort())) is ErrorCode.ROUND_WON
    assert refused_code(room, sends(BOB, Abort())) is ErrorCode.NOT_HOST


def test_a_win_that_only_the_store_has_prevents_an_abort() -> None:
    """The process that stored the winning act may not have reported it yet."""
    assert refused_code(running(), sends(ADA, Abort(), stats={BOB: WON})) is ErrorCode.ROUND_WON


def test_the_win_of_a_player_who_left_prevents_an_abort() -> None:
    home = apply(running(), GameEnded(BOB, 1, T0 + 60_000, {BOB: WON}))
    for event in (sends(BOB, Leave(), T0 + 60_001), sends(ADA, Kick(seat=BOB), T0 + 60_001)):
        assert refused_code(apply(home, event), sends(ADA, Abort())) is ErrorCode.ROUND_WON


def test_a_new_host_cannot_abort_a_race_with_a_winner() -> None:
    room = happen(
        running(),
        GameEnded(ADA, 1, T0 + 60_000, {ADA: WON}),
        Disconnected(ADA, 1, T0 + 61_000),
        Tick(T0 + 61_000 + GRACE_MS),
    )
    assert room.host == BOB
    assert refused_code(room, sends(BOB, Abort())) is ErrorCode.ROUND_WON


def test_a_race_with_a_winner_can_be_ended_and_then_counts() -> None:
    room = happen(
        running(time_limit_s=None),
        GameEnded(BOB, 1, T0 + 60_000, {BOB: WON}),
        sends(ADA, End(grace_s=30), T0 + 61_000),
        Tick(T0 + 91_000),
    )
    assert room.state is RoomState.FINISHED
    assert [played.n for played in room.rounds] == [1]
    assert board(room).startswith("1 Bob 990")


def test_a_race_that_only_a_chaser_has_won_can_be_aborted() -> None:
    room = apply(chased(), GameEnded(CY, 1, T0 + 99_000, {CY: WON}))
    assert apply(room, sends(ADA, Abort())).state is RoomState.LOBBY
    assert apply(chased(), sends(ADA, Abort(), stats={DEE: WON})).state is RoomState.LOBBY


def test_a_race_without_a_winner_can_be_aborted_after_games_have_ended() -> None:
    stuck = PlayerStats(score=300, finished_ms=50_000)
    room = apply(running(), GameEnded(BOB, 1, T0 + 60_000, {BOB: stuck}))
    assert (
        apply(room, sends(ADA, Abort(), stats={ADA: PlayerStats(score=9)})).state
        is RoomState.LOBBY
    )
    room = apply(running(), sends(BOB, Forfeit(), T0 + 9))
    assert apply(room, sends(ADA, Abort())).state is RoomState.LOBBY


def test_a_dead_game_that_is_stopped_has_its_place_among_those_played_to_the_end() -> None:
    stats = {ADA: PlayerStats(score=40), BOB: PlayerStats(score=70)}
    room = apply(running(), sends(ADA, Forfeit(dead=True), T0 + 50_000, stats))
    assert states(room) == "Ada FINISHED, Bob RACING, Cy WATCHING"
    assert present(round_of(room).results[ADA]).finished_ms == 50_000
    room = apply(room, sends(BOB, Forfeit(), T0 + 60_000, stats))
    assert board(room) == "1 Ada 40, 2 Bob 70"


def given_up(room: Room, seat: int = BOB, now: int = T0 + 60_000) -> Room:
    """Return the room in which a player has given up a moment ago, and may take it back."""
    return apply(room, sends(seat, Forfeit(held=True), now, {seat: PlayerStats(score=7)}))


def test_a_held_forfeit_ends_the_game_five_seconds_later() -> None:
    room = given_up(running())
    assert states(room) == "Ada RACING, Bob RACING, Cy WATCHING"
    assert deadline(room) == T0 + 65_000
    assert apply(room, Tick(T0 + 64_999)) is room
    stats = {BOB: PlayerStats(score=7)}
    room = apply(room, Tick(T0 + 70_000, stats))
    assert states(room) == "Ada RACING, Bob FORFEIT, Cy WATCHING"
    assert round_of(room).results[BOB].finished_ms == 65_000
    assert deadline(room) == round_of(room).t_end
    assert apply(room, Tick(T0 + 70_000, stats)) is room
    assert present(room.seat(BOB)).forfeits_at is None


def test_a_held_forfeit_that_is_taken_back_never_was() -> None:
    began = running()
    room = apply(given_up(began), sends(BOB, Forfeit(taken_back=True), T0 + 64_999))
    assert room == began
    assert apply(room, Tick(T0 + 70_000)) is room


def test_a_race_ends_only_when_its_last_held_forfeit_is_final() -> None:
    room = given_up(apply(running(), sends(ADA, Forfeit(), T0 + 9)))
    assert room.state is RoomState.RUNNING
    room = apply(room, Tick(T0 + 65_001))
    assert room.state is RoomState.FINISHED
    assert round_of(room).ended == T0 + 65_000
    both = given_up(given_up(running(), BOB, T0 + 9_000), ADA, T0 + 8_000)
    both = apply(both, Tick(T0 + 99_000))  # a process has died, and its rooms are swept late
    assert (round_of(both).ended, both.state) == (T0 + 14_000, RoomState.FINISHED)


def test_a_held_forfeit_outlives_the_connection_and_is_repeated_in_vain() -> None:
    room = given_up(given_up(running()), BOB, T0 + 63_000)
    room = happen(room, Disconnected(BOB, 1, T0 + 61_000), Reconnected(BOB, 2))
    assert deadline(room) == T0 + 65_000
    room = apply(room, sends(BOB, Forfeit(), T0 + 64_000))  # without `held` it is final
    assert "Bob FORFEIT" in states(room)


@pytest.mark.parametrize(
    ("end", "state"),
    [
        (Tick(T0 + 62_000), "FORFEIT"),  # the limit of the race
        (sends(BOB, Leave(), T0 + 61_000), "FORFEIT"),
        (sends(ADA, Kick(seat=BOB), T0 + 61_000), "FORFEIT"),
        (GameEnded(BOB, 1, T0 + 61_000, {BOB: WON}), "FINISHED"),
        (sends(ADA, Abort(), T0 + 61_000), "SEATED"),
    ],
)
def test_what_ends_the_game_earlier_ends_a_held_forfeit_too(end: Event, state: str) -> None:
    room = given_up(running())
    if isinstance(end, Tick):
        room = apply(room, sends(ADA, End(grace_s=5), T0 + 57_000))
    room = apply(room, end)
    assert f"Bob {state}" in states(room)
    assert all(seat.forfeits_at is None for seat in room.seats)


def test_a_game_that_is_over_is_not_held() -> None:
    room = apply(running(), sends(BOB, Forfeit(held=True), T0 + 9, {BOB: WON}))
    assert "Bob FINISHED" in states(room)


def test_a_chaser_gives_up_by_a_clock_of_its_own() -> None:
    room = apply(given_up(chased(), CY, T0 + 75_000), Tick(T0 + 80_000))
    assert round_of(room).results[CY].finished_ms == 20_000


def test_practice_is_dealt_again_without_the_secret_of_its_cards() -> None:
    room = apply(open_room(CODE, "Ada", Settings(max_players=1)), sends(ADA, Start(), T0))
    other = replace(ENTROPY, seed=b"\1" * 16)
    again = replace(sends(ADA, Start(again=True), T0 + 10), entropy=other)
    restarted = happen(room, sends(ADA, Abort(), T0 + 9), again)
    assert restarted.state is RoomState.RUNNING
    assert round_of(restarted).deal == round_of(room).deal
    assert (round_of(restarted).n, round_of(restarted).t0) == (2, T0 + 10)
    assert restarted.aborted is None
    anew = happen(room, sends(ADA, Abort(), T0 + 9), replace(again, message=Start()))
    assert round_of(anew).deal != round_of(room).deal


def test_other_settings_or_other_players_get_other_cards() -> None:
    other = replace(ENTROPY, seed=b"\1" * 16)
    again = replace(sends(ADA, Start(again=True), T0 + 10), entropy=other)
    room = apply(open_room(CODE, "Ada", Settings(max_players=1)), sends(ADA, Start(), T0))
    change = sends(ADA, Configure(settings=Settings(max_players=1, game="spider-4")))
    changed = happen(room, sends(ADA, Abort(), T0 + 9), change, again)
    assert round_of(changed).deal != round_of(room).deal
    race = happen(running(), sends(ADA, Abort(), T0 + 9))
    assert race.aborted is None
