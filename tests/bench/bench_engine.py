"""CPU time and memory of the rules: `python -m tests.bench.bench_engine`.

Prints microseconds for an applied action with the legal list after it, bytes for a game with
a log of 300, and milliseconds for a replay of 500 actions. The budget: 4 µs for Spider at a
median position, 8 KiB, 1.5 ms.
"""

import gc
import random
import statistics
import time
import tracemalloc
from collections.abc import Sequence
from dataclasses import dataclass

from protocol.games import GAMES
from server.games.actions import UNDO, Action, ActionKind, kind
from server.games.catalogue import new_game, replay
from server.games.deals import secret_deck
from server.games.game import Game
from server.games.rules import Rules

DEALS = 20
ACTS = 300
REPLAYED = 500
GAMES_KEPT = 100
HUNDRED = range(100)


def seeded(number: int) -> bytes:
    """Return the seed of a deal."""
    return number.to_bytes(16, "big")


def choose(game: Game, chance: random.Random) -> Action | None:
    """Return mostly a move, sometimes an undo, and a deal if there is no move."""
    legal = game.legal_actions()
    moves = [action for action in legal if kind(action) in {ActionKind.MOVE, ActionKind.REMOVE}]
    if UNDO in legal and (not moves or chance.random() < 0.08):
        return (
            UNDO if chance.random() < 0.5 or ActionKind.DEAL not in map(kind, legal) else legal[-2]
        )
    if moves and chance.random() < 0.97:
        return chance.choice(moves)
    return next(
        (action for action in legal if kind(action) in {ActionKind.DEAL, ActionKind.MOVE}), None
    )


def walk(rules: Rules, number: int, acts: int) -> Game:
    """Return a game with up to so many acts in its log."""
    chance = random.Random(number)
    game = new_game(rules, secret_deck(rules.game, seeded(number)))
    while game.at < acts and (action := choose(game, chance)) is not None:
        game.apply(action)
    return game


def per_act(rules: Rules) -> list[float]:
    """Return the seconds of each applied act with the legal list after it."""
    times = []
    for number in range(DEALS):
        log = walk(rules, number, ACTS).log
        game = new_game(rules, secret_deck(rules.game, seeded(number)))
        game.legal_actions()
        for action in log:
            begin = time.perf_counter()
            game.apply(action)
            game.legal_actions()
            times.append(time.perf_counter() - begin)
    return times


def memory(rules: Rules) -> float:
    """Return the bytes of a game with a log of about 300, its legal list included."""
    deck = secret_deck(rules.game, seeded(1))
    log = walk(rules, 1, ACTS).log
    gc.collect()
    tracemalloc.start()
    kept = [replay(rules, deck, log) for _ in range(GAMES_KEPT)]
    for game in kept:
        game.legal_actions()
    gc.collect()  # the interpreter keeps some freed tuples for the next ones
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / len(kept)


def replay_time(rules: Rules) -> tuple[int, float]:
    """Return the length of a log and the seconds to replay it, the best of ten."""
    deck = secret_deck(rules.game, seeded(2))
    log = walk(rules, 2, REPLAYED).log
    times = []
    for _ in range(10):
        begin = time.perf_counter()
        replay(rules, deck, log)
        times.append(time.perf_counter() - begin)
    return len(log), min(times)


def yardstick() -> float:
    """Return the seconds of a loop over a hundred numbers, the median of a thousand.

    It says how fast this machine and this Python are.
    """
    times = []
    for _ in range(1_000):
        begin = time.perf_counter()
        for _number in HUNDRED:
            pass
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


@dataclass(frozen=True, slots=True)
class Cost:
    """What one game costs."""

    game: str
    acts_us: Sequence[float]
    game_bytes: float
    replayed: int
    replay_ms: float

    @property
    def median_us(self) -> float:
        return statistics.median(self.acts_us)

    def __str__(self) -> str:
        p99 = statistics.quantiles(self.acts_us, n=100)[-1]
        return (
            f"{self.game:14} {self.median_us:6.1f} µs {statistics.mean(self.acts_us):6.1f} µs "
            f"{p99:6.1f} µs {self.game_bytes:8.0f} B  {self.replay_ms:6.1f} ms for {self.replayed}"
        )


def measure(game: str) -> Cost:
    """Measure one game."""
    rules = Rules(game, undo="any", score=GAMES[game].scores[0])
    acts_us = [1e6 * seconds for seconds in per_act(rules)]
    replayed, seconds = replay_time(rules)
    return Cost(game, acts_us, memory(rules), replayed, 1e3 * seconds)


def main() -> None:
    """Print a line for each game."""
    print(f"{'game':14} {'median':>9} {'mean':>9} {'p99':>9} {'a game':>10} {'replay':>20}")
    for game in GAMES:
        print(measure(game), flush=True)


if __name__ == "__main__":
    main()
