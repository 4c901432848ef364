"""Races under faults, from a seed: `python -m tests.faults --minutes 10 --seed 7`."""

import argparse
import asyncio
import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tests.faults.processes import UNFENCED
from tests.faults.run import Outcome, Plan, run

END_S = 300.0  # the last rounds end within this time after the last fault
EXAMPLES = 5


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0, help="how long faults happen")
    parser.add_argument("--seed", type=int, default=None, help="drawn if not given")
    parser.add_argument(
        "--store",
        choices=("alone", "cluster", "both"),
        default="both",
        help="one Redis, a cluster whose masters die, or half of the time each (the default)",
    )
    parser.add_argument("--keep", type=Path, help="a fresh directory for logs, which stays")
    parser.add_argument(
        "--break-the-fence",
        action="store_true",
        help="serve without the check of generations, to see that the checker notices",
    )
    given = parser.parse_args(arguments)
    plan = Plan(
        seed=random.randrange(1_000_000) if given.seed is None else given.seed,
        seconds=given.minutes * 60 / (2 if given.store == "both" else 1),
        module=UNFENCED if given.break_the_fence else Plan.module,
    )
    is_clean = True
    for kind in ("alone", "cluster") if given.store == "both" else (given.store,):
        keep = given.keep and given.keep / kind
        part = replace(plan, clustered=kind == "cluster", keep=keep)
        print(f"seed {plan.seed}, {kind}", flush=True)
        outcome = asyncio.run(_run(part))
        print(result(outcome), flush=True)
        is_clean = is_clean and outcome.verdict.clean
    return 0 if is_clean else 1


async def _run(plan: Plan) -> Outcome:
    async with asyncio.timeout(plan.seconds + END_S):
        return await run(plan)


def result(outcome: Outcome) -> str:
    """Return one line about a run, and below it the violations."""
    verdict, faults = outcome.verdict, outcome.inflicted.total()
    counted = (
        f"{faults} faults, {verdict.rounds} rounds, {verdict.acknowledged} acts acknowledged, "
        f"{verdict.entries} entries, {verdict.taken_back} acts taken back by failovers, "
        f"{outcome.games_of_day} games of the day, {outcome.tables} kept tables"
    )
    lines = [f"{'well' if verdict.clean else 'NOT WELL'}: {counted}"]
    for kind, wrong in verdict.wrong.items():
        if wrong:
            lines += ["", f"{kind}: {len(wrong)}", *(f"  {text}" for text in wrong[:EXAMPLES])]
    for player in outcome.notes:
        if player.stranded:
            lines += ["", f"{player}:", *(f"  {text}" for text in player.diary)]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
