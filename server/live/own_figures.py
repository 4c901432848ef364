"""The figures of the seats whose acts this process stores, taken into their rooms' standings."""

from server.live.local_room import LocalRoom
from server.live.publications import Publications
from server.live.standings import Standings
from server.store import SeatFigures


class OwnFigures:
    """The figures of this process's seats, for its subscribers and for other processes.

    `rooms` are the rooms with subscribers here; figures of other rooms are dropped.
    """

    def __init__(
        self, rooms: dict[str, LocalRoom], standings: Standings, publications: Publications
    ) -> None:
        self._rooms = rooms
        self._standings = standings
        self._publications = publications

    def changed(self, code: str, figures: SeatFigures) -> None:
        """Take the figures of a seat after an act or a hint of it that was stored here."""
        local = self._rooms.get(code)
        if local is not None:
            self._standings.learn(local, figures)
            self._publications.changed(local, figures.seat)

    def read(self, code: str, figures: SeatFigures) -> None:
        """Take the figures of a seat as its table has read them; older ones cause a read."""
        local = self._rooms.get(code)
        if local is not None:
            self._standings.replace(local, figures)
            # An act that was stored without an answer, or by a process that has died since.
            self._publications.changed(local, figures.seat)
