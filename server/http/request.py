"""One request, as the routes see it."""

import re
from urllib.parse import urlsplit

from websockets.http11 import Request

METHODS = ("GET", "HEAD")
NOT_GET = "GET and HEAD only\n"

GZIP = re.compile(r"gzip\s*(;\s*q=(0?\.0*[1-9][0-9]*|1(\.0*)?))?", re.ASCII)
"""`q=0` says that it is not wanted."""


class HttpRequest:
    """One request: its path without the query, and what its headers say."""

    def __init__(self, request: Request, peer: str) -> None:
        self.path = _path(request.path)
        # Some take what follows for a host, so that a proxy's rule for paths may miss it.
        self.ambiguous = request.path.startswith("//")
        self.headers = request.headers
        self.peer = peer

    def accepts_gzip(self) -> bool:
        """Whether the body may be compressed."""
        offers = ",".join(self.headers.get_all("Accept-Encoding")).lower().split(",")
        return any(GZIP.fullmatch(offer.strip()) for offer in offers)

    def has(self, etag: str) -> bool:
        """Whether the asker has the file of this tag already."""
        known = ",".join(self.headers.get_all("If-None-Match")).split(",")
        return any(tag.strip().removeprefix("W/") in {etag, "*"} for tag in known)


def _path(target: str) -> str:
    """The path of a request's target; of one that is no URL, a path that leads nowhere."""
    try:
        return urlsplit(target).path
    except ValueError:
        return ""
