"""The log, and everything that depends on it alone: undo, redo, counts, its limit."""

from collections.abc import Iterable

import pytest

from protocol.games import GAMES
from protocol.vocabulary import Outcome, StuckReason
from server.games.actions import DEAL, FINISH, REDO, UNDO, Action
from server.games.deals import new_game, numbered_deck, replay
from server.games.errors import BadRules, IllegalAction
from server.games.game import Game
from server.games.hints import find_hint
from tests.games.positions import (
    ALL_ON_TABLE,
    act,
    dealt,
    forward,
    legal_texts,
    position,
    refused,
    rules,
)
from tests.games.stories import story_test

PLAIN = "t0: 9C 5S; t1: 6S; t2: 6H"
TURNS = "t0: [9C] 5S; t1: 6S; t2: 6H"

test_undo_and_redo = story_test(f"""
A move is undone and redone
  | {PLAIN}
  undo -> !nothing_to_undo
  redo -> !nothing_to_redo
  t0x1-t1, undo -> = {PLAIN}, changed=t0 t1, turned=, removed=0
  undo -> !nothing_to_undo
  redo -> = t0: 9C; t1: 6S 5S; t2: 6H, at=3, moves=1, undos=1, redos=1, cheats=0
  undo -> = {PLAIN}
Every undo and every redo is counted
  | {PLAIN}
  t0x1-t1, t1x1-t2, undo, undo, redo, redo -> moves=2, undos=2, redos=2
  redo -> !nothing_to_redo
Another move ends redo
  | {PLAIN}
  t0x1-t1, undo, t0x1-t2 -> cannot=redo
  redo -> !nothing_to_redo
Under no reveal a move that turned a card cannot be undone, nor moves before it
  | {TURNS}
  t0x1-t1 -> cannot=undo
  undo -> !undo_reveals
  | t0: [9C] 5S; t1: 6S; t2: 6H; t3: 2D AD; t4: 2C
  t3x1-t4, t0x1-t1 -> turned=t0
  undo -> !undo_reveals
Under no reveal a deal cannot be undone
  | deal 1
  deal -> cannot=undo
  undo -> !undo_reveals
Under no reveal a removal can be undone unless it turned a card
  | t0: 5H KS-AS; t1: [2C] KH-AH
  remove t0, undo -> suits=0
  remove t1 -> turned=t1
  undo -> !undo_reveals
An automatic removal is undone with its move
  auto_remove=True | t0: 5H KS-2S; t1: 9D AS
  t1x1-t0 -> suits=1
  undo -> = t0: 5H KS-2S; t1: 9D AS
  redo -> suits=1
Under any, undoing a turned card or a deal is a cheat, which nothing resets
  undo=any | {TURNS}
  t0x1-t1, undo, redo, undo, t0x1-t2 -> cheats=2
Undoing a move that showed no card is not a cheat
  undo=any | {PLAIN}
  t0x1-t1, undo -> cheats=0
Under counted every undo is a cheat
  undo=counted | {PLAIN}
  t0x1-t1, undo -> cheats=1
  undo -> !nothing_to_undo
Free undo takes everything back and counts no cheats
  undo=free | {TURNS}
  t0x1-t1, undo -> = {TURNS}, cheats=0
Nothing is undone when undo is off
  undo=off | {PLAIN}
  t0x1-t1 -> moves=1
  undo -> !undo_is_off
""")


def test_a_copy_is_independent() -> None:
    game = dealt()
    twin = game.copy()
    act(twin, "deal")
    assert (game.at, game.counts.stock) == (0, 50)
    assert (twin.at, twin.counts.stock) == (1, 40)


def test_positions_have_the_same_key_exactly_if_their_cards_are_the_same() -> None:
    texts = [
        "t0: 5S 4S",
        "t0: 5S; t1: 4S",
        "t1: 5S 4S",
        "t0: [5S] 4S",
        "t0: 5S; stock: 4S",
        "t0: 5S 4S; f0: KS-AS",
        "t0: 5S 4S; f0: KH-AH",
        "t0: 5S 4S; f0: KS-AS; f1: KH-AH",
    ]
    assert len({position(text).key() for text in texts}) == len(texts)
    assert position("t0: 5S 4S").key() == position("t0: 5S-4S").key()


def test_settings_that_clash_make_no_game() -> None:
    with pytest.raises(BadRules):
        new_game(rules(score="dos", undo="any"), numbered_deck("spider-4", 1))


def test_a_log_leads_to_its_position_and_does_not_fit_another_deal() -> None:
    game = dealt()
    act(game, "deal")
    act(game, legal_texts(game)[0])
    assert [game.action_at(0), game.action_at(1)] == [*game.log]
    assert replay(game.rules, numbered_deck("spider-4", 1), game.log).key() == game.key()
    other = dealt(number=1)
    act(other, legal_texts(other)[0])
    with pytest.raises(IllegalAction):
        replay(other.rules, numbered_deck("spider-4", 2), other.log)


def limited(max_entries: int, log: Iterable[Action] = (), game: str = "spider-4") -> Game:
    """Return a game with this limit after a log."""
    played = new_game(dealt(game, undo="any").rules, numbered_deck(game, 1))
    played.max_entries = max_entries
    for action in log:
        played.replay(action)
    return played


def at_the_limit(variant: str = "spider-4") -> Game:
    """Return a game with four entries, which is the limit."""
    game = dealt(variant, undo="any")
    game.apply(forward(game)[0])
    act(game, "undo", "redo", "undo")
    return limited(4, game.log, variant)


@pytest.mark.parametrize("variant", GAMES)
def test_a_game_at_the_limit_can_only_be_finished(variant: str) -> None:
    game = at_the_limit(variant)
    assert game.legal_actions() == (FINISH,)
    for action in ("deal", "undo", "redo"):
        assert refused(game, action) == "game_too_long"
    assert game.stuck is StuckReason.GAME_TOO_LONG
    assert find_hint(game) is None
    score = game.score
    act(game, "finish")
    assert (game.outcome, game.at) == (Outcome.FINISHED_STUCK, 5)
    again = limited(4, game.log, variant)
    assert (again.outcome, again.score) == (Outcome.FINISHED_STUCK, score)
    assert game.legal_actions() == ()
    assert refused(game, "deal") == "game_over"


def test_a_game_below_the_limit_has_all_its_actions() -> None:
    game = limited(2)
    act(game, "deal")
    assert {DEAL, UNDO} <= set(game.legal_actions())
    assert game.stuck is None


def test_a_won_game_at_the_limit_is_finished_as_won() -> None:
    game = position(ALL_ON_TABLE)
    game.max_entries = 0
    assert (game.legal_actions(), game.stuck) == ((FINISH,), None)
    act(game, "finish")
    assert game.outcome is Outcome.WON


def test_a_log_stored_before_the_limit_existed_is_replayed() -> None:
    """Stored rooms and texts of rounds have logs of up to 20,000 entries."""
    game = limited(10, [DEAL, *[UNDO, REDO] * 50])
    assert (game.at, game.counts.undos) == (101, 50)
    assert game.legal_actions() == (FINISH,)
    with pytest.raises(IllegalAction, match="game_too_long"):
        game.replay(REDO)
    game.replay(FINISH)
    with pytest.raises(IllegalAction, match="game_over"):
        game.replay(UNDO)
