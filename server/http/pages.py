"""The client's page. Its head depends on the address: previews of links run no script.

The preview is in the language of the link, or else in one that the request accepts.

The head also contains what the page would otherwise request: the base of links for other people
(`share-base`), and the room of the address (`room`, which is `null` if there is none).
"""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from http import HTTPStatus

from websockets.http11 import Response

from protocol.vocabulary import CODE_ALPHABET, CODE_LENGTHS, CODE_LOOKALIKES
from server.http.files import File, make_file
from server.http.languages import language_of
from server.http.links import Links
from server.http.lookups import Lookups
from server.http.request import HttpRequest
from server.http.responses import file_response
from server.sessions.guesses import TooManyGuesses
from server.store import StoreAway, Unreadable
from server.views.previews import HOME, Preview, home_preview, room_preview, round_preview
from server.views.rooms import invitation


def repeated(character: str) -> str:
    """Return the pattern of a room code, from that of a character."""
    return f"(?:{'|'.join(f'{character}{{{length}}}' for length in CODE_LENGTHS)})"


TYPED = repeated(f"(?:[{CODE_ALPHABET}{''.join(CODE_LOOKALIKES)}]-?)")
"""The pattern of a typed room code: in groups, with letters that look like digits."""

LOOKALIKES = {ord(letter): digit for letter, digit in CODE_LOOKALIKES.items()}

ROOM_PAGE = re.compile(rf"/(?i:r)/(?P<code>(?i:{TYPED}))(?:/(?P<n>[0-9]{{1,6}}))?")
OTHER_PAGES = {"/", "/strategy"}

PLACE = "<!-- The server adds the tags of the address here. -->"
PICTURE = "/icons/share.png"
PICTURE_SIZE = (1200, 630)
PICTURE_TEXT = "A fan of playing cards from king to nine of spades on a green table"
EFFORT = 6
KEPT = 64


@dataclass(frozen=True, slots=True)
class Head:
    """What the head of the page depends on; `room` is JSON, and `base` that of links."""

    path: str = "/"
    preview: Preview = HOME
    base: str | None = None
    share_base: str | None = None
    room: str | None = None


class Pages:
    """The pages of the client: one document with a head for each address."""

    def __init__(
        self, index: bytes, links: Links, lookups: Lookups, now: Callable[[], int]
    ) -> None:
        """Serve the document `index`; `now` is the server's time in ms."""
        self._links = links
        self._lookups = lookups
        self._now = now
        before, place, after = index.decode().partition(f"{PLACE}\n")
        assert place, "the page has a place for the tags"

        @lru_cache(maxsize=KEPT)
        def page(head: Head) -> File:
            text = f"{before}{_tags(head)}{after}"
            return make_file(text.encode(), "text/html; charset=utf-8", EFFORT)

        self._page = page

    def page(self, request: HttpRequest) -> Response:
        """Return a page that is about no room."""
        return self._found(request, self._head(request, request.path))

    def missing(self, request: HttpRequest) -> Response:
        """Return the page for an address at which nothing is."""
        return self._missing(request, self._head(request, "/"))

    async def room(
        self, request: HttpRequest, match: re.Match[str], *, may_look_up: bool
    ) -> Response:
        """Return the page of a room or of a finished round; 404 if there is none.

        The page says nothing about the room if it may not be looked up, or cannot be now.
        """
        code, n = canonical(match["code"]), match["n"]
        path = f"/r/{code}" if n is None else f"/r/{code}/{int(n)}"
        language = language_of(request)
        head = self._head(request, path)
        if not may_look_up:
            return self._found(request, head)
        try:
            room = await self._lookups.find(request, code)
        except (StoreAway, Unreadable, TooManyGuesses):
            return self._found(request, head)
        if room is None:
            return self._missing(request, replace(head, room="null"))
        if n is None:
            room_json = invitation(room, self._now()).model_dump_json()
            head = replace(head, preview=room_preview(room, language), room=room_json)
            return self._found(request, head)
        played = next((each for each in room.rounds if each.n == int(n) and each.kept), None)
        if played is None:
            return self._missing(request, head)
        head = replace(head, preview=round_preview(played, language))
        return self._found(request, head)

    def _head(self, request: HttpRequest, path: str) -> Head:
        base, better = self._links.base(request), self._links.better_base(request)
        preview = home_preview(language_of(request))
        return Head(path=path, preview=preview, base=base, share_base=better)

    def _found(
        self, request: HttpRequest, head: Head, status: HTTPStatus = HTTPStatus.OK
    ) -> Response:
        response = file_response(request, self._page(head), status)
        del response.headers["Vary"]
        response.headers["Vary"] = "Accept-Encoding, Accept-Language"
        return response

    def _missing(self, request: HttpRequest, head: Head) -> Response:
        return self._found(request, head, HTTPStatus.NOT_FOUND)


def canonical(typed: str) -> str:
    """Return a typed room code in its canonical form."""
    code = typed.upper().replace("-", "")
    return code.translate(LOOKALIKES)


def _tags(head: Head) -> str:
    """Return the tags of a head, with all values escaped."""
    preview = head.preview
    pairs = [
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
    if head.path.startswith("/r/"):
        pairs.append(("name", "robots", "noindex"))
    if head.share_base is not None:
        pairs.append(("name", "share-base", head.share_base))
    if head.room is not None:
        pairs.append(("name", "room", head.room))
    return "".join(
        f'<meta {kind}="{name}" content="{html.escape(content)}">\n'
        for kind, name, content in pairs
    )
