"""What the host of a room chooses. Every field may be left open: `{}` is the friends' race."""

from typing import Annotated, Any, Literal

from pydantic import Field

from protocol.base import Model
from protocol.vocabulary import (
    HIGHEST_NUMBER,
    MAX_BOARD_DELAY_S,
    MAX_PLAYERS,
    MAX_ROUNDS,
    SEED_PATTERN,
    DealSource,
    Exceptions,
    GameId,
    Layout,
    Score,
    UndoPolicy,
)

ABOUT_PEOPLE = ("public", "locked", "max_players", "one_seat", "approve")
"""Settings about people, which are part of no preset and can be changed at any time.

They change no rule: nobody has to be ready again after them.
"""


def _without_default(schema: dict[str, Any]) -> None:
    schema.pop("default", None)


def _fitting(about: str) -> Any:
    """A field whose value, where it is left open, is one that fits the fields that are chosen."""
    return Field(description=about, json_schema_extra=_without_default)


class Settings(Model):
    """The rules of a room's rounds; texts and their sources stand in RULES.md.

    Every field may be left open. `deal`, `layout`, `undo` and `score` then get a value that fits
    the fields that are chosen, where their defaults do not; chosen fields that clash are refused.
    What the server sends is always complete.

    `deal`: `secret` draws a seed for every round; `numbered` plays PySolFC's deal `number`, and
    the next ones in the other games of a match (one is drawn where it is null); `seed` plays the
    deal of a `seed` of 16 bytes, in hex, that has been revealed. Only `secret` is not open.
    `undo`: `no_reveal` takes back the moves that showed no card; `any` takes back everything and
    counts each turned card or deal that is taken back as a cheat, for all to see; `free` takes
    back everything and counts nothing.
    `hints`: players can ask for a move as often as they like; hints are counted for all to see.
    `chasers`: latecomers may play the same deal, unranked, on a clock of their own.
    They see cards that racers have not turned yet.
    `cheats`: take-backs of a turned card or a deal, under `undo: any`. They are `shown` only, a
    `tie` is broken by fewer of them, or games with any are `out`: below the clean ones of their
    group.

    The last five are about the people, not the game; the host may change them at any time.
    `locked`: nobody new may join. `max_players`: newcomers beyond it may only watch. `one_seat`:
    each network and each browser may have one seat. `approve`: newcomers wait until the host
    agrees.
    """

    game: GameId = "spider-4"
    deal: Annotated[
        DealSource,
        _fitting("Left open: numbered with a number, seed with a seed, else secret."),
    ] = "secret"
    number: Annotated[int, Field(ge=1, le=HIGHEST_NUMBER)] | None = None
    seed: Annotated[str, Field(pattern=SEED_PATTERN)] | None = None
    layout: Annotated[
        Layout,
        _fitting("Left open: spread for a numbered deal of Spider, as in PySolFC, else left4."),
    ] = "left4"
    auto_remove: bool = False
    relaxed_deal: bool = False
    exceptions: Exceptions = "off"
    undo: Annotated[
        UndoPolicy,
        _fitting("Left open: off under the DOS score, else no_reveal."),
    ] = "no_reveal"
    hints: bool = False
    score: Annotated[
        Score,
        _fitting("Left open: the first of the scores of the game, see the catalogue."),
    ] = "woods"
    ranking: Literal["first_home", "best_score"] = "first_home"
    rounds: Annotated[int, Field(ge=1, le=MAX_ROUNDS)] = 1
    match_ranking: Literal["wins", "score"] = "wins"
    chasers: bool = False
    cheats: Literal["shown", "tie", "out"] = "shown"
    time_limit_s: Annotated[int, Field(ge=10, le=86_400)] | None = 1800
    spectate: Literal["standings", "boards"] = "standings"
    board_delay_s: Annotated[int, Field(ge=0, le=MAX_BOARD_DELAY_S)] = 60
    public: bool = False
    locked: bool = False
    max_players: Annotated[int, Field(ge=1, le=MAX_PLAYERS)] = MAX_PLAYERS
    one_seat: bool = False
    approve: bool = False
