"""The errors of the client. Their tree says whose fault each one is: `README.md` prints it."""

from protocol.to_client import RefusalDetails
from protocol.vocabulary import CloseCode, ErrorCode


class RaceError(Exception):
    """The base of all errors of the client."""


class ProgramError(RaceError, ValueError):
    """The program uses the client wrongly."""


class BadRequest(ProgramError):
    """A message has a value that the protocol does not have."""

    def __init__(self, command: str, where: str, why: str = "the server cannot read it") -> None:
        super().__init__(f"{command!r} has a bad value in {where!r}: {why}.")
        self.command = command
        self.where = where  # the field, with its path in the message: `settings.game`


class RaceClosed(ProgramError):
    """The race was left or closed by the program itself."""


class Refused(RaceError):
    """A valid command was refused, and nothing has changed."""

    def __init__(self, command: str, code: ErrorCode, details: RefusalDetails) -> None:
        chosen = details.model_dump(mode="json", exclude_defaults=True)
        about = "".join(f"; {name}: {value}" for name, value in chosen.items())
        super().__init__(f"{command!r} was refused: {code.value}{about}")
        self.command = command
        self.code = code
        self.details = details  # the cards, piles or settings that the refusal concerns


class RoundUnknown(RaceError):
    """There is no such round, it is not over, or its acts are no longer stored."""


class SeatLost(RaceError):
    """The server has closed the connection for good."""

    def __init__(self, code: CloseCode | int) -> None:
        known = code in set(CloseCode)
        reason = CloseCode(code).name.lower().replace("_", " ") if known else "unknown reason"
        super().__init__(f"The server has ended the race: {reason} ({int(code)}).")
        self.code = CloseCode(code) if known else code  # an int if this release does not know it


class ServerError(RaceError):
    """The server, or the network before it, does not do what the protocol promises."""


class Unreachable(ServerError):
    """No connection is accepted at the address, or nothing answers on it."""


class ActLost(ServerError):
    """An act has no reply; the table, or the log of the round, shows whether it was applied."""
