"""The cache of expensive files: made once, bounded, and charged to the requesting address."""

import asyncio
from collections.abc import Callable

import pytest

from server.http.file_cache import FileCache, FileKey, TooMuchWork
from server.http.files import File
from server.sessions.rate_limit import RateLimits
from server.store import StoreAway

HERE, THERE = "203.0.113.5", "198.51.100.9"
ONE, TWO, OTHER = (
    FileKey("text", "AAAA", 1),
    FileKey("text", "AAAA", 2),
    FileKey("text", "BBBB", 1),
)


class Maker:
    """A maker of files with a given size and cost, which waits while `go` is cleared."""

    def __init__(self, size: int = 100, seconds: float = 0.0) -> None:
        self.size, self.seconds = size, seconds
        self.made: list[FileKey] = []
        self.go = asyncio.Event()
        self.go.set()
        self.fails = False

    def of(self, key: FileKey) -> Callable[[], object]:
        async def make() -> tuple[File, float]:
            self.made.append(key)
            await self.go.wait()
            if self.fails:
                raise StoreAway
            return File(b"x" * self.size, None, '"x"', "text/plain"), self.seconds

        return make


@pytest.fixture
def maker() -> Maker:
    return Maker()


def getter(here: FileCache, maker: Maker) -> Callable[..., asyncio.Task[File]]:
    def get(key: FileKey, asker: str | None = None) -> asyncio.Task[File]:
        return asyncio.create_task(here.get(key, asker, maker.of(key)))  # type: ignore[arg-type]

    return get


async def turns(number: int = 20) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


async def test_of_several_requests_for_one_file_one_makes_it(maker: Maker) -> None:
    get = getter(FileCache(), maker)
    maker.go.clear()
    asking = [get(ONE, asker) for asker in (HERE, HERE, THERE, None)]
    await turns()
    maker.go.set()
    files = await asyncio.gather(*asking)
    assert maker.made == [ONE]
    assert len({id(file) for file in files}) == 1
    assert await get(ONE) is files[0]


async def test_a_slow_file_does_not_delay_other_files(maker: Maker) -> None:
    here, slow = FileCache(), Maker()
    slow.go.clear()
    waiting = getter(here, slow)(ONE, HERE)
    await turns()
    await getter(here, maker)(OTHER, THERE)
    assert not waiting.done()
    waiting.cancel()


async def test_an_address_makes_one_thing_at_a_time_and_all_of_them_in_the_end(
    maker: Maker,
) -> None:
    here = FileCache()
    get = getter(here, maker)
    maker.go.clear()
    asking = [get(key, HERE) for key in (ONE, TWO, OTHER)]
    await turns()
    assert maker.made == [ONE]
    maker.go.set()
    await asyncio.gather(*asking)
    assert maker.made == [ONE, TWO, OTHER]
    assert len(vars(here)["_locks"]) == 0


async def test_so_many_are_made_together(maker: Maker) -> None:
    get = getter(FileCache(together=2), maker)
    maker.go.clear()
    asking = [get(key) for key in (ONE, TWO, OTHER)]
    await turns()
    assert maker.made == [ONE, TWO]
    maker.go.set()
    await asyncio.gather(*asking)


async def test_when_making_a_file_fails_the_next_request_makes_it(maker: Maker) -> None:
    get = getter(FileCache(), maker)
    maker.fails = True
    maker.go.clear()
    first, second = get(ONE, HERE), get(ONE, THERE)
    await turns()
    maker.go.set()
    with pytest.raises(StoreAway):
        await first
    maker.fails = False
    await second
    assert maker.made == [ONE, ONE]


async def test_the_cache_is_bounded_and_keeps_the_last_used_files(maker: Maker) -> None:
    here = FileCache(kept_bytes=250)
    get = getter(here, maker)
    for key in (ONE, TWO, ONE, OTHER, ONE, OTHER):
        await get(key)
        assert here.bytes <= 250
    assert maker.made == [ONE, TWO, OTHER]
    await get(TWO)
    assert maker.made == [ONE, TWO, OTHER, TWO]


async def test_a_file_too_large_for_the_cache_evicts_nothing(maker: Maker) -> None:
    """One file larger than the bound emptied the whole cache, and stayed alone in it."""
    here = FileCache(kept_bytes=250)
    get = getter(here, maker)
    await get(ONE)
    large = Maker(size=251)
    large.go.clear()
    asking = [getter(here, large)(OTHER) for _ in range(3)]
    await turns()
    large.go.set()
    files = await asyncio.gather(*asking)
    assert (large.made, len(files)) == ([OTHER], 3)
    await get(ONE)
    assert (maker.made, here.bytes) == ([ONE], 100)


async def test_an_address_in_debt_makes_nothing_more_and_other_addresses_do(maker: Maker) -> None:
    maker.seconds = 1.5
    get = getter(FileCache(of_address=RateLimits(1_000, 1)), maker)
    await get(ONE, HERE)
    with pytest.raises(TooMuchWork) as much:
        await get(TWO, HERE)
    assert 400 < much.value.wait_s <= 501
    await get(ONE, HERE)  # what is kept is free
    await get(TWO, THERE)
    assert maker.made == [ONE, TWO]


async def test_a_room_has_its_limit_for_all_addresses_together(maker: Maker) -> None:
    maker.seconds = 1.5
    get = getter(FileCache(of_room=RateLimits(1_000, 1)), maker)
    await get(ONE)
    with pytest.raises(TooMuchWork):
        await get(TWO)
    await get(OTHER)
    assert maker.made == [ONE, OTHER]
