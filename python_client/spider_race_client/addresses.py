"""Addresses of servers and rooms. A server has the same address as its page: `https://host`."""

import re
from urllib.parse import urlsplit

from protocol.from_client import room_code
from spider_race_client.errors import ProgramError

_ROOM_PATH = re.compile(r"/r/([^/]+)/?")
_LOOPBACK = re.compile(r"localhost|127(\.\d+){3}|::1")
_SCHEMES = {"http": "http", "ws": "http", "https": "https", "wss": "https"}
_USUAL_PORTS = {"http": ":80", "https": ":443"}


def server_address(url: str) -> str:
    """Return the address of a server from an http or ws link to it, or raise a ProgramError."""
    try:
        parts = urlsplit(url.strip())
        host, _ = parts.hostname, parts.port  # raises ValueError for a bad port
        (host or "").encode("idna")  # raises ValueError for an impossible host name
        scheme = _SCHEMES[parts.scheme if host else ""]  # raises KeyError without a host
    except (AttributeError, KeyError, TypeError, ValueError):
        raise ProgramError(f"{url!r} is no address of a server, as https://host is.") from None
    location = parts.netloc.rpartition("@")[2].lower()
    return f"{scheme}://{location.removesuffix(_USUAL_PORTS[scheme])}"


def is_loopback(server: str) -> bool:
    """Return whether a server runs on this machine, so that no proxy can be in front of it."""
    return _LOOPBACK.fullmatch(urlsplit(server).hostname or "") is not None


def code_of(link: str, server: str | None) -> str:
    """Return the code of a room, from its link or from the code as typed.

    Raise ProgramError if there is no room code, or the link leads to a server other than `server`.
    """
    text = str(link).strip()
    if "//" in text:
        if server is not None and urlsplit(server_address(text)).netloc != urlsplit(server).netloc:
            raise ProgramError(f"{link!r} leads to another server than {server}.")
        found = _ROOM_PATH.fullmatch(urlsplit(text).path)
        text = found[1] if found else ""
    try:
        return room_code(text)
    except ValueError:
        raise ProgramError(f"{link!r} is no link or code of a room.") from None


def cards_of(text: str) -> str:
    """Return a name of cards, such as `CODE/N/SEAT`, with the room code in its canonical form."""
    code, slash, rest = str(text).partition("/")
    try:
        return f"{room_code(code)}{slash}{rest}"
    except ValueError:
        return str(text)
