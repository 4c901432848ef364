"""Every event in every state of a room, and the corner cases of each transition."""

from typing import Any

import pytest

from protocol.from_client import (
    Abort,
    AddBot,
    AddStandIn,
    Admit,
    Chase,
    Choose,
    Configure,
    End,
    Forfeit,
    Kick,
    Leave,
    NextRound,
    Ready,
    Rematch,
    Start,
    TakeColour,
)
from protocol.settings import Settings
from protocol.vocabulary import MAX_SEATS, ErrorCode, RoomState, SeatState
from server.rooms import room as machine
from server.rooms.events import (
    Disconnected,
    Event,
    EventType,
    GameEnded,
    ProcessDied,
    Reconnected,
    SitDown,
    StandInWithdrawn,
    Tick,
    type_of,
)
from server.rooms.new_rooms import open_room
from server.rooms.race import round_of
from server.rooms.record import PlayerStats
from server.rooms.refusal import Refusal
from server.rooms.room import FINISHED_IDLE_MS, LOBBY_IDLE_MS, apply, deadline
from server.rooms.timings import GRACE_MS
from tests.present import present
from tests.rooms.rooms import (
    ADA,
    BOB,
    CODE,
    CY,
    ENTROPY,
    NOW,
    ROOMS,
    T0,
    closed,
    connections,
    counting_down,
    finished,
    happen,
    joins,
    lobby,
    practice,
    refused_code,
    running,
    sends,
    states,
)

LONG_AFTER = T0 * 2
BY_HOST: dict[EventType, Event] = {
    SitDown: joins("Dee"),
    Configure: sends(ADA, Configure(settings=Settings(chasers=True, locked=True, rounds=3))),
    Choose: sends(ADA, Choose(game=3)),
    Ready: sends(ADA, Ready()),
    TakeColour: sends(ADA, TakeColour(colour="gold")),
    Start: sends(ADA, Start(), LONG_AFTER),
    Abort: sends(ADA, Abort()),
    Chase: sends(CY, Chase(), T0 + 9),
    GameEnded: GameEnded(ADA, 1, T0 + 9, {ADA: PlayerStats(score=990, won=True, finished_ms=9)}),
    Forfeit: sends(ADA, Forfeit(), T0 + 9, {ADA: PlayerStats(score=7)}),
    Leave: sends(ADA, Leave(), T0 + 9),
    Kick: sends(ADA, Kick(seat=BOB), T0 + 9),
    AddBot: sends(ADA, AddBot(level="club")),
    AddStandIn: sends(ADA, AddStandIn(seat=BOB, level="club")),
    StandInWithdrawn: StandInWithdrawn(BOB, "hash of a token", T0 + 9),
    Admit: sends(ADA, Admit(seat=3)),
    End: sends(ADA, End(grace_s=60), T0 + 9),
    Rematch: sends(ADA, Rematch()),
    NextRound: sends(ADA, NextRound()),
    Reconnected: Reconnected(ADA, 2),
    Disconnected: Disconnected(ADA, 1, T0 + 9),
    ProcessDied: ProcessDied("", T0 + 9),
    Tick: Tick(T0),
}

# The state after each event in each state; `=` is no change at all, as for a command that is done,
# `-` is a refusal because the table has no entry.
TABLE = """
            LOBBY      COUNTDOWN  RUNNING    FINISHED   CLOSED
SitDown     LOBBY      COUNTDOWN  RUNNING    FINISHED   -
Configure   LOBBY      COUNTDOWN  RUNNING    FINISHED   -
Choose      LOBBY      -          -          FINISHED   -
Ready       LOBBY      =          =          -          -
TakeColour  LOBBY      -          -          FINISHED   -
Start       COUNTDOWN  =          =          COUNTDOWN  -
Abort       -          LOBBY      LOBBY      -          -
Chase       -          -          RUNNING    -          -
GameEnded   =          =          RUNNING    =          -
Forfeit     -          -          RUNNING    =          -
Leave       LOBBY      COUNTDOWN  RUNNING    FINISHED   -
Kick        LOBBY      COUNTDOWN  RUNNING    FINISHED   -
AddBot      LOBBY      -          -          FINISHED   -
AddStandIn  -          -          RUNNING    -          -
StandInWithdrawn =     =          =          =          -
Admit       LOBBY      COUNTDOWN  RUNNING    FINISHED   -
End         -          -          RUNNING    =          -
Rematch     -          =          =          FINISHED   -
NextRound   -          -          -          LOBBY      -
Reconnected LOBBY      COUNTDOWN  RUNNING    FINISHED   -
Disconnected LOBBY     COUNTDOWN  RUNNING    FINISHED   -
ProcessDied LOBBY      COUNTDOWN  RUNNING    FINISHED   -
Tick        =          RUNNING    =          =          =
"""
HEADER, *ROWS = TABLE.strip().splitlines()
CASES = [
    pytest.param(RoomState(state), name, after, id=f"{name} in {state}")
    for name, *row in (line.split() for line in ROWS)
    for state, after in zip(HEADER.split(), row, strict=True)
]


@pytest.mark.parametrize(("state", "name", "after"), CASES)
def test_every_event_in_every_state(state: RoomState, name: str, after: str) -> None:
    event = next(event for type_, event in BY_HOST.items() if type_.__name__ == name)
    room = ROOMS[state](chasers=True, rounds=3)
    if name == "Admit" and after != "-":
        approve = room.settings.model_copy(update={"approve": True})
        room = happen(room, sends(ADA, Configure(settings=approve)), joins("Dee"))
    if name == "AddStandIn" and after != "-":
        room = happen(room, Disconnected(BOB, 1, T0), Tick(T0 + GRACE_MS))
    if after == "-":
        assert refused_code(room, event) is ErrorCode.NOT_IN_STATE
    elif after == "=":
        assert apply(room, event) is room
    else:
        changed = apply(room, event)
        assert changed is not room
        assert changed.state.value == after


def test_the_table_names_every_event_and_state() -> None:
    assert {line.split()[0] for line in ROWS} == {type_.__name__ for type_ in BY_HOST}
    assert set(HEADER.split()) == {state.value for state in RoomState}
    assert all(type_of(event) is type_ for type_, event in BY_HOST.items())
    assert {type_ for _, type_ in machine.TRANSITIONS} == set(BY_HOST)


@pytest.mark.parametrize("message", [Configure(settings=Settings()), Start()])
def test_only_the_host_may_change_the_lobby(message: Configure | Start) -> None:
    for seat, code in ((BOB, ErrorCode.NOT_HOST), (99, ErrorCode.NO_SUCH_SEAT)):
        assert refused_code(lobby(), sends(seat, message)) is code


# Joining


def test_late_joiners_watch_until_the_next_round() -> None:
    for state in (RoomState.COUNTDOWN, RoomState.RUNNING, RoomState.FINISHED):
        room = apply(ROOMS[state](), joins("Dee"))
        assert room.seats[-1].state is SeatState.WATCHING
        assert room.seats[-1].role == "player"
    assert "Dee SEATED" in states(happen(finished(), joins("Dee"), sends(ADA, NextRound())))


def test_seats_of_the_same_name_are_numbered() -> None:
    room = happen(lobby(), joins("Ada"), joins("Ada"))
    assert [seat.name for seat in room.seats] == ["Ada", "Bob", "Cy", "Ada 2", "Ada 3"]


def test_seats_whose_names_differ_by_a_joiner_alone_are_numbered() -> None:
    """Fonts without a joined form show both alike."""
    plain, joined = "\u0915\u094d\u0937", "\u0915\u094d\u200c\u0937"
    room = happen(lobby(), joins(plain), joins(joined), joins(plain))
    assert [seat.name for seat in room.seats[3:]] == [plain, f"{joined} 2", f"{plain} 3"]


def test_a_full_room_refuses_newcomers() -> None:
    room = lobby()
    for number in range(MAX_SEATS - 3):
        room = apply(room, joins(f"Guest {number}", "spectator"))
    assert refused_code(room, joins("Dee")) is ErrorCode.ROOM_FULL


def test_gone_seats_give_way_in_a_full_room() -> None:
    """Regression: anybody with the link could fill a room with seats that never reconnect."""
    for began in (lobby(), running(), finished()):
        room = began
        for number in range(MAX_SEATS - 3):
            room = apply(room, joins(f"Guest {number}", "spectator"))
        for seat in room.seats:
            if seat.number not in {BOB, 50}:
                room = happen(room, Disconnected(seat.number, 1, NOW))
        room = apply(room, Tick(NOW + GRACE_MS, {}))
        room = apply(room, joins("Dee"))
        kept = [seat.number for seat in room.seats]
        played = () if began.round is None else began.round.names
        assert set(kept) == {*played, BOB, 50, room.host, room.numbers_given - 1}


# Settings and readiness


def test_new_settings_make_ready_players_confirm_again() -> None:
    room = happen(
        lobby(), sends(BOB, Ready()), sends(ADA, Configure(settings=Settings(game="spider-2")))
    )
    assert states(room) == "Ada SEATED, Bob SEATED, Cy WATCHING"
    assert room.settings.game == "spider-2"


@pytest.mark.parametrize(
    ("settings", "reason", "fields"),
    [
        ({"deal": "secret", "number": 24}, "number_of_numbered", ("deal", "number")),
        ({"deal": "seed"}, "seed_of_seeded", ("deal", "seed")),
        ({"deal": "secret", "seed": "00" * 16}, "seed_of_seeded", ("deal", "seed")),
        ({"score": "dos", "undo": "any"}, "dos_without_undo", ("undo", "score")),
        ({"score": "dos", "undo": "free"}, "dos_without_undo", ("undo", "score")),
        (
            {"score": "dos", "undo": "off", "auto_remove": True},
            "dos_by_hand",
            ("auto_remove", "score"),
        ),
        ({"game": "little-spider", "score": "woods"}, "score_not_of_game", ("score", "game")),
        (
            {"game": "spiderette-4", "score": "dos", "undo": "off"},
            "score_not_of_game",
            ("score", "game"),
        ),
        (
            {"game": "little-spider", "score": "cards", "exceptions": "easy"},
            "option_not_of_game",
            ("exceptions", "game"),
        ),
        ({"game": "spiderette-1", "layout": "spread"}, "option_not_of_game", ("layout", "game")),
    ],
)
def test_settings_that_exclude_each_other_are_refused_with_the_reason(
    settings: dict[str, Any], reason: str, fields: tuple[str, ...]
) -> None:
    bad = Settings(**settings)
    with pytest.raises(Refusal) as refused:
        apply(lobby(), sends(ADA, Configure(settings=bad)))
    assert refused.value.code is ErrorCode.BAD_SETTINGS
    assert refused.value.clash == (reason, fields)
    with pytest.raises(Refusal):
        open_room(CODE, "Ada", bad)


def test_the_race_starts_automatically_when_all_players_are_ready() -> None:
    room = apply(lobby(), sends(BOB, Ready()))
    assert room.state is RoomState.LOBBY
    room = apply(room, sends(ADA, Ready()))
    assert room.state is RoomState.COUNTDOWN
    assert (round_of(room).n, round_of(room).t0) == (1, T0)


def test_a_single_ready_player_starts_no_countdown() -> None:
    alone = open_room(CODE, "Ada", Settings())
    assert apply(alone, sends(ADA, Ready())).state is RoomState.LOBBY


def test_gone_players_do_not_hold_up_the_countdown() -> None:
    room = happen(
        lobby(),
        joins("Dee"),
        Disconnected(3, 1, NOW),
        Tick(NOW + GRACE_MS),
        sends(BOB, Ready()),
        sends(ADA, Ready()),
    )
    assert room.state is RoomState.COUNTDOWN


def test_a_second_ready_changes_nothing_and_ready_can_be_cancelled() -> None:
    room = apply(lobby(), sends(BOB, Ready()))
    assert apply(room, sends(BOB, Ready())) is room
    assert states(apply(room, sends(BOB, Ready(ready=False)))).startswith("Ada SEATED, Bob SEATED")


def test_a_spectator_who_is_ready_becomes_a_player() -> None:
    room = apply(lobby(), sends(CY, Ready()))
    assert states(room) == "Ada SEATED, Bob SEATED, Cy READY"
    cy = present(room.seat(CY))
    assert cy.role == "player"
    assert refused_code(lobby(), sends(CY, Ready(ready=False))) is ErrorCode.NOT_A_PLAYER


# The countdown and the start


def test_players_who_are_not_ready_watch() -> None:
    room = apply(lobby(), sends(ADA, Start()))
    assert states(room) == "Ada READY, Bob SEATED, Cy WATCHING"
    assert states(apply(room, Tick(T0))) == "Ada RACING, Bob WATCHING, Cy WATCHING"


def test_a_spectating_host_needs_a_ready_player() -> None:
    room = happen(lobby(), sends(ADA, Leave()), sends(BOB, Leave()))
    assert room.host == CY
    assert refused_code(room, sends(CY, Start())) is ErrorCode.NOBODY_READY


def test_before_t0_time_changes_nothing() -> None:
    room = counting_down()
    assert apply(room, Tick(T0 - 1)) is room


def test_a_repeated_tick_starts_the_race_once() -> None:
    room = running()
    assert states(room) == "Ada RACING, Bob RACING, Cy WATCHING"
    assert apply(room, Tick(T0)) is room


def test_a_countdown_that_everybody_leaves_ends_in_the_lobby() -> None:
    room = happen(counting_down(), sends(ADA, Leave()))
    assert (room.state, room.host) == (RoomState.COUNTDOWN, BOB)
    room = happen(room, sends(BOB, Leave()))
    assert (room.state, room.round, room.host) == (RoomState.LOBBY, None, CY)


def test_a_lobby_that_was_left_in_the_countdown_closes_in_time() -> None:
    room = happen(
        counting_down(), sends(CY, Leave()), sends(BOB, Leave()), sends(ADA, Leave(), NOW + 9)
    )
    assert (room.state, room.idle_since) == (RoomState.LOBBY, NOW + 9)


def test_the_next_round_ends_the_idle_time() -> None:
    assert finished().idle_since is not None
    assert apply(finished(), sends(ADA, NextRound())).idle_since is None


def test_an_aborted_round_does_not_count_but_its_number_is_used() -> None:
    room = apply(running(), sends(ADA, Abort()))
    assert states(room) == "Ada SEATED, Bob SEATED, Cy WATCHING"
    again = apply(room, sends(ADA, Start()))
    assert (round_of(again).n, again.rounds) == (2, ())
    assert refused_code(running(), sends(BOB, Abort())) is ErrorCode.NOT_HOST


def test_a_secret_deal_has_seed_and_salt_and_an_open_one_its_number() -> None:
    secret = round_of(counting_down())
    assert (secret.deal.seed, secret.deal.number) == (ENTROPY.seed.hex(), None)
    numbered = round_of(counting_down(deal="numbered", number=24))
    assert (numbered.deal.seed, numbered.deal.number) == (None, 24)
    drawn = round_of(counting_down(deal="numbered"))
    assert drawn.deal.number == int.from_bytes(ENTROPY.seed, "big") % 10**9 + 1
    seeded = round_of(counting_down(deal="seed", seed="ab" * 16))
    assert (seeded.deal.seed, seeded.deal.salt) == ("ab" * 16, None)


# The race and its end


def test_the_round_is_over_with_its_last_racer() -> None:
    won = PlayerStats(score=990, won=True, finished_ms=60_000)
    room = apply(running(), GameEnded(ADA, 1, T0 + 60_000, {ADA: won}))
    assert states(room) == "Ada FINISHED, Bob RACING, Cy WATCHING"
    room = apply(room, sends(BOB, Forfeit(), T0 + 70_000, {BOB: PlayerStats(score=12)}))
    assert room.state is RoomState.FINISHED
    assert room.rounds == (round_of(room),)
    assert round_of(room).ended == T0 + 70_000
    assert round_of(room).results == {ADA: won, BOB: PlayerStats(score=12, finished_ms=70_000)}


def test_the_end_of_a_game_counts_once_and_only_in_its_round() -> None:
    done = GameEnded(ADA, 1, T0 + 9, {ADA: PlayerStats(finished_ms=9)})
    room = apply(running(), done)
    assert apply(room, done) is room
    other = running()
    assert apply(other, GameEnded(ADA, 7, T0 + 9, {ADA: PlayerStats(finished_ms=9)})) is other


def test_only_a_racer_can_forfeit() -> None:
    assert refused_code(running(), sends(CY, Forfeit(), T0)) is ErrorCode.NOT_RACING


def test_the_time_limit_ends_the_race_with_the_stats_so_far() -> None:
    room = finished(time_limit_s=600)
    assert room.state is RoomState.FINISHED
    assert states(room) == "Ada TIMED_OUT, Bob TIMED_OUT, Cy WATCHING"
    assert round_of(room).ended == T0 + 600_000
    assert round_of(room).results == {ADA: PlayerStats(score=52), BOB: PlayerStats(score=40)}


def test_a_game_that_ended_in_time_is_finished_without_a_report() -> None:
    """Regression: the process that stored the winning act was killed before its report."""
    won = PlayerStats(score=104, won=True, finished_ms=599_999)
    room = apply(
        running(time_limit_s=600), Tick(T0 + 600_000, {ADA: won, BOB: PlayerStats(score=3)})
    )
    assert states(room) == "Ada FINISHED, Bob TIMED_OUT, Cy WATCHING"
    assert round_of(room).results == {ADA: won, BOB: PlayerStats(score=3)}


def test_a_race_without_a_limit_ends_without_a_report_of_its_last_racer() -> None:
    done = {seat: PlayerStats(finished_ms=9 + seat) for seat in (ADA, BOB)}
    room = apply(running(time_limit_s=None), Tick(T0 + 60_000, done))
    assert room.state is RoomState.FINISHED
    assert round_of(room).ended == T0 + 60_000


def test_missing_stats_are_those_of_a_new_deal() -> None:
    room = apply(running(time_limit_s=600), Tick(T0 + 600_000))
    assert round_of(room).results[ADA].face_down == 44


def test_without_a_limit_the_race_goes_on() -> None:
    room = running(time_limit_s=None)
    assert apply(room, Tick(T0 * 2)) is room


def test_players_who_leave_a_race_forfeit_and_stay_in_the_standings() -> None:
    room = apply(running(), sends(ADA, Leave(), T0 + 9_000, {ADA: PlayerStats(score=5)}))
    assert states(room) == "Ada FORFEIT, Bob RACING, Cy WATCHING"
    assert connections(room) == "Ada gone, Bob on, Cy on"
    assert room.host == BOB
    done = apply(running(), GameEnded(ADA, 1, T0 + 9, {ADA: PlayerStats(finished_ms=9)}))
    assert "Ada FINISHED" in states(apply(done, sends(ADA, Leave(), T0 + 10)))
    assert states(apply(running(), sends(CY, Leave(), T0))) == "Ada RACING, Bob RACING"


def test_the_next_round_is_without_players_who_left() -> None:
    room = happen(running(), sends(BOB, Leave(), T0 + 9), sends(ADA, Forfeit(), T0 + 10))
    assert refused_code(room, sends(CY, NextRound())) is ErrorCode.NOT_HOST
    room = apply(room, sends(ADA, NextRound()))
    assert states(room) == "Ada SEATED, Cy WATCHING"
    assert room.round is None
    assert len(room.rounds) == 1


# Commands of the host


def test_kicked_players_lose_the_seat_or_in_a_race_forfeit() -> None:
    assert states(apply(lobby(), sends(ADA, Kick(seat=BOB)))) == "Ada SEATED, Cy WATCHING"
    room = apply(running(), sends(ADA, Kick(seat=BOB), T0 + 9, {BOB: PlayerStats(score=9)}))
    assert states(room) == "Ada RACING, Bob FORFEIT, Cy WATCHING"
    bob = present(room.seat(BOB))
    assert bob.was_kicked
    assert round_of(room).results[BOB].score == 9


def test_only_the_host_kicks_and_only_other_seats() -> None:
    assert refused_code(lobby(), sends(BOB, Kick(seat=ADA))) is ErrorCode.NOT_HOST
    assert refused_code(lobby(), sends(ADA, Kick(seat=ADA))) is ErrorCode.NO_SUCH_SEAT
    assert refused_code(lobby(), sends(ADA, Kick(seat=99))) is ErrorCode.NO_SUCH_SEAT


def test_the_grace_of_the_host_limits_the_race() -> None:
    for limit in (600, None):
        room = apply(running(time_limit_s=limit), sends(ADA, End(grace_s=60), T0 + 1_000))
        assert deadline(room) == T0 + 61_000
    assert refused_code(running(), sends(BOB, End(grace_s=60), T0)) is ErrorCode.NOT_HOST
    soon = running(time_limit_s=30)
    assert apply(soon, sends(ADA, End(grace_s=60), T0 + 1_000)) is soon


# Connections and hosts


def test_a_lost_connection_is_never_a_forfeit() -> None:
    room = happen(running(), Disconnected(BOB, 1, T0 + 9), Tick(T0 + 9 + GRACE_MS))
    assert connections(room) == "Ada on, Bob gone, Cy on"
    assert states(room) == "Ada RACING, Bob RACING, Cy WATCHING"
    assert connections(apply(room, Reconnected(BOB, 2))) == "Ada on, Bob on, Cy on"


def test_the_end_of_an_older_connection_changes_nothing() -> None:
    room = apply(lobby(), Reconnected(BOB, 2))
    assert apply(room, Disconnected(BOB, 1, NOW)) is room
    dropped = apply(room, Disconnected(BOB, 2, NOW))
    assert apply(dropped, Disconnected(BOB, 2, NOW + 9)) is dropped


def test_seats_of_a_dead_process_are_disconnected() -> None:
    room = happen(lobby(), Reconnected(BOB, 2, "east"), Reconnected(CY, 2, "west"))
    room = apply(room, ProcessDied("east", NOW))
    assert connections(room) == "Ada on, Bob grace, Cy on"
    assert apply(room, ProcessDied("east", NOW)) is room


def test_a_reconnected_seat_has_its_process_and_tab() -> None:
    room = happen(lobby(), Disconnected(BOB, 1, NOW), Reconnected(BOB, 2, "east", "tab-7"))
    bob = present(room.seat(BOB))
    assert (bob.generation, bob.process, bob.tab, bob.left_at) == (2, "east", "tab-7", None)


def test_a_second_reconnect_of_the_same_connection_changes_nothing() -> None:
    room = lobby()
    assert apply(room, Reconnected(BOB, 1)) is room


def test_the_host_is_the_earliest_connected_player() -> None:
    dropped = apply(running(), Disconnected(ADA, 1, T0))
    assert apply(dropped, Tick(T0 + GRACE_MS - 1)) is dropped
    assert dropped.host == ADA
    gone = apply(dropped, Tick(T0 + GRACE_MS))
    assert gone.host == BOB
    assert apply(gone, Reconnected(CY, 2)).host == BOB


def test_the_person_who_opens_a_room_is_its_host() -> None:
    assert open_room(CODE, "Ada", Settings()).host == ADA


def test_a_player_is_host_before_a_spectator_who_came_earlier() -> None:
    room = happen(lobby(), joins("Dee"), sends(BOB, Leave()), sends(ADA, Leave()))
    assert room.host == 3
    assert apply(room, sends(3, Leave())).host == CY


def test_seats_disconnected_before_the_countdown_are_gone_at_its_end() -> None:
    room = happen(lobby(), Disconnected(BOB, 1, T0 - GRACE_MS), sends(ADA, Start()), Tick(T0))
    assert (room.state, connections(room)) == (RoomState.RUNNING, "Ada on, Bob gone, Cy on")


def test_the_first_person_to_join_an_empty_room_is_its_host() -> None:
    empty = happen(lobby(), *(sends(seat, Leave()) for seat in (BOB, CY, ADA)))
    assert (empty.seats, empty.host, empty.idle_since) == ((), None, NOW)
    back = apply(empty, joins("Dee"))
    assert (back.host, back.idle_since) == (3, None)


def test_the_first_person_to_reconnect_to_a_deserted_lobby_is_its_host() -> None:
    away = happen(
        lobby(), *(Disconnected(seat, 1, NOW) for seat in (ADA, BOB, CY)), Tick(NOW + GRACE_MS)
    )
    assert (away.host, away.idle_since) == (ADA, NOW + GRACE_MS)
    back = apply(away, Reconnected(CY, 2))
    assert (back.host, back.idle_since) == (CY, None)


# Time


def test_a_lobby_closes_half_an_hour_after_the_last_one_left() -> None:
    empty = happen(lobby(), *(sends(seat, Leave()) for seat in (ADA, BOB, CY)))
    assert deadline(empty) == NOW + LOBBY_IDLE_MS
    assert apply(empty, Tick(NOW + LOBBY_IDLE_MS - 1)) is empty
    shut = apply(empty, Tick(NOW + LOBBY_IDLE_MS))
    assert (shut.state, shut.reason) == (RoomState.CLOSED, "idle")


def test_a_finished_room_closes_after_a_day() -> None:
    room = finished()
    assert room.idle_since is not None
    over = room.idle_since
    assert deadline(room) == over + FINISHED_IDLE_MS
    # A person is still in the room, so its next deadline is a day later.
    still = apply(room, Tick(over + FINISHED_IDLE_MS))
    assert deadline(still) == over + 2 * FINISHED_IDLE_MS
    gone = happen(room, *(Disconnected(seat, 1, over) for seat in (ADA, BOB, CY)))
    gone = happen(gone, Tick(over + GRACE_MS))
    assert deadline(gone) == over + GRACE_MS + FINISHED_IDLE_MS
    assert apply(gone, Tick(over + GRACE_MS + FINISHED_IDLE_MS)).state is RoomState.CLOSED
    assert deadline(closed()) is None


def test_deadlines_name_what_comes_next() -> None:
    assert deadline(lobby()) is None
    assert deadline(counting_down()) == T0
    assert deadline(running(time_limit_s=600)) == T0 + 600_000
    assert deadline(running(time_limit_s=None)) is None
    assert deadline(apply(practice(), Disconnected(BOB, 1, T0))) == T0 + GRACE_MS
