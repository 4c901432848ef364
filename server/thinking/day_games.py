"""The games of computer players in today's race, played as soon as a deal is chosen.

1. Beginner, Club and Expert play each deal by the rules of the day, in virtual time. They see only
   a player's table, and take as long as a person would (`fair_play.py`).
2. A game depends only on its deal and level, and a stored game is never replaced. So if the
   process dies, any other process can play the missing games.
3. No player waits for these games. They have the lowest urgency and are played one at a time.
4. A process logs a game that fails and does not try it again. Its row is then missing.
"""

import asyncio
from collections.abc import Sequence

import structlog
from spider_race_client.table import Table

from protocol.vocabulary import BotLevel, DayGameId, SeatState
from server.games.actions import TimedAction
from server.games.deals import new_game, secret_deck
from server.games.scores import value_of_pair
from server.rooms import days
from server.rooms.days import COMPUTERS, LIMIT_MS, DayDeal, DayResult
from server.rooms.ranking import stats_of
from server.rooms.settings import rules_of
from server.solver.beam import ShouldStop
from server.solver.players import player_of
from server.store import Days, Guards
from server.thinking.fair_play import Pace, visible_table
from server.thinking.guarded_jobs import GuardedJobs
from server.thinking.pool import Pool, Urgency
from server.views.tables import table_view

log = structlog.get_logger()


class DayGames:
    """Play the computer players' games of the day's race in this process."""

    def __init__(self, pool: Pool, store: Days, guards: Guards, tasks: asyncio.TaskGroup) -> None:
        self._pool, self._store = pool, store
        self._jobs = GuardedJobs(guards, tasks, max_per_address=1)  # no address asks for these
        self._one_at_a_time = asyncio.Lock()  # leaves a slot for searches of the same urgency
        self._failed: set[tuple[str, DayGameId, BotLevel]] = set()  # games not to be tried again

    async def request(self, day: str, game: DayGameId, deal: DayDeal, expires_ms: int) -> None:
        """Start the computer players' missing games; the results expire at `expires_ms`."""
        known = await self._store.results(day, game, list(COMPUTERS))
        results = zip(COMPUTERS.values(), known, strict=True)
        missing = [level for level, result in results if result is None]
        missing = [level for level in missing if (day, game, level) not in self._failed]
        if missing:
            name = f"computers {day} {game}"
            # The games are for everybody, so they count towards the limits of no network: {}.
            await self._jobs.start(
                name, {}, lambda: self._play(day, game, deal, missing, expires_ms)
            )

    async def _play(
        self, day: str, game: DayGameId, deal: DayDeal, levels: Sequence[BotLevel], expires_ms: int
    ) -> None:
        """Play a deal at each of these levels, one after the other, and store the results."""
        for level in levels:
            args = level, game, deal.seed
            try:
                async with self._one_at_a_time:
                    result, acts = await self._pool.search(play_deal, *args, urgency=Urgency.DEAL)
            except Exception as error:  # noqa: BLE001  # its text may contain the deal
                self._failed.add((day, game, level))
                why = type(error).__name__
                log.warning("a computer player's game has failed", day=day, game=game, why=why)
                continue
            entry = days.computer_entry(level)
            # Without an order (None), it gets no place among the players.
            await self._store.report(day, game, entry, None, result, acts, expires_ms)


def play_deal(
    level: BotLevel, game_id: DayGameId, seed: str, should_stop: ShouldStop
) -> tuple[str, bytes]:
    """Play the deal of this `seed` (hex) at a level; return the result as JSON, and the log."""
    settings = days.settings_of_day(game_id)
    game = new_game(rules_of(settings), secret_deck(game_id, bytes.fromhex(seed)))
    player, pace = player_of(level, game_id), Pace(level, "usual", f"{seed} {level}")
    counts_pairs = value_of_pair(settings.score) > 0
    ms = gained_ms = 0
    acts: list[TimedAction] = []
    course = [(0, game.score, 0)]  # the time, score and suits home after each change
    while game.outcome is None and not should_stop():  # the result of a stopped game is not used
        table = Table.of(table_view(game, seat=0, last_id=0, elapsed_ms=0))
        seen = visible_table(table, relaxed=settings.relaxed_deal, counts_pairs=counts_pairs)
        legal = game.legal_actions()
        action = player.choose(seen, legal)
        ms += round(1_000 * pace.next_s(seen, legal, action))
        if action is None or ms >= LIMIT_MS:
            break
        if game.apply(action).has_gained:
            gained_ms = ms
        acts.append(TimedAction(action, ms))
        if course[-1][1:] != (now := (game.score, game.counts.suits)):
            course.append((ms, *now))
    is_late = ms >= LIMIT_MS
    result = DayResult(
        name=level,
        kind="program",
        state=SeatState.TIMED_OUT if is_late else SeatState.FINISHED,
        stats=stats_of(game).replace(gained_ms=gained_ms, finished_ms=None if is_late else ms),
        level=level,
        course=tuple(course),
    )
    return result.model_dump_json(), days.pack_log(acts)
