"""Properties of every reachable position, in every game and with all settings.

A walk begins at a deal, or near the end of a game, where suits are completed and removed.
"""

from collections.abc import Callable, Iterator
from itertools import chain, product
from typing import get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.games.actions import DEAL, FINISH, REDO, UNDO, Action, ActionKind, kind
from server.games.cards import card_name
from server.games.catalogue import GAMES, check, new_game, replay
from server.games.deals import secret_deck
from server.games.errors import BadRules, IllegalAction
from server.games.game import Game
from server.games.notation import (
    LogEntry,
    format_log,
    format_position,
    parse_log,
    parse_position,
)
from server.games.options import Rules
from tests.games import reference
from tests.games.positions import all_cards, forward, refusal


def _possible_rules() -> Iterator[Rules]:
    hints = get_type_hints(Rules)
    values = {name: get_args(hint) or (False, True) for name, hint in hints.items()}
    for chosen in product(*({**values, "game": tuple(GAMES)}).values()):
        rules = Rules(**dict(zip(values, chosen, strict=True)))
        try:
            check(rules)
        except BadRules:
            continue
        yield rules


ALL_RULES = {game: [rules for rules in _possible_rules() if rules.game == game] for game in GAMES}

Start = Callable[[], Game]


@st.composite
def starts(draw: st.DrawFn, *, relaxed: bool = False) -> Start:
    """Return a function that makes a new game; with `relaxed` its rules have relaxed deals."""
    games = sorted(game for game in GAMES if not relaxed or "relaxed_deal" in GAMES[game].options)
    game = draw(st.sampled_from(games))
    score = draw(st.sampled_from(GAMES[game].scores))
    possible = (rules for rules in ALL_RULES[game] if rules.relaxed_deal or not relaxed)
    rules = draw(st.sampled_from([rules for rules in possible if rules.score == score]))
    deck = secret_deck(game, draw(st.binary(min_size=16, max_size=16)))
    if GAMES[game].family == "little-spider" or draw(st.booleans()):
        return lambda: new_game(rules, deck)
    text = _late(draw, new_game(rules, deck))
    return lambda: parse_position(rules, text)


def _late(draw: st.DrawFn, began: Game) -> str:
    """Return a position of complete suits cut in two, with cards in all columns.

    Cards lie face down only in columns that have such cards at the beginning.
    """
    variant = began.variant
    columns = [spec.id for spec in variant.piles if spec.role == "tableau"]
    suits = {4: "SHDC", 2: "SHHS", 1: "SSSS"}[variant.suits] * variant.decks
    home = draw(st.integers(0, len(suits) - 1))
    lines = [f"f{i}: K{suit}-A{suit}" for i, suit in enumerate(suits[:home])]
    pieces = []
    for suit in suits[home:]:
        cut = draw(st.integers(1, 12))
        run = [f"{rank}{suit}" for rank in "KQJT98765432A"]
        pieces += [run[:cut], run[cut:]]
    pieces = draw(st.permutations(pieces))
    stock = pieces.pop() if draw(st.booleans()) else []
    lines.append(f"stock: {' '.join(stock)}")
    for i, name in enumerate(columns):
        cards = [card for piece in pieces[i :: len(columns)] for card in piece]
        hide = began.pile(i).down > 0 and len(cards) > 1 and draw(st.booleans())
        lines.append(f"{name}: " + (f"[{cards[0]}] " if hide else "") + " ".join(cards[hide:]))
    return "\n".join(lines)


def _walk(game: Game, choices: list[int]) -> Iterator[Action]:
    """Yield legal actions; the caller must apply each before taking the next.

    About a quarter are removals or moves that gain, if there are any, and a quarter are no moves.
    """
    for choice in choices:
        legal = game.legal_actions()
        if not legal:
            return
        moves = [action for action in legal if kind(action) is ActionKind.MOVE]
        rest = [action for action in legal if kind(action) is not ActionKind.MOVE]
        better = [action for action in legal if choice % 4 == 0 and _gains(game, action)]
        group = better or (rest if choice % 4 == 1 else moves) or rest or moves
        yield group[choice // 4 % len(group)]


def _gains(game: Game, action: Action) -> bool:
    return kind(action) is ActionKind.REMOVE or (
        kind(action) is ActionKind.MOVE and game.copy().apply(action).gained
    )


def _playing(game: Game, choices: list[int]) -> Iterator[Action]:
    """Return the actions of a walk, each already applied."""
    for action in _walk(game, choices):
        game.apply(action)
        yield action


walks = st.lists(st.integers(0, 1 << 20), min_size=30, max_size=90)
quick = settings(max_examples=70, deadline=None)


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
    for _ in _playing(game, choices):
        assert all_cards(game) == cards


@given(starts(), walks)
@quick
def test_the_legal_actions_are_those_of_the_rules(start: Start, choices: list[int]) -> None:
    game = start()
    for _ in _playing(game, choices):
        moves = forward(game)
        assert len(moves) == len(set(moves))
        assert set(moves) == reference.legal_moves(game)


@given(starts(relaxed=True), walks)
@quick
def test_with_relaxed_deals_a_stock_that_has_cards_can_be_dealt(
    start: Start, choices: list[int]
) -> None:
    game = start()
    for _ in chain([None], _playing(game, choices)):
        if game.counts.stock:
            assert game.is_legal(DEAL)
            assert game.stuck is None


@given(starts(), walks, st.lists(st.integers(0, 0xFFFF), min_size=300, max_size=300))
@settings(max_examples=30, deadline=None)
def test_apply_accepts_exactly_the_legal_actions(
    start: Start, choices: list[int], numbers: list[int]
) -> None:
    game = start()
    for _ in _playing(game, choices):
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


@given(starts(), walks)
@quick
def test_a_game_replayed_from_its_log_is_the_same(start: Start, choices: list[int]) -> None:
    game = start()
    for _ in _playing(game, choices):
        pass
    again = start()
    for action in game.log:
        again.apply(action)
    assert _said(again) == _said(game)
    assert _said(game.copy()) == _said(game)


@given(starts(), walks)
@quick
def test_the_score_recomputed_from_scratch_is_the_one_shown(
    start: Start, choices: list[int]
) -> None:
    game = start()
    moves_at_exception = 0
    for _ in _playing(game, choices):
        if game.counts.exceptions and not moves_at_exception:
            moves_at_exception = game.counts.moves
        after = game.counts.moves - moves_at_exception
        assert game.score == reference.score(game, after)


@given(starts(), walks)
@quick
def test_effects_name_the_piles_that_changed(start: Start, choices: list[int]) -> None:
    game = start()
    for action in _walk(game, choices):
        piles = range(len(game.variant.piles))
        before, score = [game.pile(pile) for pile in piles], game.score
        suits = game.counts.suits
        effects = game.apply(action)
        after = [game.pile(pile) for pile in piles]
        assert effects.gained == (game.score > score)
        assert effects.removed == max(0, game.counts.suits - suits)
        for pile in piles:
            assert (pile in effects.changed) == (before[pile] != after[pile])
            turned = after[pile].down < before[pile].down
            assert (pile in effects.turned) == (turned and game.variant.piles[pile].id != "stock")


@given(starts(), walks)
@quick
def test_undo_then_redo_is_the_identity(start: Start, choices: list[int]) -> None:
    game = start()
    for _ in _playing(game, choices):
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
    if game.rules.undo in {"any", "free"}:
        assert len(keys) == 1


@given(starts(), walks)
@quick
def test_cheats_are_the_take_backs_that_the_rules_count(start: Start, choices: list[int]) -> None:
    game = start()
    counted = 0
    for action in _walk(game, choices):
        before = reference.unseen(game)
        game.apply(action)
        if kind(action) is ActionKind.UNDO:
            counted += reference.is_cheat(game.rules, before, reference.unseen(game))
        assert game.counts.cheats == counted


@given(starts(), walks)
@quick
def test_notation_parses_back_to_itself(start: Start, choices: list[int]) -> None:
    game = start()
    for _ in _playing(game, choices):
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
