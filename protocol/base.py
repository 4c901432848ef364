"""The base of all messages, and texts in the notation of `server/games/NOTATION.md`.

The patterns accept everything that the grammar there derives, in any game. Whether a game has a
pile is checked with the action. The counts are those that a move can have.
"""

import re
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from protocol import vocabulary


class Model(BaseModel):
    """The base of messages and their parts: frozen, and strict about fields and types."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, json_schema_serialization_defaults_required=True
    )


class Message(Model):
    """The base of messages. Their `type` is the name of the class: `take_over` for `TakeOver`.

    A `Message` at the end is left out: `room` for `RoomMessage`.
    """

    if TYPE_CHECKING:
        type: ClassVar[str]

    def __init_subclass__(cls, *, is_base: bool = False, **config: Any) -> None:
        """Give a message the field `type`; a base of several messages has none."""
        super().__init_subclass__(**config)
        if not is_base:
            words = re.findall("[A-Z][a-z]+", cls.__name__.removesuffix("Message"))
            name = "_".join(words).lower()
            cls.__annotations__ = {"type": Literal[name], **cls.__annotations__}
            cls.type = name


CardName = Annotated[str, Field(pattern=vocabulary.CARD_PATTERN, examples=["TD"])]
PileName = Annotated[str, Field(pattern=vocabulary.PILE_PATTERN, examples=["t9", "stock"])]
# The number of face-down cards in brackets, then the face-up cards, bottom to top.
_PILES = ["[2] KS QS", "[50]", "3S 2S", ""]
HiddenPile = Annotated[str, Field(pattern=vocabulary.HIDDEN_PILE_PATTERN, examples=_PILES)]
_ACTIONS = ["t9x2-t3", "t9x3-t4!", "remove t3", "deal", "undo", "redo", "finish"]
ActionText = Annotated[str, Field(pattern=vocabulary.ACTION_PATTERN, examples=_ACTIONS)]
# Joined by commas; the empty text for none.
_LEGAL = ["t9x1-t4,remove t3,deal,undo", ""]
LegalActions = Annotated[str, Field(pattern=vocabulary.LEGAL_PATTERN, examples=_LEGAL)]
