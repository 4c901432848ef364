"""The addresses of a server and of its rooms."""

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from protocol.vocabulary import CODE_ALPHABET, CODE_LENGTH, CODE_LOOKALIKES
from spider_race_client.errors import BadLink

_ROOM_PATH = re.compile(r"/r/([^/]+)/?")
_SECURE = {"http": False, "ws": False, "https": True, "wss": True}
_READ_AS = str.maketrans({**CODE_LOOKALIKES, "-": "", " ": ""})


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """The address of a server, for both of its protocols."""

    host: str
    """The host, and the port if it is not the usual one."""
    is_secure: bool
    """Whether connections are encrypted."""

    def __str__(self) -> str:
        return self.page

    @property
    def websocket(self) -> str:
        """The address of the websocket."""
        return f"{'wss' if self.is_secure else 'ws'}://{self.host}/ws"

    @property
    def page(self) -> str:
        """The address of the front page, without a slash at its end."""
        return f"{'https' if self.is_secure else 'http'}://{self.host}"

    @property
    def is_loopback(self) -> bool:
        """Whether the server runs on this machine, so that no proxy lies between."""
        name = urlsplit(self.page).hostname or ""
        try:
            return ipaddress.ip_address(name).is_loopback
        except ValueError:
            return name == "localhost"

    def room(self, code: str) -> str:
        """Return the link of a room."""
        return f"{self.page}/r/{code}"


def server_address(url: str) -> ServerAddress:
    """Return the address of the server of a link; its path does not matter.

    Raises:
        BadLink: the text is no http, https, ws or wss address.
    """
    if not isinstance(url, str):
        raise BadLink(f"{url!r} is no text with an address.")
    try:
        parts = urlsplit(url.strip())
        host, _ = parts.hostname, parts.port  # a bad port is a ValueError
        (host or "").encode("idna")  # as is a name that no server can have
    except ValueError:
        raise BadLink(f"{url!r} is no address of a server.") from None
    if parts.scheme not in _SECURE or not host:
        raise BadLink(f"{url!r} is no address of a server: it begins with https:// or http://.")
    is_secure = _SECURE[parts.scheme]
    location = parts.netloc.rpartition("@")[2].lower()
    return ServerAddress(location.removesuffix(":443" if is_secure else ":80"), is_secure)


def room_code(link: str, server: ServerAddress | None) -> str:
    """Return the code of a room from its link or from the code as a person types it.

    The link must be one of this server, or of any if it is None.

    Raises:
        BadLink: the link leads to another server, or contains no code of a room.
    """
    if not isinstance(link, str):
        raise BadLink(f"{link!r} is no text with a link or code.")
    text = link.strip()
    if "//" in text:
        linked = server_address(text)
        if server is not None and linked.host != server.host:
            raise BadLink(f"{link!r} leads to another server than {server}.")
        found = _ROOM_PATH.fullmatch(urlsplit(text).path)
        text = found[1] if found else ""
    code = text.upper().translate(_READ_AS)
    if len(code) != CODE_LENGTH or any(letter not in CODE_ALPHABET for letter in code):
        raise BadLink(f"{link!r} is no link or code of a room.")
    return code
