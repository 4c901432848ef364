"""A seat that a connection has taken: its token, and the generation that fences its events.

A token has 256 bits. Only the owner of the seat gets it, and only its hash is stored. Tokens are
random, or derived from the attempt that took the seat. So the reply to a repeated attempt has the
same token, and nobody else can derive it.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from protocol.vocabulary import CloseCode
from server.live.room import SharedText
from server.rooms.events import Event
from server.rooms.record import Room, Seat

TOKEN_BYTES = 32
CODE_LENGTH = 22  # 132 bits: a code in a QR code that moves a seat within ten minutes


def draw_token() -> str:
    """Return a new token."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_of(attempt: str) -> str:
    """Return the token of the seat that an attempt takes."""
    digest = hashlib.sha256(f"token {attempt}".encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def carry_code_of(attempt: str) -> str:
    """Return the code that an attempt gets for moving its seat; draw one without an attempt."""
    return (token_of(f"to carry: {attempt}") if attempt else draw_token())[:CODE_LENGTH]


def hash_token(token: str) -> str:
    """Return the hash that is stored. Tokens are random and long, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def opens(token: str, token_hash: str) -> bool:
    """Return whether this is the hash of the token; the comparison takes constant time."""
    return hmac.compare_digest(hash_token(token), token_hash)


class Socket(Protocol):
    """A socket: its methods never wait and never fail; after `close` they send nothing."""

    @property
    def is_open(self) -> bool:
        """Whether the socket is neither closed nor lost."""

    def send(self, text: str) -> None:
        """Queue one message; the socket closes itself if the peer does not read."""

    def send_skippable(self, message: SharedText) -> bool:
        """Queue an update that may be skipped; return False, and queue nothing, if it was."""

    def close(self, code: CloseCode | int) -> None:
        """Close the socket after the queued messages, and handle no further message."""

    def is_behind(self) -> bool:
        """Return whether the peer reads too slowly for updates that may be skipped."""


@dataclass(eq=False)
class Replaced(Exception):  # noqa: N818  # a normal event, no error
    """A newer connection holds the seat, so commands of the older one are dropped."""

    close_code: CloseCode


class TakenSeat(NamedTuple):
    """A seat of a room, and the connection that has taken it."""

    room_code: str
    number: int
    address: str  # the address of the client
    tab: str = ""  # the name that the client gives to its tab, or an empty text
    generation: int = 0
    """The connection's: a newer connection of the seat has a higher one. 0: not taken yet."""
    stand_in: str = ""  # the token of the seat's stand-in, if the stand-in is connected

    @property
    def name(self) -> str:
        """The name of the seat in rate limits, which all its connections share."""
        return f"{self.room_code} {self.number}"

    def find(self, room: Room) -> Seat | None:
        """Return the seat in a version of its room, even if it waits to be admitted, or None."""
        return room.seat(self.number) or room.applicant(self.number)

    def has_lost(self, seat: Seat) -> bool:
        """Return whether a newer connection has the seat, or another device will take it."""
        return seat.generation > self.generation or self.generation <= seat.moved

    def close_code(self, seat: Seat) -> CloseCode:
        """Return the close code for losing the seat; after RESYNC the same tab reconnects."""
        if self.generation <= seat.moved:
            return CloseCode.SEAT_MOVED
        return CloseCode.RESYNC if self.tab != "" and seat.tab == self.tab else CloseCode.REPLACED

    def check(self, room: Room) -> None:
        """Raise Replaced if a newer connection has the seat in this version of the room."""
        seat = self.find(room)
        if seat is not None and self.has_lost(seat):
            raise Replaced(self.close_code(seat))

    def fenced(self, event: Event | Callable[[Room], Event]) -> Callable[[Room], Event]:
        """Return a function from a room to the event; it raises Replaced if the seat was lost."""

        def make(room: Room) -> Event:
            self.check(room)
            return event(room) if callable(event) else event

        return make
