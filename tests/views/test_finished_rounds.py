"""What is told of rounds that are over, and of none that is on."""

import pytest

from server.games import actions
from server.games.cards import card_name
from server.games.notation import SeededDeal, parse_round
from server.rooms.events import Chase, Forfeit
from server.rooms.rounds import deck_of
from server.store import LogRecord
from server.views.finished_rounds import finished_round, round_over, round_text
from server.views.rooms import room_view
from tests.rooms.rooms import (
    ADA,
    BOB,
    CY,
    T0,
    finished,
    happen,
    running,
)


def test_the_deal_of_a_seed_is_open_and_told_as_one() -> None:
    seeded = {"deal": "seed", "seed": "ab" * 16}
    room = room_view(running(**seeded), 1)
    assert room.round is not None
    assert (room.round.number, room.round.commitment) == (None, None)
    over = finished(**seeded)
    played = over.rounds[0]
    logs: dict[int, list[LogRecord]] = {ADA: [], BOB: []}
    for told in (round_over(over).reveal, finished_round(over, played, logs).reveal):
        assert (told.deal, told.seed) == ("seed", "ab" * 16)
        assert (told.number, told.salt, told.commitment) == (None, None, None)
    text = round_text(played, logs)
    assert f"\ndeal: seed\nseed: {'ab' * 16}\ndeck: " in text
    assert "salt" not in text
    assert parse_round(text).deal == SeededDeal(bytes.fromhex("ab" * 16))


def test_moves_of_a_finished_round_are_told_by_the_names_of_piles() -> None:
    room = finished()
    logs = {ADA: [LogRecord(actions.move(9, 1, 4), 7)], BOB: []}
    ada, _ = finished_round(room, room.rounds[0], logs).players
    assert (ada.log[0].action, ada.late_ms) == ("t9x1-t4", None)


def test_a_finished_round_says_who_came_late() -> None:
    room = happen(running(chasers=True), Chase(CY, T0 + 9_000), Forfeit(ADA, T0 + 10_000))
    room = happen(room, Forfeit(BOB, T0 + 11_000))
    told = finished_round(room, room.rounds[0], {ADA: [], BOB: [], CY: []})
    assert [player.late_ms for player in told.players] == [None, None, 9_000]


def test_a_finished_round_tells_every_log_in_text() -> None:
    room = finished()
    played = room.rounds[0]
    told = finished_round(room, played, {ADA: [LogRecord(actions.DEAL, 1_500)], BOB: []})
    assert [(p.name, [(e.action, e.ms) for e in p.log]) for p in told.players] == [
        ("Ada", [("deal", 1_500)]),
        ("Bob", []),
    ]
    assert told.reveal.deck == tuple(card_name(card) for card in deck_of(played))
    assert [row.name for row in told.ranking] == ["Ada", "Bob"]


def test_a_finished_round_of_any_deal_reads_back() -> None:
    for settings in ({}, {"deal": "numbered", "number": 24}, {"deal": "seed", "seed": "ab" * 16}):
        played = finished(**settings).rounds[0]
        told = parse_round(round_text(played, {ADA: [LogRecord(actions.DEAL, 7)], BOB: []}))
        assert told.deal.deck("spider-4") == deck_of(played)
        assert [player.name for player in told.players] == ["Ada", "Bob"]


def test_nothing_of_a_round_that_is_on_is_revealed() -> None:
    room = running()
    assert room.round is not None
    with pytest.raises(AssertionError):
        round_over(room)
    with pytest.raises(AssertionError):
        finished_round(room, room.round, {})
