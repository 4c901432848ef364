"""Texts from clients do no harm in Redis."""

import re

from server.store import Store, keys
from server.store.connection import pack
from tests.players import Player, start_race
from tests.server.conftest import Serving
from tests.server.http import get

NASTY = ("\r\nFLUSHALL\r\n", "*1\r\n$8\r\nFLUSHALL\r\n", "{other}:room", "a' .. redis.call('x')")
KEY = re.compile(r"\{[0-9A-HJKMNP-TV-Z]{7}\}:(room|events|seat:\d+|log:\d+:\d+(:\d+)?)")


async def test_no_text_of_a_client_is_read_as_a_redis_command(
    serving: Serving, store: Store
) -> None:
    """Names and lines are sent as counted bytes; the only client text in a key is the code."""
    async with serving() as listener:
        await start_race(listener.port)
        for nasty in NASTY:
            eve = await Player.create(listener.port, nasty, public=True)
            await eve.ask("say", text=nasty)
            joining = await Player.connect(listener.port)
            answer = await joining.ask("join", room=nasty[:30], name=nasty)
            assert (answer["type"], answer["where"]) == ("error", "room")
        for path in ("/api/rooms/*/rounds/1", "/api/rooms/{0000000}/rounds/1", "/qr/%0d%0a.svg"):
            assert (await get(listener.port, path)).status == 404
        names = [word.decode() for word in await store.client.ask_any_master(pack("KEYS", "*"))]
    own = keys.UNPREFIXED
    others = {own.clock, own.deadlines, own.opened(), own.public, own.processes}
    strange = [name for name in names if not KEY.fullmatch(name) and name not in others]
    assert all(re.fullmatch(r"process:[0-9a-f]{16}", name) for name in strange), strange
    assert len(names) > 10  # nothing was flushed
