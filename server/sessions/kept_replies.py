"""The ids and replies of a seat's earlier acts, so that no repeated act is applied twice."""

from protocol.from_client import Act
from server.games.actions import Action
from server.games.game import Game
from server.store import Commit, SeatRecord

Kept = tuple[int, int, int, str]  # the id, place and action of an act, and the reply to it


class KeptReplies:
    """The ids that a seat has used in a round, and the latest two replies.

    Clients send each act once per connection; older acts than these get the whole table.
    """

    __slots__ = ("_before", "_first_id", "_latest", "last_id")

    def __init__(self) -> None:
        self.last_id = 0
        self._first_id = 0  # of the round's first act; 0 if there is none, or it is unknown
        self._latest: Kept | None = None
        self._before: Kept | None = None  # the reply before it

    def load(self, record: SeatRecord | None, n: int) -> None:
        """Begin with the stored record of the seat in round `n`."""
        self.last_id = 0 if record is None else record.last_id
        self._first_id = 0 if record is None or record.n != n else record.first_id
        self._latest = self._before = None

    def taken(self, act_id: int, at: int) -> None:
        """Store the id of an act that is in flight to the store."""
        self.last_id = act_id
        if at == 0:
            self._first_id = act_id

    def keep(self, commit: Commit, text: str) -> None:
        """Store a reply that was sent."""
        # Not the commit or the message, which would stay in memory for each player.
        self._before = self._latest
        self._latest = (commit.id, commit.at, commit.action, text)

    def find(self, act: Act, action: Action | None) -> str | None:
        """Return the reply to a repeated act, which is this action, if it is kept."""
        for kept in (self._latest, self._before):
            if kept is not None and kept[0] == act.id and kept[1] == act.at:
                return kept[3] if kept[2] == action else None
        return None

    def is_logged(self, act: Act, action: Action | None, game: Game) -> bool:
        """Return whether an act is in the log, so that it is a repetition.

        The log has no ids but those of the first and the last entry. They grow from entry to
        entry, so they bound the id of each. An act of another round is outside these bounds.
        """
        behind = game.at - 1 - act.at
        highest = self.last_id - behind
        lowest = max(1, self._first_id) + act.at if behind else highest
        if behind < 0 or not lowest <= act.id <= highest:
            return False
        return game.action_at(act.at) == action


def same(one: Act, other: Act) -> bool:
    """Return whether two messages are the same act: `again` may differ, but nothing else."""
    return (one.id, one.at, one.action) == (other.id, other.at, other.action)
