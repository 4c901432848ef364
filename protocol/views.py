"""Views of rooms, tables and standings. Times are in milliseconds, by the clock of the store."""

from collections.abc import Mapping
from operator import not_
from typing import TYPE_CHECKING, Any, Literal, Required

from pydantic import ConfigDict, Field
from typing_extensions import TypedDict  # pydantic needs it before Python 3.12

from protocol import vocabulary
from protocol.base import CardName, HiddenPile, LegalActions, Model
from protocol.games import GameId
from protocol.settings import Settings


class OfSeat(Model):
    """The base of parts about one seat, with its number and the name of its player."""

    seat: int
    name: str


class SeatView(OfSeat):
    """One seat of a room. `wins` counts the races against people that it has won in this room.

    A computer player added by the host has a `level` and the kind `program`. `stand_in` is the
    strength of the computer player that plays for the seat's absent owner. `colour` is the same in
    all views. `forfeits_at` is when its held `forfeit` becomes final (ms since the epoch).
    """

    role: vocabulary.Role
    state: vocabulary.SeatState
    connection: vocabulary.Presence
    wins: int
    kind: vocabulary.SeatKind = "person"
    level: vocabulary.BotLevel | None = Field(default=None, exclude_if=not_)
    colour: vocabulary.SeatColour | None = Field(default=None, exclude_if=not_)
    stand_in: vocabulary.BotLevel | None = Field(default=None, exclude_if=not_)
    forfeits_at: int | None = Field(default=None, exclude_if=not_)


class WaitingView(OfSeat):
    """A person waiting for the host to admit them."""

    role: vocabulary.Role
    kind: vocabulary.SeatKind = "person"


class RoundView(Model):
    """The round that is counting down, running or just over.

    `game` is the number of its game on the match's card, from 1. `t0`, `t_end` and `ended` are
    times since the epoch; `t_end` is null without a time limit, `ended` until the round is over.
    For a secret deal, `commitment` is SHA-256(seed || salt) in hex; for an open one it is null.
    `programs` are the seats of players that are programs, even if they have left. `winnable` is
    true if the server knows a win (in `Reveal.proof`), false if it should have known one but had
    none, and null for other deals. `degree` is how hard the solver found the deal, null if no win
    is known.

    `cards` are the `cards` of `create`, if the round deals another game's cards again; they end in
    `+ACTS` if it continues that game. A game of today's race has a `key`, which shows the day's
    board once the game is over. Nothing of a `secret` round is revealed at its end: its deal
    belongs to a day that is not over. While it is `nameless` its player may `sign` it.
    """

    n: int
    game: int
    t0: int
    t_end: int | None
    ended: int | None
    commitment: str | None
    number: int | None
    programs: tuple[int, ...] = ()
    winnable: bool | None = None
    degree: vocabulary.Degree | None = Field(default=None, exclude_if=not_)
    cards: str = Field(default="", exclude_if=not_)
    key: str = Field(default="", exclude_if=not_)
    secret: bool = Field(default=False, exclude_if=not_)
    nameless: bool = Field(default=False, exclude_if=not_)


class CardLine(Model):
    """One player's result in one round of a match. `time_ms` is the time to the game's end.

    `score` is what the game adds to the total: 0 under the `moves` score if it was given up or had
    no act. `is_win` is true if it won the round, which such a game never does, even in first
    place. `has_acted` is false for a game without an act.
    """

    place: int
    score: int
    moves: int
    exceptions: int
    hints: int
    cheats: int
    time_ms: int
    won: bool
    given_up: bool = False
    is_win: bool = False
    has_acted: bool = True


class PlayerCard(OfSeat):
    """One player's score card: totals, and a line for each round, null if not ranked in it.

    `place` is null for a player without any line, such as a chaser.
    """

    lines: tuple[CardLine | None, ...]
    place: int | None
    wins: int
    score: int
    moves: int
    exceptions: int
    hints: int
    cheats: int
    time_ms: int


class MatchView(Model):
    """The current match: its rounds so far, and the cards of all players, best first.

    The card has `rounds` games, which the host may choose in any order. `n`, `games`, `numbers`
    and the lines of `cards` list the rounds in the order of play: `n` their numbers in the room,
    `games` their variants, and `numbers` their games on the card, from 1. If a game was played
    again, the last time counts. `over` is true once all games of the card are played. Then
    `winners` are the seats that have won the match. A player wins it only with a game that had an
    act and was not given up. If no round has a winner, the match has none.
    """

    rounds: int
    n: tuple[int, ...]
    games: tuple[GameId, ...]
    numbers: tuple[int, ...]
    cards: tuple[PlayerCard, ...]
    over: bool
    winners: tuple[int, ...] = ()


class KeptView(Model):
    """A kept room's own data; `name` may be empty.

    It has been kept since `since`, and closes at `until` unless there is another race (ms since
    the epoch). Its history has `races` rounds.
    """

    name: str
    since: int
    until: int
    races: int


class RoomView(Model):
    """A room as all its members see it. `v` counts its events.

    `played` is the number of finished rounds of the match. `match` is null before the first is
    over, and if it is too large to be part of the room: then the `match` message has it.
    `next_game` is the next game on the match's card: the host's choice, or the lowest one not yet
    played. It is null while a round is running, and when all games are played. `waiting` lists
    people in order of arrival until the host admits them; the room that they get has only the
    host's seat. `kept` is left out unless the room is a kept table.
    """

    code: str
    v: int
    state: vocabulary.RoomState
    settings: Settings
    host: int | None
    seats: tuple[SeatView, ...]
    round: RoundView | None
    played: int
    match: MatchView | None
    next_game: int | None
    waiting: tuple[WaitingView, ...] = ()
    kept: KeptView | None = Field(default=None, exclude_if=not_)


class CountsView(Model):
    """The counts of a game."""

    moves: int
    deals: int
    removals: int
    undos: int
    redos: int
    cheats: int
    exceptions: int
    suits: int
    home: int
    face_down: int
    stock: int


if TYPE_CHECKING:
    CountName = str
else:
    CountName = Literal[tuple(CountsView.model_fields)]


class TableSnapshot(Model):
    """One player's table, as that player may see it.

    `piles` are in the order of the game's piles: `protocol/games.py`, `x-piles` of AsyncAPI. `at`
    is the number of log entries applied, `last_id` the highest `id` of an act among them, and
    `elapsed_ms` the player's time at the last of them. A game of a chaser, or with `window_s`,
    started `late_ms` after t0. `stuck` says why no move, deal or removal is left, or is null.
    """

    seat: int
    game: GameId
    at: int
    last_id: int
    piles: tuple[HiddenPile, ...]
    legal: LegalActions
    score: int
    counts: CountsView
    elapsed_ms: int
    outcome: vocabulary.Outcome | None
    stuck: str | None
    late_ms: int = Field(default=0, exclude_if=not_)


class Standing(Model):
    """One row of the leaderboard. Equal players share a place; `place` is null if not ranked.

    `finished_ms` is when the game ended, `gained_ms` when its score last rose. They count from t0
    or, for a chaser or with `window_s`, from the player's own start `late_ms` after t0. `restored`
    counts acts that the store had lost and the client has sent again. `stand_in` is the strength
    of the computer player that has played part of the game, which is then not ranked. `has_acted`
    is false before the first act: such a player wins nothing.
    """

    seat: int
    name: str
    state: vocabulary.SeatState
    place: int | None
    score: int
    moves: int
    suits: int
    home: int
    face_down: int
    cheats: int
    exceptions: int
    hints: int
    restored: int
    won: bool
    late_ms: int | None
    finished_ms: int | None
    gained_ms: int
    stand_in: vocabulary.BotLevel | None = Field(default=None, exclude_if=not_)
    has_acted: bool = True


class TieBreak(Model):
    """Why a seat ranks above the next one, although their main stats are equal."""

    seat: int
    by: vocabulary.TieBreaker


class ColouredSeat(Model):
    """The colour of a seat in a round, even if its owner has left."""

    seat: int
    colour: vocabulary.SeatColour


if TYPE_CHECKING:
    StandingChange = Mapping[str, Any]
else:
    StandingChange = TypedDict(
        "StandingChange", {**Standing.__annotations__, "seat": Required[int]}, total=False
    )
    StandingChange.__doc__ = (
        "The seat and the changed fields of one row of the leaderboard, or all fields of a new "
        "row.\n\nOnly new rows have a `place`, which agrees with `order`, and `gained_ms`, which "
        "only ranks."
    )
    # All other models send their defaults; here unchanged fields are left out.
    StandingChange.__pydantic_config__ = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"required": ["seat"]}
    )


class Reveal(Model):
    """The deal of a finished round, which anyone can check.

    `deck` has all cards in the order of dealing. For a secret deal, `seed` and `salt` are hex, and
    SHA-256(seed || salt) is `commitment`; an open deal has only its `number` or its `seed`.
    `proof` is a line of actions that wins by the rules of the room, if one was known before the
    race, and `degree` how hard it was to find for the server's solver. A day's deal has only the
    `commitment` until the day is over.
    """

    deal: vocabulary.DealSource
    number: int | None
    seed: str | None
    salt: str | None
    commitment: str | None
    deck: tuple[CardName, ...]
    proof: LegalActions | None = None
    degree: vocabulary.Degree | None = Field(default=None, exclude_if=not_)
