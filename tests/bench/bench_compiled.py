"""What compiling buys: the same code pure and compiled, in turns.

`python -m tests.bench.bench_compiled [--wheel dist/spider_race-….whl] [--players 40 400]
[--pace 400] [--seconds 5] [--repetitions 3]` builds the compiled wheel, unless one is given, and
prints medians: of an act with the legal list after it, of a replay, and of the server's CPU time
for an act as fast as the replies come, and at the pace of people, who act once a second. The load
is pure in both cases.
"""

import argparse
import json
import statistics
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop

from tests.bench.bench_server import acts
from tests.bench.subject import HERE, Code
from tests.compiled import prepare

ENGINE = """
import json
from tests.bench.bench_engine import measure
cost = measure("spider-4")
print(json.dumps([cost.median_us, cost.replay_ms * 1e3]))
"""


def engine(code: Code) -> Iterator[tuple[str, float]]:
    """Yield the names and microseconds of the rules' figures."""
    command = [code.python, "-c", ENGINE]
    run = subprocess.run(command, cwd=code.folder, check=True, capture_output=True)
    yield from zip(
        ("act and legal list", "replay of 500 acts"), json.loads(run.stdout), strict=True
    )


def server(
    code: Code, players: Sequence[int], pace: int, seconds: float
) -> Iterator[tuple[str, float]]:
    """Yield the names and microseconds of the server's figures."""
    for number, every in (*((number, 0) for number in players), (pace, 1)):
        usage = uvloop.run(acts(number, seconds, every, code=code)).usage
        name = f"CPU an act, {number} players" + (", one a second each" if every else "")
        yield name, usage.cpu_us
        yield f"{name}, without the kernel", usage.cpu_us - usage.kernel_us


def main() -> None:
    """Print a line for each figure."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--wheel", type=Path)
    options.add_argument("--players", type=int, nargs="*", default=[40, 400])
    options.add_argument("--pace", type=int, default=400)
    options.add_argument("--seconds", type=float, default=5)
    options.add_argument("--repetitions", type=int, default=3)
    given = options.parse_args()
    with TemporaryDirectory() as made:
        python, folder = prepare(Path(made), given.wheel)
        codes = [HERE, Code(str(python), folder)]
        found: dict[str, dict[Code, list[float]]] = defaultdict(lambda: defaultdict(list))
        for repetition in range(given.repetitions):
            for code in codes[:: -1 if repetition % 2 else 1]:
                for name, value in engine(code):
                    found[name][code].append(value)
                for name, value in server(code, given.players, given.pace, given.seconds):
                    found[name][code].append(value)
    for name, values in found.items():
        pure, compiled = (statistics.median(values[code]) for code in codes)
        print(f"{name:60} {pure:8.1f} µs {compiled:8.1f} µs {compiled / pure:6.2f}")


if __name__ == "__main__":
    main()
