"""The views of reviews."""

import pytest

from server.games.actions import DEAL, UNDO
from server.rooms.race import round_of
from server.rooms.reviews import SeatReview
from server.rooms.winnable_deals import pack_line
from server.store import LogRecord
from server.views.reviews import PACE_MS, round_review, win_log
from tests.rooms.rooms import ADA, BOB, finished, running

FOUND = SeatReview(known_at=1, known_ms=900, line=pack_line([DEAL, DEAL]), lost_ms=1_200)


def test_a_review_says_how_far_it_is() -> None:
    room = finished()
    played = room.rounds[0]
    waiting = round_review(room, played, {}, has_begun=False, is_done=False)
    assert (waiting.state, waiting.games, waiting.missing) == ("waiting", (), ())
    running_view = round_review(room, played, {ADA: FOUND}, has_begun=True, is_done=False)
    assert (running_view.state, running_view.missing) == ("running", ())
    (game,) = running_view.games
    assert (game.seat, game.name, game.acts) == (ADA, "Ada", 2)
    assert (game.known_ms, game.to_the_end, game.lost_ms) == (900, False, 1_200)
    done = round_review(room, played, {ADA: FOUND}, has_begun=True, is_done=True)
    assert (done.state, done.missing) == ("done", (BOB,))


def test_a_running_round_has_no_review() -> None:
    room = running()
    with pytest.raises(AssertionError):
        round_review(room, round_of(room), {}, has_begun=False, is_done=False)


def test_a_win_follows_the_game_up_to_the_last_known_win() -> None:
    log = [LogRecord(DEAL, 500), LogRecord(UNDO, 900)]
    assert [(act.action, act.ms) for act in win_log(FOUND, log)] == [
        (DEAL, 500),
        (DEAL, 900 + PACE_MS),
        (DEAL, 900 + 2 * PACE_MS),
    ]
    assert win_log(SeatReview(), log) == []
