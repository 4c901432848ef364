from dataclasses import dataclass

from protocol.vocabulary import Exceptions, Layout, Score, UndoPolicy


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings of a room that decide what is legal and what it is worth.

    A value that a game does not know must be left at its default; `server.games.catalogue.check`
    says which. The same object serves all players of a round. With `relaxed_deal` the stock can
    be dealt as long as it has cards, on empty columns and on few cards alike.
    """

    game: str
    layout: Layout = "left4"
    auto_remove: bool = False
    relaxed_deal: bool = False
    undo: UndoPolicy = "no_reveal"
    exceptions: Exceptions = "off"
    score: Score = "woods"
