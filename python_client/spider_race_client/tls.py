"""TLS: the CA that a program trusts, and the reasons why a server cannot be used."""

import os
import socket
import ssl
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from spider_race_client.errors import ProgramError

Tls = ssl.SSLContext | str | os.PathLike[str] | None
"""A private CA, as the path of its PEM file or as a context. None trusts the system's CAs."""

# A server that speaks http takes a TLS handshake for a request, and waits for the rest of it. So
# after `OPEN_S` the client asks whether it speaks http, and can report that within five seconds.
OPEN_S, ASK_S = 3.0, 0.9
_OTHER_REASONS = (ConnectionRefusedError, socket.gaierror, ssl.SSLCertVerificationError)


def context_of(tls: Tls) -> ssl.SSLContext | None:
    """Return the context of a `tls` option, if any; raise ProgramError if its file is not PEM."""
    if tls is None or isinstance(tls, ssl.SSLContext):
        return tls
    try:
        return ssl.create_default_context(cafile=tls)
    except (OSError, TypeError, ValueError) as error:  # an SSLError is an OSError
        raise ProgramError(f"{tls!r} is no PEM file with certificates: {error}.") from None


def wrong_scheme(server: str, error: object) -> str | None:
    """Ask a server whether it failed because its address needs the other scheme.

    Returns a sentence that says so, or None. Blocks for about a second at most.
    """
    parts = urlsplit(server)
    is_https = parts.scheme == "https"
    if isinstance(error, _OTHER_REASONS) or (isinstance(error, TimeoutError) and not is_https):
        return None
    host, port = parts.hostname or "", parts.port or (443 if is_https else 80)
    asked = (HTTPConnection if is_https else HTTPSConnection)(host, port, timeout=ASK_S)
    try:
        asked.request("HEAD", "/")
        if asked.getresponse().status == HTTPStatus.BAD_REQUEST:
            return None  # servers with TLS answer plain requests so: https was right
    except ssl.SSLCertVerificationError:
        pass  # a server with a certificate speaks https
    except (OSError, HTTPException, ValueError):
        return None
    finally:
        asked.close()
    spoken = "http" if is_https else "https"
    return f"{server} speaks {spoken}, not {parts.scheme}: use {spoken}://{parts.netloc}."


def reason_of(error: object) -> str:
    """Say in a clause, for an error message, why a server cannot be used."""
    match error:
        case None | TimeoutError():
            return "it is silent"
        case ssl.SSLCertVerificationError():
            return f"its certificate is not trusted: {error.verify_message.rstrip('.')}"
        case HTTPException():
            return "it sends no complete HTTP answer"
        case _:
            return getattr(error, "strerror", None) or str(error) or type(error).__name__
