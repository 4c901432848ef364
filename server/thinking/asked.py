"""What rooms ask for: labels of numbered deals, and reviews of finished rounds.

1. Each is done once, by one process at a time. The store has a guard for it, a key with an expiry,
   which the process that does the work renews. If that process dies, the next question begins the
   work anew elsewhere.
2. Of the rooms of one address, and of all rooms together, few have work that waits here. A further
   one is refused, and may ask again.
3. A deal is searched when a room that is about to play it asks. Once the room asks for another
   one, the search of the earlier one is stopped. A label is kept even if nothing is found, so that
   nobody searches again for a while.
4. A round is reviewed when somebody opens its results, its games one after the other, people's
   first. A review is kept as soon as it is made, and the first one stays: equal games have equal
   reviews. So after the death of a process, the next question goes on with what is missing.
5. A round has a budget. The games for which none is left are not reviewed.
6. Who asks gets StoreAway if the store does not answer.
"""

import asyncio
import contextlib
import secrets
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Final

import structlog

from protocol.vocabulary import DealLabel
from server.games.actions import Action
from server.games.deals import new_game, numbered_deck
from server.games.errors import GameError
from server.games.game import Game
from server.rooms.deals import LABELS, LabelledDeal, deal_game, unpack_line
from server.rooms.record import Room, Round
from server.solver.beam import ShouldStop
from server.solver.reviews import BUDGETS, Budgets, Reviewed, review
from server.solver.solve import Verdict, solve
from server.store import DealLabels, Guards, Logs, Reviews, StoreAway
from server.thinking.pool import GivenUp, Pool, Urgency
from server.views.replays import SeatReview, games_to_review, seat_review

MOST_WAITING: Final = 200  # works of a kind that wait here, of all rooms together
GUARDED_S: Final = 30  # the seconds for which a guard holds that is not renewed
RENEW_S: Final = 10.0

log = structlog.get_logger()


class AskedWork:
    """The works of one kind in this process, each in a task of its own."""

    def __init__(self, guards: Guards, tasks: asyncio.TaskGroup, of_address: int) -> None:
        """Let `of_address` works of the rooms of one address wait."""
        self._guards, self._tasks, self._of_address = guards, tasks, of_address
        self._works: dict[str, tuple[asyncio.Task[None], Collection[str]]] = {}
        """The works under way, with the hashed networks of the room's owner."""
        self._name = secrets.token_hex(8)

    async def begin(
        self,
        name: str,
        networks: Mapping[str, int],
        do: Callable[[], Awaitable[None]],
        may_begin: Callable[[], bool] = lambda: True,
    ) -> bool:
        """Begin a work, unless a process does it already; return whether one does now.

        It counts for these networks, which have shares of the limit. `may_begin` charges it.
        """
        if name in self._works:
            return True
        if not self._has_place(networks):
            return False
        if not await self._guards.claim(name, self._name, GUARDED_S):
            return True
        if not (self._has_place(networks) and may_begin()):
            await self._guards.release(name, self._name)
            return False
        task = self._tasks.create_task(self._do(name, do), name=name)
        self._works[name] = task, tuple(networks)
        task.add_done_callback(lambda _: self._works.pop(name))
        return True

    def drop(self, name: str) -> None:
        """Stop a work, if it is under way here."""
        if name in self._works:
            self._works[name][0].cancel()

    def _has_place(self, networks: Mapping[str, int]) -> bool:
        """Return whether a work of these networks may wait, by their limits and that of all."""
        most, works = self._of_address, self._works.values()
        waiting = Counter(each for _, counted in works for each in counted)
        has_place = all(waiting[each] < most * share for each, share in networks.items())
        return has_place and len(works) < MOST_WAITING

    async def _do(self, name: str, do: Callable[[], Awaitable[None]]) -> None:
        """Do a work with its guard; errors are logged."""
        renewing = asyncio.create_task(self._renew(name))
        try:
            await do()
        except StoreAway:
            pass  # the next question begins it anew
        except Exception as error:  # noqa: BLE001  # what it says may quote a record
            log.warning("a room's work has failed", work=name, why=type(error).__name__)
        finally:
            renewing.cancel()
            with contextlib.suppress(StoreAway):  # it expires
                await self._guards.release(name, self._name)

    async def _renew(self, name: str) -> None:
        """Renew a guard again and again; stop the work if another process has it."""
        while True:
            await asyncio.sleep(RENEW_S)
            with contextlib.suppress(StoreAway):  # the next renewal may succeed
                if not await self._guards.renew(name, self._name, GUARDED_S):
                    self.drop(name)
                    return


BUDGET: Final = 2_000_000  # positions that are judged before a deal stays unknown
LABELS_OF_ADDRESS: Final = 4  # deals of the rooms of one address that wait for labels at a time
MOST_ROOMS: Final = 10_000  # rooms whose latest questions are known


class Labeller:
    """The searches of one process."""

    def __init__(
        self, pool: Pool, labels: DealLabels, guards: Guards, tasks: asyncio.TaskGroup
    ) -> None:
        self._pool, self._labels = pool, labels
        self._works = AskedWork(guards, tasks, LABELS_OF_ADDRESS)
        self._asked: OrderedDict[str, str] = OrderedDict()  # the latest deal asked for, by room

    async def ask(
        self,
        deal: LabelledDeal,
        room: str,
        networks: Mapping[str, int],
        may_search: Callable[[], bool] = lambda: True,
    ) -> bool:
        """Search a deal that has no label for a room, once; return whether it is searched.

        It counts for the `networks` of the room, with their shares. `may_search` charges a search.
        """
        before = self._asked.pop(room, "")
        self._asked[room] = deal.key
        if len(self._asked) > MOST_ROOMS:
            self._asked.popitem(last=False)
        if before != deal.key and before not in self._asked.values():
            self._works.drop(f"label {before}")
        return await self._works.begin(
            f"label {deal.key}", networks, lambda: self._label(deal), may_search
        )

    async def _label(self, deal: LabelledDeal) -> None:
        """Search a deal and keep its label, unless that is done."""
        if await self._labels.read(deal.key) is not None:
            return
        try:
            label = await self._pool.search(find_label, deal, BUDGET, urgency=Urgency.LABEL)
        except GivenUp:
            label = "unknown"
        await self._labels.keep(deal.key, label)


def find_label(deal: LabelledDeal, budget: int, should_stop: ShouldStop) -> DealLabel:
    """Return the label of a deal; it runs in the process of the pool."""
    try:
        deck = numbered_deck(deal.rules.game, deal.number)
        verdict = solve(new_game(deal.rules, deck), budget=budget, should_stop=should_stop)
    except (GameError, MemoryError):
        return "unknown"
    return LABELS[verdict.kind]


LONGEST_LINE: Final = 1_000  # acts of a line that is kept; a longer one counts as unknown
REVIEWS_OF_ADDRESS: Final = 8  # rounds of the rooms of one address that wait at a time
MOST_JUDGED: Final = 30_000_000  # positions of a round, before no further game is begun


class Reviewer:
    """The reviews of one process."""

    def __init__(
        self, pool: Pool, reviews: Reviews, logs: Logs, guards: Guards, tasks: asyncio.TaskGroup
    ) -> None:
        self._pool, self._reviews, self._logs = pool, reviews, logs
        self._works = AskedWork(guards, tasks, REVIEWS_OF_ADDRESS)

    async def ask(self, room: Room, played: Round) -> None:
        """Review a round that is over, unless a process does that already or many rounds wait."""
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
        texts = known.texts.values()
        judged = sum(SeatReview.model_validate_json(text).children for text in texts)
        missing = [seat for seat in games_to_review(played) if seat not in known.texts]
        await self._reviews.begin(code, played.n, played.t0)
        for seat in missing:
            if judged >= MOST_JUDGED:
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
        needed = ("n", "game", "settings", "deal", "t0", "t_end")  # it may be of many players
        dealt = Round(**{each: getattr(played, each) for each in needed})
        try:
            given = dealt, acts, BUDGETS
            reviewed = await self._pool.search(review_game, *given, urgency=Urgency.REVIEW)
        except GivenUp:
            log.error("a review is given up", room=code, round=played.n, seat=seat)  # noqa: TRY400
            return None
        times = [entry.ms for entry in entries]
        return seat_review(reviewed, times, played.late_ms.get(seat, 0))


def review_game(
    dealt: Round, acts: Sequence[int], budgets: Budgets, should_stop: ShouldStop
) -> Reviewed:
    """Return the review of a game from its acts; it runs in the process of the pool."""

    def judge(game: Game, budget: int) -> Verdict:
        try:
            verdict = solve(game, budget=budget, should_stop=should_stop)
        except MemoryError:
            return Verdict("unknown", (), budget)
        is_kept = len(verdict.line) <= LONGEST_LINE
        return verdict if is_kept else Verdict("unknown", (), verdict.children)

    known = unpack_line(dealt.deal.line)
    return review(
        deal_game(dealt), [Action(each) for each in acts], judge, known=known, budgets=budgets
    )
