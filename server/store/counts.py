"""What all processes count together: open rooms, computer players, and guesses of networks.

1. A list is a sorted set of names, each with the time until which it is counted. No counter is
   increased or decreased, so a step that is done twice, late or never makes no count wrong for
   good: a name that is not renewed expires.
2. The list "" has all names. The others have those of a network, or the Experts.
3. Rooms that no longer exist are removed from a full list before a new room is refused.
4. Each list is one key in a slot of its own. A list that a failover has lost is filled again by
   the next renewals.
5. A guess at a code or a token is taken before its look-up. So of any number that come at once,
   no more are looked up than the network has left. The key of a network expires when all its
   guesses are gained again. The networks around an IPv6 address are counted each by itself.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from protocol.vocabulary import ATTEMPT_S
from server.store.clock import Clock
from server.store.cluster import ClusterClient
from server.store.connection import Word, pack
from server.store.health import Health
from server.store.keys import TTL_SECONDS, Keys
from server.store.scripts import CLAIM, GUESS, always

LONGEST_BAN_S = 366 * 24 * 3600
KEPT_COUNTED_S = 400 * 24 * 3600  # longer than a table is kept without a race; see --kept-days
BOT_COUNTED_S = 30  # for which a computer player is counted that no room renews
SAMPLE_SIZE = 200  # rooms of a full list whose existence is checked at once, drawn at random
YOUNG_MS = 60_000  # time after counting a room during which it may not have been created yet
LOOKUP_MS = 5_000  # after the latest guess, look-ups of processes that have died count as over
WAIT = -1  # the answer while a guess may still be given back, as its look-up is under way


@dataclass(eq=False)
class Places:
    """Lists of names; every coroutine may raise StoreAway."""

    _client: ClusterClient
    _clock: Clock
    _key: Callable[[str], str]  # of a list
    _counted_s: int  # the seconds for which a name is counted that is not renewed

    async def claim(self, name: str, limits: Mapping[str, int]) -> str | None:
        """Count a new name in these lists, or in none; return the first that is at its limit.

        A name that is counted already is never refused.
        """
        counted: list[str] = []
        for each, most in limits.items():
            if not await self._claim(name, each, most):
                await self.release([name], counted)
                return each
            counted.append(each)
        return None

    async def _claim(self, name: str, of: str, most: int) -> bool:
        """Count a name in one list, unless `most` others are counted there; return whether."""
        key, now = self._key(of), self._clock.now_ms()
        until = now + self._counted_s * 1_000
        command = CLAIM.command((key,), name, most, now, until, self._counted_s)
        return bool(await self._client.ask(key, command))

    async def renew(self, names: Iterable[str], lists: Iterable[str]) -> None:
        """Count names that have their places, even if a list is full."""
        until = self._clock.now_ms() + self._counted_s * 1_000
        if scored := [word for name in names for word in (until, name)]:
            await self._ask(lists, ("ZADD", *scored), ("EXPIRE", self._counted_s))

    async def release(self, names: Iterable[str], lists: Iterable[str]) -> None:
        """Stop counting names."""
        if gone := list(names):
            await self._ask(lists, ("ZREM", *gone))

    async def _ask(self, lists: Iterable[str], *commands: tuple[Word, ...]) -> None:
        """Execute commands for each of these lists; their key is their first argument."""
        keys = [self._key(each) for each in lists]
        asked = ((key, pack(name, key, *words)) for name, *words in commands for key in keys)
        await self._client.ask_all(*asked)

    async def count(self, of: str = "") -> int:
        """Return how many names are counted in a list."""
        key, now = self._key(of), self._clock.now_ms()
        return int(await self._client.call(key, "ZCOUNT", key, f"({now}", "+inf"))

    async def names(self) -> list[str]:
        """Return all names that are counted; some may be gone."""
        key = self._key("")
        members = await self._client.call(key, "ZRANGE", key, 0, -1)
        return [member.decode(errors="replace") for member in members]


class OpenRooms(Places):
    """The codes of open rooms, or of kept ones."""

    def __init__(
        self,
        client: ClusterClient,
        clock: Clock,
        keys: Keys,
        health: Health,
        key: Callable[[str], str] | None = None,
        counted_s: int = TTL_SECONDS,
    ) -> None:
        super().__init__(client, clock, key or keys.opened, counted_s)
        self._keys = keys
        self._health = health

    def has_space(self, code: str) -> bool:
        """Return whether the store has space for a new room with this code; see `Health`."""
        return self._health.has_space(self._keys.room(code))

    async def code_of(self, attempt: str) -> str:
        """Return the code that is kept for the attempt with this hash, or an empty text."""
        key = self._keys.attempt(attempt)
        code: bytes | None = await self._client.call(key, "GET", key)
        return "" if code is None else code.decode()

    async def keep_code(self, attempt: str, drawn: str) -> str:
        """Return the code that was `drawn` first for the attempt with this hash."""
        key = self._keys.attempt(attempt)
        words = (drawn, "NX", "GET", "EX", ATTEMPT_S)
        earlier: bytes | None = await self._client.call(key, "SET", key, *words)
        return drawn if earlier is None else earlier.decode()

    async def _claim(self, name: str, of: str, most: int) -> bool:
        while not await super()._claim(name, of, most):
            if not await self._remove_gone(of):
                return False
        return True

    async def _remove_gone(self, of: str) -> bool:
        """Remove some of the rooms that no longer exist; return whether there was any."""
        key = self._key(of)
        sample = await self._client.call(key, "ZRANDMEMBER", key, SAMPLE_SIZE, "WITHSCORES")
        young_from = self._clock.now_ms() - YOUNG_MS
        scored, ttl_ms = zip(sample[::2], sample[1::2], strict=True), self._counted_s * 1_000
        codes = [code.decode() for code, until in scored if float(until) - ttl_ms <= young_from]
        rooms = [self._keys.room(code) for code in codes]
        existing = await self._client.ask_all(*((room, pack("EXISTS", room)) for room in rooms))
        gone = [code for code, exists in zip(codes, existing, strict=True) if not exists]
        if gone:
            await self._client.call(key, "ZREM", key, *gone)
        return bool(gone)


@dataclass(eq=False)
class Bans:
    """The banned networks, each with the end of its ban; every method may raise StoreAway."""

    _client: ClusterClient
    _key: str
    _clock: Clock

    async def add(self, network: str, until: int) -> None:
        """Ban a network until a time in ms, in place of its present ban; remove expired bans."""
        key = self._key
        await self._client.ask_in_order(
            (key, pack("ZREMRANGEBYSCORE", key, "-inf", self._clock.now_ms())),
            (key, always("ZADD", key, until, network)),
            (key, pack("EXPIRE", key, LONGEST_BAN_S)),
        )

    async def remove(self, network: str) -> bool:
        """Lift the ban of a network; return False if it has none."""
        until = (await self.read()).get(network)
        await self._client.call(self._key, "ZREM", self._key, network)
        return until is not None

    async def read(self) -> dict[str, int]:
        """Return the bans that are not over, by network, with their ends in ms."""
        now = self._clock.now_ms()
        between = f"({now}", now + LONGEST_BAN_S * 1_000  # later ends are no command's
        words = ("ZRANGE", self._key, *between, "BYSCORE", "WITHSCORES")
        found = await self._client.call(self._key, *words)
        pairs = zip(found[::2], found[1::2], strict=True)
        return {name.decode(errors="replace"): int(float(until)) for name, until in pairs}


@dataclass(eq=False)
class SharedGuesses:
    """The guesses of each network at codes and tokens, counted for all processes together.

    `networks` are hashed names with their shares of a rate. A rate is `burst` guesses at once,
    and then `per_s` a second.
    """

    _client: ClusterClient
    _keys: Keys
    _clock: Clock

    async def take(self, networks: Mapping[str, int], burst: float, per_s: float) -> int:
        """Take a guess of each network; return 0 if it is taken, and must be ended.

        Otherwise no guess is taken: return the time in ms until one is gained, or `WAIT` if one
        may be given back sooner. After a StoreAway a guess may be taken.
        """
        commands = self._commands("take", networks, burst, per_s)
        answers = [int(reply) for reply in await self._client.ask_all(*commands)]
        if not any(answers):
            return 0
        answered = zip(networks.items(), answers, strict=True)
        taken = dict(each for each, answer in answered if answer == 0)
        self.end(taken, burst, per_s, right=True)
        return max(answers) if max(answers) > 0 else WAIT

    def end(self, networks: Mapping[str, int], burst: float, per_s: float, *, right: bool) -> None:
        """End a look-up; a guess that was right is given back. Does not wait for the reply."""
        action = "right" if right else "wrong"
        for key, command in self._commands(action, networks, burst, per_s):
            # Guesses are gained again in any case.
            self._client.send(key, command, lambda _reply: None)

    def _commands(
        self, action: str, networks: Mapping[str, int], burst: float, per_s: float
    ) -> Iterator[tuple[str, bytes]]:
        """Yield the key and the command of each network; its share multiplies the rate."""
        now = self._clock.now_ms()
        for network, share in networks.items():
            key = self._keys.guesses(network)
            rate = f"{burst * share:f}", f"{per_s * share / 1_000:.12f}"  # at once, and a ms
            yield key, GUESS.command((key,), action, now, *rate, LOOKUP_MS)
