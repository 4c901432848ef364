"""Today's race at run time: deals by day, players' claims to games, results, and boards.

1. Any process may choose the deals of the next days. The store keeps the first text of each deal,
   so all processes have the same ones.
2. The change that ends a game of today's race also writes the result into the room's outbox. Any
   process may report it to the board, at once or in a later sweep. It is reported again after
   `CONFIRMED_MS` and then removed; the store counts an entry only once. A player's claim names
   the room of the game. So if a failover loses the room's deadline, it can be restored.
3. If a day cannot be read, only its games are hidden. The deal of a game names the form (the
   stored format) of everything stored about the game.
"""

import asyncio
import contextlib
import re
import secrets
import struct
import zlib
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple, Protocol

import structlog
from pydantic import ValidationError

from protocol.vocabulary import DAY_GAMES, DAYS_KEPT, DayGameId, ErrorCode
from server.games.actions import TimedAction
from server.live.hub import LiveTimings
from server.live.repository import Repository, unconfirmed_on_failure
from server.live.unreadable import raising_unreadable
from server.rooms import days
from server.rooms.days import Board, DayDeal, DayResult, DayState, Placed, Spread
from server.rooms.deals import SALT_BYTES, WinnableDeal, pack_line
from server.rooms.events import Refusal, Reported
from server.rooms.lobby import start_with_cards
from server.rooms.record import (
    DealRecord,
    Outgoing,
    Room,
    Round,
    StoredSettings,
    VersionedRoom,
    stored_settings,
)
from server.store import ClaimStep, DayCounts, StoreAway, Unreadable

DAY_MS = 24 * 3600 * 1_000
CHOSEN_AHEAD = 3  # deals are chosen this many days ahead
PUBLISHED_AHEAD = 1  # a day's commitments are shown this many days ahead
ROWS = 50  # of a board that are sent unless a client asks for another number
MOST_ROWS = 1_000  # the most rows that are sent at a time
AROUND = 5  # rows that are shown above and below the player's row
ASK_AGAIN_MS = 60_000  # requests start a search for missing deals at most this often
MOST_GAMES = 8  # the most games of a board that are shown together
MOST_SPREADS = 3 * DAYS_KEPT  # spreads that a process remembers
SUITS_HOME = re.compile(r'"suits":(\d+)')  # in a stored result, where a name's quotes are escaped

log = structlog.get_logger()


class TakeDeal(Protocol):
    """Takes a deal for a day's game from those that this process finds."""

    def __call__(self, game: DayGameId, /, *, is_awaited: bool) -> Awaitable[WinnableDeal | None]:
        """Return a deal that can be won; if somebody is waiting, search for it before others."""


PlayDeal = Callable[[str, DayGameId, DayDeal, int], Awaitable[None]]
"""(day, game, deal, expires_ms): have computer players play a deal, unless they have done so."""


def day_of(ms: int) -> str:
    """Return the date of a time in milliseconds since the epoch."""
    return datetime.fromtimestamp(ms // 1_000, UTC).date().isoformat()


def days_from(day: str, days: int) -> str:
    """Return the date that is `days` days after `day`."""
    return (date.fromisoformat(day) + timedelta(days)).isoformat()


def start_ms_of(day: str) -> int:
    """Return when a day starts (ms since the epoch); raise ValueError if there is no such day."""
    return int(datetime.fromisoformat(f"{day}T00:00+00:00").timestamp()) * 1_000


def end_ms_of(day: str) -> int:
    """Return when a day ends (ms since the epoch)."""
    return start_ms_of(day) + DAY_MS


def _expires_ms(day: str) -> int:
    """Return when the keys of a day expire: a day after it is last shown (ms since the epoch)."""
    return start_ms_of(day) + (DAYS_KEPT + 2) * DAY_MS


def is_day(text: str) -> bool:
    """Return whether a text that `DAY_PATTERN` matches is a date: 30 February is not."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_kept(day: str, now_ms: int) -> bool:
    """Return whether a day is past, but not so long ago that its deals are deleted."""
    return is_day(day) and days_from(day_of(now_ms), -DAYS_KEPT) <= day < day_of(now_ms)


class NamedDeal(NamedTuple):
    """The deal named by the `cards` of a `create` message, and the settings to play it with."""

    settings: StoredSettings
    deal: DealRecord
    cards: str  # the name of the cards, as `create` gives it
    secret: bool = False  # whether the room must never reveal the deal
    key: str = ""  # only in today's race: what to claim the game with, if it is not claimed yet
    player: str = ""  # only in today's race: the pseudonym of the player who claims the game
    nameless: bool = False  # whether the player has given no name

    def start(self, key: str, room: Room, now_ms: int) -> Room:
        """Start the game in a new room. `key` comes from its claim; empty outside today's race."""
        of_round = {"cards": self.cards, "key": key, "secret": self.secret}
        nameless = self.nameless and key != ""  # without a key it is not today's race
        return start_with_cards(room, now_ms, self.deal, nameless=nameless, **of_round)


@dataclass(frozen=True, slots=True)
class GamesOfDay:
    """Some games of a board, shown as one finished round."""

    room: Room  # made up for these games
    played: Round
    read: Callable[[int], Awaitable[Sequence[TimedAction]]]  # (seat): read its log


class DayRaces:
    """Today's race and past days, for one process; methods may raise StoreAway and Unreadable."""

    def __init__(
        self,
        repository: Repository,
        take_deal: TakeDeal | None,
        spawn: Callable[[Coroutine[Any, Any, object], str], object] | None = None,
        play: PlayDeal | None = None,
    ) -> None:
        """Choose deals with `take_deal`, run tasks with `spawn`, have deals played with `play`."""
        self._spawn, self._play = spawn, play
        self._repository, self._take_deal = repository, take_deal
        self._store, self._now_ms = repository.store.days, repository.store.clock.now_ms
        self._choosing: defaultdict[tuple[str, bool], asyncio.Lock] = defaultdict(asyncio.Lock)
        """Held while a game's deal is chosen. The boolean says whether a player is waiting for it.
        Such searches have locks of their own, so no search for a later day delays them."""
        self._ask_again_at_ms = 0  # until then no request starts a search for missing deals
        self._past: tuple[str, list[str]] = ("", [])  # a date, and the earlier days with deals
        self._spreads: dict[tuple[str, DayGameId], tuple[DayCounts, Spread]] = {}
        """The latest spread of each board, with the counts behind it."""
        self._damaged: set[tuple[str, DayGameId, str]] = set()
        """The unreadable games of computer players that this process has logged."""

    # Deals.

    async def keep(self, timings: LiveTimings) -> None:
        """Keep choosing the deals of the next days and looking for lost results."""
        if self._play is None:
            log.info("no computer players play today's race", why="this server computes nothing")
        await asyncio.sleep(timings.first_days_s)
        while True:
            today = day_of(self._now_ms())
            for ahead in range(-1, CHOSEN_AHEAD + 1):
                day = days_from(today, ahead)
                try:
                    if ahead <= 0:  # games of yesterday may go on after midnight
                        await self._correct_deadlines(day)
                    if ahead >= 0:
                        await self._prepare(day)
                except (StoreAway, Unreadable) as error:
                    log.info("put off", task="looking after a day", day=day, why=str(error))
                except Exception:
                    log.exception("a day is not looked after", day=day)
            await asyncio.sleep(timings.days_s)

    async def _prepare(self, day: str) -> None:
        """Choose the missing deals of a day, and have computer players play all its deals."""
        for game, deal in (await self.deals(day, DAY_GAMES)).items():
            if self._play is not None:
                await self._play(day, game, deal, _expires_ms(day))

    async def deals(
        self, day: str, choose: Sequence[DayGameId] = (), *, is_awaited: bool = False
    ) -> dict[DayGameId, DayDeal]:
        """Return a day's deals by game; first choose missing ones for the games in `choose`.

        If a player awaits them (`is_awaited`), they are searched for before other deals.
        """
        found = await self._store.deals(day, DAY_GAMES)
        for game in choose:
            if game not in found and self._take_deal is not None:
                found |= await self._choose(day, game, self._take_deal, is_awaited=is_awaited)
        parsed = {game: _parsed_deal(day, found[game]) for game in DAY_GAMES if game in found}
        return {game: deal for game, deal in parsed.items() if deal is not None}

    async def _choose(
        self, day: str, game: DayGameId, take_deal: TakeDeal, *, is_awaited: bool
    ) -> dict[str, str]:
        """Choose and store a game's deal unless it has one; return {game: its text}, or {}.

        The first caller takes a deal. Callers that come meanwhile wait and get the same deal.
        """
        # Two locks: a search that nobody awaits may take long, and players must not wait for it.
        lock = self._choosing[game, is_awaited]
        is_first = not lock.locked()
        async with lock:
            found = await self._store.deals(day, (game,))
            if found or not is_first:
                return found
            if (deal := await take_deal(game, is_awaited=is_awaited)) is None:
                return {}
            seed, salt = deal.seed.hex(), secrets.token_hex(SALT_BYTES)
            line, degree = pack_line(deal.line), deal.degree or ""
            text = DayDeal(seed=seed, salt=salt, line=line, degree=degree).model_dump_json()
            return {game: await self._store.choose(day, game, text, _expires_ms(day))}

    async def is_over(self, day: str, game: DayGameId) -> bool:
        """Return whether a day has ended and all its games are over."""
        late_ms = self._now_ms() - end_ms_of(day)
        if late_ms < 0:
            return False
        if late_ms > days.LIMIT_MS:  # no game of the day can still be running
            return True
        counts = await self._counts(day, game)
        return counts.begun <= counts.finished

    async def _counts(self, day: str, game: DayGameId) -> DayCounts:
        """Return how many players have started, finished and won a day's game."""
        return await self._store.counts(day, game, days.LAST_WON)

    # Games with named cards.

    async def named_deal(self, path: str, acts: int, token_hash: str, client: str) -> NamedDeal:
        """Return the deal for a client's new game with the cards of the game that `path` names.

        `path` is the `cards` of a `create`. The new game starts from the table of that game after
        its first `acts`. `token_hash` is the new seat's, and `client` identifies the browser or
        address. Raises a Refusal if there is no such deal, or this client may not know it yet.
        """
        cards = days.parse_cards_path(path)
        if cards.day:
            return await self._named_day_deal(path, cards, acts, token_hash, client)
        room = (await self._repository.read(cards.room_code)).room
        played = await self._repository.finished_round(room, cards.n)
        if played is None or cards.seat not in played.names:
            raise Refusal(ErrorCode.NO_SUCH_CARDS)
        if acts and played.deal.played:  # that game itself started after some acts of another one
            raise Refusal(ErrorCode.NO_SUCH_CARDS)
        log = await self._repository.read_log(cards.room_code, cards.n, cards.seat)
        with raising_unreadable():
            deal = days.deal_after(played, log, acts)
        return NamedDeal(stored_settings(days.settings_again(played)), deal, _add_acts(path, acts))

    async def _named_day_deal(
        self, path: str, cards: days.CardsPath, acts: int, token_hash: str, client: str
    ) -> NamedDeal:
        """Return the deal of a day's game, or of an entry on its board after its first `acts`.

        Everybody may play today's race, claiming it with a `key`. Deals of past days and entries
        on a board are only for clients who are already allowed to see the results.
        """
        day, game, now_ms = cards.day, cards.game, self._now_ms()
        today, player = day_of(now_ms), days.player_of(day, client)
        settings = stored_settings(days.settings_of_day(game))
        if day != today and not is_kept(day, now_ms):
            raise Refusal(ErrorCode.NO_SUCH_CARDS)
        is_race = day == today and not cards.entry
        deal = (await self.deals(day, (game,) if is_race else (), is_awaited=True)).get(game)
        if deal is None:
            may_be_found = is_race and self._take_deal is not None
            raise Refusal(ErrorCode.TRY_AGAIN if may_be_found else ErrorCode.NO_SUCH_CARDS)
        if is_race:
            key = days.key_of(token_hash)
            return NamedDeal(settings, deal.record, path, secret=True, key=key, player=player)
        is_over = await self.is_over(day, game)
        if not (is_over or await self._has_finished(day, game, player)):
            raise Refusal(ErrorCode.NO_SUCH_CARDS)
        record = deal.record
        if cards.entry:
            games = await self.games(day, game, [cards.entry], secret=not is_over)
            if games is None:
                raise Refusal(ErrorCode.NO_SUCH_CARDS)
            with raising_unreadable():
                record = days.deal_after(games.played, await games.read(0), acts)
        return NamedDeal(settings, record, _add_acts(path, acts), secret=not is_over)

    async def _has_finished(self, day: str, game: DayGameId, player: str) -> bool:
        """Return whether a player's own game of the day is on the board."""
        entry = days.parse_claim(await self._store.claim_of(day, game, player)).entry
        return entry != "" and await self._store.rank_of(day, game, entry) is not None

    async def opened(self, path: str, attempt_hash: str, client: str) -> VersionedRoom | None:
        """Return the room that an attempt has opened for the cards that `path` names, if any.

        In today's race, the claim of this `client` names the room. If the room exists, mark the
        claim as open.
        """
        cards, claim = days.parse_cards_path(path), days.Claim()
        player = days.player_of(cards.day, client)
        if cards.day and not cards.entry:
            claim = days.parse_claim(await self._store.claim_of(cards.day, cards.game, player))
        opened = await self._repository.opened_by(attempt_hash, claim.room_code)
        if opened is not None and claim.key and not claim.has_started:
            # The process that created the room may have died before it marked the claim.
            await self._advance_claim("open", cards, player, claim)
        return opened

    @contextlib.asynccontextmanager
    async def claimed(self, named: NamedDeal) -> AsyncIterator[days.Claim]:
        """Claim a game of today's race for a player while the block opens its room.

        All attempts of a player get the same claim, and so the same room. The room is created
        once, even if several attempts arrive together and processes stop. If no attempt can create
        it, the last one releases the claim, and a later attempt may claim the game again.

        Raises:
            Refusal: the player has started the game before, or the day is over.
        """
        if not named.key:  # only games of today's race are claimed
            yield days.Claim()
            return
        cards, player = days.parse_cards_path(named.cards), named.player
        code = await self._repository.quotas.code_for()
        new_claim = days.Claim(days.entry_name(named.key), code, named.key)
        # If the player has made a claim before, that one is returned.
        claim = days.parse_claim(await self._advance_claim("claim", cards, player, new_claim))
        try:
            await self._check_claim(cards, claim)
            yield claim
        except Refusal as refusal:
            # A game that was started stays claimed. Otherwise the player may try again.
            step: ClaimStep = "open" if refusal.code is ErrorCode.DAY_PLAYED else "release"
            with contextlib.suppress(StoreAway):
                await self._advance_claim(step, cards, player, claim)
            raise
        with unconfirmed_on_failure(claim.room_code):
            await self._advance_claim("open", cards, player, claim)

    async def _check_claim(self, cards: days.CardsPath, claim: days.Claim) -> None:
        """Refuse a claim if its game was started before or its day is over."""
        rank = await self._store.rank_of(cards.day, cards.game, claim.entry)
        if claim.has_started or rank is not None:
            raise Refusal(ErrorCode.DAY_PLAYED)
        if day_of(self._now_ms()) != cards.day:  # its cards may be known by now
            raise Refusal(ErrorCode.NO_SUCH_CARDS)

    async def _advance_claim(
        self, step: ClaimStep, cards: days.CardsPath, player: str, claim: days.Claim
    ) -> str:
        """Change the state of a player's claim, and return the claim that is now stored.

        Steps: "claim" the game, mark it as "open" once its room exists, or "release" it again.
        """
        day, game = cards.day, cards.game
        expires_ms = _expires_ms(day)
        return await self._store.advance_claim(day, game, player, step, str(claim), expires_ms)

    # Results.

    def deliver_soon(self, room: Room) -> None:
        """Deliver a room's results in a task; without `spawn`, leave them to the sweep."""
        if self._spawn is not None:
            self._spawn(self.deliver(room), "results of a day")

    async def deliver(self, room: Room, *, at_once: bool = False) -> None:
        """Report the results in a room's outbox to their boards, if they are due.

        A report that fails is tried again later. With `at_once`, all results are reported, and
        StoreAway is raised if the store does not answer.
        """
        now_ms, code = self._now_ms(), room.code
        for n, outgoing in room.outbox.items():
            if outgoing.due > now_ms and not at_once:
                continue
            played = next((known for known in room.rounds if known.n == n), None)
            becomes: Outgoing | None = outgoing.replace(due=now_ms + days.PUT_OFF_MS)
            try:
                # If the round has been dropped, there is nothing left to report.
                was_there = played is None or await self._report(code, played)
            except (StoreAway, Unreadable) as error:
                if at_once and isinstance(error, StoreAway):
                    raise
                log.warning("a result is not on its board yet", room=code, why=str(error))
            else:
                # Done only once a later report finds it there: a failover may lose the first one.
                confirmation = Outgoing(due=now_ms + days.CONFIRMED_MS, is_reported=True)
                becomes = None if was_there and outgoing.is_reported else confirmation
            await self._repository.apply(code, Reported(n, outgoing, becomes))

    async def _correct_deadlines(self, day: str) -> None:
        """Correct the deadlines of rooms without a result, in case a failover has lost them."""
        for game in DAY_GAMES:
            start: int | None = 0
            while start is not None:
                start, texts = await self._store.claims(day, game, start)
                claims = [days.parse_claim(text) for text in texts]
                results = await self._store.results(day, game, [each.entry for each in claims])
                for claim, result in zip(claims, results, strict=True):
                    if result is None and claim.room_code:
                        with contextlib.suppress(Unreadable):  # go on with the other rooms
                            await self._repository.store.lists.correct(claim.room_code)

    async def _report(self, code: str, played: Round) -> bool:
        """Put a round's result on its board, under the player's latest name.

        Returns True if it was there before, or if the board has expired.
        """
        day, game, entry, order, result = days.report_of(played)
        seat = next(iter(played.names))  # the only one: today's race is for one player
        expires_ms = _expires_ms(day)
        if expires_ms < self._now_ms():
            return True  # the board is gone, for example after a backup was restored
        log = days.pack_log(await self._repository.read_log(code, played.n, seat))
        if await self._store.report(day, game, entry, order, result, log, expires_ms):
            return False
        with contextlib.suppress(Unreadable):  # an unreadable entry is not shown anyway
            known = await self._result(day, game, entry)
            if known is not None and (new := known.renamed(played.names[seat])) != known:
                await self._replace(day, game, entry, new)
        return True

    # Boards and games to show.

    async def past(self) -> list[str]:
        """Return the past days that have deals, latest first."""
        today = day_of(self._now_ms())
        if self._past[0] != today:
            earlier = [days_from(today, -back) for back in range(1, DAYS_KEPT + 1)]
            # All deals of a day are chosen together, so checking the first game is enough.
            self._past = today, await self._store.chosen(earlier, DAY_GAMES[0])
        return self._past[1]

    async def states(self, day: str) -> list[DayState]:
        """Return the games of a day that have a deal, and how many players have started each.

        If deals are missing, as on a new server, start to choose them for the next request.
        """
        found = await self.deals(day)
        now_ms = self._now_ms()
        if len(found) < len(DAY_GAMES) and self._spawn and now_ms >= self._ask_again_at_ms:
            self._ask_again_at_ms = now_ms + ASK_AGAIN_MS
            self._spawn(self._prepare(day), "the deals of a day")
        return [
            DayState(game, deal, (await self._counts(day, game)).begun)
            for game, deal in found.items()
        ]

    async def board(
        self, day: str, game: DayGameId, key: str, first: int, size: int = ROWS
    ) -> Board | None:
        """Return what a client may see of the board of a day's game; None if it has no deal.

        `key` belongs to the client's own game, if any. The board has `size` rows from the rank
        `first` on, where 0 is the best.
        """
        if (deal := (await self.deals(day)).get(game)) is None:
            return None
        entry = days.entry_name(key) if key else ""
        # `is_over` comes first: if this client's entry ends the day, it has a rank by then.
        is_over = await self.is_over(day, game)
        rank = await self._store.rank_of(day, game, entry) if entry else None
        counts = await self._counts(day, game)
        if not is_over and rank is None:
            return Board(is_over, counts.begun)
        own, around = "", tuple[Placed, ...]()
        if rank is not None:
            own = entry
            around = await self._rows(day, game, max(0, rank - AROUND), 2 * AROUND + 1)
        rows = await self._rows(day, game, first, size)
        spread = await self._spread(day, game, counts)
        computers = await self._computers(day, game, deal)
        return Board(is_over, *counts, rows, around, own, spread, computers)

    async def computers(self, day: str, game: DayGameId) -> tuple[Placed, ...] | None:
        """Return the computer players' games, best first; None before the day or long after it."""
        now_ms = self._now_ms()
        if day != day_of(now_ms) and not is_kept(day, now_ms):
            return None
        deal = (await self.deals(day)).get(game)
        return () if deal is None else await self._computers(day, game, deal)

    async def _computers(self, day: str, game: DayGameId, deal: DayDeal) -> tuple[Placed, ...]:
        """Return the games of computer players, best first; log each unreadable one once."""
        texts = await self._store.results(day, game, list(days.COMPUTERS))
        rows: list[Placed] = []
        for (entry, level), text in zip(days.COMPUTERS.items(), texts, strict=True):
            result = None
            with contextlib.suppress(Unreadable):
                result = None if text is None else _parsed_result(text)
            if result is not None and result.level == level:
                rows.append(Placed(0, entry, result))
            elif text is not None and (day, game, entry) not in self._damaged:
                self._damaged.add((day, game, entry))
                log.warning("a computer player's game cannot be read", day=day, game=game)
        return tuple(sorted(rows, key=lambda row: days.order_of(game, deal, row.result)))

    async def _spread(self, day: str, game: DayGameId, counts: DayCounts) -> Spread:
        """Return how a board's results are distributed; compute it again after each new result."""
        known = self._spreads.get((day, game))
        if known is not None and known[0].finished == counts.finished:
            return known[1]
        won_before = await self._store.counts_below(day, game, days.HALF_MINUTES)
        suits = list[int]()  # how many are complete in each game that was not won
        first = won_before[-1]  # the rank after the wins, which a board lists first
        while rows := await self._store.rows(day, game, first, MOST_ROWS):
            texts = await self._store.results(day, game, [row.entry for row in rows])
            suits += (_suits_in(text) for text in texts if text is not None)
            first += len(rows)
        if len(self._spreads) >= MOST_SPREADS:
            self._spreads.clear()
        spread = days.spread_of(won_before, suits)
        self._spreads[day, game] = counts, spread
        return spread

    async def may_see(self, day: str, game: DayGameId, key: str) -> bool:
        """Return whether a client may see a day's games; `key` is its own game's key, or empty."""
        if await self.is_over(day, game):
            return True
        return key != "" and await self._store.rank_of(day, game, days.entry_name(key)) is not None

    async def _rows(self, day: str, game: DayGameId, first: int, size: int) -> tuple[Placed, ...]:
        """Return up to `size` rows of a board from rank `first` on (0: the best), if readable."""
        rows = await self._store.rows(day, game, first, size)
        texts = await self._store.results(day, game, [row.entry for row in rows])
        placed: list[Placed] = []
        for row, text in zip(rows, texts, strict=True):
            with contextlib.suppress(Unreadable):  # the other entries are shown
                if text is not None:
                    placed.append(Placed(*row, _parsed_result(text)))
        return tuple(placed)

    async def games(
        self, day: str, game: DayGameId, entries: list[str], *, secret: bool
    ) -> GamesOfDay | None:
        """Return these entries of a board as one finished round, or None if one is missing.

        `secret`: whether the day is not over, so that the round must not show its deal.
        """
        deal = (await self.deals(day)).get(game)
        texts = await self._store.results(day, game, entries)
        results = [_parsed_result(text) for text in texts if text is not None]
        are_found = len(results) == len(texts) == len(set(entries)) > 0  # and none is named twice
        if deal is None or not are_found:
            return None

        async def read(seat: int) -> Sequence[TimedAction]:
            """Return a seat's log; the seats of the round are the indices of `entries`."""
            (packed,) = await self._store.logs(day, game, [entries[seat]])
            try:
                return days.unpack_log(packed or b"")
            except (zlib.error, struct.error):
                raise Unreadable("the log of an entry") from None

        played = days.round_of_day(game, deal, results, start_ms_of(day), secret=secret)
        # Finished rounds are shown with their room, so make one up.
        code, of_room = f"{day}/{game}", {"host": None, "seats": (), "numbers_given": 0}
        return GamesOfDay(Room(code=code, settings=played.settings, **of_room), played, read)

    async def hide(self, day: str, game: DayGameId, entry: str) -> bool:
        """Hide the name of an entry on its board; return False if there is no such entry."""
        result = await self._result(day, game, entry)
        if result is not None and result.name:
            await self._replace(day, game, entry, result.replace(name="", hidden_name=result.name))
        return result is not None

    async def show(self, day: str, game: DayGameId, entry: str) -> str | None:
        """Show the name of an entry on its board again, and return the name.

        Returns None if there is no such entry, or an earlier release has hidden its name without
        keeping it.
        """
        result = await self._result(day, game, entry)
        if result is not None and result.hidden_name:
            result = result.replace(name=result.hidden_name, hidden_name="")
            await self._replace(day, game, entry, result)
        return None if result is None else result.name or None

    async def _result(self, day: str, game: DayGameId, entry: str) -> DayResult | None:
        (text,) = await self._store.results(day, game, [entry])
        return None if text is None else _parsed_result(text)

    async def _replace(self, day: str, game: DayGameId, entry: str, result: DayResult) -> None:
        await self._store.replace_result(day, game, entry, result.model_dump_json())


def _add_acts(path: str, acts: int) -> str:
    """Add `+acts` to the path of a game's cards, if the new game starts after that many acts."""
    return f"{path}+{acts}" if acts else path


def _parsed_deal(day: str, text: str) -> DayDeal | None:
    """Return the deal in a text, or None if it is unreadable; the day then lacks this game."""
    try:
        deal = DayDeal.model_validate_json(text)
    except ValidationError:
        log.warning("the deal of a day cannot be read", day=day)
        return None
    if deal.form != days.FORM:
        why = f"a newer release has stored it, in form {deal.form}"
        log.warning("the deal of a day cannot be read", day=day, why=why)
        return None
    return deal


def _suits_in(text: str) -> int:
    """Return how many suits are complete in a stored result, without parsing all of it."""
    found = SUITS_HOME.search(text)
    return int(found[1]) if found else 0


def _parsed_result(text: str) -> DayResult:
    """Return the result in a text, or raise Unreadable."""
    try:
        return DayResult.model_validate_json(text)
    except ValidationError:
        raise Unreadable("the result of an entry") from None
