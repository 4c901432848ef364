"""A seat as a connection has it: its token, and the generation that fences its events.

A token has 256 bits. It is sent to the owner of the seat alone, and stored only as a hash. Tokens
are random, or made from the attempt by which the seat was taken. So the reply to a repeated
attempt has the same token, which nobody but its owner can make.
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
CODE_LENGTH = 22  # of a code that moves a seat within ten minutes: 132 bits, for a QR code


def draw_token() -> str:
    """Return a new token."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_of(attempt: str) -> str:
    """Return the token of the seat that an attempt takes."""
    digest = hashlib.sha256(f"token {attempt}".encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def carry_code_of(attempt: str) -> str:
    """Return the code that an attempt gets to move its seat; without an attempt, draw one."""
    return (token_of(f"to carry: {attempt}") if attempt else draw_token())[:CODE_LENGTH]


def hash_token(token: str) -> str:
    """Return the stored hash. Tokens are random and long, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def opens(token: str, token_hash: str) -> bool:
    """Return whether the token belongs to the hash; the comparison takes constant time."""
    return hmac.compare_digest(hash_token(token), token_hash)


class Socket(Protocol):
    """A socket: no call waits or fails on a dead one, and nothing is sent after `close`."""

    @property
    def is_open(self) -> bool:
        """Whether the socket is neither closed nor lost."""

    def send(self, text: str) -> None:
        """Queue one message; the socket closes itself if the peer does not read."""

    def send_passing(self, message: SharedText) -> bool:
        """Queue an update for many sockets; return False, and queue nothing, to a slow peer."""

    def close(self, code: CloseCode | int) -> None:
        """Close the socket after the queued messages; handle no message any more."""

    def is_behind(self) -> bool:
        """Return whether the peer is slow to read, so that passing updates are skipped."""


@dataclass(eq=False)
class Replaced(Exception):  # noqa: N818  # a normal event, no error
    """A newer connection holds the seat: commands of the older one are dropped."""

    close_code: CloseCode


class TakenSeat(NamedTuple):
    """A seat of a room as one connection has taken it."""

    room_code: str
    number: int
    generation: int  # of the connection; each newer one of the seat has a higher one
    tab: str  # the name that the client gives to its tab, or an empty text
    address: str  # the address of the client
    stand_in: str = ""  # the token of the seat's stand-in if that has the connection

    @property
    def name(self) -> str:
        """The name of the seat in rate limits: they hold for all its connections together."""
        return f"{self.room_code} {self.number}"

    def find(self, room: Room) -> Seat | None:
        """Return the seat in a version of its room, admitted or not."""
        return room.seat(self.number) or room.applicant(self.number)

    def has_lost(self, seat: Seat) -> bool:
        """Return whether a newer connection has the seat, or another device will take it."""
        return seat.generation > self.generation or self.generation <= seat.moved

    def close_code(self, seat: Seat) -> CloseCode:
        """Return the close code once the seat is lost; to one's own tab the client reconnects."""
        if self.generation <= seat.moved:
            return CloseCode.SEAT_MOVED
        return CloseCode.RESYNC if self.tab != "" and seat.tab == self.tab else CloseCode.REPLACED

    def check(self, room: Room) -> None:
        """Check that no newer connection has the seat in this version of the room.

        Raises:
            Replaced: one has.
        """
        seat = self.find(room)
        if seat is not None and self.has_lost(seat):
            raise Replaced(self.close_code(seat))

    def fenced(self, event: Event | Callable[[Room], Event]) -> Callable[[Room], Event]:
        """Return a function that makes the event, or raises as `check`."""

        def make(room: Room) -> Event:
            self.check(room)
            return event(room) if callable(event) else event

        return make
