"""Labels of numbered deals: kept, bounded, and read with whether anybody seeks them."""

import pytest

from server.store import KnownLabel, Store
from server.store.deal_labels import ASKED_MS


async def test_a_label_is_kept(store: Store) -> None:
    assert await store.deal_labels.read("deal 24") == KnownLabel(None, is_sought=False)
    await store.deal_labels.keep("deal 24", "winnable")
    assert await store.deal_labels.read("deal 24") == KnownLabel("winnable", is_sought=False)
    assert (await store.deal_labels.read("deal 25")).label is None


async def test_it_is_read_whether_a_thinking_process_runs(store: Store) -> None:
    await store.deal_pools.show_filler()
    assert await store.deal_labels.read("deal 24") == KnownLabel(None, is_sought=True)


async def test_a_room_asks_for_one_label_at_a_time_and_for_a_while(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels = store.deal_labels
    assert (await labels.read("deal 24", "A")).asked_since is None
    assert not await labels.is_asked("deal 24", "A", lately=False)
    await labels.ask("deal 24", "A", 700)
    await labels.ask("deal 24", "B", 900)
    assert (await labels.read("deal 24", "A")).asked_since == 700
    assert await labels.is_asked("deal 24", "A", lately=True)
    await labels.ask("deal 25", "A", 800)
    assert (await labels.read("deal 24", "A")).asked_since is None
    assert not await labels.is_asked("deal 24", "A", lately=False)
    assert await labels.is_asked("deal 24", "B", lately=True)
    now = store.clock.now()
    monkeypatch.setattr(store.clock, "now", lambda: now + ASKED_MS + 1_000)
    assert (await labels.read("deal 24", "B")).asked_since is None
    assert not await labels.is_asked("deal 24", "B", lately=True)
    assert await labels.is_asked("deal 24", "B", lately=False)


async def test_there_are_no_more_labels_than_so_many(store: Store) -> None:
    for number in range(12):
        await store.deal_labels.keep(f"deal {number}", "unknown", most=5)
        assert (await store.deal_labels.read(f"deal {number}")).label == "unknown"
    known = [await store.deal_labels.read(f"deal {number}") for number in range(12)]
    assert sum(each.label is not None for each in known) == 5
