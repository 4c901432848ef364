"""Players at no page, who play over the wire as fast as the server hears them."""

import asyncio
import json
import time
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from playwright.async_api import Browser
from websockets.asyncio.client import ClientConnection

from server.games.actions import Action, format_action
from server.games.catalogue import GAMES
from server.games.game import Game
from server.websocket.limits import BURST, MESSAGES_PER_S
from tests.e2e.pages import Person, game_of
from tests.players import Player

AHEAD = BURST - 10
"""Acts that a player may make at once; a few more messages than acts may be on their way."""
PACES: WeakKeyDictionary[ClientConnection, float] = WeakKeyDictionary()
"""The time at which a socket may have sent its acts so far, at the rate that the server allows."""


def port_of(address: str) -> int:
    """The port of the server at an address."""
    port = urlsplit(address).port
    assert port is not None
    return port


async def play(player: Player, actions: Iterable[Action]) -> None:
    """Makes acts at a player's own table: many at once, and then at the server's pace."""
    names = GAMES[player.table["game"]].pile_names
    for action in actions:
        now = time.monotonic()
        made = max(PACES.get(player.socket, now), now) + 1 / MESSAGES_PER_S
        PACES[player.socket] = made
        await asyncio.sleep(made - now - AHEAD / MESSAGES_PER_S)
        assert (await player.act(format_action(action, names)))["type"] == "acted"


async def at_a_page(browser: Browser, address: str, player: Player, **how: Any) -> Person:
    """The same player in a browser, who goes on where the wire was left."""
    await player.leave()
    seats = json.dumps({player.code: {"seat": player.seat, "token": player.token}})
    script = (
        f"try {{ localStorage.getItem('spider-race.seats')"
        f" ?? localStorage.setItem('spider-race.seats', {json.dumps(seats)}) }} catch {{}}"
    )
    return await Person.at(browser, f"{address}r/{player.code}", script=script, **how)


async def at_a_table(
    browser: Browser, address: str, name: str, *log: Action, **how: Any
) -> tuple[Person, Game]:
    """Somebody who races alone, and has made some acts before the page is opened; and the game."""
    player = await Player.create(port_of(address), game=name, score=GAMES[name].scores[0])
    await player.say("start")
    await player.race()
    await play(player, log)
    game = game_of(name)
    for action in log:
        game.apply(action)
    person = await at_a_page(browser, address, player, **how)
    await person.on("race")
    await person.sees(game)
    return person, game


async def play_on(person: Person, game: Game, *log: Action) -> None:
    """Makes acts while the page is closed, and opens it again."""
    link = person.page.url
    code = link.rpartition("/")[2]
    seats = await person.page.evaluate("() => localStorage.getItem('spider-race.seats')")
    await person.page.goto("about:blank")
    player = await Player.connect(port_of(link))
    await player.say("resume", room=code, **json.loads(seats)[code])
    await player.race()
    await play(player, log)
    await player.leave()
    for action in log:
        game.apply(action)
    await person.page.goto(link)
    await person.on("race")
    await person.sees(game)
