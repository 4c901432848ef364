from server.store import Store


async def test_a_process_is_silent_until_its_next_heartbeat(store: Store) -> None:
    await store.processes.beat("east", 1_000, ["A", "B"])
    await store.processes.beat("west", 2_000, [])
    assert await store.processes.silent(1_000) == []
    assert await store.processes.silent(1_001) == ["east"]
    assert sorted(await store.processes.rooms_of("east")) == ["A", "B"]
    await store.processes.drop_room("east", "A")
    await store.processes.beat("east", 3_000, ["B"])
    assert await store.processes.silent(2_500) == ["west"]
    assert await store.processes.rooms_of("east") == ["B"]
    await store.processes.forget("east")
    assert await store.processes.rooms_of("east") == []
    assert await store.processes.silent(9_000) == ["west"]
