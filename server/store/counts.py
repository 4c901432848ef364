"""What all processes count together: open rooms, computer players, and guesses by network.

1. A list is a sorted set of names, each with the time until which it is counted. No counter goes
   up or down, so an update that is repeated, late or lost makes no count permanently wrong: a name
   that is not renewed expires.
2. The list "" holds all names. Others hold the names of one network, or the Experts.
3. A full list drops rooms that no longer exist before it refuses a new one.
4. Each list is one key in a slot of its own. If a failover loses it, the next renewals fill it
   again.
5. A guess at a code or token is spent before the look-up, and given back if it was right. So even
   simultaneous guesses get no more look-ups than their network has guesses left. A network's key
   expires once it has regained all guesses. Each network around an IPv6 address has its own count.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from protocol.vocabulary import ATTEMPT_S
from server.store.clock import Clock
from server.store.cluster import ClusterClient, StorePart
from server.store.connection import Command, keyed
from server.store.health import Health
from server.store.keys import Keys
from server.store.pipeline import ignore
from server.store.scripts import CLAIM_PLACE, COUNT_GUESS, even_if_full

LONGEST_BAN_S = 366 * 24 * 3600
KEPT_COUNTED_S = 400 * 24 * 3600  # longer than a table is kept without a race; see --kept-days
BOT_COUNTED_S = 30  # stop counting a computer player that no room has renewed for this long
SAMPLE_SIZE = 200  # of a full list, check at most this many rooms at once: do they still exist?
YOUNG_MS = 60_000  # a room counted more recently may not have been created yet
LOOKUP_MS = 5_000  # this long after the latest guess, no look-up counts as under way


@dataclass(eq=False)
class CountedNames:
    """Lists of names that expire unless renewed. Every coroutine may raise StoreAway."""

    _client: ClusterClient
    _clock: Clock
    _key: Callable[[str], str]  # the key of a list
    _counted_s: int  # how long a name is counted without renewal

    async def claim(self, name: str, limits: Mapping[str, int]) -> str | None:
        """Count a name in each list of `limits`, or in none if any list has reached its limit.

        Return the name of that full list, or None if the name is counted.
        """
        counted: list[str] = []
        for list_name, limit in limits.items():
            if not await self._claim(name, list_name, limit):
                await self.release([name], counted)
                return list_name
            counted.append(list_name)
        return None

    async def _claim(self, name: str, list_name: str, limit: int) -> bool:
        """Try to count a name in one list; return False if it already counts `limit` others."""
        key, now_ms = self._key(list_name), self._clock.now_ms()
        until_ms = now_ms + self._counted_s * 1_000
        command = CLAIM_PLACE.command((key,), name, limit, now_ms, until_ms, self._counted_s)
        return bool(await self._client.ask(command))

    async def renew(self, names: Iterable[str], lists: Iterable[str]) -> None:
        """Keep names from expiring in these lists; add missing ones, even to full lists."""
        until_ms = self._clock.now_ms() + self._counted_s * 1_000
        if scored := [word for name in names for word in (until_ms, name)]:
            keys = [*map(self._key, lists)]
            adding = (keyed("ZADD", key, *scored) for key in keys)
            expiring = (keyed("EXPIRE", key, self._counted_s) for key in keys)
            await self._client.ask_all(*adding, *expiring)

    async def release(self, names: Iterable[str], lists: Iterable[str]) -> None:
        """Stop counting names in these lists."""
        if released := list(names):
            commands = (keyed("ZREM", key, *released) for key in map(self._key, lists))
            await self._client.ask_all(*commands)

    async def count(self, list_name: str = "") -> int:
        """Return how many names are counted in a list."""
        key = self._key(list_name)
        return int(await self._client.call("ZCOUNT", key, f"({self._clock.now_ms()}", "+inf"))

    async def names(self) -> list[str]:
        """Return all names. Some may have expired."""
        members = await self._client.call("ZRANGE", self._key(""), 0, -1)
        return [member.decode(errors="replace") for member in members]


@dataclass(eq=False)
class OpenRooms(CountedNames):
    """The codes of open rooms, or of kept tables."""

    _keys: Keys
    _health: Health

    def has_space(self, code: str) -> bool:
        """Return whether the master that would store this code's room has space for a new one."""
        return self._health.has_space(self._keys.room(code))

    async def code_of(self, attempt_hash: str) -> str:
        """Return the room code drawn for an attempt, or "" without one."""
        code: bytes | None = await self._client.call("GET", self._keys.attempt(attempt_hash))
        return "" if code is None else code.decode()

    async def keep_code(self, attempt_hash: str, drawn: str) -> str:
        """Store the code `drawn` for an attempt unless it has one; return the attempt's code."""
        key = self._keys.attempt(attempt_hash)
        earlier = await self._client.call("SET", key, drawn, "NX", "GET", "EX", ATTEMPT_S)
        return drawn if earlier is None else str(earlier.decode())

    async def _claim(self, name: str, list_name: str, limit: int) -> bool:
        """Add a room to the list; if it is full, first drop the rooms that no longer exist."""
        while not await super()._claim(name, list_name, limit):
            if not await self._remove_gone(list_name):
                return False
        return True

    async def _remove_gone(self, list_name: str) -> bool:
        """Check a sample of the list and remove rooms that are gone; return whether any were."""
        key = self._key(list_name)
        sample = await self._client.call("ZRANDMEMBER", key, SAMPLE_SIZE, "WITHSCORES")
        created_by_ms = self._clock.now_ms() - YOUNG_MS  # rooms counted later may not exist yet
        # A score is the time when the count expires.
        until_ms = created_by_ms + self._counted_s * 1_000
        scored = zip(sample[::2], sample[1::2], strict=True)
        codes = [code.decode() for code, score_ms in scored if float(score_ms) <= until_ms]
        rooms = [self._keys.room(code) for code in codes]
        existing = await self._client.ask_all(*(keyed("EXISTS", room) for room in rooms))
        gone = [code for code, exists in zip(codes, existing, strict=True) if not exists]
        if gone:
            await self._client.call("ZREM", key, *gone)
        return bool(gone)


@dataclass(eq=False)
class Bans(StorePart):
    """The banned networks, and when each ban ends. Every method may raise StoreAway."""

    _clock: Clock

    async def add(self, network: str, until_ms: int) -> None:
        """Ban a network until `until_ms` (since the epoch), and remove expired bans."""
        key = self._keys.bans
        await self._client.ask_in_order(
            keyed("ZREMRANGEBYSCORE", key, "-inf", self._clock.now_ms()),
            even_if_full("ZADD", key, until_ms, network),
            keyed("EXPIRE", key, LONGEST_BAN_S),
        )

    async def remove(self, network: str) -> bool:
        """Lift the ban of a network; return False if it has none."""
        was_banned = network in await self.read()
        await self._client.call("ZREM", self._keys.bans, network)
        return was_banned

    async def read(self) -> dict[str, int]:
        """Return when each ban ends (ms since the epoch), by network."""
        now_ms = self._clock.now_ms()
        # Ignore later ends: no command of ours has written them.
        ends = f"({now_ms}", now_ms + LONGEST_BAN_S * 1_000
        words = await self._client.call("ZRANGE", self._keys.bans, *ends, "BYSCORE", "WITHSCORES")
        pairs = zip(words[::2], words[1::2], strict=True)
        return {network.decode(errors="replace"): int(float(until)) for network, until in pairs}


class GuessResult(NamedTuple):
    """Whether a network had a guess left, which is now spent, and otherwise when to try again."""

    is_taken: bool
    wait_ms: int | None = None
    """Time until the network regains a guess; None while a look-up may still give one back."""


TAKEN, UNDECIDED = GuessResult(is_taken=True), GuessResult(is_taken=False)


@dataclass(eq=False)
class SharedGuesses(StorePart):
    """The guesses of each network at codes and tokens, across all processes."""

    _clock: Clock

    async def take(self, shares: Mapping[str, int], burst: float, per_s: float) -> GuessResult:
        """Spend one guess of each network, or no guess at all if any network has none left.

        After looking up the guess, call `end`. A network may make `burst` guesses at once
        and then `per_s` per second, each multiplied by its share. The names in `shares` are
        hashed. After a StoreAway, a guess may have been spent.
        """
        commands = self._commands("take", shares, burst, per_s)
        # 0: spent; -1: a look-up under way may give one back; else the ms until one is regained.
        replies = [int(reply) for reply in await self._client.ask_all(*commands)]
        answered = zip(shares, replies, strict=True)
        spent = {network: shares[network] for network, reply in answered if reply == 0}
        if len(spent) == len(shares):
            return TAKEN
        self.end(spent, burst, per_s, right=True)  # gives these guesses back
        wait_ms = max(replies)
        return GuessResult(is_taken=False, wait_ms=wait_ms) if wait_ms > 0 else UNDECIDED

    def end(self, shares: Mapping[str, int], burst: float, per_s: float, *, right: bool) -> None:
        """Give a spent guess back if it was `right`, without waiting; a wrong one stays spent."""
        action = "right" if right else "wrong"
        for command in self._commands(action, shares, burst, per_s):
            # A lost command does little harm: guesses are regained anyway.
            self._client.send(command, ignore)

    def _commands(
        self, action: str, shares: Mapping[str, int], burst: float, per_s: float
    ) -> Iterator[Command]:
        """Yield the call of count_guess.lua with this action for each network."""
        now_ms = self._clock.now_ms()
        for network, share in shares.items():
            key = self._keys.guesses(network)
            burst_and_per_ms = f"{burst * share:f}", f"{per_s * share / 1_000:.12f}"
            yield COUNT_GUESS.command((key,), action, now_ms, *burst_and_per_ms, LOOKUP_MS)
