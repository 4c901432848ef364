"""What the host of a room chooses. Every field has a default: `{}` is the friends' race."""

from typing import Annotated, Literal

from pydantic import Field

from protocol.base import Model

HIGHEST_NUMBER = 1_000_000_000
"""PySolFC's deal numbers go on, but these can be told over the telephone."""

GameId = Literal["spider-4", "spider-2", "spider-1"]


class Settings(Model):
    """The rules of a room's rounds; texts and their sources stand in RULES.md."""

    game: GameId = "spider-4"
    deal: Literal["secret", "numbered"] = "secret"
    number: Annotated[int, Field(ge=1, le=HIGHEST_NUMBER)] | None = None
    layout: Literal["left4", "spread"] = "left4"
    auto_remove: bool = False
    relaxed_deal: bool = False
    undo: Literal["no_reveal", "any", "off"] = "no_reveal"
    score: Literal["woods"] = "woods"
    ranking: Literal["first_home", "best_score"] = "first_home"
    time_limit_s: Annotated[int, Field(ge=10, le=86_400)] | None = 1800
    public: bool = False
