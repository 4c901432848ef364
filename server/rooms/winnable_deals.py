"""Secret deals in which a win is known, as they are found and as rounds play them. Pure.

A pool names the deals of one game by the rules on which a win depends: its layout, and whether
cards are dealt onto empty columns. Their lines let complete suits leave at once, so they serve
every undo policy and score, and after `lines.steps` rooms in which players remove suits
themselves.
"""

import struct
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from protocol.games import GAMES
from protocol.settings import Settings
from server.games.actions import Action
from server.games.rules import Rules


@dataclass(frozen=True, slots=True)
class WinnableDeal:
    """A secret deal with a line that wins it."""

    pool: str
    """The name of its pool."""
    seed: bytes
    """The seed of its cards."""
    line: tuple[Action, ...]
    """The actions that win, as the engine takes them."""


def pack_line(line: Sequence[Action]) -> str:
    """Return a line as a short text, two bytes an action."""
    return b64encode(struct.pack(f">{len(line)}H", *line)).decode()


def unpack_line(text: str) -> tuple[Action, ...]:
    """Return the line of a text of `pack_line`.

    Raises:
        ValueError, struct.error: The text is none of these.
    """
    data = b64decode(text, validate=True)
    return tuple(map(Action, struct.unpack(f">{len(data) // 2}H", data)))


def pool_of(settings: Settings) -> str | None:
    """Return the pool for rounds with these settings; None if a win need not be known."""
    if settings.deal != "secret" or not settings.winnable:
        return None
    return _name(settings.game, settings.layout, relaxed=settings.relaxed_deal)


def _name(game: str, layout: str, *, relaxed: bool) -> str:
    return f"{game}:{layout}:{'relaxed' if relaxed else 'strict'}"


def _pools() -> Mapping[str, Rules]:
    """Return the rules that each pool of deals is solved for, by its name."""
    found = {}
    for variant in GAMES.values():
        for layout in variant.layouts:
            for relaxed in (False, True) if "relaxed_deal" in variant.options else (False,):
                found[_name(variant.id, layout, relaxed=relaxed)] = Rules(
                    game=variant.id,
                    layout=layout,
                    auto_remove="auto_remove" in variant.options,
                    relaxed_deal=relaxed,
                    undo="off",
                    score=variant.scores[0],
                )
    return MappingProxyType(found)


POOLS: Final = _pools()
"""The rules by which the deals of each pool are solved, by its name."""
