"""The client's page. Its head depends on the address, since link previews run no scripts.

The head also has data that the page would otherwise request: the base URL of links for other
people (`share-base`), and the room at this address (`room`; `null` if it does not exist).
"""

import html
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from http import HTTPStatus

from websockets.http11 import Response

from protocol.vocabulary import CODE_ALPHABET, CODE_LENGTH, CODE_LOOKALIKES
from server import version
from server.sessions.guesses import TooManyGuesses
from server.store import StoreAway, Unreadable
from server.views import sharing
from server.views.rooms import invitation
from server.web.addresses import ServerAddress
from server.web.days import DAY, ENTRIES
from server.web.files import BY_LANGUAGE, EFFORT, File, make_file
from server.web.requests import HttpRequest, language_of
from server.web.responses import file_response
from server.web.rooms import RoomLookups

TYPED = f"(?:[{CODE_ALPHABET}{''.join(CODE_LOOKALIKES)}]-?){{{CODE_LENGTH}}}"
"""A room code as people type it, perhaps with dashes and letters that look like digits."""

LOOKALIKES = {ord(letter): digit for letter, digit in CODE_LOOKALIKES.items()}

ROOM_PAGE = re.compile(rf"/(?i:r)/(?P<code>(?i:{TYPED}))(?:/(?P<n>[0-9]{{1,6}}))?")
GHOST_PAGE = re.compile(
    rf"/g/(?P<code>[{CODE_ALPHABET}]{{{CODE_LENGTH}}})/(?P<n>[0-9]{{1,6}})/(?P<seat>[0-9]{{1,3}})"
)
ROOM_PATHS = "/r/"
GHOST_PATHS = "/g/"
OTHER_PAGES = re.compile(
    f"/|/strategy|/days|/yours|/d/{DAY}(?:/{ENTRIES})?|/g/[0-9A-Za-z./-]{{9,64}}"
)
"""The pages whose head needs no look-up of a room."""

TAGS_HERE = "<!-- The server adds the tags of the address here. -->"
OF_ROOMS, OF_ALL = "<!-- Of the pages of rooms: -->", "<!-- Of all pages: -->"
"""The preloads between these two comments are only for room pages."""

COMMENTS = re.compile(r"<!--.*-->\n")
"""All other comments are for developers, and are removed."""

PICTURE = "/icons/share.png"
PICTURE_SIZE = (1200, 630)
PICTURE_TEXT = "A fan of playing cards from king to nine of spades on a green table"
MAX_PAGES = 64  # in the cache


@dataclass(frozen=True, slots=True)
class PageHead:
    """The data that the head of a page is made from."""

    path: str
    preview: sharing.Preview
    base: str | None  # the base URL of links; None if the request's host is invalid
    share_base: str | None  # the base URL of links for other people, if it differs
    room: str | None = None  # what the room of the page shows to newcomers, as JSON

    @property
    def is_of_room(self) -> bool:
        """Whether the page shows a room itself, rather than one of its finished rounds."""
        return self.path.startswith(ROOM_PATHS) and self.path.count("/") == ROOM_PATHS.count("/")


class Pages:
    """The client's pages: one HTML document, with a different head at each address."""

    def __init__(
        self, index: bytes, address: ServerAddress, lookups: RoomLookups, now_ms: Callable[[], int]
    ) -> None:
        """Serve the document `index`; `now_ms` returns the time (ms since the epoch)."""
        self._address, self._lookups, self._now_ms = address, lookups, now_ms
        before, found, after = index.decode().partition(f"{TAGS_HERE}\n")
        assert found, "the page says where its tags go"
        preloads, _, after = after.partition(f"{OF_ROOMS}\n")
        room_preloads, found, after = after.partition(f"{OF_ALL}\n")
        assert found, "the page says where the preloads of rooms end"
        after = COMMENTS.sub("", after)

        @lru_cache(maxsize=MAX_PAGES)
        def page(head: PageHead) -> File:
            more = room_preloads if head.is_of_room else ""
            text = f"{before}{_tags(head)}{preloads}{more}{after}"
            return make_file(text.encode(), "text/html; charset=utf-8", EFFORT, BY_LANGUAGE)

        self._page = page

    def page(self, request: HttpRequest) -> Response:
        """Return a page that needs no look-up of a room."""
        return self._respond(request, self._head(request, request.path))

    def missing(self, request: HttpRequest) -> Response:
        """Return the page for an unknown address."""
        return self._respond(request, self._head(request, "/"), HTTPStatus.NOT_FOUND)

    async def room(
        self, request: HttpRequest, match: re.Match[str], *, may_look_up: bool
    ) -> Response:
        """Return the page of a room or a finished round, with status 404 if it does not exist.

        Without `may_look_up`, or if the look-up fails, the head says nothing about the room.
        """
        code, n = canonical(match["code"]), match["n"]
        path = f"/r/{code}" if n is None else f"/r/{code}/{int(n)}"
        language = language_of(request)
        head = self._head(request, path)
        if not may_look_up:
            return self._respond(request, head)
        played = None
        try:
            room = await self._lookups.find(request, code)
            if room is not None and n is not None:
                played = await self._lookups.finished_round(room, int(n))
        except (StoreAway, Unreadable, TooManyGuesses):
            return self._respond(request, head)
        status = HTTPStatus.OK
        if room is None:
            # The page reads this as JSON, and need not ask for the room.
            head, status = replace(head, room="null"), HTTPStatus.NOT_FOUND
        elif n is None:
            shown = invitation(room, self._now_ms())
            preview = sharing.room_preview(room, language, _minute(shown.window_end))
            head = replace(head, preview=preview, room=shown.model_dump_json())
        elif played is not None:
            head = replace(head, preview=sharing.round_preview(played, language))
        else:
            status = HTTPStatus.NOT_FOUND
        return self._respond(request, head, status)

    async def ghost(
        self, request: HttpRequest, match: re.Match[str], *, may_look_up: bool
    ) -> Response:
        """Return the page of a link to race against a ghost, which replays a finished game.

        Its preview names the challenger, if the server `may_look_up` the game and finds it.
        """
        head, played = self._head(request, request.path), None
        if may_look_up:
            with suppress(StoreAway, Unreadable, TooManyGuesses):
                room = await self._lookups.find(request, match["code"])
                played = room and await self._lookups.finished_round(room, int(match["n"]))
        seat, language = int(match["seat"]), language_of(request)
        if preview := played and sharing.challenge_preview(played, seat, language):
            head = replace(head, preview=preview)
        return self._respond(request, head)

    def _head(self, request: HttpRequest, path: str) -> PageHead:
        """Return the head of the page at `path`, with a preview that needs no look-up."""
        preview = sharing.link_preview(path, language_of(request))
        address = self._address
        return PageHead(path, preview, address.base(request), address.better_base(request))

    def _respond(
        self, request: HttpRequest, head: PageHead, status: HTTPStatus = HTTPStatus.OK
    ) -> Response:
        return file_response(request, self._page(head), status)


def _minute(ms: int | None) -> sharing.Minute | None:
    """Return the month, day, hour and minute (UTC) of a time, if there is one."""
    at = None if ms is None else time.gmtime(ms / 1_000)
    return at and (at.tm_mon, at.tm_mday, at.tm_hour, at.tm_min)


def canonical(typed: str) -> str:
    """Return a typed room code in its canonical form."""
    return typed.upper().replace("-", "").translate(LOOKALIKES)


def _tags(head: PageHead) -> str:
    """Return the `<meta>` tags of a page's head, with all values escaped."""
    preview = head.preview
    pairs = [
        ("name", "generator", f"Spider Race {version()}"),
        ("property", "og:site_name", "Spider Race"),
        ("property", "og:type", "website"),
        ("property", "og:title", preview.title),
        ("property", "og:description", preview.text),
        ("name", "twitter:card", "summary_large_image"),
    ]
    if head.base is not None:
        width, height = PICTURE_SIZE
        pairs += [
            ("property", "og:url", f"{head.base}{head.path}"),
            ("property", "og:image", f"{head.base}{PICTURE}"),
            ("property", "og:image:type", "image/png"),
            ("property", "og:image:width", str(width)),
            ("property", "og:image:height", str(height)),
            ("property", "og:image:alt", PICTURE_TEXT),
        ]
    if head.path.startswith((ROOM_PATHS, GHOST_PATHS)):
        pairs.append(("name", "robots", "noindex"))
    if head.share_base is not None:
        pairs.append(("name", "share-base", head.share_base))
    if head.room is not None:
        pairs.append(("name", "room", head.room))
    tag = '<meta {}="{}" content="{}">\n'.format
    return "".join(tag(kind, name, html.escape(content)) for kind, name, content in pairs)
