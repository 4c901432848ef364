"""Kept tables during faults: each finished round is in its table's history exactly once."""

import json
from collections import Counter
from collections.abc import Callable, Collection

from server.store import Store
from tests.faults.checker import RoundKey


async def check_tables(
    store: Store,
    rooms: Collection[str],
    over: Collection[RoundKey],
    may_forget: Callable[[str, float | None], bool],
) -> tuple[int, list[str]]:
    """Return the number of kept tables among the rooms, and the errors in their histories.

    `over`: the rounds that have surely ended.
    """
    tables, wrong = 0, list[str]()
    for code in sorted(rooms):
        stored = await store.rooms.read(code)
        kept = None if stored is None else json.loads(stored.doc).get("kept")
        if kept is None:
            continue
        tables += 1
        counted = Counter(json.loads(line)["n"] for line in await store.rooms.history(code))
        wrong += [f"{code} round {n}: there {k} times" for n, k in counted.items() if k > 1]
        if kept["races"] != counted.total():
            wrong.append(f"{code}: {counted.total()} rounds instead of {kept['races']}")
        if not may_forget(code, None):
            missing = {n for room, n in over if room == code} - counted.keys()
            wrong += [f"{code} round {n}: missing" for n in sorted(missing)]
    return tables, wrong
