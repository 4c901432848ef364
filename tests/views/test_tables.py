"""The views of tables, which hide face-down cards."""

import json

from hypothesis import given
from hypothesis import strategies as st

from protocol import codec
from protocol.from_client import Act
from protocol.games import GAMES
from protocol.vocabulary import HintReason, Outlook
from server.games import actions
from server.games.action_texts import ACTION_TEXTS
from server.games.game import Game
from server.games.pile_texts import parse_hidden_pile
from server.rooms.race import round_of
from server.rooms.rounds import deal_game
from server.views.tables import (
    assessed_text,
    hinted_text,
    legal_text,
    refusal_details,
    table_view,
)
from tests.games.positions import act, piles_of, position, refusal, twin
from tests.rooms.rooms import ADA, running


def fresh_game(**settings: object) -> Game:
    played = round_of(running(**settings))
    return deal_game(played)


def test_a_new_table_shows_ten_cards_and_counts_the_hidden_ones() -> None:
    piles = dict(
        zip(GAMES["spider-4"].piles, table_view(fresh_game(), ADA, 0, 0).piles, strict=True)
    )
    tableau = [parse_hidden_pile(text) for pile, text in piles.items() if pile.role == "tableau"]
    assert [pile.down for pile in tableau] == [5, 5, 5, 5, 4, 4, 4, 4, 4, 4]
    assert [len(pile.up) for pile in tableau] == [1] * 10
    assert [text for pile, text in piles.items() if pile.role == "stock"] == ["[50]"]
    assert [text for pile, text in piles.items() if pile.role == "foundation"] == [""] * 8


@given(st.data())
def test_no_view_holds_a_card_that_lies_face_down(data: st.DataObject) -> None:
    """Two games that differ only in their face-down cards have the same views."""
    game = fresh_game(game=data.draw(st.sampled_from(["spider-1", "spider-2", "spider-4"])))
    for _ in range(data.draw(st.integers(0, 30))):
        game.apply(data.draw(st.sampled_from(game.legal_actions())))
    shown = table_view(game, ADA, 1, 2).piles
    assert shown == table_view(twin(game, data.draw(st.randoms())), ADA, 1, 2).piles
    cards_shown = sum(len(parse_hidden_pile(text).up) for text in shown)
    assert cards_shown + sum(pile.down for pile in piles_of(game)) == game.variant.cards


def test_legal_actions_are_texts_that_the_server_reads() -> None:
    game = fresh_game(game="spider-1")
    texts = legal_text(game).split(",")
    assert "deal" in texts
    for action, text in zip(game.legal_actions(), texts, strict=True):
        assert text == actions.format_action(action, game.variant.pile_names)
        act = codec.parse(f'{{"type":"act","id":1,"at":0,"action":"{text}"}}')
        assert isinstance(act, Act)
        assert ACTION_TEXTS[game.variant.id].parse(act.action) == action


def test_a_table_has_the_outcome_or_the_reason_of_a_stuck_game() -> None:
    game = position("u0: 5H; u1: 9S", "little-spider")
    table = table_view(game, ADA, 0, 0)
    assert (table.outcome, table.stuck) == (None, "stock_empty")
    act(game, "finish")
    table = table_view(game, ADA, 0, 0)
    assert (table.outcome, table.stuck) == ("finished_stuck", "stock_empty")


def test_the_rest_of_a_game_names_piles_only() -> None:
    game = position("t0: 9C; t1: 8C; t2: 8S")
    line = (actions.move(1, 1, 0), actions.remove(0))
    assessed = json.loads(assessed_text(game.variant, 3, Outlook.WON, line, 0))
    shown = {"at": 3, "outlook": "won", "line": "t1x1-t0,remove t0", "gain": 0}
    assert assessed == {"type": "assessed", **shown}
    dead = json.loads(assessed_text(game.variant, 3, Outlook.DEAD, (), 4))
    assert (dead["line"], dead["gain"]) == ("", 4)


def test_a_hint_and_a_refusal_name_piles_and_cards() -> None:
    game = position("t0: 9C; t1: 7D; t2: 8S")
    hinted = hinted_text(game.variant, 3, actions.move(1, 1, 2), 2, HintReason.EMPTIES_COLUMN)
    shown = {"at": 3, "action": "t1x1-t2", "hints": 2, "reason": "empties_column"}
    assert json.loads(hinted) == {"type": "hinted", **shown}
    details = refusal_details(refusal(game, actions.move(1, 1, 0)), game.variant)
    assert (details.cards, details.piles) == (("7D", "9C"), ("t1", "t0"))
