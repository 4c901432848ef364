"""The settings that a host left open.

1. A setting is chosen if it stood in the message, with its default or with another value
   (`model_fields_set`). A chosen value is never changed here, not even where it clashes.
2. A setting that was left open gets its default, unless that would not fit what was chosen.
3. Rooms, stored or shown, hold complete settings only.
"""

from protocol.settings import Settings
from protocol.vocabulary import DealSource, Layout
from server.games.catalogue import kind_of
from server.games.kinds import GameKind

PYSOLFC_LAYOUT: Layout = "spread"
"""The layout in which a numbered deal is PySolFC's own table."""


def complete(chosen: Settings) -> Settings:
    """Return the settings with a fitting value for each one that was left open."""
    given = chosen.model_fields_set
    kind = kind_of(chosen.game)
    deal = chosen.deal if "deal" in given else _usual_deal(chosen)
    layout = chosen.layout if "layout" in given else _usual_layout(kind, deal)
    score = chosen.score if "score" in given else kind.scores[0]
    # RULES, Undo: "Under DOS scoring undo is off."
    undo = "off" if score == "dos" and "undo" not in given else chosen.undo
    return chosen.model_copy(update={"deal": deal, "layout": layout, "score": score, "undo": undo})


def _usual_deal(chosen: Settings) -> DealSource:
    """A number is for numbered deals, a seed for seeded ones; both at once clash."""
    match chosen.number, chosen.seed:
        case int(), None:
            return "numbered"
        case None, str():
            return "seed"
        case _:
            return chosen.deal


def _usual_layout(kind: GameKind, deal: DealSource) -> Layout:
    # RULES, Where a deal comes from.
    if deal == "numbered" and PYSOLFC_LAYOUT in kind.layouts:
        return PYSOLFC_LAYOUT
    return kind.layouts[0]
