"""The routes of plain HTTP requests, by GET or HEAD, for players and for operators."""

import io
import re
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from http import HTTPStatus
from pathlib import Path

import segno
import structlog
from websockets.http11 import Response

from protocol.vocabulary import CODE_ALPHABET, CODE_LENGTH
from server import metrics, version
from server.sessions.guesses import TooManyGuesses
from server.sessions.limits import RateLimits
from server.sessions.services import Services
from server.store import Store, StoreAway, StoreDamaged, StoreError, StoreFull, Unreadable
from server.views.front_page import catalogue
from server.views.rooms import invitation
from server.web.addresses import ServerAddress
from server.web.days import DAY, ENTRIES, DayRequests
from server.web.files import TooMuchWork, make_file, make_json, read_files
from server.web.finished_rounds import FinishedRounds, key_of
from server.web.limits import HttpLimits
from server.web.pages import GHOST_PAGE, OTHER_PAGES, ROOM_PAGE, Pages
from server.web.requests import HttpRequest
from server.web.responses import (
    file_response,
    found_response,
    plain_response,
    text_response,
    too_many,
)
from server.web.rooms import NumberedDeals, RoomList, RoomLookups, table_file

log = structlog.get_logger()

ROOT = Path(__file__).parents[2]
CODE = f"(?P<code>[{CODE_ALPHABET}]{{{CODE_LENGTH}}})"
NUMBER = "[0-9]{1,6}"
ROUND = f"/api/rooms/{CODE}/rounds/(?P<n>{NUMBER})"

FILES = {
    "": "whole",
    r"\.txt": "text",
    "/course": "course",
    r"/picture\.svg": "picture",
    "/proof": "proof",
    f"/seats/(?P<seat>{NUMBER})": "replay",
    f"/seats/(?P<seat>{NUMBER})/win": "win",
}
"""The kinds of files of a finished round, by the pattern that follows `ROUND` in their paths."""

NOT_OVER = "no such round, or it is not over\n"
AWAY = "the store is away\n"
# Other servers have the same store, so this one should still get players.
FULL = "ready; the store is full: no new rooms, races go on\n"
UNREADABLE = "this server cannot read the room; another one may\n"

Route = Callable[[HttpRequest, re.Match[str]], Awaitable[Response]]


class Routes:
    """All routes of the players' port, except the websocket's."""

    def __init__(
        self, services: Services, address: ServerAddress, visits: RateLimits, limits: HttpLimits
    ) -> None:
        """Read all files into memory.

        An address's requests for pages and files share the limit `visits` with its connections.
        """
        repository, thinking = services.repository, services.thinking
        self._rounds = FinishedRounds(services, limits)
        labeller = None if thinking is None else thinking.labeller
        self._numbered_deals = NumberedDeals(services.store.deal_labels, labeller, limits)
        self.room_list = RoomList(services, limits.listed_s)
        self._visits, self._limits = visits, limits
        self._requests = RateLimits(limits.requests)
        self._qr_codes = RateLimits(limits.qr_codes)
        self._files = read_files(ROOT / "web_client")
        asyncapi = (ROOT / "protocol" / "generated" / "asyncapi.json").read_bytes()
        self._files["/api/protocol"] = make_file(asyncapi, "application/json")
        self._files["/api/catalogue"] = make_json(catalogue())
        self.is_secure, self.base = address.is_secure, address.base
        self._lookups = RoomLookups(repository, services.guesses)
        self._now_ms = repository.store.clock.now_ms
        index = self._files.pop("/index.html").body
        self._table_file = partial(table_file, repository, self._rounds.cache)
        self._pages = Pages(index, address, self._lookups, self._now_ms)
        days = DayRequests(services, self._rounds, self._requests)
        self._routes = [(re.compile(path), route) for path, route in self._paths(days)]

    def _paths(self, days: DayRequests) -> Iterator[tuple[str, Route]]:
        """Yield the pattern of each path under `/api` and `/qr`, with its route."""
        yield "/api/rooms", self._rooms
        yield f"/api/rooms/{CODE}", self._invitation
        yield f"/api/rooms/{CODE}/deal", self._deal
        yield f"{ROUND}/review", self._review
        yield rf"/api/rooms/{CODE}/(?P<name>table(?:\.csv)?)", self._table
        yield rf"/qr/{CODE}\.svg", self._qr
        yield "/api/days", days.overview
        yield f"/api/days/{DAY}", days.board
        yield f"/api/days/{DAY}/computers", days.computers
        for rest, kind in FILES.items():
            yield f"{ROUND}{rest}", partial(self._file, kind)
            yield f"/api/days/{DAY}/{ENTRIES}{rest}", partial(days.file, kind)

    async def respond(self, request: HttpRequest) -> Response:
        """Return the response to a request: 404 for an unknown path."""
        address = request.counted_network
        file = self._files.get(request.path)
        room_page = ROOM_PAGE.fullmatch(request.path)
        other_page = OTHER_PAGES.fullmatch(request.path)
        is_visit = file is not None or room_page or other_page
        limits = self._visits if is_visit else self._requests
        if address is not None and not limits.take(address):
            metrics.turned_away.labels("requests").inc()
            return too_many("requests", limits.wait_s(address))
        if file is not None:
            return file_response(request, file)
        ghost_page = GHOST_PAGE.fullmatch(request.path)
        if linked := room_page or ghost_page:
            # The look-up of its room is charged on top of the visit, like a request to the API.
            may_look_up = address is None or self._requests.take(address)
            show = self._pages.room if room_page else self._pages.ghost
            return await show(request, linked, may_look_up=may_look_up)
        if other_page:
            return self._pages.page(request)
        response = await self._route(request)
        if response is None and request.accepts_html():  # people get a page
            response = self._pages.missing(request)
        return response or text_response(HTTPStatus.NOT_FOUND, "not found\n")

    async def _route(self, request: HttpRequest) -> Response | None:
        """Return the response of the route that matches the path, or None."""
        for pattern, route in self._routes:
            if match := pattern.fullmatch(request.path):
                try:
                    return await route(request, match)
                except StoreAway:
                    return text_response(HTTPStatus.SERVICE_UNAVAILABLE, AWAY)
                except Unreadable:
                    return text_response(HTTPStatus.SERVICE_UNAVAILABLE, UNREADABLE)
                except TooMuchWork as much:
                    return too_many("long replays", much.wait_s)
                except TooManyGuesses as guesses:
                    return too_many("wrong codes", guesses.wait_s)
        return None

    async def _rooms(self, request: HttpRequest, _match: re.Match[str]) -> Response:
        return file_response(request, await self.room_list.file())

    async def _invitation(self, request: HttpRequest, match: re.Match[str]) -> Response:
        """Return what a room shows to people who have not joined."""
        room = await self._lookups.find(request, match["code"])
        file = None if room is None else make_json(invitation(room, self._now_ms()))
        return found_response(request, file, "no such room, or it is closed\n")

    async def _deal(self, request: HttpRequest, match: re.Match[str]) -> Response:
        """Return the numbered deal that a room plays next, with its label."""
        room = await self._lookups.find(request, match["code"])
        address = request.counted_network
        file = None if room is None else await self._numbered_deals.find(room, address)
        return found_response(request, file, "no such room, or it plays no numbered deal\n")

    async def _file(self, kind: str, request: HttpRequest, match: re.Match[str]) -> Response:
        """Return a file of a finished round; `kind` is a value of `FILES`."""
        code, n, address = match["code"], int(match["n"]), request.counted_network
        key = key_of(kind, code, n, request, match)
        file = await self._lookups.file(request, code, lambda: self._rounds.file(key, address))
        caching = "private, max-age=3600, immutable"
        save_as = f"spider-race-{code}-{n}.txt" if kind == "text" else ""
        return found_response(request, file, NOT_OVER, caching, save_as)

    async def _review(self, request: HttpRequest, match: re.Match[str]) -> Response:
        """Return the review of a finished round, which may change until it is done."""
        code, n = match["code"], int(match["n"])
        file = await self._lookups.file(request, code, lambda: self._rounds.review(code, n))
        return found_response(request, file, NOT_OVER)

    async def _table(self, request: HttpRequest, match: re.Match[str]) -> Response:
        """Return the history and the standings of a kept table."""
        code, name = match["code"], match["name"]
        make = partial(self._table_file, name, code, request.counted_network)
        file = await self._lookups.file(request, code, make)
        save_as = f"spider-race-{code}.csv" if name == "table.csv" else ""
        missing = "no such room, or it is no kept table\n"
        return found_response(request, file, missing, save_as=save_as)

    async def _qr(self, request: HttpRequest, match: re.Match[str]) -> Response:
        """Return a QR code of the link to a room, without checking whether the room exists."""
        base = self.base(request)
        if base is None:
            return text_response(HTTPStatus.BAD_REQUEST, "no such host\n")
        if not self._qr_codes.take(request.client_network):
            metrics.turned_away.labels("requests").inc()
            return too_many("drawings", 1 / self._limits.qr_codes.per_s)
        drawing = io.BytesIO()
        segno.make(f"{base}/r/{match['code']}", micro=False).save(
            drawing, kind="svg", scale=4, border=2, dark="#000", light="#fff"
        )
        return file_response(request, make_file(drawing.getvalue(), "image/svg+xml"))


class Operations:
    """The routes for health, readiness and metrics, on a port that players do not reach."""

    def __init__(
        self, store: Store, scrape: metrics.Scrape, is_draining: Callable[[], bool]
    ) -> None:
        self._store, self._scrape, self._is_draining = store, scrape, is_draining

    async def respond(self, request: HttpRequest) -> Response:
        """Return the response to a request: 404 for an unknown path."""
        if request.path == "/metrics":
            content_type = "text/plain; version=0.0.4; charset=utf-8"
            return plain_response(HTTPStatus.OK, content_type, await self._scrape())
        if request.path == "/healthz":
            fault, ok_text = await self._why_unhealthy(), "ok\n"
            about = f"Spider Race {version()}\n"
        elif request.path == "/readyz":
            fault, about = await self._why_not_ready(), ""
            ok_text = FULL if self._store.health.is_full else "ready\n"
        else:
            return text_response(HTTPStatus.NOT_FOUND, "not found\n")
        if fault is None:
            return text_response(HTTPStatus.OK, f"{ok_text}{about}")
        return text_response(HTTPStatus.SERVICE_UNAVAILABLE, f"{fault}\n{about}")

    async def _why_unhealthy(self) -> str | None:
        """Return why the store's notifications do not reach this process; None if they do."""
        try:
            await self._store.pubsub.probe()
        except StoreError as error:  # away, or Redis refuses this process's messages
            log.warning("not healthy", why=str(error))
            return "no notifications come through the store"
        return None

    async def _why_not_ready(self) -> str | None:
        """Return why this process cannot take more players, or None if it can."""
        if self._is_draining():
            return "draining"
        try:
            await self._store.ready()
        except StoreDamaged as error:
            return str(error)
        except StoreFull:
            return "the store is full: it takes no acts and no new rooms"
        except StoreError:
            return "the store is away"
        return None
