"""The catalogue: the games, and presets of settings, most of them named for old programs."""

from typing import Any

from protocol.http import Catalogue, GameInfo, Preset
from protocol.settings import Settings
from protocol.vocabulary import SUITS
from server.games.catalogue import GAMES
from server.games.deals import numbered_deck
from server.games.options import Rules
from server.games.scores import woods_won
from server.games.variant import Variant
from server.rooms.defaults import complete

FOUR_SUITS_S = 1_800
"""The time limit of presets that are harder than `friends`."""


def _preset(**chosen: Any) -> Settings:
    return complete(Settings(**{"time_limit_s": FOUR_SUITS_S, **chosen}))


PRESETS = {
    "friends": complete(Settings()),
    "four-suits": _preset(game="spider-4"),
    # Texts 1 and 2: removal by hand, and Woods' score. Text 1 says nothing of undo; text 2's
    # program takes back everything and counts nothing (section 9).
    "classic": _preset(game="spider-4", auto_remove=False, undo="any", ranking="best_score"),
    "arachnid": _preset(game="spider-4", auto_remove=False, undo="free"),
    # Text 3: a match of six games, at level 2 or 1.
    "dos-hard": _preset(
        game="spider-4",
        score="dos",
        exceptions="hard",
        ranking="best_score",
        rounds=6,
        match_ranking="score",
    ),
    "dos-easy": _preset(
        game="spider-4",
        score="dos",
        exceptions="easy",
        ranking="best_score",
        rounds=6,
        match_ranking="score",
    ),
    # Text 4: one or two suits, and automatic removal.
    "serenity-1": _preset(game="spider-1"),
    "serenity-2": _preset(game="spider-2"),
    # Spider of Windows: two suits, undo of everything, and hints with H.
    "windows": _preset(game="spider-2", score="moves", undo="any", hints=True),
    # Text 5.
    "spiderette": _preset(game="spiderette-4", auto_remove=False),
    "little-spider": _preset(game="little-spider"),
}


def catalogue() -> Catalogue:
    """Return the catalogue that a settings form is made from."""
    return Catalogue(
        games=tuple(_game_info(variant) for variant in GAMES.values()),
        presets=tuple(Preset(id=name, settings=settings) for name, settings in PRESETS.items()),
    )


def _game_info(variant: Variant) -> GameInfo:
    """Return what a settings form needs of a game.

    The counts of cards are taken from a deal; they are the same for each deck.
    """
    rules = Rules(variant.id, score=variant.scores[0], layout=variant.layouts[0])
    piles = dict(
        zip(variant.piles, variant.deal(rules, numbered_deck(variant.id, 1)), strict=True)
    )
    columns = [state for pile, state in piles.items() if pile.role == "tableau"]
    stock = sum(len(state.cards) for pile, state in piles.items() if pile.role == "stock")
    face_down = sum(column.down for column in columns)
    all_removed = woods_won(
        turned=face_down,
        open_columns=sum(column.down > 0 for column in columns),
        suits=variant.decks * len(SUITS),
        on_table=0,
    )
    return GameInfo(
        id=variant.id,
        family=variant.family,
        cards=variant.cards,
        columns=len(columns),
        dealt=variant.cards - stock,
        face_down=face_down,
        stock=stock,
        all_removed=all_removed if "woods" in variant.scores else None,
        scores=variant.scores,
        layouts=variant.layouts,
        options=tuple(sorted(variant.options)),
    )
