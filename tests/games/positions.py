"""Positions and decks that many tests begin from, and short words for what they do."""

from collections.abc import Iterable

from server.games.actions import Action, format_action, kind, parse_action
from server.games.cards import Card
from server.games.catalogue import GAMES, new_game
from server.games.deals import numbered_deck
from server.games.errors import IllegalAction
from server.games.game import Game
from server.games.notation import parse_position
from server.games.options import Rules
from server.games.outcomes import Effects

ALL_ON_TABLE = """
    t0: KS-AS; t1: KS-AS; t2: KH-AH; t3: KH-AH
    t4: KD-AD; t5: KD-AD; t6: KC-AC; t7: KC-AC
"""
"""Eight complete suits, none removed."""

PLAIN = {"spider-4": "woods", "spiderette-4": "woods", "little-spider": "cards"}


def position(text: str, game: str = "spider-4", **settings: object) -> Game:
    """A game from a position; the settings are those of `Rules`."""
    return parse_position(rules(game, **settings), text)


def rules(game: str = "spider-4", **settings: object) -> Rules:
    """Rules with the score that a game knows, and no undo where DOS counts."""
    chosen: dict[str, object] = {"score": GAMES[game].scores[0], **settings}
    if chosen["score"] == "dos":
        chosen.setdefault("undo", "off")
    return Rules(game, **chosen)  # type: ignore[arg-type]  # `check` looks at the values


def dealt(game: str = "spider-4", number: int = 1, **settings: object) -> Game:
    """A numbered deal of a game."""
    return new_game(rules(game, **settings), numbered_deck(game, number))


def say(game: Game, text: str) -> Action:
    """The action that a text says in a game."""
    return parse_action(text, game.variant.pile_names)


def act(game: Game, *texts: str) -> Effects:
    """Do actions in turn; what the last of them did."""
    effects = Effects((), (), 0, gained=False)
    for text in texts:
        effects = game.apply(say(game, text))
    return effects


def told(game: Game) -> list[str]:
    """The legal actions, as text."""
    return [format_action(action, game.variant.pile_names) for action in game.legal_actions()]


def forward(game: Game) -> list[Action]:
    """The legal moves, deals and removals."""
    return [action for action in game.legal_actions() if kind(action) <= 2]


def refused(game: Game, text: str) -> str:
    """The code with which an action is refused."""
    return refusal(game, say(game, text)).code


def refusal(game: Game, action: Action) -> IllegalAction:
    """The refusal of an action, which must change nothing."""
    before = game.key(), game.log, game.score, game.counts
    try:
        game.apply(action)
    except IllegalAction as illegal:
        assert (game.key(), game.log, game.score, game.counts) == before
        return illegal
    raise AssertionError(f"accepted: {action}")


def names(game: Game, piles: Iterable[int]) -> list[str]:
    """The names of piles by their indexes."""
    return [game.variant.pile_names[pile] for pile in piles]


def all_cards(game: Game) -> list[Card]:
    """Every card of a game, sorted."""
    piles = range(len(game.variant.piles))
    return sorted(card for pile in piles for card in game.pile(pile).cards)
