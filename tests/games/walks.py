"""Random walks through games with all settings.

A walk starts from a deal, or near the end of a game, where suits are completed and removed.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import get_args, get_type_hints

from hypothesis import strategies as st

from protocol.games import GAMES
from server.games.actions import Action, ActionKind, kind
from server.games.deals import new_game, secret_deck
from server.games.errors import BadRules
from server.games.game import Game
from server.games.rules import Rules, check_rules
from tests.games.texts import parse_position


def _possible_rules() -> Iterator[Rules]:
    hints = get_type_hints(Rules)
    values = {name: get_args(hint) or (False, True) for name, hint in hints.items()}
    for chosen in product(*({**values, "game": tuple(GAMES)}).values()):
        rules = Rules(**dict(zip(values, chosen, strict=True)))
        try:
            check_rules(rules)
        except BadRules:
            continue
        yield rules


ALL_RULES = {game: [rules for rules in _possible_rules() if rules.game == game] for game in GAMES}

FAMILIES = tuple({variant.family: None for variant in GAMES.values()})
Start = Callable[[], Game]


@st.composite
def starts(draw: st.DrawFn, *, relaxed: bool = False, families: Sequence[str] = FAMILIES) -> Start:
    """Return a function that makes a new game; `relaxed` allows only relaxed deals."""
    games = sorted(
        game
        for game, variant in GAMES.items()
        if variant.family in families and (not relaxed or "relaxed_deal" in variant.options)
    )
    game = draw(st.sampled_from(games))
    score = draw(st.sampled_from(GAMES[game].scores))
    possible = (rules for rules in ALL_RULES[game] if rules.relaxed_deal or not relaxed)
    rules = draw(st.sampled_from([rules for rules in possible if rules.score == score]))
    deck = secret_deck(game, draw(st.binary(min_size=16, max_size=16)))
    if GAMES[game].goal == "cards" or draw(st.booleans()):
        return lambda: new_game(rules, deck)
    text = _late(draw, new_game(rules, deck))
    return lambda: parse_position(rules, text)


def _late(draw: st.DrawFn, began: Game) -> str:
    """Return a position of complete suits that are cut in two, with cards in all columns.

    Only columns that are dealt with face-down cards have one.
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


def walk(game: Game, choices: list[int]) -> Iterator[Action]:
    """Yield legal actions; the caller must apply each before taking the next.

    If possible, about a quarter are removals or moves that gain, and a quarter are not moves.
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
        kind(action) is ActionKind.MOVE and game.copy().apply(action).has_gained
    )


def playing(game: Game, choices: list[int]) -> Iterator[Action]:
    """Yield the actions of a walk after applying each."""
    for action in walk(game, choices):
        game.apply(action)
        yield action


walks = st.lists(st.integers(0, 1 << 20), min_size=30, max_size=90)
