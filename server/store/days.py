"""The days: their deals, the claims to their games, and the boards.

All keys of a day have its date as hash tag, so they are in one slot. A key that cannot be used
makes its day unreadable, and nothing else. The keys expire with the day.
"""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from server.store.cluster import StorePart
from server.store.connection import keyed
from server.store.scripts import CLAIM_GAME, REPORT_RESULT, SETTLE_CLAIM

CLAIMS: Final = ("begun", "released")  # the parts of a day's game that hold claims
CLAIMS_PER_READ: Final = 200  # about: Redis returns a few more or less
ClaimStep = Literal["claim", "open", "release"]


class DayCounts(NamedTuple):
    """How many players have started a day's game, finished it, and won it."""

    begun: int
    finished: int
    won: int


class BoardRow(NamedTuple):
    """A row of a board. Equal results share a place."""

    place: int
    entry: str


class Days(StorePart):
    """The days in the store: `day` is a date, and `game` one of its games.

    A claim is a text that names the room where a player plays such a game.
    Every method raises StoreAway when Redis does not answer, and Unreadable when a key of the day
    has the wrong type.
    """

    async def choose(self, day: str, game: str, text: str, until_ms: int) -> str:
        """Store `text` as the deal of a game, unless it has one; return the text that is stored.

        It expires at `until_ms` (since the epoch).
        """
        key = self._keys.day(day, "deal", game)
        set_once = keyed("SET", key, text, "NX", "PXAT", until_ms)
        _, kept = await self._client.ask_in_order(set_once, keyed("GET", key))
        return str(kept.decode())

    async def deals(self, day: str, games: tuple[str, ...]) -> dict[str, str]:
        """Return the text of each game's deal, for the games that have one."""
        keys = [self._keys.day(day, "deal", game) for game in games]
        texts = await self._client.call("MGET", *keys)
        found = zip(games, texts, strict=True)
        return {game: text.decode() for game, text in found if text is not None}

    async def chosen(self, days: list[str], game: str) -> list[str]:
        """Return which of these days already have a deal for the game."""
        keys = [self._keys.day(day, "deal", game) for day in days]
        replies = await self._client.ask_all(*(keyed("EXISTS", key) for key in keys))
        return [day for day, exists in zip(days, replies, strict=True) if exists]

    async def advance_claim(
        self, day: str, game: str, player: str, step: ClaimStep, new: str, until_ms: int
    ) -> str:
        """Advance a player's claim, which lets them start a game only once; return the stored one.

        `step` is "claim" before the room is created, then "open", or "release" if that failed. A
        player without a claim gets the claim `new`. It expires at `until_ms` (since the epoch).
        """
        keys = tuple(self._keys.day(day, name, game) for name in CLAIMS)
        script = CLAIM_GAME if step == "claim" else SETTLE_CLAIM
        command = script.command(keys, player, step, new, until_ms)
        return str((await self._client.ask(command)).decode())

    async def claim_of(self, day: str, game: str, player: str) -> str:
        """Return a player's claim to a game of a day, even if it was released; "" for none."""
        keys = (self._keys.day(day, name, game) for name in CLAIMS)
        claims = await self._client.ask_all(*(keyed("HGET", key, player) for key in keys))
        return next((str(claim.decode()) for claim in claims if claim is not None), "")

    async def claims(self, day: str, game: str, start: int = 0) -> tuple[int | None, list[str]]:
        """Return the next `start` (None at the end), and a batch of claims from `start` on."""
        key = self._keys.day(day, "begun", game)
        after, fields = await self._client.call("HSCAN", key, start, "COUNT", CLAIMS_PER_READ)
        return int(after) or None, [claim.decode() for claim in fields[1::2]]

    async def report(
        self, day: str, game: str, entry: str, order: int | None, text: str, log: bytes, until: int
    ) -> bool:
        """Store an entry's result (`text`) and packed log; return False if it was stored before.

        The board ranks entries by `order`, lowest first; with None the entry gets no place. The
        keys expire at `until` (ms since the epoch).
        """
        keys = tuple(self._keys.day(day, name, game) for name in ("board", "results", "logs"))
        given = entry, "" if order is None else order, text, log, until
        return bool(await self._client.ask(REPORT_RESULT.command(keys, *given)))

    async def counts(self, day: str, game: str, last_won: int) -> DayCounts:
        """Return a game's counts; `last_won` is the highest `order` on the board that is a win."""
        begun, board = (self._keys.day(day, name, game) for name in ("begun", "board"))
        replies = await self._client.ask_all(
            keyed("HLEN", begun), keyed("ZCARD", board), keyed("ZCOUNT", board, "-inf", last_won)
        )
        return DayCounts(*map(int, replies))

    async def counts_below(self, day: str, game: str, limits: Sequence[int]) -> list[int]:
        """Return how many entries of the board have an order below each of these limits."""
        key = self._keys.day(day, "board", game)
        counting = (keyed("ZCOUNT", key, "-inf", f"({limit}") for limit in limits)
        return [int(count) for count in await self._client.ask_all(*counting)]

    async def rows(self, day: str, game: str, first: int, size: int) -> list[BoardRow]:
        """Return at most `size` rows of a board, starting at rank `first` (counted from 0)."""
        key = self._keys.day(day, "board", game)
        last = first + size - 1
        scored = await self._client.call("ZRANGE", key, first, last, "WITHSCORES")
        if not scored:
            return []
        rows: list[BoardRow] = []
        order_before = scored[1]
        # The first row may share its place with earlier rows.
        place = 1 + int(await self._client.call("ZCOUNT", key, "-inf", f"({int(order_before)}"))
        for rank, (entry, order) in enumerate(zip(scored[::2], scored[1::2], strict=True), first):
            if order != order_before:
                place, order_before = 1 + rank, order
            rows.append(BoardRow(place, entry.decode()))
        return rows

    async def rank_of(self, day: str, game: str, entry: str) -> int | None:
        """Return the rank of an entry (from 0), or None if it has no place on the board."""
        rank = await self._client.call("ZRANK", self._keys.day(day, "board", game), entry)
        return None if rank is None else int(rank)

    async def results(self, day: str, game: str, entries: list[str]) -> list[str | None]:
        """Return the texts of the entries' results, with None for each missing one."""
        key = self._keys.day(day, "results", game)
        texts = await self._client.call("HMGET", key, *entries) if entries else []
        return [None if text is None else text.decode() for text in texts]

    async def replace_result(self, day: str, game: str, entry: str, text: str) -> None:
        """Replace the text of an existing result."""
        await self._client.call("HSET", self._keys.day(day, "results", game), entry, text)

    async def logs(self, day: str, game: str, entries: list[str]) -> list[bytes | None]:
        """Return the packed logs of entries, with None for each missing one."""
        key = self._keys.day(day, "logs", game)
        return list(await self._client.call("HMGET", key, *entries)) if entries else []
