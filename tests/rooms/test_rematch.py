"""The next race of a finished room: all players ask for it, and it begins in the same room."""

from protocol.from_client import Choose, Configure, Forfeit, Kick, Leave, NextRound, Rematch, Start
from protocol.settings import Settings
from protocol.vocabulary import HIGHEST_ROUND, HOST_WAIT_S, ErrorCode, RoomState
from server.rooms.events import Disconnected, Reconnected, Tick
from server.rooms.race import round_of
from server.rooms.record import PlayerStats, Room
from server.rooms.room import apply
from server.rooms.timings import COUNTDOWN_MS, GRACE_MS
from tests.rooms.rooms import (
    ADA,
    BOB,
    CY,
    ENTROPY,
    NOW,
    T0,
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

DEE = 3


def ended(room: Room) -> int:
    return round_of(room).ended or 0


def after_countdown(room: Room) -> Room:
    return apply(room, Tick(round_of(room).t0))


def gone(room: Room, seat: int) -> Room:
    return happen(room, Disconnected(seat, 1, T0), Tick(T0 + GRACE_MS))


def test_a_rematch_begins_in_the_same_room_when_all_players_want_it() -> None:
    asked = apply(finished(), sends(BOB, Rematch()))
    assert asked.state is RoomState.FINISHED
    assert states(asked) == "Ada TIMED_OUT, Bob READY, Cy WATCHING"
    both = apply(asked, sends(ADA, Rematch(), T0 * 2))
    assert both.state is RoomState.COUNTDOWN
    assert (round_of(both).n, round_of(both).t0) == (2, T0 * 2 + COUNTDOWN_MS)
    assert [played.n for played in both.rounds] == [1]  # the page of the first race stays
    assert states(after_countdown(both)) == "Ada RACING, Bob RACING, Cy WATCHING"


def test_a_player_may_want_no_rematch_after_all() -> None:
    asked = apply(finished(), sends(BOB, Rematch()))
    assert apply(asked, sends(BOB, Rematch())) is asked
    assert apply(asked, sends(BOB, Rematch(wanted=False))) == finished()
    assert apply(finished(), sends(BOB, Rematch(wanted=False))) == finished()


def test_the_press_of_the_host_alone_begins_nothing() -> None:
    assert apply(finished(), sends(ADA, Rematch())).state is RoomState.FINISHED


def test_the_next_round_of_a_match_is_asked_for_in_the_same_way() -> None:
    room = finished(rounds=2, deal="numbered", number=24)
    for number in (25, 24):  # after the last game a new match begins
        room = happen(room, sends(ADA, Rematch()), sends(BOB, Rematch()))
        assert round_of(room).deal.number == number
        room = happen(
            after_countdown(room), sends(ADA, Forfeit(), T0 * 2), sends(BOB, Forfeit(), T0 * 2)
        )
    assert [played.match for played in room.rounds] == [1, 1, 2]


def test_another_game_on_the_card_is_asked_for_anew() -> None:
    room = apply(finished(rounds=3), sends(BOB, Rematch()))
    assert states(apply(room, sends(ADA, Choose(game=3)))).startswith("Ada TIMED_OUT, Bob TIMED_O")
    assert apply(room, sends(ADA, Choose(game=2))) is room  # which is next anyway


def test_spectators_are_kept_and_may_play_the_next_race() -> None:
    room = happen(finished(), sends(CY, Rematch()), sends(ADA, Rematch()))
    assert room.state is RoomState.FINISHED  # Bob has not asked
    room = apply(room, sends(BOB, Rematch()))
    assert states(after_countdown(room)) == "Ada RACING, Bob RACING, Cy RACING"
    assert refused_code(finished(), sends(CY, Rematch(wanted=False))) is ErrorCode.NOT_A_PLAYER
    full = finished(max_players=2)
    assert refused_code(full, sends(CY, Rematch())) is ErrorCode.ROOM_FULL


def test_players_who_came_during_the_race_are_waited_for() -> None:
    room = happen(finished(), joins("Dee"), sends(ADA, Rematch()), sends(BOB, Rematch()))
    assert room.state is RoomState.FINISHED
    assert apply(room, sends(DEE, Rematch())).state is RoomState.COUNTDOWN


def test_absent_players_do_not_hold_it_up_and_keep_their_seats() -> None:
    room = gone(finished(), BOB)
    room = happen(room, joins("Dee"), sends(DEE, Rematch()), sends(ADA, Rematch()))
    assert room.state is RoomState.COUNTDOWN
    assert states(room) == "Ada READY, Bob SEATED, Cy WATCHING, Dee READY"
    back = apply(after_countdown(room), Reconnected(BOB, 2))
    assert states(back) == "Ada RACING, Bob WATCHING, Cy WATCHING, Dee RACING"


def test_a_player_who_wanted_it_and_is_gone_does_not_race() -> None:
    """Nobody would play that seat, and the race would last until its limit."""
    room = happen(finished(), joins("Dee"), sends(BOB, Rematch()))
    room = happen(gone(room, BOB), sends(ADA, Rematch()), sends(DEE, Rematch()))
    assert states(after_countdown(room)) == "Ada RACING, Bob WATCHING, Cy WATCHING, Dee RACING"


def test_it_begins_when_the_last_one_to_wait_for_has_gone() -> None:
    room = happen(finished(), joins("Dee"), sends(ADA, Rematch()), sends(BOB, Rematch()))
    room = apply(room, Disconnected(DEE, 1, T0))
    assert apply(room, Tick(T0 + GRACE_MS)).state is RoomState.FINISHED  # has no cards to deal
    assert apply(room, Tick(T0 + GRACE_MS, entropy=ENTROPY)).state is RoomState.COUNTDOWN
    assert apply(room, sends(DEE, Leave())).state is RoomState.COUNTDOWN
    assert apply(room, sends(ADA, Kick(seat=DEE))).state is RoomState.COUNTDOWN


def test_a_player_whose_rival_is_away_waits_and_one_who_is_alone_does_not() -> None:
    room = apply(gone(finished(), BOB), sends(ADA, Rematch()))
    assert room.state is RoomState.FINISHED
    room = happen(room, Reconnected(BOB, 2), sends(BOB, Rematch()))
    assert room.state is RoomState.COUNTDOWN
    alone = happen(finished(), sends(BOB, Leave()), sends(ADA, Rematch()))
    assert alone.state is RoomState.COUNTDOWN
    left = happen(finished(), sends(ADA, Rematch()), sends(BOB, Leave()))
    assert left.state is RoomState.FINISHED  # a race that nobody is waiting for any more


def test_a_player_who_counts_as_gone_begins_no_race_without_racers() -> None:
    """Regression: its room was in a race that never ended, since no player raced."""
    alone = happen(finished(), sends(BOB, Leave()), sends(CY, Leave()))
    alone = gone(alone, ADA)
    for message in (Rematch(), Start()):
        event = sends(ADA, message, ended(alone) + HOST_WAIT_S * 1_000)
        assert refused_code(alone, event) is ErrorCode.NOBODY_READY
    back = apply(alone, Reconnected(ADA, 2, "here"))
    assert apply(back, sends(ADA, Rematch())).state is RoomState.COUNTDOWN


def test_seats_of_players_who_left_or_were_removed_end_with_the_race() -> None:
    room = happen(running(), joins("Dee"), sends(BOB, Leave(), T0 + 9))
    room = happen(room, sends(ADA, Forfeit(), T0 + 9))
    room = happen(room, sends(ADA, Rematch()), sends(DEE, Rematch()))
    assert states(room) == "Ada READY, Cy WATCHING, Dee READY"
    room = happen(running(), sends(ADA, Kick(seat=BOB), T0 + 9), sends(ADA, Forfeit(), T0 + 9))
    room = happen(room, joins("Dee"), sends(ADA, Rematch()), sends(DEE, Rematch()))
    assert states(room) == "Ada READY, Cy WATCHING, Dee READY"


def test_the_host_begins_without_those_who_do_not_answer_in_time() -> None:
    room = happen(finished(), joins("Dee"), sends(BOB, Rematch()))
    late = ended(room) + HOST_WAIT_S * 1_000
    assert refused_code(room, sends(ADA, Start(), late - 1)) is ErrorCode.NOT_IN_STATE
    assert refused_code(room, sends(BOB, Start(), late)) is ErrorCode.NOT_HOST
    begun = after_countdown(apply(room, sends(ADA, Start(), late)))
    assert states(begun) == "Ada RACING, Bob RACING, Cy WATCHING, Dee WATCHING"
    at_once = apply(gone(finished(), BOB), sends(ADA, Start()))
    assert at_once.state is RoomState.COUNTDOWN  # nobody who is there would be left out


def test_the_host_can_still_change_the_rules_first() -> None:
    room = happen(finished(), sends(BOB, Rematch()), sends(ADA, NextRound()))
    assert states(room) == "Ada SEATED, Bob SEATED, Cy WATCHING"
    changed = apply(room, sends(ADA, Configure(settings=Settings(undo="off"))))
    assert changed.settings.undo == "off"


def test_a_countdown_of_a_rematch_can_be_stopped() -> None:
    room = happen(finished(), sends(ADA, Rematch()), sends(BOB, Rematch()))
    assert apply(room, sends(ADA, Leave())).state is RoomState.COUNTDOWN
    nobody = happen(room, sends(ADA, Leave()), sends(BOB, Leave()))
    assert nobody.state is RoomState.LOBBY


def test_the_number_of_rounds_of_a_room_is_limited() -> None:
    room = finished().model_copy(update={"rounds_started": HIGHEST_ROUND})
    room = apply(room, sends(BOB, Rematch()))
    assert refused_code(room, sends(ADA, Rematch())) is ErrorCode.NOT_IN_STATE
    full = lobby().model_copy(update={"rounds_started": HIGHEST_ROUND})
    assert refused_code(full, sends(ADA, Start())) is ErrorCode.NOT_IN_STATE


def wins(room: Room) -> str:
    return ", ".join(f"{seat.name} {seat.wins}" for seat in room.seats)


def raced(room: Room, **scores: int) -> Room:
    """Return the room after one more race, with the scores of its players by name."""
    for seat in (ADA, BOB):
        room = apply(room, sends(seat, Rematch()))
    room = after_countdown(room)
    stats = {
        seat.number: PlayerStats(score=scores[seat.name], finished_ms=9)
        for seat in room.seats
        if seat.name in scores
    }
    return apply(room, Tick(NOW + T0, stats))


def test_the_room_counts_who_has_won_how_often() -> None:
    room = finished()  # in which Ada has more points
    assert wins(room) == "Ada 1, Bob 0, Cy 0"
    room = raced(room, Ada=9, Bob=7)
    room = raced(room, Ada=7, Bob=9)
    assert wins(room) == "Ada 2, Bob 1, Cy 0"
    tie = raced(room, Ada=8, Bob=8)
    assert wins(tie) == "Ada 3, Bob 2, Cy 0"
    assert wins(apply(tie, sends(ADA, NextRound()))) == wins(tie)


GAVE_UP_AT = {ADA: PlayerStats(score=50), BOB: PlayerStats(score=40)}


def test_a_race_that_all_give_up_is_no_win() -> None:
    room = happen(
        running(),
        sends(ADA, Forfeit(), T0 + 1, GAVE_UP_AT),
        sends(BOB, Forfeit(), T0 + 2, GAVE_UP_AT),
    )
    assert room.state is RoomState.FINISHED
    assert wins(room) == "Ada 0, Bob 0, Cy 0"


def test_players_who_stay_win_against_players_who_give_up_with_more_points() -> None:
    room = happen(
        running(), sends(ADA, Forfeit(), T0 + 1, GAVE_UP_AT), Tick(T0 + 900_000, GAVE_UP_AT)
    )
    assert wins(room) == "Ada 0, Bob 1, Cy 0"


def test_a_race_in_which_nobody_acts_is_no_win() -> None:
    assert wins(happen(running(), Tick(T0 + 900_000))) == "Ada 0, Bob 0, Cy 0"
    one_gave_up = happen(running(), sends(ADA, Forfeit(), T0 + 1), Tick(T0 + 900_000))
    assert one_gave_up.state is RoomState.FINISHED
    assert wins(one_gave_up) == "Ada 0, Bob 0, Cy 0"


def test_the_only_one_who_stayed_does_not_win_without_an_act() -> None:
    """A player without a move once won against one who gave up with 732 points."""
    played = {ADA: PlayerStats(score=732, moves=80)}
    gave_up = happen(running(), sends(ADA, Forfeit(), T0 + 1, played), Tick(T0 + 900_000))
    assert wins(gave_up) == "Ada 0, Bob 0, Cy 0"


def test_a_race_without_rivals_is_no_win() -> None:
    room = practice(time_limit_s=10)
    assert wins(apply(room, Tick(T0 + 10_000))) == "Ada 0, Bob 0, Cy 0"


def test_a_command_of_another_seat_changes_nothing() -> None:
    assert refused_code(finished(), sends(9, Rematch())) is ErrorCode.NO_SUCH_SEAT
