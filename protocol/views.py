"""Views of rooms, tables and standings. Times are in milliseconds, by the clock of Redis."""

from collections.abc import Mapping
from operator import not_
from typing import TYPE_CHECKING, Any, Literal, Required

from pydantic import ConfigDict, Field
from typing_extensions import TypedDict  # pydantic needs it before Python 3.12

from protocol import vocabulary
from protocol.base import CardName, HiddenPile, LegalActions, Model
from protocol.games import GameId
from protocol.settings import Settings


class SeatView(Model):
    """One seat of a room. `wins` counts the races against people that it has won in this room.

    A computer player that the host has added has a `level`, and its kind is `program`. `stand_in`
    is the strength of the computer player that plays at the seat for its owner, who is gone.
    `colour` is the same in all views.
    `forfeits_at` is when its held `forfeit` becomes final (milliseconds since the epoch).
    """

    seat: int
    name: str
    role: vocabulary.Role
    state: vocabulary.SeatState
    connection: vocabulary.Presence
    wins: int
    kind: vocabulary.SeatKind = "person"
    level: vocabulary.BotLevel | None = Field(default=None, exclude_if=not_)
    colour: vocabulary.SeatColour | None = Field(default=None, exclude_if=not_)
    stand_in: vocabulary.BotLevel | None = Field(default=None, exclude_if=not_)
    forfeits_at: int | None = Field(default=None, exclude_if=not_)


class WaitingView(Model):
    """A person who waits for admission by the host."""

    seat: int
    name: str
    role: vocabulary.Role
    kind: vocabulary.SeatKind = "person"


class RoundView(Model):
    """The round that is counting down, running or just over.

    `game` is the number of its game on the match's card, from 1.
    `t0`, `t_end` and `ended` are times since the epoch; `t_end` is null without a time limit, and
    `ended` until the round is over.
    `commitment` is SHA-256(seed || salt) in hex of a secret deal, null for an open one.
    `programs` are the seats of its players that are programs, even if they have left.
    `winnable` is true if the server knows a win, false if it was to be so and the server had none,
    and null of any other deal. `Reveal.proof` has that win.
    `degree` is how hard the deal was for the server's solver, null if no win is known.
    `cards` are those of `create` that the round deals again; those of a game that is continued are
    followed by `+ACTS`. A game of today's race has a `key`, which shows the board of the day once
    the game is over. Of a `secret` round nothing is revealed at its end: its deal is that of a day
    which is not over. While it is `nameless` its player may `sign` it.
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

    `score` is what the game adds to the total: 0 under the `moves` score if it was given up, or
    had no act. `is_win` is true for a win of the round, which a first place of such a game is not.
    `has_acted` is false of a game without an act.
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


class PlayerCard(Model):
    """One player's score card: totals, and one line a round, null if the player was not ranked.

    `place` is null for a player without any line, a chaser for example.
    """

    seat: int
    name: str
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
    and the lines of `cards` list the rounds played, in the order of play: `n` their numbers in
    the room, `games` their variants, and `numbers` their games on the card, from 1. Of a game
    that was played again the last time counts. `over` is true if all games of the card are
    played. `winners` are the seats that have won the match, none before it is over. A player wins
    it only with a game that had an act and was not given up, and nobody wins a match of which no
    round has a winner.
    """

    rounds: int
    n: tuple[int, ...]
    games: tuple[GameId, ...]
    numbers: tuple[int, ...]
    cards: tuple[PlayerCard, ...]
    over: bool
    winners: tuple[int, ...] = ()


class KeptView(Model):
    """What a kept room says about itself; `name` may be empty.

    It has been kept since `since`, and closes at `until` unless there is another race (ms since
    the epoch). Its history has `races` rounds.
    """

    name: str
    since: int
    until: int
    races: int


class RoomView(Model):
    """The view of a room for all its members. `v` counts its events.

    `played` is the number of finished rounds of the match. `match` is null before the end of the
    first, and if its cards are too many to be part of the room: the `match` message has them then.
    `next_game` is the game of the match's card that comes next: the host's choice, or the lowest
    game not yet played. It is null while a round is running, and when all games are played.
    `waiting` lists the people who wait for admission, in order of arrival; the room that is sent
    to them has no seat but the host's. `kept` is left out unless the room is a kept table.
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

    `piles` are in the order of the game's piles: `protocol/games.py`, `x-piles` of AsyncAPI.
    `at` is the number of log entries applied, `last_id` the highest `id` of an act among
    them, `elapsed_ms` the player's time at the last of them. A chaser's own game, or one in a
    window, began `late_ms` after t0. `stuck` is the reason why no move,
    deal or removal is left, or null.
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
    """One row of the leaderboard. Equal players share a place; `place` is null off the ranking.

    `finished_ms` and `gained_ms` are the times of the end and of the last gain, since t0 or, for
    a chaser and in a window, since the player began, `late_ms` after t0. `restored` counts the
    acts that the store had lost and the player's client has sent again. `stand_in` is the strength
    of the computer player that has played a part of the game, which is then off the ranking.
    `has_acted` is false before the first act: such a player wins nothing.
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
    """What decides that a seat ranks above the next one, although their main stats are equal."""

    seat: int
    by: vocabulary.TieBreaker


class ColouredSeat(Model):
    """The colour of a seat in a round, which its owner may have left."""

    seat: int
    colour: vocabulary.SeatColour


if TYPE_CHECKING:
    StandingChange = Mapping[str, Any]
else:
    StandingChange = TypedDict(
        "StandingChange", {**Standing.__annotations__, "seat": Required[int]}, total=False
    )
    StandingChange.__doc__ = (
        "The changed fields of one row of the leaderboard, and its seat; all fields of a new "
        "row.\n\nOnly new rows have a `place`, which is that in `order`, and `gained_ms`, which "
        "only ranks."
    )
    # All other models send their defaults; here a field without a change is left out.
    StandingChange.__pydantic_config__ = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"required": ["seat"]}
    )


class Reveal(Model):
    """The deal of a finished round, which anyone can check.

    `deck` is all cards in the order of dealing. For a secret deal `seed` and `salt` are hex
    and SHA-256(seed || salt) is `commitment`; an open deal has only its `number` or its `seed`.
    `proof` is a line of actions that wins it by the rules of the room, if one was known before the
    race, and `degree` how hard that was to find for the server's solver. Of the deal of a day
    there is only the `commitment` until the day is over.
    """

    deal: vocabulary.DealSource
    number: int | None
    seed: str | None
    salt: str | None
    commitment: str | None
    deck: tuple[CardName, ...]
    proof: LegalActions | None = None
    degree: vocabulary.Degree | None = Field(default=None, exclude_if=not_)
