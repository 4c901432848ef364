"""Answers, each with the headers that all have."""

import email.utils
import math
from http import HTTPStatus

from websockets.datastructures import Headers
from websockets.http11 import Response

from server import metrics
from server.http.files import File
from server.http.request import METHODS, NOT_GET, HttpRequest
from server.http.security_headers import SECURITY

NOT_OVER = "no such round, or it is not over\n"

CROWDED_S = 5
"""`Retry-After` for an address with too many connections: nobody knows when one of them ends."""


def forbidden() -> Response:
    """The answer to a websocket that a foreign page wants to open."""
    return text_response(HTTPStatus.FORBIDDEN, "this page may not connect here\n")


def crowded() -> Response:
    """The answer to a websocket from where there are too many."""
    metrics.turned_away.labels("players").inc()
    return too_many("players", CROWDED_S)


def too_many(what: str, wait_s: float) -> Response:
    """The answer to an address that has asked for too much, and when it may ask again."""
    seconds = max(1, math.ceil(wait_s))
    text = f"too many {what} from your address; try again in {seconds} s\n"
    response = text_response(HTTPStatus.TOO_MANY_REQUESTS, text)
    response.headers["Retry-After"] = str(seconds)
    return response


def ambiguous() -> Response:
    """The answer to a target that begins with two slashes."""
    return text_response(HTTPStatus.BAD_REQUEST, "a path begins with one slash\n")


def not_get() -> Response:
    """The answer to any other method."""
    response = text_response(HTTPStatus.METHOD_NOT_ALLOWED, NOT_GET)
    response.headers["Allow"] = ", ".join(METHODS)
    return response


def failed() -> Response:
    """The answer when something went wrong that is our fault; the log knows more."""
    return text_response(HTTPStatus.INTERNAL_SERVER_ERROR, "something went wrong\n")


def plain_response(status: HTTPStatus, content_type: str, body: bytes) -> Response:
    """Return a response with the headers that all have."""
    headers = Headers(SECURITY)
    headers["Date"] = email.utils.formatdate(usegmt=True)
    headers["Connection"] = "close"
    headers["Content-Type"] = content_type
    headers["Content-Length"] = str(len(body))
    return Response(status.value, status.phrase, headers, body)


def text_response(status: HTTPStatus, text: str) -> Response:
    """Return a response of plain text, which nobody keeps."""
    response = plain_response(status, "text/plain; charset=utf-8", text.encode())
    response.headers["Cache-Control"] = "no-store"
    return response


def over_response(asked: HttpRequest, file: File | None) -> Response:
    """Something of a round that is over, and so for good."""
    if file is None:
        return text_response(HTTPStatus.NOT_FOUND, NOT_OVER)
    response = file_response(asked, file)
    response.headers["Cache-Control"] = "private, max-age=3600, immutable"
    return response


def file_response(asked: HttpRequest, file: File) -> Response:
    """Return a file, packed if the asker likes; of one that the asker has, only that it is so."""
    if asked.has(file.etag):
        response = plain_response(HTTPStatus.NOT_MODIFIED, file.content_type, b"")
        del response.headers["Content-Length"]
    elif file.packed is not None and asked.accepts_gzip():
        response = plain_response(HTTPStatus.OK, file.content_type, file.packed)
        response.headers["Content-Encoding"] = "gzip"
    else:
        response = plain_response(HTTPStatus.OK, file.content_type, file.body)
    response.headers["Cache-Control"] = "no-cache"
    response.headers["ETag"] = file.etag
    response.headers["Vary"] = "Accept-Encoding"
    return response
