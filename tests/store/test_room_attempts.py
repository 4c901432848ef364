from protocol.vocabulary import ATTEMPT_S
from server.store import Store, keys


async def test_an_attempt_keeps_its_code_for_a_minute(store: Store) -> None:
    assert await store.attempts.code("of Ada", "CODE001") == "CODE001"
    assert await store.attempts.code("of Ada", "CODE002") == "CODE001"
    assert await store.attempts.code("of Bob", "CODE003") == "CODE003"
    await store.attempts.replace("of Ada", "CODE004")
    assert await store.attempts.code("of Ada", "CODE005") == "CODE004"
    for key in (keys.attempt("of Ada"), keys.attempt("of Bob")):
        assert 0 < await store.client.call(key, "PTTL", key) <= ATTEMPT_S * 1_000
