"""The files that browsers get, and the cache of those that are expensive to make."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from server.sessions.limits import Rate
from server.store import StoreAway
from server.web.files import (
    IMPORTS,
    File,
    FileCache,
    FileKey,
    TooMuchWork,
    read_files,
    with_imports,
    without_comments,
)
from server.web.limits import HttpLimits

CLIENT = Path(__file__).parents[2] / "web_client"
COMPARISON = Path(__file__).with_name("same_program.cjs")
SERVED = read_files(CLIENT)


@pytest.mark.parametrize(
    ("source", "served"),
    [
        ("// why\nlet a;\n", "\nlet a;\n"),
        ("/** One\n * two. */\nlet a;\n", "\n\nlet a;\n"),
        ("  /* one */\n  let a; // beside\n", "\n  let a;\n"),
        ("let a; // it's beside\n", "let a; // it's beside\n"),  # a string can contain it
        ("let a = 'b // c';\n", "let a = 'b // c';\n"),
        ("/** @type {A} */ (a).b();\n", "/** @type {A} */ (a).b();\n"),
        ("/* one */ let a; /* two */\n", "/* one */ let a; /* two */\n"),
        ("/* one */\nlet a;\n/* two */\n", "\nlet a;\n\n"),
        ("let a = 1 // 2\n  / 3;\n", "let a = 1\n  / 3;\n"),
    ],
)
def test_comments_are_not_served_and_lines_keep_their_numbers(source: str, served: str) -> None:
    assert without_comments(source) == served


def test_served_modules_are_the_same_programs_line_by_line() -> None:
    """A text that only looks like a comment, in a template for example, must not be lost."""
    modules = [path for path in SERVED if path.endswith(".js")]
    pairs = {
        path: [(CLIENT / path[1:]).read_text(encoding="utf-8"), SERVED[path].body.decode()]
        for path in modules
    }
    node = Path(sys.executable).with_name("node")
    command = [str(node), "--expose-internals", str(COMPARISON)]
    different = subprocess.run(
        command, input=json.dumps(pairs), capture_output=True, text=True, check=True
    )
    assert len(modules) > 50
    assert json.loads(different.stdout) == []


@pytest.mark.parametrize(
    ("source", "served"),
    [
        ('@import "./a.css" layer(base);\n', "@layer base {\na {\n}\n}\n"),
        ('@layer base;\n@import "./a.css";\n', "@layer base;\n\na {\n}\n\n"),
        ('@import "./a.css";\n', "@layer screens {\na {\n}\n\n}"),
        ("b {\n}\n", "@layer screens {b {\n}\n}"),
        ("@layer base {\n}\n", "@layer base {\n}\n"),
    ],
)
def test_a_sheet_contains_its_imports_and_has_a_layer(
    source: str, served: str, tmp_path: Path
) -> None:
    (tmp_path / "a.css").write_text("/* a */\na {\n}\n")
    assert with_imports(source, tmp_path) == served


def test_served_stylesheets_have_the_rules_and_the_lines_of_their_parts() -> None:
    for path in (path for path in SERVED if path.endswith(".css")):
        sheet = CLIENT / path[1:]
        source = sheet.read_text(encoding="utf-8")
        names = [part[1] for part in IMPORTS.finditer(source)]
        parts = [(sheet.parent / name).read_text(encoding="utf-8") for name in names]
        served = SERVED[path].body.decode()
        assert "@import" not in served
        assert served.count("\n") == sum(part.count("\n") for part in (source, *parts))
        assert all(_rules(part) in _rules(served) for part in (IMPORTS.sub("", source), *parts))


def _rules(stylesheet: str) -> str:
    return "".join(re.sub(r"/\*.*?\*/", "", stylesheet, flags=re.DOTALL).split())


def test_files_without_comments_are_served_as_they_are() -> None:
    for path in ("/index.html", "/favicon.svg"):
        assert SERVED[path].body == (CLIENT / path[1:]).read_bytes()


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
        return [asyncio.create_task(self.get(key, asker, self._maker(key))) for key in keys]

    async def held(self, *keys: FileKey, asker: str | None = None) -> list[asyncio.Task[File]]:
        """Request files; the cache starts to make them, and waits for `go`."""
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
    assert not vars(cache)["_locks"]._locks


async def test_only_a_few_files_are_made_at_a_time() -> None:
    cache = Cache(limits=HttpLimits(max_made_together=2))
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
    cache = Cache(limits=HttpLimits(max_kept_bytes=250))
    for key in (ONE, TWO, ONE, OTHER, ONE, OTHER):
        await asyncio.gather(*cache.ask(key))
        assert cache.kept_bytes <= 250
    assert cache.made == [ONE, TWO, OTHER]
    await asyncio.gather(*cache.ask(TWO))
    assert cache.made == [ONE, TWO, OTHER, TWO]


async def test_a_file_too_large_for_the_cache_evicts_nothing() -> None:
    """Regression: a file larger than the bound emptied the whole cache, and stayed in it alone."""
    cache = Cache(limits=HttpLimits(max_kept_bytes=250))
    await asyncio.gather(*cache.ask(ONE))
    cache.size = 251
    asking = await cache.held(OTHER, OTHER, OTHER)
    cache.go.set()
    await asyncio.gather(*asking, *cache.ask(ONE))
    assert (cache.made, cache.kept_bytes) == ([ONE, OTHER], 100)


async def test_an_address_in_debt_makes_nothing_more_and_other_addresses_do() -> None:
    cache = Cache(limits=HttpLimits(work_of_address=Rate(1_000, 1)))
    cache.seconds = 1.5
    await asyncio.gather(*cache.ask(ONE, asker=HERE))
    with pytest.raises(TooMuchWork) as much:
        await asyncio.gather(*cache.ask(TWO, asker=HERE))
    assert 400 < much.value.wait_s <= 501
    await asyncio.gather(*cache.ask(ONE, asker=HERE))  # kept files are free
    await asyncio.gather(*cache.ask(TWO, asker=THERE))
    assert cache.made == [ONE, TWO]


async def test_a_room_has_its_limit_for_all_addresses_together() -> None:
    cache = Cache(limits=HttpLimits(work_of_room=Rate(1_000, 1)))
    cache.seconds = 1.5
    await asyncio.gather(*cache.ask(ONE))
    with pytest.raises(TooMuchWork):
        await asyncio.gather(*cache.ask(TWO))
    await asyncio.gather(*cache.ask(OTHER))
    assert cache.made == [ONE, OTHER]
