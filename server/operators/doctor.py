"""The command `doctor`, which looks for anything that would keep a server from serving well.

Law: it changes nothing.
"""

import asyncio
import http.client
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from server.config import Config, DoctorOptions, unknown_variables
from server.operators import Output, table
from server.store import StoreError, StoreNotReady
from server.store.address import is_authentication
from server.store.health import FULL_FROM, memory
from server.store.inspection import MasterReport, inspect
from server.web.addresses import EVERYWHERE, LOOPBACK, bind, bind_operations

OK, WARNING, BAD = "ok", "warning", "bad"  # a warning: it may fail in some cases
WIDTHS = (7, 18, 42, 48)  # of the report's columns
NEARLY_FULL = 0.75  # of the memory limit; a full store gets no new rooms
CLOCK_MS = 1_000  # a larger difference of clocks is unusual
FEW_DESCRIPTORS, ENOUGH_DESCRIPTORS = 256, 4_096  # each connection needs one; others, twenty
FULL_DISK, NEARLY_FULL_DISK = 128 << 20, 1 << 30  # a rewritten file needs space beside the old one
MIB, GIB = 1 << 20, 1 << 30
ANSWER_WITHIN_S = 3.0
MAX_ANSWER_BYTES = 1 << 16  # the rest of an answer is not read
FREE_DISK = "Free space on the disk of Redis."
OWN_SIGN, OWN_METRICS = b"Spider Race", b"spider_race_"  # in answers of a Spider Race server

Verdict: TypeAlias = tuple[str, str] | tuple[str, str, str]
"""A state, a description, and how to mend it, which is shown unless the state is ok."""


class Finding(NamedTuple):
    """The result of one check."""

    what: str  # what was checked
    state: str
    found: str
    mend: str = ""  # empty if the state is ok


async def examine(options: DoctorOptions) -> Output:
    """Return a row for each check, with exit code 1 if any result is bad."""
    store, is_served = await _check_store(options)
    machine = await asyncio.to_thread(check_machine, options, is_served=is_served)
    findings = [*store, *machine, *_check_variables()]
    code = int(any(finding.state == BAD for finding in findings))
    if options.as_json:
        return Output(json.dumps([finding._asdict() for finding in findings], indent=2), code)
    rows = [(it.state, it.what, it.found, it.mend) for it in findings]
    return Output(table(("", "what", "found", "mend"), rows, WIDTHS), code)


async def _check_store(options: DoctorOptions) -> tuple[list[Finding], bool | None]:
    """Return the findings about the store, and whether a server is using it (None: unknown)."""
    url, state, is_served = options.redis_url, "answers", None
    try:
        if url is None:
            # These do not exist on Windows.
            from server.store.data_dir import has_had_data, is_locked  # noqa: PLC0415
            from server.store.embedded import Embedded, find_program  # noqa: PLC0415

            state, is_served = "embedded, runs", is_locked(options.data_dir)
            url = await Embedded.find(options.data_dir)
        if url is None:
            await asyncio.to_thread(find_program)
            rooms = "has rooms" if has_had_data(options.data_dir) else "has no rooms yet"
            found = f"embedded, does not run; its directory {rooms}"
            return [Finding("store", OK, found)], is_served
        reports = await inspect(url, options.redis_prefix)
    except StoreError as error:
        return [Finding("store", BAD, str(error), _advice_on(error, options))], is_served
    if is_served is None:
        is_served = any(report.servers for report in reports)
    findings = []
    for report in reports:
        findings.append(Finding("store", OK, f"{report.address}: {state}"))
        findings += check_master(report, options.redis_prefix)
    return findings, is_served


def _advice_on(error: StoreError, options: DoctorOptions) -> str:
    """Return what the operator can do about a store that cannot be used."""
    if options.redis_url is None:
        return "Remove the cause, or give --redis-url."
    if is_authentication(error):
        return "It runs: give the right user and password in --redis-url."
    if isinstance(error, StoreNotReady):
        return "Start it, and give its address in --redis-url."
    return "Mend what it says, or give another --redis-url."


def check_master(report: MasterReport, prefix: str = "") -> list[Finding]:
    """Return the findings about one master; all keys and channels of the server have `prefix`."""
    info, refusal = report.info, report.channel_refusal
    rights = f"the rights +spublish, +ssubscribe and +sunsubscribe on the channels &{prefix}*"
    give = f"Give the user of Redis {rights}, or give the --redis-prefix of its channels."
    side = "ahead of" if report.ahead_ms > 0 else "behind"
    differ = f"the store's is {abs(report.ahead_ms) / 1_000:.1f} s {side} this machine's"
    ntp = "Let both machines set their clocks by NTP."
    agrees = abs(report.ahead_ms) < CLOCK_MS
    wrong = ", ".join(report.wrong_types)
    written = f"another program has written {wrong}"
    rename = "Rename or remove the key, or give a --redis-prefix of its own."
    verdicts = {
        "store version": _judge_version(info),
        "writes": _judge_writes(report, prefix),
        "channels": (BAD, refusal, give) if refusal else (OK, "the store passes messages on"),
        "persistence": _judge_persistence(info, report.settings),
        "eviction policy": _judge_eviction(report),
        "store memory": _judge_memory(info),
        "clock": (OK, "both machines agree") if agrees else (WARNING, differ, ntp),
        "keys": (BAD, written, rename) if wrong else (OK, "no other program has written them"),
    }
    if report.clustered:
        verdicts["cluster"] = _judge_cluster(info)
    return _findings(verdicts)


def _findings(verdicts: Mapping[str, Verdict]) -> list[Finding]:
    """Return the verdicts as rows of the report; leave out the advice where all is well."""
    return [
        Finding(what, state, found, "" if state == OK else "".join(mend))
        for what, (state, found, *mend) in verdicts.items()
    ]


def _judge_version(info: Mapping[str, str]) -> Verdict:
    if "valkey_version" in info:
        return OK, f"Valkey {info['valkey_version']}"
    if "redis_version" in info:  # one that is too old was refused before
        return OK, f"Redis {info['redis_version']}"
    return WARNING, "unknown: Redis does not answer INFO", "Give the user the right to call it."


def _judge_writes(report: MasterReport, prefix: str) -> Verdict:
    if (refusal := report.refusal) is None:
        return OK, "the store takes them"
    if "READONLY" in refusal or report.info.get("role") == "slave":
        return BAD, "this is a replica", "Give the address of the master."
    if "OOM" in refusal:
        return BAD, refusal, "Raise --store-memory, or maxmemory of a Redis of your own."
    if "MISCONF" in refusal:
        return BAD, refusal, FREE_DISK
    rights = f"the rights to write and run scripts on the keys ~{prefix}*"
    other = "or give the --redis-prefix of its keys."
    return BAD, refusal, f"Give the user of Redis this right and {rights}, {other}"


def _judge_persistence(info: Mapping[str, str], settings: Mapping[str, str]) -> Verdict:
    if not settings and "aof_enabled" not in info:
        return WARNING, "unknown", "See that Redis has appendonly yes."
    enabled_now = "yes" if info.get("aof_enabled") == "1" else "no"
    if settings.get("appendonly", enabled_now) != "yes":
        advice = "Set appendonly yes: a restart of Redis loses"
        if not (snapshots := settings.get("save")):
            return BAD, "none", f"{advice} all rooms."
        found = f"snapshots only (save {snapshots})"
        return WARNING, found, f"{advice} what came after the last snapshot."
    if info.get("aof_last_write_status", "ok") != "ok":
        return BAD, "the last write failed", FREE_DISK
    if info.get("aof_last_bgrewrite_status", "ok") != "ok":
        return WARNING, "the file cannot be rewritten and grows", FREE_DISK
    fsync = settings.get("appendfsync", "unknown")
    by = "written to disk by the system" if fsync == "no" else f"fsync {fsync}"
    mend = "Set appendfsync everysec: a power cut loses up to half a minute now."
    return WARNING if fsync == "no" else OK, f"append-only file, {by}", mend


def _judge_eviction(report: MasterReport) -> Verdict:
    found = report.info.get("maxmemory_policy") or report.settings.get("maxmemory-policy")
    mend = "Set maxmemory-policy noeviction: with others a full Redis removes running races."
    return {"noeviction": OK, None: WARNING}.get(found, BAD), found or "unknown", mend


def _judge_memory(info: Mapping[str, str]) -> Verdict:
    if not info.get("used_memory", "").isdigit():
        return WARNING, "unknown", "Give the user of Redis the right to call INFO."
    used, limit = memory(info)
    if not limit:
        mend = "so that the store refuses new rooms before the machine has no memory."
        return WARNING, f"{used / MIB:.0f} MiB, no limit", f"Set maxmemory, {mend}"
    found = f"{used / MIB:.0f} of {limit / MIB:.0f} MiB, {used / limit:.0%}"
    soon = "" if used >= FULL_FROM * limit else " soon"
    mend = f"Raise the limit{soon}: from nine tenths on new rooms are refused."
    return WARNING if used >= NEARLY_FULL * limit else OK, found, mend


def _judge_cluster(info: Mapping[str, str]) -> Verdict:
    state, replicas = info.get("cluster_state", "unknown"), info.get("connected_slaves", "0")
    if state != "ok":
        return BAD, f"state {state}", "See CLUSTER INFO: a master or some slots are missing."
    if replicas == "0":
        mend = "Add a replica: without it the rooms of a master that dies are away."
        return WARNING, "this master has no replica", mend
    return OK, f"{replicas} replicas"


def check_machine(config: Config, *, is_served: bool | None = None) -> list[Finding]:
    """Return the findings about this machine, and about the files of an embedded store.

    `is_served`: whether a running server uses the store; None if that is unknown.
    """
    port, is_free = _check_port(config, is_served)
    verdicts = {
        "port": port,
        "operators' port": _judge_operations(config),
        "file descriptors": judge_descriptors(_limit_of_descriptors()),
        "public URL": _judge_public_url(config),
        "proxy headers": _judge_proxies(config),
    }
    if config.workers > 1:
        verdicts["temporary files"] = _judge_temporary_files()
    if config.redis_url is None:
        # The server makes the data directory when it starts. Until then, look at a parent's disk.
        folders = (config.data_dir.absolute(), *config.data_dir.absolute().parents)
        free = shutil.disk_usage(next(path for path in folders if os.access(path, os.F_OK))).free
        verdicts["data directory"] = _judge_directory(config.data_dir)
        verdicts["free disk"] = judge_disk(free)
        if is_served and is_free and config.port:
            found = f"{config.data_dir}: a server at another port uses it"
            mend = "Give the options of that server, or another --data-dir."
            verdicts["data directory"] = BAD, found, mend
    return _findings(verdicts)


def _check_port(config: Config, is_served: bool | None) -> tuple[Verdict, bool]:  # noqa: FBT001  # a fact
    """Judge the players' port, and return whether it is free; `is_served`: see `check_machine`."""
    where, mend = f"{config.host} port {config.port}", "Give another --port or --host."
    try:
        bind(config.model_copy(update={"workers": 1}), listening=False).close()
    except OSError as error:
        host = "127.0.0.1" if config.host in EVERYWHERE else config.host
        host = f"[{host}]" if ":" in host else host
        if not _shows(f"http://{host}:{config.port}/api/protocol", OWN_SIGN):
            return (BAD, f"{where}: {str(error.strerror).lower()}", mend), False
        if is_served is False:
            return (BAD, f"{where}: a Spider Race with another store serves there", mend), False
        return (OK, f"{where}: a Spider Race serves there"), False
    return (OK, f"{where}: free"), True


def _judge_operations(config: Config) -> Verdict:
    """Judge the operators' address, which the server that is examined may itself be using."""
    if (where := config.operations) is None:
        after = f"port {config.port + 1}, or a free one if it is taken"
        return OK, f"127.0.0.1 {after if config.port else 'at a free port'}"
    host, _, port = where.rpartition(":")
    try:
        one_worker = config.model_copy(update={"workers": 1})  # several would share the port
        bind_operations(one_worker, config.port, listening=False).close()
    except OSError as error:
        if not _shows(f"http://{where}/metrics", OWN_METRICS):
            return BAD, f"{where}: {str(error.strerror).lower()}", "Give another --operations."
    if host.strip("[]") not in LOOPBACK:
        mend = "See that players cannot reach it: /metrics has no password."
        return WARNING, f"{where}: not only on this machine", mend
    return OK, f"{host} port {port}"


def _judge_temporary_files() -> Verdict:
    try:
        return OK, tempfile.gettempdir()
    except FileNotFoundError:
        mend = "Give the workers a folder for them: mount /tmp, or set TMPDIR."
        return BAD, "no folder for them can be written", mend


def _limit_of_descriptors() -> int | None:
    """Return the limit of open files, if there is one."""
    if sys.platform == "win32":
        return None
    import resource  # noqa: PLC0415  # missing on Windows

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


def judge_descriptors(limit: int | None) -> Verdict:
    """Judge a limit of open files."""
    mend = "Raise the limit of open files: ulimit -n 65536, or LimitNOFILE=65536 in the unit."
    if limit is None or limit >= ENOUGH_DESCRIPTORS:
        return OK, f"{limit or 'not limited'}"
    if limit < FEW_DESCRIPTORS:
        return BAD, f"{limit}", mend
    return WARNING, f"{limit}: enough for as many connections at once", mend


def _judge_public_url(config: Config) -> Verdict:
    if (url := config.public_url) is None:
        return OK, "none: links have the address that the browser has"
    if not _shows(f"{url}/api/protocol", OWN_SIGN):
        mend = "Start the server and the proxy, and see that the name leads to this machine."
        return WARNING, f"{url}: no Spider Race answers there", mend
    if urlsplit(url).scheme != "https" and urlsplit(url).hostname not in LOOPBACK:
        return WARNING, f"{url}: answers, without TLS", "Let the proxy serve https, as Caddy does."
    return OK, f"{url}: answers"


def _judge_proxies(config: Config) -> Verdict:
    networks = ", ".join(map(str, config.trusted_proxies))
    if any(network.prefixlen == 0 for network in config.trusted_proxies):
        mend = "Name only the proxy's network in --trusted-proxies: all others can lie about"
        return WARNING, f"trusted from everybody ({networks})", f"{mend} their addresses."
    if networks or config.public_url is None:
        return OK, f"trusted from {networks or 'nobody; there is no proxy'}"
    found = "trusted from nobody, although there is a public URL"
    mend = "name it in --trusted-proxies: all players share one address now."
    return WARNING, found, f"If a proxy is in front, {mend}"


def _judge_directory(data_dir: Path) -> Verdict:
    from server.store.data_dir import check_directory  # noqa: PLC0415  # missing on Windows

    try:
        status = check_directory(data_dir)
    except StoreError as error:
        mend = "Run the doctor as the user of the server, or as root, or give another --data-dir."
        return BAD, str(error), mend
    if status is None:
        return OK, f"{data_dir}: not there yet; the server makes it"
    if status.st_mode & 0o077:
        mend = f"Close it to others: chmod 700 {data_dir}"
        return WARNING, f"{data_dir}: open to other users", mend
    if status.st_uid not in {os.geteuid(), 0}:  # root looks on behalf of the service's user
        return OK, f"{data_dir}: belongs to uid {status.st_uid}, as which the server must run"
    return OK, str(data_dir)


def judge_disk(free: int) -> Verdict:
    """Judge the free bytes on the embedded store's disk."""
    state = OK if free >= NEARLY_FULL_DISK else WARNING if free >= FULL_DISK else BAD
    mend = "Free space: a store that cannot write refuses every act."
    return state, f"{free / GIB:.1f} GiB", mend


def _check_variables() -> Iterator[Finding]:
    if not (unknown := unknown_variables()):
        yield Finding("variables", OK, "all that are set are options")
    for name, near in unknown.items():
        mend = f"Write {near}." if near else "Remove it; spider-race --help has all options."
        yield Finding("variables", WARNING, f"{name}: there is no such option", mend)


def _shows(url: str, sign: bytes) -> bool:
    """Return whether the answer of a URL contains `sign`, which shows that it is Spider Race's."""
    try:
        request = Request(url, headers={"User-Agent": "spider-race doctor"})  # noqa: S310  # an origin is http or https
        with urlopen(request, timeout=ANSWER_WITHIN_S) as reply:  # noqa: S310
            return sign in reply.read(MAX_ANSWER_BYTES)
    except (OSError, ValueError, http.client.HTTPException):
        return False
