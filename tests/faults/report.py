"""The table at the end of a run: one column for each type of store."""

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from tests.faults.checker import MUST_BE_NONE
from tests.faults.notes import Notes
from tests.faults.run import Outcome, Plan
from tests.faults.schedule import OF_RELEASES, FaultKind

EXAMPLES = 5


def command(plans: Sequence[Plan], store: str) -> str:
    """Return the command that repeats the run."""
    plan = plans[0]
    words = ["python", "-m", "tests.faults", "--seed", str(plan.seed)]
    words += ["--minutes", f"{sum(each.seconds for each in plans) / 60:g}"]
    for option, value, default in (
        ("--players", plan.players, Plan.players),
        ("--rooms", plan.rooms, Plan.rooms),
        ("--servers", plan.servers, Plan.servers),
        ("--pace", plan.acts_per_s, Plan.acts_per_s),
    ):
        if value != default:
            words += [option, f"{value:g}"]
    if store != "both":
        words += ["--store", store]
    if plan.last_release is None:
        words.append("--no-rollback")
    if plan.module != Plan.module:
        words.append("--break-the-fence")
    return shlex.join(words)


def table(outcomes: Sequence[Outcome], store: str) -> str:
    """Return the whole report as text."""
    columns = [_column(outcome) for outcome in outcomes]
    heads = ["a cluster" if outcome.plan.clustered else "one Redis" for outcome in outcomes]
    rows = [("", heads), *((name, [column[name] for column in columns]) for name in columns[0])]
    width = max(len(name) for name, _ in rows)
    lines = [command([outcome.plan for outcome in outcomes], store)]
    lines += [f"{name:{width}}" + "".join(f"{cell:>12}" for cell in row) for name, row in rows]
    for outcome in outcomes:
        lines += _details(outcome)
    well = all(outcome.verdict.clean for outcome in outcomes)
    return "\n".join([*lines, "", "all is well" if well else "NOT WELL"])


def _column(outcome: Outcome) -> dict[str, str]:
    verdict, notes = outcome.verdict, outcome.notes
    acted = sum(len(sent.acks) > 0 for player in notes for sent in player.acts)
    cells: dict[str, object] = {
        "seconds": round(outcome.seconds),
        "players, rooms, servers": f"{len(notes)}, {outcome.plan.rooms}, {outcome.plan.servers}",
        "rounds": verdict.rounds,
        "acts sent": sum(len(player.acts) for player in notes),
        "acts acknowledged": acted,
        "entries in the logs": verdict.entries,
        "lines of chat heard": sum(player.lines for player in notes),
        "visits of spectators": sum(guest.visits for guest in outcome.guests),
        "spectators shown out": sum(guest.kicks for guest in outcome.guests),
        "times a player came back": sum(player.resumes for player in notes),
        **{kind.value: _inflicted(outcome, kind) for kind in FaultKind},
        "acts acknowledged by the last release": sum(one.acks_of_last_release for one in notes),
        "acts answered beside unreadable records": outcome.beside.answered,
        "longest wait of a room beside one": _s(outcome.beside.longest_s),
        "refused for the moment": sum(_of(player.refusals, "try_again") for player in notes),
        "replaced by one's own unfinished resume": sum(player.own_ghosts for player in notes),
        "acts taken back by a failover": verdict.taken_back + verdict.round_over_unseen,
        "given back by their players": verdict.given_back,
        "not given back: the round or its tab was over": verdict.round_over
        + verdict.round_over_unseen,
        "ends of rounds taken back by a failover": sum(
            len(known) - 1 for player in notes for known in player.rankings.values()
        ),
        "times a room was older than before": sum(player.rooms_back for player in notes),
        "longest time without any act answered": _gap(notes),
        "longest wait for an act": _ms(player.longest_act_ms for player in notes),
        "longest time away": _ms(player.longest_away_ms for player in notes),
        **{kind: len(verdict.wrong[kind]) for kind in MUST_BE_NONE},
    }
    return {name: str(cell) for name, cell in cells.items()}


def _details(outcome: Outcome) -> list[str]:
    verdict, notes = outcome.verdict, outcome.notes
    where = "a cluster" if outcome.plan.clustered else "one Redis"
    closes, refusals = (
        sum((getattr(player, name) for player in notes), Counter[Any]())
        for name in ("closes", "refusals")
    )
    lines = ["", f"{where}: closed on players {_tally(closes)}; refused {_tally(refusals)}"]
    for kind in MUST_BE_NONE:
        wrong = verdict.wrong[kind]
        if wrong:
            lines += ["", f"{where}, {kind}:", *(f"  {text}" for text in wrong[:EXAMPLES])]
            if len(wrong) > EXAMPLES:
                lines.append(f"  and {len(wrong) - EXAMPLES} more")
    for player in notes:
        if player.stranded or player.silence:
            lines += ["", f"{player}:", *(f"  {text}" for text in player.diary)]
    return lines


def _inflicted(outcome: Outcome, kind: FaultKind) -> int | str:
    """Return how often a fault was inflicted, or that it was left out."""
    left_out = kind in OF_RELEASES and outcome.plan.last_release is None
    return "left out" if left_out else outcome.inflicted[kind]


def _of(refusals: Counter[str], code: str) -> int:
    return sum(count for what, count in refusals.items() if what.endswith(f" {code}"))


def _tally(counter: Counter[Any]) -> str:
    return ", ".join(f"{count} {what}" for what, count in counter.most_common()) or "none"


def _gap(notes: Iterable[Notes]) -> str:
    received = sorted(
        ack.received for player in notes for sent in player.acts for ack in sent.acks
    )
    return _ms((later - one) * 1_000 for one, later in pairwise(received))


def _ms(times: Iterable[float]) -> str:
    return _s(max(times, default=0.0) / 1_000)


def _s(seconds: float) -> str:
    return f"{seconds:.1f} s"
