"""The benchmark's table and JSON, from fixed figures. No test measures a speed."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.bench import bench_peers, parts
from tests.bench.bench_peers import install, read_results
from tests.bench.bench_server import Load
from tests.bench.bench_sizes import Rooms
from tests.bench.figures import Figure, LeftOut, as_json, short, table
from tests.bench.meter import Usage

FIGURES = [
    Figure("rules", "act and legal list", 3.25, "µs", "a loop", 0.5),
    Figure("400 players", "acts", 12_000.4, "/s", "echoes", 48_000),
    Figure("peers", "bytes", 300.0, "B", "nobody", 0),
]


def cell(peer: str, **changes: object) -> str:
    """Return a line of the load generator's results."""
    return json.dumps(
        {
            "peer": peer,
            "mode": "closed",
            "players": 400,
            "movesPerSec": 10_000,
            "serverCpuPct": 50,
            "otherCpuPct": {} if peer == bench_peers.ECHO else {"valkey": 12},
            "bytesInPerSec": 3_000_000,
            "ackMs": {"p50": 20, "p99": 40},
            "boardMs": None,
            "rssPerConn": 30 * 1024,
            "errors": 0,
            **changes,
        }
    )


def test_the_table_has_a_ratio_for_each_figure() -> None:
    assert table(FIGURES, {}).splitlines() == [
        "| part | figure | measured | beside | measured | ratio |",
        "|---|---|---|---|---|---|",
        "| rules | act and legal list | 3.25 µs | a loop | 0.500 µs | 6.50 |",
        "| 400 players | acts | 12,000 /s | echoes | 48,000 /s | 0.250 |",
        "| peers | bytes | 300 B | nobody | 0.00 B | - |",
    ]


def test_the_table_says_what_is_left_out() -> None:
    lines = table(FIGURES, {"peers": "no peers in ../shared/peers"}).splitlines()
    assert lines[-2:] == ["", "Left out: peers (no peers in ../shared/peers)."]


def test_the_json_has_the_same_figures() -> None:
    whole = json.loads(as_json(FIGURES, {"page": "no browser"}, {"processors": 2}))
    assert whole["machine"] == {"processors": 2}
    assert whole["left_out"] == {"page": "no browser"}
    assert whole["figures"][0] == {
        "part": "rules",
        "what": "act and legal list",
        "value": 3.25,
        "unit": "µs",
        "beside": "a loop",
        "beside_value": 0.5,
        "ratio": 6.5,
    }
    assert whole["figures"][2]["ratio"] is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0.00"),
        (0.0123, "0.0123"),
        (1, "1.00"),
        (62.26, "62.3"),
        (99.96, "100"),
        (12_345, "12,345"),
    ],
)
def test_numbers_have_three_digits(value: float, text: str) -> None:
    assert short(value) == text


def test_usage_is_counted_for_each() -> None:
    usage = Usage(count=100, seconds=2, cpu_s=0.5, kernel_s=0.1, store_s=0.2, received=5_000)
    assert (usage.per_s, usage.cpu_us, usage.kernel_us) == (50, 5_000, 1_000)
    assert (usage.store_us, usage.bytes_each) == (2_000, 50)


def test_results_of_repetitions_are_medians() -> None:
    lines = [cell("ours", movesPerSec=rate) for rate in (10_000, 20_000, 12_500)]
    (ours,) = read_results(lines)
    assert (ours.acts_per_s, ours.cpu_us, ours.bytes_each) == (12_500, 40, 240)


def test_a_failed_cell_says_which_server_failed() -> None:
    with pytest.raises(LeftOut, match="colyseus-redis failed: no READY"):
        read_results([json.dumps({"peer": "colyseus-redis", "failed": "no READY"})])


def test_peers_that_are_not_there_are_left_out(tmp_path: Path) -> None:
    with pytest.raises(LeftOut, match="no peers in"):
        install(tmp_path, tmp_path / "work")


def test_each_load_has_figures_beside_each_peer() -> None:
    """The echo server plays no game, so only its CPU is comparable, and it has no leaderboard."""
    races = [name for name in bench_peers.PEERS if name != bench_peers.ECHO]
    closed = [cell(name) for name in bench_peers.PEERS]
    paced: dict[str, object] = {"mode": "open", "players": 1_000}
    opened = [cell(name, **paced, boardMs={"p50": 60, "p99": 120}) for name in races]
    opened.append(cell(bench_peers.ECHO, **paced))
    figures = parts.peers_figures(read_results([*closed, *opened]))
    of_closed = [each for each in figures if "400 players" in each.part]
    assert [(each.what, each.beside) for each in of_closed] == [
        ("CPU of an act", "ws-redis"),
        ("CPU of an act", "colyseus-redis"),
        ("CPU of an act", "echo-websockets"),
        ("the store's CPU of an act", "ws-redis"),
        ("the store's CPU of an act", "colyseus-redis"),
        ("bytes received for an act", "ws-redis"),
        ("bytes received for an act", "colyseus-redis"),
        ("acts", "ws-redis"),
        ("acts", "colyseus-redis"),
    ]
    stores = [each for each in figures if each.what.startswith("the store")]
    assert {round(each.value, 3) for each in stores} == {12.0}
    leaderboards = [each for each in figures if each.what.startswith("leaderboard")]
    assert [(each.value, each.beside) for each in leaderboards] == [
        (120, "ws-redis"),
        (120, "colyseus-redis"),
    ]


def test_the_compiled_server_has_its_cpu_and_its_acts_beside_each_peer() -> None:
    names = (bench_peers.COMPILED, *bench_peers.PEERS)
    figures = parts.peers_figures(read_results([cell(name) for name in names]))
    compiled = [each.beside for each in figures if each.what == "CPU of an act, compiled"]
    assert compiled == ["ws-redis", "colyseus-redis", "echo-websockets"]
    rates = [each.beside for each in figures if each.what == "acts, compiled"]
    assert rates == ["ws-redis", "colyseus-redis"]


def test_figures_of_idle_rooms_are_beside_an_act_in_few_rooms() -> None:
    figures = parts.rooms_figures(Rooms(idle=9_990, few_us=50, many_us=60, idle_us=20))
    assert [(each.what, each.ratio) for each in figures] == [
        ("CPU of an act beside 9,990 idle rooms", 1.2),
        ("CPU of an idle room for a second", 0.4),
    ]


@pytest.mark.parametrize(("every", "has_a_rate"), [(0, True), (1, False)])
def test_only_players_who_do_not_wait_have_a_rate(every: float, *, has_a_rate: bool) -> None:
    usage = Usage(count=100, seconds=2, cpu_s=0.5, kernel_s=0.1, store_s=0.2, received=5_000)
    load = Load(players=40, every=every, usage=usage, latencies=[0.001] * 100)
    figures = parts.load_figures(load, load)
    assert {each.ratio for each in figures if "store" not in each.what} == {1.0}
    assert any(each.what == "acts" for each in figures) is has_a_rate


def test_figures_beside_the_solver_are_ratios_to_those_without_it() -> None:
    usage = Usage(count=100, seconds=2, cpu_s=0.5, kernel_s=0.1, store_s=0.2, received=5_000)
    alone = Load(players=400, every=1, usage=usage, latencies=[0.002] * 100)
    figures = parts.thinking_figures(replace(alone, latencies=[0.003] * 100), alone)
    assert [(each.what, each.ratio) for each in figures] == [
        ("CPU of an act", 1.0),
        ("act, median", 1.5),
        ("act, p99", 1.5),
    ]
