"""Properties of every reachable position, in every game and with all settings."""

from itertools import chain, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.games import GAMES
from server.games.actions import (
    ACTION_TEXTS,
    DEAL,
    FINISH,
    MAX_COLUMNS,
    MAX_TARGET_SETS,
    REDO,
    UNDO,
    Action,
    ActionKind,
    TimedAction,
    kind,
    move,
    moves_onto,
)
from server.games.deals import new_game, replay, secret_deck
from server.games.errors import IllegalAction
from server.games.game import Game
from tests.games import reference
from tests.games.positions import act, all_cards, forward, piles_of, position, refusal
from tests.games.texts import format_log, format_position, parse_log, parse_position
from tests.games.walks import ALL_RULES, Start, playing, starts, walk, walks

quick = settings(max_examples=40)


def _state_of(game: Game) -> object:
    counted = (game.key(), game.score, game.counts, game.log)
    return counted, game.outcome, game.stuck, game.legal_actions()


@given(starts(), walks)
@settings(max_examples=60)
def test_every_step_of_a_game_keeps_the_rules(start: Start, choices: list[int]) -> None:
    """At each step, cards, legal moves, score, effects and cheats match the reference."""
    game = start()
    cards, moves_at_exception, cheats = all_cards(game), 0, 0
    for action in walk(game, choices):
        before, unseen = piles_of(game), reference.unseen(game)
        score, suits = game.score, game.counts.suits
        effects = game.apply(action)
        assert all_cards(game) == cards
        moves = forward(game)
        assert len(moves) == len(set(moves))
        assert set(moves) == reference.legal_moves(game)
        if game.counts.exceptions and not moves_at_exception:
            moves_at_exception = game.counts.moves
        assert game.score == reference.score(game, game.counts.moves - moves_at_exception)
        if kind(action) is ActionKind.UNDO:
            cheats += reference.is_cheat(game.rules, unseen, reference.unseen(game))
        assert game.counts.cheats == cheats
        assert effects.has_gained == (game.score > score)
        assert effects.removed == max(0, game.counts.suits - suits)
        for pile, (old, new) in enumerate(zip(before, piles_of(game), strict=True)):
            is_stock = game.variant.piles[pile].id == "stock"
            assert (pile in effects.changed) == (old != new)
            assert (pile in effects.turned) == (new.down < old.down and not is_stock)
        undo_and_redo(game)


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        pytest.param("t0: 5S; t1: 6S", ("t0x1-t1", "undo", "redo"), id="a card on its suit"),
        pytest.param("t0: 9H 6S-4S; t1: 7H", ("t0x3-t1", "undo"), id="a whole run"),
        pytest.param("t0: 6S-4S; t1: 6H", ("t0x2-t1", "undo"), id="a part of a run"),
        pytest.param("t0: [6H] 5H; t1: 6S", ("t0x1-t1", "undo"), id="off a pair face down"),
        pytest.param("t0: [2C] 9C 8C 7H; t1: 9H", ("t0x2-t1!", "undo"), id="off a pair, mixed"),
        pytest.param("t0: 8C 7H; t1: 9C", ("t0x2-t1!", "undo"), id="mixed, on its suit"),
        pytest.param("t0: [2C] KS-AS", ("remove t0", "undo"), id="a suit off a face-down card"),
        pytest.param("t0: 3S KS-AS; t1: [4H] 3H", ("remove t0", "undo"), id="off another card"),
        pytest.param("t0: KS-AS", ("remove t0",), id="the last suit"),
        pytest.param(
            "t0: 6S; t1: 5S; t2: 2H; t8: 2H 2H; stock: 3S 3D 3D 3D 3D 3D 3D 3D 4S 5S",
            ("deal", "undo", "redo"),
            id="a deal that lengthens a run and fills spaces",
        ),
    ],
)
def test_moves_and_score_match_the_reference_after_all_kinds_of_changes(
    text: str, actions: tuple[str, ...]
) -> None:
    game = position(text, undo="any", exceptions="hard", relaxed_deal=True)
    for action in ("", *actions):
        if action:
            act(game, action)
        assert set(forward(game)) == reference.legal_moves(game)
        assert game.score == reference.score(game)
        assert game.counts.face_down == reference.unseen(game) - game.counts.stock


def test_a_full_cache_of_moves_still_gives_all_moves_but_keeps_no_more() -> None:
    moves = moves_onto(0, 1)
    assert moves[0b110] is moves[0b110]
    for targets in range(1 << MAX_COLUMNS):
        onto = [target for target in range(MAX_COLUMNS) if targets >> target & 1]
        assert moves[targets] == tuple(move(0, 1, target) for target in onto)
    assert len(moves) == MAX_TARGET_SETS


def undo_and_redo(game: Game) -> None:
    """Check that an undo and its redo lead back, if an action can be undone."""
    twin = game.copy()
    if UNDO not in twin.legal_actions():
        return
    there = twin.key(), twin.outcome, twin.stuck, twin.counts[7:]
    twin.apply(UNDO)
    assert REDO in twin.legal_actions()
    twin.apply(REDO)
    assert (twin.key(), twin.outcome, twin.stuck, twin.counts[7:]) == there
    assert twin.at == game.at + 2


@given(starts(relaxed=True), walks)
@quick
def test_relaxed_rules_always_deal_the_stock(start: Start, choices: list[int]) -> None:
    game = start()
    for _ in chain([None], playing(game, choices)):
        if game.counts.stock:
            assert DEAL in game.legal_actions()
            assert game.stuck is None


@given(starts(), walks, st.lists(st.integers(0, 0xFFFF), min_size=300, max_size=300))
@settings(max_examples=30)
def test_apply_accepts_exactly_the_legal_actions(
    start: Start, choices: list[int], numbers: list[int]
) -> None:
    game = start()
    for _ in playing(game, choices):
        pass
    before = _state_of(game)
    legal = set(game.legal_actions())
    for action in map(Action, {*numbers, DEAL, FINISH, UNDO, REDO} - legal):
        with pytest.raises(IllegalAction):
            game.apply(action)
    assert _state_of(game) == before
    for action in legal:
        game.copy().apply(action)
    assert _state_of(game) == before


ALL_MOVES = [
    move(here, n, to, exception=exception)
    for here, n, to, exception in product(range(13), range(15), range(13), (False, True))
]


@given(starts(), walks)
@settings(max_examples=30)
def test_a_replay_accepts_exactly_the_legal_actions(start: Start, choices: list[int]) -> None:
    """A replay may skip the list of legal actions, but not the rules."""
    game = start()
    for number, _ in enumerate(chain([None], playing(game, choices))):
        if number % 8 and game.outcome is None:
            continue
        before = _state_of(game)
        legal = set(game.legal_actions())
        others = [action for action in ALL_MOVES if action not in legal]
        for action in [*others[number::11], *{DEAL, FINISH, UNDO, REDO} - legal]:
            with pytest.raises(IllegalAction):
                game.replay(action)
        assert _state_of(game) == before
        for action in legal:
            applied, replayed = game.copy(), game.copy()
            assert applied.apply(action) == replayed.replay(action)
            assert _state_of(applied) == _state_of(replayed)


@given(starts(), walks)
@quick
def test_a_game_read_from_its_log_or_texts_is_the_same(start: Start, choices: list[int]) -> None:
    game = start()
    for _ in playing(game, choices):
        pass
    again, replayed = start(), start()
    for action in game.log:
        assert again.apply(action) == replayed.replay(action)
    assert _state_of(again) == _state_of(replayed) == _state_of(game)
    assert _state_of(game.copy()) == _state_of(game)
    text = format_position(game)
    read = parse_position(game.rules, text)
    assert (format_position(read), read.key()) == (text, game.key())
    entries = tuple(TimedAction(action, 7 * i) for i, action in enumerate(game.log))
    texts = ACTION_TEXTS[game.variant.id]
    assert parse_log(format_log(entries, texts), texts) == entries


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
    while UNDO in game.legal_actions():
        keys.pop()
        game.apply(UNDO)
        assert game.key() == keys[-1]
    if game.rules.undo in {"any", "counted", "free"}:
        assert len(keys) == 1


@given(starts(), walks)
@quick
def test_a_refusal_names_no_card_that_lies_face_down(start: Start, choices: list[int]) -> None:
    game = start()
    for choice in choices:
        face_up = {card for pile in piles_of(game) for card in pile.cards[pile.down :]}
        action = Action(choice % 0x8000)
        if action in game.legal_actions():
            game.apply(action)
        else:
            assert face_up.issuperset(refusal(game, action).cards)


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
