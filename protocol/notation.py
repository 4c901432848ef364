"""The texts of cards, piles and actions in messages: the notation of `server/games/NOTATION.md`.

The patterns accept what the grammar there derives, in any game; whether a game has a pile is
judged with the action. Counts are those of possible moves.
"""

from typing import Annotated

from pydantic import Field

from protocol.vocabulary import (
    ACTION_PATTERN,
    CARD_PATTERN,
    HIDDEN_PILE_PATTERN,
    LEGAL_PATTERN,
    PILE_PATTERN,
)

CardName = Annotated[str, Field(pattern=CARD_PATTERN, examples=["TD"])]
"""The name of a card, rank then suit: `AS 2H ... TD JC QS KH`."""

PileName = Annotated[str, Field(pattern=PILE_PATTERN, examples=["t9", "stock"])]
"""The name of a pile: `t0`..., `u0`..., `l0`..., `f0`..., `stock`."""

HiddenPile = Annotated[
    str, Field(pattern=HIDDEN_PILE_PATTERN, examples=["[2] KS QS", "[50]", "3S 2S", ""])
]
"""A pile: the number of face-down cards in brackets, then the face-up cards, bottom to top."""

ActionText = Annotated[
    str,
    Field(
        pattern=ACTION_PATTERN,
        examples=["t9x2-t3", "t9x3-t4!", "remove t3", "deal", "undo", "redo", "finish"],
    ),
]
"""One action; `!` asks for an exception."""

LegalActions = Annotated[
    str, Field(pattern=LEGAL_PATTERN, examples=["t9x1-t4,remove t3,deal,undo", ""])
]
"""Actions joined by commas; the empty text for none."""
