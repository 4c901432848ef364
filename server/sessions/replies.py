"""The ids and replies of a seat's earlier acts, so that no repeated act is applied twice."""

from protocol.from_client import Act
from server.games.errors import IllegalAction
from server.games.game import Game
from server.sessions.acts import engine_action
from server.store import SeatRecord

ActKey = tuple[int, int, str]
"""The id, place and action of an act: two messages with the same three are the same act."""

REPLIES_KEPT = 2
"""Replies kept: clients send each act once per connection; older acts get the whole table."""


class Replies:
    """The ids that a seat has used in a round, and the latest replies."""

    __slots__ = ("_first_id", "_kept", "last_id")

    def __init__(self) -> None:
        self.last_id = 0
        self._first_id = 0  # of the round's first act; 0 if there is none, or it is unknown
        self._kept: list[tuple[ActKey, str]] = []

    def load(self, record: SeatRecord | None, n: int) -> None:
        """Begin with the stored record of the seat in round `n`."""
        self.last_id = 0 if record is None else record.last_id
        self._first_id = 0 if record is None or record.n != n else record.first_id
        self._kept.clear()

    def taken(self, act: Act) -> None:
        """Store the id of an act that is in flight to the store."""
        self.last_id = act.id
        if act.at == 0:
            self._first_id = act.id

    def keep(self, act: Act, text: str) -> None:
        """Store a reply that was sent."""
        self._kept.append((_key(act), text))
        del self._kept[:-REPLIES_KEPT]

    def find(self, act: Act) -> str | None:
        """Return the reply to a repeated act, if it is kept."""
        key = _key(act)
        return next((text for kept, text in self._kept if kept == key), None)

    def is_logged(self, act: Act, game: Game) -> bool:
        """Return whether the log has this action at this place, as far as the id can show.

        Ids grow from entry to entry, and those of the round's first and last entry are known. So
        the same action at the same place of another round is not taken for this one.
        """
        behind = game.at - 1 - act.at
        highest = self.last_id - behind
        lowest = max(1, self._first_id) + act.at if behind else highest
        if behind < 0 or not lowest <= act.id <= highest:
            return False
        try:
            return game.action_at(act.at) == engine_action(game.variant, act.action)
        except IllegalAction:
            return False


def same(one: Act, other: Act) -> bool:
    """Return whether two messages are the same act: `again` may differ, but nothing else."""
    return _key(one) == _key(other)


def _key(act: Act) -> ActKey:
    # Kept instead of the message, which takes half a kilobyte of each player's memory.
    return act.id, act.at, act.action
