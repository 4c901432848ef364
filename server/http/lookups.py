"""Rooms by the codes of requests. A wrong code counts as a guess, as it does on a websocket."""

from collections.abc import Awaitable, Callable, Sequence

from server.http.files import File
from server.http.request import HttpRequest
from server.live.repository import Repository
from server.rooms.record import Room
from server.rooms.refusal import Refusal
from server.sessions.rate_limit import RateLimits
from server.websocket.origin import Network, client_address, network_of


class TooManyGuesses(Exception):  # noqa: N818  # named for what it is
    """An address has guessed too many codes: it does not learn whether this one is right."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(f"too many guesses; wait {wait_s:.0f} s")
        self.wait_s = wait_s


class Lookups:
    """Find rooms for clients that may not know whether there are any."""

    def __init__(
        self, repository: Repository, guesses: RateLimits, trusted: Sequence[Network]
    ) -> None:
        """Find rooms in `repository`; `guesses` are shared with the joins by websocket."""
        self._repository = repository
        self._guesses = guesses
        self._trusted = trusted

    async def find(self, request: HttpRequest, code: str) -> Room | None:
        """Return the open room of a code, or None.

        Raises:
            TooManyGuesses: the address has guessed too often.
            StoreAway, Unreadable: the room cannot be read.
        """
        address = self._guesser(request)
        try:
            return (await self._repository.read(code)).room
        except Refusal:
            self._guesses.owe(address)
            return None

    async def file(
        self, request: HttpRequest, code: str, made: Callable[[], Awaitable[File | None]]
    ) -> File | None:
        """Return the file of a finished round of a room, or None; a wrong code is a guess.

        A wrong number is none: players of a network who look for the result of a race that is
        still running must not keep each other out.

        Raises:
            TooManyGuesses: the address has guessed too often.
            StoreAway, Unreadable: the room cannot be read.
        """
        self._guesser(request)
        file = await made()
        if file is None:
            await self.find(request, code)
        return file

    def _guesser(self, request: HttpRequest) -> str:
        address = network_of(client_address(request.peer, request.headers, self._trusted))
        if not self._guesses.may(address):
            raise TooManyGuesses(self._guesses.wait_s(address))
        return address
