"""Figures of a run, each compared with another figure of the same run."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

DIGITS = 3
HEAD = ("part", "figure", "measured", "beside", "measured", "ratio")


class LeftOut(Exception):
    """This part cannot be measured here; the text says why."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure and another one to compare; both have the same unit."""

    part: str
    what: str
    value: float
    unit: str
    beside: str
    beside_value: float

    @property
    def ratio(self) -> float | None:
        """The figure divided by the other one, or None if that is 0."""
        return self.value / self.beside_value if self.beside_value else None


def table(figures: Sequence[Figure], left_out: Mapping[str, str]) -> str:
    """Return a Markdown table of the figures, and a line for each part that was left out."""
    rows = [
        (
            each.part,
            each.what,
            _with_unit(each.value, each.unit),
            each.beside,
            _with_unit(each.beside_value, each.unit),
            "-" if each.ratio is None else short(each.ratio),
        )
        for each in figures
    ]
    lines = [f"Left out: {part} ({reason})." for part, reason in left_out.items()]
    return "\n".join([markdown(HEAD, rows), *([""] if lines else []), *lines])


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [f"| {' | '.join(row)} |" for row in (head, *rows)]
    lines.insert(1, "|---" * len(head) + "|")
    return "\n".join(lines)


def as_json(
    figures: Sequence[Figure], left_out: Mapping[str, str], machine: Mapping[str, Any]
) -> str:
    """Return the figures with their ratios and a description of the machine, as JSON."""
    rows = [{**asdict(each), "ratio": each.ratio} for each in figures]
    whole = {"machine": dict(machine), "figures": rows, "left_out": dict(left_out)}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def short(value: float) -> str:
    """Format a number with three digits, or as a whole number if it has more: 0.0123, 12,345."""
    if abs(value) >= 10 ** (DIGITS - 1):
        return f"{value:,.0f}"
    return f"{value:#.{DIGITS}g}".rstrip(".")


def _with_unit(value: float, unit: str) -> str:
    return f"{short(value)} {unit}".rstrip()
