"""Games that computer players win, and what they cost: `python -m tests.bench.bench_bots`.

Test deal k has the seed k, as sixteen bytes big-endian. All strengths play the same deals, as in
a new room. The interval is Wilson's, for 95 %. `--compiled` runs the same in the compiled wheel,
which it builds unless `--wheel` names one.
"""

import argparse
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from protocol.games import GAMES, GameId
from protocol.vocabulary import BotLevel, Outcome
from server.solver import players
from tests.compiled import run_compiled
from tests.solver.visible_games import dealt, rules_of, visible

Z = 1.96
"""The standard normal quantile of an interval of 95 %."""
USUAL = ("spider-1", "spider-2", "spider-4")
HEAD = f"{'game':15} {'strength':9} {'deals':>6} {'won':>5} {'95 % interval':>16} {'a choice':>11}"


@dataclass(frozen=True, slots=True)
class Played:
    """What a computer player did in one deal."""

    won: bool
    acts: int
    seconds: float  # for all choices


def play(level: BotLevel, game_id: GameId, number: int) -> Played:
    """Play one deal to the end, or until the player gives up."""
    game = dealt(rules_of(game_id), number)
    player = players.player_of(level, game_id)
    seconds = 0.0
    while game.outcome is None:
        seen, legal = visible(game), game.legal_actions()
        began = time.process_time()
        action = player.choose(seen, legal)
        seconds += time.process_time() - began
        if action is None:
            break
        game.apply(action)
    return Played(game.outcome is Outcome.WON, game.at, seconds)


def interval(won: int, deals: int) -> tuple[float, float]:
    """Return Wilson's interval of a share, from 0 to 1."""
    share, spread = won / deals, Z * Z / deals
    middle = (share + spread / 2) / (1 + spread)
    half = Z * math.sqrt(share * (1 - share) / deals + spread / deals / 4) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def row(game: str, level: str, played: Sequence[Played]) -> str:
    """Return the line of the table for one strength."""
    won = sum(each.won for each in played)
    low, high = interval(won, len(played))
    a_choice = sum(each.seconds for each in played) / sum(each.acts for each in played)
    return (
        f"{game:15} {level:9} {len(played):6} {won / len(played):5.0%} "
        f"{low:6.1%} to {high:5.1%} {a_choice * 1_000:8.2f} ms"
    )


def measure(given: argparse.Namespace) -> None:
    """Print a line for each game and strength."""
    compiled = not str(players.__file__).endswith(".py")
    print("compiled" if compiled else "pure", flush=True)
    print(HEAD, flush=True)
    numbers = range(given.first, given.first + given.deals)
    for game in given.games:
        for level in given.levels:
            print(row(game, level, [play(level, game, number) for number in numbers]), flush=True)


def main() -> None:
    """Print the table, of the code here or of the compiled wheel."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.bench_bots", description=__doc__)
    options.add_argument("games", nargs="*", metavar="GAME", help=", ".join(GAMES))
    options.add_argument("--levels", nargs="+", choices=get_args(BotLevel))
    options.add_argument("--first", type=int, default=0, help="the first deal")
    options.add_argument("--deals", type=int, default=20)
    options.add_argument("--compiled", action="store_true")
    options.add_argument("--wheel", type=Path)
    given = options.parse_args()
    given.games = given.games or list(USUAL)
    given.levels = given.levels or list(get_args(BotLevel))
    if unknown := set(given.games) - set(GAMES):
        options.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(GAMES)}")
    if given.compiled:
        run_compiled("tests.bench.bench_bots", given.wheel)
    else:
        measure(given)


if __name__ == "__main__":
    main()
