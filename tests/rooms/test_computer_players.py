"""Computer players: `Ada` (host, 0), `Bob` (1), `Cy` (2) watches, and bots from seat 3 on."""

from typing import Any

import pytest

from protocol.from_client import (
    AddBot,
    Configure,
    Forfeit,
    Kick,
    Leave,
    NextRound,
    Ready,
    Rematch,
    Start,
)
from protocol.settings import Settings
from protocol.vocabulary import MAX_BOTS, ErrorCode, Presence, RoomState
from server.rooms.computer_players import (
    FIRST_GENERATION,
    LEAVES_AFTER_MS,
    attempts_of_bots,
    bot_of,
)
from server.rooms.events import Disconnected, GameEnded, Reconnected, Tick
from server.rooms.new_rooms import open_room
from server.rooms.race import DESERTED_MS, round_of
from server.rooms.record import PlayerStats, Room
from server.rooms.room import FINISHED_IDLE_MS, LOBBY_IDLE_MS, apply, deadline
from server.rooms.seats import BOT_GRACE_MS
from server.rooms.timings import COUNTDOWN_MS, GRACE_MS
from tests.rooms.rooms import (
    ADA,
    BOB,
    CODE,
    CY,
    NOW,
    T0,
    connections,
    finished,
    happen,
    joins,
    leaderboard,
    lobby,
    refused_code,
    running,
    sends,
    states,
)

BOT = 1  # beside Ada alone
ADD = AddBot(level="club", attempt="first-press-of-add-it")
WON = PlayerStats(won=True, finished_ms=60_000, score=990)


def alone(**settings: Any) -> Room:
    """Return the lobby of Ada and a bot (1), which is connected."""
    room = happen(open_room(CODE, "Ada", Settings(**settings)), sends(ADA, ADD))
    return apply(room, Reconnected(BOT, 2, process="b", networks=("n",)))


def racing(**settings: Any) -> Room:
    return happen(alone(**settings), sends(ADA, Ready()), Tick(T0))


def raced(**stats: PlayerStats) -> Room:
    """Return the finished race of Ada and a bot, each with these stats."""
    room = racing()
    all_stats = {ADA: stats.get("ada", PlayerStats()), BOT: stats.get("bot", PlayerStats())}
    return apply(room, Tick(round_of(room).t_end or 0, all_stats))


def test_a_bot_is_ready_and_marked_and_its_connection_comes_in_a_moment() -> None:
    room = happen(open_room(CODE, "Ada", Settings()), sends(ADA, ADD))
    bot = room.seats[BOT]
    assert states(room) == "Ada SEATED, Bot Webster READY"
    assert connections(room) == "Ada on, Bot Webster grace"
    assert (bot.kind, bot.level, bot.generation) == ("program", "club", FIRST_GENERATION)
    assert bot.identity == ((), "")


def test_a_repeated_command_adds_one_bot_and_another_press_another_one() -> None:
    room = lobby()
    once = apply(room, sends(ADA, ADD))
    assert apply(once, sends(ADA, ADD, NOW + 9_000)) is once
    twice = happen(once, sends(ADA, AddBot(level="club", attempt="second-press-of-add-it")))
    assert [seat.name for seat in twice.seats[3:]] == ["Bot Webster", "Bot Juno"]
    assert attempts_of_bots(twice) == {ADD.attempt: "club", "second-press-of-add-it": "club"}


def test_a_command_that_is_repeated_after_the_start_is_answered_with_the_room() -> None:
    room = racing()
    assert apply(room, sends(ADA, ADD)) is room
    assert refused_code(room, sends(ADA, AddBot(level="club"))) is ErrorCode.NOT_IN_STATE


def test_commands_without_an_attempt_add_one_bot_each() -> None:
    room = happen(lobby(), *[sends(ADA, AddBot(level="expert"))] * 2)
    assert [seat.name for seat in room.seats[3:]] == ["Bot Arachne", "Bot Orb"]
    assert bot_of(room, "") is None
    assert attempts_of_bots(room) == {}


def test_names_are_unique_in_the_room() -> None:
    room = happen(lobby(), joins("Bot Pip"), *[sends(ADA, AddBot(level="beginner"))] * 7)
    names = [seat.name for seat in room.seats]
    assert len(set(names)) == len(names)
    assert names[-2:] == ["Bot Pip 2", "Bot Pip 3"]


def test_only_the_host_adds_bots() -> None:
    assert refused_code(lobby(), sends(BOB, ADD)) is ErrorCode.NOT_HOST


def test_a_room_has_a_few_bots_and_as_many_players_as_it_allows() -> None:
    full = happen(lobby(), *[sends(ADA, AddBot(level="beginner"))] * MAX_BOTS)
    assert refused_code(full, sends(ADA, ADD)) is ErrorCode.TOO_MANY_BOTS
    assert refused_code(lobby(max_players=2), sends(ADA, ADD)) is ErrorCode.ROOM_FULL


def test_a_room_that_admits_no_programs_has_the_bots_of_its_host() -> None:
    assert apply(lobby(programs=False), sends(ADA, ADD)).seats[3].is_bot


def test_a_host_and_a_bot_are_two_players() -> None:
    room = apply(alone(), sends(ADA, Ready()))
    assert (room.state, states(room)) == (RoomState.COUNTDOWN, "Ada READY, Bot Webster READY")
    racing = apply(room, Tick(T0))
    assert round_of(racing).programs == (BOT,)
    assert states(racing) == "Ada RACING, Bot Webster RACING"


def test_bots_wait_for_the_people() -> None:
    room = happen(lobby(), sends(ADA, ADD), sends(BOB, Ready()))
    assert room.state is RoomState.LOBBY
    assert apply(room, sends(ADA, Ready())).state is RoomState.COUNTDOWN


def test_bots_stay_ready_under_other_settings() -> None:
    room = apply(alone(), sends(ADA, Configure(settings=Settings(game="spider-4"))))
    assert states(room) == "Ada SEATED, Bot Webster READY"


def test_bots_alone_do_not_race() -> None:
    watching = happen(lobby(), sends(ADA, ADD), sends(BOB, Leave()))
    host = watching.seats[0].model_copy(update={"role": "spectator"})
    watching = watching.model_copy(update={"seats": (host, *watching.seats[1:])})
    assert refused_code(watching, sends(ADA, Start())) is ErrorCode.NOBODY_READY
    counting = happen(alone(), joins("Bob"), sends(ADA, Ready()), sends(2, Ready()))
    left = happen(counting, sends(2, Leave()), sends(ADA, Leave()))
    assert (left.state, left.host) == (RoomState.LOBBY, None)
    over = happen(finished(), sends(ADA, ADD), sends(BOB, Leave()), sends(CY, Leave()))
    assert apply(over, sends(ADA, Leave())).state is RoomState.FINISHED


def test_a_bot_takes_every_rematch() -> None:
    over = raced()
    assert states(over) == "Ada TIMED_OUT, Bot Webster READY"
    again = apply(over, sends(ADA, Rematch(), T0 + 1))
    assert (again.state, states(again)) == (
        RoomState.COUNTDOWN,
        "Ada READY, Bot Webster READY",
    )
    assert states(apply(over, sends(ADA, NextRound()))) == "Ada SEATED, Bot Webster READY"


def test_a_bot_may_be_added_between_two_races() -> None:
    room = happen(finished(), sends(ADA, ADD), sends(BOB, Leave()))
    again = apply(room, sends(ADA, Rematch(), T0 + 1))
    assert states(again) == "Ada READY, Cy WATCHING, Bot Webster READY"


@pytest.mark.parametrize(
    ("ada", "bot", "place"), [(WON, PlayerStats(), 1), (PlayerStats(score=1), WON, 2)]
)
def test_a_race_against_bots_is_ranked_and_counts_in_no_tally(
    ada: PlayerStats, bot: PlayerStats, place: int
) -> None:
    room = raced(ada=ada, bot=bot)
    assert [row.place for row in leaderboard(room, {}) if row.seat == ADA] == [place]
    assert [seat.wins for seat in room.seats] == [0, 0]


def test_a_bot_stops_and_keeps_its_place_where_a_person_gives_up() -> None:
    """Regression: an idle person was first and had won, above a bot that gave up with a score."""
    stats = {ADA: PlayerStats(), BOT: PlayerStats(score=301, moves=90, gained_ms=60_000)}
    room = apply(racing(), sends(BOT, Forfeit(), T0 + 90_000, stats))
    assert states(room) == "Ada RACING, Bot Webster FINISHED"
    assert round_of(room).results[BOT].finished_ms == 90_000
    ended = apply(room, Tick(round_of(room).t_end or 0, stats))
    assert [row.seat for row in leaderboard(ended, {})] == [BOT, ADA]
    given_up = apply(racing(), sends(ADA, Forfeit(), T0 + 90_000, stats))
    assert states(given_up) == "Ada FORFEIT, Bot Webster RACING"


def test_a_win_of_a_person_over_a_person_counts_with_bots_in_the_race() -> None:
    room = happen(lobby(), sends(ADA, ADD), sends(ADA, Ready()), sends(BOB, Ready()), Tick(T0))
    t_end = round_of(room).t_end or 0
    over = apply(room, Tick(t_end, {ADA: WON, BOB: PlayerStats(), 3: PlayerStats()}))
    assert [seat.wins for seat in over.seats] == [1, 0, 0, 0]
    over = apply(room, Tick(t_end, {ADA: PlayerStats(), BOB: PlayerStats(), 3: WON}))
    assert [seat.wins for seat in over.seats] == [0, 0, 0, 0]


GONE = NOW + GRACE_MS
"""When Ada is gone in a lobby that she has lost at once."""


def deserted(**settings: Any) -> Room:
    """Return the lobby of a bot, which Ada has not left, but is gone from."""
    return happen(alone(**settings), Disconnected(ADA, 1, NOW), Tick(GONE))


def test_a_bot_is_no_host_and_keeps_no_room_open() -> None:
    room = deserted()
    assert room.host == ADA
    assert room.idle_since == GONE
    left = apply(room, Tick(GONE + LEAVES_AFTER_MS))
    assert deadline(left) == GONE + LOBBY_IDLE_MS
    assert apply(left, Tick(GONE + LOBBY_IDLE_MS)).state is RoomState.CLOSED


def test_a_bot_leaves_a_lobby_that_no_person_attends() -> None:
    """Regression: it kept its place until the room closed, half an hour later."""
    room = deserted()
    assert deadline(room) == GONE + LEAVES_AFTER_MS
    assert apply(room, Tick(GONE + LEAVES_AFTER_MS - 1)) is room
    left = apply(room, Tick(GONE + LEAVES_AFTER_MS))
    assert states(left) == "Ada SEATED"
    back = happen(left, Reconnected(ADA, 2), sends(ADA, ADD, GONE + LEAVES_AFTER_MS + 1))
    assert states(back) == "Ada SEATED, Bot Webster READY"
    assert back.host == ADA


def test_a_person_who_returns_in_time_finds_the_bot() -> None:
    back = apply(deserted(), Reconnected(ADA, 2))
    assert apply(back, Tick(GONE + LEAVES_AFTER_MS)) is back
    again = happen(back, Disconnected(ADA, 2, T0), Tick(T0 + GRACE_MS))
    assert deadline(again) == T0 + GRACE_MS + LEAVES_AFTER_MS


def test_a_spectator_keeps_the_bots() -> None:
    room = happen(alone(), joins("Cy", "spectator"), sends(ADA, Leave()))
    assert states(room) == "Bot Webster READY, Cy WATCHING"
    assert deadline(room) is None


def test_bots_leave_at_once_when_the_last_person_leaves_for_good() -> None:
    """Regression: ten hosts who had added an Expert each and left kept all places of Experts."""
    left = apply(alone(), sends(ADA, Leave()))
    assert (left.seats, left.host) == ((), None)
    assert apply(left, joins("Bob")).host == 2
    counting = happen(alone(), joins("Bob"), sends(ADA, Ready()), sends(2, Ready()))
    left = happen(counting, sends(2, Leave()), sends(ADA, Leave()))
    assert (left.state, left.seats) == (RoomState.LOBBY, ())
    assert apply(raced(), sends(ADA, Leave(), T0 * 2)).seats == ()


def test_a_bot_leaves_a_finished_room_that_no_person_attends() -> None:
    room = happen(raced(), Disconnected(ADA, 1, T0 * 2), Tick(T0 * 2 + GRACE_MS))
    due = T0 * 2 + GRACE_MS + LEAVES_AFTER_MS
    assert deadline(room) == due
    left = apply(room, Tick(due))
    assert states(left) == "Ada TIMED_OUT"
    assert left.rounds == room.rounds
    assert deadline(left) == T0 * 2 + GRACE_MS + FINISHED_IDLE_MS
    back = happen(left, Reconnected(ADA, 2), sends(ADA, ADD, due), sends(ADA, Rematch(), due))
    assert back.state is RoomState.COUNTDOWN


def test_bots_play_a_deserted_race_to_its_end_and_wait_for_nobody() -> None:
    """Regression: a bot held its place for twelve hours in a race that everybody had lost."""
    room = racing(time_limit_s=None)
    room = happen(room, Disconnected(ADA, 1, T0), Tick(T0 + GRACE_MS))
    gone = T0 + GRACE_MS
    assert deadline(room) == gone + DESERTED_MS
    assert apply(room, Tick(gone + LEAVES_AFTER_MS)) is room
    stuck = {BOT: PlayerStats(finished_ms=90_000, score=400)}
    early = apply(room, GameEnded(BOT, 1, gone + 1, stuck))
    assert deadline(early) == gone + LEAVES_AFTER_MS
    for over in (
        apply(early, Tick(gone + LEAVES_AFTER_MS)),
        apply(room, GameEnded(BOT, 1, gone + LEAVES_AFTER_MS, stuck)),
    ):
        assert connections(over) == "Ada gone, Bot Webster gone"
        assert (over.seats[BOT].was_kicked, attempts_of_bots(over)) == (True, {})
        assert round_of(over).results[BOT].score == 400
        assert deadline(over) == gone + DESERTED_MS
        back = happen(over, Reconnected(ADA, 2), sends(ADA, Forfeit(), gone * 2))
        assert states(back) == "Ada FORFEIT, Bot Webster READY"
        alone_again = apply(back, sends(ADA, Rematch(), gone * 2))
        assert (alone_again.state, states(alone_again)) == (RoomState.COUNTDOWN, "Ada READY")


def test_bots_end_the_race_of_a_person_who_has_left_and_are_gone_then() -> None:
    room = apply(racing(), sends(ADA, Leave(), T0))
    assert states(room) == "Ada FORFEIT, Bot Webster RACING"
    over = apply(room, GameEnded(BOT, 1, T0 + 1, {BOT: PlayerStats(finished_ms=1)}))
    assert (over.state, states(over)) == (RoomState.FINISHED, "Ada FORFEIT")


def test_a_finished_room_of_bots_closes() -> None:
    room = happen(raced(), sends(ADA, Leave(), T0 * 2))
    since = room.idle_since
    assert since is not None
    assert apply(room, Tick(since + FINISHED_IDLE_MS)).state is RoomState.CLOSED


def test_a_room_without_people_admits_a_newcomer_and_has_no_queue() -> None:
    room = happen(alone(approve=True), joins("Bob"))
    assert [seat.name for seat in room.waiting] == ["Bob"]
    left = apply(room, sends(ADA, Leave()))
    assert left.waiting == ()
    assert apply(left, joins("Cy")).host == 3


def test_the_host_removes_a_bot() -> None:
    assert states(apply(alone(), sends(ADA, Kick(seat=BOT)))) == "Ada SEATED"
    room = apply(racing(), sends(ADA, Kick(seat=BOT, ban=True), T0))
    assert states(room) == "Ada RACING, Bot Webster FORFEIT"
    assert room.bans == ()


def test_a_bot_is_no_person_of_the_network_that_plays_it() -> None:
    assert alone(one_seat=True).seats[BOT].networks == ()


def test_a_bot_that_no_process_takes_loses_its_seat() -> None:
    room = happen(open_room(CODE, "Ada", Settings()), sends(ADA, ADD))
    assert deadline(room) == NOW + BOT_GRACE_MS
    assert apply(room, Tick(NOW + GRACE_MS)) is room
    assert states(apply(room, Tick(NOW + BOT_GRACE_MS))) == "Ada SEATED"


def test_a_bot_that_is_lost_in_a_race_may_come_back_until_the_next_one() -> None:
    room = happen(racing(), Disconnected(BOT, 2, T0), Tick(T0 + BOT_GRACE_MS))
    assert connections(room) == "Ada on, Bot Webster gone"
    back = apply(room, Reconnected(BOT, 3))
    assert back.seats[BOT].connection is Presence.ON
    over = apply(room, Tick(round_of(room).t_end or 0))
    assert states(over) == "Ada TIMED_OUT, Bot Webster READY"
    again = happen(over, joins("Bob"), sends(2, Rematch()), sends(ADA, Rematch()))
    assert states(again) == "Ada READY, Bob READY"


def test_a_bot_that_nobody_plays_does_not_keep_a_race_without_a_limit_open() -> None:
    """Regression: the race of a bot whose job was lost never ended."""
    room = happen(open_room(CODE, "Ada", Settings(time_limit_s=None)), sends(ADA, ADD))
    room = happen(room, sends(ADA, Ready()), Tick(T0), sends(ADA, Forfeit(), T0))
    gone = NOW + BOT_GRACE_MS
    assert (states(room), deadline(room)) == ("Ada FORFEIT, Bot Webster RACING", gone)
    assert apply(room, Tick(gone - 1)) is room
    over = apply(room, Tick(gone))
    assert (over.state, states(over)) == (RoomState.FINISHED, "Ada FORFEIT, Bot Webster READY")


def test_a_bot_that_is_lost_in_a_race_keeps_the_score_that_it_has() -> None:
    room = happen(racing(time_limit_s=None), Disconnected(BOT, 2, T0))
    room = apply(room, Tick(T0 + BOT_GRACE_MS, {BOT: PlayerStats(score=610)}))
    assert states(room) == "Ada RACING, Bot Webster TIMED_OUT"
    assert round_of(room).results[BOT].score == 610


def test_a_bot_that_is_lost_between_two_races_holds_up_nobody() -> None:
    over = happen(raced(), joins("Bob"), sends(2, Rematch()))
    lost = apply(over, Disconnected(BOT, 2, T0))
    ready = happen(lost, Tick(T0 + BOT_GRACE_MS, entropy=sends(ADA, Ready()).entropy))
    assert states(ready) == "Ada TIMED_OUT, Bob READY"


def test_a_race_of_people_and_bots_waits_for_its_countdown() -> None:
    room = apply(alone(), sends(ADA, Ready(), NOW))
    assert round_of(room).t0 == NOW + COUNTDOWN_MS


def test_a_race_without_bots_is_as_before() -> None:
    assert attempts_of_bots(running()) == {}
