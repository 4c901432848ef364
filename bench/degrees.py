"""The limits of the degrees: a third of the won deals is easy, a third medium, and a third hard.

`python -m bench.degrees [KIND ...] [--deals 1000]` prints the rows of `DEGREE_LIMITS` in
`server/solver/deal_kinds.py`, and the distribution behind them. `--compiled` uses the compiled
wheel, which takes an hour for all kinds of deals.
"""

import argparse
from collections.abc import Iterator

from protocol.vocabulary import SEED_BYTES
from server.games.deals import new_game, secret_deck
from server.solver.deal_kinds import DEAL_KINDS
from server.solver.solve import solve
from server.thinking.deals import BUDGET
from tests.compiled import run_compiled


def judged_in_wins(kind: str, deals: int) -> Iterator[int]:
    """Yield how many positions the search judges for each won deal."""
    rules = DEAL_KINDS[kind]
    for number in range(deals):
        deck = secret_deck(rules.game, number.to_bytes(SEED_BYTES, "big"))
        verdict = solve(new_game(rules, deck), budget=BUDGET)
        if verdict.kind == "won":
            yield verdict.judged


def main() -> None:
    """Print the limits, for these sources or for the compiled wheel."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("kinds", nargs="*", default=[*DEAL_KINDS], metavar="KIND")
    options.add_argument("--deals", type=int, default=1000)
    options.add_argument("--compiled", action="store_true")
    given = options.parse_args()
    if given.compiled:
        run_compiled("bench.degrees")
        return
    for kind in given.kinds:
        won = sorted(judged_in_wins(kind, given.deals))
        easy, medium, tenth = won[len(won) // 3 - 1], won[2 * len(won) // 3 - 1], len(won) // 10
        spread = f"{won[0]:,} to {won[-1]:,}, eight tenths {won[tenth]:,} to {won[-tenth - 1]:,}"
        print(f'"{kind}": ({easy:_}, {medium:_}),  # {len(won)} won: {spread}', flush=True)


if __name__ == "__main__":
    main()
