"""The commands `rooms close`, `day` and `bans`, against unwelcome rooms, names and addresses.

They change only the store. Servers are notified of a closed room as of any change, and read the
bans every few seconds.
"""

import json
import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network

from protocol.from_client import room_code
from protocol.vocabulary import DAY_GAMES, DAY_PATTERN, ENTRY_LENGTH, DayGameId, RoomState
from server import config
from server.live.days import DayRaces
from server.live.repository import Repository
from server.networks import networks_of
from server.operators import Failed, Output, one_line, table
from server.operators.rooms import attached, read_room
from server.rooms.events import Closed, Refusal, Tick
from server.rooms.record import Room, round_of
from server.store import Store, Unreadable

ENTRY = re.compile(
    f"(?:.*/)?({DAY_PATTERN})/({'|'.join(DAY_GAMES)})/([0-9a-f]{{{ENTRY_LENGTH}}})/?"
)
TIME = "%Y-%m-%d %H:%M:%S UTC"
LOOPBACK = (ip_network("127.0.0.0/8"), ip_network("::1"))  # proxies beside a server


async def close_room(options: config.CloseOptions) -> Output:
    """Close a room. Raises the errors of `attached`, and Failed if there is no such room."""
    typed = re.split(r"[/?#]", options.code.rpartition("/r/")[2])[0]
    try:
        code = room_code(typed)
    except ValueError:
        given = one_line(options.code)
        raise Failed(f"{given} is not the code of a room, or a link to one.") from None
    async with attached(options) as store:
        return Output(await close(Repository(store), code))


async def close(repository: Repository, code: str) -> str:
    """Close a room, or remove it if it is unreadable; return a sentence that says which.

    Raises Failed if there is no such room, and StoreError.
    """
    try:
        if (room := await read_room(repository.store, code)) is not None:
            with suppress(Unreadable):  # an unreadable log does not keep the room open
                await _end_and_report(repository, room)
        await repository.apply(code, Closed())
    except Refusal:
        raise Failed(f"There is no room {code}.", 1) from None
    except Unreadable as error:
        await _remove(repository.store, code)
        return f"The room {code} could not be read, and is removed: {error}."
    return f"The room {code} is closed."


async def _end_and_report(repository: Repository, room: Room) -> None:
    """End a running game of today's race, and report a room's results to their boards."""
    if room.state is RoomState.RUNNING and round_of(room).is_todays_race:
        end_ms = round_of(room).t_end or repository.store.clock.now_ms()
        room = (await repository.apply(room.code, Tick(end_ms))).room  # as if its time were up
    await DayRaces(repository, None).deliver(room, at_once=True)


async def _remove(store: Store, code: str) -> None:
    """Remove a room whose record cannot be read; its seats and logs expire."""
    await store.rooms.delete(code)
    await store.lists.readmit(code)
    await store.open_rooms.release([code], [""])  # only from the list of all: the others expire


async def hide_name(options: config.HideOptions) -> Output:
    """Hide the player's name of a game on a day's board. Raises the errors of `attached`."""
    day, game, entry = _parse_entry(options)
    async with attached(options) as store:
        if not await DayRaces(Repository(store), None).hide(day, game, entry):
            raise Failed("There is no such game on the board of that day.", 1)
    return Output("The name is off the board.")


async def show_name(options: config.ShowOptions) -> Output:
    """Put a hidden name back on the board of its day. Raises the errors of `attached`."""
    day, game, entry = _parse_entry(options)
    async with attached(options) as store:
        name = await DayRaces(Repository(store), None).show(day, game, entry)
    if name is None:
        raise Failed("The board of that day has no such game, or its name was not kept.", 1)
    return Output(f"The name is on the board: {one_line(name)}.")


def _parse_entry(options: config.HideOptions) -> tuple[str, DayGameId, str]:
    """Return the date, the game and the entry that the operator has named, or raise Failed."""
    if (match := ENTRY.fullmatch(options.entry)) is None:
        given = one_line(options.entry)
        raise Failed(f"{given} is not a game of a day: give DATE/GAME/ENTRY, or the link to it.")
    day, name, entry = match.groups()
    return day, next(each for each in DAY_GAMES if each == name), entry


async def list_bans(options: config.BansOptions) -> Output:
    """List the bans, those that end soonest first. Raises the errors of `attached`."""
    async with attached(options) as store:
        now_ms, bans = store.clock.now_ms(), await store.bans.read()
    rows = [
        (_address(network), _date(until_ms), (until_ms - now_ms) // 1_000)
        for network, until_ms in bans.items()
    ]
    if options.as_json:
        found = [
            {"address": name, "until": until.isoformat(), "left_s": left_s}
            for name, until, left_s in rows
        ]
        return Output(json.dumps(found, indent=2))
    if not rows:
        return Output("No address is banned.")
    shown = [(name, f"{until:{TIME}}", timedelta(seconds=left_s)) for name, until, left_s in rows]
    return Output(table(("address", "banned until", "left"), shown))


async def ban(options: config.BanOptions) -> Output:
    """Ban an address or a network for a time.

    Raises the errors of `attached`, and Failed if a proxy is in it: that would ban all players.
    """
    network = _network_of(options.address)
    name = _address(str(network))
    for proxies in (*LOOPBACK, *options.trusted_proxies):
        if network.overlaps(proxies):
            why = f"players come through proxies of {_address(str(proxies))}"
            raise Failed(f"{name} cannot be banned: {why}.")
    async with attached(options) as store:
        until_ms = store.clock.now_ms() + options.duration_s * 1_000
        await store.bans.add(str(network), until_ms)
    return Output(f"{name} is banned until {_date(until_ms):{TIME}}.")


async def lift_ban(options: config.LiftOptions) -> Output:
    """Lift the ban of an address or network. Raises the errors of `attached`."""
    network = _network_of(options.address)
    name = _address(str(network))
    async with attached(options) as store:
        was_banned = await store.bans.remove(str(network))
        bans = await store.bans.read()
    enclosing = {str(network.supernet(new_prefix=bits)) for bits in range(network.prefixlen)}
    wider = ", ".join(filter(enclosing.__contains__, bans))
    still = f"{name} is still banned by {wider}" if wider else ""
    if not was_banned:
        raise Failed(f"There is no ban of {name}; {still or 'see spider-race bans'}.", 1)
    return Output(f"The ban of {name} is lifted{f', but {still}' if still else ''}.")


def _network_of(given: config.Network) -> config.Network:
    """Widen an address to the smallest network that counts as one address, such as an IPv6 /64."""
    smallest = ip_network(networks_of(str(given.network_address))[0].name)
    if smallest.version < given.version:  # IPv4 mapped to IPv6 has a prefix of 96 bits
        given = ip_network((smallest.network_address, given.prefixlen - 96))
    return smallest if given.prefixlen >= smallest.prefixlen else given


def _address(network: str) -> str:
    """Return a network as people write it: a single IPv4 address without its prefix length."""
    return network if ":" in network else network.removesuffix("/32")


def _date(ms: int) -> datetime:
    return datetime.fromtimestamp(ms // 1_000, UTC)
