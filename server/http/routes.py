"""The few things that are served over plain HTTP, by GET or HEAD."""

import asyncio
import io
import re
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from pathlib import Path

import segno
import structlog
from websockets.http11 import Response

from protocol.vocabulary import CODE_ALPHABET, CODE_LENGTH, CODE_LOOKALIKES
from server import metrics
from server.config import Config
from server.http.file_cache import TooMuchWork
from server.http.files import File, make_file, make_json, read_files
from server.http.finished_rounds import FinishedRounds
from server.http.request import HttpRequest
from server.http.responses import file_response, over_response, text_response, too_many
from server.live.repository import Repository
from server.live.slices import Slices
from server.rooms.record import Room
from server.rooms.refusal import Refusal
from server.sessions.rate_limit import RateLimits
from server.store import StoreAway, Unreadable
from server.views.catalogue import catalogue
from server.views.rooms import public_rooms
from server.websocket.origin import client_address, counted_as, is_trusted, network_of

log = structlog.get_logger()

ROOT = Path(__file__).parents[2]
CODE = f"[{CODE_ALPHABET}]{{{CODE_LENGTH}}}"
TYPED = f"(?:[{CODE_ALPHABET}{''.join(CODE_LOOKALIKES)}]-?){{{CODE_LENGTH}}}"
"""A code as people type it from a screen or by ear: in groups, with letters for digits."""

NUMBER = "[0-9]{1,6}"
PAGE = re.compile(rf"/(?:strategy|(?i:r/{TYPED}(?:/{NUMBER})?))?")
ROUND = f"/api/rooms/({CODE})/rounds/({NUMBER})"

LISTED_S = 1.0
DRAWINGS = 100
DRAWINGS_PER_S = 1
"""QR codes that an address may ask for: each is five milliseconds of work."""

HSTS = "max-age=31536000"
"""For a year, browsers that have been here over TLS come over TLS only."""
QUESTIONS, QUESTIONS_PER_S = 600, 20
"""All else that an address asks for. What must be made has limits of its own: see kept.py."""

AWAY = "the store is away\n"
UNREADABLE = "this server cannot read the room; another one may\n"

HOST = re.compile(r"[\w.-]{1,253}(:[0-9]{1,5})?|\[[0-9a-fA-F:.]{2,45}\](:[0-9]{1,5})?", re.ASCII)

Route = Callable[[HttpRequest, re.Match[str]], Awaitable[Response]]


class Routes:
    """Every route of the server but the websocket's."""

    def __init__(
        self, config: Config, repository: Repository, slices: Slices, visits: RateLimits
    ) -> None:
        """Make the routes; files of the page are charged as `visits`."""
        self._config = config
        self._repository = repository
        self._rounds = FinishedRounds(repository, slices)
        self._visits = visits
        self._questions = RateLimits(QUESTIONS, QUESTIONS_PER_S)
        self._drawings = RateLimits(DRAWINGS, DRAWINGS_PER_S)
        self._listing = asyncio.Lock()
        self._listed: File | None = None
        self._listed_at = 0.0
        self._files = read_files(ROOT / "web_client")
        asyncapi = (ROOT / "protocol" / "generated" / "asyncapi.json").read_bytes()
        self._files["/api/protocol"] = make_file(asyncapi, "application/json")
        self._files["/api/catalogue"] = make_json(catalogue())
        self._routes: list[tuple[re.Pattern[str], Route]] = [
            (re.compile(r"/api/rooms"), self._rooms),
            (re.compile(ROUND), self._round),
            (re.compile(rf"{ROUND}\.txt"), self._round_text),
            (re.compile(rf"{ROUND}/course"), self._course),
            (re.compile(rf"{ROUND}/seats/({NUMBER})"), self._replay),
            (re.compile(rf"/qr/({CODE})\.svg"), self._qr),
        ]

    async def answer(self, asked: HttpRequest) -> Response:
        """The response to a request; whatever is not there is a 404."""
        response = await self._answer(asked)
        if self._scheme(asked) == "https":
            response.headers["Strict-Transport-Security"] = HSTS
        return response

    async def _answer(self, asked: HttpRequest) -> Response:
        address = self._counted_as(asked)
        file = self._files.get(asked.path)
        if file is None and PAGE.fullmatch(asked.path):
            file = self._files["/index.html"]
        allowances = self._questions if file is None else self._visits
        if address is not None and not allowances.take(address):
            metrics.turned_away.labels("requests").inc()
            return too_many("requests", allowances.wait_s(address))
        if file is not None:
            return file_response(asked, file)
        for pattern, route in self._routes:
            if match := pattern.fullmatch(asked.path):
                try:
                    return await route(asked, match)
                except (StoreAway, Unreadable) as error:
                    why = UNREADABLE if isinstance(error, Unreadable) else AWAY
                    return text_response(HTTPStatus.SERVICE_UNAVAILABLE, why)
                except TooMuchWork as much:
                    return too_many("long replays", much.wait_s)
        return text_response(HTTPStatus.NOT_FOUND, "not found\n")

    def _counted_as(self, asked: HttpRequest) -> str | None:
        return counted_as(asked.peer, asked.headers, self._config.trusted_proxies)

    async def _rooms(self, asked: HttpRequest, _match: re.Match[str]) -> Response:
        async with self._listing:
            now = asyncio.get_running_loop().time()
            if self._listed is None or now - self._listed_at >= LISTED_S:
                self._listed, self._listed_at = await self._list(), now
            return file_response(asked, self._listed)

    async def _list(self) -> File:
        rooms: list[Room] = []
        for code in await self._repository.store.public_rooms():
            try:
                rooms.append((await self._repository.read(code)).room)
            except (Refusal, Unreadable):
                continue  # closed since, or not for this release
        return make_json(public_rooms(rooms))

    async def _round(self, asked: HttpRequest, match: re.Match[str]) -> Response:
        asker = self._counted_as(asked)
        return over_response(asked, await self._rounds.whole(match[1], int(match[2]), asker))

    async def _round_text(self, asked: HttpRequest, match: re.Match[str]) -> Response:
        asker = self._counted_as(asked)
        file = await self._rounds.text(match[1], int(match[2]), asker)
        response = over_response(asked, file)
        if file is None:
            return response
        name = f"spider-race-{match[1]}-{match[2]}.txt"
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    async def _course(self, asked: HttpRequest, match: re.Match[str]) -> Response:
        asker = self._counted_as(asked)
        return over_response(asked, await self._rounds.course(match[1], int(match[2]), asker))

    async def _replay(self, asked: HttpRequest, match: re.Match[str]) -> Response:
        place = match[1], int(match[2]), int(match[3])
        return over_response(asked, await self._rounds.replay(*place, self._counted_as(asked)))

    async def _qr(self, asked: HttpRequest, match: re.Match[str]) -> Response:
        base = self._base(asked)
        if base is None:
            return text_response(HTTPStatus.BAD_REQUEST, "no such host\n")
        trusted = self._config.trusted_proxies
        if not self._drawings.take(network_of(client_address(asked.peer, asked.headers, trusted))):
            metrics.turned_away.labels("requests").inc()
            return too_many("drawings", 1 / DRAWINGS_PER_S)
        drawing = io.BytesIO()
        segno.make(f"{base}/r/{match[1]}", micro=False).save(
            drawing, kind="svg", scale=4, border=2, dark="#000", light="#fff"
        )
        return file_response(asked, make_file(drawing.getvalue(), "image/svg+xml"))

    def _base(self, asked: HttpRequest) -> str | None:
        """Where the asker's friends find this server: as the asker did, if that makes sense."""
        if self._config.public_url is not None:
            return self._config.public_url
        hosts = asked.headers.get_all("Host")
        if len(hosts) != 1 or not HOST.fullmatch(hosts[0]):
            return None
        return f"{self._scheme(asked)}://{hosts[0]}"

    def _scheme(self, asked: HttpRequest) -> str:
        """`https` where the asker came over TLS, as a trusted proxy says, or should have."""
        if self._config.public_url is not None:
            return self._config.public_url.partition(":")[0]
        if is_trusted(asked.peer, self._config.trusted_proxies):
            # The last word is that of the proxy which we trust.
            told = ",".join(asked.headers.get_all("X-Forwarded-Proto")).split(",")[-1].strip()
            if told == "https":
                return told
        return "http"
