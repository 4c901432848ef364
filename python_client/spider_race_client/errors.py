"""The errors of the client. Their tree, in `README.md`, says whose fault each one is."""

from protocol.to_client import RefusalDetails
from protocol.vocabulary import CloseCode, ErrorCode


def known_code(code: int) -> CloseCode | int:
    """Return a close code as a `CloseCode`, or as an int if this release does not know it."""
    return next((each for each in CloseCode if each == code), int(code))


class RaceError(Exception):
    """The base of all errors of the client."""


class ProgramError(RaceError, ValueError):
    """The program has used the client wrongly."""


class BadRequest(ProgramError):
    """A message has a field or value that the protocol does not know."""

    def __init__(self, command: str, where: str, why: str = "the server cannot read it") -> None:
        super().__init__(f"{command!r} has a bad value in {where!r}: {why}.")
        self.command = command
        self.where = where  # the field, with its path in the message: `settings.game`


class RaceClosed(ProgramError):
    """The program itself has left or closed the race."""


class Refused(RaceError):
    """A valid command was refused, and nothing has changed."""

    def __init__(self, command: str, code: ErrorCode, details: RefusalDetails) -> None:
        said = f"{code.meaning} ({code.value})" if code.meaning else code.value
        if details.reason is not None:
            said += f"; {details.reason.meaning or details.reason.value}"
        for name in ("cards", "piles", "fields"):
            if concerned := getattr(details, name):
                said += f"; {name} {', '.join(concerned)}"
        super().__init__(f"{command!r} was refused: {said}")
        self.command = command
        self.code = code
        self.details = details  # the cards, piles or settings that the refusal concerns


class RoundUnknown(RaceError):
    """The round, game or day does not exist, is not over, or is no longer stored."""


class SeatLost(RaceError):
    """The server has closed the connection for good."""

    def __init__(self, code: CloseCode | int) -> None:
        self.code = known_code(code)
        reason = self.code.reason if isinstance(self.code, CloseCode) else "unknown reason"
        super().__init__(f"The server has ended the race: {reason} ({int(code)}).")


class ServerError(RaceError):
    """The server or the network has failed, or has broken the protocol."""


class Unreachable(ServerError):
    """No server accepts connections at the address, or it does not answer."""


class ActLost(ServerError):
    """An act got no reply; the table, or the round's log, shows whether it was applied."""
