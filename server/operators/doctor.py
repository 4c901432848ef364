"""The command `doctor`: what would keep a server with these options from serving well."""

import asyncio
import json
from collections.abc import Iterable

from server.config import DoctorOptions
from server.operators.answer import Answer
from server.operators.findings import Finding, bad, exit_code, ok
from server.operators.machine_checks import check_machine
from server.operators.store_checks import check_master
from server.operators.tables import Sentence, printable, table
from server.store import StoreError
from server.store.master_reports import inspect, is_used, running_url

WIDTHS = (7, 18, 42, 48)


async def examine(options: DoctorOptions) -> Answer:
    """Return a row for everything that is checked; the exit code is that of the worst."""
    findings = [
        *await _store(options),
        *await asyncio.to_thread(
            lambda: list(check_machine(options, embedded=options.redis_url is None))
        ),
    ]
    return Answer(_text(findings, as_json=options.as_json), exit_code(findings))


async def _store(options: DoctorOptions) -> list[Finding]:
    what = "store"
    try:
        url = options.redis_url or await running_url(options.data_dir)
        if url is None:
            was = "has rooms" if is_used(options.data_dir) else "has no rooms yet"
            return [ok(what, f"embedded, does not run; its directory {was}")]
        reports = await inspect(url, options.redis_prefix)
    except StoreError as error:
        mend = "Start it, and give its address in --redis-url."
        return [bad(what, str(error), mend if options.redis_url else "End what holds it.")]
    findings = []
    for report in reports:
        kind = "embedded, runs" if options.redis_url is None else "answers"
        findings.append(ok(what, f"{report.address}: {kind}"))
        findings += check_master(report, options.redis_prefix)
    return findings


def _text(findings: Iterable[Finding], *, as_json: bool) -> str:
    if as_json:
        return json.dumps([finding._asdict() for finding in findings], indent=2)
    rows = [
        [each.state, each.what, Sentence(printable(each.found)), Sentence(each.mend)]
        for each in findings
    ]
    return table(("", "what", "found", "mend"), rows, WIDTHS)
