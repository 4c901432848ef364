"""Players at no page, who play over the wire as fast as the server hears them."""

import asyncio
import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Browser

from server.games.actions import Action, format_action
from server.games.catalogue import GAMES
from server.websocket.limits import MESSAGES_PER_S
from tests.e2e.pages import Person
from tests.players import Player


def port_of(address: str) -> int:
    """The port of the server at an address."""
    port = urlsplit(address).port
    assert port is not None
    return port


async def play(player: Player, actions: Iterable[Action]) -> None:
    """Makes acts at a player's own table."""
    names = GAMES[player.table["game"]].pile_names
    for action in actions:
        assert (await player.act(format_action(action, names)))["type"] == "acted"
        await asyncio.sleep(1 / MESSAGES_PER_S)


async def at_a_page(browser: Browser, address: str, player: Player, **how: Any) -> Person:
    """The same player in a browser, who goes on where the wire was left."""
    await player.leave()
    seats = json.dumps({player.code: {"seat": player.seat, "token": player.token}})
    context = await browser.new_context(**how)
    await context.add_init_script(
        f"localStorage.getItem('spider-race.seats')"
        f" ?? localStorage.setItem('spider-race.seats', {json.dumps(seats)})"
    )
    return await Person.of(context, f"{address}r/{player.code}")
