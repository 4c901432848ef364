"""What the server says. Clients ignore types they do not know."""

from typing import Literal

from protocol.actions import Action, CardName, PileName
from protocol.base import Model
from protocol.views import (
    Counts,
    MatchView,
    PileView,
    Reveal,
    RoomView,
    SeatView,
    Standing,
    TableView,
)
from protocol.vocabulary import Emote, ErrorCode, Outcome, Role, SettingsClash


class Joined(Model):
    """Who you are. `token` opens your seat again; it is told once, and null on `resume`."""

    type: Literal["joined"] = "joined"
    seat: int
    role: Role
    token: str | None
    room: RoomView
    now: int


class Room(Model):
    """The whole room, sent on every change that `changes` does not cover."""

    type: Literal["room"] = "room"
    room: RoomView


class Changes(Model):
    """What has changed in a room of many seats since the latest `joined`, `room` or `changes`.

    `seats` holds the new seats and those that are different now, `gone` the numbers of those
    that are no longer there. Everything else of the room is as it was, but for `v` and `host`.
    """

    type: Literal["changes"] = "changes"
    v: int
    host: int | None
    seats: tuple[SeatView, ...]
    gone: tuple[int, ...]


class Match(Model):
    """The cards of the match, at the end of a round and when asked for; null before the first.

    They come with the room where they are few.
    """

    type: Literal["match"] = "match"
    match: MatchView | None


class Table(Model):
    """A full snapshot of one table."""

    type: Literal["table"] = "table"
    table: TableView


class Acted(Model):
    """Your act is stored and applied: the piles that changed, and what is legal now."""

    type: Literal["acted"] = "acted"
    id: int
    at: int
    piles: tuple[PileView, ...]
    score: int
    counts: Counts
    legal: tuple[Action, ...]
    outcome: Outcome | None
    stuck: str | None
    elapsed_ms: int


class Hinted(Model):
    """What to do at entry `at` of your log, by what you can see; it is your `hints`-th hint.

    The count is stored before it is told, and everybody sees it in the standings.
    """

    type: Literal["hinted"] = "hinted"
    at: int
    action: Action
    hints: int


class RefusalDetails(Model):
    """The things in question: cards and piles of the table, or fields of the settings.

    `reason` says why settings do not go together.
    """

    cards: tuple[CardName, ...] = ()
    piles: tuple[PileName, ...] = ()
    fields: tuple[str, ...] = ()
    reason: SettingsClash | None = None


class Refused(Model):
    """The command was understood and not done; nothing has changed.

    `id` and `at` belong to acts: the refused one, and how many entries the log has. `table`
    comes along where the client's own table can no longer be trusted.
    """

    type: Literal["refused"] = "refused"
    command: str
    code: ErrorCode
    details: RefusalDetails = RefusalDetails()
    id: int | None = None
    at: int | None = None
    table: TableView | None = None


class Standings(Model):
    """The leaderboard, best first."""

    type: Literal["standings"] = "standings"
    now: int
    standings: tuple[Standing, ...]


class Links(Model):
    """Where the finished round can be read: as JSON, and as a text file to keep."""

    round: str
    text: str


class RoundOver(Model):
    """The round has ended: the final ranking, and the deal laid open."""

    type: Literal["round_over"] = "round_over"
    n: int
    ranking: tuple[Standing, ...]
    reveal: Reveal
    links: Links


class Said(Model):
    """Somebody has said something; `v` is its number among the room's events."""

    type: Literal["said"] = "said"
    v: int
    seat: int
    name: str
    text: str | None
    emote: Emote | None


class Pong(Model):
    """The answer to `ping`: its `t`, the server's clock, and the room's latest event."""

    type: Literal["pong"] = "pong"
    t: float
    now: int
    v: int


class Error(Model):
    """A message was not understood; `where` names the field. The third one closes the socket."""

    type: Literal["error"] = "error"
    code: ErrorCode
    where: str


ServerMessage = (
    Joined
    | Room
    | Changes
    | Match
    | Table
    | Acted
    | Hinted
    | Refused
    | Standings
    | RoundOver
    | Said
    | Pong
    | Error
)
