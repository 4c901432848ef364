"""What the rules engine costs: `python -m tests.bench.bench_engine`.

Prints microseconds for an applied action with the legal list after it, bytes for a game with
a log of 300, and milliseconds for a replay of 500 actions. The budget: 4 us for Spider at a
median position, 8 KiB, 1.5 ms.
"""

import gc
import random
import statistics
import time
import tracemalloc

from server.games.actions import UNDO, Action, ActionKind, kind
from server.games.catalogue import GAMES, new_game, replay
from server.games.deals import secret_deck
from server.games.game import Game
from server.games.options import Rules

DEALS = 20
ACTS = 300
REPLAYED = 500
GAMES_KEPT = 100


def seeded(number: int) -> bytes:
    """A seed for a deal of the benchmark."""
    return number.to_bytes(16, "big")


def choose(game: Game, chance: random.Random) -> Action | None:
    """Mostly a move, now and then an undo; a deal when nothing else is left."""
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
    """A game with up to so many acts in its log."""
    chance = random.Random(number)
    game = new_game(rules, secret_deck(rules.game, seeded(number)))
    while game.at < acts and (action := choose(game, chance)) is not None:
        game.apply(action)
    return game


def per_act(rules: Rules) -> list[float]:
    """Seconds for each applied act with the legal list after it."""
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
    """Bytes for a game with a log of about 300, its legal list included."""
    deck = secret_deck(rules.game, seeded(1))
    log = walk(rules, 1, ACTS).log
    gc.collect()
    tracemalloc.start()
    kept = [replay(rules, deck, log) for _ in range(GAMES_KEPT)]
    for game in kept:
        game.legal_actions()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / len(kept)


def replay_time(rules: Rules) -> tuple[int, float]:
    """The length of a log and the seconds to replay it, the best of ten."""
    deck = secret_deck(rules.game, seeded(2))
    log = walk(rules, 2, REPLAYED).log
    times = []
    for _ in range(10):
        begin = time.perf_counter()
        replay(rules, deck, log)
        times.append(time.perf_counter() - begin)
    return len(log), min(times)


def main() -> None:
    """Print a line for each game."""
    print(f"{'game':14} {'median':>9} {'mean':>9} {'p99':>9} {'a game':>12} {'replay':>20}")
    for game, a_kind in GAMES.items():
        rules = Rules(game, undo="any", score=a_kind.scores[0])
        times = per_act(rules)
        us = [1e6 * value for value in times]
        p99 = statistics.quantiles(us, n=100)[-1]
        acts, seconds = replay_time(rules)
        print(
            f"{game:14} {statistics.median(us):6.1f} us {statistics.mean(us):6.1f} us "
            f"{p99:6.1f} us {memory(rules):8.0f} B  {1e3 * seconds:6.1f} ms for {acts}"
        )


if __name__ == "__main__":
    main()
