from dataclasses import dataclass

from protocol.vocabulary import Exceptions, Layout, Score, UndoPolicy


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings of a room that define legal actions and scores.

    Settings that a game does not support must keep their defaults, or
    `server.games.catalogue.check_rules` refuses them. All players of a round share one object.
    """

    game: str  # the id of the game
    layout: Layout = "left4"  # the columns of Spider's four extra cards
    auto_remove: bool = False
    """Whether a complete suit is removed at once, without an action of its player."""
    relaxed_deal: bool = False  # whether the stock can be dealt on empty columns, and on few cards
    undo: UndoPolicy = "no_reveal"  # the actions that can be undone
    exceptions: Exceptions = "off"  # the moves of runs of mixed suits that are allowed
    score: Score = "woods"  # the score of the game
