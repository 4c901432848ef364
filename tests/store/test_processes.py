from server.store import Store


async def test_a_process_is_silent_until_its_next_heartbeat(store: Store) -> None:
    await store.beat("east", 1_000, ["A", "B"])
    await store.beat("west", 2_000, [])
    assert await store.silent(1_000) == []
    assert await store.silent(1_001) == ["east"]
    assert sorted(await store.rooms_of("east")) == ["A", "B"]
    await store.drop_room("east", "A")
    await store.beat("east", 3_000, ["B"])
    assert await store.silent(2_500) == ["west"]
    assert await store.rooms_of("east") == ["B"]
    await store.forget_process("east")
    assert await store.rooms_of("east") == []
    assert await store.silent(9_000) == ["west"]
