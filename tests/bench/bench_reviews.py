"""Reviews of games that computer players have lost: `python -m tests.bench.bench_reviews`.

Test deal k has the seed k, as in `bench_bots`. `--thorough` compares each review with a search of
all its positions from the end on, with the largest budget: `later` are the games in which that
finds a later win. `--compiled` runs the same in the compiled wheel, which it builds unless
`--wheel` names one.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Final

from protocol.games import GAMES, GameId
from protocol.vocabulary import BotLevel, Outcome
from server.games.actions import Action
from server.games.game import Game
from server.solver import beam, players
from server.solver.reviews import BUDGETS, Reviewed, final_line, review
from server.solver.solve import solve_from
from server.solver.verdicts import Verdict
from tests.compiled import prepare
from tests.solver.visible_games import dealt, rules_of, visible

USUAL: Final[tuple[tuple[GameId, BotLevel], ...]] = (
    ("spider-1", "beginner"),
    ("spider-2", "club"),
    ("spider-4", "club"),
    ("spiderette-2", "club"),
)
HEAD = (
    f"{'game':13} {'lost':>5} {'win known':>10} {'to the end':>10} {'then proved':>11} "
    f"{'positions':>10} {'mean':>7} {'worst':>7} {'later':>6}"
)


@dataclass(frozen=True, slots=True)
class Measured:
    """The review of one game."""

    found: Reviewed
    seconds: float
    has_later: bool | None  # whether a thorough search knows a later win; None without one


def lost_game(game_id: GameId, level: BotLevel, number: int) -> tuple[Game, list[Action]] | None:
    """Return a deal and the log of a computer player that lost it; None if it has won."""
    deal = dealt(rules_of(game_id), number)
    game = deal.copy()
    player = players.player_of(level, game_id)
    while game.outcome is None:
        action = player.choose(visible(game), game.legal_actions())
        if action is None:
            break
        game.apply(action)
    return None if game.outcome is Outcome.WON else (deal, list(game.log))


def solve(game: Game, budget: int) -> Verdict:
    """Search as the thinking process does."""
    return solve_from(game, budget=budget)


def last_win(deal: Game, log: Sequence[Action]) -> int:
    """Return the entries up to the last position with a win that the largest budget finds."""
    final = final_line(deal, log)
    for at in reversed(final.turning):
        game = deal.copy()
        for action in log[: final.made_at[at]]:
            game.replay(action)
        if solve(game, max(BUDGETS.passes)).kind == "won":
            return final.made_at[at]
    return -1


def measure(deal: Game, log: Sequence[Action], *, thorough: bool) -> Measured:
    """Review one game."""
    began = time.process_time()
    found = review(deal, log, solve)
    seconds = time.process_time() - began
    known_at = -1 if found.known_at is None else found.known_at
    return Measured(found, seconds, last_win(deal, log) > known_at if thorough else None)


def row(game: str, measured: Sequence[Measured]) -> str:
    """Return the line of the table for one game."""
    found = [each.found for each in measured]
    seconds = [each.seconds for each in measured]
    later = [each.has_later for each in measured if each.has_later is not None]
    return (
        f"{game:13} {len(found):5} {sum(each.known_at is not None for each in found):10} "
        f"{sum(each.is_known_to_the_end for each in found):10} "
        f"{sum(each.lost_at is not None for each in found):11} "
        f"{mean(each.children for each in found):10,.0f} "
        f"{mean(seconds):5.1f} s {max(seconds):5.1f} s "
        f"{sum(later) if later else '':>6}"
    )


def show(given: argparse.Namespace) -> None:
    """Print a line for each game."""
    compiled = not str(beam.__file__).endswith(".py")
    print("compiled" if compiled else "pure", flush=True)
    print(HEAD, flush=True)
    for game, level in USUAL:
        if game not in given.games:
            continue
        numbers = range(given.first, given.first + given.deals)
        games = [lost for number in numbers if (lost := lost_game(game, level, number))]
        if games:
            made = [measure(deal, log, thorough=given.thorough) for deal, log in games]
            print(row(game, made), flush=True)


def main() -> None:
    """Print the table, of the code here or of the compiled wheel."""
    options = argparse.ArgumentParser(
        prog="python -m tests.bench.bench_reviews", description=__doc__
    )
    known = [game for game, _ in USUAL]
    options.add_argument("games", nargs="*", metavar="GAME", help=", ".join(known))
    options.add_argument("--first", type=int, default=1_000, help="the first deal")
    options.add_argument("--deals", type=int, default=20)
    options.add_argument("--thorough", action="store_true")
    options.add_argument("--compiled", action="store_true")
    options.add_argument("--wheel", type=Path)
    given = options.parse_args()
    given.games = given.games or known
    if unknown := set(given.games) - set(GAMES):
        options.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    if not given.compiled:
        show(given)
        return
    with TemporaryDirectory() as made:
        python, folder = prepare(Path(made), given.wheel)
        words = [word for word in sys.argv[1:] if word != "--compiled"]
        subprocess.run([python, "-m", "tests.bench.bench_reviews", *words], cwd=folder, check=True)


if __name__ == "__main__":
    main()
