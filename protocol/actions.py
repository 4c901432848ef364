"""What a player can do to a table; also the form in which legal actions are listed."""

from typing import Annotated, Literal

from pydantic import Field

from protocol.base import Model
from protocol.vocabulary import CARD_PATTERN, MAX_MOVE_COUNT

PileName = Annotated[str, Field(pattern=r"^[a-z]{1,8}[0-9]{0,2}$")]
"""A pile as the server names it: `t0`..., `f0`..., `stock`."""

CardName = Annotated[str, Field(pattern=CARD_PATTERN)]
"""Rank, then suit: `AS 2H ... TD JC QS KH`."""


class Move(Model):
    """The last `count` cards of one pile go on another."""

    type: Literal["move"] = "move"
    source: PileName = Field(alias="from")
    count: Annotated[int, Field(ge=1, le=MAX_MOVE_COUNT)]
    target: PileName = Field(alias="to")
    exception: bool = False


class Deal(Model):
    """The next cards of the stock go on the columns."""

    type: Literal["deal"] = "deal"


class Remove(Model):
    """The complete suit at the end of a pile leaves the table."""

    type: Literal["remove"] = "remove"
    source: PileName = Field(alias="from")


class Undo(Model):
    """The last move is taken back."""

    type: Literal["undo"] = "undo"


class Redo(Model):
    """The last move taken back is made again."""

    type: Literal["redo"] = "redo"


class Finish(Model):
    """The player ends a game that is won with suits on the table, or stuck."""

    type: Literal["finish"] = "finish"


Action = Annotated[
    Move | Deal | Remove | Undo | Redo | Finish,
    Field(discriminator="type"),
]
