"""One request, as the routes see it."""

import re
from urllib.parse import parse_qs, urlsplit

from websockets.datastructures import Headers
from websockets.http11 import Request

from protocol.vocabulary import Language
from server.views.previews import LANGUAGES

METHODS = ("GET", "HEAD")
NOT_GET = "GET and HEAD only\n"

GZIP = re.compile(r"gzip\s*(;\s*q=(0?\.0*[1-9][0-9]*|1(\.0*)?))?", re.ASCII)
"""The pattern of an accepted gzip coding; `q=0` refuses it."""


class HttpRequest:
    """One request: its path, its query, its headers and its peer."""

    def __init__(self, request: Request, peer: str) -> None:
        self.path, self.query = _path_and_query(request.path)
        # Some parsers take the text after it for a host, so a proxy's path rules may miss it.
        self.ambiguous = request.path.startswith("//")
        self.headers = request.headers
        self.peer = peer

    def accepts_gzip(self) -> bool:
        """Return whether the client accepts a compressed body."""
        offers = ",".join(self.headers.get_all("Accept-Encoding")).lower().split(",")
        return any(GZIP.fullmatch(offer.strip()) for offer in offers)

    def accepts_html(self) -> bool:
        """Return whether the client accepts HTML, as browsers do that open this address."""
        return "text/html" in ",".join(self.headers.get_all("Accept")).lower()

    def has(self, etag: str) -> bool:
        """Return whether the client has the file of this tag already."""
        tags = ",".join(self.headers.get_all("If-None-Match")).split(",")
        return any(tag.strip().removeprefix("W/") in {etag, "*"} for tag in tags)


def _path_and_query(target: str) -> tuple[str, str]:
    """Return the path and the query of a request's target; both are empty if it is no URL."""
    try:
        parts = urlsplit(target)
    except ValueError:
        return "", ""
    return parts.path, parts.query


MAX_LENGTH = 200  # the characters of a field that are read; browsers send a few languages

WEIGHTED = re.compile(
    r"\s*([A-Za-z]{1,8})(?:-[A-Za-z0-9-]*)?\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?)\s*)?"
)
"""The pattern of one language and its weight."""


def language_of(request: HttpRequest) -> Language:
    """Return the language of a request: that of its link, or else the best one of its reader."""
    asked = parse_qs(request.query[:MAX_LENGTH]).get("lang", [""])[0].lower()
    if asked in LANGUAGES:
        return LANGUAGES[asked]
    found: Language = "en"
    best = 0.0
    offers = ",".join(request.headers.get_all("Accept-Language"))[:MAX_LENGTH]
    for offer in offers.split(","):
        match = WEIGHTED.fullmatch(offer)
        if match is None:
            continue
        language, weight = LANGUAGES.get(match[1].lower()), float(match[2] or 1)
        if language is not None and weight > best:
            found, best = language, weight
    return found


MAX_PLAIN_BYTES, MAX_PLAIN_FIELDS = 4_096, 64
PLAIN = re.compile(rb"GET ([!-~]+) HTTP/1\.1\r\n((?:[0-9A-Za-z-]+:[ -~]*\r\n)*)\r\n")
"""A head whose fields are of printable ASCII."""
BODY = ("Content-Length", "Transfer-Encoding")
"""Fields of requests with a body, which the library refuses."""


def plain_request(head: bytes) -> Request | None:
    """Return the request of a whole head; None if the library must parse it, or refuse it.

    A plain head has the same request here as at the library, which takes five times as long.
    """
    plain = PLAIN.fullmatch(head) if len(head) <= MAX_PLAIN_BYTES else None
    if plain is None:
        return None
    path, fields = plain.groups()
    headers = Headers()
    lines = fields.decode().split("\r\n")[:-1]
    for line in lines:
        name, _, value = line.partition(":")
        headers.set_insecure(name, value.strip(" "))  # the pattern has validated it
    if len(lines) > MAX_PLAIN_FIELDS or any(name in headers for name in BODY):
        return None
    return Request(path.decode(), headers)
