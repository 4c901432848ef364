"""The catalogue: the games, and presets of settings, most of them named for old programs."""

from protocol.http import Catalogue, GameInfo, Preset
from protocol.settings import Settings
from server.games.catalogue import GAMES

PRESETS = {
    "friends": Settings(),
    # Texts 1 and 2: removal by hand, Woods' score, and undo of everything. Text 1's program
    # counts undo as cheating; text 2's program does not (section 9).
    "classic": Settings(undo="any", ranking="best_score"),
    "arachnid": Settings(undo="free"),
    # Text 3: a match of six games, at level 2 or 1.
    "dos-hard": Settings(
        score="dos",
        exceptions="hard",
        undo="off",
        ranking="best_score",
        rounds=6,
        match_ranking="score",
    ),
    "dos-easy": Settings(
        score="dos",
        exceptions="easy",
        undo="off",
        ranking="best_score",
        rounds=6,
        match_ranking="score",
    ),
    # Text 4: one or two suits, and automatic removal.
    "serenity-1": Settings(game="spider-1", auto_remove=True),
    "serenity-2": Settings(game="spider-2", auto_remove=True),
    # Spider of Windows: two suits, undo of everything, and hints with H.
    "windows": Settings(game="spider-2", auto_remove=True, score="moves", undo="any", hints=True),
    # Text 5.
    "spiderette": Settings(game="spiderette-4"),
    "little-spider": Settings(game="little-spider", score="cards"),
}


def catalogue() -> Catalogue:
    """Return the catalogue that a settings form is made from."""
    return Catalogue(
        games=tuple(
            GameInfo(
                id=variant.id,  # type: ignore[arg-type]  # the ids of variants are those of the protocol
                scores=variant.scores,
                layouts=variant.layouts,
                options=tuple(sorted(variant.options)),
            )
            for variant in GAMES.values()
        ),
        presets=tuple(Preset(id=name, settings=settings) for name, settings in PRESETS.items()),
    )
