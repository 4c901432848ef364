"""TLS: whom a program trusts, and addresses with http for a server that speaks https."""

import os
import socket
import ssl
from urllib.parse import urlsplit

from spider_race_client.errors import ProgramError

Tls = ssl.SSLContext | str | os.PathLike[str] | None
"""The CA of a server as the path of a PEM file, or a context; None for those of the system."""

# A server that speaks http waits for the rest of a handshake, as of a request. After `OPEN_S` the
# client asks which one it speaks, so that the error comes within five seconds.
OPEN_S, ASK_S = 3.0, 0.9
_OTHER_REASONS = (ConnectionRefusedError, socket.gaierror, ssl.SSLCertVerificationError)


def context_of(tls: Tls) -> ssl.SSLContext | None:
    """Return the context for a `tls` option, or raise a ProgramError if it is no such file."""
    if tls is None or isinstance(tls, ssl.SSLContext):
        return tls
    try:
        return ssl.create_default_context(cafile=tls)
    except (OSError, TypeError, ValueError) as error:  # an SSLError is an OSError
        raise ProgramError(f"{tls!r} is no PEM file with certificates: {error}.") from None


def wrong_scheme(server: str, error: object) -> str | None:
    """Ask a server whether it has failed because its address should have the other scheme.

    Returns the sentence that says so, or None. Blocks for about a second at most.
    """
    parts = urlsplit(server)
    is_https = parts.scheme == "https"
    if isinstance(error, _OTHER_REASONS) or (isinstance(error, TimeoutError) and not is_https):
        return None
    host, port = parts.hostname or "", parts.port or (443 if is_https else 80)
    try:
        with socket.create_connection((host, port), ASK_S) as peer:
            if is_https:
                peer.sendall(f"HEAD / HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
                protocol, _, status = peer.makefile("rb").read(12).partition(b" ")
                if not protocol.startswith(b"HTTP/") or status == b"400":  # as servers with TLS do
                    return None
            else:
                ssl.create_default_context().wrap_socket(peer, server_hostname=host).close()
    except ssl.SSLCertVerificationError:
        pass  # a server with a certificate speaks https
    except (OSError, ValueError):
        return None
    spoken = "http" if is_https else "https"
    return f"{server} speaks {spoken}, not {parts.scheme}: use {spoken}://{parts.netloc}."
