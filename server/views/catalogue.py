"""The catalogue: the games, and presets of settings, most of them named for old programs."""

from typing import Any

from protocol.games import GAMES, Variant
from protocol.http import Catalogue, GameInfo, Preset
from protocol.settings import Settings
from server.games.scores import rate_woods_win
from server.rooms.default_settings import complete

FOUR_SUITS_S = 1_800  # the time limit of presets that are harder than `friends`


def _preset(**chosen: Any) -> Settings:
    return complete(Settings(**{"time_limit_s": FOUR_SUITS_S, **chosen}))


def _old_program(**chosen: Any) -> Settings:
    """Return a preset that plays as an old program, in which players make every move."""
    return _preset(autoplay=False, **chosen)


DOS_MATCH = {"ranking": "best_score", "match_ranking": "score", "rounds": 6}  # of text 3
PRESETS = {
    "friends": complete(Settings()),
    "four-suits": _preset(game="spider-4"),
    # Texts 1 and 2: removal by hand, and Woods' score. Text 1 says nothing of undo; text 2's
    # program takes back everything and counts nothing (section 9).
    "classic": _old_program(game="spider-4", auto_remove=False, undo="any", ranking="best_score"),
    "arachnid": _old_program(game="spider-4", auto_remove=False, undo="free"),
    # Text 3: a match of six games, at level 2 or 1.
    "dos-hard": _old_program(game="spider-4", score="dos", exceptions="hard", **DOS_MATCH),
    "dos-easy": _old_program(game="spider-4", score="dos", exceptions="easy", **DOS_MATCH),
    # Text 4: one or two suits, and automatic removal.
    "serenity-1": _old_program(game="spider-1"),
    "serenity-2": _old_program(game="spider-2"),
    # Spider of Windows: two suits, undo of everything, and hints with H.
    "windows": _old_program(game="spider-2", score="moves", undo="any", hints=True),
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
    """Return what a settings form needs of a game."""
    all_removed = rate_woods_win(
        turned=variant.face_down,
        open_columns=variant.covered_columns,
        suits=variant.foundations,
        on_table=0,
    )
    return GameInfo(
        id=variant.id,
        family=variant.family,
        cards=variant.cards,
        columns=variant.columns,
        dealt=variant.cards - variant.stock,
        face_down=variant.face_down,
        stock=variant.stock,
        all_removed=all_removed if "woods" in variant.scores else None,
        scores=variant.scores,
        layouts=variant.layouts,
        options=tuple(sorted(variant.options)),
    )
