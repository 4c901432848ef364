"""The days at run time: their deals, games that deal cards again, results on their way, boards.

1. Whichever process comes first chooses the deals of the next days. The store keeps one text of
   each, so all processes have the same deals.
2. The result of a game of today's race is in the outbox of its room, written with the end of the
   game. Any process reports it: the sweep, or a request for the board. The store counts an entry
   once. It is reported once more after `CONFIRMED_MS`, and then struck off. The claims of a day
   name the rooms of its games, so a deadline that a failover has lost can be put right.
3. A day that cannot be read hides its games, and nothing else. A game's deal names the form of
   all that is stored of it.
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
from server.live.repository import Repository, answered
from server.live.unreadable import replaying
from server.rooms import days
from server.rooms.days import Board, Cards, DayDeal, DayResult, DayState, Placed, Spread
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
AHEAD = 3  # days for which a deal is chosen before they begin
PUBLISHED = 1  # days before the beginning of a day from which on its commitments are shown
ROWS = 50  # rows of a board that are sent where no other number is asked for
MOST_ROWS = 1_000  # that are sent at a time
AROUND = 5  # rows above and below the own one
ASK_AGAIN_MS = 60_000  # between two requests for the deals of a day that lacks some
MOST_BOARDS = 8  # games of a board that are shown together
MOST_SPREADS = 3 * DAYS_KEPT  # that a process remembers
SUITS_HOME = re.compile(r'"suits":(\d+)')  # in a stored result; a name in it has no bare quotes


@dataclass(frozen=True, slots=True)
class DayTimings:
    """When a process looks after the days, in seconds."""

    first_s: float = 20.0  # after its start: most of its processors are busy then
    interval_s: float = 60.0  # a result whose deadline was lost is at most this late


DAY_TIMINGS = DayTimings()

log = structlog.get_logger()


class TakeDeal(Protocol):
    """The deals of this process, which `server/thinking` finds."""

    def __call__(self, game: DayGameId, /, *, is_awaited: bool) -> Awaitable[WinnableDeal | None]:
        """Return a deal with a known win, before others are found if somebody waits for it."""


PlayDeal = Callable[[str, DayGameId, DayDeal, int], Awaitable[None]]
"""Lets computer players play a day's deal, unless they have; its keys expire at a time in ms."""


def day_of(ms: int) -> str:
    """Return the date of a time in milliseconds since the epoch."""
    return datetime.fromtimestamp(ms // 1_000, UTC).date().isoformat()


def days_from(day: str, days: int) -> str:
    """Return the date of the day so many days after another one."""
    return (date.fromisoformat(day) + timedelta(days)).isoformat()


def begin_of(day: str) -> int:
    """Return when a day begins, in milliseconds since the epoch.

    Raises:
        ValueError: there is no such day.
    """
    return int(datetime.fromisoformat(f"{day}T00:00+00:00").timestamp()) * 1_000


def end_of(day: str) -> int:
    """Return when a day ends, in milliseconds since the epoch."""
    return begin_of(day) + DAY_MS


def is_day(text: str) -> bool:
    """Return whether a text of `DAY_PATTERN` is the date of a day: February has fewer."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_kept(day: str, now: int) -> bool:
    """Return whether a day is one of the past ones whose cards can be played."""
    return is_day(day) and days_from(day_of(now), -DAYS_KEPT) <= day < day_of(now)


class Again(NamedTuple):
    """What a new room deals again, and by which rules."""

    settings: StoredSettings
    deal: DealRecord
    cards: str
    secret: bool = False
    key: str = ""  # of a game of today's race, unless its player has a claim with another one
    player: str = ""  # the name with the claim to it
    nameless: bool = False  # whether the player has given no name

    def begin(self, key: str, room: Room, now: int) -> Room:
        """Return a new room whose game has begun, with the key of its claim."""
        of_round = {"cards": self.cards, "key": key, "secret": self.secret}
        nameless = self.nameless and key != ""
        return start_with_cards(room, now, self.deal, nameless=nameless, **of_round)


@dataclass(frozen=True, slots=True)
class GamesOfDay:
    """Some games of a board as one finished round."""

    room: Room  # which has them alone
    played: Round
    read: Callable[[int], Awaitable[Sequence[TimedAction]]]  # the log of a seat


class DayRaces:
    """The days, for the sessions and the requests of one process.

    Methods may raise StoreAway, and Unreadable of a day that cannot be read.
    """

    def __init__(
        self,
        repository: Repository,
        take_deal: TakeDeal | None,
        spawn: Callable[[Coroutine[Any, Any, object], str], object] | None = None,
        play: PlayDeal | None = None,
    ) -> None:
        """Without `take_deal` this process chooses no deals; `spawn` runs work in a task."""
        self._spawn, self._play = spawn, play
        self._repository, self._take_deal = repository, take_deal
        self._store, self._now = repository.store.days, repository.store.clock.now_ms
        self._choosing: defaultdict[tuple[str, bool], asyncio.Lock] = defaultdict(asyncio.Lock)
        """Two for each game: a waiting player is not held up by a deal found ahead. Others who ask
        meanwhile wait for the same search, and for no second one."""
        self._ask_again_at = 0  # before it no deals are chosen on request (ms since the epoch)
        self._past: tuple[str, list[str]] = ("", [])  # the days with a deal before this one
        self._spreads: dict[tuple[str, DayGameId], tuple[DayCounts, Spread]] = {}
        """The latest spreads, each with the counts of its board when it was made."""
        self._damaged: set[tuple[str, DayGameId, str]] = set()
        """Unreadable games of computer players that this process has logged."""

    # Deals.

    async def keep(self, timings: DayTimings) -> None:
        """Choose the deals of the next days, and look for lost results, again and again."""
        if self._play is None:
            log.info("no computer players play today's race", why="this server computes nothing")
        await asyncio.sleep(timings.first_s)
        while True:
            today = day_of(self._now())
            for ahead in range(-1, AHEAD + 1):
                day = days_from(today, ahead)
                try:
                    if ahead <= 0:  # a game may still be on after midnight
                        await self._correct_deadlines(day)
                    if ahead >= 0:
                        await self._prepare(day)
                except (StoreAway, Unreadable) as error:
                    log.info("put off", task="looking after a day", day=day, why=str(error))
                except Exception:
                    log.exception("a day is not looked after", day=day)
            await asyncio.sleep(timings.interval_s)

    async def _prepare(self, day: str) -> None:
        """Choose the deals that a day lacks, and let computer players play them."""
        for game, deal in (await self.deals(day, DAY_GAMES)).items():
            if self._play is not None:
                await self._play(day, game, deal, self._until(day))

    async def deals(
        self, day: str, choose: Sequence[DayGameId] = (), *, is_awaited: bool = False
    ) -> dict[DayGameId, DayDeal]:
        """Return the deals of a day by game; choose the missing ones of `choose` now."""
        found = await self._store.deals(day, DAY_GAMES)
        for game in choose if self._take_deal is not None else ():
            if game not in found:
                choosing = self._choosing[game, is_awaited]
                is_first = not choosing.locked()
                async with choosing:
                    found |= await self._store.deals(day, (game,))
                    is_missing = is_first and game not in found
                    text = await self._choose(game, is_awaited=is_awaited) if is_missing else None
                    if text:
                        found[game] = await self._store.choose(day, game, text, self._until(day))
        parsed = {game: _parsed_deal(day, found[game]) for game in DAY_GAMES if game in found}
        return {game: deal for game, deal in parsed.items() if deal is not None}

    async def _choose(self, game: DayGameId, *, is_awaited: bool) -> str | None:
        assert self._take_deal is not None, "this process chooses deals"
        deal = await self._take_deal(game, is_awaited=is_awaited)
        if deal is None:
            return None
        chosen = DayDeal(
            seed=deal.seed.hex(),
            salt=secrets.token_hex(SALT_BYTES),
            line=pack_line(deal.line),
            degree=deal.degree or "",
        )
        return chosen.model_dump_json()

    @staticmethod
    def _until(day: str) -> int:
        """Return when the keys of a day expire (ms since the epoch)."""
        return begin_of(day) + (DAYS_KEPT + 2) * DAY_MS

    async def is_over(self, day: str, game: DayGameId) -> bool:
        """Return whether a day has ended, and no game of it can be on any more."""
        late_ms = self._now() - end_of(day)
        if late_ms < 0 or late_ms > days.LIMIT_MS:
            return late_ms > 0
        counts = await self._store.counts(day, game, days.LAST_WON)
        return counts.begun <= counts.finished

    # Games that deal cards again.

    async def again(self, text: str, acts: int, token_hash: str, origin: str) -> Again:
        """Return what the cards of a `create` are, for a client of this origin.

        Raises:
            Refusal: they are not there, or are a secret to this client.
        """
        cards = days.parse_cards(text)
        if cards.day:
            return await self._of_day(text, cards, acts, token_hash, origin)
        room = (await self._repository.read(cards.room_code)).room
        played = await self._repository.finished_round(room, cards.n)
        if played is None or cards.seat not in played.names or (acts and played.deal.played):
            raise Refusal(ErrorCode.NO_SUCH_CARDS)
        log = await self._repository.read_log(cards.room_code, cards.n, cards.seat)
        with replaying():
            deal = days.continued(played, log, acts)
        return Again(stored_settings(days.settings_again(played)), deal, _named(text, acts))

    async def _of_day(
        self, text: str, cards: Cards, acts: int, token_hash: str, origin: str
    ) -> Again:
        day, game, now = cards.day, cards.game, self._now()
        today, player = day_of(now), days.player_of(day, origin)
        settings = stored_settings(days.settings_of_day(game))
        if day != today and not is_kept(day, now):
            raise Refusal(ErrorCode.NO_SUCH_CARDS)
        is_race = day == today and not cards.entry
        deal = (await self.deals(day, (game,) if is_race else (), is_awaited=True)).get(game)
        if deal is None:
            is_sought = is_race and self._take_deal is not None
            raise Refusal(ErrorCode.TRY_AGAIN if is_sought else ErrorCode.NO_SUCH_CARDS)
        if is_race:
            key = days.key_of(token_hash)
            return Again(settings, deal.record, text, secret=True, key=key, player=player)
        is_over = await self.is_over(day, game)
        if not (is_over or await self._has_finished(day, game, player)):
            raise Refusal(ErrorCode.NO_SUCH_CARDS)
        given = deal.record
        if cards.entry:
            found = await self.games(day, game, [cards.entry], secret=not is_over)
            if found is None:
                raise Refusal(ErrorCode.NO_SUCH_CARDS)
            with replaying():
                given = days.continued(found.played, await found.read(0), acts)
        return Again(settings, given, _named(text, acts), secret=not is_over)

    async def _has_finished(self, day: str, game: DayGameId, player: str) -> bool:
        """Return whether a player has played a game of a day to its end."""
        entry = days.parse_claim(await self._store.claim_of(day, game, player)).entry
        return entry != "" and await self._store.rank_of(day, game, entry) is not None

    async def opened(self, text: str, attempt: str, origin: str) -> VersionedRoom | None:
        """Return the room that an attempt with this hash has opened for the cards of a `create`.

        A game of today's race is in the room that its player has claimed.
        """
        cards, claim = days.parse_cards(text), days.Claim()
        player = days.player_of(cards.day, origin)
        if cards.day and not cards.entry:
            claim = days.parse_claim(await self._store.claim_of(cards.day, cards.game, player))
        opened = await self._repository.opened_by(attempt, claim.room_code)
        if opened is not None and claim.key and not claim.is_open:
            await self._settle("open", cards, player, claim)
        return opened

    @contextlib.asynccontextmanager
    async def claimed(self, again: Again) -> AsyncIterator[days.Claim]:
        """Claim the game of today's race for its player, for the block that opens its room.

        All attempts of a player have the same claim, and so the same room. It is created once,
        even if attempts come at once and processes stop. If none of them can create it, the last
        one releases the claim, and a later attempt gets it again.

        Raises:
            Refusal: the player has begun the game, or the day is over.
        """
        if not again.key:
            yield days.Claim()
            return
        cards, player = days.parse_cards(again.cards), again.player
        code = await self._repository.draw_code()
        claim = days.Claim(days.entry_name(again.key), code, again.key)
        claim = days.parse_claim(await self._settle("claim", cards, player, claim))
        try:
            await self._check_claim(cards, claim)
            yield claim
        except Refusal as refusal:
            step: ClaimStep = "open" if refusal.code is ErrorCode.DAY_PLAYED else "release"
            with contextlib.suppress(StoreAway):
                await self._settle(step, cards, player, claim)
            raise
        with answered(claim.room_code):
            await self._settle("open", cards, player, claim)

    async def _check_claim(self, cards: Cards, claim: days.Claim) -> None:
        rank = await self._store.rank_of(cards.day, cards.game, claim.entry)
        if claim.is_open or rank is not None:
            raise Refusal(ErrorCode.DAY_PLAYED)
        if day_of(self._now()) != cards.day:  # it may have been revealed before the claim
            raise Refusal(ErrorCode.NO_SUCH_CARDS)

    async def _settle(self, step: ClaimStep, cards: Cards, player: str, claim: days.Claim) -> str:
        day, game = cards.day, cards.game
        return await self._store.claim(day, game, player, step, str(claim), self._until(day))

    # Results.

    def deliver_soon(self, room: Room) -> None:
        """Deliver in a task: see `Repository.on_outbox`. Without `spawn` the sweep delivers."""
        if self._spawn is not None:
            self._spawn(self.deliver(room), "results of a day")

    async def deliver(self, room: Room, *, at_once: bool = False) -> None:
        """Report the results in a room's outbox that are due, and put off those that fail.

        With `at_once` all are reported now, and a StoreAway is raised.
        """
        now, code = self._now(), room.code
        for n, each in room.outbox.items():
            if each.due > now and not at_once:
                continue
            played = next((known for known in room.rounds if known.n == n), None)
            becomes: Outgoing | None = each.replace(due=now + days.PUT_OFF_MS)
            try:
                was_there = played is None or await self._report(code, played)
            except (StoreAway, Unreadable) as error:
                if at_once and isinstance(error, StoreAway):
                    raise
                log.warning("a result is not on its board yet", room=code, why=str(error))
            else:
                again = Outgoing(due=now + days.CONFIRMED_MS, is_reported=True)
                becomes = None if was_there and each.is_reported else again
            await self._repository.apply(code, Reported(n, each, becomes))

    async def _correct_deadlines(self, day: str) -> None:
        """Correct the deadlines of the rooms whose games are not on the boards of a day."""
        for game in DAY_GAMES:
            start: int | None = 0
            while start is not None:
                start, texts = await self._store.claims(day, game, start)
                claims = [days.parse_claim(text) for text in texts]
                results = await self._store.results(day, game, [each.entry for each in claims])
                for claim, result in zip(claims, results, strict=True):
                    if result is None and claim.room_code:
                        with contextlib.suppress(Unreadable):  # of this room
                            await self._repository.store.lists.correct(claim.room_code)

    async def _report(self, code: str, played: Round) -> bool:
        """Report the result of a round; return whether it was there already.

        The player may have signed the game since then: a result that is there gets the new name.
        """
        report, seat = days.report_of(played), next(iter(played.names))
        if self._until(report.day) < self._now():
            return True  # as after a backup is put back: the board is gone
        acts = await self._repository.read_log(code, played.n, seat)
        day, game, entry, order, result = report
        packed, until = days.pack_log(acts), self._until(day)
        if await self._store.report(day, game, entry, order, result, packed, until):
            return False
        with contextlib.suppress(Unreadable):  # it stays hidden
            known = await self._result(day, game, entry)
            if known is not None and (new := known.renamed(played.names[seat])) != known:
                await self._replace(day, game, entry, new)
        return True

    # What is shown.

    async def past(self) -> list[str]:
        """Return the past days whose cards can be played, the latest first."""
        today = day_of(self._now())
        if self._past[0] != today:
            earlier = [days_from(today, -back) for back in range(1, DAYS_KEPT + 1)]
            self._past = today, await self._store.chosen(earlier, DAY_GAMES[0])
        return self._past[1]

    async def states(self, day: str) -> list[DayState]:
        """Return the games of a day that have a deal, and how many have begun each.

        If today has none, as on a new server, they are chosen now for the next request.
        """
        found = await self.deals(day)
        now = self._now()
        if len(found) < len(DAY_GAMES) and self._spawn and now >= self._ask_again_at:
            self._ask_again_at = now + ASK_AGAIN_MS
            self._spawn(self._prepare(day), "the deals of a day")
        return [
            DayState(game, deal, (await self._store.counts(day, game, days.LAST_WON)).begun)
            for game, deal in found.items()
        ]

    async def board(
        self, day: str, game: DayGameId, key: str, first: int, size: int = ROWS
    ) -> Board | None:
        """Return the board of a game of a day for a client with this `key`; None without a deal.

        What the client may not see yet is left out. The rows begin with the rank `first`, from 0.
        """
        deal = (await self.deals(day)).get(game)
        if deal is None:
            return None
        entry = days.entry_name(key) if key else ""
        # In this order: by then the boards of finished days have this client's entry.
        is_over = await self.is_over(day, game)
        rank = await self._store.rank_of(day, game, entry) if entry else None
        counts = await self._store.counts(day, game, days.LAST_WON)
        if not is_over and rank is None:
            return Board(is_over, counts.begun)
        around: tuple[Placed, ...] = ()
        if rank is not None:
            around = await self._rows(day, game, max(0, rank - AROUND), 2 * AROUND + 1)
        rows = await self._rows(day, game, first, size)
        own = entry if rank is not None else ""
        spread = await self._spread(day, game, counts)
        computers = await self._computers(day, game, deal)
        return Board(is_over, *counts, rows, around, own, spread, computers)

    async def computers(self, day: str, game: DayGameId) -> tuple[Placed, ...] | None:
        """Return the computer players' games, best first; None before the day or long after."""
        now = self._now()
        if day != day_of(now) and not is_kept(day, now):
            return None
        deal = (await self.deals(day)).get(game)
        return () if deal is None else await self._computers(day, game, deal)

    async def _computers(self, day: str, game: DayGameId, deal: DayDeal) -> tuple[Placed, ...]:
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
        """Return the spread of a board: the one that is known, unless more games are over now."""
        known = self._spreads.get((day, game))
        if known is not None and known[0].finished == counts.finished:
            return known[1]
        won_before = await self._store.counts_below(day, game, days.HALF_MINUTES)
        first, suits = won_before[-1], list[int]()
        while part := await self._store.rows(day, game, first, MOST_ROWS):
            texts = await self._store.results(day, game, [row.entry for row in part])
            suits += (_suits_in(text) for text in texts if text is not None)
            first += len(part)
        if len(self._spreads) >= MOST_SPREADS:
            self._spreads.clear()
        spread = days.spread_of(won_before, suits)
        self._spreads[day, game] = counts, spread
        return spread

    async def may_see(self, day: str, game: DayGameId, key: str) -> bool:
        """Return whether a client with this key may see the games of a day."""
        if await self.is_over(day, game):
            return True
        return key != "" and await self._store.rank_of(day, game, days.entry_name(key)) is not None

    async def _rows(self, day: str, game: DayGameId, first: int, size: int) -> tuple[Placed, ...]:
        rows = await self._store.rows(day, game, first, size)
        texts = await self._store.results(day, game, [row.entry for row in rows])
        placed: list[Placed] = []
        for row, text in zip(rows, texts, strict=True):
            with contextlib.suppress(Unreadable):  # the others are shown
                if text is not None:
                    placed.append(Placed(*row, _parsed_result(text)))
        return tuple(placed)

    async def games(
        self, day: str, game: DayGameId, entries: list[str], *, secret: bool
    ) -> GamesOfDay | None:
        """Return some games of a board as one finished round; None if one is not there."""
        deal = (await self.deals(day)).get(game)
        texts = await self._store.results(day, game, entries)
        results = [_parsed_result(text) for text in texts if text is not None]
        is_whole = len(results) == len(texts) == len(set(entries)) > 0
        if deal is None or not is_whole:
            return None

        async def read(seat: int) -> Sequence[TimedAction]:
            (packed,) = await self._store.logs(day, game, [entries[seat]])
            try:
                return days.unpack_log(packed or b"")
            except (zlib.error, struct.error):
                raise Unreadable("the log of an entry") from None

        played = days.round_of_day(game, deal, results, begin_of(day), secret=secret)
        code, of_room = f"{day}/{game}", {"host": None, "seats": (), "numbers_given": 0}
        return GamesOfDay(Room(code=code, settings=played.settings, **of_room), played, read)

    async def hide(self, day: str, game: DayGameId, entry: str) -> bool:
        """Take the name of an entry off its board; return False if there is none."""
        result = await self._result(day, game, entry)
        if result is not None and result.name:
            await self._replace(day, game, entry, result.replace(name="", hidden_name=result.name))
        return result is not None

    async def show(self, day: str, game: DayGameId, entry: str) -> str | None:
        """Put the name of an entry back on its board, and return it.

        None without the entry, or if an earlier release has hidden its name: that one kept none.
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


def _named(cards: str, acts: int) -> str:
    """Return the name of cards for a room, which says after how many acts its game begins."""
    return f"{cards}+{acts}" if acts else cards


def _parsed_deal(day: str, text: str) -> DayDeal | None:
    """Return the deal in a text; None if it is none, so that the day lacks a game."""
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
    """Return the suits that are home in a stored result, without the time to parse all of it."""
    found = SUITS_HOME.search(text)
    return int(found[1]) if found else 0


def _parsed_result(text: str) -> DayResult:
    try:
        return DayResult.model_validate_json(text)
    except ValidationError:
        raise Unreadable("the result of an entry") from None
