"""Tables, which hide face-down cards, and replies to acts, written exactly as by their models."""

import json
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import codec
from protocol.from_client import Act
from protocol.games import GAMES
from protocol.to_client import Acted, TableMessage
from protocol.vocabulary import HintReason, Outlook
from server.games import actions
from server.games.actions import ACTION_TEXTS
from server.games.game import Counts, Game
from server.rooms.ranking import stats_of, write_stats
from server.rooms.record import PlayerStats
from server.views.tables import (
    acted_text,
    assessed_text,
    board_text,
    board_view,
    full_reply_text,
    hinted_text,
    legal_text,
    refusal_details,
    table_text,
    table_view,
    timed,
)
from tests.games.positions import ALL_ON_TABLE, act, dealt, piles_of, position, refusal, twin
from tests.games.texts import parse_hidden_pile

ADA = 0


def test_a_new_table_shows_ten_cards_and_counts_the_hidden_ones() -> None:
    piles = dict(zip(GAMES["spider-4"].piles, table_view(dealt(), ADA, 0, 0).piles, strict=True))
    tableau = [parse_hidden_pile(text) for pile, text in piles.items() if pile.role == "tableau"]
    assert [pile.down for pile in tableau] == [5, 5, 5, 5, 4, 4, 4, 4, 4, 4]
    assert [len(pile.up) for pile in tableau] == [1] * 10
    assert [text for pile, text in piles.items() if pile.role == "stock"] == ["[50]"]
    assert [text for pile, text in piles.items() if pile.role == "foundation"] == [""] * 8


@given(st.data())
def test_no_view_holds_a_card_that_lies_face_down(data: st.DataObject) -> None:
    """Two games that differ only in their face-down cards have the same views."""
    game = dealt(data.draw(st.sampled_from(["spider-1", "spider-2", "spider-4"])))
    for _ in range(data.draw(st.integers(0, 30))):
        game.apply(data.draw(st.sampled_from(game.legal_actions())))
    shown = table_view(game, ADA, 1, 2).piles
    assert shown == table_view(twin(game, data.draw(st.randoms())), ADA, 1, 2).piles
    cards_shown = sum(len(parse_hidden_pile(text).up) for text in shown)
    assert cards_shown + sum(pile.down for pile in piles_of(game)) == game.variant.cards


def test_legal_actions_are_texts_that_the_server_reads() -> None:
    game = dealt("spider-1")
    texts = legal_text(game).split(",")
    assert "deal" in texts
    for action, text in zip(game.legal_actions(), texts, strict=True):
        assert text == actions.format_action(action, game.variant.pile_names)
        act = codec.parse(f'{{"type":"act","id":1,"at":0,"action":"{text}"}}')
        assert isinstance(act, Act)
        assert ACTION_TEXTS[game.variant.id].parse(act.action) == action


def test_an_assessment_names_only_piles() -> None:
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


# Messages whose JSON is written by hand.


def reply(game: Game, changed: Iterable[int] | None = None, before: Counts | None = None) -> str:
    """Return a reply to act 3, with the given changes or with all piles and counts."""
    if changed is None or before is None:
        return timed(full_reply_text(3, game), 4_567)
    return timed(acted_text(3, game, changed, game.counts, before), 4_567)


def check(game: Game, changed: range | None = None, before: Counts | None = None) -> None:
    """Check all texts of a game; `changed` and `before` are as in the reply."""
    names, counts = game.variant.pile_names, game.counts._asdict()
    known = {} if before is None else before._asdict()
    shown = range(len(names)) if changed is None else changed
    message = Acted(
        id=3,
        at=game.at,
        piles={names[pile]: game.pile_text(pile) for pile in shown},
        score=game.score,
        counts={name: n for name, n in counts.items() if known.get(name) != n},
        legal=legal_text(game),
        outcome=game.outcome,
        stuck=game.stuck,
        elapsed_ms=4_567,
    )
    table = TableMessage(table=table_view(game, 2, 8, 4_567))
    board = TableMessage(table=board_view(game, 2, 4_567))
    for text, model in (
        (reply(game, changed, before), message),
        (table_text(game, 2, 8, 4_567), table),
        (board_text(game, 2, 4_567), board),
    ):
        assert text == codec.dump(model)
        assert codec.TO_CLIENT.validate_json(text) == model
    stats = write_stats(game, 2, game.counts)
    assert PlayerStats.model_validate_json(stats) == stats_of(game, 2)
    not_written = {"hints", "gained_ms", "finished_ms"}  # the store holds these
    if not stats_of(game, 2).on_table:
        not_written.add("on_table")
    assert stats == stats_of(game, 2).model_dump_json(exclude=not_written)


@pytest.mark.parametrize("variant", GAMES)
@given(data=st.data())
def test_a_reply_equals_the_json_of_its_model(variant: str, data: st.DataObject) -> None:
    game = dealt(variant, data.draw(st.integers(1, 50)), undo="any")
    before = game.counts
    for _ in range(data.draw(st.integers(0, 40))):
        if not game.legal_actions():
            break
        before = game.counts
        game.apply(data.draw(st.sampled_from(game.legal_actions())))
    check(game, range(data.draw(st.integers(0, len(game.variant.piles)))), before)
    check(game)


@pytest.mark.parametrize("variant", GAMES)
@given(data=st.data())
def test_the_replies_of_a_game_lead_from_table_to_table(variant: str, data: st.DataObject) -> None:
    """A client that knows the table before an act knows it after the reply."""
    game = dealt(variant, data.draw(st.integers(1, 50)), undo="any")
    table = table_view(game, 0, 0, 0)
    names = game.variant.pile_names
    piles = dict(zip(names, table.piles, strict=True))
    counts: dict[str, int] = table.counts.model_dump()
    for _ in range(data.draw(st.integers(1, 40))):
        if not game.legal_actions():
            break
        before = game.counts
        effects = game.apply(data.draw(st.sampled_from(game.legal_actions())))
        acted = codec.TO_CLIENT.validate_json(reply(game, effects.changed, before))
        assert isinstance(acted, Acted)
        piles |= acted.piles
        counts.update(acted.counts.items())
        table = table_view(game, 0, 0, 0)
        assert tuple(piles.values()) == table.piles
        assert counts == table.counts.model_dump()
        assert (acted.legal, acted.score, acted.stuck) == (table.legal, table.score, table.stuck)


def test_a_reply_has_the_outcome_or_the_reason_of_a_stuck_game() -> None:
    game = position(ALL_ON_TABLE)
    assert ",remove t0,remove t1," in reply(game)
    check(game)
    before = game.counts
    act(game, "finish")
    assert '"legal":"","outcome":"won","elapsed_ms":' in reply(game)
    check(game)
    assert '"counts":{}' in reply(game, (), before)
    check(game, range(0), before)
    game = position("u0: 5H; u1: 9S", "little-spider")
    assert '","stuck":"stock_empty","elapsed_ms":' in reply(game)
    check(game)
    assert (table_view(game, 0, 0, 0).outcome, game.stuck) == (None, "stock_empty")
    act(game, "finish")
    table = table_view(game, 0, 0, 0)
    assert (table.outcome, table.stuck) == ("finished_stuck", "stock_empty")


@pytest.mark.parametrize(("score", "on_table"), [("moves", [8, 7]), ("woods", [0, 0])])
def test_complete_suits_on_the_table_are_stored_where_they_rank(
    score: str, on_table: list[int]
) -> None:
    game = position(ALL_ON_TABLE, score=score)
    found: list[int] = []
    for action in ((), ("remove t0",)):
        act(game, *action)
        check(game)
        stats = PlayerStats.model_validate_json(write_stats(game, 0, game.counts))
        found.append(stats.on_table)
    assert found == on_table
