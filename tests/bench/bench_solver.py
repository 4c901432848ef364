"""Deals that the solver decides, and what that costs: `python -m tests.bench.bench_solver`.

Test deal k has the seed k, as sixteen bytes big-endian. Each line is replayed on the engine under
the rules of a room before it counts; its time is not part of the figures. `--compiled` runs the
same in the compiled wheel, which it builds unless `--wheel` names one. `--after 60` searches from
the position that a computer player of the strength `club` has reached after 60 acts.
"""

import argparse
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from protocol.games import GAMES
from protocol.vocabulary import SEED_BYTES, Outcome
from server.games.catalogue import new_game
from server.games.deals import secret_deck
from server.games.game import Game
from server.games.rules import Rules
from server.solver import players
from server.solver import solve as solver
from server.solver.spider import MOST_POSITIONS
from server.solver.verdicts import Verdict
from tests.compiled import run_compiled
from tests.solver.visible_games import visible

BUDGETS = {"spider": 10_000_000, "spiderette": 20_000_000, "little-spider": 2_000_000}
"""The children that a deal may cost, by the family of the game."""
HEAD = f"{'game':15} {'deals':>6} {'won':>6} {'proved':>7} {'unknown':>8} {'mean':>9} {'p95':>9}"


@dataclass(frozen=True, slots=True)
class Solved:
    """What one deal has cost."""

    number: int
    verdict: Verdict
    seconds: float


def solve_deal(rules: Rules, number: int, given: argparse.Namespace) -> Solved:
    """Solve the position of one deal after so many acts, and play its line on the engine.

    Raises:
        IllegalAction: The engine refuses the line.
    """
    game = new_game(rules, secret_deck(rules.game, number.to_bytes(SEED_BYTES, "big")))
    play(game, given.after)
    budget = given.budget or BUDGETS[GAMES[rules.game].family]
    began = time.process_time()
    verdict = solver.solve_from(game, budget=budget, most_positions=given.positions)
    seconds = time.process_time() - began
    for action in verdict.line:
        game.apply(action)
    assert verdict.kind != "won" or game.outcome is Outcome.WON, "the line wins"
    return Solved(number, verdict, seconds)


def play(game: Game, acts: int) -> None:
    """Let a computer player make so many acts, or fewer where it gives up or the game ends."""
    player = players.player_of("club", game.rules.game)
    while game.at < acts and game.outcome is None:
        action = player.choose(visible(game), game.legal_actions())
        if action is None:
            return
        game.apply(action)


def row(game: str, solved: Sequence[Solved]) -> str:
    """Return the line of the table for one game."""
    kinds = [each.verdict.kind for each in solved]
    seconds = sorted(each.seconds for each in solved)
    children = statistics.mean(each.verdict.children for each in solved)
    return (
        f"{game:15} {len(solved):6} {kinds.count('won'):6} {kinds.count('unwinnable'):7} "
        f"{kinds.count('unknown'):8} {statistics.mean(seconds):7.3f} s "
        f"{seconds[int(0.95 * len(seconds))]:7.3f} s {children:10,.0f}"
    )


def measure(given: argparse.Namespace) -> None:
    """Print a line for each game, and the deals that stay unknown."""
    compiled = not str(solver.__file__).endswith(".py")
    print("compiled" if compiled else "pure", flush=True)
    print(f"{HEAD} {'children':>10}", flush=True)
    for game in given.games:
        variant = GAMES[game]
        relaxed = given.relaxed and "relaxed_deal" in variant.options
        rules = Rules(game, relaxed_deal=relaxed, score=variant.scores[0])
        numbers = range(given.first, given.first + given.deals)
        solved = [solve_deal(rules, number, given) for number in numbers]
        print(row(game, solved), flush=True)
        if unknown := [each.number for each in solved if each.verdict.kind == "unknown"]:
            print(f"{'':15} unknown: {' '.join(map(str, unknown))}", flush=True)


def main() -> None:
    """Print the table, of the code here or of the compiled wheel."""
    options = argparse.ArgumentParser(
        prog="python -m tests.bench.bench_solver", description=__doc__
    )
    options.add_argument("games", nargs="*", metavar="GAME", help=", ".join(GAMES))
    options.add_argument("--first", type=int, default=0, help="the first deal")
    options.add_argument("--deals", type=int, default=20)
    options.add_argument("--budget", type=int, help="children that a deal may cost")
    options.add_argument(
        "--positions",
        type=int,
        default=MOST_POSITIONS,
        help="positions that an exhaustive search stores, of 150 bytes each",
    )
    options.add_argument("--after", type=int, default=0, help="the acts made before the search")
    options.add_argument("--relaxed", action="store_true", help="by the rule `relaxed_deal`")
    options.add_argument("--compiled", action="store_true")
    options.add_argument("--wheel", type=Path)
    given = options.parse_args()
    given.games = given.games or list(GAMES)
    if unknown := set(given.games) - set(GAMES):
        options.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(GAMES)}")
    if given.compiled:
        run_compiled("tests.bench.bench_solver", given.wheel)
    else:
        measure(given)


if __name__ == "__main__":
    main()
