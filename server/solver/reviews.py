"""The review of a finished game: how long it could still be won, and when it was lost.

1. Only the *final line* counts: the acts that were not undone. So a mistake that the player undid
   does not count.
2. If a position of the line can be won, so can all earlier ones. If it is lost, so are all later
   ones. So the review bisects the line.
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

    passes: tuple[int, ...] = (60_000, 400_000, 2_000_000)  # in each search of each pass
    all_passes: int = 5_000_000  # after this many no further search of a pass starts
    acts: int = 400_000  # in each search for a single act


BUDGETS: Final = Budgets()

Solve = Callable[[Game, int], Verdict]  # the verdict on a position, within a budget


class FinalLine(NamedTuple):
    """The acts of a game that were not undone. Position n is the one after n of these acts."""

    acts: tuple[Action, ...]
    made_at: tuple[int, ...]  # the number of log entries before each act, and before the end
    turning_points: tuple[int, ...]
    """The first and the last position, and those after a deal or a card that turned up."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The result of a review."""

    known_at: int | None  # log entries up to the last position with a known win, if any
    is_known_to_the_end: bool  # whether the player stopped in that position
    line: tuple[Action, ...]  # the acts that win from there
    lost_at: int | None  # log entries up to the first position that is proved lost, if any
    judged: int  # how many positions the searches have judged


def final_line(deal: Game, log: Iterable[Action]) -> FinalLine:
    """Return the acts that were not undone; raise IllegalAction if the log is of another deal."""
    game = deal.copy()
    made: list[tuple[int, Action, bool]] = []  # index in the log, act, whether it shows cards
    undone: list[Action] = []  # the acts that REDO would make, the next one last
    length = 0  # of the log, without FINISH
    for at, entry in enumerate(log):
        effects = game.replay(entry)
        if entry == FINISH:
            break
        length = at + 1
        if entry == UNDO:
            undone.append(made.pop()[1])
            continue
        if entry == REDO:
            act = undone.pop()
        else:
            act, undone = entry, []  # after a new act nothing can be redone
        made.append((at, act, act == DEAL or bool(effects.turned)))
    after_showing = [n for n, (_, _, shows) in enumerate(made, 1) if shows]
    turning_points = sorted({0, *after_showing, len(made)})
    acts, made_at = [act for _, act, _ in made], [at for at, _, _ in made]
    return FinalLine(tuple(acts), (*made_at, length), tuple(turning_points))


def review(
    deal: Game,
    log: Sequence[Action],
    solve: Solve,
    *,
    known_win: Sequence[Action] = (),
    budgets: Budgets = BUDGETS,
) -> Reviewed:
    """Review a game that was not won, or raise IllegalAction. Equal arguments give equal reviews.

    `deal` is the game before its first act. `known_win` are acts that win it, if any are known.
    """
    search = _Review(deal, log, solve)
    # The known win already has its removals of suits, so none are to be added.
    if known_win and (line := as_played(deal, known_win, removes=False)) is not None:
        search.note_win(0, line)
    return search.run(budgets)


class _Review:
    """A review in progress. Positions are numbered as in `FinalLine`."""

    def __init__(self, deal: Game, log: Sequence[Action], solve: Solve) -> None:
        self._deal, self._log, self._solve = deal, log, solve
        self._final_line = final_line(deal, log)
        self._last_won = -1  # the last position with a known win, so far
        self._win: tuple[Action, ...] = ()  # the acts that win from there
        self._first_lost = len(self._final_line.acts) + 1  # the first position proved lost, so far
        self._judged = 0  # how many positions all searches have judged

    def run(self, budgets: Budgets) -> Reviewed:
        """Search the turning points, with more effort in each pass, then single acts."""
        made_at, turning_points = self._final_line.made_at, self._final_line.turning_points
        for budget in budgets.passes:
            self._bisect(turning_points, budget, budgets.all_passes)
        # Then look at the single acts between the last known win and the next turning point.
        after_win = [at for at in (*turning_points, self._first_lost) if at > self._last_won]
        self._bisect(range(self._last_won + 1, after_win[0]), budgets.acts)
        end, lost = len(self._final_line.acts), self._first_lost
        lost_at = made_at[lost - 1] + 1 if lost else 0  # after the act that lost
        # The result has numbers of log entries, which `made_at` has for each position.
        return Reviewed(
            known_at=None if self._last_won < 0 else made_at[self._last_won],
            is_known_to_the_end=self._last_won == end,
            line=self._win,
            lost_at=None if lost > end else lost_at,
            judged=self._judged,
        )

    def note_win(self, at: int, line: tuple[Action, ...]) -> None:
        """Note that `line` wins from position `at`, and for as long as the player followed it."""
        pairs = zip(line, self._final_line.acts[at:], strict=False)
        same = len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])
        self._last_won, self._win = at + same, line[same:]

    def _bisect(self, positions: Sequence[int], budget: int, limit: int | None = None) -> None:
        """Bisect `positions` for the last won and first lost; stop once `limit` are judged."""
        end = self._first_lost
        while between := [at for at in positions if self._last_won < at < end]:
            if limit is not None and self._judged >= limit:
                return
            at = between[len(between) // 2]
            game = self._deal.copy()
            for entry in self._log[: self._final_line.made_at[at]]:
                game.replay(entry)
            verdict = self._solve(game, budget)
            self._judged += verdict.judged
            if verdict.kind == "won":
                self.note_win(at, verdict.line)
            else:
                end = at  # even if this one stays unknown, look for a win before it
                if verdict.kind == "unwinnable":
                    self._first_lost = at
