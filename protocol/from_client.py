"""Messages from clients. A connection's first message is a `FirstMessage`, within five seconds.

Every command gets exactly one reply: the one named in its docstring, or `refused`, or `error`.
Where the reply is `room`, a large room sends `changes` if only its seats have changed. If a reply
is lost, send the command again with the same `attempt`. It is done once, and the reply is the
present room.
"""

from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from protocol import vocabulary
from protocol.base import ActionText, Message
from protocol.lines import clean_line
from protocol.settings import Settings

_READ_AS = str.maketrans({**vocabulary.CODE_LOOKALIKES, "-": "", " ": ""})
"""Turns letters into the digits that they look like (Crockford), and drops group separators."""


def room_code(text: str) -> str:
    """Return the canonical form of a typed or pasted code; raise ValueError for other text."""
    code = text.upper().translate(_READ_AS)
    if len(code) != vocabulary.CODE_LENGTH or not {*code} <= {*vocabulary.CODE_ALPHABET}:
        raise ValueError("not a room code")
    return code


def _line(length: int, *, may_be_empty: bool = False) -> AfterValidator:
    """Return a validator that cleans a line and cuts it to `length` graphemes."""

    def clean(text: str) -> str:
        line = clean_line(text, length)
        if not (line or may_be_empty):
            raise ValueError("nothing is left of it")
        return line

    return AfterValidator(clean)


Name = Annotated[str, _line(vocabulary.NAME_LENGTH)]
TableName = Annotated[str, _line(vocabulary.NAME_LENGTH, may_be_empty=True)]
ChatLine = Annotated[str, _line(vocabulary.LINE_LENGTH)]
RoomCode = Annotated[str, Field(max_length=32), AfterValidator(room_code)]
BrowserId = Annotated[str, Field(max_length=64, pattern=r"^[0-9A-Za-z_-]*$")]
Tab = Annotated[str, Field(max_length=32, pattern=r"^[0-9A-Za-z_-]*$")]
Attempt = Annotated[str, Field(max_length=64, pattern=r"^(?:[0-9A-Za-z_-]{16,64})?$")]
Counter = Annotated[int, Field(ge=0, le=2**31 - 1)]
SeatNumber = Annotated[int, Field(ge=0, le=vocabulary.HIGHEST_SEAT)]
Boards = Field(max_length=vocabulary.MAX_BOARDS, fail_fast=True)


class Change(Message, is_base=True):
    """A command that changes something.

    `attempt` is random. Repeat it only to send the same message again because its reply was lost.
    The server answers a seat's latest attempt again without doing it twice. Without an attempt
    each message counts as new.
    """

    attempt: Attempt = ""


class Create(Change):
    """Open a new room with the sender as its host. Reply: `joined`.

    `browser` identifies the user's browser in all rooms. The server stores a hash of it that
    differs in each room, and sends it to nobody. Within a minute the same `attempt` opens the same
    room. A program sets `kind` to `program`, which all members of the room can see.

    With `cards` the room is for one player, and deals the cards of another game by its rules:
    `2026-11-28/spider-2` is a day's race, `2026-11-28/spider-2/ENTRY` a game on its board, and
    `CODE/N/SEAT` a finished game. The race starts at once, or after the usual countdown for
    today's race. It continues that game after its first `acts` actions, or after all of them if it
    has fewer; `at`, counts and clock start at 0. With `cards` the `settings` are ignored; without
    `cards`, the `acts`. A `browser` may play each game of today's race once. With `nameless` the
    player has not chosen a `name` yet, and may `sign` the game once.
    """

    name: Name
    settings: Annotated[Settings, Field(json_schema_extra={"default": {}})] = Settings()
    browser: BrowserId = ""
    kind: vocabulary.SeatKind = "person"
    cards: Annotated[str, Field(pattern=vocabulary.CARDS_PATTERN)] = ""
    acts: Annotated[int, Field(ge=0, le=65_535)] = 0
    nameless: bool = False


class Join(Change):
    """Join a room. Reply: `joined`; `browser` and `kind` are as in `create`.

    Within a minute the same `attempt` takes the same seat. In rooms with `approve`, the seat is in
    the room's `waiting` list until the host admits it.
    """

    room: RoomCode
    name: Name
    role: vocabulary.Role = "player"
    browser: BrowserId = ""
    kind: vocabulary.SeatKind = "person"


class Resume(Message):
    """Return to your seat. Reply: `joined`, then the events since `have`.

    `tab` is the same for all connections of one page or process. If one of them replaces another,
    the older one is closed with 4003 instead of 4503, and may resume.
    """

    room: RoomCode
    seat: SeatNumber
    token: Annotated[str, Field(min_length=1, max_length=128)]
    have: Counter = 0
    tab: Tab = ""


class TakeOver(Change):
    """Move a seat to this device, with a code from `carry` on the other one. Reply: `joined`.

    The code works once. The other device is closed with 4509, and its token no longer works. Until
    the code expires, the same `attempt` takes the seat again, in case the reply was lost.
    """

    room: RoomCode
    code: Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{1,64}$")]
    browser: BrowserId = ""
    tab: Tab = ""


class Configure(Change):
    """Replace the settings, as host. Reply: `room`.

    Outside the lobby only the settings about people, from `public` to `programs`, may change.
    """

    settings: Settings


class Choose(Change):
    """Choose the next game on the match's card by its number, as host. Reply: `room`.

    This is allowed before the first round and between rounds. In the lobby it makes players not
    ready, unless that game was to come next anyway. On a card of six games any may be played
    again, and the last time counts; on other cards a game that is over is refused with
    `game_played`. Without a choice the lowest unplayed game comes next. Game `k` of numbered deals
    has the number `settings.number + k - 1`.
    """

    game: Annotated[int, Field(ge=1, le=vocabulary.MAX_ROUNDS)]


class Ready(Change):
    """Become ready or not ready. Reply: `room`.

    The race starts once there are two or more players and all are ready. Alone, send `start`.
    """

    ready: bool = True


class TakeColour(Change):
    """Change the colour of your seat, before or after a race. Reply: `room`.

    A colour that another player has is refused with `colour_taken`.
    """

    colour: vocabulary.SeatColour


class Start(Change):
    """Start the countdown, as host; players not ready become spectators. Reply: `room`.

    After a round, the others have twenty seconds to ask for the next one before the host can start
    it. With `again` a room for one with unchanged settings repeats the deal of its aborted round.
    """

    again: bool = False


class Abort(Change):
    """Stop the countdown or the race and return to the lobby, as host. Reply: `room`.

    Once a ranked player has won, this is refused with `round_won`; the host can `end` the race.
    """


class End(Change):
    """End the race in `grace_s` seconds, as host. Reply: `room`."""

    grace_s: Annotated[int, Field(ge=5, le=3_600)] = 60


class Kick(Change):
    """Remove a player from the room, as host; in a race this is a forfeit. Reply: `room`.

    With `ban`, the player's browser and network may not join again. The host's network is never
    banned; but a client without a `browser` is known by its address, and that is banned even if
    it is the host's. `kick` also turns away somebody who is waiting for admission.
    """

    seat: SeatNumber
    ban: bool = False


class AddBot(Change):
    """Add a computer player of this strength, as host. Reply: `room`.

    Its seat has a `level`, is ready at once and asks for every next race; `kick` removes it. The
    server chooses its name. At the usual `pace` it thinks about as long as a person. Two minutes
    after the last person is gone, or at once after a `leave`, it finishes its game and leaves.
    `bots_busy` means that the server, or the address that opened the room, can have no more for
    now; `no_bots`, that the server never has any.
    """

    level: vocabulary.BotLevel
    pace: vocabulary.BotPace = "usual"


class AddStandIn(Change):
    """Let a computer player of this strength finish the game of an absent player, as host.

    Reply: `room`. The seat and its token stay the player's, who may return to the game at any
    time. Once the computer has connected, the game is not ranked in this round, and its row of the
    leaderboard has a `stand_in`. `bots_busy` and `no_bots` are as in `add_bot`.
    """

    seat: SeatNumber
    level: vocabulary.BotLevel


class Admit(Change):
    """Admit a waiting seat, as host. Reply: `room`."""

    seat: SeatNumber


class Leave(Change):
    """Give the seat up; in a race this is a forfeit. Reply: `room`, then close code 1000."""


class Carry(Change):
    """Ask for a code that moves your seat to another device. Reply: `carry_code`.

    It works once, within ten minutes, and replaces any earlier code; see `take_over`.
    """


class HandOver(Change):
    """Make another connected person host, as host. Reply: `room`."""

    seat: SeatNumber


class Forget(Change):
    """Remove a person's name from the history of a kept table, between races. Reply: `room`.

    Members may remove their own names. The host may remove those who are gone, whose seats are
    then given up; for others it is refused with `player_is_back`.
    """

    seat: SeatNumber


class DeleteTable(Change):
    """Delete a kept table and its history, as host. Reply: `room`, and close code 4508 to all.

    The connection may close before the reply comes.
    """


class NextRound(Change):
    """Return a finished room to the lobby, as host. Reply: `room`."""


class Rematch(Change):
    """Ask for the next race of a finished room, or withdraw that. Reply: `room`.

    That is the next round of a match, or a rematch. The countdown starts once all connected
    players have asked. Until then their seats are `READY`.
    """

    wanted: bool = True


class Keep(Change):
    """Keep the room as a table, rename it, or stop keeping it, as host. Reply: `room`.

    A kept room closes some months after its last race, not a day after its last visitor, and has a
    history of its rounds, starting with those it still knows. An empty `name` changes no name.
    With `kept` false the room is like any other again, and its history is deleted. Only the owner
    of a table may do this; a host who stands in for the owner gets `not_host`. If there is no
    space for another table, it is refused with `too_many_kept`, `kept_full` or `store_full`.
    """

    name: TableName = ""
    kept: bool = True


class Say(Change):
    """Send a chat message to the room: a line of text, or an emote. Reply: `said`."""

    text: ChatLine | None = None
    emote: vocabulary.Emote | None = None

    @model_validator(mode="after")
    def _is_text_or_emote(self) -> Self:
        if (self.text is None) == (self.emote is None):
            raise ValueError("either text or emote")
        return self


class Sign(Change):
    """Name a game of today's race that was started without a name. Reply: `room`.

    This works once, during the game or after it. It also names the seat and the board's entry.
    """

    name: Name


class Act(Message):
    """Apply one action to your table. Reply: `acted` or `refused`.

    `action` is in the notation of `server/games/NOTATION.md`, as in the table's `legal`. `id`
    grows with every act of a seat. `at` is the number of log entries before the act, counting acts
    in flight. A repeated act is applied once and gets its reply again, even after the round, until
    the seat acts in another round. A new act after the round is `too_late`.

    `again` marks an act that was acknowledged but lost in a failover, when the `table` has a
    smaller `at`. The result counts these acts in `restored`, if the server may have lost one.
    """

    id: Annotated[int, Field(ge=1, le=2**31 - 1)]
    at: Counter
    action: ActionText
    again: bool = False


class Hint(Message):
    """Ask for a hint, in rooms that allow hints. Reply: `hinted` or `refused`.

    Hints are answered in order with acts. Repeated hints in one position count once.
    """


class Assess(Message):
    """Ask whether your game is won or lost. Reply: `assessed` or `refused`.

    Ask only when no act is unanswered, and at most once in a position. A seat has a small budget
    of searches. When it is spent, the outlook stays `open`.
    """


class Chase(Change):
    """Start playing in the running race: ranked with `window_s`, otherwise late and unranked.

    Reply: `room`, then `table`.
    """


class Forfeit(Change):
    """Give up the current race. Reply: `room`.

    With `dead` the game is ranked as played to its end, not as given up. This is refused with
    `not_finished` unless the outlook of the position is `dead`.

    With `held` the game goes on for five seconds, and the forfeit becomes final at the seat's
    `forfeits_at`. In a room with `window_s` it is final at once all the same. `taken_back`
    withdraws a held forfeit; once that is final, it is refused with `not_racing`.
    """

    dead: bool = False
    held: bool = False
    taken_back: bool = False


class Watch(Message):
    """Ask for the standings now, and for the boards of some seats from now on. Reply: `standings`.

    Boards are `table` messages, sent whenever one changes. In a room that shows boards, spectators
    get them after its delay, and players without delay once their own game is over. Each list of
    `boards` replaces the one before; without a list, the last one stays.
    """

    boards: Annotated[tuple[SeatNumber, ...], Boards] | None = None


class Cards(Message):
    """Ask for the cards of the match, which messages of large rooms omit. Reply: `match`."""


class Ping(Message):
    """Ask for the server's clock. Reply: `pong` with the same `t`."""

    t: Annotated[float, Field(ge=0, le=2**53, allow_inf_nan=False)]


FirstMessage = Create | Join | Resume | TakeOver
"""The messages that take a seat."""
_OfRoom = Configure | Choose | Ready | TakeColour | Start | Abort | End | Kick
_OfSeat = AddBot | AddStandIn | Admit | Keep | Leave | NextRound | Rematch | Say | Sign
_OfTable = Carry | HandOver | Forget | DeleteTable
_OfGame = Act | Hint | Assess | Chase | Forfeit | Watch | Cards
ClientMessage = FirstMessage | _OfRoom | _OfSeat | _OfTable | _OfGame | Ping
