"""The errors of the client: a tree that says whose fault each one is.

RaceError
├── ProgramError        the program's: BadLink, BadRequest, NoTable, RaceClosed, ClientClosed,
│                       EngineMissing
├── Refused             nobody's: the room or the rules do not allow it
├── RoundUnknown        nobody's: there is no such round, or it is not over
├── SeatLost            the room's: the server has closed for good
└── ServerError         the server's, or that of the network before it: Unreachable,
    │                   VersionUnknown
    ├── BadAnswer ── UnknownWord
    └── ActLost ── ActTimedOut
"""

from protocol.to_client import RefusalDetails
from protocol.vocabulary import CloseCode, ErrorCode


class RaceError(Exception):
    """The base of all errors of the client."""


class ProgramError(RaceError):
    """The program uses the client wrongly."""


class BadLink(ProgramError, ValueError):
    """A text is no address of a server, or no link or code of a room there."""


class BadRequest(ProgramError, ValueError):
    """A message has a value that the protocol does not have."""

    def __init__(
        self, command: str, where: str, reason: str = "the server cannot read it"
    ) -> None:
        super().__init__(f"{command!r} has a bad value in {where!r}: {reason}.")
        self.command = command
        self.where = where
        """The field, with its path in the message: `settings.game`."""


class NoTable(ProgramError):
    """There is no game in which the seat could act: wait for its table first."""


class RaceClosed(ProgramError):
    """The race was left or closed by the program itself."""


class ClientClosed(ProgramError):
    """The block of `connect` has ended: its client takes no more seats."""


class EngineMissing(ProgramError, ImportError):
    """A replay needs the engine of the server, and it is not installed."""


class Refused(RaceError):
    """A valid command was refused, and nothing has changed."""

    def __init__(self, command: str, code: ErrorCode, details: RefusalDetails) -> None:
        chosen = details.model_dump(mode="json", exclude_defaults=True)
        about = "".join(f"; {name}: {value}" for name, value in chosen.items())
        super().__init__(f"{command!r} was refused: {code.value}{about}")
        self.command = command
        self.code = code
        self.details = details
        """The cards, piles or settings that the refusal concerns."""


class RoundUnknown(RaceError):
    """There is no such round, it is not over, or its acts are no longer stored."""


class SeatLost(RaceError):
    """The server has closed the connection for good."""

    def __init__(self, code: CloseCode | int) -> None:
        known = code in set(CloseCode)
        reason = CloseCode(code).name.lower().replace("_", " ") if known else "unknown reason"
        super().__init__(f"The server has ended the race: {reason} ({int(code)}).")
        self.code = CloseCode(code) if known else code
        """The close code, an int if this release does not know it."""


class ServerError(RaceError):
    """The server, or the network before it, does not do what the protocol promises."""


class Unreachable(ServerError):
    """No connection is accepted at the address, or nothing answers on it."""


class VersionUnknown(ServerError):
    """The server does not speak the version of the protocol that this client speaks."""


class BadAnswer(ServerError):
    """The server has sent something that the protocol does not have."""


class UnknownWord(BadAnswer):
    """The server uses a word that only a newer release of the client knows, such as a game."""

    def __init__(self, where: str, word: object) -> None:
        super().__init__(f"The server is newer: this client does not know {where} {word!r}.")
        self.where = where
        """The field, with its path in the message: `joined.room.settings.game`."""
        self.word = word


class ActLost(ServerError):
    """The store has lost the position for which an act was made, or its round has ended.

    Whether the act was applied can be seen in the table, or in the log of the finished round.
    """


class ActTimedOut(ActLost, TimeoutError):
    """The server has not answered an act in time, which it may still apply."""
