"""The stats of a player as the store keeps them: a JSON text that is made for each act."""

from typing import Final

from pydantic import TypeAdapter

from protocol.vocabulary import Outcome
from server.games.effects import Counts
from server.games.game import Game
from server.rooms.record import PlayerStats

_WON: Final = Outcome.WON
_VALIDATOR: Final = TypeAdapter(PlayerStats).validator


def write_stats(game: Game, restored: int, counts: Counts) -> str:
    """Return `stats_of` in `rounds.py` as JSON, made without the model.

    `counts` are those of the game, which the caller has already. Times and hints are missing:
    the store has them.
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


def read_stats(
    stats_json: str, hints: int, gained_ms: int, finished_ms: int | None
) -> PlayerStats:
    """Return the stats of a text of `write_stats`, completed by what the store counts.

    Raises:
        ValueError: the text is none of this release.
    """
    finished = "null" if finished_ms is None else finished_ms
    # To parse the text first and make a model of all fields would take twice as long.
    text = f'{stats_json[:-1]},"hints":{hints},"gained_ms":{gained_ms},"finished_ms":{finished}}}'
    stats: PlayerStats = _VALIDATOR.validate_json(text)
    return stats


def counted_on_table(game: Game) -> int:
    """Return the complete suits in the columns, for the score that ranks by them; else 0."""
    return game.suits_on_table if game.rules.score == "moves" else 0
