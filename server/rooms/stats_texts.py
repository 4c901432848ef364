"""The stats of a player as the store keeps them: a text that is made for each act."""

from typing import Final

from server.games.game import Counts, Game, Outcome

_WON: Final = Outcome.WON


def stats_text(game: Game, restored: int, counts: Counts) -> str:
    """Return `stats_of` in `rounds.py` as JSON for the store, made without the model.

    `counts` are those of the game, which the caller has already.
    """
    won = "true" if game.outcome is _WON else "false"
    complete = counted_on_table(game)
    on_table = f'"on_table":{complete},' if complete else ""
    unplayed = "" if game.at else ',"has_acted":false'
    return (
        f'{{"score":{game.score},"moves":{counts.moves},"suits":{counts.suits},'
        f'"home":{counts.home},"face_down":{counts.face_down},"cheats":{counts.cheats},'
        f'"exceptions":{counts.exceptions},"restored":{restored},{on_table}"won":{won}{unplayed}}}'
    )


def counted_on_table(game: Game) -> int:
    """Return the complete suits in the columns, for the score that ranks by them; else 0."""
    return game.suits_on_table if game.rules.score == "moves" else 0
