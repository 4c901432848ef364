"""Messages to clients. Clients ignore unknown types."""

from operator import not_

from pydantic import Field

from protocol import views, vocabulary
from protocol.base import ActionText, CardName, HiddenPile, LegalActions, Message, Model, PileName


class Joined(Message):
    """Your seat, and the `room` as in `room`. `token` resumes the seat; on `resume` it is null."""

    seat: int
    role: vocabulary.Role
    token: str | None
    room: views.RoomView
    now: int


class CarryCode(Message):
    """The code that moves your seat to another device. It expires at `until`; keep it secret.

    `qr` is a QR code for the link `ORIGIN/r/ROOM#seat=CODE`: the data of an SVG path, to be
    filled, in a square of `size` units including its margin; empty if the address is unknown.
    """

    code: str
    until: int
    qr: str
    size: int


class RoomMessage(Message):
    """The whole room, sent on every change that `changes` does not cover."""

    room: views.RoomView


class Changes(Message):
    """The changes in a large room since the latest `joined`, `room` or `changes`.

    `seats` holds the new and changed seats, `gone` the numbers of removed seats. Everything else
    in the room is unchanged, except `v` and `host`.
    """

    v: int
    host: int | None
    seats: tuple[views.SeatView, ...]
    gone: tuple[int, ...]


class MatchMessage(Message):
    """The cards of the match, or null before its first round is over.

    It is the reply to `cards`, and sent at the end of a round if it is too large for the room.
    """

    match: views.MatchView | None


class TableMessage(Message):
    """A full snapshot of one table."""

    table: views.TableSnapshot


class Acted(Message):
    """Your act is stored and applied: the changed piles and counts, and all legal actions.

    Other piles and counts are as in the table at entry `at - 1`. The reply to a repeated act may
    have all of them. `outcome` and `stuck` are left out if they are null.
    """

    id: int
    at: int
    piles: dict[PileName, HiddenPile]
    score: int
    counts: dict[views.CountName, int]
    legal: LegalActions
    outcome: vocabulary.Outcome | None = Field(default=None, exclude_if=not_)
    stuck: str | None = Field(default=None, exclude_if=not_)
    elapsed_ms: int


class Hinted(Message):
    """A hint for entry `at` of your log, from what you can see; `hints` counts your hints so far.

    The count is stored first, and shown in the standings. `reason` says how the action helps.
    """

    at: int
    action: ActionText
    hints: int
    reason: vocabulary.HintReason | None = None


class Assessed(Message):
    """Whether your game is won or lost at entry `at` of your log, from what you can see.

    `outlook` is `won`, with a `line` of actions that wins, or `dead`, or `open` if neither is
    known. Rooms without `autoplay` have no `won`. A `dead` game can still score `gain` at most.
    """

    at: int
    outlook: vocabulary.Outlook
    line: LegalActions = ""
    gain: int = 0


class RefusalDetails(Model):
    """The cards, piles or fields of settings that a refusal concerns, and why settings clash."""

    cards: tuple[CardName, ...] = ()
    piles: tuple[PileName, ...] = ()
    fields: tuple[str, ...] = ()
    reason: vocabulary.SettingsClash | None = None


class Refused(Message):
    """A valid command was refused; nothing has changed.

    `id` is the refused act, `at` the number of log entries of its table. `table` is sent if the
    client's own table can no longer be trusted.
    """

    command: str
    code: vocabulary.ErrorCode
    details: RefusalDetails = RefusalDetails()
    id: int | None = None
    at: int | None = None
    table: views.TableSnapshot | None = None


class StandingsMessage(Message):
    """The whole leaderboard, best first. `number` is the number of its latest change.

    It is sent when you come in, when a round or the state of the room changes, and as the reply to
    `watch`. With `window_s` only players who have finished get it: whenever a game ends, and with
    finished games only.
    """

    number: int
    now: int
    standings: tuple[views.Standing, ...]


class StandingsChanges(Message):
    """The changes to the leaderboard since the message `number - 1`: rows in order of place.

    They cover all fields of `standings` except `gained_ms`. A client that missed a message ignores
    changes and sends `watch`. `order` lists all seats, best first, and seats that share a place in
    one list; it is left out if no place has changed. With `window_s` there are no changes.
    """

    number: int
    order: tuple[tuple[int, ...], ...] = Field(default=(), exclude_if=not_)
    changed: tuple[views.StandingChange, ...]


class Links(Model):
    """The paths of the finished round's documents: as JSON, and as a text file."""

    round: str
    text: str


class RoundOver(Message):
    """The round has ended: the final ranking and the revealed deal.

    `winners` are the seats that have won. Nobody wins by giving up or without an act, so even a
    first place may not win. `tie_breaks` say what decides between neighbours of the ranking with
    equal main stats. `colours` includes players who have left. `ranking` is as in `standings`.
    """

    n: int
    ranking: tuple[views.Standing, ...]
    winners: tuple[int, ...] = ()
    tie_breaks: tuple[views.TieBreak, ...] = ()
    colours: tuple[views.ColouredSeat, ...] = ()
    reveal: views.Reveal
    links: Links


class Said(Message):
    """A chat message in the room; `v` is its number among the room's events."""

    v: int
    seat: int
    name: str
    text: str | None
    emote: vocabulary.Emote | None


class Pong(Message):
    """The reply to `ping`: its `t`, the server's clock, and the room's latest event."""

    t: float
    now: int
    v: int


class Error(Message):
    """An invalid message. The third one closes the connection.

    `where` names the first invalid field, such as `settings.undo`. It is `type` for an unknown
    type, `json` for a frame that is not JSON, `binary` for a binary frame, and `parts` for more
    strings, commas, brackets or digits than any message has (white space does not count).
    """

    code: vocabulary.ErrorCode
    where: str


_OfRoom = Joined | CarryCode | RoomMessage | Changes | MatchMessage
_OfGame = TableMessage | Acted | Hinted | Assessed | Refused
_OfRound = StandingsMessage | StandingsChanges | RoundOver
ServerMessage = _OfRoom | _OfGame | _OfRound | Said | Pong | Error
