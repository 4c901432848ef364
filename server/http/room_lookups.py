"""Rooms by the codes of requests. A wrong code counts as a guess, as it does on a websocket."""

from collections.abc import Awaitable, Callable, Sequence

from server.http.files import File
from server.http.request import HttpRequest
from server.live.repository import Repository
from server.rooms.record import Room
from server.rooms.refusal import Refusal
from server.sessions.guesses import Guesses, TooManyGuesses
from server.websocket.origin import IpNetwork, limited_as


class RoomLookups:
    """Find rooms for clients that may not know whether there are any."""

    def __init__(
        self, repository: Repository, guesses: Guesses, trusted: Sequence[IpNetwork]
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
        try:
            async with self._guesses.look_up(self._guesser(request)):
                return (await self._repository.read(code)).room
        except TooManyGuesses:
            raise
        except Refusal:
            return None

    async def file(
        self, request: HttpRequest, code: str, made: Callable[[], Awaitable[File | None]]
    ) -> File | None:
        """Return the file of a finished round of a room, or None; a wrong code is a guess.

        A wrong number is no guess: players of one network may look for the result of a race that
        is still running, and must not keep each other out.

        Raises:
            TooManyGuesses: the address has guessed too often.
            StoreAway, Unreadable: the room cannot be read.
        """
        address = self._guesser(request)
        self._guesses.check(address)
        # Making a file takes long, and other look-ups of the address would wait for this one. So
        # the guess is taken afterwards: a file is as little shown without it as a wrong code.
        file = await made()
        if file is None:
            await self.find(request, code)
        else:
            async with self._guesses.look_up(address):
                pass
        return file

    def _guesser(self, request: HttpRequest) -> str:
        return limited_as(request.peer, request.headers, self._trusted)
