"""The answers to bad input, in the order of the table in `tests/security/README.md`."""

import asyncio
from ipaddress import ip_network
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.datastructures import Headers
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from protocol.vocabulary import FIRST_FRAME_S, MESSAGES_AT_ONCE, SUBPROTOCOL
from server.http.limits import HttpLimits
from server.http.listener import Listener
from server.sessions.limits import SESSION_LIMITS, SessionLimits
from server.sessions.rate_limit import Rate
from server.websocket.limits import WebsocketLimits
from server.websocket.origin import client_of
from tests.hooked import Hook, HookedStore
from tests.players import Player, is_move, start_race
from tests.server.conftest import Serving
from tests.server.http import raw

BAD = [
    ("not JSON", "json", "hello"),
    ("deep nesting", "json", "[" * 2_000),
    ("wrong type", "type", '{"type":"cheat"}'),
    ("unknown field", "god", '{"type":"start","god":true}'),
    ("out of range", "at", '{"type":"act","id":1,"at":-1,"action":"deal"}'),
    ("too many cards", "action", '{"type":"act","id":1,"at":0,"action":"t0x99-t1"}'),
    ("no notation", "action", '{"type":"act","id":1,"at":0,"action":"t0-t1"}'),
    ("an action of v1", "action", '{"type":"act","id":1,"at":0,"action":{"type":"deal"}}'),
]  # fmt: skip


@pytest.mark.parametrize(
    ("where", "text"), [pytest.param(where, text, id=about) for about, where, text in BAD]
)
async def test_bad_messages_are_named_and_change_nothing(
    listener: Listener, where: str, text: str
) -> None:
    ada = await Player.create(listener.port)
    before = ada.room
    await ada.socket.send(text)
    error = await ada.receive("error")
    assert (error["code"], error["where"]) == ("bad_message", where)
    assert (await ada.ask("ready", ready=False))["room"] == before


async def test_three_strikes_close_the_socket(listener: Listener) -> None:
    ada = await Player.create(listener.port)
    await ada.socket.send(b"binary")
    assert (await ada.receive("error"))["where"] == "binary"
    await ada.socket.send("hello")
    await ada.socket.send(b"\xff\xfe")
    assert await ada.closed() == 4500


async def test_invalid_utf8_in_a_text_frame_is_no_message(listener: Listener) -> None:
    ada = await Player.create(listener.port)
    await ada.socket.send(b'{"type":"ping","t":1,"\xff":1}', text=True)
    assert (await ada.receive("error"))["code"] == "bad_message"


async def test_a_frame_over_4_kib_is_closed_1009(listener: Listener) -> None:
    ada = await Player.create(listener.port)
    await ada.socket.send("x" * 4_097)
    assert await ada.closed() == 1009
    bob = await Player.join(listener.port, ada.code, "Bob")
    await bob.socket.send(["x" * 4_000, "x" * 4_000])  # the limit holds for the whole
    assert await bob.closed() == 1009


async def test_a_message_in_pieces_is_one_message(listener: Listener) -> None:
    ada = await Player.create(listener.port)
    await ada.socket.send(['{"type":"pi', 'ng","t":', "7}"])
    assert (await ada.receive("pong"))["t"] == 7


async def test_compression_is_not_negotiated(serving: Serving) -> None:
    async with (
        serving() as listener,
        connect(
            f"ws://127.0.0.1:{listener.port}/ws",
            compression="deflate",
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            proxy=None,
        ) as socket,
    ):
        assert socket.response is not None
        assert "Sec-WebSocket-Extensions" not in socket.response.headers


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({"Origin": "http://127.0.0.1:{port}"}, True),
        ({"Origin": "https://game.example"}, True),
        ({"Origin": "http://evil.example"}, False),
        ({"Origin": "http://127.0.0.1:1"}, False),
        ({"Origin": "null"}, False),
        ({"Origin": "file://"}, False),
        ({}, True),
        ({"User-Agent": "Mozilla/5.0"}, False),
        ({"Sec-Fetch-Mode": "websocket"}, False),
    ],
)
async def test_only_pages_of_known_origins_may_connect(
    serving: Serving, headers: dict[str, str], allowed: bool
) -> None:
    async with serving(allowed_origins=("https://game.example",)) as listener:
        sent = {name: value.format(port=listener.port) for name, value in headers.items()}
        origin = sent.pop("Origin", None)
        agent = sent.pop("User-Agent", None)
        opening = connect(
            f"ws://127.0.0.1:{listener.port}/ws",
            origin=None if origin is None else Origin(origin),
            additional_headers=sent,
            user_agent_header=agent,
            proxy=None,
        )
        if allowed:
            async with opening:
                return
        with pytest.raises(InvalidStatus) as refused:
            async with opening:
                pass
        assert refused.value.response.status_code == 403


async def test_two_origins_are_none(listener: Listener) -> None:
    answer = await raw(
        listener.port,
        (
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{listener.port}\r\n"
            f"Origin: http://127.0.0.1:{listener.port}\r\nOrigin: http://evil.example\r\n\r\n"
        ).encode(),
    )
    assert answer.startswith(b"HTTP/1.1 403 ")


async def test_an_illegal_move_is_refused_with_the_cards_in_question(listener: Listener) -> None:
    (ada,) = await start_race(listener.port, players=1, deal="numbered", number=1)
    faces = {name: pile.partition("] ")[2] for name, pile in ada.table["piles"].items()}
    refused = await ada.act("t0x1-t2")
    assert refused["code"] == "wrong_rank"
    assert refused["details"]["cards"] == [faces["t0"], faces["t2"]]
    assert set(refused["details"]["piles"]) == {"t0", "t2"}
    assert (refused["id"], refused["at"]) == (1, 0)
    unknown = await ada.act("u0x1-t2")
    assert unknown["code"] == "no_such_pile"
    for action, code in (("undo", "nothing_to_undo"), ("finish", "not_finished")):
        assert (await ada.act(action))["code"] == code


async def test_a_flood_is_closed_and_a_fast_hand_is_not(serving: Serving) -> None:
    # A round trip takes less than 0.1 ms.
    hasty = WebsocketLimits(messages=Rate(MESSAGES_AT_ONCE, 100_000))
    slow = WebsocketLimits(messages=Rate(MESSAGES_AT_ONCE, 0.001), closing_s=0.5)
    async with serving(websocket=slow) as listener, serving(websocket=hasty) as fast:
        ada = await Player.create(listener.port)
        for _ in range(MESSAGES_AT_ONCE - 5):
            await ada.say("ping", t=1)
        assert (await ada.ask("ping", t=2))["type"] == "pong"
        for _ in range(MESSAGES_AT_ONCE):
            await ada.say("ping", t=1)
        assert await ada.closed() == 4005
        bob = await Player.join(fast.port, ada.code, "Bob")
        for _ in range(3 * MESSAGES_AT_ONCE):
            await bob.ask("ping", t=1)


async def test_a_classroom_behind_one_address_may_join_at_once(listener: Listener) -> None:
    host = await Player.create(listener.port)
    names = [f"Pupil {number}" for number in range(40)]
    pupils = await asyncio.gather(*(Player.join(listener.port, host.code, name) for name in names))
    assert len({pupil.seat for pupil in pupils}) == 40


async def test_codes_cannot_be_guessed_for_long(serving: Serving) -> None:
    guesses = Rate(SESSION_LIMITS.guesses.burst, 0.001)
    async with serving(sessions=SessionLimits(guesses=guesses)) as listener:
        answers = []
        for number in range(SESSION_LIMITS.guesses.burst + 1):
            guesser = await Player.connect(listener.port)
            code = f"{number:07}"
            answers.append((await guesser.ask("join", room=code, name="Eve"))["code"])
        assert answers == ["no_such_room"] * SESSION_LIMITS.guesses.burst + ["too_many_joins"]


async def test_a_silent_socket_is_closed(serving: Serving) -> None:
    quick = {"http": HttpLimits(head_s=0.2), "websocket": WebsocketLimits(first_frame_s=0.2)}
    async with serving(**quick) as listener:
        silent = await Player.connect(listener.port)
        reader, writer = await asyncio.open_connection("127.0.0.1", listener.port)
        assert await silent.closed() == 4004
        assert await asyncio.wait_for(reader.read(), 10) == b""  # one without even a request
        writer.close()


async def test_a_peer_that_waits_for_a_slow_answer_is_not_silent(serving: Serving) -> None:
    """Joins to a busy room, and resumes while the store was away, were closed 4004."""
    asked, go_on = asyncio.Event(), asyncio.Event()
    async with serving(open_store=HookedStore.open) as listener:

        async def slow(create: Hook, *given: Any) -> Any:
            asked.set()
            await go_on.wait()
            return await create(*given)

        listener.services.store.hooks["create"] = slow
        ada = await Player.connect(listener.port)
        await ada.say("create", name="Ada", settings={})
        await asked.wait()
        (theirs,) = listener.connections
        theirs.check(listener.now() + 2 * FIRST_FRAME_S)
        go_on.set()
        assert (await ada.receive("joined"))["seat"] == 0


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("<b>Ada</b>", "<b>Ada</b>"),  # kept as text: the page shows it as text
        ("  Ada \t\n Lovelace ", "Ada Lovelace"),
        ("A\u202eda\u0000\u200b", "Ada"),
        ("\uff21\uff44\uff41", "Ada"),  # NFKC: full width letters
        ("A" + "\u0335" * 9, "A" + "\u0335" * 2),
        ("Ada" * 100, ("Ada" * 100)[:24]),
    ],
)
async def test_names_are_one_short_visible_line(
    listener: Listener, given: str, shown: str
) -> None:
    ada = await Player.create(listener.port, given)
    assert ada.room["seats"][0]["name"] == shown


async def test_a_name_of_10000_characters_is_no_frame_of_ours(listener: Listener) -> None:
    eve = await Player.connect(listener.port)
    await eve.say("create", name="x" * 10_000)
    assert await eve.closed() == 1009


async def test_a_seat_of_another_player_cannot_be_taken(listener: Listener) -> None:
    ada = await Player.create(listener.port)
    bob = await Player.join(listener.port, ada.code, "Bob")
    for seat, token in ((0, bob.token), (0, "guess"), (7, ada.token)):
        eve = await Player.connect(listener.port)
        refused = await eve.ask("resume", room=ada.code, seat=seat, token=token)
        assert refused["code"] == "bad_token"
        assert await eve.closed() == 4502
    assert (await ada.ask("ping", t=1))["type"] == "pong"
    assert ada.token not in str(bob.received)
    assert len(ada.token) >= 43  # 256 bits in base 64


async def test_a_wrong_code_and_a_closed_room_get_the_same_answer(listener: Listener) -> None:
    eve = await Player.connect(listener.port)
    refused = await eve.ask("resume", room="0000000", seat=0, token="x")
    assert refused["code"] == "no_such_room"
    assert await eve.closed() == 4504
    eve = await Player.connect(listener.port)
    refused = await eve.ask("join", room="0000000", name="Eve")
    assert refused["code"] == "no_such_room"
    assert await eve.closed() == 4504


async def test_the_first_frame_must_take_a_seat_and_only_the_first(listener: Listener) -> None:
    eve = await Player.connect(listener.port)
    for kind, fields in (
        ("start", {}),
        ("ping", {"t": 1}),
        ("act", {"id": 1, "at": 0, "action": "deal"}),
    ):
        refused = await eve.ask(kind, **fields)
        assert (refused["command"], refused["code"]) == (kind, "not_joined")
    ada = await Player.create(listener.port)
    again = await ada.ask("create", name="Ada")
    assert again["code"] == "already_joined"


async def test_an_unsupported_version_of_the_protocol_is_closed_with_its_code(
    listener: Listener,
) -> None:
    socket = await connect(
        f"ws://127.0.0.1:{listener.port}/ws",
        subprotocols=[Subprotocol("spider-race.v99")],
        proxy=None,
    )
    await socket.wait_closed()
    assert socket.close_code == 4501


async def test_addresses_behind_trusted_proxies_are_believed() -> None:
    proxies = [ip_network("10.0.0.0/8")]

    def address(peer: str, *forwarded: str) -> str:
        headers = Headers([("X-Forwarded-For", hops) for hops in forwarded])
        return client_of(peer, headers, proxies).address

    assert address("192.0.2.7", "203.0.113.1") == "192.0.2.7"
    assert address("10.0.0.1", "203.0.113.1") == "203.0.113.1"
    assert address("10.0.0.1", "198.51.100.9, 203.0.113.1, 10.0.0.2") == "203.0.113.1"
    assert address("10.0.0.1", "198.51.100.9", "203.0.113.1") == "203.0.113.1"
    assert address("10.0.0.1", "nonsense") == "10.0.0.1"
    assert address("10.0.0.1") == "10.0.0.1"
    assert address("unix", "203.0.113.1") == "unix"
    # Peers of a socket that listens on `::`.
    assert address("::ffff:10.0.0.1", "203.0.113.1") == "203.0.113.1"
    assert address("::ffff:192.0.2.7", "203.0.113.1") == "::ffff:192.0.2.7"
    proxies = [ip_network("::ffff:10.0.0.0/104")]
    assert address("::ffff:10.0.0.1", "203.0.113.1") == "203.0.113.1"


async def test_an_exception_where_there_are_none_is_refused_in_words(listener: Listener) -> None:
    """Regression: a code of the rules that the wire did not know closed the socket."""
    (ada,) = await start_race(listener.port, players=1)
    move = next(action for action in ada.table["legal"] if is_move(action))
    refused = await ada.act(f"{move}!")
    assert refused["code"] == "exceptions_are_off"
