from dataclasses import dataclass

from protocol.vocabulary import Exceptions, Layout, Score, UndoPolicy


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings of a room that define legal actions and scores.

    Settings that a game does not support must keep their defaults; `server.games.catalogue.check`
    refuses them otherwise. All players of a round share one object. With `relaxed_deal` the stock
    can be dealt as long as it has cards, on empty columns and on few cards alike.
    """

    game: str
    layout: Layout = "left4"
    auto_remove: bool = False
    relaxed_deal: bool = False
    undo: UndoPolicy = "no_reveal"
    exceptions: Exceptions = "off"
    score: Score = "woods"
