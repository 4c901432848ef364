"""The commands `backup` and `restore`: all rooms of the embedded store in one file.

`restore` puts the store's snapshot (RDB) into a data directory as the base of the append-only
file. The store reads it when it starts.

Law: a file with its final name is complete and on disk. Only its owner can read it: it contains
the seeds of running rounds.
"""

import asyncio
import io
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO

from server.config import BackupOptions, RestoreOptions, StoreOptions
from server.operators import Failed, Output
from server.store import Store, StoreError, StoreUnusable
from server.store.address import parse_info
from server.store.connection import pack

POLL_S = 0.05
SNAPSHOT = "dump.rdb"  # the name that the store gives its snapshot
BASE = "appendonly.aof.1.base.rdb"  # the snapshot that an append-only file starts from
ONLY_A_BASE = f"file {BASE} seq 1 type b\n".encode()  # the manifest: no commands after the base
PIPE = Path("-")  # the FILE that stands for standard output
OUTPUT_DESCRIPTOR = 1
CHECKER = "redis-check-rdb"  # called by this name, the store's own program checks a snapshot
OWN_TOOLS = (
    "backup and restore are for the embedded store; a Redis of your own has redis-cli --rdb FILE "
    "for it, to be run on each master of a cluster."
)


async def back_up(options: BackupOptions) -> Output:
    """Write a snapshot of the embedded store to a file, or to standard output.

    Raises:
        Failed: the file or the snapshot cannot be written, or the store has a URL.
        StoreUnusable, StoreTooOld: the store cannot be used, or did not answer.
    """
    _refuse_url(options)
    is_piped = options.file == PIPE
    where = "standard output" if is_piped else options.file
    if is_piped and (sys.stdout is None or os.isatty(OUTPUT_DESCRIPTOR)):  # None if it is closed
        raise Failed("A terminal cannot show a backup: give a FILE, or a pipe after -.")
    store = await Store.attach(options)
    try:
        snapshot = options.data_dir / SNAPSHOT
        snapshot.unlink(missing_ok=True)  # left by a backup that was killed
        await _finish_writing(store)
        await store.client.ask_any_master(pack("BGSAVE"))
        if await _finish_writing(store) != "ok":
            raise Failed("The store cannot write its snapshot; its log has the reason.")
        with snapshot.open("rb") as content:
            if is_piped:
                await asyncio.to_thread(_pipe, content)
            else:
                await asyncio.to_thread(_write, options.file.resolve(), content)
        snapshot.unlink()
    except OSError as error:
        raise Failed(f"Cannot write to {where}: {error.strerror}.") from error
    except StoreError as error:
        raise StoreUnusable(f"The backup was given up, no file was written: {error}") from error
    finally:
        await store.close()
    return Output(f"All rooms are in {where}.", is_note=is_piped)


async def restore(options: RestoreOptions) -> Output:
    """Put a backup into a data directory that has no store.

    Raises:
        Failed: the file is not a whole snapshot, the directory has a store, or a URL is given.
        StoreUnusable: the directory cannot be used.
    """
    _refuse_url(options)
    if options.file == PIPE:
        raise Failed("restore cannot read a pipe: write the backup to a file first, decrypted.")
    await asyncio.to_thread(_restore, options.data_dir, options.file)
    return Output(f"The rooms of {options.file} are in {options.data_dir}.")


def _restore(data_dir: Path, file: Path) -> None:
    """Do the blocking work of `restore`, and raise its errors."""
    # Windows has no embedded store.
    from server.store.data_dir import DATA_FOLDER, MANIFEST, DataDir, has_had_data  # noqa: PLC0415

    _check_snapshot(file)  # before a directory is made
    data = DataDir.open(data_dir)
    try:
        if has_had_data(data.path):
            raise Failed(f"There is a store in {data.path} already; give another --data-dir.")
        with tempfile.TemporaryDirectory(dir=data.path, prefix=".restored-") as folder:
            files = Path(folder, DATA_FOLDER)
            files.mkdir(mode=0o700)
            with file.open("rb") as content:
                _write(files / BASE, content)
            _write(files / MANIFEST, io.BytesIO(ONLY_A_BASE))
            files.rename(data.path / DATA_FOLDER)
        _sync(data.path)
        data.record_data()
    except OSError as error:
        raise Failed(f"{file} cannot be restored: {error.strerror}.") from error
    finally:
        data.lock.close()


async def _finish_writing(store: Store) -> str | None:
    """Wait until the store writes no file; return the status of its last snapshot, if any."""
    while True:
        fields = parse_info(await store.client.ask_any_master(pack("INFO", "persistence")))
        if fields["rdb_bgsave_in_progress"] == fields["aof_rewrite_in_progress"] == "0":
            return fields.get("rdb_last_bgsave_status")
        await asyncio.sleep(POLL_S)


def _check_snapshot(file: Path) -> None:
    """Check with the store's own program that a file is a complete snapshot it can read."""
    from server.store.embedded import find_program  # noqa: PLC0415  # not on Windows

    try:
        with file.open("rb") as content:
            size = content.seek(0, os.SEEK_END)
        command = [CHECKER, str(file.resolve())]  # by this name, the program only checks
        checked = subprocess.run(  # noqa: S603  # no argument comes from a client
            command, executable=find_program(), capture_output=True, check=False
        )
    except OSError as error:
        why = error.strerror or "it is a pipe; write the backup to a file first"
        raise Failed(f"{file} cannot be read: {why}.") from error
    # The program ignores any bytes after the snapshot, but the store does not accept them.
    if checked.returncode != 0 or rb"[offset %d] \o/" % size not in checked.stdout:
        raise Failed(f"{file} is not a whole snapshot of a store, or a newer program wrote it.")


def _pipe(content: IO[bytes]) -> None:
    """Copy to standard output, past Python's buffer: flushing that could fail again at exit."""
    with os.fdopen(OUTPUT_DESCRIPTOR, "wb", closefd=False) as output:
        shutil.copyfileobj(content, output)


def _write(target: Path, content: IO[bytes]) -> None:
    """Copy to the file `target`, which gets its name only once its content is on disk."""
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    partial = Path(name)  # from its first byte on, only its owner can read it
    try:
        with os.fdopen(descriptor, "wb") as file:
            shutil.copyfileobj(content, file)
            file.flush()
            os.fsync(descriptor)
        partial.replace(target)
    except BaseException:
        partial.unlink()
        raise
    _sync(target.parent)


def _sync(folder: Path) -> None:
    """Flush a folder to disk, so that the names of its new files survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _refuse_url(options: StoreOptions) -> None:
    if options.redis_url is not None:
        raise Failed(OWN_TOOLS)
