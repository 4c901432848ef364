"""The views of finished rounds, which refuse running ones."""

import pytest

from protocol.from_client import Chase, Forfeit
from server.games import actions
from server.games.cards import card_name
from server.games.notation import SeededDeal, parse_round
from server.rooms.rounds import deck_of
from server.store import LogRecord
from server.views.finished_rounds import finished_round, round_over, round_text
from server.views.rooms import room_view
from tests.rooms.rooms import ADA, BOB, CY, FOUR_SUITS, T0, finished, happen, running, sends


def test_the_deal_of_a_known_seed_is_shown_as_an_open_deal() -> None:
    seeded = {"deal": "seed", "seed": "ab" * 16}
    room = room_view(running(**seeded), 1)
    assert room.round is not None
    assert (room.round.number, room.round.commitment) == (None, None)
    over = finished(**seeded)
    played = over.rounds[0]
    logs: dict[int, list[LogRecord]] = {ADA: [], BOB: []}
    for reveal in (round_over(over).reveal, finished_round(over, played, logs).reveal):
        assert (reveal.deal, reveal.seed) == ("seed", "ab" * 16)
        assert (reveal.number, reveal.salt, reveal.commitment) == (None, None, None)
    text = round_text(played, logs)
    assert f"\ndeal: seed\nseed: {'ab' * 16}\ndeck: " in text
    assert "salt" not in text
    assert parse_round(text).deal == SeededDeal(bytes.fromhex("ab" * 16))


def test_moves_of_a_finished_round_name_their_piles() -> None:
    room = finished()
    logs = {ADA: [LogRecord(actions.move(9, 1, 4), 7)], BOB: []}
    ada, _ = finished_round(room, room.rounds[0], logs).players
    assert (ada.log[0].action, ada.late_ms) == ("t9x1-t4", None)


def test_a_finished_round_marks_late_players() -> None:
    room = happen(
        running(chasers=True), sends(CY, Chase(), T0 + 9_000), sends(ADA, Forfeit(), T0 + 10_000)
    )
    room = happen(room, sends(BOB, Forfeit(), T0 + 11_000))
    view = finished_round(room, room.rounds[0], {ADA: [], BOB: [], CY: []})
    assert [player.late_ms for player in view.players] == [None, None, 9_000]


def test_a_finished_round_contains_every_log_in_text_notation() -> None:
    room = finished()
    played = room.rounds[0]
    view = finished_round(room, played, {ADA: [LogRecord(actions.DEAL, 1_500)], BOB: []})
    assert [(p.name, [(e.action, e.ms) for e in p.log]) for p in view.players] == [
        ("Ada", [("deal", 1_500)]),
        ("Bob", []),
    ]
    assert view.reveal.deck == tuple(card_name(card) for card in deck_of(played))
    assert [row.name for row in view.ranking] == ["Ada", "Bob"]


def test_the_text_of_a_finished_round_parses_back_for_any_deal() -> None:
    for settings in ({}, {"deal": "numbered", "number": 24}, {"deal": "seed", "seed": "ab" * 16}):
        played = finished(**FOUR_SUITS, **settings).rounds[0]
        transcript = parse_round(round_text(played, {ADA: [LogRecord(actions.DEAL, 7)], BOB: []}))
        assert transcript.deal.deck("spider-4") == deck_of(played)
        assert [player.name for player in transcript.players] == ["Ada", "Bob"]


def test_a_running_round_is_not_revealed() -> None:
    room = running()
    assert room.round is not None
    with pytest.raises(AssertionError):
        round_over(room)
    with pytest.raises(AssertionError):
        finished_round(room, room.round, {})
