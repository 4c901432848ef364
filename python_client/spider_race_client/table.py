"""A player's table as that player may see it: piles, legal actions, counts and score."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from protocol.games import GAMES, GameId
from protocol.to_client import Acted
from protocol.views import CountsView, TableSnapshot
from protocol.vocabulary import Outcome

_COPIED = ("at", "score", "elapsed_ms", "outcome", "stuck")  # from each `acted`


@dataclass(frozen=True, slots=True)
class Pile:
    """One pile: the number of its face-down cards, and the face-up cards on them."""

    face_down: int
    cards: tuple[str, ...]  # bottom to top, rank first: `("KS", "QS")`

    @classmethod
    def parse(cls, text: str) -> "Pile":
        """Return the pile of a text such as `[2] KS QS`: two cards face down, two face up."""
        words = text.split()
        if words and words[0].startswith("["):
            return cls(int(words[0][1:-1]), tuple(words[1:]))
        return cls(0, tuple(words))


@dataclass(frozen=True, slots=True)
class Table:
    """A player's table at one time; each act makes a new one."""

    seat: int
    game: GameId
    at: int  # how many entries of the seat's log are applied
    last_id: int  # the highest id of an act among them
    piles: Mapping[str, Pile]  # by name, in the order of the game
    legal: tuple[str, ...]  # all legal actions, as texts for `Race.act`
    score: int
    counts: CountsView  # moves, deals, suits, face-down cards and others
    elapsed_ms: int  # the player's time at the latest act
    outcome: Outcome | None  # how the game ended; None while it goes on
    stuck: str | None  # why no move, deal or removal is left

    @classmethod
    def of(cls, shown: TableSnapshot) -> "Table":
        """Make a table from the snapshot in a message."""
        piles = dict(zip(GAMES[shown.game].pile_names, map(Pile.parse, shown.piles), strict=True))
        fields = {name: getattr(shown, name) for name in cls.__dataclass_fields__}
        fields |= {"piles": MappingProxyType(piles), "legal": _actions(shown.legal)}
        return cls(**fields)

    def after(self, acted: Acted) -> "Table":
        """Return the table after an act, or the same one if it has that act already."""
        if acted.at <= self.at:
            return self
        changed = {name: Pile.parse(text) for name, text in acted.piles.items()}
        return replace(
            self,
            last_id=max(self.last_id, acted.id),
            piles=MappingProxyType({**self.piles, **changed}),
            legal=_actions(acted.legal),
            counts=self.counts.model_copy(update=acted.counts),
            **{name: getattr(acted, name) for name in _COPIED},
        )


def _actions(legal: str) -> tuple[str, ...]:
    return tuple(legal.split(",")) if legal else ()
