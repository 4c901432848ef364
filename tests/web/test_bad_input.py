"""The answers to bad input, in the order of the table in `tests/security/README.md`.

Messages are sent in the deterministic world; frames and handshakes need sockets.
"""

from typing import Any

from protocol.vocabulary import FIRST_FRAME_S, MESSAGES_AT_ONCE, CloseCode
from server.sessions.limits import Rate
from server.web.limits import HttpLimits, WebsocketLimits
from server.web.listener import Listener
from tests.players import Player
from tests.server.conftest import Serving
from tests.waiting import until
from tests.web.test_requests import UPGRADE, ask, raw_connection
from tests.world.stage import Person, Stage, a_move, staged, start_race

BAD: list[tuple[str, str, str | bytes]] = [
    ("not JSON", "json", "hello"),
    ("no end", "json", "[" * 500),
    ("deep nesting", "parts", "[" * 2_000),
    ("invalid UTF-8", "json", b'{"type":"ping","t":1,"\xff":1}'),
    ("wrong type", "type", '{"type":"cheat"}'),
    ("unknown field", "god", '{"type":"start","god":true}'),
    ("out of range", "at", '{"type":"act","id":1,"at":-1,"action":"deal"}'),
    ("too many cards", "action", '{"type":"act","id":1,"at":0,"action":"t0x99-t1"}'),
    ("no notation", "action", '{"type":"act","id":1,"at":0,"action":"t0-t1"}'),
    ("an action of v1", "action", '{"type":"act","id":1,"at":0,"action":{"type":"deal"}}'),
]  # fmt: skip


@staged
async def test_bad_messages_are_named_and_change_nothing(stage: Stage) -> None:
    for about, where, text in BAD:
        ada = await Person.create(stage.port)
        before = ada.room
        await ada.socket.send(text)
        error = await ada.receive("error")
        assert (error["code"], error["where"]) == ("bad_message", where), about
        assert (await ada.ask("ready", ready=False))["room"] == before, about


async def test_three_strikes_close_the_socket(listener: Listener) -> None:
    ada = await Player.create(listener.port)
    await ada.socket.send(['{"type":"pi', 'ng","t":', "7}"])  # in pieces, and one message
    assert (await ada.receive("pong"))["t"] == 7
    await ada.socket.send(b"binary")
    assert (await ada.receive("error"))["where"] == "binary"
    await ada.socket.send("hello")
    await ada.socket.send(b"\xff\xfe")
    assert await ada.closed() == 4500


async def test_compression_is_not_negotiated(listener: Listener) -> None:
    offer = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
    async with raw_connection(listener.port) as there:
        there.writer.write(ask("/ws", more=UPGRADE + offer))
        answer = await there.response()
    assert answer.status == 101
    assert "sec-websocket-extensions" not in answer.headers


async def test_only_pages_of_known_origins_may_connect(serving: Serving) -> None:
    opened: dict[str, bool] = {
        "Origin: http://x\r\n": True,
        "Origin: https://game.example\r\n": True,
        "Origin: http://evil.example\r\n": False,
        "Origin: http://x:1\r\n": False,
        "Origin: null\r\n": False,
        "Origin: file://\r\n": False,
        "Origin: http://x\r\nOrigin: http://evil.example\r\n": False,  # two count as no origin
        "": True,
        "User-Agent: Mozilla/5.0\r\n": False,
        "Sec-Fetch-Mode: websocket\r\n": False,
    }
    async with serving(allowed_origins=("https://game.example",)) as listener:
        for headers, allowed in opened.items():
            async with raw_connection(listener.port) as there:
                there.writer.write(ask("/ws", more=UPGRADE + headers))
                status = (await there.response()).status
                assert status == (101 if allowed else 403), headers


@staged
async def test_an_illegal_move_is_refused_with_the_cards_in_question(stage: Stage) -> None:
    (ada,) = await start_race(stage.port, players=1, deal="numbered", number=1)
    faces = {name: pile.partition("] ")[2] for name, pile in ada.table["piles"].items()}
    refused = await ada.act("t0x1-t2")
    assert refused["code"] == "wrong_rank"
    assert refused["details"]["cards"] == [faces["t0"], faces["t2"]]
    assert set(refused["details"]["piles"]) == {"t0", "t2"}
    assert (refused["id"], refused["at"]) == (1, 0)
    for action, code in {
        "u0x1-t2": "no_such_pile",
        "undo": "nothing_to_undo",
        "finish": "not_finished",
        f"{a_move(ada)}!": "exceptions_are_off",
    }.items():
        assert (await ada.act(action))["code"] == code


async def test_a_flood_is_closed_and_a_fast_hand_is_not(serving: Serving) -> None:
    # A round trip takes less than 0.1 ms.
    hasty = WebsocketLimits(messages=Rate(MESSAGES_AT_ONCE, 100_000))
    slow = WebsocketLimits(messages=Rate(MESSAGES_AT_ONCE, 0.001))
    async with serving(websocket=slow) as listener, serving(websocket=hasty) as fast:
        ada = await Player.create(listener.port)
        for _ in range(MESSAGES_AT_ONCE - 5):
            await ada.say("ping", t=1)
        assert (await ada.ask("ping", t=2))["type"] == "pong"
        for _ in range(MESSAGES_AT_ONCE):
            await ada.say("ping", t=1)
        assert await ada.closed() == CloseCode.TOO_FAST
        assert ada.socket.close_reason == CloseCode.TOO_FAST.reason
        bob = await Player.join(fast.port, ada.code, "Bob")
        for _ in range(3 * MESSAGES_AT_ONCE):
            await bob.ask("ping", t=1)


async def test_a_silent_socket_is_closed(listener: Listener) -> None:
    silent = await Player.connect(listener.port)
    bounds = FIRST_FRAME_S, HttpLimits().head_s
    async with raw_connection(listener.port) as without_a_request:
        await until(lambda: len(listener.connections) == 2)
        for waited_s in (min(bounds) / 2, max(bounds) + 1):
            assert silent.socket.close_code is None
            for connection in list(listener.connections):
                connection.check(listener.now_s() + waited_s)
        assert await silent.closed() == 4004
        assert await without_a_request.over()


@staged
async def test_names_are_one_short_visible_line(stage: Stage) -> None:
    names = {
        "<b>Ada</b>": "<b>Ada</b>",  # kept as text: the page shows it as text
        "  Ada \t\n Lovelace ": "Ada Lovelace",
        "A\u202eda\u0000\u200b": "Ada",
        "\uff21\uff44\uff41": "Ada",  # NFKC: full width letters
        "A" + "\u0335" * 9: "A" + "\u0335" * 2,
        "Ada" * 100: ("Ada" * 100)[:24],
    }
    for given, shown in names.items():
        ada = await Person.create(stage.port, given)
        assert ada.room["seats"][0]["name"] == shown


@staged
async def test_a_seat_of_another_player_cannot_be_taken(stage: Stage) -> None:
    ada = await Person.create(stage.port)
    bob = await Person.join(stage.port, ada.code, "Bob")
    nowhere, seat = "0000999", 0
    for room, seat, token, code, close_code in (
        (ada.code, 0, bob.token, "bad_token", 4502),
        (ada.code, 0, "guess", "bad_token", 4502),
        (ada.code, 7, ada.token, "bad_token", 4502),
        (nowhere, 0, "x", "no_such_room", 4504),
    ):
        eve = await Person.connect(stage.port)
        refused = await eve.ask("resume", room=room, seat=seat, token=token)
        assert (refused["code"], await eve.closed()) == (code, close_code)
    assert (await ada.ask("ping", t=1))["type"] == "pong"
    assert ada.token not in str(bob.received)
    eve = await Person.connect(stage.port)
    refused = await eve.ask("join", room=nowhere, name="Eve")
    assert (refused["code"], await eve.closed()) == ("no_such_room", 4504)


@staged
async def test_the_first_frame_must_take_a_seat_and_only_the_first(stage: Stage) -> None:
    eve = await Person.connect(stage.port)
    first: dict[str, dict[str, Any]] = {
        "start": {},
        "ping": {"t": 1},
        "act": {"id": 1, "at": 0, "action": "deal"},
    }
    for kind, fields in first.items():
        refused = await eve.ask(kind, **fields)
        assert (refused["command"], refused["code"]) == (kind, "not_joined")
    ada = await Person.create(stage.port)
    again = await ada.ask("create", name="Ada")
    assert again["code"] == "already_joined"
