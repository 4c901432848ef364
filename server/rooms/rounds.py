"""Rules, deal and stats of a round, from the settings of its room. Pure, like the room."""

from dataclasses import fields
from functools import lru_cache
from typing import NamedTuple

from protocol.settings import DEAL_EXCLUSIONS, Settings
from protocol.vocabulary import HIGHEST_NUMBER, SettingsClash
from server.games.actions import ACTION_TEXTS
from server.games.cards import Card
from server.games.deals import commitment, new_game, numbered_deck, secret_deck
from server.games.errors import BadRules
from server.games.game import MAX_LOG_ENTRIES, Game
from server.games.rules import Rules, check_rules
from server.rooms.events import Entropy
from server.rooms.record import DealRecord, PlayerStats, Round
from server.rooms.stats_texts import counted_on_table
from server.rooms.winnable_deals import pack_line, pool_of, unpack_line

SALT_BYTES = 16
DEALS_KEPT = 1_024
"""Deals that are cached, at most: five megabytes. After a restart players of many rounds return at
once, and each of them needs the deal several times.
"""


@lru_cache(maxsize=256)
def rules_of(settings: Settings) -> Rules:
    """Return the engine's rules for a room's settings; one object for all players of a round."""
    return Rules(**{field.name: getattr(settings, field.name) for field in fields(Rules)})


class Clash(NamedTuple):
    """Settings that exclude each other, and the reason."""

    reason: SettingsClash
    fields: tuple[str, ...]


def clash_in(settings: Settings) -> Clash | None:
    """Return the first clash of settings that exclude each other, or None."""
    for exclusion in DEAL_EXCLUSIONS:
        if exclusion.holds_for(settings):
            return Clash(exclusion.reason, tuple(exclusion.values))
    try:
        check_rules(rules_of(settings))
    except BadRules as error:
        return Clash(SettingsClash(error.code), error.fields)
    return None


def draw_deal(settings: Settings, entropy: Entropy, step: int) -> DealRecord:
    """Return the deal of a new round, the game at `step` (from 0) of its match's card.

    Numbered deals count along the card; an open number is drawn.
    """
    if settings.deal == "seed":
        return DealRecord(seed=settings.seed)
    known = entropy.winnable
    if known is not None and known.pool == pool_of(settings):
        return DealRecord(
            seed=known.seed.hex(), salt=entropy.salt.hex(), line=pack_line(known.line)
        )
    if settings.deal == "secret":
        return DealRecord(seed=entropy.seed.hex(), salt=entropy.salt.hex())
    if settings.number is None:
        return DealRecord(number=int.from_bytes(entropy.seed, "big") % HIGHEST_NUMBER + 1)
    return DealRecord(number=settings.number + step)


@lru_cache(maxsize=DEALS_KEPT)
def _deck(game: str, seed: str | None, number: int | None) -> tuple[Card, ...]:
    if seed is not None:
        return secret_deck(game, bytes.fromhex(seed))
    assert number is not None, "a deal has a seed or a number"
    return numbered_deck(game, number)


def deck_of(played: Round) -> tuple[Card, ...]:
    """Return all cards of the round, in the order of dealing."""
    return _deck(played.settings.game, played.deal.seed, played.deal.number)


def deal_game(played: Round, max_entries: int = MAX_LOG_ENTRIES) -> Game:
    """Return a new game of the round, for one player; a copy, which costs a tenth of a deal."""
    game = dealt_game(played).copy()
    game.max_entries = max_entries
    return game


def dealt_game(played: Round) -> Game:
    """Return the round's game before the first move. Callers share it and must not change it."""
    return _dealt(rules_of(played.settings), deck_of(played))


@lru_cache(maxsize=DEALS_KEPT)
def _dealt(rules: Rules, deck: tuple[Card, ...]) -> Game:
    return new_game(rules, deck)


def commitment_of(deal: DealRecord) -> str | None:
    """Return SHA-256(seed || salt) of a secret deal, in hex; None for an open one."""
    if deal.seed is None or deal.salt is None:
        return None
    return commitment(bytes.fromhex(deal.seed), bytes.fromhex(deal.salt))


def is_winnable(played: Round) -> bool | None:
    """Return whether a win is known; None in rounds of which nobody asked for that."""
    return None if pool_of(played.settings) is None else bool(played.deal.line)


def proof_of(played: Round) -> str | None:
    """Return the line that wins the deal, as texts of actions; None if none is known."""
    if not played.deal.line:
        return None
    return ACTION_TEXTS[played.settings.game].format_legal(unpack_line(played.deal.line))


def stats_of(game: Game, restored: int = 0) -> PlayerStats:
    """Return the stats of a game without times and hints, which only the store has."""
    counts = game.counts
    return PlayerStats(
        score=game.score,
        moves=counts.moves,
        suits=counts.suits,
        home=counts.home,
        face_down=counts.face_down,
        cheats=counts.cheats,
        exceptions=counts.exceptions,
        restored=restored,
        on_table=counted_on_table(game),
        won=game.outcome == "won",
        has_acted=game.at > 0,
    )


@lru_cache(maxsize=256)
def _opening(rules: Rules) -> PlayerStats:
    # Columns begin with one face-up card each and nothing is home, whatever the deal. Dealing each
    # one would cost a quarter of a server with thousands of rooms.
    return stats_of(new_game(rules, numbered_deck(rules.game, 1)))


def opening_stats(played: Round) -> PlayerStats:
    """Return the stats of a player before the first act; they are the same in all deals."""
    return _opening(rules_of(played.settings))
