"""The cache of expensive files: made once, bounded, and charged to the requesting address."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from server.sessions.rate_limit import RateLimits
from server.store import StoreAway
from server.web.files import File, FileCache, FileKey, TooMuchWork

HERE, THERE = "203.0.113.5", "198.51.100.9"
ONE, TWO = FileKey("text", "AAAA", 1), FileKey("text", "AAAA", 2)
OTHER = FileKey("text", "BBBB", 1)


class Cache(FileCache):
    """A cache whose files have a given size and cost; none is made while `go` is cleared."""

    def __init__(self, **limits: Any) -> None:
        super().__init__(**limits)
        self.size, self.seconds = 100, 0.0
        self.made: list[FileKey] = []
        self.go = asyncio.Event()
        self.go.set()
        self.fails = False

    def ask(self, *keys: FileKey, asker: str | None = None) -> list[asyncio.Task[File]]:
        """Request files."""
        return [asyncio.create_task(self.get(key, asker, self._maker(key))) for key in keys]

    async def held(self, *keys: FileKey, asker: str | None = None) -> list[asyncio.Task[File]]:
        """Request files, and let the cache begin to make what it can, which waits for `go`."""
        self.go.clear()
        asking = self.ask(*keys, asker=asker)
        for _ in range(20):
            await asyncio.sleep(0)
        return asking

    def _maker(self, key: FileKey) -> Callable[[], Awaitable[tuple[File, float]]]:
        async def make() -> tuple[File, float]:
            self.made.append(key)
            await self.go.wait()
            if self.fails:
                raise StoreAway
            return File(b"x" * self.size, None, '"x"', "text/plain"), self.seconds

        return make


async def test_of_several_requests_for_one_file_one_makes_it() -> None:
    cache = Cache()
    asking = cache.ask(ONE, ONE, asker=HERE) + cache.ask(ONE, asker=THERE) + await cache.held(ONE)
    cache.go.set()
    files = await asyncio.gather(*asking, *cache.ask(ONE))
    assert cache.made == [ONE]
    assert len({id(file) for file in files}) == 1


async def test_a_slow_file_does_not_delay_other_files() -> None:
    cache = Cache()
    (slow,) = await cache.held(ONE, asker=HERE)
    cache.go = asyncio.Event()
    cache.go.set()
    await asyncio.gather(*cache.ask(OTHER, asker=THERE))
    assert not slow.done()
    slow.cancel()


async def test_an_address_makes_one_thing_at_a_time_and_all_of_them_in_the_end() -> None:
    cache = Cache()
    asking = await cache.held(ONE, TWO, OTHER, asker=HERE)
    assert cache.made == [ONE]
    cache.go.set()
    await asyncio.gather(*asking)
    assert cache.made == [ONE, TWO, OTHER]
    assert len(vars(cache)["_locks"]) == 0


async def test_so_many_are_made_together() -> None:
    cache = Cache(together=2)
    asking = await cache.held(ONE, TWO, OTHER)
    assert cache.made == [ONE, TWO]
    cache.go.set()
    await asyncio.gather(*asking)


async def test_when_making_a_file_fails_the_next_request_makes_it() -> None:
    cache = Cache()
    cache.fails = True
    (first,), (second,) = cache.ask(ONE, asker=HERE), await cache.held(ONE, asker=THERE)
    cache.go.set()
    with pytest.raises(StoreAway):
        await first
    cache.fails = False
    await second
    assert cache.made == [ONE, ONE]


async def test_the_cache_is_bounded_and_keeps_the_last_used_files() -> None:
    cache = Cache(kept_bytes=250)
    for key in (ONE, TWO, ONE, OTHER, ONE, OTHER):
        await asyncio.gather(*cache.ask(key))
        assert cache.bytes <= 250
    assert cache.made == [ONE, TWO, OTHER]
    await asyncio.gather(*cache.ask(TWO))
    assert cache.made == [ONE, TWO, OTHER, TWO]


async def test_a_file_too_large_for_the_cache_evicts_nothing() -> None:
    """One file larger than the bound emptied the whole cache, and stayed alone in it."""
    cache = Cache(kept_bytes=250)
    await asyncio.gather(*cache.ask(ONE))
    cache.size = 251
    asking = await cache.held(OTHER, OTHER, OTHER)
    cache.go.set()
    await asyncio.gather(*asking, *cache.ask(ONE))
    assert (cache.made, cache.bytes) == ([ONE, OTHER], 100)


async def test_an_address_in_debt_makes_nothing_more_and_other_addresses_do() -> None:
    cache = Cache(of_address=RateLimits(1_000, 1))
    cache.seconds = 1.5
    await asyncio.gather(*cache.ask(ONE, asker=HERE))
    with pytest.raises(TooMuchWork) as much:
        await asyncio.gather(*cache.ask(TWO, asker=HERE))
    assert 400 < much.value.wait_s <= 501
    await asyncio.gather(*cache.ask(ONE, asker=HERE))  # what is kept is free
    await asyncio.gather(*cache.ask(TWO, asker=THERE))
    assert cache.made == [ONE, TWO]


async def test_a_room_has_its_limit_for_all_addresses_together() -> None:
    cache = Cache(of_room=RateLimits(1_000, 1))
    cache.seconds = 1.5
    await asyncio.gather(*cache.ask(ONE))
    with pytest.raises(TooMuchWork):
        await asyncio.gather(*cache.ask(TWO))
    await asyncio.gather(*cache.ask(OTHER))
    assert cache.made == [ONE, OTHER]
