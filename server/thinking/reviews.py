"""The reviews of finished rounds: until when a win was known to each player.

1. A round is reviewed when somebody opens its results. Of a round the games come one after the
   other, people's first.
2. The review of a game is kept as soon as it is made, and the first one stays. Equal games have
   equal reviews. So after the death of a process, the next question goes on with what is missing.
3. A round has a budget. The games for which none is left are not reviewed.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import structlog

from server.games.actions import Action
from server.games.game import Game
from server.rooms.deals import deal_game, unpack_line
from server.rooms.record import Room, Round
from server.solver.beam import ShouldStop
from server.solver.reviews import BUDGETS, Budgets, Reviewed, review
from server.solver.solve import Verdict, solve_from
from server.store import Guards, Logs, Reviews
from server.thinking.asked_work import AskedWork
from server.thinking.pool import GivenUp, Pool, Urgency
from server.views.replays import SeatReview, games_to_review, seat_review

LONGEST_LINE: Final = 1_000
"""The acts of a line that is kept; a longer one counts as unknown."""
MOST_OF_ADDRESS: Final = 8
"""The rounds of the rooms of one address that wait for their reviews at a time."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Reviewing:
    """How far rounds are reviewed, in positions that are judged."""

    budgets: Budgets = BUDGETS
    """Those of a game."""
    most: int = 30_000_000
    """Those of a round before no further game is begun."""


REVIEWING: Final = Reviewing()


class Reviewer:
    """The reviews of one process."""

    def __init__(
        self,
        pool: Pool,
        reviews: Reviews,
        logs: Logs,
        guards: Guards,
        tasks: asyncio.TaskGroup,
        reviewing: Reviewing = REVIEWING,
    ) -> None:
        self._pool = pool
        self._reviews = reviews
        self._logs = logs
        self._works = AskedWork(guards, tasks, MOST_OF_ADDRESS)
        self._reviewing = reviewing

    async def ask(self, room: Room, played: Round) -> None:
        """Review a round that is over, unless a process does that already or many rounds wait.

        Raises:
            StoreAway: the store does not answer.
        """
        assert played.ended is not None, "a running round is not reviewed"
        await self._works.begin(
            f"review {room.code} {played.n} {played.t0}",
            room.networks,
            lambda: self._review(room.code, played),
        )

    async def _review(self, code: str, played: Round) -> None:
        """Review the games of a round that are missing."""
        known = await self._reviews.read(code, played.n, played.t0)
        if known.is_done:
            return
        judged = sum(
            SeatReview.model_validate_json(text).children for text in known.texts.values()
        )
        missing = [seat for seat in games_to_review(played) if seat not in known.texts]
        await self._reviews.begin(code, played.n, played.t0)
        for seat in missing:
            if judged >= self._reviewing.most:
                break
            made = await self._review_game(code, played, seat)
            if made is None:
                break
            text = made.model_dump_json()
            await self._reviews.keep(code, played.n, played.t0, seat, text)
            judged += max(1, made.children)
        await self._reviews.finish(code, played.n, played.t0)

    async def _review_game(self, code: str, played: Round, seat: int) -> SeatReview | None:
        """Return the review of a game; None if that is given up."""
        entries = await self._logs.read(code, played.n, seat)
        acts = [entry.action for entry in entries]
        dealt = Round(
            n=played.n,
            game=played.game,
            settings=played.settings,
            deal=played.deal,
            t0=played.t0,
            t_end=played.t_end,
        )
        try:
            reviewed = await self._pool.search(
                review_game, dealt, acts, self._reviewing.budgets, urgency=Urgency.REVIEW
            )
        except GivenUp:
            log.error("a review is given up", room=code, round=played.n, seat=seat)  # noqa: TRY400
            return None
        times = [entry.ms for entry in entries]
        return seat_review(reviewed, times, played.late_ms.get(seat, 0))


def review_game(
    dealt: Round, acts: Sequence[int], budgets: Budgets, should_stop: ShouldStop
) -> Reviewed:
    """Return the review of a game from its acts; it runs in the process of the pool."""

    def solve(game: Game, budget: int) -> Verdict:
        try:
            verdict = solve_from(game, budget=budget, should_stop=should_stop)
        except MemoryError:
            return Verdict("unknown", (), budget)
        is_kept = len(verdict.line) <= LONGEST_LINE
        return verdict if is_kept else Verdict("unknown", (), verdict.children)

    known = unpack_line(dealt.deal.line)
    return review(
        deal_game(dealt), [Action(each) for each in acts], solve, known=known, budgets=budgets
    )
