"""What is told of a room: its messages, each written once for all who get them."""

from dataclasses import dataclass, field
from functools import cached_property

from protocol import codec
from protocol.to_client import Match
from protocol.to_client import Room as RoomMessage
from server.rooms.record import VersionedRoom
from server.views.finished_rounds import round_over
from server.views.match import match_view
from server.views.rooms import changes_since, match_comes_along, room_view


@dataclass(frozen=True)
class RoomMessages:
    """A room as it is now, with the messages that tell of it, each written once for all."""

    latest: VersionedRoom
    _since: dict[int, str] = field(default_factory=dict, compare=False, repr=False)

    def since(self, told: VersionedRoom | None) -> str:
        """The message for a listener who was sent `told` before: what changed, or the whole."""
        if told is None:
            return self.room_text
        text = self._since.get(told.v)
        if text is None:
            changes = changes_since(told.room, self.latest.room, self.latest.v)
            text = self.room_text if changes is None else codec.dump(changes)
            self._since[told.v] = text
        return text

    @cached_property
    def room_text(self) -> str:
        """The `room` message."""
        return codec.dump(RoomMessage(room=room_view(self.latest.room, self.latest.v)))

    @cached_property
    def over_text(self) -> str:
        """The `round_over` message of a finished round."""
        return codec.dump(round_over(self.latest.room))

    @cached_property
    def match_text(self) -> str:
        """The `match` message."""
        return codec.dump(Match(match=match_view(self.latest.room)))

    @property
    def match_comes_along(self) -> bool:
        """Whether the `room` message holds the cards of the match."""
        return match_comes_along(self.latest.room)
