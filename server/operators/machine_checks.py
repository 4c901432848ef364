"""The checks of this machine: ports, file descriptors, disk, addresses. Nothing is changed."""

import http.client
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from server.config import Config
from server.http.listening_sockets import bind, bind_operations
from server.operators.findings import Finding, bad, ok, warning

ANSWER_WITHIN_S = 3.0  # seconds for an answer over HTTP
MOST_BYTES = 1 << 16
FEW_DESCRIPTORS, ENOUGH_DESCRIPTORS = 256, 4_096
"""Each connection takes a descriptor, and the server itself about twenty."""
FULL_DISK, NEARLY_FULL_DISK = 128 << 20, 1 << 30
"""Free bytes: the append-only file is rewritten beside the old one."""
GIB = 1 << 30
OWN_SIGN = b"Spider Race"
LOCAL = {"localhost", "127.0.0.1", "::1"}


def check_machine(config: Config, *, embedded: bool) -> Iterator[Finding]:
    """Yield the findings about this machine; `embedded` is whether it has the store's files."""
    yield _port(config)
    yield _operations(config)
    yield _descriptors()
    yield _public_url(config)
    yield _proxies(config)
    if embedded:
        yield _directory(config.data_dir)
        yield _disk(config.data_dir)


def _port(config: Config) -> Finding:
    what = "port"
    where = f"{config.host} port {config.port}"
    try:
        bind(config.model_copy(update={"workers": 1}), listening=False).close()
    except OSError as error:
        host = "127.0.0.1" if config.host in {"", "0.0.0.0", "::"} else config.host  # noqa: S104  # compared
        if _is_ours(f"http://{f'[{host}]' if ':' in host else host}:{config.port}/"):
            return ok(what, f"{where}: a Spider Race serves there")
        why = (error.strerror or str(error)).lower()
        return bad(what, f"{where}: {why}", "Give another --port or --host.")
    return ok(what, f"{where}: free")


def _operations(config: Config) -> Finding:
    what = "operators' port"
    if config.operations is None:
        return ok(what, "127.0.0.1, the port after --port, or a free one")
    host, _, port = config.operations.rpartition(":")
    address = host.removeprefix("[").removesuffix("]")
    open_to_all = address not in LOCAL
    try:
        alone = config.model_copy(update={"workers": 1})
        bind_operations(alone, config.port, listening=False).close()
    except OSError as error:
        if not _is_operators(config.operations):
            why = (error.strerror or str(error)).lower()
            return bad(what, f"{config.operations}: {why}", "Give another --operations.")
    if open_to_all:
        return warning(
            what,
            f"{config.operations}: not only on this machine",
            "See that players cannot reach it: /metrics has no password.",
        )
    return ok(what, f"{host} port {port}")


def _descriptors() -> Finding:
    what = "file descriptors"
    if sys.platform == "win32":
        return ok(what, "not limited")
    import resource  # noqa: PLC0415  # not on Windows

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return judge_descriptors(soft if soft != resource.RLIM_INFINITY else 1 << 20)


def judge_descriptors(limit: int) -> Finding:
    """Return the finding about a limit of open files."""
    what, found = "file descriptors", f"{limit}"
    mend = "Raise the limit of open files: ulimit -n 65536, or LimitNOFILE=65536 in the unit."
    if limit < FEW_DESCRIPTORS:
        return bad(what, found, mend)
    if limit < ENOUGH_DESCRIPTORS:
        return warning(what, f"{found}: enough for as many connections at once", mend)
    return ok(what, found)


def _public_url(config: Config) -> Finding:
    what, url = "public URL", config.public_url
    if url is None:
        if config.trusted_proxies:
            return warning(
                what,
                "none, although a proxy is in front",
                "Give --public-url: links and previews need the address that players have.",
            )
        return ok(what, "none: links have the address that the browser has")
    parts = urlsplit(url)
    if not _is_ours(f"{url}/"):
        return warning(
            what,
            f"{url}: no Spider Race answers there",
            "Start the server and the proxy, and see that the name leads to this machine.",
        )
    if parts.scheme != "https" and parts.hostname not in LOCAL:
        return warning(
            what, f"{url}: answers, without TLS", "Let the proxy serve https, as Caddy does."
        )
    return ok(what, f"{url}: answers")


def _proxies(config: Config) -> Finding:
    what = "proxy headers"
    networks = ", ".join(map(str, config.trusted_proxies))
    if any(network.prefixlen == 0 for network in config.trusted_proxies):
        return bad(
            what,
            f"trusted from everybody ({networks})",
            "Name only the proxy's network in --trusted-proxies: all others can lie about "
            "their addresses.",
        )
    if config.trusted_proxies:
        return ok(what, f"trusted from {networks}")
    if config.public_url is not None:
        return warning(
            what,
            "trusted from nobody, although there is a public URL",
            "If a proxy is in front, name it in --trusted-proxies: all players share one address "
            "now.",
        )
    return ok(what, "trusted from nobody; there is no proxy")


def _directory(data_dir: Path) -> Finding:
    what = "data directory"
    try:
        status = data_dir.stat()
    except FileNotFoundError:
        return ok(what, f"{data_dir}: not there yet; the server makes it")
    except OSError as error:
        return bad(what, f"{data_dir}: {error.strerror}", "Give a --data-dir of your own.")
    others = sys.platform != "win32" and status.st_uid not in {os.geteuid(), 0}
    problem = ""
    if others and os.geteuid() != 0:
        problem = "belongs to another user"
    elif not (stat.S_ISDIR(status.st_mode) and os.access(data_dir, os.W_OK | os.X_OK)):
        problem = "cannot be written"
    if problem:
        mend = "Run the doctor as the user of the server, or as root, or give another --data-dir."
        return bad(what, f"{data_dir}: {problem}", mend)
    if status.st_mode & 0o077:
        return warning(
            what, f"{data_dir}: open to other users", f"Close it to others: chmod 700 {data_dir}"
        )
    if others:  # root may look at what belongs to the user of a service
        return ok(
            what, f"{data_dir}: belongs to uid {status.st_uid}, as which the server must run"
        )
    return ok(what, str(data_dir))


def _disk(data_dir: Path) -> Finding:
    there = next(
        path for path in (data_dir.absolute(), *data_dir.absolute().parents) if path.exists()
    )
    return judge_disk(shutil.disk_usage(there).free)


def judge_disk(free: int) -> Finding:
    """Return the finding about the free bytes of the disk of the embedded store."""
    what, found = "free disk", f"{free / GIB:.1f} GiB"
    if free < FULL_DISK:
        return bad(what, found, "Free space: a store that cannot write refuses every act.")
    if free < NEARLY_FULL_DISK:
        return warning(what, found, "Free space: a store that cannot write refuses every act.")
    return ok(what, found)


def _is_ours(url: str) -> bool:
    """Return whether a Spider Race answers at a URL."""
    try:
        request = Request(f"{url}api/protocol", headers={"User-Agent": "spider-race doctor"})  # noqa: S310  # an origin is http or https
        with urlopen(request, timeout=ANSWER_WITHIN_S) as reply:  # noqa: S310
            return OWN_SIGN in reply.read(MOST_BYTES)
    except (OSError, ValueError, http.client.HTTPException):
        return False


def _is_operators(where: str) -> bool:
    """Return whether the operators' port of a Spider Race answers there."""
    try:
        with urlopen(f"http://{where}/metrics", timeout=ANSWER_WITHIN_S) as reply:  # http
            return b"spider_race_" in reply.read()
    except (OSError, ValueError, http.client.HTTPException):
        return False
