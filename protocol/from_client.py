"""Messages from clients. The first frame is one of `FirstMessage`, within five seconds.

Every command gets exactly one reply: the one that its class names, or `refused`, or `error`. For
`room` a room of many seats sends `changes`, if nothing but its seats has changed. A command whose
reply is lost may be sent again with the same `attempt`: it is done once, and its repetition is
answered with the present room.
"""

from collections.abc import Callable
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from protocol import vocabulary
from protocol.base import ActionText, Model
from protocol.lines import clean_line
from protocol.settings import Settings

_READ_AS = str.maketrans({**vocabulary.CODE_LOOKALIKES, "-": "", " ": ""})
"""The digits for letters that look like them, by Crockford; separators of groups are removed."""


def room_code(text: str) -> str:
    """Return the canonical form of a typed or pasted code.

    Raises:
        ValueError: the text is none.
    """
    code = text.upper().translate(_READ_AS)
    if len(code) != vocabulary.CODE_LENGTH or not {*code} <= {*vocabulary.CODE_ALPHABET}:
        raise ValueError("not a room code")
    return code


def _line_of(length: int) -> Callable[[str], str]:
    """Return what cleans a line of at most so many graphemes, and refuses one without any."""

    def clean(text: str) -> str:
        line = clean_line(text, length)
        if not line:
            raise ValueError("nothing is left of it")
        return line

    return clean


def _table_name(text: str) -> str:
    return clean_line(text, vocabulary.NAME_LENGTH)


Name = Annotated[str, AfterValidator(_line_of(vocabulary.NAME_LENGTH))]
TableName = Annotated[str, AfterValidator(_table_name)]
ChatLine = Annotated[str, AfterValidator(_line_of(vocabulary.LINE_LENGTH))]
RoomCode = Annotated[str, Field(max_length=32), AfterValidator(room_code)]
BrowserId = Annotated[str, Field(max_length=64, pattern=r"^[0-9A-Za-z_-]*$")]
Tab = Annotated[str, Field(max_length=32, pattern=r"^[0-9A-Za-z_-]*$")]
Attempt = Annotated[str, Field(max_length=64, pattern=r"^(?:[0-9A-Za-z_-]{16,64})?$")]
Counter = Annotated[int, Field(ge=0, le=2**31 - 1)]
SeatNumber = Annotated[int, Field(ge=0, le=vocabulary.HIGHEST_SEAT)]
_BOARDS = Field(max_length=vocabulary.MAX_BOARDS, fail_fast=True)
BoardSeats = Annotated[tuple[SeatNumber, ...], _BOARDS]


class Change(Model):
    """A command that changes something.

    `attempt` is random, and the same only if the message is sent again because its reply was lost.
    A seat's latest attempt that was done is answered again, and changes nothing. Without it each
    message counts as a new one.
    """

    attempt: Attempt = ""


class Create(Change):
    """Open a new room with the sender as its host. Reply: `joined`.

    `browser` is the same in all rooms of one user. The server stores a hash of it that differs in
    each room, and sends it to nobody. Within a minute the same `attempt` opens the same room.

    A program says so with the `kind` `program`, and all members of the room see it.

    With `cards` the room is for one player, and deals the cards of another game by its rules:
    `2026-11-28/spider-2` is the race of a day, `2026-11-28/spider-2/ENTRY` a game of its board,
    and `CODE/N/SEAT` a finished game. It starts at once, but for today's race, which has the usual
    countdown, and after the first `acts` actions of that game, or all that it has. Its `at`, its
    counts and its clock start at 0. `settings` are ignored
    then, and `acts` without `cards`. A `browser` plays each game of today's race once. With
    `nameless` its player has not chosen the `name` yet, and may `sign` the game once.
    """

    type: Literal["create"] = "create"
    name: Name
    settings: Annotated[Settings, Field(json_schema_extra={"default": {}})] = Settings()
    browser: BrowserId = ""
    kind: vocabulary.SeatKind = "person"
    cards: Annotated[str, Field(pattern=vocabulary.CARDS_PATTERN)] = ""
    acts: Annotated[int, Field(ge=0, le=65_535)] = 0
    nameless: bool = False


class Join(Change):
    """Join a room. Reply: `joined`; `browser` and `kind` are as in `create`.

    Within a minute the same `attempt` takes the same seat. In rooms with `approve`, the seat is
    listed in the room's `waiting` until the host admits it.
    """

    type: Literal["join"] = "join"
    room: RoomCode
    name: Name
    role: vocabulary.Role = "player"
    browser: BrowserId = ""
    kind: vocabulary.SeatKind = "person"


class Resume(Model):
    """Take the sender's seat again. Reply: `joined`, then the missed events since `have`.

    `tab` is the same for all connections of one page or process. If one of them replaces another,
    the older one is closed with 4003 instead of 4503, and may resume.
    """

    type: Literal["resume"] = "resume"
    room: RoomCode
    seat: SeatNumber
    token: Annotated[str, Field(min_length=1, max_length=128)]
    have: Counter = 0
    tab: Tab = ""


class TakeOver(Change):
    """Move a seat to this device, with the code of a `carry` on the other. Reply: `joined`.

    The code works once. The other device is closed with 4509, and its token no longer works. Until
    the code expires, the same `attempt` takes the seat again: the reply may have been lost.
    """

    type: Literal["take_over"] = "take_over"
    room: RoomCode
    code: Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{1,64}$")]
    browser: BrowserId = ""
    tab: Tab = ""


class Configure(Change):
    """Replace the settings, as host. Reply: `room`.

    Outside the lobby only the settings about people may change: `public` to `programs`.
    """

    type: Literal["configure"] = "configure"
    settings: Settings


class Choose(Change):
    """Choose the next game of the match's card by its number, as host. Reply: `room`.

    The choice is allowed before the first round and between rounds. In the lobby it resets ready
    players, unless that game was to come next anyway. On a card of six games, any may be played
    again, and the last time counts. On others a game that is over is refused with `game_played`.
    Without a choice the lowest game that is not yet played comes next. Game `k` of numbered deals
    has the number `settings.number + k - 1`.
    """

    type: Literal["choose"] = "choose"
    game: Annotated[int, Field(ge=1, le=vocabulary.MAX_ROUNDS)]


class Ready(Change):
    """Become ready or not ready. Reply: `room`.

    The race starts once two or more players are there and all of them are ready. To play alone,
    the host sends `start`.
    """

    type: Literal["ready"] = "ready"
    ready: bool = True


class TakeColour(Change):
    """Change the colour of the sender's seat, before or after a race. Reply: `room`.

    A colour that another player has is refused with `colour_taken`.
    """

    type: Literal["take_colour"] = "take_colour"
    colour: vocabulary.SeatColour


class Start(Change):
    """Start the countdown, as host; players not ready become spectators. Reply: `room`.

    After a round the others have twenty seconds to ask for the next one before the host can do so.
    With `again` a room for one deals the cards of its aborted round again, if the settings are the
    same.
    """

    type: Literal["start"] = "start"
    again: bool = False


class Abort(Change):
    """Stop the countdown or the race and return to the lobby, as host. Reply: `room`.

    A race that a ranked player has won is refused (`round_won`); the host can `end` it.
    """

    type: Literal["abort"] = "abort"


class End(Change):
    """End the race in `grace_s` seconds, as host. Reply: `room`."""

    type: Literal["end"] = "end"
    grace_s: Annotated[int, Field(ge=5, le=3_600)] = 60


class Kick(Change):
    """Remove a player from the room, as host; in a race this is a forfeit. Reply: `room`.

    With `ban` their browser and network may not join again. The host's network is never banned,
    but without a `browser` the address counts as one, even the host's. It also refuses a seat that
    waits for admission.
    """

    type: Literal["kick"] = "kick"
    seat: SeatNumber
    ban: bool = False


class AddBot(Change):
    """Add a computer player of this strength, as host. Reply: `room`.

    Its seat has a `level`, is ready at once, and asks for every next race; `kick` removes it. The
    server chooses its name. At the usual `pace` it thinks about as long as a person. It leaves two
    minutes after the last person is gone, or at once after a `leave`, and finishes its game first.
    `bots_busy` says that the server, or the address that opened the room, has no more of them now;
    `no_bots` that the server never has any.
    """

    type: Literal["add_bot"] = "add_bot"
    level: vocabulary.BotLevel
    pace: vocabulary.BotPace = "usual"


class AddStandIn(Change):
    """Let a computer player of this strength finish the game of a player who is gone, as host.

    Reply: `room`. The seat and its token stay the player's, who may return to the game at any
    time. Once the computer has connected, the game is not ranked in this round, and its row of the
    leaderboard says so (`stand_in`). `bots_busy` and `no_bots` are as in `add_bot`.
    """

    type: Literal["add_stand_in"] = "add_stand_in"
    seat: SeatNumber
    level: vocabulary.BotLevel


class Admit(Change):
    """Admit a waiting seat, as host. Reply: `room`."""

    type: Literal["admit"] = "admit"
    seat: SeatNumber


class Leave(Change):
    """Give the seat up; in a race this is a forfeit. Reply: `room`, then close code 1000."""

    type: Literal["leave"] = "leave"


class Carry(Change):
    """Ask for a code that moves the sender's seat to another device. Reply: `carry_code`.

    It works once, within ten minutes (see `take_over`), and replaces the one before.
    """

    type: Literal["carry"] = "carry"


class HandOver(Change):
    """Make another person host, who is connected, as host. Reply: `room`."""

    type: Literal["hand_over"] = "hand_over"
    seat: SeatNumber


class Forget(Change):
    """Remove a person's name from the history of a kept table, between races. Reply: `room`.

    Members may ask for that themselves. The host may do it to anybody who is gone, whose seat is
    then given up; others are refused with `player_is_back`.
    """

    type: Literal["forget"] = "forget"
    seat: SeatNumber


class DeleteTable(Change):
    """Delete a kept table and its history, as host. Reply: `room`, and close code 4508 to all.

    The close may come before the reply.
    """

    type: Literal["delete_table"] = "delete_table"


class NextRound(Change):
    """Return a finished room to the lobby, as host. Reply: `room`."""

    type: Literal["next_round"] = "next_round"


class Rematch(Change):
    """Ask for the next race of a finished room, or no longer. Reply: `room`.

    That is the next round of a match, or a rematch. The countdown starts once all connected
    players have asked. Their seats are `READY` until then.
    """

    type: Literal["rematch"] = "rematch"
    wanted: bool = True


class Keep(Change):
    """Keep the room as a table that stays, rename it, or stop keeping it, as host. Reply: `room`.

    A kept room closes some months after its last race instead of a day after its last visitor,
    and has a history of its rounds, starting with those it still knows. An empty `name` keeps
    the name. With `kept` false the room is like any other again, and its history is
    deleted. At a table only its owner may do this, not a host who stands in for the owner
    (`not_host`). Without a place, it is refused with `too_many_kept`, `kept_full` or `store_full`.
    """

    type: Literal["keep"] = "keep"
    name: TableName = ""
    kept: bool = True


class Say(Change):
    """Send a chat message to the room: a line of text, or an emote. Reply: `said`."""

    type: Literal["say"] = "say"
    text: ChatLine | None = None
    emote: vocabulary.Emote | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.text is None) == (self.emote is None):
            raise ValueError("either text or emote")
        return self


class Sign(Change):
    """Put a name under a game of today's race that was started without one, once. Reply: `room`.

    It becomes the name of the seat, and of the entry on the board, during the game or after it.
    """

    type: Literal["sign"] = "sign"
    name: Name


class Act(Model):
    """Apply one action to the sender's table. Reply: `acted` or `refused`.

    `action` is a text of the notation (`server/games/NOTATION.md`), as in the table's `legal`.
    `id` grows with every act of a seat. `at` is the number of log entries before the act, acts in
    flight included. A repeated act is applied once and gets its reply again, after the round too,
    until the seat acts in another round. A new act after the round is `too_late`.

    `again` marks an act that was acknowledged and that a failover has lost: the `table` came with
    a smaller `at`. The result counts these acts in `restored`, if the server may have lost one.
    """

    type: Literal["act"] = "act"
    id: Annotated[int, Field(ge=1, le=2**31 - 1)]
    at: Counter
    action: ActionText
    again: bool = False


class Hint(Model):
    """Ask for a hint, in rooms that allow hints. Reply: `hinted` or `refused`.

    Hints are answered in order with acts. Repeated hints in one position count once.
    """

    type: Literal["hint"] = "hint"


class Assess(Model):
    """Ask whether the sender's game is won or lost. Reply: `assessed` or `refused`.

    Ask only when no act is unanswered, and at most once in a position. A seat has a small budget
    of searches; beyond it nothing is known.
    """

    type: Literal["assess"] = "assess"


class Chase(Change):
    """Start playing in the running race: ranked in a window, else late and unranked.

    Reply: `room`, then `table`.
    """

    type: Literal["chase"] = "chase"


class Forfeit(Change):
    """Give up in the running race. Reply: `room`.

    With `dead` the game ends like one played to its end, and keeps its place among those. This is
    refused with `not_finished` unless the outlook of the position is `dead`.

    With `held` it is final five seconds later, at `forfeits_at` of the seat, and the game goes on
    until then; in a window it is final at once. `taken_back` withdraws it; too late, that is
    refused with `not_racing`.
    """

    type: Literal["forfeit"] = "forfeit"
    dead: bool = False
    held: bool = False
    taken_back: bool = False


class Watch(Model):
    """Ask for the standings now, and for some seats' boards from now on. Reply: `standings`.

    Boards are `table` messages of those seats, sent whenever they change. In a room that shows
    boards, spectators get them with its delay, and players without delay once their own game is
    over. Each list of `boards` replaces the list before; without one it stays.
    """

    type: Literal["watch"] = "watch"
    boards: BoardSeats | None = None


class Cards(Model):
    """Ask for the cards of the match, which messages of large rooms omit. Reply: `match`."""

    type: Literal["cards"] = "cards"


class Ping(Model):
    """Ask for the server's clock. Reply: `pong` with the same `t`."""

    type: Literal["ping"] = "ping"
    t: Annotated[float, Field(ge=0, le=2**53, allow_inf_nan=False)]


FirstMessage = Create | Join | Resume | TakeOver
"""The messages that take a seat."""
_OfRoom = (
    Configure | Choose | Ready | TakeColour | Start | Abort | End | Kick | AddBot | AddStandIn
)
_OfSeat = Admit | Keep | Leave | NextRound | Rematch | Say | Sign
_OfTable = Carry | HandOver | Forget | DeleteTable
_OfGame = Act | Hint | Assess | Chase | Forfeit | Watch | Cards
ClientMessage = FirstMessage | _OfRoom | _OfSeat | _OfTable | _OfGame | Ping
