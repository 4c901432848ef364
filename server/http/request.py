"""One request, as the routes see it."""

import re
from urllib.parse import urlsplit

from websockets.http11 import Request

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
