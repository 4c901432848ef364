"""Games as their players see them, with the truth at hand."""

from protocol.games import GAMES, GameId
from server.games.deals import new_game, secret_deck
from server.games.game import Game
from server.games.rules import Rules
from server.games.scores import value_of_pair
from server.solver.plans import VisibleColumn, VisibleTable


def rules_of(game: GameId, *, auto_remove: bool = True, relaxed: bool = False) -> Rules:
    variant = GAMES[game]
    takes_suits = variant.goal == "suits"
    return Rules(
        game=game,
        layout=variant.layouts[0],
        auto_remove=auto_remove and takes_suits,
        relaxed_deal=relaxed,
        undo="off",
        score=variant.scores[0],
    )


def dealt(rules: Rules, number: int) -> Game:
    """Return the game of a numbered seed before its first act."""
    return new_game(rules, secret_deck(rules.game, number.to_bytes(16, "big")))


def visible(game: Game) -> VisibleTable:
    """Return what the player of a game sees."""
    variant = game.variant
    piles = [game.pile(index) for index in range(len(variant.piles))]
    columns = piles[: variant.columns]
    named = list(zip(variant.piles, piles, strict=True))
    stock = [card for spec, pile in named if spec.role == "stock" for card in pile.cards]
    hidden = [card for pile in columns for card in pile.cards[: pile.down]]
    return VisibleTable(
        game=variant.id,
        columns=tuple(
            VisibleColumn(each.down, bytes(each.cards[each.down :])) for each in columns
        ),
        foundations=tuple(bytes(pile.cards) for spec, pile in named if spec.role == "foundation"),
        unseen=tuple(sorted([*stock, *hidden])),
        stock=len(stock),
        relaxed=game.rules.relaxed_deal,
        counts_pairs=value_of_pair(game.rules.score) > 0,
    )
