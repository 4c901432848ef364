"""The messages about a room, each serialized once for all its receivers."""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from protocol import codec
from protocol.to_client import MatchMessage
from server.rooms.record import Room, VersionedRoom
from server.views.finished_rounds import round_over
from server.views.match import match_key, match_view
from server.views.rooms import changes_since, includes_match, room_view

MATCHES = 16  # matches whose message is kept: of a hundred players and twelve rounds it has 120 KB
ROOM_HEAD = '{"type":"room","room":'


@dataclass(frozen=True)
class RoomMessages:
    """A version of a room, with its messages, each serialized once for all receivers."""

    latest: VersionedRoom
    _since: dict[int, str] = field(default_factory=dict, compare=False, repr=False)

    def since(self, last_sent: VersionedRoom | None) -> str:
        """Return the message for a client that was sent `last_sent` before.

        That is `changes` if only seats and the host of a large room have changed, else `room`.
        """
        if last_sent is None:
            return self.room_text
        text = self._since.get(last_sent.v)
        if text is None:
            changes = changes_since(last_sent.room, self.latest.room, self.latest.v)
            text = self.room_text if changes is None else codec.dump(changes)
            self._since[last_sent.v] = text
        return text

    @cached_property
    def room_text(self) -> str:
        """The `room` message."""
        return f"{ROOM_HEAD}{self.view_json}}}"

    @cached_property
    def view_json(self) -> str:
        """The view of the room, as it stands in the `room` and the `joined` message."""
        return room_view(self.latest.room, self.latest.v).model_dump_json()

    @cached_property
    def over_text(self) -> str:
        """The `round_over` message of a finished round."""
        return codec.dump(round_over(self.latest.room))

    @cached_property
    def match_text(self) -> str:
        """The `match` message."""
        return _match_text(_MatchSource(match_key(self.latest.room), self.latest.room))

    @property
    def includes_match(self) -> bool:
        """True if the `room` message contains the cards of the match."""
        return includes_match(self.latest.room)


@dataclass(frozen=True, slots=True)
class _MatchSource:
    """A room, equal to each other one whose match is the same."""

    key: object
    room: Room = field(compare=False)


@lru_cache(maxsize=MATCHES)
def _match_text(source: _MatchSource) -> str:
    """Return the `match` message; most changes of a room leave its match as it was."""
    return codec.dump(MatchMessage(match=match_view(source.room)))
