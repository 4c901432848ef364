"""Races under faults, from a seed: `python -m tests.faults --minutes 10 --seed 7`."""

import argparse
import asyncio
import random
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from tests.faults.last_release import LastRelease, NoRelease, export, tag_of_last_release
from tests.faults.processes import UNFENCED
from tests.faults.report import table
from tests.faults.run import Plan, run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0, help="how long faults happen")
    parser.add_argument("--seed", type=int, default=None, help="drawn if not given")
    parser.add_argument("--players", type=int, default=Plan.players)
    parser.add_argument("--rooms", type=int, default=Plan.rooms)
    parser.add_argument("--servers", type=int, default=Plan.servers)
    parser.add_argument("--pace", type=float, default=Plan.acts_per_s, help="acts a second each")
    parser.add_argument(
        "--store",
        choices=("alone", "cluster", "both"),
        default="both",
        help="one Redis, a cluster whose masters die, or half of the time each (the default)",
    )
    parser.add_argument("--verbose", action="store_true", help="print every fault as it happens")
    parser.add_argument("--keep", type=Path, help="a fresh directory for logs, which stays")
    parser.add_argument(
        "--break-the-fence",
        action="store_true",
        help="serve without the check of generations, to see that the checker notices",
    )
    parser.add_argument(
        "--no-rollback",
        action="store_true",
        help="leave the last release out, and let rooms have settings that it does not know",
    )
    given = parser.parse_args()
    seed = random.randrange(1_000_000) if given.seed is None else given.seed
    plan = Plan(
        seed=seed,
        seconds=given.minutes * 60 / (2 if given.store == "both" else 1),
        players=given.players,
        rooms=given.rooms,
        servers=given.servers,
        acts_per_s=given.pace,
        module=UNFENCED if given.break_the_fence else Plan.module,
    )
    print(f"seed {seed}", flush=True)
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="last-release-") as made:
        last = None if given.no_rollback else last_release(Path(made))
        for clustered in (False, True):
            kind = "cluster" if clustered else "alone"
            if given.store in {kind, "both"}:
                keep = given.keep and given.keep / kind
                part = replace(plan, clustered=clustered, last_release=last, keep=keep)
                outcomes.append(asyncio.run(run(part, _say if given.verbose else lambda _: None)))
    print(table(outcomes, given.store), flush=True)
    return 0 if all(outcome.verdict.clean for outcome in outcomes) else 1


def last_release(directory: Path) -> LastRelease | None:
    """Export the last release to a directory; return None if git has none."""
    try:
        return LastRelease(export(tag_of_last_release(), directory))
    except NoRelease as error:
        print(f"no server is rolled back: {error}")
        return None


def _say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
