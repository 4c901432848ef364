"""What is shown of rooms, tables and standings. Times are milliseconds, clocks are Redis's."""

from protocol.actions import Action, CardName, PileName
from protocol.base import Model
from protocol.settings import Settings
from protocol.vocabulary import (
    Connection,
    DealSource,
    Direction,
    Fan,
    GameId,
    Outcome,
    PileRole,
    Role,
    RoomState,
    SeatState,
)


class SeatView(Model):
    """One seat of a room."""

    seat: int
    name: str
    role: Role
    state: SeatState
    connection: Connection


class WaitingView(Model):
    """A person who has asked to join and waits for the host to agree."""

    seat: int
    name: str
    role: Role


class RoundView(Model):
    """The round that is counting down, running or just over.

    `game` is the game of the match's card that it is, from 1.
    `t0` and `t_end` are times since the epoch; `t_end` is null without a time limit.
    `commitment` is SHA-256(seed || salt) in hex of a secret deal, null for an open one.
    """

    n: int
    game: int
    t0: int
    t_end: int | None
    commitment: str | None
    number: int | None


class CardLine(Model):
    """What one player made of one round of a match. `time_ms` is until the game's end."""

    place: int
    score: int
    moves: int
    exceptions: int
    hints: int
    cheats: int
    time_ms: int
    won: bool


class PlayerCard(Model):
    """One player's score card: a line a round, null where the player was not ranked; totals.

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
    """The match of now: its rounds so far, and everybody's card, best first.

    The card has `rounds` games, which the host may choose in any order. Of each round played, in
    that order, `n` is its number in the room, `games` its rules, and `numbers` the game of the
    card that it was, from 1; the lines of `cards` have the same order. `over` says that all games
    of the card are played.
    """

    rounds: int
    n: tuple[int, ...]
    games: tuple[GameId, ...]
    numbers: tuple[int, ...]
    cards: tuple[PlayerCard, ...]
    over: bool


class RoomView(Model):
    """All of a room that everybody in it may see. `v` counts its events.

    `played` rounds of the match are over. `match` is null before the first, and where its cards
    are too many to come along with each change of the room: then the `match` message brings them.
    `next_game` is the game of the match's card that the next round will be: the one that the host
    chose, or the lowest not yet played. It is null while a round is on, and when all games are
    played. `rematch` is the code of the room in which this one goes on, once somebody has asked
    for it. `waiting` are the people that the host has not let in yet, in order of arrival;
    the room that they receive has no seat but the host's.
    """

    code: str
    v: int
    state: RoomState
    settings: Settings
    host: int | None
    seats: tuple[SeatView, ...]
    round: RoundView | None
    played: int
    match: MatchView | None
    next_game: int | None
    rematch: str | None
    waiting: tuple[WaitingView, ...] = ()


class PileView(Model):
    """One pile: `down` cards that nobody sees, then those that lie face up, bottom to top."""

    id: PileName
    down: int
    up: tuple[CardName, ...]


class TablePile(PileView):
    """A pile with all that is needed to draw it.

    `x` and `y` are its place on a grid of cards; `fan` says whether its cards lie apart, and
    `direction` whether a foundation goes up or down, in games that have both.
    """

    role: PileRole
    x: float
    y: float
    fan: Fan
    direction: Direction | None


class Counts(Model):
    """What a game has come to, in whole numbers."""

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


class TableView(Model):
    """One player's table, as that player may see it.

    `at` is the number of log entries applied, `last_id` the highest `id` of an act among
    them, `elapsed_ms` the player's time at the last of them. `stuck` says why no action is
    left, undo aside.
    """

    seat: int
    game: GameId
    at: int
    last_id: int
    piles: tuple[TablePile, ...]
    legal: tuple[Action, ...]
    score: int
    counts: Counts
    elapsed_ms: int
    outcome: Outcome | None
    stuck: str | None


class Standing(Model):
    """One line of the leaderboard. Equal keys share a place; `place` is null off the ranking.

    `finished_ms` and `gained_ms` are times since t0: of the end, and of the last gain. Of a
    chaser they are times since the chaser began, `late_ms` after t0. `restored` counts the acts
    that the store had lost and their player has given back.
    """

    seat: int
    name: str
    state: SeatState
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


class Reveal(Model):
    """The deal of a round that is over, to be checked by anyone.

    `deck` is all cards in the order of dealing. For a secret deal `seed` and `salt` are hex
    and SHA-256(seed || salt) is `commitment`; for an open one `number` or `seed` says all.
    """

    deal: DealSource
    number: int | None
    seed: str | None
    salt: str | None
    commitment: str | None
    deck: tuple[CardName, ...]
