"""The file of a backup: whole, private, and checked before it is used."""

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from server.backup.backup_file import BadBackup, check_backup, read, written
from server.store import RoomCopy

ROOM = RoomCopy(
    code="8QZK4M2XT7",
    taken_at=1_000,
    changed_at=None,
    record={b"v": b"1", b"doc": "Grüße\u2028".encode(), b"\xff\xfe": b"\x00\x80"},
    events=[(b"1-0", [b"e", b"room"])],
    seats={0: {b"gen": b"7"}, 41: {b"token": b"abc"}},
    logs={(1, 0): [b"abcdef", b"ghijkl"], (2, 41): [b"of", b"another", b"release"], (3, 1): []},
    reviews={2: {b"t0": b"5", b"seat:1": b'{"known_ms":7}'}},
)


def save(path: Path, *rooms: RoomCopy) -> None:
    with written(path, 1_000) as writer:
        for room in rooms:
            writer.write(room)


def rewrite(path: Path, change: Callable[[list[bytes]], list[bytes]]) -> None:
    """Change the lines of a backup, as a program or a disk that fails may."""
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    path.write_bytes(gzip.compress(b"".join(change(lines))))


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "backup"
    rooms = [ROOM, RoomCopy("OTHER", 5, 4, {})]
    save(path, *rooms)
    assert list(read(path)) == rooms
    assert check_backup(path) == ["8QZK4M2XT7", "OTHER"]


def test_a_backup_of_a_release_without_reviews_is_read(tmp_path: Path) -> None:
    def without_reviews(lines: list[bytes]) -> list[bytes]:
        room = json.loads(lines[1])
        del room["reviews"]
        kept = [lines[0], json.dumps(room).encode() + b"\n"]
        end = {"rooms": 1, "sha256": sha256(b"".join(kept)).hexdigest()}
        return [*kept, json.dumps(end, separators=(",", ":")).encode()]

    save(path := tmp_path / "backup", ROOM)
    rewrite(path, without_reviews)
    assert list(read(path)) == [replace(ROOM, reviews={})]


def test_a_backup_is_private_and_leaves_no_other_file(tmp_path: Path) -> None:
    """Also where a link leads to it, and an earlier one stays until the next one is whole."""
    path, latest = tmp_path / "backup", tmp_path / "latest"
    latest.symlink_to(path)
    save(latest, ROOM)
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(AttributeError):
        save(latest, RoomCopy("OTHER", 5, 4, {}), None)  # type: ignore[arg-type]  # it fails midway
    assert check_backup(path) == [ROOM.code]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["backup", "latest"]
    save(latest)
    assert latest.is_symlink()
    assert check_backup(path) == []


@pytest.mark.parametrize(
    ("name", "sentence"),
    [(".", "is no file"), ("missing/backup", "cannot be written: No such file")],
)
def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, name: str, sentence: str) -> None:
    with pytest.raises(BadBackup, match=sentence):
        save(tmp_path / name, ROOM)


def _newer(lines: list[bytes]) -> list[bytes]:
    head = json.loads(lines[0]) | {"version": 2}
    return [json.dumps(head).encode() + b"\n", *lines[1:]]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda lines: lines[:-1], "its end is missing"),
        (lambda lines: [lines[0], lines[-1]], "its checksum does not fit"),
        (lambda lines: [*lines, lines[1]], "its checksum does not fit"),
        (lambda lines: [lines[0], lines[1].replace(b"1000", b"1001"), lines[2]], "checksum"),
        (lambda lines: [lines[0], lines[1][:50] + b"\n", lines[2]], "damaged in line 2"),
        (lambda lines: [lines[0], lines[1].replace(b"YWJj", b"???!"), lines[2]], "in line 2"),
        (lambda lines: [lines[0], b"[]\n", lines[2]], "damaged in line 2"),
        (_newer, "written by a newer release"),
        (lambda lines: lines[1:], "is no backup"),
        (lambda _lines: [], "is no backup"),
        (lambda _lines: [b'{"format":"x","version":1,"made_at":1}\n'], "is no backup"),
    ],
)
def test_a_backup_that_is_not_whole_is_refused_before_it_is_used(
    tmp_path: Path, change: Callable[[list[bytes]], list[bytes]], sentence: str
) -> None:
    path = tmp_path / "backup"
    save(path, ROOM)
    rewrite(path, change)
    with pytest.raises(BadBackup, match=sentence) as refused:
        check_backup(path)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize("kept", [0, 5, 60, -5])
def test_a_file_that_was_cut_off_is_refused(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "backup"
    save(path, ROOM)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(BadBackup):
        check_backup(path)
