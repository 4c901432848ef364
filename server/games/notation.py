"""Positions, logs and rounds as text, each of which reads back as what was written.

A position names its piles, one a line or parted by `;`, bottom to top, face-down cards in
brackets. Empty piles are left out; the stock's last card is dealt next:

    t0: [5H 6C] KS-9S 8H
    stock: [AS 2D]

A log holds an action a line, after the milliseconds since the round began:

    1523 t9x1-t4
    2210 deal

A round is a header, a blank line, and for each player a line `player: NAME` with the log
beneath it, indented.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from protocol.vocabulary import SEED_BYTES
from server.games.actions import Action, format_action, parse_action
from server.games.cards import EMPTY, Card, PileState, format_cards, parse_cards
from server.games.catalogue import replay, variant_of
from server.games.deals import numbered_deck, secret_deck
from server.games.errors import NotationError
from server.games.game import Game
from server.games.options import Rules

_TITLE = "Spider Race round, format 1"
_PILE = re.compile(r"\s*(?:\[(?P<down>[^][]*)\])?(?P<up>[^][]*)")
_ENTRY = re.compile(r"([0-9]{1,12}) (.+)", re.ASCII)
_YES_NO = {True: "yes", False: "no"}


class LogEntry(NamedTuple):
    """One action of a player, and when: milliseconds since the round began."""

    ms: int
    action: Action


@dataclass(frozen=True, slots=True)
class SecretDeal:
    """A deal from a seed of 16 bytes that salt kept from being guessed."""

    seed: bytes
    salt: bytes

    def deck(self, game: str) -> tuple[Card, ...]:
        """The deck of a game."""
        return secret_deck(game, self.seed)

    def lines(self) -> tuple[str, ...]:
        """What the header of a round says of it."""
        return ("deal: secret", f"seed: {self.seed.hex()}", f"salt: {self.salt.hex()}")


@dataclass(frozen=True, slots=True)
class SeededDeal:
    """A deal from a seed of 16 bytes that was known before the round: an open one."""

    seed: bytes

    def deck(self, game: str) -> tuple[Card, ...]:
        """The deck of a game."""
        return secret_deck(game, self.seed)

    def lines(self) -> tuple[str, ...]:
        """What the header of a round says of it."""
        return ("deal: seed", f"seed: {self.seed.hex()}")


@dataclass(frozen=True, slots=True)
class NumberedDeal:
    """One of PySolFC's deals."""

    number: int

    def deck(self, game: str) -> tuple[Card, ...]:
        """The deck of a game."""
        return numbered_deck(game, self.number)

    def lines(self) -> tuple[str, ...]:
        """What the header of a round says of it."""
        return ("deal: numbered", f"number: {self.number}")


RevealedDeal = SecretDeal | SeededDeal | NumberedDeal


class PlayerLog(NamedTuple):
    """What one player did in a round. The name is one line."""

    name: str
    entries: tuple[LogEntry, ...]


@dataclass(frozen=True, slots=True)
class Transcript:
    """A finished round: all that is needed to check and to watch it."""

    rules: Rules
    deal: RevealedDeal
    players: tuple[PlayerLog, ...]

    def deck(self) -> tuple[Card, ...]:
        """The deck that all players were dealt."""
        return self.deal.deck(self.rules.game)

    def replay(self, player: PlayerLog) -> Game:
        """The game of one of the players, as it ended.

        Raises:
            BadRules: the settings do not go together.
            IllegalAction: the log does not belong to this deal or these rules.
        """
        actions = (entry.action for entry in player.entries)
        return replay(self.rules, self.deck(), actions)


def format_position(game: Game) -> str:
    """The position of a game, every card of it."""
    lines = []
    for index, name in enumerate(game.variant.pile_names):
        down, cards = game.pile(index)
        if cards:
            hidden = f"[{format_cards(cards[:down])}]" if down else ""
            words = (f"{name}:", hidden, format_cards(cards[down:]))
            lines.append(" ".join(filter(None, words)))
    return "\n".join(lines)


def parse_position(rules: Rules, text: str) -> Game:
    """A game that goes on from a position, with nothing in its log.

    It need not hold all cards. `KS-9S` stands for a run.

    Raises:
        BadRules: the settings do not go together.
        NotationError: the text is no position of this game.
    """
    variant = variant_of(rules.game)
    variant.check(rules)
    piles = [EMPTY] * len(variant.piles)
    for line in filter(None, map(str.strip, re.split("[\n;]", text))):
        name, colon, cards = line.partition(":")
        found = _PILE.fullmatch(cards)
        if not colon or found is None:
            raise NotationError(f"not a pile: {line!r}")
        if name not in variant.pile_index:
            raise NotationError(f"{rules.game} has no pile {name!r}")
        down = parse_cards(found["down"] or "")
        piles[variant.pile_index[name]] = PileState(len(down), down + parse_cards(found["up"]))
    return variant.set_up(rules, piles)


def format_log(entries: Iterable[LogEntry], pile_names: Sequence[str]) -> str:
    """A log, an action a line."""
    return "\n".join(f"{ms} {format_action(action, pile_names)}" for ms, action in entries)


def parse_log(text: str, pile_names: Sequence[str]) -> tuple[LogEntry, ...]:
    """A log from an action a line; blank lines and indents are passed over.

    Raises:
        NotationError: a line is no time and action.
    """
    lines = filter(None, map(str.strip, text.split("\n")))
    return tuple(_parse_entry(line, pile_names) for line in lines)


def format_round(finished: Transcript) -> str:
    """A finished round as a text file, deck and all.

    Raises:
        NotationError: a player's name is not one line.
    """
    names = variant_of(finished.rules.game).pile_names
    players = (format_player(player.name, player.entries, names) for player in finished.players)
    head = format_head(finished.rules, finished.deal)
    return "".join([head, *(line for lines in players for line in lines)])


def format_head(rules: Rules, deal: RevealedDeal) -> str:
    """What a round's text begins with, before its players: the settings, the deal, the deck."""
    lines = [_TITLE]
    for field in fields(Rules):
        value = getattr(rules, field.name)
        lines.append(f"{field.name}: {_YES_NO[value] if isinstance(value, bool) else value}")
    lines += [*deal.lines(), f"deck: {format_cards(deal.deck(rules.game))}", "", ""]
    return "\n".join(lines)


def format_player(
    name: str, entries: Iterable[LogEntry], pile_names: Sequence[str]
) -> Iterator[str]:
    """A player's part of a round's text, line by line: a long one is the caller's to interrupt.

    Raises:
        NotationError: the name is not one line.
    """
    if "\n" in name:
        raise NotationError(f"not a name of one line: {name!r}")
    yield f"player: {name}\n"
    texts: dict[Action, str] = {}  # a long game has a few hundred different actions
    for ms, action in entries:
        text = texts.get(action)
        if text is None:
            text = texts[action] = format_action(action, pile_names)
        yield f"  {ms} {text}\n"


def parse_round(text: str) -> Transcript:
    """A finished round from its text, which `Transcript.replay` plays again.

    Raises:
        BadRules: the settings do not go together.
        BadDealNumber: there is no such numbered deal.
        NotationError: the text is no round, or its deck is not the one its deal gives.
    """
    head, _, body = text.partition("\n\n")
    title, *lines = head.split("\n")
    if title != _TITLE:
        raise NotationError(f"not a round: it begins with {title[:40]!r}")
    header = dict(_parse_field(line) for line in lines)
    try:
        rules = _take_rules(header)
        variant = variant_of(rules.game)
        variant.check(rules)
        deal = _take_deal(header)
        deck = parse_cards(header.pop("deck"))
    except KeyError as error:
        raise NotationError(f"the round does not say its {error.args[0]}") from None
    if header:
        raise NotationError(f"a round says nothing of {', '.join(header)}")
    finished = Transcript(rules, deal, tuple(_parse_players(body, variant.pile_names)))
    if deck != finished.deck():
        raise NotationError("the deck is not the one that the deal gives")
    return finished


def _parse_entry(line: str, pile_names: Sequence[str]) -> LogEntry:
    found = _ENTRY.fullmatch(line)
    if found is None:
        raise NotationError(f"not milliseconds and an action: {line!r}")
    return LogEntry(int(found[1]), parse_action(found[2], pile_names))


def _parse_field(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon or not (value == "" or value.startswith(" ")):
        raise NotationError(f"not a field of a round: {line!r}")
    return name, value.removeprefix(" ")


def _take_rules(header: dict[str, str]) -> Rules:
    values: dict[str, Any] = {}
    for field in fields(Rules):
        value = header.pop(field.name)
        values[field.name] = {"yes": True, "no": False}.get(value, value)
    return Rules(**values)


def _take_deal(header: dict[str, str]) -> RevealedDeal:
    source = header.pop("deal")
    try:
        if source == "numbered":
            return NumberedDeal(int(header.pop("number")))
        if source in {"secret", "seed"}:
            seed = bytes.fromhex(header.pop("seed"))
            # Older versions wrote the deal of a seed as a secret one with an empty salt.
            salt = bytes.fromhex(header.pop("salt")) if source == "secret" else None
            if len(seed) == SEED_BYTES:
                return SeededDeal(seed) if salt is None else SecretDeal(seed, salt)
    except ValueError as error:
        raise NotationError(f"not a deal: {error}") from None
    raise NotationError(f"not a {source} deal")


def _parse_players(body: str, pile_names: Sequence[str]) -> Iterable[PlayerLog]:
    name: str | None = None
    entries: list[LogEntry] = []
    for line in filter(None, body.split("\n")):
        if line.startswith("player: "):
            if name is not None:
                yield PlayerLog(name, tuple(entries))
            name, entries = line.removeprefix("player: "), []
        elif name is None or not line.startswith("  "):
            raise NotationError(f"not a line of a player: {line!r}")
        else:
            entries.append(_parse_entry(line.strip(), pile_names))
    if name is not None:
        yield PlayerLog(name, tuple(entries))
