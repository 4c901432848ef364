"""Properties of every reachable position, in every game and with all settings."""

from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.games import GAMES
from server.games.actions import DEAL, FINISH, REDO, UNDO, Action, ActionKind, kind, move
from server.games.cards import card_name
from server.games.catalogue import new_game, replay
from server.games.deals import secret_deck
from server.games.errors import IllegalAction
from server.games.game import Game
from server.games.notation import LogEntry, format_log, format_position, parse_log, parse_position
from tests.games import reference
from tests.games.positions import all_cards, forward, refusal
from tests.games.walks import ALL_RULES, Start, playing, starts, walk, walks

quick = settings(max_examples=40)


def _said(game: Game) -> object:
    return (
        game.key(),
        game.score,
        game.counts,
        game.outcome,
        game.stuck,
        game.legal_actions(),
        game.log,
    )


@given(starts(), walks)
@quick
def test_cards_are_conserved(start: Start, choices: list[int]) -> None:
    game = start()
    cards = all_cards(game)
    for _ in playing(game, choices):
        assert all_cards(game) == cards


@given(starts(), walks)
@quick
def test_the_legal_actions_are_those_of_the_rules(start: Start, choices: list[int]) -> None:
    game = start()
    for _ in playing(game, choices):
        moves = forward(game)
        assert len(moves) == len(set(moves))
        assert set(moves) == reference.legal_moves(game)


@given(starts(relaxed=True), walks)
@quick
def test_with_relaxed_deals_a_stock_that_has_cards_can_be_dealt(
    start: Start, choices: list[int]
) -> None:
    game = start()
    for _ in chain([None], playing(game, choices)):
        if game.counts.stock:
            assert game.is_legal(DEAL)
            assert game.stuck is None


@given(starts(), walks, st.lists(st.integers(0, 0xFFFF), min_size=300, max_size=300))
@settings(max_examples=30)
def test_apply_accepts_exactly_the_legal_actions(
    start: Start, choices: list[int], numbers: list[int]
) -> None:
    game = start()
    for _ in playing(game, choices):
        pass
    before = _said(game)
    legal = set(game.legal_actions())
    for action in map(Action, {*numbers, DEAL, FINISH, UNDO, REDO} - legal):
        with pytest.raises(IllegalAction):
            game.apply(action)
        assert not game.is_legal(action)
    assert _said(game) == before
    for action in legal:
        game.check(action)
        game.copy().apply(action)
    assert _said(game) == before


ALL_MOVES = [
    move(here, n, to, exception=exception)
    for here in range(13)
    for n in range(15)
    for to in range(13)
    for exception in (False, True)
]


@given(starts(), walks)
@settings(max_examples=30)
def test_a_replay_accepts_exactly_the_legal_actions(start: Start, choices: list[int]) -> None:
    """A replay may skip the list of legal actions, but not the rules."""
    game = start()
    for number, _ in enumerate(chain([None], playing(game, choices))):
        if number % 8 and game.outcome is None:
            continue
        before = _said(game)
        legal = set(game.legal_actions())
        others = [action for action in ALL_MOVES if action not in legal]
        for action in [*others[number::11], *{DEAL, FINISH, UNDO, REDO} - legal]:
            with pytest.raises(IllegalAction):
                game.replay(action)
        assert _said(game) == before
        for action in legal:
            applied, replayed = game.copy(), game.copy()
            assert applied.apply(action) == replayed.replay(action)
            assert _said(applied) == _said(replayed)


@given(starts(), walks)
@quick
def test_a_game_replayed_from_its_log_is_the_same(start: Start, choices: list[int]) -> None:
    game = start()
    for _ in playing(game, choices):
        pass
    again, replayed = start(), start()
    for action in game.log:
        assert again.apply(action) == replayed.replay(action)
    assert _said(again) == _said(replayed) == _said(game)
    assert _said(game.copy()) == _said(game)


@given(starts(), walks)
@quick
def test_the_score_recomputed_from_scratch_is_the_one_shown(
    start: Start, choices: list[int]
) -> None:
    game = start()
    moves_at_exception = 0
    for _ in playing(game, choices):
        if game.counts.exceptions and not moves_at_exception:
            moves_at_exception = game.counts.moves
        after = game.counts.moves - moves_at_exception
        assert game.score == reference.score(game, after)


@given(starts(), walks)
@quick
def test_effects_name_the_piles_that_changed(start: Start, choices: list[int]) -> None:
    game = start()
    for action in walk(game, choices):
        piles = range(len(game.variant.piles))
        before, score = [game.pile(pile) for pile in piles], game.score
        suits = game.counts.suits
        effects = game.apply(action)
        after = [game.pile(pile) for pile in piles]
        assert effects.has_gained == (game.score > score)
        assert effects.removed == max(0, game.counts.suits - suits)
        for pile in piles:
            assert (pile in effects.changed) == (before[pile] != after[pile])
            turned = after[pile].down < before[pile].down
            assert (pile in effects.turned) == (turned and game.variant.piles[pile].id != "stock")


@given(starts(), walks)
@quick
def test_undo_then_redo_is_the_identity(start: Start, choices: list[int]) -> None:
    game = start()
    for _ in playing(game, choices):
        twin = game.copy()
        if not twin.is_legal(UNDO):
            continue
        there = twin.key(), twin.outcome, twin.stuck, twin.counts[7:]
        twin.apply(UNDO)
        assert twin.is_legal(REDO)
        twin.apply(REDO)
        assert (twin.key(), twin.outcome, twin.stuck, twin.counts[7:]) == there
        assert twin.at == game.at + 2


@given(starts(), walks)
@quick
def test_undo_brings_back_every_earlier_position(start: Start, choices: list[int]) -> None:
    game = start()
    keys = [game.key()]
    for _ in range(len(choices)):
        moves = forward(game)
        if not moves:
            break
        game.apply(moves[choices[len(keys) - 1] % len(moves)])
        keys.append(game.key())
    if game.outcome:
        return
    while game.is_legal(UNDO):
        keys.pop()
        game.apply(UNDO)
        assert game.key() == keys[-1]
    if game.rules.undo in {"any", "counted", "free"}:
        assert len(keys) == 1


@given(starts(), walks)
@quick
def test_cheats_are_the_take_backs_that_the_rules_count(start: Start, choices: list[int]) -> None:
    game = start()
    counted = 0
    for action in walk(game, choices):
        before = reference.unseen(game)
        game.apply(action)
        if kind(action) is ActionKind.UNDO:
            counted += reference.is_cheat(game.rules, before, reference.unseen(game))
        assert game.counts.cheats == counted


@given(starts(), walks)
@quick
def test_notation_parses_back_to_itself(start: Start, choices: list[int]) -> None:
    game = start()
    for _ in playing(game, choices):
        pass
    text = format_position(game)
    again = parse_position(game.rules, text)
    assert format_position(again) == text
    assert again.key() == game.key()
    entries = tuple(LogEntry(7 * i, action) for i, action in enumerate(game.log))
    names = game.variant.pile_names
    assert parse_log(format_log(entries, names), names) == entries


@given(starts(), walks)
@quick
def test_a_refusal_names_no_card_that_lies_face_down(start: Start, choices: list[int]) -> None:
    game = start()
    for choice in choices:
        piles = [game.pile(pile) for pile in range(len(game.variant.piles))]
        face_up = {card_name(card) for pile in piles for card in pile.cards[pile.down :]}
        action = Action(choice % 0x8000)
        if game.is_legal(action):
            game.apply(action)
        else:
            shown = refusal(game, action).cards
            assert {card_name(card) for card in shown} <= face_up


@pytest.mark.parametrize("game", GAMES)
def test_a_game_with_no_way_forward_is_stuck_or_over(game: str) -> None:
    rules = next(rules for rules in ALL_RULES[game] if rules.undo == "off")
    played = new_game(rules, secret_deck(game, bytes(16)))
    while moves := forward(played):
        assert played.stuck is None
        assert FINISH not in played.legal_actions()
        played.apply(moves[-1])
        if len(played.log) > 400:  # kings can move from space to space for ever
            return
    assert played.stuck == "stock_empty"
    assert played.legal_actions() == (FINISH,)
    assert replay(rules, secret_deck(game, bytes(16)), played.log).stuck == "stock_empty"
