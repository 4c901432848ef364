"""The client's files, read and compressed once; requests never reach the file system.

Browsers get modules and stylesheets as they lie in the repository, but for comments that fill
whole lines: a quarter of the page's bytes. The other lines keep their numbers. A stylesheet that
imports others contains them, so that browsers need one request.
"""

import gzip
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel

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
TOP = (
    *("index.html", "offline.html", "service-worker.js"),
    *("manifest.webmanifest", "favicon.svg", "favicon.ico"),
)
COMPRESSED_FROM = 256
COMMENTED = {".css", ".js"}
COMMENT_LINES = re.compile(r"^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/[ \t]*|//[^\n]*)$", re.MULTILINE)
"""The comments that fill whole lines; those beside code are left, such as the types of casts."""

IMPORTS = re.compile(r'^@import "([^"]+)";$', re.MULTILINE)
"""The stylesheets that a stylesheet imports, by their paths from there."""


@dataclass(frozen=True, slots=True)
class File:
    """A file to be served."""

    body: bytes
    packed: bytes | None  # the body in gzip form; None where that is not shorter
    etag: str  # the tag of this version, in quotes
    content_type: str


def make_file(body: bytes, content_type: str, effort: int = 9) -> File:
    """Return a file from its bytes, compressed with an effort of 1 to 9."""
    packed = gzip.compress(body, effort, mtime=0) if len(body) >= COMPRESSED_FROM else body
    etag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    return File(body, packed if len(packed) < len(body) else None, etag, content_type)


def make_json(model: BaseModel) -> File:
    """Return a JSON file from a model."""
    return make_file(model.model_dump_json().encode(), "application/json")


def read_files(root: Path) -> dict[str, File]:
    """Return the files below `/` by path, from the listed folders and file types only."""
    found = [root / name for name in TOP if (root / name).is_file()]
    for folder in FOLDERS:
        found += [path for path in (root / folder).rglob("*") if path.suffix in TYPES]
    return {
        f"/{path.relative_to(root).as_posix()}": make_file(_read(path), TYPES[path.suffix])
        for path in found
        if not path.name.endswith(".d.ts")
    }


def without_comment_lines(source: str) -> str:
    """Return a module or a stylesheet with empty lines where only comments stand."""
    return COMMENT_LINES.sub(lambda comment: "\n" * comment[0].count("\n"), source)


def _read(path: Path) -> bytes:
    """Return the content to serve: sheets with what they import, code without comment lines."""
    if path.suffix not in COMMENTED:
        return path.read_bytes()
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".css":
        source = IMPORTS.sub(
            lambda part: (path.parent / part[1]).read_text(encoding="utf-8"), source
        )
    return without_comment_lines(source).encode()
