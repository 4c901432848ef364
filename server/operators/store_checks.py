"""The checks of a store, from what each of its masters says of itself. No I/O."""

import re
from collections.abc import Iterator, Mapping

from server.operators.findings import Finding, bad, ok, warning
from server.store.master_reports import MasterReport, wrong_types

OLDEST = (7, 0)
VERSION = re.compile(r"(\d{1,9})\.(\d{1,9})")
FULL, NEARLY_FULL = 0.90, 0.75
"""Shares of the memory limit: from the first on the store gets no new rooms."""
CLOCK_MS = 1_000  # the difference of clocks that is no more ordinary
MIB = 1 << 20


def check_master(report: MasterReport, prefix: str = "") -> Iterator[Finding]:
    """Yield the findings about a Redis, or about one master of a cluster."""
    yield _version(report)
    yield _writable(report, prefix)
    yield _channels(report, prefix)
    yield _persistence(report)
    yield _eviction(report)
    yield _memory(report)
    yield _clock(report)
    yield _keys(report, prefix)
    if report.clustered:
        yield _cluster(report)


def _version(report: MasterReport) -> Finding:
    what = "store version"
    valkey = report.info.get("valkey_version")
    if valkey is not None:
        return ok(what, f"Valkey {valkey}")
    version = report.info.get("redis_version")
    if version is None:
        return warning(
            what, "unknown: Redis does not answer INFO", "Give the user the right to call INFO."
        )
    found = VERSION.match(version)
    if found is None or (int(found[1]), int(found[2])) < OLDEST:
        return bad(what, f"Redis {version}", "Use Redis 7.0 or newer, or Valkey.")
    return ok(what, f"Redis {version}")


def _writable(report: MasterReport, prefix: str) -> Finding:
    what = "writes"
    if report.refusal is None:
        return ok(what, "the store takes them")
    if "READONLY" in report.refusal or report.info.get("role") == "slave":
        return bad(what, "this is a replica", "Give the address of the master.")
    if "OOM" in report.refusal:
        return bad(what, report.refusal, "Give the store more memory: raise its maxmemory.")
    if "MISCONF" in report.refusal:
        return bad(what, report.refusal, "Free space on the disk of Redis.")
    return bad(
        what,
        report.refusal,
        f"Give the user of Redis the rights to write and run scripts on the keys ~{prefix}*, or "
        "give the --redis-prefix of its keys.",
    )


def _channels(report: MasterReport, prefix: str) -> Finding:
    what = "channels"
    if report.channel_refusal is None:
        return ok(what, "the store passes messages on")
    return bad(
        what,
        report.channel_refusal,
        f"Give the user of Redis the rights +spublish, +ssubscribe and +sunsubscribe on the "
        f"channels &{prefix}*, or give the --redis-prefix of its channels.",
    )


def _persistence(report: MasterReport) -> Finding:
    what = "persistence"
    info, settings = report.info, report.settings
    if not settings and "aof_enabled" not in info:
        return warning(what, "unknown", "See that Redis has appendonly yes.")
    appends = settings.get("appendonly", "yes" if info.get("aof_enabled") == "1" else "no")
    if appends == "yes":
        return _append_only(info, settings.get("appendfsync", "unknown"))
    saves = settings.get("save", "")
    if not saves:
        return bad(what, "none", "Set appendonly yes: a restart of Redis loses all rooms.")
    return warning(
        what,
        f"snapshots only (save {saves})",
        "Set appendonly yes: a restart of Redis loses what came after the last snapshot.",
    )


def _append_only(info: Mapping[str, str], fsync: str) -> Finding:
    what, mend = "persistence", "Free space on the disk of Redis."
    if info.get("aof_last_write_status", "ok") != "ok":
        return bad(what, "the last write failed", mend)
    if info.get("aof_last_bgrewrite_status", "ok") != "ok":
        return warning(what, "the file cannot be rewritten and grows", mend)
    if fsync == "no":
        return warning(
            what,
            "append-only file, written to disk by the system",
            "Set appendfsync everysec: a power cut loses up to half a minute now.",
        )
    return ok(what, f"append-only file, fsync {fsync}")


def _eviction(report: MasterReport) -> Finding:
    what = "eviction policy"
    policy = report.info.get("maxmemory_policy") or report.settings.get("maxmemory-policy")
    if policy is None:
        return warning(what, "unknown", "See that Redis has maxmemory-policy noeviction.")
    if policy == "noeviction":
        return ok(what, policy)
    return bad(
        what, policy, "Set maxmemory-policy noeviction: a full Redis removes running races now."
    )


def _memory(report: MasterReport) -> Finding:
    what = "store memory"
    info = report.info
    if not info.get("used_memory", "").isdigit():
        return warning(what, "unknown", "Give the user of Redis the right to call INFO.")
    used = int(info["used_memory"]) - int(info.get("mem_not_counted_for_evict", 0))
    limit = int(info.get("maxmemory", 0))
    if not limit:
        return warning(
            what,
            f"{used / MIB:.0f} MiB, no limit",
            "Set maxmemory, so that the store refuses new rooms before the machine has no memory.",
        )
    found = f"{used / MIB:.0f} of {limit / MIB:.0f} MiB, {used / limit:.0%}"
    if used >= FULL * limit:
        return bad(what, found, "Raise the limit: from nine tenths on new rooms are refused.")
    if used >= NEARLY_FULL * limit:
        return warning(what, found, "Raise the limit soon: at nine tenths new rooms are refused.")
    return ok(what, found)


def _clock(report: MasterReport) -> Finding:
    what = "clock"
    ahead = report.ahead_ms
    if abs(ahead) < CLOCK_MS:
        return ok(what, "the store's and this machine's agree")
    side = "ahead of" if ahead > 0 else "behind"
    return warning(
        what,
        f"the store's is {abs(ahead) / 1_000:.1f} s {side} this machine's",
        "Let both machines set their clocks by NTP.",
    )


def _keys(report: MasterReport, prefix: str) -> Finding:
    what = "keys"
    wrong = wrong_types(report, prefix)
    if wrong:
        return bad(
            what,
            f"another program has written {', '.join(wrong)}",
            "Rename or remove the key, or give a --redis-prefix of its own.",
        )
    return ok(what, "no other program has written them")


def _cluster(report: MasterReport) -> Finding:
    what = "cluster"
    state = report.info.get("cluster_state", "unknown")
    if state != "ok":
        return bad(what, f"state {state}", "See CLUSTER INFO: a master or some slots are missing.")
    if report.info.get("connected_slaves", "0") == "0":
        return warning(
            what,
            "this master has no replica",
            "Add a replica: without it the rooms of a master that dies are away.",
        )
    return ok(what, f"{report.info['connected_slaves']} replicas")
