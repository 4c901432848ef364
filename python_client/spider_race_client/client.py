"""The client of one server: it opens and joins races, and keeps them until it is closed."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

from protocol.from_client import Create, FirstMessage, Join, Resume, TakeOver
from protocol.settings import Settings
from protocol.vocabulary import Role, SeatKind
from spider_race_client.addresses import cards_of, code_of, server_address
from spider_race_client.connection import Observer, Options
from spider_race_client.errors import BadRequest, RaceClosed
from spider_race_client.race import Race, request
from spider_race_client.tls import Tls, context_of


@asynccontextmanager
async def connect(
    url: str | Callable[[], str],
    *,
    observer: Observer = lambda _: None,
    tls: Tls = None,
    longest_wait_s: float = 30.0,
    silence_s: float = 9.0,
) -> AsyncIterator["Client"]:
    """Return the client of a server, by its address or by the link of one of its rooms.

    If several servers share a store, `url` may be a function that returns the address for each
    connection, and raises an OSError while no server is up. `tls` is the CA of a server that the
    system does not trust: the path of a PEM file, or an `ssl.SSLContext`. A lost connection is
    opened again after at most `longest_wait_s` seconds. If opening it or getting an answer takes
    longer than `silence_s`, it is given up. `observer` is called with each new websocket, each
    message before it is sent or handled, and each close code (1006 without one). It must not
    block. If it raises an error, all races end, and the error is raised in a group.

    Nothing is sent before the first race. The end of the block closes all races; their seats stay.
    Raise ProgramError if `url` is not an address, or `tls` is not a file with certificates.
    """
    server = None if callable(url) else server_address(url)
    locate = (lambda: server_address(url())) if callable(url) else (lambda: server_address(url))
    options = Options(locate, observer, context_of(tls), longest_wait_s, silence_s)
    failure: Exception | None = None
    async with asyncio.TaskGroup() as tasks:
        client = Client(server, options, tasks)
        try:
            yield client
        except Exception as error:  # noqa: BLE001  # raised below, outside the group
            failure = error
        finally:
            client.close()
    if failure is not None:
        raise failure


class Client:
    """The races of a program at one server, from `connect`. Everybody sees that it is a program.

    If you cancel a method, the client remains usable. A seat that the server has already given
    counts as left, and nobody can take it. All methods raise:

        ProgramError: a link does not lead to a room of this server.
        BadRequest: there is no such setting or value, or no character of the name is allowed.
        Refused: the server or the host does not allow it; `code` says why.
        Unreachable: no server answers.
        RaceClosed: the block of `connect` has ended.
    """

    def __init__(self, server: str | None, options: Options, tasks: asyncio.TaskGroup) -> None:
        """Take part in races at `server`; if it is None, `options.locate` gives the address."""
        self._server, self._options, self._tasks = server, options, tasks
        self._races: list[Race] = []
        self._is_closed = False

    def __repr__(self) -> str:
        return f"Client({self._server!r})"

    @property
    def server(self) -> str:
        """The address of the server, or of the next one to connect to if there are several."""
        return self._options.locate()

    async def create(
        self,
        name: str,
        settings: Settings | Mapping[str, object] | None = None,
        *,
        kind: SeatKind = "program",
        cards: str = "",
        acts: int = 0,
        browser: str = "",
    ) -> Race:
        """Open a room with these settings; the program is its host.

        With `cards` the room is for one player. Its game starts at once, with the cards and rules
        of another: `2026-11-28/spider-2` is that day's race, `2026-11-28/spider-2/ENTRY` a game of
        its board, and `CODE/N/SEAT` a game of a finished round, continued after its first `acts`.

        `browser` is a random text that identifies the player: each has one game of today's race.
        Without it, the address counts. `kind` is "person" if a person plays through the program.
        """
        chosen = dict(settings) if isinstance(settings, Mapping) else settings or Settings()
        if acts and not cards:
            raise BadRequest("create", "acts", "they continue a game, which `cards` name")
        more = {"kind": kind, "cards": cards_of(cards), "acts": acts, "browser": browser}
        return await self._enter(request(Create, name=name, settings=chosen, **more))

    async def join(
        self,
        link: str,
        name: str,
        role: Role = "player",
        *,
        kind: SeatKind = "program",
        browser: str = "",
    ) -> Race:
        """Join a room by its link or code, as a player or as a spectator; see `create`."""
        room = code_of(link, self._server)
        more = {"role": role, "kind": kind, "browser": browser}
        return await self._enter(request(Join, room=room, name=name, **more))

    async def resume(self, link: str, seat: int, token: str) -> Race:
        """Return to a seat that this or another process had; see `Race.token`."""
        room = code_of(link, self._server)
        return await self._enter(request(Resume, room=room, seat=seat, token=token))

    async def take_over(self, link: str, code: str, *, browser: str = "") -> Race:
        """Move a seat here from another device or process, with the code from its `Race.carry`."""
        room = code_of(link, self._server)
        return await self._enter(request(TakeOver, room=room, code=code, browser=browser))

    def close(self) -> None:
        """Close all races, and start no new ones; their seats stay."""
        self._is_closed = True
        for race in self._races:
            race.close()

    async def _enter(self, first: FirstMessage) -> Race:
        """Take a seat with this message, and return its race once the server has confirmed it."""
        if self._is_closed:
            raise RaceClosed("The block of connect() has ended, and with it its client.")
        race = Race(self._options, first, self._tasks)
        self._races = [*(each for each in self._races if not each.is_over), race]
        try:
            await race.seated
        except BaseException:
            race.close()
            raise
        return race
