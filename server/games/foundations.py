"""Little Spider's foundations: slots 1 and 2 build up from the ace, 3 and 4 down from the king.

The two foundations of a pair take one colour, which the first card played on any foundation
fixes. The colour is derived from the foundations and stored nowhere.

Source: text 5, "Little Spider"; RULES, Little Spider 1.
"""

from collections.abc import Sequence
from itertools import pairwise

from server.games.cards import ACE, KING, SUIT_RUNS, is_red, make_card, rank_of
from server.games.errors import NotationError

SLOTS = 4
UP_SLOTS = 2


def accepted_cards(foundations: Sequence[bytearray]) -> list[tuple[int, ...]]:
    """Return the cards that each foundation accepts next."""
    red_up = None
    for slot, foundation in enumerate(foundations):
        if foundation:
            red_up = is_red(foundation[-1]) is (slot < UP_SLOTS)
            break
    return [
        _NEXT[slot][foundation[-1]] if foundation else _FIRST[red_up][slot]
        for slot, foundation in enumerate(foundations)
    ]


def can_start(slot: int, card: int) -> bool:
    """Return whether a card can start a foundation while no colour is fixed."""
    return card in _FIRST[None][slot]


def check_foundations(foundations: Sequence[bytearray]) -> None:
    """Refuse foundations that no game can build.

    Raises:
        NotationError: A foundation is not built in sequence from its first card.
    """
    for slot, foundation in enumerate(foundations):
        cards = (0, *foundation)
        for last, card in pairwise(cards):
            if card not in (_NEXT[slot][last] if last else _FIRST[None][slot]):
                raise NotationError(f"foundation {slot + 1} is not built from its first card on")


def _next_cards(*, up: bool) -> dict[int, tuple[int, ...]]:
    """Return the cards that can follow each card on a foundation, at most one."""
    last, step = (KING, 1) if up else (ACE, -1)
    return {
        card: () if rank_of(card) == last else (card + step,) for run in SUIT_RUNS for card in run
    }


def _first_cards(red_up: bool | None) -> list[tuple[int, ...]]:  # noqa: FBT001  # one of three
    """Return the cards that can start each slot; with None, cards of both colours."""
    slots: list[tuple[int, ...]] = []
    for slot in range(SLOTS):
        up = slot < UP_SLOTS
        cards = [make_card(ACE if up else KING, suit) for suit in range(4)]
        slots.append(
            tuple(card for card in cards if red_up is None or is_red(card) is (red_up is up))
        )
    return slots


_NEXT = [_next_cards(up=slot < UP_SLOTS) for slot in range(SLOTS)]
_FIRST = {red_up: _first_cards(red_up) for red_up in (None, False, True)}
