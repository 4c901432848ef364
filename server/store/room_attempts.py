"""The codes of the rooms that attempts open, so that a repeated attempt opens no second room."""

from protocol.vocabulary import ATTEMPT_S
from server.store.cluster import ClusterClient
from server.store.keys import Keys


class RedisAttempts:
    """The codes by the hash of each attempt, for `ATTEMPT_S`; see `interfaces.Attempts`.

    Every method raises StoreAway when Redis does not answer; the code may then be stored or not.
    """

    def __init__(self, client: ClusterClient, keys: Keys) -> None:
        self._client = client
        self._keys = keys

    async def code(self, attempt: str, drawn: str) -> str:
        """Return the code of an attempt: the one that it has, or from now on the drawn one."""
        key = self._keys.attempt(attempt)
        words = (drawn, "NX", "GET", "EX", ATTEMPT_S)
        earlier: bytes | None = await self._client.call(key, "SET", key, *words)
        return drawn if earlier is None else earlier.decode()

    async def replace(self, attempt: str, drawn: str) -> None:
        """Give an attempt another code: that which it has is the code of another room."""
        key = self._keys.attempt(attempt)
        await self._client.call(key, "SET", key, drawn, "EX", ATTEMPT_S)
