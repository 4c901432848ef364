"""The deals of rounds, and whether they can be won. Pure, like `room.py`.

Some secret deals are known to be winnable (`solver/deal_kinds.py`): they have a line that wins. In
this line complete suits are removed at once, so it is valid for every undo policy and score.
`solve.steps` adapts it to rooms where players remove suits. The label of a numbered deal says
whether it can be won by the rules of the room.
"""

import struct
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from protocol.settings import Settings
from protocol.vocabulary import DEGREES, HIGHEST_NUMBER, DealLabel, Degree
from server.games.actions import ACTION_TEXTS, Action
from server.games.cards import Card
from server.games.deals import commitment, new_game, numbered_deck, secret_deck, set_up
from server.games.game import MAX_LOG_ENTRIES, Game
from server.games.rules import Rules
from server.rooms.record import DealRecord, Room, Round, next_game
from server.rooms.settings import rules_of
from server.solver.deal_kinds import DealKind, kind_name, searched_rules
from server.solver.solve import VerdictKind

SALT_BYTES = 16
DEALS_KEPT = 1_024  # deals cached: five megabytes, for a restart that brings back many rounds
LABELS: Final[dict[VerdictKind, DealLabel]] = {
    "won": "winnable",
    "unwinnable": "unwinnable",
    "unknown": "unknown",
}  # by the solver's verdict


@dataclass(frozen=True, slots=True)
class WinnableDeal:
    """A secret deal that can be won."""

    kind: DealKind
    seed: bytes
    line: tuple[Action, ...]  # actions that win
    degree: Degree | None = None  # how hard it was for the solver, if known


@dataclass(frozen=True, slots=True)
class Entropy:
    """The random part of a round. The caller draws it from the system's CSPRNG."""

    seed: bytes  # for a secret deal, or for drawing a number
    salt: bytes  # hides the seed in its commitment
    winnable: WinnableDeal | None = None  # for rooms that want a known win, if one was found


def pack_line(line: Sequence[Action]) -> str:
    """Pack a line into a short text: base64 of two bytes for each action."""
    return b64encode(struct.pack(f">{len(line)}H", *line)).decode()


def unpack_line(text: str) -> tuple[Action, ...]:
    """Unpack a text of `pack_line`; raise ValueError or struct.error for any other."""
    data = b64decode(text, validate=True)
    return tuple(map(Action, struct.unpack(f">{len(data) // 2}H", data)))


def deal_kind_of(settings: Settings) -> DealKind | None:
    """Return the kind of winnable deal that these settings ask for; None if they ask for none."""
    if settings.deal != "secret" or not settings.winnable:
        return None
    return kind_name(settings.game, settings.layout, relaxed=settings.relaxed_deal)


def draw_deal(settings: Settings, entropy: Entropy, games_before: int) -> DealRecord:
    """Draw the deal for a game of the match; a chosen number is for the first game."""
    if settings.deal == "seed":
        return DealRecord(seed=settings.seed)
    winnable = entropy.winnable
    if winnable is not None and winnable.kind == deal_kind_of(settings):
        known_win = {"line": pack_line(winnable.line), "degree": winnable.degree or ""}
        return DealRecord(seed=winnable.seed.hex(), salt=entropy.salt.hex(), **known_win)
    if settings.deal == "secret":
        return DealRecord(seed=entropy.seed.hex(), salt=entropy.salt.hex())
    if settings.number is None:
        return DealRecord(number=int.from_bytes(entropy.seed, "big") % HIGHEST_NUMBER + 1)
    return DealRecord(number=settings.number + games_before)


def deck_of(played: Round) -> tuple[Card, ...]:
    """Return all cards of the round, in the order of dealing."""
    return _dealt(rules_of(played.settings), played.deal.seed, played.deal.number)[0]


def deal_game(played: Round, max_entries: int = MAX_LOG_ENTRIES) -> Game:
    """Return a new game of the round for one player, with at most `max_entries` in its log."""
    game = dealt_game(played).copy()  # ten times as fast as dealing
    game.max_entries = max_entries
    return game


def dealt_game(played: Round) -> Game:
    """Return the round's game before the first act. It is shared: callers must not change it."""
    rules, deal = rules_of(played.settings), played.deal
    if deal.played:
        return _continued(rules, deal.seed, deal.number, deal.played)
    return _dealt(rules, deal.seed, deal.number)[1]


@lru_cache(maxsize=DEALS_KEPT)
def _continued(rules: Rules, seed: str | None, number: int | None, acts: str) -> Game:
    """Return a new game that starts where these packed acts of another game have led."""
    game = _dealt(rules, seed, number)[1].copy()
    for action in unpack_line(acts):
        game.replay(action)
    return set_up(rules, [game.pile(index) for index in range(len(game.variant.piles))])


@lru_cache(maxsize=DEALS_KEPT)
def _dealt(rules: Rules, seed: str | None, number: int | None) -> tuple[tuple[Card, ...], Game]:
    """Return the deck and the game for a seed in hex or, without one, for a number."""
    if seed is not None:
        deck = secret_deck(rules.game, bytes.fromhex(seed))
    else:
        assert number is not None, "a deal has a seed or a number"
        deck = numbered_deck(rules.game, number)
    return deck, new_game(rules, deck)


def commitment_of(deal: DealRecord) -> str | None:
    """Return SHA-256(seed || salt) in hex; None for deals that are not secret."""
    if deal.seed is None or deal.salt is None:
        return None
    return commitment(bytes.fromhex(deal.seed), bytes.fromhex(deal.salt))


def is_winnable(played: Round) -> bool | None:
    """Return whether the deal has a known win; None if the settings do not ask for one.

    It is None too if the game starts after some acts: the deal's winning line may not fit then.
    """
    is_asked = deal_kind_of(played.settings) is not None and not played.deal.played
    return bool(played.deal.line) if is_asked else None


def known_degree(played: Round) -> Degree | None:
    """Return how hard the deal was for the solver, if this release knows the degree."""
    stored = played.deal.degree if is_winnable(played) else ""
    return next((degree for degree in DEGREES if degree == stored), None)


def proof_of(played: Round) -> str | None:
    """Return a line that wins the deal, in notation, if one is known."""
    if not played.deal.line:
        return None
    return ACTION_TEXTS[played.settings.game].format_legal(unpack_line(played.deal.line))


class LabelledDeal(NamedTuple):
    """A numbered deal, with the rules for searching it."""

    number: int
    rules: Rules

    @property
    def key(self) -> str:
        """The key of the deal's label in the store."""
        rules = self.rules
        removal = "auto" if rules.auto_remove else "hand"
        name = kind_name(rules.game, rules.layout, relaxed=rules.relaxed_deal)
        return f"{name}:{removal}:{self.number}"


def numbered_deal(room: Room) -> LabelledDeal | None:
    """Return the numbered deal that a room plays next; None if its host has chosen no number."""
    settings, game = room.settings, next_game(room)
    if settings.deal != "numbered" or settings.number is None or game is None:
        return None
    rules = searched_rules(
        settings.game, settings.layout, settings.auto_remove, settings.relaxed_deal
    )
    return LabelledDeal(settings.number + game - 1, rules)


def shown_label(text: str | None, room: Room) -> DealLabel:
    """Return the label to show for a room's deal; a text that is not a label is `unknown`."""
    label: DealLabel = next((known for known in LABELS.values() if known == text), "unknown")
    # Moves of runs of mixed suits are not searched, so a proof does not cover them.
    return "unknown" if label == "unwinnable" and room.settings.exceptions != "off" else label
