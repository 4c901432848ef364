"""What a client says. The first frame is `create`, `join` or `resume`, within five seconds.

Every command gets exactly one reply: what it asked for, or `refused`, or `error`.
"""

import unicodedata
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from protocol.actions import Action
from protocol.base import Model
from protocol.settings import Settings
from protocol.vocabulary import (
    CODE_ALPHABET,
    CODE_LENGTH,
    CODE_LOOKALIKES,
    HIGHEST_SEAT,
    LINE_LENGTH,
    MAX_BOARDS,
    MAX_ROUNDS,
    NAME_LENGTH,
    Emote,
    Role,
)

_MARKS_IN_A_ROW = 2
_UNSEEN = {
    *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
    *range(0x180B, 0x1810),
    *range(0xFE00, 0xFE10),
    *range(0xE0100, 0xE01F0),
}
"""Fillers, joiners and selectors that pass for letters or marks, and that nobody sees."""
_READ_AS = str.maketrans({**CODE_LOOKALIKES, "-": "", " ": ""})
"""Crockford's reading of letters that look like digits; groups are for the eye."""


def clean_line(text: str, length: int) -> str:
    """One visible line: NFKC, no control, format or bidi characters, at most `length` long.

    Stacked combining marks are cut too: a name must not paint over its neighbours. What cannot
    be seen goes before names are compared: two that look the same are the same.
    """
    kept: list[str] = []
    marks = 0
    seen = "".join(filter(_is_seen, unicodedata.normalize("NFKC", text)))
    for character in unicodedata.normalize("NFKC", seen):
        category = unicodedata.category(character)
        marks = marks + 1 if category[0] == "M" else 0
        if category[0] == "Z":
            kept.append(" ")
        elif marks <= _MARKS_IN_A_ROW:
            kept.append(character)
    return " ".join("".join(kept).split())[:length].rstrip()


def _is_seen(character: str) -> bool:
    return unicodedata.category(character)[0] != "C" and ord(character) not in _UNSEEN


def _clean_name(text: str) -> str:
    name = clean_line(text, NAME_LENGTH)
    if not name:
        raise ValueError("nothing is left of the name")
    return name


def _room_code(text: str) -> str:
    """The code as the server writes it, from what a person typed or pasted."""
    code = text.upper().translate(_READ_AS)
    if len(code) != CODE_LENGTH or any(letter not in CODE_ALPHABET for letter in code):
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


class Create(Model):
    """Opens a new room, whose host the sender is. Reply: `joined`.

    `browser` is random and the same for all rooms and pages of one browser; the server keeps a
    hash of it that is another in each room, and shows it to nobody.
    """

    type: Literal["create"] = "create"
    name: Name
    settings: Annotated[Settings, Field(json_schema_extra={"default": {}})] = Settings()
    browser: BrowserId = ""


class Join(Model):
    """Sits down in a room. Reply: `joined`; `browser` is as in `create`.

    Where the host approves joins, the seat stands among `waiting` in the room until then.
    """

    type: Literal["join"] = "join"
    room: RoomCode
    name: Name
    role: Role = "player"
    browser: BrowserId = ""


class Resume(Model):
    """Takes the sender's seat again. Reply: `joined`, then what was missed since event `have`.

    `tab` is the same for all connections of one page: should they overtake each other, the one
    that was replaced is told to come back (4003), and not that another tab has the seat.
    """

    type: Literal["resume"] = "resume"
    room: RoomCode
    seat: SeatNumber
    token: Annotated[str, Field(min_length=1, max_length=128)]
    have: Counter = 0
    tab: Annotated[str, Field(max_length=32, pattern=r"^[0-9A-Za-z_-]*$")] = ""


class Configure(Model):
    """The host replaces the settings. Reply: `room`.

    Outside the lobby only the last five may change: `public` to `approve`.
    """

    type: Literal["configure"] = "configure"
    settings: Settings


class Choose(Model):
    """The host chooses which game of the match's card comes next, by its number. Reply: `room`.

    It may be said before the first round and between rounds. In the lobby players who were ready
    are asked again, unless that game was to come next anyway. A game that is over is refused
    with `game_played`, one beyond the card with `no_such_game`. Without a choice the lowest game
    that is not yet played comes next. A numbered deal of game `k` is `settings.number + k - 1`.
    """

    type: Literal["choose"] = "choose"
    game: Annotated[int, Field(ge=1, le=MAX_ROUNDS)]


class Ready(Model):
    """A player is ready, or is not. When all are, the race starts by itself. Reply: `room`."""

    type: Literal["ready"] = "ready"
    ready: bool = True


class Start(Model):
    """The host starts the countdown; those not ready become spectators. Reply: `room`."""

    type: Literal["start"] = "start"


class Abort(Model):
    """The host stops the countdown or the race: back to the lobby. Reply: `room`.

    A race that a ranked player has won is refused (`round_won`); the host can `end` it.
    """

    type: Literal["abort"] = "abort"


class End(Model):
    """The host gives those who still race `grace_s` seconds more. Reply: `room`."""

    type: Literal["end"] = "end"
    grace_s: Annotated[int, Field(ge=5, le=3_600)] = 60


class Kick(Model):
    """The host shows somebody out; in a race this is a forfeit. Reply: `room`.

    With `ban` their browser and their network may not join again; the network of the host may.
    For a seat that waits, it means that the host does not let that person in.
    """

    type: Literal["kick"] = "kick"
    seat: SeatNumber
    ban: bool = False


class Admit(Model):
    """The host lets in a seat that waits. Reply: `room`."""

    type: Literal["admit"] = "admit"
    seat: SeatNumber


class Leave(Model):
    """Gives the seat up; in a race this is a forfeit. Reply: `room`, then close code 1000."""

    type: Literal["leave"] = "leave"


class NextRound(Model):
    """The host takes a finished room back to the lobby. Reply: `room`."""

    type: Literal["next_round"] = "next_round"


class Rematch(Model):
    """Asks for a new room of the same settings: one for all, whoever asks first. Reply: `room`."""

    type: Literal["rematch"] = "rematch"


class Say(Model):
    """Says something to the room: a line of text, or one of the emotes. Reply: `said`."""

    type: Literal["say"] = "say"
    text: Line | None = None
    emote: Emote | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.text is None) == (self.emote is None):
            raise ValueError("either text or emote")
        return self


class Act(Model):
    """One action on the sender's table. Reply: `acted` or `refused`.

    `id` grows with every act of a seat and survives reconnects: a repeated one gets its
    reply again and is applied once, also when the round is over, until the seat acts in another
    one; then a new one is `too_late`. `at` is the number of log entries that the client has
    seen applied, those in flight included. `again` says that it was acknowledged once: the
    store has lost it since (its `table` came with a smaller `at`), and the result will say so.
    """

    type: Literal["act"] = "act"
    id: Annotated[int, Field(ge=1, le=2**31 - 1)]
    at: Counter
    action: Action
    again: bool = False


class Hint(Model):
    """Asks what to do next, where the room allows it. Reply: `hinted` or `refused`.

    It is answered in its turn among the acts. Asked again of the same position it counts once.
    """

    type: Literal["hint"] = "hint"


class Chase(Model):
    """A seat that looks on begins the running race's deal, unranked. Reply: `room`, a `table`."""

    type: Literal["chase"] = "chase"


class Forfeit(Model):
    """Gives the running race up. Reply: `room`."""

    type: Literal["forfeit"] = "forfeit"


class Watch(Model):
    """Asks for the standings now, and for some seats' boards from now on. Reply: `standings`.

    Boards come as `table` messages of those seats, whenever they change, to spectators of rooms
    that show boards; the list replaces the one before.
    """

    type: Literal["watch"] = "watch"
    boards: Annotated[tuple[SeatNumber, ...], Field(max_length=MAX_BOARDS)] = ()


class Cards(Model):
    """Asks for the cards of the match, which large rooms do not carry along. Reply: `match`."""

    type: Literal["cards"] = "cards"


class Ping(Model):
    """Asks for the server's clock; `t` comes back as it was. Reply: `pong`."""

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
