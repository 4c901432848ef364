"""The views of finished rounds and of their reviews, which refuse running ones."""

import pytest

from server.games import actions
from server.games.actions import DEAL, UNDO, TimedAction
from server.games.cards import card_names
from server.games.transcripts import RevealedDeal, parse_round
from server.rooms.deals import deck_of, pack_line
from server.rooms.record import round_of
from server.views.finished_rounds import round_over
from server.views.replays import WIN_ACT_MS, SeatReview, round_review, win_log
from server.views.rooms import room_view
from tests.present import present
from tests.rooms.rooms import ADA, BOB, CY, FOUR_SUITS, finished, running
from tests.rooms.stories import play
from tests.views.documents import finished_round, round_text

NO_LOGS: dict[int, list[TimedAction]] = {ADA: [], BOB: []}
SEED = "ab" * 16


def test_the_deal_of_a_known_seed_is_shown_as_an_open_deal() -> None:
    shown = present(room_view(running(deal="seed", seed=SEED), 1).round)
    assert (shown.number, shown.commitment) == (None, None)
    over = finished(deal="seed", seed=SEED)
    whole = finished_round(over, over.rounds[0], NO_LOGS)
    for reveal in (round_over(over).reveal, whole.reveal):
        assert (reveal.deal, reveal.seed) == ("seed", SEED)
        assert (reveal.number, reveal.salt, reveal.commitment) == (None, None, None)
    text = round_text(over, over.rounds[0], NO_LOGS)
    assert f"\ndeal: seed\nseed: {SEED}\ndeck: " in text
    assert "salt" not in text
    assert parse_round(text).deal == RevealedDeal(bytes.fromhex(SEED))


def test_a_finished_round_contains_every_log_in_text_notation() -> None:
    room = finished()
    log = [TimedAction(actions.DEAL, 1_500), TimedAction(actions.move(9, 1, 4), 7)]
    view = finished_round(room, room.rounds[0], {ADA: log, BOB: []})
    assert [(p.name, p.late_ms, [(e.action, e.ms) for e in p.log]) for p in view.players] == [
        ("Ada", None, [("deal", 1_500), ("t9x1-t4", 7)]),
        ("Bob", None, []),
    ]
    assert view.reveal.deck == tuple(card_names(deck_of(room.rounds[0])))
    assert [row.name for row in view.ranking] == ["Ada", "Bob"]


def test_a_finished_round_marks_late_players() -> None:
    room = play("running chasers=True; Cy Chase @T0+9s; Ada Forfeit @+1s; Bob Forfeit @+1s")
    view = finished_round(room, room.rounds[0], {**NO_LOGS, CY: []})
    assert [player.late_ms for player in view.players] == [None, None, 9_000]


def test_the_text_of_a_finished_round_parses_back_for_any_deal() -> None:
    for settings in ({}, {"deal": "numbered", "number": 24}, {"deal": "seed", "seed": SEED}):
        room = finished(**FOUR_SUITS, **settings)
        played = room.rounds[0]
        transcript = parse_round(round_text(room, played, {ADA: [TimedAction(DEAL, 7)], BOB: []}))
        assert transcript.deal.deck("spider-4") == deck_of(played)
        assert [player.name for player in transcript.players] == ["Ada", "Bob"]


def test_a_running_round_is_not_revealed() -> None:
    room, played = running(), round_of(running())
    for shown in (
        lambda: round_over(room),
        lambda: finished_round(room, played, NO_LOGS),
        lambda: round_text(room, played, NO_LOGS),
        lambda: round_review(room, played, {}, has_begun=False, is_done=False),
    ):
        with pytest.raises(AssertionError):
            shown()


FOUND = SeatReview(known_at=1, known_ms=900, line=pack_line([DEAL, DEAL]), lost_ms=1_200)


def test_a_review_shows_its_progress() -> None:
    room = finished()
    played = room.rounds[0]
    waiting = round_review(room, played, {}, has_begun=False, is_done=False)
    assert (waiting.state, waiting.games, waiting.missing) == ("waiting", (), ())
    begun = round_review(room, played, {ADA: FOUND}, has_begun=True, is_done=False)
    assert (begun.state, begun.missing) == ("running", ())
    (game,) = begun.games
    assert (game.seat, game.name, game.acts) == (ADA, "Ada", 2)
    assert (game.known_ms, game.to_the_end, game.lost_ms) == (900, False, 1_200)
    done = round_review(room, played, {ADA: FOUND}, has_begun=True, is_done=True)
    assert (done.state, done.missing) == ("done", (BOB,))


def test_a_win_follows_the_game_up_to_the_last_known_win() -> None:
    log = [TimedAction(DEAL, 500), TimedAction(UNDO, 900)]
    times = [500, 900 + WIN_ACT_MS, 900 + 2 * WIN_ACT_MS]
    assert [(act.action, act.ms) for act in win_log(FOUND, log)] == [(DEAL, ms) for ms in times]
    assert win_log(SeatReview(), log) == []
