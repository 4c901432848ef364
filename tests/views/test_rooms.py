"""What is shown of rooms and tables; the property tests of the games hold for what lies open."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.views import RoomState
from server.games import actions
from server.games.cards import card_name
from server.games.catalogue import kind_of
from server.games.game import Game
from server.games.notation import SeededDeal, parse_round
from server.rooms.events import Chase, Forfeit
from server.rooms.record import Room
from server.rooms.rounds import deal_game, deck_of
from server.store import LogRecord
from server.views.match import match_view
from server.views.rooms import (
    finished_round,
    hinted_text,
    legal_texts,
    legal_view,
    pile_text,
    pile_view,
    public_room,
    refusal_details,
    room_view,
    round_over,
    round_text,
    table_view,
)
from tests.games.positions import act, position, refusal
from tests.rooms.rooms import (
    ADA,
    BOB,
    CHANCE,
    CY,
    ROOMS,
    T0,
    closed,
    finished,
    happen,
    lobby,
    running,
)


def fresh_game(**settings: object) -> Game:
    played = running(**settings).round
    assert played is not None
    return deal_game(played)


@pytest.mark.parametrize("state", [*RoomState])
def test_a_room_never_shows_seed_or_salt(state: RoomState) -> None:
    text = room_view(ROOMS[state](), 7).model_dump_json()
    assert CHANCE.seed.hex() not in text
    assert CHANCE.salt.hex() not in text
    assert '"v":7' in text


def test_a_room_is_shown_with_its_host_its_times_its_match_and_its_rematch() -> None:
    room = room_view(running(time_limit_s=60), 1)
    assert room.host == ADA
    assert room.round is not None
    assert (room.round.t0, room.round.t_end) == (T0, T0 + 60_000)
    assert (room.match, room.rematch) == (None, None)
    over = finished(rounds=3).model_copy(update={"rematch": "0000000000"})
    shown = room_view(over, 2)
    assert shown.match == match_view(over)
    assert shown.match is not None
    assert shown.rematch == "0000000000"


def test_the_commitment_is_shown_from_the_countdown_on() -> None:
    room = room_view(running(), 1)
    assert room.round is not None
    over = round_over(finished())
    assert room.round.commitment == over.reveal.commitment
    assert over.reveal.seed == CHANCE.seed.hex()
    assert over.reveal.salt == CHANCE.salt.hex()


def test_an_open_deal_says_its_number_and_commits_to_nothing() -> None:
    room = room_view(running(deal="numbered", number=24), 1)
    assert room.round is not None
    assert (room.round.number, room.round.commitment) == (24, None)
    reveal = round_over(finished(deal="numbered", number=24)).reveal
    assert (reveal.deal, reveal.seed, reveal.number) == ("numbered", None, 24)


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


def test_a_fresh_table_shows_ten_cards_and_counts_the_others() -> None:
    table = table_view(fresh_game(), ADA, 0, 0)
    tableau = [pile for pile in table.piles if pile.role == "tableau"]
    assert [pile.down for pile in tableau] == [5, 5, 5, 5, 4, 4, 4, 4, 4, 4]
    assert [len(pile.up) for pile in tableau] == [1] * 10
    assert [(p.id, p.down, p.up) for p in table.piles if p.role == "stock"] == [("stock", 50, ())]


@given(st.data())
def test_no_view_holds_a_card_that_lies_face_down(data: st.DataObject) -> None:
    """Two games that differ only in what lies face down are shown by the same bytes."""
    game = fresh_game(game=data.draw(st.sampled_from(["spider-1", "spider-2", "spider-4"])))
    for _ in range(data.draw(st.integers(0, 30))):
        game.apply(data.draw(st.sampled_from(game.legal_actions())))
    piles = [game.pile(index) for index in range(len(game.kind.piles))]
    hidden = [card for pile in piles for card in pile.cards[: pile.down]]
    other = iter(data.draw(st.permutations(hidden)))
    shuffled = [
        pile._replace(cards=(*(next(other) for _ in range(pile.down)), *pile.cards[pile.down :]))
        for pile in piles
    ]
    twin = kind_of(game.kind.id).set_up(game.rules, shuffled)
    for index in range(len(piles)):
        assert pile_view(game, index) == pile_view(twin, index)
    shown = json.loads(table_view(game, ADA, 1, 2).model_dump_json())
    cards_shown = sum(len(pile["up"]) for pile in shown["piles"])
    assert cards_shown + len(hidden) == game.kind.cards


def test_legal_actions_are_shown_as_they_can_be_sent() -> None:
    game = fresh_game(game="spider-1")
    names = game.kind.pile_names
    kinds = {action.type for action in legal_view(game)}
    assert kinds == {"move", "deal"}
    for engine, wire in zip(game.legal_actions(), legal_view(game), strict=True):
        if wire.type == "move":
            assert actions.format_action(engine, names) == (
                f"{wire.source}x{wire.count}-{wire.target}"
            )


def test_a_table_says_how_its_game_ended_or_why_it_is_stuck() -> None:
    game = position("u0: 5H; u1: 9S", "little-spider")
    table = table_view(game, ADA, 0, 0)
    assert (table.outcome, table.stuck) == (None, "stock_empty")
    act(game, "finish")
    table = table_view(game, ADA, 0, 0)
    assert (table.outcome, table.stuck) == ("finished_stuck", "stock_empty")
    foundations = [pile.direction for pile in table.piles if pile.role == "foundation"]
    assert foundations == ["up", "up", "down", "down"]


def test_piles_are_written_as_their_models_are() -> None:
    game = fresh_game()
    for index in range(len(game.kind.piles)):
        assert pile_text(game, index) == pile_view(game, index).model_dump_json()


def test_a_hint_and_a_refusal_name_piles_and_cards() -> None:
    game = position("t0: 9C; t1: 7D; t2: 8S")
    told = hinted_text(game.kind, 3, actions.move(1, 1, 2), 2)
    assert json.loads(told) == {
        "type": "hinted",
        "at": 3,
        "action": {"type": "move", "from": "t1", "count": 1, "to": "t2", "exception": False},
        "hints": 2,
    }
    details = refusal_details(refusal(game, actions.move(1, 1, 0)), game.kind)
    assert (details.cards, details.piles) == (("7D", "9C"), ("t1", "t0"))


def test_legal_actions_are_written_as_their_models_are() -> None:
    for settings in ({}, {"game": "little-spider"}):
        game = fresh_game(**settings)
        assert legal_texts(game) == [action.model_dump_json() for action in legal_view(game)]


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


def test_the_front_page_shows_who_plays() -> None:
    line = public_room(lobby(public=True))
    assert (line.host, line.players, line.state) == ("Ada", 2, RoomState.LOBBY)
    nobody: Room = closed().model_copy(update={"host": None})
    assert public_room(nobody).host == ""


def test_nothing_of_a_round_that_is_on_is_revealed() -> None:
    room = running()
    assert room.round is not None
    with pytest.raises(AssertionError):
        round_over(room)
    with pytest.raises(AssertionError):
        finished_round(room, room.round, {})
