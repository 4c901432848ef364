"""Reviews of finished rounds: how long each game could still be won.

1. A round is reviewed when somebody opens its results, one game after the other, people's first.
2. Each game's review is stored as soon as it is made, and never replaced: equal games have equal
   reviews. If the process dies, the next request continues with the missing games.
3. A round has a budget. Games beyond it are not reviewed.
"""

import asyncio
from collections.abc import Sequence
from typing import Final

import structlog

from server.games.actions import Action
from server.games.game import Game
from server.rooms.deals import deal_game, unpack_line
from server.rooms.record import Room, Round
from server.solver.beam import ShouldStop
from server.solver.reviews import BUDGETS, Budgets, Reviewed, review
from server.solver.solve import Verdict, solve
from server.store import Guards, Logs, Reviews
from server.thinking.guarded_jobs import GuardedJobs
from server.thinking.pool import GivenUp, Pool, Urgency
from server.views.replays import SeatReview, seat_review, seats_to_review

MAX_LINE: Final = 1_000  # acts in a line to store; a win by a longer line counts as unknown
REVIEWS_PER_ADDRESS: Final = 8  # how many rounds the rooms of one address may wait for at a time
MAX_JUDGED: Final = 30_000_000  # after this many positions no further game of a round is reviewed

log = structlog.get_logger()


class Reviewer:
    """Review the finished rounds of rooms in one process."""

    def __init__(
        self, pool: Pool, reviews: Reviews, logs: Logs, guards: Guards, tasks: asyncio.TaskGroup
    ) -> None:
        self._pool, self._reviews, self._logs = pool, reviews, logs
        self._jobs = GuardedJobs(guards, tasks, REVIEWS_PER_ADDRESS)

    async def request(self, room: Room, played: Round) -> None:
        """Review a finished round, unless some process does so already or too many rounds wait."""
        assert played.ended is not None, "a running round is not reviewed"
        job = f"review {room.code} {played.n} {played.t0}"
        await self._jobs.start(job, room.networks, lambda: self._review(room.code, played))

    async def _review(self, code: str, played: Round) -> None:
        """Review the games of a round that have no review yet."""
        known = await self._reviews.read(code, played.n, played.t0)
        if known.is_done:
            return
        reviews = map(SeatReview.model_validate_json, known.texts.values())
        # `children` is the number of positions that the solver has judged for a game.
        judged = sum(each.children for each in reviews)
        missing = [seat for seat in seats_to_review(played) if seat not in known.texts]
        await self._reviews.begin(code, played.n, played.t0)
        for seat in missing:
            if judged >= MAX_JUDGED or not (made := await self._review_game(code, played, seat)):
                break
            text = made.model_dump_json()
            await self._reviews.keep(code, played.n, played.t0, seat, text)
            judged += max(1, made.children)  # no game is free, even if its win was known
        await self._reviews.finish(code, played.n, played.t0)

    async def _review_game(self, code: str, played: Round, seat: int) -> SeatReview | None:
        """Review the game of a seat; return None if the pool has given it up."""
        entries = await self._logs.read(code, played.n, seat)
        acts = [Action(entry.action) for entry in entries]
        # A round may have many players. Send the pool's process only the fields that it needs.
        needed = ("n", "game", "settings", "deal", "t0", "t_end")
        dealt = Round(**{each: getattr(played, each) for each in needed})
        try:
            args = dealt, acts, BUDGETS
            reviewed = await self._pool.search(review_game, *args, urgency=Urgency.REVIEW)
        except GivenUp:
            log.error("a review is given up", room=code, round=played.n, seat=seat)  # noqa: TRY400
            return None
        return seat_review(reviewed, [entry.ms for entry in entries], played.late_ms.get(seat, 0))


def review_game(
    dealt: Round, acts: Sequence[Action], budgets: Budgets, should_stop: ShouldStop
) -> Reviewed:
    """Review a game of the round `dealt`, given its log; runs in the pool's process."""

    def judge(game: Game, budget: int) -> Verdict:
        """Solve a position within a budget. A line too long to store counts as unknown."""
        try:
            verdict = solve(game, budget=budget, should_stop=should_stop)
        except MemoryError:
            return Verdict("unknown", (), budget)
        can_be_stored = len(verdict.line) <= MAX_LINE
        return verdict if can_be_stored else Verdict("unknown", (), verdict.judged)

    known_win = unpack_line(dealt.deal.line)
    return review(deal_game(dealt), acts, judge, known_win=known_win, budgets=budgets)
