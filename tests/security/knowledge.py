"""Checks that nobody in a play receives information too early, or at all.

It knows the deck and the logs, replays every game, and so finds out for each frame which cards
lay open on its table.
"""

import base64
import re
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from protocol.codec import TO_CLIENT
from protocol.settings import Settings
from server.games.actions import Action, format_action, parse_action
from server.games.cards import card_names
from server.games.deals import new_game, numbered_deck, secret_deck
from server.games.errors import NotationError
from server.games.game import Game
from server.rooms.settings import rules_of
from tests.games.texts import parse_hidden_pile
from tests.players import read_table
from tests.world.world import Place, Sent, World

CARD = re.compile(r"(?<![A-Za-z0-9])[A2-9TJQK][SHDC](?![A-Za-z0-9])")
WORD = re.compile(r"[\w-]+")
ROUND_PATH = re.compile(r"GET /api/rooms/[^/]+/rounds/(\d+)")


class Leak(AssertionError):
    """A text contains information that its recipient may not have."""


def forms(secret: bytes) -> Iterator[str]:
    """Yield every notation in which these bytes could appear."""
    yield secret.hex()
    yield secret.hex().upper()
    yield secret.hex(" ")
    for encoded in (base64.b64encode(secret), base64.urlsafe_b64encode(secret)):
        yield encoded.decode().rstrip("=")
    yield ", ".join(map(str, secret))
    yield ",".join(map(str, secret))
    yield str(int.from_bytes(secret, "big"))
    yield str(int.from_bytes(secret, "little"))
    yield repr(secret)[2:-1]
    yield secret[::-1].hex()


def strings(message: Any) -> Iterator[str]:
    """Yield every string of a message, including field names."""
    if isinstance(message, str):
        yield message
    elif isinstance(message, list):
        for part in message:
            yield from strings(part)
    elif isinstance(message, dict):
        for name, part in message.items():
            yield name
            yield from strings(part)


def ends(world: World) -> dict[int, int]:
    """Return the end of each finished round (ms since the epoch), from the sent texts."""
    found: dict[int, int] = {}
    for sent in world.received:
        room = sent.message().get("room")
        if isinstance(room, dict) and room["state"] == "FINISHED":
            n = room["round"]["n"]
            found[n] = min(sent.ms, found.get(n, sent.ms))
    return found


def check(world: World) -> None:
    """Check all texts of a play against the information that their recipients may have.

    Raises:
        Leak: information was sent too early, or to the wrong recipient.
    """
    over = ends(world)
    rooms: dict[str, dict[str, Any]] = {}
    _check_codes(world.received)
    for sent in world.received:
        _check_secrets(world, sent, over)
        path = ROUND_PATH.match(sent.who)
        if path and sent.text.startswith("200") and over.get(int(path[1]), 1 << 62) > sent.ms:
            raise Leak(f"{sent.who} was answered")
        message = sent.message()
        if not message:
            continue
        try:
            TO_CLIENT.validate_json(sent.text)
        except ValidationError as error:
            raise Leak(f"not a message of the contract: {sent}") from error
        if "room" in message:
            rooms[sent.who] = message["room"]
        _check_cards(world, sent, message, rooms.get(sent.who, {}))


def _check_secrets(world: World, sent: Sent, over: dict[int, int]) -> None:
    for n in range(1, world.started() + 2):
        if over.get(n, 1 << 62) <= sent.ms:
            continue
        entropy = world.entropies.entropy(n)
        for secret in (entropy.seed, entropy.salt):
            for form in forms(secret):
                if form in sent.text:
                    raise Leak(f"round {n}: {form} in {sent}")
    for who, person in world.people.items():
        message = sent.who == who and sent.message().get("type") == "joined"
        if person.token and not message and person.token in WORD.findall(sent.text):
            raise Leak(f"the token of {who} in {sent}")


def _check_codes(received: list[Sent]) -> None:
    """Check that codes that move seats were sent only to the owners of the seats."""
    given = [sent for sent in received if sent.text.startswith('{"type":"carry_code"')]
    for sent in given:
        code = sent.message()["code"]
        for other in received:
            if code in other.text and (other.who != sent.who or other not in given):
                raise Leak(f"the code of {sent.who} in {other}")


def _check_cards(world: World, sent: Sent, message: dict[str, Any], room: dict[str, Any]) -> None:
    kind = message["type"]
    if kind == "round_over":
        return
    seat = world.people[sent.who].seat
    table = message.get("table")
    if kind == "acted":
        game = _game(world, room, seat, message["at"])
        _check_piles(sent, game, message["piles"])
        _check_legal(sent, game, message["legal"])
    elif table is not None:
        game = _game(world, room, table["seat"], table["at"])
        # After their game people may watch all boards, even their own.
        if table["seat"] != seat or (not table["legal"] and game.legal_actions()):
            _check_watching(world, sent, room, table)
        else:
            _check_legal(sent, game, table["legal"])
        _check_piles(sent, game, _piles_in(message))
    elif kind in {"hinted", "assessed"}:
        _check_advice(sent, _game(world, room, seat, message["at"]), message)
    elif kind == "refused" and message["details"]["cards"]:
        game = _game(world, room, seat, message["at"])
        if not set(message["details"]["cards"]) <= _open(game):
            raise Leak(f"a refusal names a hidden card: {sent}")
    elif any(map(CARD.search, strings(message))):
        raise Leak(f"cards in a message without cards: {sent}")


def _check_advice(sent: Sent, game: Game, message: dict[str, Any]) -> None:
    """Check a hint or an assessment."""
    if message["type"] == "assessed":
        if message["line"] and (game.counts.face_down or game.counts.stock):
            raise Leak(f"a line in spite of hidden cards: {sent}")
    elif parse_action(message["action"], game.variant.pile_names) not in game.legal_actions():
        raise Leak(f"an illegal hint: {sent}")


def _game(world: World, room: dict[str, Any], seat: int, at: int) -> Game:
    settings, n = Settings.model_validate(room["settings"]), room["round"]["n"]
    seed = bytes.fromhex(settings.seed or "") or world.entropies.entropy(n).seed
    if (number := room["round"]["number"]) is None:
        deck = secret_deck(settings.game, seed)
    else:
        deck = numbered_deck(settings.game, number)
    game = new_game(rules_of(settings), deck)
    log = world.store.logs.ever.get((room["code"], n, seat), [])
    if at > len(log):
        raise Leak("a table that is not stored yet")
    for entry in log[:at]:
        game.apply(Action(entry.action))
    return game


def _open(game: Game) -> set[str]:
    piles = [game.pile(index) for index in range(len(game.variant.piles))]
    return {name for pile in piles for name in card_names(pile.cards[pile.down :])}


def _check_piles(sent: Sent, game: Game, piles: dict[str, str]) -> None:
    for name, text in piles.items():
        pile = game.pile(game.variant.pile_index[name])
        down = [f"[{pile.down}]"] if pile.down else []
        up = card_names(pile.cards[pile.down :])
        if text != " ".join([*down, *up]):
            raise Leak(f"wrong cards in {name}: {sent}")


def _check_legal(sent: Sent, game: Game, legal: str) -> None:
    actions = (format_action(action, game.variant.pile_names) for action in game.legal_actions())
    if legal != ",".join(actions):
        raise Leak(f"wrong legal actions: {sent}")


def _check_watching(world: World, sent: Sent, room: dict[str, Any], table: dict[str, Any]) -> None:
    if table["legal"]:
        raise Leak(f"legal actions of somebody else: {sent}")
    if room["state"] == "FINISHED":
        return
    states = {seat["seat"]: seat["state"] for seat in room["seats"]}
    if room["settings"]["spectate"] != "boards":
        raise Leak(f"a board in a room that hides boards: {sent}")
    state = states[world.people[sent.who].seat]
    if state in {"RACING", "CHASING"}:
        raise Leak(f"a board for a player: {sent}")
    delay_s = room["settings"]["board_delay_s"] if state == "WATCHING" else 0
    log = world.store.logs.ever.get((room["code"], room["round"]["n"], table["seat"]), [])
    if table["at"]:
        shown_ms = sent.ms - room["round"]["t0"] - delay_s * 1_000
        if log[table["at"] - 1].ms > shown_ms:
            raise Leak(f"a board too early: {sent}")


def _piles_in(message: dict[str, Any]) -> dict[str, str]:
    """Return the piles that a message shows, by name."""
    table = message.get("table")
    piles: dict[str, str] = read_table(table)["piles"] if table else message.get("piles", {})
    return piles


def unseen(world: World, n: int, until: int, *eyes: str) -> list[Place]:
    """Return the places of cards that nobody saw in round `n` until then (ms since the epoch).

    With `eyes`, only these people count.
    """
    lowest: dict[str, int] = {}
    highest: dict[str, int] = {}
    rooms: dict[str, dict[str, Any]] = {}
    for sent in world.received:
        if sent.ms > until:
            break
        message = sent.message()
        if "room" in message:
            rooms[sent.who] = message["room"]
        played = rooms.get(sent.who, {}).get("round")
        if played is None or played["n"] != n or (eyes and sent.who not in eyes):
            continue
        for name, text in _piles_in(message).items():
            try:
                down = parse_hidden_pile(text).down
            except NotationError as error:
                raise Leak(f"not a pile: {sent}") from error
            lowest[name] = min(down, lowest.get(name, down))
            highest[name] = max(down, highest.get(name, down))
    return [(name, depth) for name, down in lowest.items() for depth in range(down)]
