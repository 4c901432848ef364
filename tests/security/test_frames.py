"""Frames that no browser sends."""

import pytest

from protocol.vocabulary import MESSAGES_AT_ONCE, CloseCode
from server.sessions.limits import Rate
from server.store import Store
from server.web.limits import WebsocketLimits
from server.web.listener import Listener
from tests.players import Player, start_race
from tests.security import raw
from tests.security.raw import RawSocket, frame, message
from tests.server.conftest import Serving

HELLO = message("create", name="Eve")
LONG = b"x" * 4_097

BROKEN = {
    "compressed without negotiation": (frame(HELLO, bits=raw.FIN | raw.RSV1), 1002),
    "second reserved bit": (frame(HELLO, bits=raw.FIN | raw.RSV2), 1002),
    "third reserved bit": (frame(HELLO, bits=raw.FIN | raw.RSV3), 1002),
    "unmasked": (frame(HELLO, masked=False), 1002),
    "unknown opcode": (frame(HELLO, opcode=0x3), 1002),
    "unknown control opcode": (frame(b"", opcode=0xB), 1002),
    "a piece without a start": (frame(HELLO, opcode=raw.CONT), 1002),
    "a message within a message": (frame(b"{", bits=0) + frame(HELLO), 1002),
    "a ping in pieces": (frame(b"x", opcode=raw.PING, bits=0), 1002),
    "a ping of 126 bytes": (frame(b"x" * 126, opcode=raw.PING), 1002),
    "a close code of one byte": (frame(b"\x03", opcode=raw.CLOSE), 1002),
    "an invalid close code": (frame(b"\x00\x01", opcode=raw.CLOSE), 1002),
    "too long": (frame(LONG), 1009),
    "too long according to its head": (frame(b"", said=1 << 62), 1009),
    "longer than a length may be": (frame(b"", said=(1 << 64) - 1), 1009),
    "two pieces, too long together": (
        frame(LONG[:4_000], bits=0) + frame(LONG[:4_000], opcode=raw.CONT),
        1009,
    ),
    "a hundred pieces, too long together": (
        frame(LONG[:50], bits=0) + frame(LONG[:50], opcode=raw.CONT, bits=0) * 100,
        1009,
    ),
}


async def test_a_broken_frame_ends_its_socket_and_no_other(serving: Serving) -> None:
    many = WebsocketLimits(messages=Rate(10_000, 20))
    async with serving(websocket=many) as listener:
        ada = await Player.create(listener.port)
        for name, (sent, code) in BROKEN.items():
            eve = await RawSocket.open(listener.port)
            eve.write(sent)
            assert (await eve.closed())[0] == code, name
            assert (await ada.ask("ping", t=1))["type"] == "pong"


async def test_a_binary_message_in_pieces_is_one_strike_and_never_handled(
    listener: Listener,
) -> None:
    """Regression: the second piece was handled as text."""
    eve = await RawSocket.open(listener.port)
    eve.write(frame(b"\xff\xfe"))
    assert (await eve.receive("error"))["where"] == "json"
    eve.write(frame(b"", opcode=raw.BINARY, bits=0), frame(HELLO, opcode=raw.CONT))
    assert (await eve.receive("error", "joined"))["where"] == "binary"
    eve.say("create", name="Eve")
    assert (await eve.receive("error", "joined"))["type"] == "joined"
    await eve.close()


async def test_empty_pieces_are_counted_and_not_kept(serving: Serving) -> None:
    few = WebsocketLimits(messages=Rate(MESSAGES_AT_ONCE, 0.001))
    async with serving(websocket=few) as listener:
        eve = await RawSocket.open(listener.port)
        eve.write(frame(b"", bits=0), *[frame(b"", opcode=raw.CONT, bits=0)] * 20)
        eve.write(frame(b"", opcode=raw.PING))
        await eve.frame()
        (connection,) = listener.connections
        assert vars(connection)["_reader"]._parts == []
        eve.write(*[frame(b"", opcode=raw.CONT, bits=0)] * MESSAGES_AT_ONCE)
        assert (await eve.closed())[0] == 4005


async def test_websocket_pings_are_answered_and_a_flood_of_them_is_closed(
    listener: Listener,
) -> None:
    eve = await RawSocket.open(listener.port)
    eve.write(frame(b"x" * 125, opcode=raw.PING))
    assert await eve.frame() == (raw.PONG, b"x" * 125)
    eve.write(frame(b"", opcode=raw.PONG))  # an unsolicited pong is ignored
    eve.write(*[frame(b"", opcode=raw.PING)] * (MESSAGES_AT_ONCE + 1))
    assert (await eve.closed())[0] == 4005


async def test_no_message_of_a_closing_socket_is_handled(serving: Serving, store: Store) -> None:
    """Regression: kicked players could keep talking until their sockets were gone."""
    async with serving(websocket=WebsocketLimits(closing_s=1.0)) as listener:
        host, bob = await start_race(listener.port)
        eve = await RawSocket.open(listener.port)
        eve.say("resume", room=bob.code, seat=bob.seat, token=bob.token)
        legal = (await eve.receive("table"))["table"]["legal"]
        await host.ask("kick", seat=bob.seat)
        while (await eve.frame())[0] != raw.CLOSE:
            pass
        for number in range(1, 4):
            eve.say("act", id=number, at=number - 1, action=legal[0])
            eve.say("say", text="still here")
        assert await eve.closed() == (1006, "")
        assert await store.logs.read(bob.code, 1, bob.seat) == []
        assert "still here" not in str(await store.rooms.events(bob.code, 0))


async def test_messages_before_the_close_frame_are_still_handled(listener: Listener) -> None:
    ada = await Player.create(listener.port)
    eve = await RawSocket.open(listener.port)
    eve.write(
        frame(message("join", room=ada.code, name="Eve")), frame(b"\x03\xe8", opcode=raw.CLOSE)
    )
    while len(ada.room["seats"]) < 2:
        await ada.receive("room")
    assert (await eve.closed())[0] == 1000


async def test_an_unexpected_error_closes_only_its_socket_without_details(
    serving: Serving, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("sesame")

    async with serving() as listener:
        ada, bob = await start_race(listener.port)
        store = listener.services.store
        monkeypatch.setattr(store.commits, "commit", fail)
        await ada.say("act", id=1, at=0, action=ada.table["legal"][0])
        assert await ada.closed() == 1011
        monkeypatch.undo()
        back = await ada.resume(listener.port)
        assert (await back.race())["at"] == 0
        assert (await back.act(back.table["legal"][0]))["at"] == 1
        monkeypatch.setattr(store.rooms, "change", fail)
        await back.say("forfeit")
        assert await back.closed() == 1011
        monkeypatch.undo()
        for player in (ada, back):
            assert player.socket.close_reason == CloseCode.INTERNAL_ERROR.reason
            assert "sesame" not in str(player.received)
        assert (await bob.act(bob.table["legal"][0]))["type"] == "acted"
    assert "sesame" in str(capsys.readouterr())
