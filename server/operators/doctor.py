"""The command `doctor`: what would keep a server with these options from serving well."""

import asyncio
import json
from collections.abc import Iterable

from server.config import DoctorOptions, unknown_variables
from server.operators.answer import Answer
from server.operators.findings import Finding, bad, exit_code, ok, warning
from server.operators.machine_checks import check_machine
from server.operators.store_checks import check_master
from server.operators.tables import Sentence, printable, table
from server.store import StoreError, StoreNotReady
from server.store.address import is_authentication
from server.store.master_reports import inspect, is_used, running_url

WIDTHS = (7, 18, 42, 48)


async def examine(options: DoctorOptions) -> Answer:
    """Return a row for everything that is checked; the exit code is that of the worst."""
    findings = [
        *await _store(options),
        *await asyncio.to_thread(
            lambda: list(check_machine(options, embedded=options.redis_url is None))
        ),
        *_variables(),
    ]
    return Answer(_text(findings, as_json=options.as_json), exit_code(findings))


def _variables() -> list[Finding]:
    what = "variables"
    return [
        warning(
            what,
            f"{name}: there is no such option",
            f"Write {near}." if near else "Remove it; spider-race --help has all options.",
        )
        for name, near in unknown_variables().items()
    ] or [ok(what, "all that are set are options")]


async def _store(options: DoctorOptions) -> list[Finding]:
    what = "store"
    try:
        url = options.redis_url or await running_url(options.data_dir)
        if url is None:
            was = "has rooms" if is_used(options.data_dir) else "has no rooms yet"
            return [ok(what, f"embedded, does not run; its directory {was}")]
        reports = await inspect(url, options.redis_prefix)
    except StoreError as error:
        return [bad(what, str(error), _mend(error, options))]
    findings = []
    for report in reports:
        kind = "embedded, runs" if options.redis_url is None else "answers"
        findings.append(ok(what, f"{report.address}: {kind}"))
        findings += check_master(report, options.redis_prefix)
    return findings


def _mend(error: StoreError, options: DoctorOptions) -> str:
    if options.redis_url is None:
        return "End what holds it."
    if is_authentication(error):
        return "It runs: give the right user and password in --redis-url."
    if isinstance(error, StoreNotReady):
        return "Start it, and give its address in --redis-url."
    return "Mend what it says, or give another --redis-url."


def _text(findings: Iterable[Finding], *, as_json: bool) -> str:
    if as_json:
        return json.dumps([finding._asdict() for finding in findings], indent=2)
    rows = [
        [each.state, each.what, Sentence(printable(each.found)), Sentence(each.mend)]
        for each in findings
    ]
    return table(("", "what", "found", "mend"), rows, WIDTHS)
