"""The actions of a player at a table, which is also the form of the legal actions of a table."""

from typing import Annotated, Literal

from pydantic import Field

from protocol.base import Model
from protocol.vocabulary import CARD_PATTERN, MAX_MOVE_COUNT

PileName = Annotated[str, Field(pattern=r"^[a-z]{1,8}[0-9]{0,2}$")]
"""The name of a pile: `t0`..., `f0`..., `stock`."""

CardName = Annotated[str, Field(pattern=CARD_PATTERN)]
"""The name of a card, rank then suit: `AS 2H ... TD JC QS KH`."""


class Move(Model):
    """Move the last `count` cards of one pile to another."""

    type: Literal["move"] = "move"
    source: PileName = Field(alias="from")
    count: Annotated[int, Field(ge=1, le=MAX_MOVE_COUNT)]
    target: PileName = Field(alias="to")
    exception: bool = False


class Deal(Model):
    """Deal the next cards of the stock to the columns."""

    type: Literal["deal"] = "deal"


class Remove(Model):
    """Remove the complete suit at the end of a pile from the table."""

    type: Literal["remove"] = "remove"
    source: PileName = Field(alias="from")


class Undo(Model):
    """Take back the last action."""

    type: Literal["undo"] = "undo"


class Redo(Model):
    """Make the last undone action again."""

    type: Literal["redo"] = "redo"


class Finish(Model):
    """End a game that is stuck, or won with suits on the table."""

    type: Literal["finish"] = "finish"


Action = Annotated[
    Move | Deal | Remove | Undo | Redo | Finish,
    Field(discriminator="type"),
]
