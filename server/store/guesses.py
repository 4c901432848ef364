"""The guesses of each network at codes and tokens, counted for all processes together.

1. A guess is taken before its look-up. So of any number that come at once, no more are looked up
   than the network has left.
2. The key of a network expires when all its guesses are gained again.
3. The networks around an IPv6 address are counted each under a key of its own.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from server.store.clock import Clock
from server.store.cluster import ClusterClient
from server.store.connection import Reply
from server.store.keys import Keys
from server.store.scripts import GUESS

LOOKUP_MS = 5_000
"""Time after the latest guess at which look-ups of processes that have died count as over."""
WAIT = -1  # the answer while a guess may still be given back, as its look-up is under way


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
        may be given back sooner.

        Raises:
            StoreAway: Redis does not answer; a guess may be taken.
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
            self._client.send(key, command, _ignore)

    def _commands(
        self, action: str, networks: Mapping[str, int], burst: float, per_s: float
    ) -> Iterator[tuple[str, bytes]]:
        """Yield the key and the command of each network; its share multiplies the rate."""
        now = self._clock.now()
        for network, share in networks.items():
            key = self._keys.guesses(network)
            rate = f"{burst * share:f}", f"{per_s * share / 1_000:.12f}"  # at once, and a ms
            yield key, GUESS.command((key,), action, now, *rate, LOOKUP_MS)


def _ignore(reply: Reply) -> None:
    """Ignore the reply to the end of a look-up: guesses are gained again in any case."""
