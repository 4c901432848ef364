"""A seat as its holder stores acts and hints in it."""

from server.store import keys
from server.store.scripts import COMMIT
from server.store.slots import slot_of
from server.store.words import pack


class HeldSeat:
    """A seat of a room in round `n`, held under `generation`.

    `slot` is that of its keys. `head` is the beginning of each commit, up to the last word:
    packing these bytes for each of them would double its cost.
    """

    __slots__ = ("code", "generation", "head", "n", "seat", "slot")

    def __init__(self, code: str, seat: int, n: int, generation: int) -> None:
        self.code = code
        self.seat = seat
        self.n = n
        self.generation = generation
        touched = self.keys
        words = ("EVALSHA", COMMIT.sha, len(touched), *touched, n, keys.TTL_SECONDS, generation)
        _, packed = pack(*words).split(b"\r\n", 1)
        self.slot = slot_of(touched[0])
        self.head = b"*%d\r\n%b" % (len(words) + 1, packed)

    @property
    def keys(self) -> tuple[str, str, str]:
        """Return the keys that a commit or a hint uses: of the room, the seat and its log."""
        code, seat = self.code, self.seat
        return keys.room(code), keys.seat(code, seat), keys.log(code, self.n, seat)
