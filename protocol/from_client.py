"""Messages from clients. The first frame is `create`, `join` or `resume`, within five seconds.

Every command gets exactly one reply: the reply that its class names, or `refused`, or `error`.
"""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from protocol.base import Model
from protocol.lines import clean_line
from protocol.notation import ActionText
from protocol.settings import Settings
from protocol.vocabulary import (
    CODE_ALPHABET,
    CODE_LENGTHS,
    CODE_LOOKALIKES,
    HIGHEST_SEAT,
    LINE_LENGTH,
    MAX_BOARDS,
    MAX_ROUNDS,
    NAME_LENGTH,
    Emote,
    Role,
)

_READ_AS = str.maketrans({**CODE_LOOKALIKES, "-": "", " ": ""})
"""The digits for letters that look like them, by Crockford; separators of groups are removed."""


def _clean_name(text: str) -> str:
    name = clean_line(text, NAME_LENGTH)
    if not name:
        raise ValueError("nothing is left of the name")
    return name


def _room_code(text: str) -> str:
    """Return the canonical form of a typed or pasted code."""
    code = text.upper().translate(_READ_AS)
    if len(code) not in CODE_LENGTHS or any(letter not in CODE_ALPHABET for letter in code):
        raise ValueError("not a room code")
    return code


def _clean_line(text: str) -> str:
    line = clean_line(text, LINE_LENGTH)
    if not line:
        raise ValueError("nothing is left of the line")
    return line


Name = Annotated[str, AfterValidator(_clean_name)]
Line = Annotated[str, AfterValidator(_clean_line)]
RoomCode = Annotated[str, Field(max_length=32), AfterValidator(_room_code)]
BrowserId = Annotated[str, Field(max_length=64, pattern=r"^[0-9A-Za-z_-]*$")]
Counter = Annotated[int, Field(ge=0, le=2**31 - 1)]
SeatNumber = Annotated[int, Field(ge=0, le=HIGHEST_SEAT)]
Boards = Annotated[tuple[SeatNumber, ...], Field(max_length=MAX_BOARDS, fail_fast=True)]


class Create(Model):
    """Open a new room with the sender as its host. Reply: `joined`.

    `browser` is random and the same for all rooms and pages of one browser; the server stores a
    hash of it that differs in each room, and sends it to nobody.
    """

    type: Literal["create"] = "create"
    name: Name
    settings: Annotated[Settings, Field(json_schema_extra={"default": {}})] = Settings()
    browser: BrowserId = ""


class Join(Model):
    """Join a room. Reply: `joined`; `browser` is as in `create`.

    In rooms with `approve`, the seat is listed in the room's `waiting` until the host admits it.
    """

    type: Literal["join"] = "join"
    room: RoomCode
    name: Name
    role: Role = "player"
    browser: BrowserId = ""


class Resume(Model):
    """Take the sender's seat again. Reply: `joined`, then the missed events since `have`.

    `tab` is the same for all connections of one page. If they overtake each other, the replaced
    connection is closed with 4003, so that it resumes, and not as replaced by another tab.
    """

    type: Literal["resume"] = "resume"
    room: RoomCode
    seat: SeatNumber
    token: Annotated[str, Field(min_length=1, max_length=128)]
    have: Counter = 0
    tab: Annotated[str, Field(max_length=32, pattern=r"^[0-9A-Za-z_-]*$")] = ""


class Configure(Model):
    """Replace the settings, as host. Reply: `room`.

    Outside the lobby only the last five may change: `public` to `approve`.
    """

    type: Literal["configure"] = "configure"
    settings: Settings


class Choose(Model):
    """Choose the next game of the match's card by its number, as host. Reply: `room`.

    The choice is allowed before the first round and between rounds. In the lobby it resets ready
    players, unless that game was to come next anyway. A game that is over is refused with
    `game_played`, a game beyond the card with `no_such_game`. Without a choice the lowest game
    that is not yet played comes next. A numbered deal of game `k` is `settings.number + k - 1`.
    """

    type: Literal["choose"] = "choose"
    game: Annotated[int, Field(ge=1, le=MAX_ROUNDS)]


class Ready(Model):
    """Become ready or not ready. The race starts when all players are ready. Reply: `room`."""

    type: Literal["ready"] = "ready"
    ready: bool = True


class Start(Model):
    """Start the countdown, as host; players not ready become spectators. Reply: `room`.

    After a round the host can do so once the others have had `PATIENCE_S` to ask for the next one.
    """

    type: Literal["start"] = "start"


class Abort(Model):
    """Stop the countdown or the race and return to the lobby, as host. Reply: `room`.

    A race that a ranked player has won is refused (`round_won`); the host can `end` it.
    """

    type: Literal["abort"] = "abort"


class End(Model):
    """End the race in `grace_s` seconds, as host. Reply: `room`."""

    type: Literal["end"] = "end"
    grace_s: Annotated[int, Field(ge=5, le=3_600)] = 60


class Kick(Model):
    """Remove a person from the room, as host; in a race this is a forfeit. Reply: `room`.

    With `ban` the person's browser and network may not join again; the host's own network may.
    A seat that waits for admission is refused by it.
    """

    type: Literal["kick"] = "kick"
    seat: SeatNumber
    ban: bool = False


class Admit(Model):
    """Admit a waiting seat, as host. Reply: `room`."""

    type: Literal["admit"] = "admit"
    seat: SeatNumber


class Leave(Model):
    """Give the seat up; in a race this is a forfeit. Reply: `room`, then close code 1000."""

    type: Literal["leave"] = "leave"


class NextRound(Model):
    """Return a finished room to the lobby, as host. Reply: `room`."""

    type: Literal["next_round"] = "next_round"


class Rematch(Model):
    """Ask for the next race of a finished room, or no longer. Reply: `room`.

    It is the next round of a match, or a rematch. The countdown begins when all connected players
    have asked. Their seats are `READY` until then.
    """

    type: Literal["rematch"] = "rematch"
    wanted: bool = True


class Say(Model):
    """Send a chat message to the room: a line of text, or an emote. Reply: `said`."""

    type: Literal["say"] = "say"
    text: Line | None = None
    emote: Emote | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.text is None) == (self.emote is None):
            raise ValueError("either text or emote")
        return self


class Act(Model):
    """Apply one action to the sender's table. Reply: `acted` or `refused`.

    `action` is a text of the notation (`server/games/NOTATION.md`), as in the table's `legal`.
    `id` grows with every act of a seat, by 100,000 at most, and survives reconnects. A repeated
    act gets its reply again and is applied once, even after the round, until the seat acts in
    another round; a new act after the round is `too_late`. `at` is the number of log entries that
    the client has seen applied, acts in flight included. `again` marks an act that was
    acknowledged before and that the store has lost since (its `table` came with a smaller `at`);
    the result counts it if the server may have lost one.
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


class Chase(Model):
    """Begin the running race's deal late, unranked. Reply: `room`, then a `table`."""

    type: Literal["chase"] = "chase"


class Forfeit(Model):
    """Give the running race up. Reply: `room`."""

    type: Literal["forfeit"] = "forfeit"


class Watch(Model):
    """Ask for the standings now, and for some seats' boards from now on. Reply: `standings`.

    Boards are sent as `table` messages of those seats, whenever they change, to spectators of
    rooms that show boards, and without their delay to players whose own game is over; each list
    replaces the list before, and without a list it stays.
    """

    type: Literal["watch"] = "watch"
    boards: Boards | None = None


class Cards(Model):
    """Ask for the cards of the match, which messages of large rooms omit. Reply: `match`."""

    type: Literal["cards"] = "cards"


class Ping(Model):
    """Ask for the server's clock. Reply: `pong` with the same `t`."""

    type: Literal["ping"] = "ping"
    t: Annotated[float, Field(ge=0, le=2**53, allow_inf_nan=False)]


ClientMessage = (
    Create
    | Join
    | Resume
    | Configure
    | Choose
    | Ready
    | Start
    | Abort
    | End
    | Kick
    | Admit
    | Leave
    | NextRound
    | Rematch
    | Say
    | Act
    | Hint
    | Chase
    | Forfeit
    | Watch
    | Cards
    | Ping
)
