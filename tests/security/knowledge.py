"""Who may know what: the reference that everything sent in a play is held against.

It knows the deck and the logs, plays every game again by the rules, and so can say of each
frame which cards lay open on the table that it speaks of.
"""

import base64
import re
from collections.abc import Iterator
from typing import Any

from protocol.codec import TO_CLIENT
from protocol.settings import Settings
from server.games.actions import Action
from server.games.cards import card_name
from server.games.catalogue import new_game
from server.games.deals import secret_deck
from server.games.game import Game
from server.rooms.rounds import rules_of
from server.views.tables import legal_view
from tests.security.world import Heard, Place, World

CARD = re.compile(r"(?<![A-Za-z0-9])[A2-9TJQK][SHDC](?![A-Za-z0-9])")
WORD = re.compile(r"[\w-]+")
ROUND_PATH = re.compile(r"GET /api/rooms/[^/]+/rounds/(\d+)")


class Leak(AssertionError):
    """Something was told that its hearer may not know."""


def forms(secret: bytes) -> Iterator[str]:
    """The ways in which bytes are written."""
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


def strings(told: Any) -> Iterator[str]:
    """Every string of a message, names of fields included."""
    if isinstance(told, str):
        yield told
    elif isinstance(told, list):
        for part in told:
            yield from strings(part)
    elif isinstance(told, dict):
        for name, part in told.items():
            yield name
            yield from strings(part)


def cards_in(told: Any) -> set[str]:
    """The names of cards that can be read in a message."""
    return {card for text in strings(told) for card in CARD.findall(text)}


def ends(world: World) -> dict[int, int]:
    """When each round was over (ms since the epoch), by what was heard; not if it never was."""
    found: dict[int, int] = {}
    for heard in world.heard:
        room = heard.told().get("room")
        if isinstance(room, dict) and room["state"] == "FINISHED":
            n = room["round"]["n"]
            found[n] = min(heard.ms, found.get(n, heard.ms))
    return found


def check(world: World) -> None:
    """Holds all that left the server in a play against what its hearers may know.

    Raises:
        Leak: something was told too early, or to the wrong one.
    """
    over = ends(world)
    rooms: dict[str, dict[str, Any]] = {}
    for heard in world.heard:
        _check_secrets(world, heard, over)
        path = ROUND_PATH.match(heard.who)
        if path and heard.text.startswith("200") and over.get(int(path[1]), 1 << 62) > heard.ms:
            raise Leak(f"{heard.who} was answered")
        told = heard.told()
        if not told:
            continue
        TO_CLIENT.validate_json(heard.text)  # nothing but what the contract knows
        if "room" in told:
            rooms[heard.who] = told["room"]
        _check_cards(world, heard, told, rooms.get(heard.who, {}))


def _check_secrets(world: World, heard: Heard, over: dict[int, int]) -> None:
    for n in range(1, world.started() + 2):
        if over.get(n, 1 << 62) <= heard.ms:
            continue
        chance = world.chances.chance(n)
        for secret in (chance.seed, chance.salt):
            for form in forms(secret):
                if form in heard.text:
                    raise Leak(f"round {n}: {form} in {heard}")
    for who, person in world.people.items():
        told = heard.who == who and heard.told().get("type") == "joined"
        if person.token and not told and person.token in WORD.findall(heard.text):
            raise Leak(f"the token of {who} in {heard}")


def _check_cards(world: World, heard: Heard, told: dict[str, Any], room: dict[str, Any]) -> None:
    kind = told["type"]
    if kind == "round_over":
        return
    seat = world.people[heard.who].seat
    table = told.get("table")
    if kind == "acted":
        _check_piles(heard, _game(world, room, seat, told["at"]), told["piles"])
    elif table is not None:
        if table["seat"] != seat:
            _check_watching(world, heard, room, table)
        _check_piles(heard, _game(world, room, table["seat"], table["at"]), table["piles"])
    elif kind == "hinted":
        game = _game(world, room, seat, told["at"])
        if told["action"] not in [each.model_dump() for each in legal_view(game)]:
            raise Leak(f"a hint of what is not legal there: {heard}")
    elif kind == "refused" and told["details"]["cards"]:
        game = _game(world, room, seat, told["at"])
        if not set(told["details"]["cards"]) <= _open(game):
            raise Leak(f"a refusal names a hidden card: {heard}")
    elif cards_in(told):
        raise Leak(f"cards where there are none: {heard}")


def _game(world: World, room: dict[str, Any], seat: int, at: int) -> Game:
    settings, n = Settings.model_validate(room["settings"]), room["round"]["n"]
    deck = secret_deck(settings.game, world.chances.chance(n).seed)
    game = new_game(rules_of(settings), deck)
    log = world.store.logs.get((room["code"], n, seat), [])
    if at > len(log):
        raise Leak("a table is told of that is not stored")
    for entry in log[:at]:
        game.apply(Action(entry.action))
    return game


def _open(game: Game) -> set[str]:
    piles = [game.pile(index) for index in range(len(game.variant.piles))]
    return {card_name(card) for pile in piles for card in pile.cards[pile.down :]}


def _check_piles(heard: Heard, game: Game, piles: list[dict[str, Any]]) -> None:
    for told in piles:
        pile = game.pile(game.variant.pile_index[told["id"]])
        up = [card_name(card) for card in pile.cards[pile.down :]]
        if told["up"] != up or told["down"] != pile.down:
            raise Leak(f"{told['id']} lies otherwise: {heard}")


def _check_watching(
    world: World, heard: Heard, room: dict[str, Any], table: dict[str, Any]
) -> None:
    if table["legal"]:
        raise Leak(f"legal actions of somebody else: {heard}")
    if room["state"] == "FINISHED":
        return
    states = {seat["seat"]: seat["state"] for seat in room["seats"]}
    if room["settings"]["spectate"] != "boards":
        raise Leak(f"a board in a room that shows none: {heard}")
    if states[world.people[heard.who].seat] != "WATCHING":
        raise Leak(f"a board for a player: {heard}")
    log = world.store.logs.get((room["code"], room["round"]["n"], table["seat"]), [])
    if table["at"]:
        shown_ms = heard.ms - room["round"]["t0"] - room["settings"]["board_delay_s"] * 1_000
        if log[table["at"] - 1].ms > shown_ms:
            raise Leak(f"a board too early: {heard}")


def unseen(world: World, n: int, until: int, *eyes: str) -> list[Place]:
    """The places whose cards nobody has seen in round `n` until then (ms since the epoch).

    With `eyes`, places whose cards none of these people has seen.
    """
    lowest: dict[str, int] = {}
    highest: dict[str, int] = {}
    rooms: dict[str, dict[str, Any]] = {}
    for heard in world.heard:
        if heard.ms > until:
            break
        told = heard.told()
        if "room" in told:
            rooms[heard.who] = told["room"]
        played = rooms.get(heard.who, {}).get("round")
        if played is None or played["n"] != n or (eyes and heard.who not in eyes):
            continue
        piles = told.get("piles") or (told.get("table") or {}).get("piles") or []
        for pile in piles:
            name, down = pile["id"], pile["down"]
            lowest[name] = min(down, lowest.get(name, down))
            highest[name] = max(down, highest.get(name, down))
    return [(name, depth) for name, down in lowest.items() for depth in range(down)]
