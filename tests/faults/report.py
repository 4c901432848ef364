"""The table that a run ends with."""

import shlex
from collections import Counter
from collections.abc import Iterable
from typing import Any

from tests.faults.checker import MUST_BE_NONE
from tests.faults.run import Outcome, Plan

EXAMPLES = 5


def command(plan: Plan) -> str:
    """What runs the same again."""
    words = ["python", "-m", "tests.faults", "--seed", str(plan.seed)]
    words += ["--minutes", f"{plan.seconds / 60:g}"]
    for option, value, default in (
        ("--players", plan.players, Plan.players),
        ("--rooms", plan.rooms, Plan.rooms),
        ("--servers", plan.servers, Plan.servers),
        ("--pace", plan.acts_per_s, Plan.acts_per_s),
    ):
        if value != default:
            words += [option, f"{value:g}"]
    if plan.clustered:
        words.append("--cluster")
    if plan.module != Plan.module:
        words.append("--break-the-fence")
    return shlex.join(words)


def table(outcome: Outcome) -> str:
    """All of it, as text."""
    verdict, notes, plan = outcome.verdict, outcome.notes, outcome.plan
    acted = sum(len(sent.acks) > 0 for player in notes for sent in player.acts)
    rows: list[tuple[str, object]] = [
        ("seed", plan.seed),
        ("command", command(plan)),
        ("seconds", f"{outcome.seconds:.0f}"),
        ("players, rooms, servers", f"{plan.players}, {plan.rooms}, {plan.servers}"),
        ("rounds", verdict.rounds),
        ("acts sent", sum(len(player.acts) for player in notes)),
        ("acts acknowledged", acted),
        ("entries in the logs", verdict.entries),
        ("times a player came back", sum(player.resumes for player in notes)),
        ("faults", _tally(outcome.inflicted)),
        ("sockets closed on players", _tally(_sum(player.closes for player in notes))),
        ("refusals", _tally(_sum(player.refusals for player in notes))),
        ("replaced by one's own unfinished resume", sum(player.own_ghosts for player in notes)),
        ("longest wait for an act", _ms(player.longest_act_ms for player in notes)),
        ("longest time away", _ms(player.longest_away_ms for player in notes)),
    ]
    rows += [(kind, f"{len(verdict.wrong[kind])}") for kind in MUST_BE_NONE]
    width = max(len(name) for name, _ in rows)
    lines = [f"{name:{width}}  {value}" for name, value in rows]
    for kind in MUST_BE_NONE:
        wrong = verdict.wrong[kind]
        if wrong:
            lines += ["", f"{kind}:", *(f"  {text}" for text in wrong[:EXAMPLES])]
            if len(wrong) > EXAMPLES:
                lines.append(f"  and {len(wrong) - EXAMPLES} more")
    for player in notes:
        if player.stranded or player.silence:
            lines += ["", f"{player}:", *(f"  {text}" for text in player.diary)]
    lines += ["", "all is well" if verdict.clean else "NOT WELL"]
    return "\n".join(lines)


def _sum(counters: Iterable[Counter[Any]]) -> Counter[Any]:
    total: Counter[Any] = Counter()
    for counter in counters:
        total += counter
    return total


def _tally(counter: Counter[Any]) -> str:
    return ", ".join(f"{count} {what}" for what, count in counter.most_common()) or "none"


def _ms(times: Iterable[float]) -> str:
    return f"{max(times, default=0.0):.0f} ms"
