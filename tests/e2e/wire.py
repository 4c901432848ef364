"""Players without a page, who play over the Python client as fast as the server answers."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import expect
from spider_race_client import Race, connect

from protocol.vocabulary import Role, SeatKind
from server.games.actions import ACTION_TEXTS, Action
from server.games.game import Game
from tests.e2e.pages import Person, game_of

CLIENTS: list[AsyncExitStack] = []


@asynccontextmanager
async def on_the_wire() -> AsyncIterator[None]:
    """Let players connect within the block, and close their clients at its end."""
    async with AsyncExitStack() as clients:
        CLIENTS.append(clients)
        try:
            yield
        finally:
            CLIENTS.remove(clients)


def port_of(address: str) -> int:
    """Return the port of an address."""
    port = urlsplit(address).port
    assert port is not None
    return port


async def create(
    address: str, name: str = "Ada", *, cards: str = "", browser: str = "", **settings: object
) -> Race:
    """Open a room, perhaps with the cards of a game; return its host, who counts as a person."""
    client = await CLIENTS[-1].enter_async_context(connect(address))
    return await client.create(name, settings, kind="person", cards=cards, browser=browser)


async def join(
    address: str, link: str, name: str, role: Role = "player", kind: SeatKind = "person"
) -> Race:
    """Join a room by its link or code."""
    client = await CLIENTS[-1].enter_async_context(connect(address))
    return await client.join(link, name, role, kind=kind)


async def start_race(address: str, *names: str, **settings: Any) -> list[Race]:
    """Start a race in a new room; return its players, the host first."""
    host = await create(address, names[0], **settings)
    players = [host, *[await join(address, host.code, name) for name in names[1:]]]
    for player in players[1:]:
        await player.ready()
    await (host.ready() if len(players) > 1 else host.start())
    await asyncio.gather(*(player.wait_for_table() for player in players))
    return players


async def race_on_the_wire(person: Person, host: Race, *others: Race) -> None:
    """Make everybody ready, the host last, and wait for the race at the page and on the wire."""
    for player in others:
        await player.ready()
    await person.page.click("#ready")
    await host.ready()
    await host.wait_for_table()
    await person.on("race")


async def play(player: Race, actions: Iterable[Action]) -> None:
    """Make acts at the player's table, at the server's pace."""
    assert player.table is not None
    texts = ACTION_TEXTS[player.table.game]
    for action in actions:
        await player.act(texts.format(action))


async def at_a_page(player: Race, **how: Any) -> Person:
    """Let the same player continue in a browser."""
    player.close()
    seats = json.dumps({player.code: {"seat": player.seat, "token": player.token}})
    script = (
        f"try {{ localStorage.getItem('spider-race.seats')"
        f" ?? localStorage.setItem('spider-race.seats', {json.dumps(seats)}) }} catch {{}}"
    )
    return await Person.at(player.link, script=script, **how)


async def at_a_table(address: str, name: str, *log: Action, **how: Any) -> tuple[Person, Game]:
    """Race alone, make some acts and open the page; return the person and the game."""
    (player,) = await start_race(address, "Ada", game=name)
    await play(player, log)
    game = game_of(name)
    for action in log:
        game.apply(action)
    person = await at_a_page(player, **how)
    await person.on("race")
    await person.sees(game)
    return person, game


async def play_on(person: Person, game: Game, *log: Action) -> None:
    """Make acts at the same seat elsewhere; then let the page take it back."""
    page, question = person.page, person.page.locator("dialog#ask")
    seats = await page.evaluate("() => localStorage.getItem('spider-race.seats')")
    held = json.loads(seats)[page.url.rpartition("/")[2]]
    async with connect(page.url) as client:
        player = await client.resume(page.url, held["seat"], held["token"])
        await player.wait_for_table()
        await expect(question).to_contain_text("Play here")
        await play(player, log)
    for action in log:
        game.apply(action)
    await page.click("#ask-yes")
    await expect(question).to_be_hidden()
    await person.sees(game)
