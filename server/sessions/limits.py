"""The limits and times of sessions, which a caller may choose."""

from dataclasses import dataclass

from protocol.vocabulary import COMMANDS_AT_ONCE, COMMANDS_PER_S
from server.rooms.admission import SEATS_PER_ADDRESS
from server.sessions.rate_limit import Rate


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """The limits of addresses, seats and sockets, and the times of what sessions repeat."""

    seats_per_address: int = SEATS_PER_ADDRESS
    guesses: Rate = Rate(20, 0.2)
    """Wrong codes and tokens of an address, at all processes together."""
    rooms: Rate = Rate(100, 0.2)
    """New rooms of an address other than loopback: in a classroom each pupil may practise alone.
    """
    joins: Rate = Rate(300, 5)
    """Joins of an address other than loopback: each one is sent to all seats of the room."""
    returns: Rate = Rate(30, 0.5)  # resumes of one seat: a client that reconnects needs few
    commands: Rate = Rate(COMMANDS_AT_ONCE, COMMANDS_PER_S)
    """Messages of a seat, or of a socket without one, but acts and pings: changes of a room are
    sent to all its seats. Refused acts that are answered with the whole table count too."""
    commands_of_address: Rate = Rate(10_000, 300)
    """The same of an address other than loopback: enough for a thousand players."""
    chat_of_address: Rate = Rate(100, 5)
    """Chat messages of an address other than loopback; those of a seat have a limit too."""

    deal_searches: Rate = Rate(60, 0.5)
    """Searches for winnable deals, of rooms of an address other than loopback, before their rounds
    begin. Rooms beyond it wait for their deals when they begin."""
    searches: Rate = Rate(10, 0.5)
    """Searches of a seat for what is known about the rest of its game: players ask when they
    pause."""
    search_ms: Rate = Rate(500, 100)
    """Milliseconds of all these searches of a process: a tenth of its time at most."""
    search_ms_of_address: Rate = Rate(125, 25)
    """The same of one address other than loopback: a quarter of that share."""
    waiting_searches: int = 32
    """Searches of an address that run or wait for their turn; those beyond them do not run."""

    board_interval_s: float = 0.5
    boards: int = 100
    """Boards kept without watchers, at most: as many as one room has. The oldest is dropped."""
    boards_kept_s: float = 30.0  # time for which a board without watchers is kept

    unanswered: int = 1_000
    """Connections of new seats that are reported as lost at a time, at most."""
    retry_s: float = 0.5  # interval between attempts while the store is away
    unreadable_s: float = 5.0
    longest_unreadable_s: float = 5 * 60.0
    """Intervals between attempts for a room that cannot be read: the first, and the longest."""


SESSION_LIMITS = SessionLimits()
