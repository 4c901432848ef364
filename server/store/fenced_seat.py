"""A seat as its holder stores acts and hints in it."""

from server.store.keys import TTL_SECONDS, Keys
from server.store.packed_commands import pack
from server.store.scripts import COMMIT
from server.store.slots import NO_SLOT, slot_of


class FencedSeat:
    """A seat of a room in round `n`, held under `generation`.

    `keys` are those that a commit or a hint uses: of the room, the seat and its log. `slot` is
    that of the keys. `head` is the beginning of each commit, up to the last word: packing these
    bytes for each of them would double its cost. The store sets these three by `prepare` before
    it uses them.
    """

    __slots__ = ("code", "generation", "head", "keys", "n", "seat", "slot")

    def __init__(self, code: str, seat: int, n: int, generation: int) -> None:
        self.code = code
        self.seat = seat
        self.n = n
        self.generation = generation
        self.keys: tuple[str, ...] = ()
        self.slot = NO_SLOT
        self.head = b""

    def prepare(self, keys: Keys) -> None:
        """Set what is sent with each act and hint."""
        code, seat, n = self.code, self.seat, self.n
        touched = (keys.room(code), keys.seat(code, seat), keys.log(code, n, seat))
        words = ("EVALSHA", COMMIT.sha, len(touched), *touched, n, TTL_SECONDS, self.generation)
        _, packed = pack(*words).split(b"\r\n", 1)
        self.keys = touched
        self.slot = slot_of(touched[0])
        self.head = b"*%d\r\n%b" % (len(words) + 1, packed)
