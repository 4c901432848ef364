"""The views of tables, which hide face-down cards."""

import json

from hypothesis import given
from hypothesis import strategies as st

from server.games import actions
from server.games.catalogue import variant_of
from server.games.game import Game
from server.rooms.rounds import deal_game
from server.views.tables import (
    hinted_text,
    legal_texts,
    legal_view,
    pile_text,
    pile_view,
    refusal_details,
    table_view,
)
from tests.games.positions import act, position, refusal
from tests.rooms.rooms import (
    ADA,
    running,
)


def fresh_game(**settings: object) -> Game:
    played = running(**settings).round
    assert played is not None
    return deal_game(played)


def test_a_new_table_shows_ten_cards_and_counts_the_hidden_ones() -> None:
    table = table_view(fresh_game(), ADA, 0, 0)
    tableau = [pile for pile in table.piles if pile.role == "tableau"]
    assert [pile.down for pile in tableau] == [5, 5, 5, 5, 4, 4, 4, 4, 4, 4]
    assert [len(pile.up) for pile in tableau] == [1] * 10
    assert [(p.id, p.down, p.up) for p in table.piles if p.role == "stock"] == [("stock", 50, ())]


@given(st.data())
def test_no_view_holds_a_card_that_lies_face_down(data: st.DataObject) -> None:
    """Two games that differ only in their face-down cards have the same views."""
    game = fresh_game(game=data.draw(st.sampled_from(["spider-1", "spider-2", "spider-4"])))
    for _ in range(data.draw(st.integers(0, 30))):
        game.apply(data.draw(st.sampled_from(game.legal_actions())))
    piles = [game.pile(index) for index in range(len(game.variant.piles))]
    hidden = [card for pile in piles for card in pile.cards[: pile.down]]
    other = iter(data.draw(st.permutations(hidden)))
    shuffled = [
        pile._replace(cards=(*(next(other) for _ in range(pile.down)), *pile.cards[pile.down :]))
        for pile in piles
    ]
    twin = variant_of(game.variant.id).set_up(game.rules, shuffled)
    for index in range(len(piles)):
        assert pile_view(game, index) == pile_view(twin, index)
    shown = json.loads(table_view(game, ADA, 1, 2).model_dump_json())
    cards_shown = sum(len(pile["up"]) for pile in shown["piles"])
    assert cards_shown + len(hidden) == game.variant.cards


def test_legal_actions_have_the_form_in_which_clients_send_them() -> None:
    game = fresh_game(game="spider-1")
    names = game.variant.pile_names
    kinds = {action.type for action in legal_view(game)}
    assert kinds == {"move", "deal"}
    for action, view in zip(game.legal_actions(), legal_view(game), strict=True):
        if view.type == "move":
            assert actions.format_action(action, names) == (
                f"{view.source}x{view.count}-{view.target}"
            )


def test_a_table_has_the_outcome_or_the_reason_of_a_stuck_game() -> None:
    game = position("u0: 5H; u1: 9S", "little-spider")
    table = table_view(game, ADA, 0, 0)
    assert (table.outcome, table.stuck) == (None, "stock_empty")
    act(game, "finish")
    table = table_view(game, ADA, 0, 0)
    assert (table.outcome, table.stuck) == ("finished_stuck", "stock_empty")
    foundations = [pile.direction for pile in table.piles if pile.role == "foundation"]
    assert foundations == ["up", "up", "down", "down"]


def test_the_text_of_a_pile_equals_the_json_of_its_model() -> None:
    game = fresh_game()
    for index in range(len(game.variant.piles)):
        assert pile_text(game, index) == pile_view(game, index).model_dump_json()


def test_a_hint_and_a_refusal_name_piles_and_cards() -> None:
    game = position("t0: 9C; t1: 7D; t2: 8S")
    hinted = hinted_text(game.variant, 3, actions.move(1, 1, 2), 2)
    assert json.loads(hinted) == {
        "type": "hinted",
        "at": 3,
        "action": {"type": "move", "from": "t1", "count": 1, "to": "t2", "exception": False},
        "hints": 2,
    }
    details = refusal_details(refusal(game, actions.move(1, 1, 0)), game.variant)
    assert (details.cards, details.piles) == (("7D", "9C"), ("t1", "t0"))


def test_the_text_of_a_legal_action_equals_the_json_of_its_model() -> None:
    for settings in ({}, {"game": "little-spider"}):
        game = fresh_game(**settings)
        assert legal_texts(game) == [action.model_dump_json() for action in legal_view(game)]
