"""Responses with their headers, and how they are sent to a peer.

A body is written in pieces, each once the peer has read the one before. A body that several peers
get is not copied. Unread bytes count towards the limits of the address and of the process.
"""

import asyncio
import email.utils
import math
from contextlib import suppress
from http import HTTPStatus

from websockets.datastructures import Headers
from websockets.http11 import Response

from server import metrics
from server.web.files import File
from server.web.limits import PIECE_BYTES, UnreadBodies
from server.web.requests import METHODS, HttpRequest

SECURITY = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types service-worker",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

HSTS = {"Strict-Transport-Security": "max-age=31536000"}
"""A browser that gets this over TLS uses only TLS for a year."""

RETRY_AFTER_S = 5
"""`Retry-After` for an address with too many connections: by then one of them may have ended."""


def too_many(noun: str, wait_s: float) -> Response:
    """Return the refusal for an address that has exceeded its limit of `noun`, a plural."""
    return _refusal(HTTPStatus.TOO_MANY_REQUESTS, f"too many {noun} from your address", wait_s)


def too_much_unread(*, of_address: bool) -> Response:
    """Return the refusal for an address, or for all addresses together, with too much unread."""
    metrics.turned_away.labels("unread").inc()
    if of_address:
        return too_many("unread answers", RETRY_AFTER_S)
    return _refusal(HTTPStatus.SERVICE_UNAVAILABLE, "too many unread answers", RETRY_AFTER_S)


def _refusal(status: HTTPStatus, why: str, wait_s: float) -> Response:
    """Return a response that says why a request is refused, and when to try again."""
    seconds = max(1, math.ceil(wait_s))
    response = text_response(status, f"{why}; try again in {seconds} s\n")
    response.headers["Retry-After"] = str(seconds)
    return response


def plain_response(status: HTTPStatus, content_type: str, body: bytes) -> Response:
    """Return a response with the headers that all responses have."""
    headers = Headers(SECURITY)
    headers["Date"] = email.utils.formatdate(usegmt=True)
    headers["Connection"] = "close"
    headers["Content-Type"] = content_type
    headers["Content-Length"] = str(len(body))
    if status is HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = ", ".join(METHODS)
    return Response(status.value, status.phrase, headers, body)


def text_response(status: HTTPStatus, text: str) -> Response:
    """Return a plain text response, which caches must not store."""
    response = plain_response(status, "text/plain; charset=utf-8", text.encode())
    response.headers["Cache-Control"] = "no-store"
    return response


def file_response(
    request: HttpRequest, file: File, status: HTTPStatus = HTTPStatus.OK, caching: str = "no-cache"
) -> Response:
    """Return a file, compressed if the client accepts that; 304 if the client has it already.

    With a status other than 200 it is an error page, which is always sent and never cached.
    """
    is_ok = status is HTTPStatus.OK
    if is_ok and request.has(file.etag):
        response = plain_response(HTTPStatus.NOT_MODIFIED, file.content_type, b"")
        del response.headers["Content-Length"]
    elif file.packed is not None and request.accepts_gzip():
        response = plain_response(status, file.content_type, file.packed)
        response.headers["Content-Encoding"] = "gzip"
    else:
        response = plain_response(status, file.content_type, file.body)
    response.headers["Vary"] = file.vary
    response.headers["Cache-Control"] = caching if is_ok else "no-store"
    if is_ok:
        response.headers["ETag"] = file.etag
    return response


def found_response(
    request: HttpRequest,
    file: File | None,
    missing: str,
    caching: str = "no-cache",
    save_as: str = "",
) -> Response:
    """Return the file, or 404 with the text `missing`; `save_as` is the name of a download."""
    if file is None:
        return text_response(HTTPStatus.NOT_FOUND, missing)
    response = file_response(request, file, caching=caching)
    if save_as and response.status_code == HTTPStatus.OK:
        response.headers["Content-Disposition"] = f'attachment; filename="{save_as}"'
    return response


class ResponseWriter:
    """Writes responses to one peer, one after another, as the peer reads them."""

    def __init__(self, transport: asyncio.Transport, bodies: UnreadBodies | None) -> None:
        """Send over a transport; `bodies` counts unread bodies, and is None for operators."""
        self._transport = transport
        self._bodies = bodies
        self._rest = memoryview(b"")  # the part of the body that is not written yet
        self._counted: tuple[str | None, bytes] | None = None  # an address, and its unread body
        self._is_ending = False  # whether the stream ends after this response
        self._is_paused = False  # whether there are bytes that the peer has not read
        transport.set_write_buffer_limits(high=0)  # to learn when the peer has read everything

    @property
    def is_busy(self) -> bool:
        """Whether the peer has not read the whole response yet."""
        return self._is_paused or bool(self._rest)

    def send(self, head: bytes, body: bytes, address: str | None) -> None:
        """Send a response; while the peer has not read it, its body counts for the address."""
        self._rest = memoryview(body)
        self._transport.writelines((head, self._next_piece()))
        if self._is_paused and self._bodies is not None and body:
            self._bodies.hold(address, body)
            self._counted = (address, body)
        self._send_rest()

    def end(self) -> None:
        """End the stream once the response is sent."""
        self._is_ending = True
        self._send_rest()

    def pause(self) -> None:
        """Send nothing more until the peer has read."""
        self._is_paused = True

    def resume(self) -> None:
        """Send the next piece, now that the peer has read the one before."""
        self._is_paused = False
        self._send_rest()

    def drop(self) -> None:
        """Drop the rest of the response, as the connection is lost."""
        self._rest = memoryview(b"")
        self._release()

    def _next_piece(self) -> memoryview:
        piece, self._rest = self._rest[:PIECE_BYTES], self._rest[PIECE_BYTES:]
        return piece

    def _send_rest(self) -> None:
        """Write pieces until the peer must read; after a last response, end the stream."""
        while self._rest and not self._is_paused:
            self._transport.write(self._next_piece())
        if self.is_busy:
            return
        self._release()
        if self._is_ending and self._transport.can_write_eof():
            self._is_ending = False
            with suppress(OSError):  # the peer has just reset the connection
                self._transport.write_eof()

    def _release(self) -> None:
        """Stop counting the body as unread."""
        if self._counted is not None and self._bodies is not None:
            self._bodies.release(*self._counted)
            self._counted = None
