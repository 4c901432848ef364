"""The job of a computer player: the server that makes its seat writes it, a taker reads it."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from protocol.vocabulary import BotLevel, BotPace

JOB = "bot"
"""The kind of the job."""


class BotJob(BaseModel):
    """The seat that a computer player takes."""

    # Errors, which are logged, must not quote a token.
    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    room: str
    """The code of the room."""
    seat: Annotated[int, Field(ge=0)]
    """The number of the seat."""
    token: Annotated[str, Field(repr=False)]
    """The secret that opens the seat."""
    level: BotLevel
    """The strength of the player."""
    pace: BotPace = "usual"
    """How fast it plays, beside the usual pace of its strength."""
    stand_in: bool = False
    """Whether it only finishes the game of the seat's owner, who is gone."""
