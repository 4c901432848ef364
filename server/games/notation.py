"""Positions, logs and rounds as text; every text parses back to the value it was made from.

`NOTATION.md` specifies the texts of piles and actions of which they consist.

A position names its piles, one a line or separated by `;`, bottom to top, face-down cards in
brackets. Empty piles are omitted; the stock's last card is dealt next:

    t0: [5H 6C] KS-9S 8H
    stock: [AS 2D]

A log holds one action a line, after the milliseconds since the round began:

    1523 t9x1-t4
    2210 deal

A round is a header, a blank line, and for each player a line `player: NAME` with the log
beneath it, indented.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from protocol.games import GAMES
from protocol.vocabulary import SEED_BYTES
from server.games.actions import Action, format_action, parse_action
from server.games.cards import EMPTY, Card, PileState, format_cards, format_pile, parse_cards
from server.games.deals import numbered_deck, replay, secret_deck, set_up
from server.games.errors import NotationError
from server.games.game import Game
from server.games.rules import Rules, check_rules

_TITLE = "Spider Race round, format 1"
_PILE = re.compile(r"\s*(?:\[(?P<down>[^][]*)\])?(?P<up>[^][]*)")
_ENTRY = re.compile(r"(0|[1-9][0-9]{0,11}) (.+)", re.ASCII)
_YES_NO = {True: "yes", False: "no"}


class LogEntry(NamedTuple):
    """One action of a player, with its time."""

    ms: int  # milliseconds since the round began
    action: Action  # the action, as the engine has it


@dataclass(frozen=True, slots=True)
class SecretDeal:
    """A deal from a secret seed of 16 bytes; the salt hides the seed in the commitment."""

    seed: bytes
    salt: bytes

    def deck(self, game: str) -> tuple[Card, ...]:
        """Return the deck of a game."""
        return secret_deck(game, self.seed)

    def header_lines(self) -> tuple[str, ...]:
        """Return the fields of the deal in the header of a round."""
        return ("deal: secret", f"seed: {self.seed.hex()}", f"salt: {self.salt.hex()}")


@dataclass(frozen=True, slots=True)
class SeededDeal:
    """An open deal: its seed of 16 bytes was known before the round."""

    seed: bytes

    def deck(self, game: str) -> tuple[Card, ...]:
        """Return the deck of a game."""
        return secret_deck(game, self.seed)

    def header_lines(self) -> tuple[str, ...]:
        """Return the fields of the deal in the header of a round."""
        return ("deal: seed", f"seed: {self.seed.hex()}")


@dataclass(frozen=True, slots=True)
class NumberedDeal:
    """An open deal: one of PySolFC's deals, by its number."""

    number: int

    def deck(self, game: str) -> tuple[Card, ...]:
        """Return the deck of a game."""
        return numbered_deck(game, self.number)

    def header_lines(self) -> tuple[str, ...]:
        """Return the fields of the deal in the header of a round."""
        return ("deal: numbered", f"number: {self.number}")


RevealedDeal = SecretDeal | SeededDeal | NumberedDeal


class PlayerLog(NamedTuple):
    """The log of one player in a round; the name is one line."""

    name: str
    entries: tuple[LogEntry, ...]


@dataclass(frozen=True, slots=True)
class Transcript:
    """A finished round, with everything needed to check and to replay it."""

    rules: Rules
    deal: RevealedDeal
    players: tuple[PlayerLog, ...]

    def deck(self) -> tuple[Card, ...]:
        """Return the deck that was dealt to all players."""
        return self.deal.deck(self.rules.game)

    def replay(self, player: PlayerLog) -> Game:
        """Return the final game of one of the players.

        Raises:
            BadRules: The settings do not go together.
            IllegalAction: The log does not belong to this deal or these rules.
        """
        actions = (entry.action for entry in player.entries)
        return replay(self.rules, self.deck(), actions)


def format_position(game: Game) -> str:
    """Return the position of a game as text, face-down cards included."""
    lines = []
    for index, name in enumerate(game.variant.pile_names):
        if text := format_pile(game.pile(index), hidden=False):
            lines.append(f"{name}: {text}")
    return "\n".join(lines)


def parse_position(rules: Rules, text: str) -> Game:
    """Return a game that continues from a position, with an empty log.

    The position need not hold all cards. `KS-9S` stands for a run.

    Raises:
        BadRules: The settings do not go together.
        NotationError: The text is not a position of this game.
    """
    check_rules(rules)
    variant = GAMES[rules.game]
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
    return set_up(rules, piles)


def format_log(entries: Iterable[LogEntry], pile_names: Sequence[str]) -> str:
    """Return a log as text, one action a line."""
    return "\n".join(f"{ms} {format_action(action, pile_names)}" for ms, action in entries)


def parse_log(text: str, pile_names: Sequence[str]) -> tuple[LogEntry, ...]:
    """Return the log of a text with one action a line; blank lines and indents are ignored.

    Raises:
        NotationError: A line is not a time and an action.
    """
    lines = filter(None, map(str.strip, text.split("\n")))
    return tuple(_parse_entry(line, pile_names) for line in lines)


def format_round(transcript: Transcript) -> str:
    """Return a finished round as text, deck included.

    Raises:
        NotationError: A player's name is not one line.
    """
    names = GAMES[transcript.rules.game].pile_names
    players = (format_player(player.name, player.entries, names) for player in transcript.players)
    head = format_head(transcript.rules, transcript.deal)
    return "".join([head, *(line for lines in players for line in lines)])


def format_head(rules: Rules, deal: RevealedDeal) -> str:
    """Return the head of a round's text: the settings, the deal and the deck."""
    lines = [_TITLE]
    for field in fields(Rules):
        value = getattr(rules, field.name)
        lines.append(f"{field.name}: {_YES_NO[value] if isinstance(value, bool) else value}")
    lines += [*deal.header_lines(), f"deck: {format_cards(deal.deck(rules.game))}", "", ""]
    return "\n".join(lines)


def format_player(
    name: str, entries: Iterable[LogEntry], pile_names: Sequence[str]
) -> Iterator[str]:
    """Yield a player's part of a round's text, line by line, so that the caller can pause.

    Raises:
        NotationError: The name is not one line.
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
    """Return the finished round of a text; logs are checked by `Transcript.replay` alone.

    Raises:
        BadRules: The settings do not go together.
        BadDealNumber: No numbered deal has this number.
        NotationError: The text is not a round, or its deck does not match its deal.
    """
    head, _, body = text.partition("\n\n")
    title, *lines = head.split("\n")
    if title != _TITLE:
        raise NotationError(f"not a round: it begins with {title[:40]!r}")
    header = dict(_parse_field(line) for line in lines)
    try:
        rules = _take_rules(header)
        check_rules(rules)
        deal = _take_deal(header)
        deck = parse_cards(header.pop("deck"))
    except KeyError as error:
        raise NotationError(f"the round has no field {error.args[0]}") from None
    if header:
        raise NotationError(f"a round has no fields {', '.join(header)}")
    transcript = Transcript(rules, deal, tuple(_parse_players(body, GAMES[rules.game].pile_names)))
    if deck != transcript.deck():
        raise NotationError("the deck does not match the deal")
    return transcript


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
    """Return the deal of a header, and remove its fields from there."""
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
    """Yield the log of each player, from the text below the header."""
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
