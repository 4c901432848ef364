from typing import NamedTuple


class Counts(NamedTuple):
    """The counts of a game: first of entries of its log, then of its position.

    An action that was undone still counts, and its redo counts as a redo.
    """

    moves: int  # the moves made
    deals: int  # the deals of the stock
    removals: int  # the suits removed by hand
    undos: int  # the undos
    redos: int  # the redos
    cheats: int  # the undos that count as cheats
    exceptions: int  # the moves of runs of mixed suits
    suits: int  # the suits removed, or the foundations filled
    home: int  # the cards in removed suits or on foundations
    face_down: int  # the face-down cards on the table, without the stock
    stock: int  # the cards in the stock
