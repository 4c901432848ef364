"""Finished rounds from a file or a link, of a bounded size."""

import re
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from urllib.request import Request, urlopen

MOST_BYTES = 64 << 20  # three times the largest round: 500,000 acts
FETCH_WITHIN_S = 20.0
PAGE = re.compile(r"/r/(\w+)/([0-9]{1,9})/?", re.ASCII)


class NoSource(Exception):  # noqa: N818  # a state of the source
    """The file or the link cannot be read; `str()` is one sentence."""


def read_source(source: str) -> bytes:
    """Return what a file or a URL has; the link `/r/CODE/N` of a page stands for its data.

    Raises:
        NoSource: it cannot be read, or it is too large for a round.
    """
    try:
        if source.partition("://")[0].lower() in {"http", "https"}:
            request = Request(data_url(source), headers={"User-Agent": "spider-race verify"})  # noqa: S310  # http or https
            with urlopen(request, timeout=FETCH_WITHIN_S) as reply:  # noqa: S310
                content = bytes(reply.read(MOST_BYTES + 1))
        else:
            with Path(source).open("rb") as file:
                content = file.read(MOST_BYTES + 1)
    except OSError as error:  # an error of HTTP is one
        reason = error.strerror or getattr(error, "reason", None) or error
        raise NoSource(f"{source} cannot be read: {reason}.") from error
    except ValueError as error:
        raise NoSource(f"{source} is no address.") from error
    if len(content) > MOST_BYTES:
        raise NoSource(f"{source} is no round: it is larger than {MOST_BYTES >> 20} MiB.")
    return content


def data_url(link: str) -> str:
    """Return the address of a round's data for the link of its page; others stay as they are."""
    parts = urlsplit(link)
    found = PAGE.fullmatch(parts.path)
    if found is None:
        return link
    path = f"/api/rooms/{found[1]}/rounds/{found[2]}"
    return urlunsplit((parts.scheme, parts.netloc, path, "", ""))
