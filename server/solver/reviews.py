"""The review of a finished game: how long it could still be won, and when it was lost.

1. Only the final line counts: the acts that were not undone. A mistake that a player undoes does
   not count.
2. If a position of the line can be won, so can every earlier one; if it is lost, so is every later
   one. So the search halves the line.
3. It first looks at the positions after a deal or a card that turned up, and at the last one, with
   ever larger budgets. Then it looks at the single acts after the last known win.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, NamedTuple

from server.games.actions import DEAL, FINISH, REDO, UNDO, Action
from server.games.game import Game
from server.solver.solve import Verdict, as_played


@dataclass(frozen=True, slots=True)
class Budgets:
    """How many positions a review may judge."""

    passes: tuple[int, ...] = (60_000, 400_000, 2_000_000)  # in each search, by pass
    most: int = 5_000_000  # in all passes together
    acts: int = 400_000  # in each search for a single act


BUDGETS: Final = Budgets()

Solve = Callable[[Game, int], Verdict]  # the verdict on a position within a budget


class FinalLine(NamedTuple):
    """The acts of a game that were not undone. Positions are counted in these acts."""

    acts: tuple[Action, ...]
    made_at: tuple[int, ...]  # the number of log entries before each act, and before the end
    turning: tuple[int, ...]  # the first and last position, and those after a turned card or deal


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The result of a review."""

    known_at: int | None  # log entries up to the last position with a known win, if any
    is_known_to_the_end: bool  # whether the player stopped in that position
    line: tuple[Action, ...]  # the acts that win from there
    lost_at: int | None  # log entries up to the first position that is proved lost, if any
    judged: int  # the number of judged positions


def final_line(deal: Game, log: Iterable[Action]) -> FinalLine:
    """Return a log's acts that were not undone; raise IllegalAction if it is of another deal."""
    game = deal.copy()
    made: list[tuple[int, Action, bool]] = []  # the index, the act, whether it shows cards
    taken_back: list[Action] = []
    end = 0
    for at, entry in enumerate(log):
        effects = game.replay(entry)
        if entry == FINISH:
            break
        end = at + 1
        if entry == UNDO:
            taken_back.append(made.pop()[1])
            continue
        if entry != REDO:
            taken_back = [entry]
        act = taken_back.pop()
        made.append((at, act, act == DEAL or bool(effects.turned)))
    turning = {0, len(made), *(n for n, (_, _, turns) in enumerate(made, 1) if turns)}
    acts, made_at = [act for _, act, _ in made], [at for at, _, _ in made]
    return FinalLine(tuple(acts), (*made_at, end), tuple(sorted(turning)))


def review(
    deal: Game,
    log: Sequence[Action],
    solve: Solve,
    *,
    known: Sequence[Action] = (),
    budgets: Budgets = BUDGETS,
) -> Reviewed:
    """Review a game that was not won, or raise IllegalAction. Equal arguments give equal reviews.

    `deal` is the game before its first act, and `known` are acts that win it, if a win is known.
    """
    search = _Review(deal, log, solve)
    if known and (line := as_played(deal, known, removes=False)) is not None:
        search.keep(0, line)
    return search.run(budgets)


class _Review:
    """A review in progress. Positions are counted in acts of the final line."""

    def __init__(self, deal: Game, log: Sequence[Action], solve: Solve) -> None:
        self._deal, self._log, self._solve = deal, log, solve
        self._final = final_line(deal, log)
        self._won = -1  # the latest position with a known win
        self._lost = len(self._final.acts) + 1  # the earliest position that is proved lost
        self._line: tuple[Action, ...] = ()
        self._judged = 0  # the number of positions judged by all searches so far

    def run(self, budgets: Budgets) -> Reviewed:
        for budget in budgets.passes:
            self._bisect(self._final.turning, budget, budgets.most)
        # Look at each act between the last known win and the first of these positions without one.
        not_won = (at for at in (*self._final.turning, self._lost) if at > self._won)
        self._bisect(range(self._won + 1, next(not_won)), budgets.acts)
        made_at, acts = self._final.made_at, len(self._final.acts)
        lost_at = made_at[self._lost - 1] + 1 if self._lost else 0  # after the act that lost
        return Reviewed(
            known_at=None if self._won < 0 else made_at[self._won],
            is_known_to_the_end=self._won == acts,
            line=self._line,
            lost_at=None if self._lost > acts else lost_at,
            judged=self._judged,
        )

    def keep(self, at: int, line: tuple[Action, ...]) -> None:
        """Note that `line` wins from position `at`, and so from the later ones that follow it."""
        pairs = zip(line, self._final.acts[at:], strict=False)
        same = len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])
        self._won, self._line = at + same, line[same:]

    def _bisect(self, positions: Sequence[int], budget: int, most: int | None = None) -> None:
        """Bisect `positions` for a later win and an earlier loss; stop after `most` positions."""
        end = self._lost
        while between := [at for at in positions if self._won < at < end]:
            if most is not None and self._judged >= most:
                return
            at = between[len(between) // 2]
            game = self._deal.copy()
            for entry in self._log[: self._final.made_at[at]]:
                game.replay(entry)
            verdict = self._solve(game, budget)
            self._judged += verdict.judged
            if verdict.kind == "won":
                self.keep(at, verdict.line)
                continue
            end = at
            if verdict.kind == "unwinnable":
                self._lost = at
