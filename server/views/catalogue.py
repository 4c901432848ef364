"""What can be played here: the games, and settings under one name for each old program."""

from protocol.http import Catalogue, GameInfo, Preset
from protocol.settings import Settings
from server.games.catalogue import GAMES

PRESETS = {
    "friends": Settings(),
    # Texts 1 and 2: by hand, Woods' score, and everything can be taken back. Text 1's program
    # counts that as cheating; text 2 says in section 9 that its program does not.
    "classic": Settings(undo="any", ranking="best_score"),
    "arachnid": Settings(undo="free"),
    # Text 3: a card of six games, at level 2 or 1.
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
    # Text 4: one or two suits, and complete ones leave by themselves.
    "serenity-1": Settings(game="spider-1", auto_remove=True),
    "serenity-2": Settings(game="spider-2", auto_remove=True),
    # Known from there: two suits, all can be taken back, and H shows a move.
    "windows": Settings(game="spider-2", auto_remove=True, score="moves", undo="any", hints=True),
    # Text 5.
    "spiderette": Settings(game="spiderette-4"),
    "little-spider": Settings(game="little-spider", score="cards"),
}


def catalogue() -> Catalogue:
    """Everything that a settings form must know."""
    return Catalogue(
        games=tuple(
            GameInfo(
                id=variant.id,  # type: ignore[arg-type]  # the engine's ids are the protocol's
                scores=variant.scores,
                layouts=variant.layouts,
                options=tuple(sorted(variant.options)),
            )
            for variant in GAMES.values()
        ),
        presets=tuple(Preset(id=name, settings=settings) for name, settings in PRESETS.items()),
    )
