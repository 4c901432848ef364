"""The limits and times of HTTP, which a caller may choose."""

from dataclasses import dataclass

from server.sessions.rate_limit import Rate


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """The limits of connections and addresses, and the times after which peers are closed."""

    head_s: float = 5.0  # longest time in which a peer may send the head of a request
    keep_alive_s: float = 15.0
    requests_of_connection: int = 100
    """Requests on one connection, at most, so that a load balancer can choose a server again."""
    sockets: int | None = None
    """Sockets of players, at most; None means as many as the file descriptors allow."""
    turned_away: int = 50
    """Surplus connections of an address that get a response; further ones are aborted."""
    unread_of_address: int = 32 * 1024 * 1024
    """Bytes of responses that an address may have in memory because it does not read them."""
    unread: int = 256 * 1024 * 1024  # the same for all addresses together, the loopback included
    check_s: float = 1.0  # interval between two checks of all connections
    takeover_s: float = 0.2
    """Time before connections are closed, in which other processes of a deploy stop listening."""

    visits: Rate = Rate(20_000, 200)
    """Requests for client files, and connections, of an address. Sixty people who open every page
    at once cause 17,000. After a restart of the server a thousand players reconnect at once."""
    requests: Rate = Rate(600, 20)
    """Other requests of an address. Files of finished rounds have limits of their own."""
    qr_codes: Rate = Rate(100, 1)  # QR codes of an address: each takes five milliseconds
    searches_of_address: Rate = Rate(20, 0.2)
    """Numbered deals without a label about which an address begins to ask: each may add a search
    of seconds to the thinking process."""
    searches: Rate = Rate(600, 5)  # the same of all addresses together
    work_of_address: Rate = Rate(15_000, 100)
    """Milliseconds of work on files of finished rounds that are charged to an address: a
    classroom's replays of a race take five seconds."""
    work_of_room: Rate = Rate(20_000, 200)
    """The same for a room: enough for all files of a round of a hundred long games."""
    listed_s: float = 1.0  # age up to which the list of public rooms is served again


HTTP_LIMITS = HttpLimits()
