"""The client's files, and the cache of files that are expensive to make.

The client's files are read and compressed once; requests never reach the file system. Browsers get
modules and stylesheets without comments, which are a quarter of the page's bytes, but every line
keeps its number. A stylesheet is served with its imports in it.
"""

import asyncio
import gzip
import hashlib
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel

from protocol.vocabulary import Language
from server import metrics
from server.live.work import KeyedLocks
from server.sessions.limits import RateLimits
from server.web.limits import HTTP_LIMITS, HttpLimits

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
}
FOLDERS = ("src", "css", "icons")
TOP_FILES = (
    *("index.html", "offline.html", "service-worker.js"),
    *("manifest.webmanifest", "favicon.svg", "favicon.ico"),
)
BY_ENCODING, BY_LANGUAGE = "Accept-Encoding", "Accept-Encoding, Accept-Language"  # `Vary`
MIN_PACKED_BYTES = 256  # smaller files are not compressed
EFFORT = 6  # the gzip level of files made on request: 9 takes three times as long to save 5 %
COMMENTED = {".css", ".js"}  # the types of files whose comments are removed
COMMENTS = re.compile(
    r"^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/[ \t]*|//[^\n]*)$|(?<=\S) // [^\n'\"`]*$", re.MULTILINE
)
"""Comments that fill whole lines, or end a line and cannot be part of a string.

Comments within a line stay: they are type casts.
"""

IMPORTS = re.compile(r'^@import "([^"]+)"(?: layer\((\w+)\))?;$', re.MULTILINE)
"""An import in a stylesheet: its path, relative to the stylesheet's folder, and any layer."""

LAYERED = re.compile(r"^@layer |^@import .* layer\(", re.MULTILINE)
"""A statement in a stylesheet that puts rules into a layer, or orders the layers."""


@dataclass(frozen=True, slots=True)
class File:
    """A file to be served."""

    body: bytes
    packed: bytes | None  # the body in gzip form; None if that is not shorter
    etag: str  # the tag of this version, in quotes
    content_type: str
    vary: str = BY_ENCODING  # the request headers that its content depends on

    @property
    def size(self) -> int:
        """How many bytes the file takes in memory."""
        return len(self.body) + len(self.packed or b"")


def make_file(body: bytes, content_type: str, effort: int = 9, vary: str = BY_ENCODING) -> File:
    """Return a file with this body, compressed with an effort from 1 to 9."""
    packed = gzip.compress(body, effort, mtime=0) if len(body) >= MIN_PACKED_BYTES else body
    etag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    return File(body, packed if len(packed) < len(body) else None, etag, content_type, vary)


def make_timed(
    make_body: Callable[[], bytes], content_type: str, vary: str = BY_ENCODING
) -> tuple[File, float]:
    """Make a file outside the event loop's thread; return it and the CPU seconds it took."""
    began_s = time.thread_time()
    return make_file(make_body(), content_type, EFFORT, vary), time.thread_time() - began_s


def make_json(model: BaseModel) -> File:
    """Return a model as a JSON file."""
    return make_file(model.model_dump_json().encode(), "application/json")


def read_files(root: Path) -> dict[str, File]:
    """Return the client's files by path: `TOP_FILES`, and files of known types in `FOLDERS`."""
    found = [root / name for name in TOP_FILES if (root / name).is_file()]
    for folder in FOLDERS:
        found += [path for path in (root / folder).rglob("*") if path.suffix in TYPES]
    return {
        f"/{path.relative_to(root).as_posix()}": make_file(_read(path), TYPES[path.suffix])
        for path in found
        if not path.name.endswith(".d.ts")
    }


def without_comments(source: str) -> str:
    """Return a module or a stylesheet without most comments; every line keeps its number."""
    return COMMENTS.sub(lambda comment: "\n" * comment[0].count("\n"), source)


def _read(path: Path) -> bytes:
    """Return the bytes that browsers get: no comments, and imported sheets inside a stylesheet."""
    if path.suffix not in COMMENTED:
        return path.read_bytes()
    source = without_comments(path.read_text(encoding="utf-8"))
    return (with_imports(source, path.parent) if path.suffix == ".css" else source).encode()


def with_imports(sheet: str, folder: Path) -> str:
    """Return a stylesheet with its imports replaced by their sheets, each in its layer.

    A rule outside all layers would override every layer. So a stylesheet that names no layer is
    put into the layer `screens`.
    """

    def imported(statement: re.Match[str]) -> str:
        path, layer = statement.groups()
        source = without_comments((folder / path).read_text(encoding="utf-8"))
        return f"@layer {layer} {{{source}}}" if layer else source

    whole = IMPORTS.sub(imported, sheet)
    return whole if LAYERED.search(sheet) else f"@layer screens {{{whole}}}"


NO_SEAT = -1  # stands for the seat of a file that is not about one

Make = Callable[[], Awaitable[tuple[File, float]]]
"""Makes a file, and returns it with the CPU seconds that this took."""


class FileKey(NamedTuple):
    """The key of a file that is made on request, about a finished round or a kept table."""

    kind: str  # such as `replay`, a value of `routes.FILES`, or `history`
    room_code: str  # for games of a day, their path
    n: int  # the number of the round; 0 for a kept table
    seat: int = NO_SEAT  # whose game a replay shows
    language: Language | None = None  # of a picture
    version: str = ""
    """Names the version that the file shows: after a failover the round's record may differ."""


@dataclass(eq=False)
class TooMuchWork(Exception):  # noqa: N818  # a limit, not an error
    """An address or a room has exceeded its limit of work, and must wait for `wait_s` seconds."""

    wait_s: float


class FileCache:
    """Files that are expensive to make; the most recently used are kept.

    1. If several requests for a file arrive while it is being made, it is made only once.
    2. One file at a time is made for an address, so that its slow files delay no other address. At
       most `max_made_together` files are made at a time.
    3. The work of making a file is charged to its address and its room. While either is in debt,
       no more files are made for it. Files that are kept or already being made are free.
    """

    def __init__(self, limits: HttpLimits = HTTP_LIMITS) -> None:
        self._files: OrderedDict[FileKey, File] = OrderedDict()
        self._making: dict[FileKey, asyncio.Future[File]] = {}
        self.max_kept_bytes = limits.max_kept_bytes
        self._slots = asyncio.Semaphore(limits.max_made_together)  # for files being made
        self._locks = KeyedLocks(patience_s=None)  # by address
        self._work_of_address = RateLimits(limits.work_of_address)
        self._work_of_room = RateLimits(limits.work_of_room)
        self.kept_bytes = 0  # the size of all kept files

    async def get(self, key: FileKey, address: str | None, make: Make) -> File:
        """Return a file from the cache, or make it.

        The work is charged to the room and to `address`, if any. If the request that makes a file
        is cancelled, another one that waits for it takes over. Raise TooMuchWork if the address or
        the room has exceeded its limit.
        """
        while True:
            if (file := self._files.get(key)) is not None:
                self._files.move_to_end(key)
                return file
            if (making := self._making.get(key)) is not None:
                await asyncio.wait({making})
                if not making.cancelled():
                    return making.result()
            lock = nullcontext() if address is None else self._locks.of(address)
            async with lock, self._slots:
                if key not in self._files and key not in self._making:
                    return await self._make(key, address, make)

    async def _make(self, key: FileKey, address: str | None, make: Make) -> File:
        """Make a file, keep it, and charge the room and the address for the time."""
        payers = [(self._work_of_room, key.room_code)]
        if address is not None:
            payers.append((self._work_of_address, address))
        if wait_s := max(limits.wait_s(payer) for limits, payer in payers):
            metrics.turned_away.labels("work").inc()
            raise TooMuchWork(wait_s)
        making = self._making[key] = asyncio.get_running_loop().create_future()
        try:
            file, seconds = await make()
            making.set_result(file)
        finally:
            making.cancel()  # does nothing if it is done; otherwise a waiting request takes over
            del self._making[key]
        metrics.replay_seconds.labels(key.kind).inc(seconds)
        for limits, payer in payers:
            limits.owe(payer, 1_000 * seconds)
        if file.size <= self.max_kept_bytes:  # a larger one would evict all others
            self._files[key] = file
            self.kept_bytes += file.size
            while self.kept_bytes > self.max_kept_bytes:
                _, oldest = self._files.popitem(last=False)
                self.kept_bytes -= oldest.size
        return file
