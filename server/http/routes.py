"""The routes of plain HTTP requests, by GET or HEAD."""

import asyncio
import io
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Concatenate, ParamSpec

import segno
import structlog
from websockets.http11 import Response

from protocol.vocabulary import CODE_ALPHABET
from server import metrics
from server.config import Config
from server.http.file_cache import TooMuchWork
from server.http.files import File, make_file, make_json, read_files
from server.http.finished_rounds import FinishedRounds
from server.http.limits import HTTP_LIMITS, HttpLimits
from server.http.links import Links
from server.http.lookups import Lookups
from server.http.pages import OTHER_PAGES, ROOM_PAGE, Pages, repeated
from server.http.request import HttpRequest
from server.http.responses import file_response, over_response, text_response, too_many
from server.live.public_list import PublicList
from server.live.repository import Repository
from server.live.slices import Slices
from server.sessions.guesses import Guesses, TooManyGuesses
from server.sessions.rate_limit import RateLimits
from server.store import StoreAway, Unreadable
from server.views.catalogue import catalogue
from server.views.public_rooms import public_rooms
from server.views.rooms import invitation
from server.websocket.origin import counted_as, limited_as

log = structlog.get_logger()

ROOT = Path(__file__).parents[2]
CODE = repeated(f"[{CODE_ALPHABET}]")
NUMBER = "[0-9]{1,6}"
ROUND = f"/api/rooms/({CODE})/rounds/({NUMBER})"

NO_ROOM = "no such room, or it is closed\n"
AWAY = "the store is away\n"
UNREADABLE = "this server cannot read the room; another one may\n"

P = ParamSpec("P")
Route = Callable[[HttpRequest, re.Match[str]], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class SharedLimits:
    """Limits by address that the routes share with other parts of the server."""

    visits: RateLimits
    """Requests for pages and files of the client."""
    guesses: Guesses
    """Wrong codes of rooms and tokens of seats."""


class Routes:
    """Every route of the players' port except the websocket's."""

    def __init__(
        self,
        config: Config,
        repository: Repository,
        slices: Slices,
        shared: SharedLimits,
        port: Callable[[], int],
        limits: HttpLimits = HTTP_LIMITS,
    ) -> None:
        """Read all files into memory; `port` returns the players' port."""
        self._config = config
        self._repository = repository
        self._rounds = FinishedRounds(repository, slices, limits)
        self._visits = shared.visits
        self._limits = limits
        self._requests = RateLimits(*limits.requests)
        self._qr_codes = RateLimits(*limits.qr_codes)
        self._public = PublicList(repository)
        self._listing = asyncio.Lock()
        self._listed: File | None = None
        self._listed_at = 0.0
        self._files = read_files(ROOT / "web_client")
        asyncapi = (ROOT / "protocol" / "generated" / "asyncapi.json").read_bytes()
        self._files["/api/protocol"] = make_file(asyncapi, "application/json")
        self._files["/api/catalogue"] = make_json(catalogue())
        self._links = Links(config, port)
        self.is_secure = self._links.is_secure
        self._lookups = Lookups(repository, shared.guesses, config.trusted_proxies)
        self._now = repository.store.clock.now
        index = self._files.pop("/index.html").body
        self._pages = Pages(index, self._links, self._lookups, self._now)
        self._routes: list[tuple[re.Pattern[str], Route]] = [
            (re.compile(r"/api/rooms"), self._rooms),
            (re.compile(f"/api/rooms/({CODE})"), self._invitation),
            (re.compile(ROUND), self._round),
            (re.compile(rf"{ROUND}\.txt"), self._round_text),
            (re.compile(rf"{ROUND}/course"), self._course),
            (re.compile(rf"{ROUND}/seats/({NUMBER})"), self._replay),
            (re.compile(rf"/qr/({CODE})\.svg"), self._qr),
        ]

    async def answer(self, request: HttpRequest) -> Response:
        """Return the response to a request; an unknown path gets a 404."""
        address = self._counted_as(request)
        file = self._files.get(request.path)
        room_page = ROOM_PAGE.fullmatch(request.path)
        visits = file is not None or room_page or request.path in OTHER_PAGES
        allowances = self._visits if visits else self._requests
        if address is not None and not allowances.take(address):
            metrics.turned_away.labels("requests").inc()
            return too_many("requests", allowances.wait_s(address))
        if file is not None:
            return file_response(request, file)
        if room_page:
            may_look_up = address is None or self._requests.take(address)
            return await self._pages.room(request, room_page, may_look_up=may_look_up)
        if request.path in OTHER_PAGES:
            return self._pages.page(request)
        return await self._route(request) or self._missing(request)

    async def _route(self, request: HttpRequest) -> Response | None:
        """Return the response of the route that the path belongs to, or None."""
        for pattern, route in self._routes:
            if match := pattern.fullmatch(request.path):
                try:
                    return await route(request, match)
                except (StoreAway, Unreadable) as error:
                    why = UNREADABLE if isinstance(error, Unreadable) else AWAY
                    return text_response(HTTPStatus.SERVICE_UNAVAILABLE, why)
                except TooMuchWork as much:
                    return too_many("long replays", much.wait_s)
                except TooManyGuesses as guesses:
                    return too_many("wrong codes", guesses.wait_s)
        return None

    def _missing(self, request: HttpRequest) -> Response:
        """Return the response for a path at which nothing is; people get a page."""
        if request.accepts_html():
            return self._pages.missing(request)
        return text_response(HTTPStatus.NOT_FOUND, "not found\n")

    def _counted_as(self, request: HttpRequest) -> str | None:
        return counted_as(request.peer, request.headers, self._config.trusted_proxies)

    async def _rooms(self, request: HttpRequest, _match: re.Match[str]) -> Response:
        async with self._listing:
            now = asyncio.get_running_loop().time()
            if self._listed is None or now - self._listed_at >= self._limits.listed_s:
                self._listed, self._listed_at = await self._list(), now
            return file_response(request, self._listed)

    async def _list(self) -> File:
        return make_json(public_rooms(await self._public.read()))

    async def _invitation(self, request: HttpRequest, match: re.Match[str]) -> Response:
        room = await self._lookups.find(request, match[1])
        if room is None:
            return text_response(HTTPStatus.NOT_FOUND, NO_ROOM)
        return file_response(request, make_json(invitation(room, self._now())))

    async def _file(
        self,
        request: HttpRequest,
        make: Callable[Concatenate[str, P], Awaitable[File | None]],
        code: str,
        *where: P.args,
        **named: P.kwargs,
    ) -> Response:
        """Return a file of a finished round."""
        file = await self._lookups.file(request, code, lambda: make(code, *where, **named))
        return over_response(request, file)

    async def _round(self, request: HttpRequest, match: re.Match[str]) -> Response:
        address = self._counted_as(request)
        return await self._file(request, self._rounds.whole, match[1], int(match[2]), address)

    async def _round_text(self, request: HttpRequest, match: re.Match[str]) -> Response:
        address = self._counted_as(request)
        response = await self._file(request, self._rounds.text, match[1], int(match[2]), address)
        if response.status_code == HTTPStatus.OK:
            name = f"spider-race-{match[1]}-{match[2]}.txt"
            response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    async def _course(self, request: HttpRequest, match: re.Match[str]) -> Response:
        address = self._counted_as(request)
        return await self._file(request, self._rounds.course, match[1], int(match[2]), address)

    async def _replay(self, request: HttpRequest, match: re.Match[str]) -> Response:
        place = match[1], int(match[2]), int(match[3])
        return await self._file(request, self._rounds.replay, *place, self._counted_as(request))

    async def _qr(self, request: HttpRequest, match: re.Match[str]) -> Response:
        base = self._links.base(request)
        if base is None:
            return text_response(HTTPStatus.BAD_REQUEST, "no such host\n")
        trusted = self._config.trusted_proxies
        if not self._qr_codes.take(limited_as(request.peer, request.headers, trusted)):
            metrics.turned_away.labels("requests").inc()
            return too_many("drawings", 1 / self._limits.qr_codes.per_s)
        drawing = io.BytesIO()
        segno.make(f"{base}/r/{match[1]}", micro=False).save(
            drawing, kind="svg", scale=4, border=2, dark="#000", light="#fff"
        )
        return file_response(request, make_file(drawing.getvalue(), "image/svg+xml"))
