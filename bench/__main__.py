"""The benchmark: one table that compares each figure with another one of the same run.

`python -m bench [PART ...] [--long] [--json bench.json] [--peers ../shared/peers]` runs all parts
or some of them; all take less than ten minutes on two cores. README.md explains how to read the
table. The program checks no figure, but fails if it cannot measure one.
"""

import argparse
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

from bench import peers
from bench.figures import Figure, LeftOut, as_json, table
from bench.parts import PARTS, Scale
from server.web.limits import raise_descriptor_limit


def machine() -> dict[str, object]:
    """Describe the machine and the time of the run."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=peers.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return {
        "commit": commit.stdout.strip(),
        "taken": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "processors": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "load_before": [round(load, 2) for load in os.getloadavg()],
    }


def main() -> int:
    """Run the parts and print the table, even if the run is interrupted.

    Return 1 if a part was left out, unless it was the peers and their folder is missing.
    """
    options = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    options.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    options.add_argument("--long", action="store_true", help="10 seconds for each, not 3")
    options.add_argument("--brief", action="store_true", help="1 second: does everything run?")
    options.add_argument("--json", type=Path, default=Path("bench.json"))
    options.add_argument("--peers", type=Path, default=peers.FOLDER)
    options.add_argument("--peers-work", type=Path, default=peers.WORK)
    given = options.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        options.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    long = given.long
    seconds = 10 if long else 1 if given.brief else 3
    scale = Scale(seconds, not long, 3 if long else 1, given.peers, given.peers_work)
    raise_descriptor_limit()
    where, began = machine(), time.perf_counter()
    figures: list[Figure] = []
    left_out: dict[str, str] = {}
    try:
        for name in given.parts or PARTS:
            print(f"{time.perf_counter() - began:4.0f} s: {name}", file=sys.stderr, flush=True)
            try:
                figures += PARTS[name](scale)
            except LeftOut as error:
                left_out[name] = str(error)
    finally:
        print(table(figures, left_out))
        where["seconds"] = round(time.perf_counter() - began)
        given.json.write_text(as_json(figures, left_out, where), encoding="utf-8")
        print(f"\n{where['seconds']} s; the same as JSON: {given.json}", flush=True)
    return int(bool(left_out.keys() - (set() if given.peers.exists() else {"peers"})))


if __name__ == "__main__":
    sys.exit(main())
