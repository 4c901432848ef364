"""The guesses of each network at codes and tokens, counted for all processes together.

1. A guess is taken before its look-up. So of any number that come at once, no more are looked up
   than the network has left.
2. The key of a network expires when all its guesses are gained again.
3. The networks around an IPv6 address are counted each under a key of its own.
"""

from collections.abc import Mapping

from server.store.clock import Clock
from server.store.cluster import ClusterClient
from server.store.connection import Reply
from server.store.keys import Keys
from server.store.scripts import GUESS

LOOKUP_MS = 5_000
"""Time after the latest guess at which look-ups of processes that have died count as over."""
WAIT = -1  # the answer while a guess may still be given back, as its look-up is under way


class SharedGuesses:
    """The guesses of each network at codes and tokens, counted for all processes together.

    `networks` are hashed names with their shares of a rate. A rate is `burst` guesses at once,
    and then `per_s` a second.
    """

    def __init__(self, client: ClusterClient, keys: Keys, clock: Clock) -> None:
        self._client = client
        self._keys = keys
        self._clock = clock

    async def take(self, networks: Mapping[str, int], burst: float, per_s: float) -> int:
        """Take a guess of each network; return 0 if it is taken, and must be ended.

        Otherwise no guess is taken: return the time in ms until one is gained, or `WAIT` if one
        may be given back sooner.

        Raises:
            StoreAway: Redis does not answer; a guess may be taken.
        """
        commands = self._commands("take", networks, burst, per_s)
        answers = [int(reply) for reply in await self._client.ask_all(*commands.values())]
        if not any(answers):
            return 0
        taken = [name for name, answer in zip(networks, answers, strict=True) if answer == 0]
        self.end({name: networks[name] for name in taken}, burst, per_s, right=True)
        return max(answers) if max(answers) > 0 else WAIT

    def end(self, networks: Mapping[str, int], burst: float, per_s: float, *, right: bool) -> None:
        """End a look-up; a guess that was right is given back. Does not wait for the reply."""
        action = "right" if right else "wrong"
        for key, command in self._commands(action, networks, burst, per_s).values():
            self._client.send(key, command, _ignore)

    def _commands(
        self, action: str, networks: Mapping[str, int], burst: float, per_s: float
    ) -> dict[str, tuple[str, bytes]]:
        """Return the key and the command of each network; its share multiplies the rate."""
        now = self._clock.now()
        commands = {}
        for network, share in networks.items():
            key = self._keys.guesses(network)
            rate = f"{burst * share:f}", f"{per_s * share / 1_000:.12f}"  # at once, and a ms
            commands[network] = key, GUESS.command((key,), action, now, *rate, LOOKUP_MS)
        return commands


def _ignore(reply: Reply) -> None:
    """Ignore the reply to the end of a look-up: guesses are gained again in any case."""
