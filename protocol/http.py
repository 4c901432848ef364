"""The JSON documents that are served over plain HTTP."""

from operator import not_
from typing import Annotated, Literal

from pydantic import Field

from protocol import vocabulary
from protocol.base import ActionText, HiddenPile, Model, PileName
from protocol.games import GameId
from protocol.settings import Settings
from protocol.views import ColouredSeat, OfSeat, Reveal, Standing, TableSnapshot, TieBreak


class SeatLogEntry(Model):
    """One action, and its time."""

    action: ActionText
    ms: Annotated[int, Field(ge=0)]


class SeatLog(OfSeat):
    """One player's log of a round, in milliseconds since t0; a chaser started at `late_ms`."""

    late_ms: int | None
    log: tuple[SeatLogEntry, ...]


class RoundResult(Model):
    """The result of a finished round. Every document about such a round starts with it."""

    room: str
    n: int
    settings: Settings
    t0: int
    ended: int
    reveal: Reveal
    ranking: tuple[Standing, ...]
    winners: tuple[int, ...] = ()
    tie_breaks: tuple[TieBreak, ...] = ()
    programs: tuple[int, ...] = ()
    colours: tuple[ColouredSeat, ...] = ()


class FinishedRound(RoundResult):
    """A finished round, with everything needed to check and replay it.

    `winners`, `tie_breaks` and `colours` are as in `round_over`, `programs` the seats of programs.
    """

    players: tuple[SeatLog, ...]


class Step(Model):
    """One act of a replay: its time, the piles that it changed, and the state after it."""

    ms: Annotated[int, Field(ge=0)]
    action: ActionText
    piles: dict[PileName, HiddenPile]
    score: int
    moves: int
    suits: int
    home: int
    face_down: int


class Replay(OfSeat):
    """One player's game of a finished round: the dealt table, and every act.

    `acts` is the number of acts. A game of thousands of acts skips to its end: its last step shows
    all piles, and the steps before it are left out.
    """

    start: TableSnapshot
    acts: int
    steps: tuple[Step, ...]


class Course(OfSeat):
    """One player's score over time: from `ms[i]` on `score[i]`, with `suits[i]` suits."""

    ms: tuple[int, ...]
    score: tuple[int, ...]
    suits: tuple[int, ...]


class RoundCourse(RoundResult):
    """The result of a finished round as in `FinishedRound`, with the courses of all players."""

    courses: tuple[Course, ...]


class GameReview(OfSeat):
    """The review of a game that was not won.

    Times are milliseconds since t0, or since the game's own start with `window_s`. Until
    `known_ms` it could still be won, in `acts` more acts; null if no win was found. From `lost_ms`
    on it could not; null if that is not proved. With `to_the_end` the game ended at `known_ms`.
    """

    known_ms: Annotated[int, Field(ge=0)] | None
    to_the_end: bool
    lost_ms: Annotated[int, Field(ge=0)] | None
    acts: Annotated[int, Field(ge=0)]


class RoundReview(Model):
    """The review of a finished round, which the server makes afterwards, game by game.

    It is `waiting` until the server starts, and `done` once no more games will follow: at once if
    there is nothing to review, or the server makes no reviews. Games that were won or not played
    are left out. `missing` are the seats whose games were not reviewed, once it is `done`.
    """

    room: str
    n: int
    state: Literal["waiting", "running", "done"]
    games: tuple[GameReview, ...]
    missing: tuple[int, ...]


class PublicRoom(Model):
    """A room that its host has listed publicly; in a `full` one newcomers can only watch.

    `running_ms` is the time since the start of the running race, or null without one.
    """

    code: str
    state: vocabulary.RoomState
    game: GameId
    host: str
    players: int
    full: bool
    running_ms: Annotated[int, Field(ge=0)] | None = None


class Invitation(PublicRoom):
    """A room as shown to people who have its code and have not joined.

    Without a host, `host` is empty. In a `full` room newcomers can only watch, in a `locked` one
    nobody new can join, and in one with `approve` the host decides. Programs may join if
    `programs` is true. With `chasers`, latecomers may play the running race unranked. A room that
    is not `watchable` has no space for spectators either. The `colour` is the host's. `window_end`
    (ms since the epoch) is when the running race stops letting players start, if they start when
    they like. A `kept` room also names the people who are `here` now.
    """

    locked: bool
    approve: bool
    chasers: bool
    watchable: bool
    programs: bool = True
    colour: vocabulary.SeatColour | None = None
    window_end: int | None = Field(default=None, exclude_if=not_)
    kept: bool = Field(default=False, exclude_if=not_)
    here: tuple[str, ...] = Field(default=(), exclude_if=not_)


class OfTableSeat(OfSeat):
    """The base of rows about a seat at a kept table."""

    colour: vocabulary.SeatColour


class TableMember(OfTableSeat):
    """A person with a seat at a kept table: `here` now, or away since `last_ms`."""

    here: bool
    last_ms: int | None


class TableRow(OfTableSeat):
    """A player's result in a round at a kept table; `place` is null if it was not ranked.

    `ms` is the player's time to the end of the game, or null. A computer player has a `level`. The
    name of a person who was forgotten is empty.
    """

    place: int | None
    state: vocabulary.SeatState
    won: bool
    ms: int | None
    score: int
    suits: int
    moves: int
    level: vocabulary.BotLevel | None = Field(default=None, exclude_if=not_)
    flags: tuple[vocabulary.RowFlag, ...] = ()


class TableRound(Model):
    """A finished round at a kept table, with its rules in brief and its rows in order.

    It is `counted` in the standings unless there is a reason `why` not. With `replay` true its
    result, replays and ghosts are still stored.
    """

    n: int
    ended: int
    game: GameId
    time_limit_s: int | None
    window_s: int | None
    score: vocabulary.Score
    deal: vocabulary.DealSource
    counted: bool
    why: vocabulary.NotCounted
    replay: bool
    rows: tuple[TableRow, ...]


class MemberStanding(OfTableSeat):
    """How a person has done in one game at a kept table.

    `average` is the average place. `best_ms` is null until they win a game, and `best_score` until
    they end one. `form` has their places in the last ten races, the oldest first.
    """

    races: int
    wins: int
    podiums: int
    average: float
    best_ms: int | None
    best_score: int | None
    form: tuple[int, ...]


class Pair(Model):
    """Two people in all races of a game that both have played; `a` has the lower seat number.

    `a` had the better place in `ahead` races, `b` in `behind`. `widest_a` is the largest lead of
    `a`, in ms, when both won; null if `a` never had one. `last` says who was ahead in the last ten
    races, the oldest first: null for a shared place.
    """

    a: int
    b: int
    races: int
    ahead: int
    behind: int
    average_a: float
    average_b: float
    best_a: int | None
    best_b: int | None
    widest_a: int | None
    widest_b: int | None
    last: tuple[int | None, ...]


class GameStandings(Model):
    """The standings of one game at a kept table, best first, and the record of each pair."""

    game: GameId
    rows: tuple[MemberStanding, ...]
    pairs: tuple[Pair, ...]


class TableHistory(Model):
    """A kept table: its members, its latest rounds (newest first), and its standings by game."""

    room: str
    name: str
    since: int
    until: int
    members: tuple[TableMember, ...]
    rounds: tuple[TableRound, ...]
    standings: tuple[GameStandings, ...]


class NumberedDeal(Model):
    """The numbered deal that a room plays next, or now, and whether it can be won.

    The label holds for the rules of the room: `winnable` if a win is known, `unwinnable` if it is
    proved to have no win. `searching` is true if it is worth asking again in some seconds.
    """

    number: int
    label: vocabulary.DealLabel
    searching: bool


class DayGame(Model):
    """A game of a day: the hash of its deal, and how many players have started it.

    `commitment` is null until the deal is chosen, and `players` is 0 until the day starts.
    """

    game: vocabulary.DayGameId
    commitment: str | None
    degree: str = ""
    players: int = 0


class Days(Model):
    """Today's race, the next one, and the past days whose cards can be played.

    `now` and `ends` are milliseconds since the epoch. Days are in UTC. A new server has no `games`
    and no `next` until it has chosen their deals.
    """

    day: str
    now: int
    ends: int
    games: tuple[DayGame, ...]
    next: tuple[DayGame, ...]
    past: tuple[str, ...]


class DayRow(Model):
    """A row of a day's board. `entry` names its game; equal games share a place.

    `ms` is the time to the end of the game, null if the player gave up or ran out of time. A
    computer player's row has its `level`, which is also its `name`, and the `place` 0.
    """

    place: int
    entry: str
    name: str
    kind: vocabulary.SeatKind
    state: vocabulary.SeatState
    won: bool
    ms: int | None
    score: int
    moves: int
    suits: int
    level: vocabulary.BotLevel | None = Field(default=None, exclude_if=not_)


class DaySpread(Model):
    """How the results of a day's game are distributed.

    `finished[i]` counts the games won in half minute `i`, starting at 0, without zeros at the end.
    `suits[n]` counts the games that ended without a win, with `n` suits home.
    """

    finished: tuple[int, ...] = ()
    suits: tuple[int, ...] = ()


class DayBoard(Model):
    """The board of a game of a day: `rows` from rank `first` on, and those `around` yours.

    Until the day is over, only players who have finished see more than `players`, the number who
    have started. Their requests have the `key` of their game. Without a key, or with a wrong one,
    the board looks as if nobody had finished. `own` is the entry that belongs to the key. `spread`
    counts all `finished` games, even those without a row here. `computers` are the rows of
    computer players that have played the deal, best first; no count includes them.
    """

    day: str
    game: vocabulary.DayGameId
    over: bool
    players: int
    finished: int = 0
    won: int = 0
    rows: tuple[DayRow, ...] = ()
    around: tuple[DayRow, ...] = ()
    own: str = ""
    spread: DaySpread = DaySpread()
    computers: tuple[DayRow, ...] = ()


class ComputerGame(Model):
    """A computer player's game of a day, `ended_ms` long; its score over time as in `Course`."""

    level: vocabulary.BotLevel
    entry: str
    won: bool
    state: vocabulary.SeatState
    ended_ms: Annotated[int, Field(ge=0)]
    moves: int
    ms: tuple[int, ...]
    score: tuple[int, ...]
    suits: tuple[int, ...]


class DayComputers(Model):
    """The computer players' games of a day, if any; everybody may see them once it has started."""

    day: str
    game: vocabulary.DayGameId
    computers: tuple[ComputerGame, ...] = ()


class PublicRooms(Model):
    """The rooms on the front page, newest first. Rooms beyond their network's share come last.

    `computers` is false if the server has no computer players.
    """

    rooms: tuple[PublicRoom, ...]
    computers: bool = True


class GameInfo(Model):
    """A game of the catalogue, with the values of settings that it supports.

    Games of one `family` differ only in their number of suits. Of its `cards`, `dealt` start on
    `columns` columns, `face_down` of these face down, and `stock` in the stock. `all_removed` is
    the score of a game whose suits are all removed under the `woods` score, if it has that score.
    `scores` and `layouts` list the usual value first (the layout of secret deals). `options` are
    the other settings that it supports, of `auto_remove`, `relaxed_deal` and `exceptions`.
    """

    id: GameId
    family: str
    cards: int
    columns: int
    dealt: int
    face_down: int
    stock: int
    all_removed: int | None
    scores: tuple[vocabulary.Score, ...]
    layouts: tuple[vocabulary.Layout, ...]
    options: tuple[str, ...]


class Preset(Model):
    """Settings with a name."""

    id: str
    settings: Settings


class Catalogue(Model):
    """The games and the presets of settings."""

    games: tuple[GameInfo, ...]
    presets: tuple[Preset, ...]


_OfDays = (DayBoard, DayComputers, Days)
_OfRooms = (Catalogue, *_OfDays, FinishedRound, Invitation, NumberedDeal, PublicRooms)
_OfRounds = (Replay, RoundCourse, RoundReview, TableHistory)
HTTP_MODELS = (*_OfRooms, *_OfRounds)  # all other models are parts of them
