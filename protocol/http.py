"""What is served over plain HTTP, as JSON."""

from typing import Annotated

from pydantic import Field

from protocol.base import Model
from protocol.settings import Settings
from protocol.views import PileView, Reveal, Standing, TableView
from protocol.vocabulary import GameId, Layout, RoomState, Score


class LogEntry(Model):
    """One action, in the text notation (`t9x1-t4`, `deal`, `undo`...), and when it was made."""

    action: str
    ms: Annotated[int, Field(ge=0)]


class PlayerLog(Model):
    """All that one player did in a round; a chaser began `late_ms` after t0.

    The times of the log are milliseconds since t0 for everybody.
    """

    seat: int
    name: str
    late_ms: int | None
    log: tuple[LogEntry, ...]


class FinishedRound(Model):
    """A round that is over, with all that is needed to check and replay it."""

    room: str
    n: int
    settings: Settings
    t0: int
    ended: int
    reveal: Reveal
    ranking: tuple[Standing, ...]
    players: tuple[PlayerLog, ...]


class Step(Model):
    """One act of a replay: when and what, the piles that it changed, and what was so then."""

    ms: Annotated[int, Field(ge=0)]
    action: str
    piles: tuple[PileView, ...]
    score: int
    moves: int
    suits: int
    home: int
    face_down: int


class Replay(Model):
    """One player's game of a round that is over: the table as it was dealt, and every act.

    `acts` is how many there were. Of a game of thousands the last step is its end, with all
    piles, and what was before it is left out.
    """

    seat: int
    name: str
    start: TableView
    acts: int
    steps: tuple[Step, ...]


class Course(Model):
    """How one player's score went: from `ms[i]` on it was `score[i]`, with `suits[i]` home."""

    seat: int
    name: str
    ms: tuple[int, ...]
    score: tuple[int, ...]
    suits: tuple[int, ...]


class RoundCourse(Model):
    """A round that is over: how it ended, and how everybody came there."""

    room: str
    n: int
    settings: Settings
    t0: int
    ended: int
    reveal: Reveal
    ranking: tuple[Standing, ...]
    courses: tuple[Course, ...]


class PublicRoom(Model):
    """A room that its host has listed for everybody."""

    code: str
    state: RoomState
    game: GameId
    host: str
    players: int


class PublicRooms(Model):
    """The rooms on the front page, newest first."""

    rooms: tuple[PublicRoom, ...]


class GameInfo(Model):
    """What a game of the catalogue knows: the values of settings that go with it.

    `scores` and `layouts` have the usual one first (of layouts: the usual one of secret deals);
    `options` are the names of the other settings that it knows (`auto_remove`, `relaxed_deal`,
    `exceptions`).
    """

    id: GameId
    scores: tuple[Score, ...]
    layouts: tuple[Layout, ...]
    options: tuple[str, ...]


class Preset(Model):
    """Settings under one name."""

    id: str
    settings: Settings


class Catalogue(Model):
    """What can be played."""

    games: tuple[GameInfo, ...]
    presets: tuple[Preset, ...]
