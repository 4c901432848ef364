"""The file of a backup: gzip of lines of JSON.

The first line names the format and its version. Each further line is a room. The last line has the
number of rooms, and a SHA-256 of all lines before it, so a file that was cut off or changed is
noticed before anything is restored. All values are those of Redis as texts: bytes that are no
UTF-8 are written as surrogates, and the entries of a log in base64. `docs/operating.md` has the
fields.

Law: a file under the name of the backup is a whole one. It is written under another name, and
renamed once it is on disk. Only its owner can read it: it contains the seeds of running rounds.
"""

import gzip
import hashlib
import json
import os
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from server.store import RoomCopy

FORMAT: Final = "spider-race-backup"
VERSION: Final = 1
PRIVATE_FILE: Final = 0o600
LONGEST_LINE: Final = 256 << 20  # bytes of a line, at most; a room weighs ten megabytes
ENTRY_BYTES: Final = 6
"""The length of the entries of a log, unless another release has written them."""
LOST: Final = "surrogateescape"


class BadBackup(Exception):  # noqa: N818  # a state of a file, as its readers call it
    """A file cannot be written, or is no whole backup; `str()` is a sentence for the operator."""


class Line(BaseModel):
    """A line of the file; fields that a later version has added are ignored."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)


class Head(Line):
    """The first line. `made_at` is the time of the backup in ms, by the clock of its store."""

    format: str
    version: int
    made_at: int


class RoomLine(Line):
    """A room. The keys of `seats` and `reviews` are numbers, those of `logs` are `round:seat`.

    A log is its entries in one base64 text, or in several if their length is not `ENTRY_BYTES`.
    """

    code: str
    taken_at: int
    changed_at: int | None
    record: dict[str, str]
    events: list[tuple[str, list[str]]]
    seats: dict[int, dict[str, str]]
    logs: dict[str, str | list[str]]
    reviews: dict[int, dict[str, str]] = {}

    @classmethod
    def of(cls, copy: RoomCopy) -> Self:
        """Return the line of a room."""
        return cls(
            code=copy.code,
            taken_at=copy.taken_at,
            changed_at=copy.changed_at,
            record=_texts(copy.record),
            events=[(_text(id_), [_text(word) for word in words]) for id_, words in copy.events],
            seats={number: _texts(fields) for number, fields in copy.seats.items()},
            logs={f"{n}:{seat}": _log(entries) for (n, seat), entries in copy.logs.items()},
            reviews={n: _texts(fields) for n, fields in copy.reviews.items()},
        )

    def copy_of_room(self) -> RoomCopy:
        """Return the room.

        Raises:
            ValueError: the log of a seat is no log.
        """
        logs = {}
        for name, text in self.logs.items():
            n, _, seat = name.partition(":")
            logs[int(n), int(seat)] = _entries(text)
        return RoomCopy(
            code=self.code,
            taken_at=self.taken_at,
            changed_at=self.changed_at,
            record=_bytes_of(self.record),
            events=[(_raw(id_), [_raw(word) for word in words]) for id_, words in self.events],
            seats={number: _bytes_of(fields) for number, fields in self.seats.items()},
            logs=logs,
            reviews={n: _bytes_of(fields) for n, fields in self.reviews.items()},
        )


class Foot(Line):
    """The last line."""

    rooms: int
    sha256: str


class BackupWriter:
    """A backup that is being written."""

    def __init__(self, file: IO[bytes], made_at: int) -> None:
        self.rooms = 0
        self._file = file
        self._sum = hashlib.sha256()
        self._write({"format": FORMAT, "version": VERSION, "made_at": made_at})

    def write(self, copy: RoomCopy) -> None:
        """Write a room."""
        self.rooms += 1
        self._write(RoomLine.of(copy).model_dump())

    def finish(self) -> None:
        """Write the last line."""
        self._write({"rooms": self.rooms, "sha256": self._sum.hexdigest()})

    def _write(self, fields: dict[str, Any]) -> None:
        line = json.dumps(fields, separators=(",", ":")).encode() + b"\n"
        self._sum.update(line)
        self._file.write(line)


@contextmanager
def written(path: Path, made_at: int) -> Iterator[BackupWriter]:
    """Write a backup; the file appears, or replaces an earlier one, when the block has ended.

    Raises:
        BadBackup: the file cannot be written.
    """
    path = path.resolve()
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        if path.exists() and not path.is_file():
            raise BadBackup(f"{path} is no file; name another one for the backup.")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with os.fdopen(os.open(part, flags, PRIVATE_FILE), "wb") as file:
            try:
                with gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as zipped:
                    writer = BackupWriter(zipped, made_at)  # type: ignore[arg-type]  # it writes bytes
                    yield writer
                    writer.finish()
                file.flush()
                os.fsync(file.fileno())
                part.replace(path)
            except BaseException:
                with suppress(OSError):
                    part.unlink()
                raise
        _sync_folder(path.parent)
    except OSError as error:
        raise BadBackup(f"The backup {path} cannot be written: {error.strerror}.") from error


def read(path: Path) -> Iterator[RoomCopy]:
    """Yield the rooms of a backup; the caller has checked the file with `check_backup`.

    Raises:
        BadBackup: the file cannot be read, or is no whole backup.
    """
    try:
        with gzip.open(path, "rb") as file:
            yield from _rooms(path, file)  # type: ignore[arg-type]  # it reads bytes
    except EOFError as error:
        raise BadBackup(f"The backup {path} is not whole: its end is missing.") from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise BadBackup(f"{path} is no backup of Spider Race, or it is damaged.") from error
    except OSError as error:
        raise BadBackup(f"The backup {path} cannot be read: {error.strerror}.") from error


def check_backup(path: Path) -> list[str]:
    """Return the codes of the rooms of a backup that is whole.

    Raises:
        BadBackup: the file cannot be read, or is no whole backup.
    """
    return [copy.code for copy in read(path)]


def _rooms(path: Path, file: IO[bytes]) -> Iterator[RoomCopy]:
    """Yield the rooms of a backup while its checksum is computed."""
    total, rooms = hashlib.sha256(), 0
    line = file.readline(LONGEST_LINE)
    try:
        head = Head.model_validate_json(line)
    except ValidationError:
        raise BadBackup(f"{path} is no backup of Spider Race, or it is damaged.") from None
    if head.format != FORMAT:
        raise BadBackup(f"{path} is no backup of Spider Race, or it is damaged.")
    if head.version != VERSION:
        raise BadBackup(f"The backup {path} was written by a newer release, which can restore it.")
    while True:
        total.update(line)
        before = total.hexdigest()
        line = file.readline(LONGEST_LINE)
        if not line:
            raise BadBackup(f"The backup {path} is not whole: its end is missing.")
        if line.startswith(b'{"rooms":'):
            break
        try:
            copy = RoomLine.model_validate(json.loads(line)).copy_of_room()
        except ValueError:  # a ValidationError is one
            raise BadBackup(f"The backup {path} is damaged in line {rooms + 2}.") from None
        yield copy
        rooms += 1
    try:
        whole = Foot.model_validate_json(line) == Foot(rooms=rooms, sha256=before)
    except ValidationError:
        whole = False
    if not whole or file.readline(LONGEST_LINE):
        raise BadBackup(f"The backup {path} is damaged: its checksum does not fit.")


def _sync_folder(folder: Path) -> None:
    """Write the name of a new file to disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _log(entries: list[bytes]) -> str | list[str]:
    if all(len(entry) == ENTRY_BYTES for entry in entries):
        return b64encode(b"".join(entries)).decode()
    return [b64encode(entry).decode() for entry in entries]


def _entries(log: str | list[str]) -> list[bytes]:
    """Return the entries of a log as a line holds them: one text, or one for each entry."""
    if isinstance(log, list):
        return [b64decode(entry, validate=True) for entry in log]
    text = b64decode(log, validate=True)
    if len(text) % ENTRY_BYTES:
        raise ValueError("an entry that was cut off")
    return [text[first : first + ENTRY_BYTES] for first in range(0, len(text), ENTRY_BYTES)]


def _text(word: bytes) -> str:
    return word.decode(errors=LOST)


def _raw(text: str) -> bytes:
    return text.encode(errors=LOST)


def _texts(fields: dict[bytes, bytes]) -> dict[str, str]:
    return {_text(name): _text(value) for name, value in fields.items()}


def _bytes_of(fields: dict[str, str]) -> dict[bytes, bytes]:
    return {_raw(name): _raw(value) for name, value in fields.items()}
