"""The search for a running embedded server of a data directory.

Law: a server belongs to a directory only if it says so itself: its working directory is this very
directory, by device and inode. The text in `valkey.where` is a hint. A copied directory has the
text of the original, whose server must neither be used nor stopped for the copy.
"""

import asyncio
import os
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import structlog
from redis.exceptions import BusyLoadingError, RedisError

from server.store.address import Address, hang_up
from server.store.errors import StoreAway, StoreUnusable
from server.store.unix_socket import SOCKET, TEMPORARY, holder, identity, owner_of

POLL_SECONDS = 0.01
WHERE = "valkey.where"  # the file that contains the path of the socket
LONGEST_TEXT = 4_096
PRIVATE_FILE = 0o600

log = structlog.get_logger(__name__)


class RunningServer(NamedTuple):
    """A server that answers: its socket and its process."""

    socket: Path
    pid: int


def url_of(socket: Path) -> str:
    """Return the address of the server at a socket."""
    return f"unix://{quote(str(socket))}"


async def find_running(data_dir: Path, named: Path | None, reply_s: float) -> RunningServer | None:
    """Return the running server of a directory, once it has read its data; None without one.

    `named` is the result of `named_socket`. The path of the directory has no symbolic links.

    Raises:
        StoreUnusable: a server of this directory does not answer, or a server of another directory
            listens in this one.
    """
    own = data_dir / SOCKET
    wanted = identity(data_dir)
    for socket in dict.fromkeys((named or own, own)):
        reply = await ask(socket, reply_s, "CONFIG", "GET", "dir")
        if reply is None:
            continue
        served = bytes(dict(zip(reply[::2], reply[1::2], strict=True)).get(b"dir", b""))
        if served and identity(Path(os.fsdecode(served))) == wanted:
            await ask(socket, reply_s, "PING")  # answered once the data are read
            info = await ask(socket, reply_s, "INFO", "server")
            if info is None:
                continue  # it has just ended
            fields = dict(line.split(b":", 1) for line in info.splitlines() if b":" in line)
            return RunningServer(socket, int(fields[b"process_id"]))
        if socket == own:
            raise StoreUnusable(
                f"A store of another directory{holder(socket)} listens at {socket}; end it, or "
                f"give another --data-dir."
            )
        _ignore(data_dir, socket)
    return None


def named_socket(data_dir: Path) -> Path | None:
    """Return the socket that `valkey.where` names, if it can be one of this directory."""
    try:
        named = Path(read_where(data_dir))
        same = identity(named.parent) == identity(data_dir)
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        log.warning("the file valkey.where cannot be read and is ignored", data_dir=str(data_dir))
        return None
    if same and named.name == SOCKET:
        return data_dir / SOCKET  # another path of the same directory
    if (
        named.name == SOCKET
        and named.parent.name.startswith(TEMPORARY)
        and owner_of(named.parent) in {None, identity(data_dir)}
    ):
        return named
    _ignore(data_dir, named)
    return None


def read_where(data_dir: Path) -> str:
    """Return the text of `valkey.where`, or the beginning of one that is too long."""
    with open(data_dir / WHERE, encoding="utf-8", opener=open_at_once) as file:
        return file.read(LONGEST_TEXT)


def open_at_once(path: str, flags: int) -> int:
    """Open a file of the data directory; a pipe in its place is not waited for."""
    return os.open(path, flags | os.O_NONBLOCK, PRIVATE_FILE)


async def ask(socket: Path, reply_s: float, *words: str) -> Any:
    """Return a server's reply, or None if no server listens; wait while it reads its data.

    Raises:
        StoreUnusable: a server listens there and does not answer.
    """
    while True:
        try:
            connection = await Address(url_of(socket), reply_s).connect()
        except StoreAway:
            return None
        try:
            async with asyncio.timeout(reply_s):
                await connection.send_command(*words, check_health=False)
                return await connection.read_response()
        except BusyLoadingError:
            await asyncio.sleep(POLL_SECONDS)
        except TimeoutError as error:
            raise StoreUnusable(
                f"A store of an earlier start{holder(socket)} holds {socket} but "
                f"does not answer; end it before the next start."
            ) from error
        except (RedisError, OSError):
            return None
        finally:
            await hang_up(connection)


def _ignore(data_dir: Path, named: Path) -> None:
    log.warning(
        "the file valkey.where names another place and is ignored",
        data_dir=str(data_dir),
        names=str(named),
    )
