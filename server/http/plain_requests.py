"""The heads of plain GET requests, parsed in one pass; the library parses all others.

A head that is plain has the same request here as at the library, which takes five times as long.
"""

import re

from websockets.datastructures import Headers
from websockets.http11 import Request

MAX_PLAIN_BYTES, MAX_PLAIN_FIELDS = 4_096, 64
PLAIN = re.compile(rb"GET ([!-~]+) HTTP/1\.1\r\n((?:[0-9A-Za-z-]+:[ -~]*\r\n)*)\r\n")
"""A head whose fields are of printable ASCII."""
BODY = ("Content-Length", "Transfer-Encoding")
"""Fields of requests with a body, which the library refuses."""


def plain_request(head: bytes) -> Request | None:
    """Return the request of a whole head; None if the library must parse it, or refuse it."""
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
