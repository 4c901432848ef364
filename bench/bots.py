"""How many games computer players win, how long these take, and how much CPU time.

`python -m bench.bots` plays in virtual time, at the usual pace and without a time limit. A game
ends won, stuck (no move left), dead (proven as for a person), or stopped.

Test deal k has the seed k, as sixteen bytes big-endian. All strengths play the same deals, with
the rules of a new room. The interval is Wilson's, for 95 %. `--compiled` uses the compiled wheel.
"""

import argparse
import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, median
from typing import get_args

from protocol.games import GAMES, GameId
from protocol.vocabulary import BotLevel, Outcome
from server.games.game import Game
from server.solver import players
from server.solver.endings import DeadEndSearch
from server.thinking.fair_play import Pace
from tests.compiled import run_compiled
from tests.solver.visible_games import dealt, rules_of, visible

Z = 1.96
"""The standard normal quantile of an interval of 95 %."""
USUAL = ("spider-1", "spider-2", "spider-4")
ENDS = ("won", "stuck", "dead", "stopped")
HEAD = (
    f"{'game':15} {'strength':9} {'deals':>6} {'won':>5} {'95 % interval':>16} {'a choice':>11} "
    f"{'points':>7} {'minutes':>14} {'middle':>7}  {' '.join(ENDS)}"
)


@dataclass(frozen=True, slots=True)
class Played:
    """The result of one deal."""

    end: str  # one of ENDS
    score: int
    acts: int
    cpu_s: float  # for all choices
    paced_s: float  # to the end of the game, in virtual time


def play(level: BotLevel, game_id: GameId, number: int) -> Played:
    """Play one deal to the end, or until the player stops."""
    game = dealt(rules_of(game_id), number)
    player = players.player_of(level, game_id)
    pace = Pace(level, "usual", str(number))
    cpu_s = paced_s = 0.0
    while game.outcome is None:
        seen, legal = visible(game), game.legal_actions()
        began = time.process_time()
        action = player.choose(seen, legal)
        cpu_s += time.process_time() - began
        paced_s += pace.next_s(seen, legal, action)
        if action is None:
            break
        game.apply(action)
    return Played(end_of(game), game.score, game.at, cpu_s, paced_s)


def end_of(game: Game) -> str:
    """Return how the game ended. A game that the player stopped may be dead."""
    if game.outcome is not None:
        return "won" if game.outcome is Outcome.WON else "stuck"
    search = DeadEndSearch(game)
    for _ in search.steps():
        pass
    return "dead" if search.is_dead else "stopped"


def interval(won: int, deals: int) -> tuple[float, float]:
    """Return Wilson's interval for the share of won deals."""
    share, spread = won / deals, Z * Z / deals
    center = (share + spread / 2) / (1 + spread)
    half = Z * math.sqrt(share * (1 - share) / deals + spread / deals / 4) / (1 + spread)
    return max(0.0, center - half), min(1.0, center + half)


def row(game: str, level: str, played: Sequence[Played]) -> str:
    """Return the line of the table for one strength."""
    ends = Counter(each.end for each in played)
    low, high = interval(ends["won"], len(played))
    minutes = sorted(each.paced_s / 60 for each in played)
    choice_ms = 1_000 * sum(each.cpu_s for each in played) / sum(each.acts for each in played)
    return (
        f"{game:15} {level:9} {len(played):6} {ends['won'] / len(played):5.0%} "
        f"{low:6.1%} to {high:5.1%} {choice_ms:8.2f} ms "
        f"{mean(each.score for each in played):7.1f} "
        f"{minutes[0]:5.1f} to {minutes[-1]:5.1f} {median(minutes):7.1f}  "
        f"{'  '.join(f'{ends[end]:3}' for end in ENDS)}"
    )


def measure(given: argparse.Namespace) -> None:
    """Print a line for each game and strength."""
    compiled = not str(players.__file__).endswith(".py")
    print("compiled" if compiled else "pure", flush=True)
    print(HEAD, flush=True)
    numbers = range(given.deals)
    for game in given.games:
        for level in given.levels:
            print(row(game, level, [play(level, game, number) for number in numbers]), flush=True)


def main() -> None:
    """Print the table, for these sources or for the compiled wheel."""
    options = argparse.ArgumentParser(prog="python -m bench.bots", description=__doc__)
    options.add_argument("games", nargs="*", metavar="GAME", help=", ".join(GAMES))
    options.add_argument("--levels", nargs="+", choices=get_args(BotLevel))
    options.add_argument("--deals", type=int, default=20)
    options.add_argument("--compiled", action="store_true")
    given = options.parse_args()
    given.games = given.games or list(USUAL)
    given.levels = given.levels or list(get_args(BotLevel))
    if unknown := set(given.games) - set(GAMES):
        options.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(GAMES)}")
    if given.compiled:
        run_compiled("bench.bots")
    else:
        measure(given)


if __name__ == "__main__":
    main()
