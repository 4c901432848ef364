"""Races of programs, from their rooms to their results."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any

import pytest
from spider_race_client import Client, ConnectionRestored, Race, connect
from spider_race_client.errors import (
    ActLost,
    BadRequest,
    ProgramError,
    RaceClosed,
    Refused,
    SeatLost,
)

from protocol import vocabulary
from protocol.from_client import Admit, ClientMessage, Kick, Ping
from protocol.vocabulary import CHAT_MESSAGES, COMMANDS_AT_ONCE, CloseCode, ErrorCode, Outcome
from server.games.actions import format_action
from server.sessions.limits import SESSION_LIMITS, RateLimit
from server.web.limits import WEBSOCKET_LIMITS
from tests.games.wins import one_suit_game, one_suit_win
from tests.present import present
from tests.python_client.conftest import NEAR
from tests.python_client.lines import Network
from tests.python_client.races import EASY, Sockets, begin, event, first_move, race_of_two


async def test_a_match_of_two_rounds_goes_on_to_a_rematch(client: Client) -> None:
    host, guest = await race_of_two(client, rounds=2)
    for n in (1, 2, 3):
        assert host.room.round is not None
        assert host.room.round.n == n
        await host.act(first_move(host))
        await asyncio.gather(host.forfeit(), guest.forfeit())
        assert (await host.wait_for_result()).n == n
        await guest.wait_for_result()
        assert not host.is_playing
        await host.rematch()
        next_table = asyncio.create_task(host.wait_for_table())
        await guest.rematch()
        assert [(await next_table).at, (await guest.wait_for_table()).at] == [0, 0]
    assert host.room.match is not None
    assert host.room.match.n == (3,)


async def test_a_won_game_is_not_waited_for(client: Client) -> None:
    winner, _ = await race_of_two(client, deal="secret", number=None, auto_remove=False)
    names = one_suit_game().variant.pile_names
    wins = [format_action(action, names) for action in one_suit_win()]
    tables = await asyncio.gather(*map(winner.act, wins))
    assert tables[-1].outcome is Outcome.WON
    assert not winner.is_playing


async def test_score_cards_that_a_large_room_omits_are_requested(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.views.rooms.MAX_CARD_LINES_IN_ROOM", 1)
    host, guest = await race_of_two(client)
    await asyncio.gather(host.forfeit(), guest.forfeit())
    late = await client.join(host.code, "Cy")
    for race in (host, guest, late):
        match = present(await race.wait_until(lambda race: race.room.match))
        assert match.n == (1,)


async def test_a_chaser_and_a_spectator_see_boards_on_each_connection(
    client: Client, sockets: Sockets
) -> None:
    host, _ = await race_of_two(client, chasers=True, spectate="boards", board_delay_s=0)
    chaser = await client.join(host.code, "Cy")
    await chaser.chase()
    await chaser.wait_for_table()
    assert (await chaser.act(first_move(chaser))).at == 1
    spectator = await client.join(host.code, "Dee", role="spectator")
    await spectator.watch(host.seat)
    for _ in range(2):
        piles = (await host.act(first_move(host))).piles
        await spectator.wait_until(partial(shows, piles=piles))
        sockets.cut()
        await event(spectator, ConnectionRestored)
    await spectator.watch()
    assert spectator.boards == {}
    with pytest.raises(Refused) as caught:
        await host.watch(1)
    assert caught.value.code is ErrorCode.BOARDS_ARE_HIDDEN


def shows(race: Race, piles: object) -> bool:
    return 0 in race.boards and race.boards[0].piles == piles


async def test_a_host_admits_and_removes_a_program(client: Client) -> None:
    host = await client.create("Ada", {"approve": True})
    guest = await client.join(host.code, "Bob")
    assert guest.own_seat is None
    await host.wait_until(lambda race: race.room.waiting)
    await host.command(Admit(seat=guest.seat))
    seat = present(await guest.wait_until(lambda race: race.own_seat))
    assert seat.name == "Bob"
    await host.command(Kick(seat=guest.seat))
    with pytest.raises(SeatLost) as caught:
        await guest.wait_for_table()
    assert caught.value.code is CloseCode.KICKED
    with pytest.raises(Refused):
        await client.resume(host.code, guest.seat, guest.token)


async def test_another_process_takes_the_seat_by_its_token(client: Client) -> None:
    host, _ = await race_of_two(client)
    await host.act(first_move(host))
    async with connect(NEAR) as elsewhere:
        again = await elsewhere.resume(host.link, host.seat, host.token)
        assert (await again.wait_for_table()).at == 1
        with pytest.raises(SeatLost) as caught:
            await host.wait_until(lambda race: race.result)
        assert caught.value.code is CloseCode.REPLACED
        again.close()
        async for _ in again:
            pass
        with pytest.raises(RaceClosed):
            await again.ready()


async def test_a_seat_moves_elsewhere_by_a_code(client: Client) -> None:
    host, _ = await race_of_two(client)
    await host.act(first_move(host))
    async with connect(NEAR) as elsewhere:
        moved = await elsewhere.take_over(host.link, (await host.carry()).code, browser="phone")
        assert (await moved.wait_for_table()).at == 1
        assert moved.token != host.token
        with pytest.raises(SeatLost) as caught:
            await host.wait_until(lambda race: race.result)
        assert caught.value.code is CloseCode.SEAT_MOVED
        with pytest.raises(Refused):
            await elsewhere.resume(host.link, host.seat, host.token)


async def test_commands_are_refused_with_their_own_codes(client: Client) -> None:
    host = await client.create("Ada", EASY)
    guest = await client.join(host.code, "Bob")
    with pytest.raises(ProgramError):
        await guest.act("deal")
    with pytest.raises(Refused):
        await guest.hint()
    asked = guest.start(), guest.ready(), guest.configure(chasers=False)
    results = await asyncio.gather(*asked, return_exceptions=True)
    codes = [each.code if isinstance(each, Refused) else each for each in results]
    assert codes == [ErrorCode.NOT_HOST, None, ErrorCode.NOT_HOST]
    with pytest.raises(Refused) as caught:
        await client.join("0000000", "Eve")
    assert caught.value.code is ErrorCode.NO_SUCH_ROOM


BAD_VALUES: list[tuple[Callable[[Race], Awaitable[object]], str]] = [
    (lambda race: race.act("jump"), "action': 'jump' is no valid action."),
    (lambda race: race.configure(colour="red"), "settings.colour': there is no 'colour'."),
    (lambda race: race.configure(game="chess"), "settings.game"),
    (lambda race: race.say(""), "text': nothing is left of it."),
    (lambda race: race.emote("wink"), "emote"),  # type: ignore[arg-type]  # unknown
    (lambda race: race.watch(*range(vocabulary.MAX_BOARDS + 1)), "boards"),
    (lambda race: race.watch(-1), "boards.0"),
    (lambda race: race.act(None), "action"),  # type: ignore[arg-type]  # no text
    (lambda race: race.act(7), "action"),  # type: ignore[arg-type]  # no text
    (lambda race: race.ready("maybe"), "ready"),  # type: ignore[arg-type]  # neither
    (lambda race: race.watch(None), "boards.0"),  # type: ignore[arg-type]  # no number
]


async def test_a_bad_value_is_named_before_it_is_sent(client: Client, sockets: Sockets) -> None:
    wrong: list[tuple[Any, Any]] = [("", {}), ("Ada", {"rounds": 99}), ("Ada", {"colour": "red"})]
    wrong += [(None, {}), ("Ada", 5), ("Ada", "x"), ("Ada", [1]), ("Ada", {7: "red"})]
    for name, settings in wrong:
        with pytest.raises(BadRequest):
            await client.create(name, settings)
    with pytest.raises(BadRequest, match="'acts': they continue a game"):
        await client.create("Ada", acts=3)
    assert sockets.opened == []
    race, _ = await race_of_two(client)
    for ask, where in BAD_VALUES:
        with pytest.raises(BadRequest) as caught:
            await ask(race)
        field, _, sentence = where.partition("'")
        assert caught.value.where == field
        assert str(caught.value).endswith(sentence)
    for message in (Ping(t=0), None, "ready"):  # not a command, or it has its own method
        with pytest.raises(ProgramError):
            await race.command(message)  # type: ignore[arg-type]  # on purpose


async def test_a_client_and_its_race_show_where_they_are_but_no_secret(client: Client) -> None:
    race = await client.create("Ada")
    assert repr(client) == f"Client({client.server!r})"
    assert repr(race) == f"Race({race.link!r}, seat=0)"


async def test_an_act_that_is_not_answered_in_time_is_given_up(
    between: Network, far: Client
) -> None:
    host, guest = await race_of_two(far)
    between.lost["act"] = 0
    action = first_move(host)
    with pytest.raises(ActLost, match=r"within 0\.05 s"):
        await host.act(action, timeout_s=0.05)
    with pytest.raises(ActLost):
        await guest.act(first_move(guest), timeout_s=0)
    assert (await guest.act(first_move(guest), timeout_s=None)).at == 1


async def test_a_client_whose_block_has_ended_takes_no_seats(
    client: Client, sockets: Sockets
) -> None:
    """Regression: it raised the message of the task group."""
    async with connect(client.server) as ended:
        race = await ended.create("Ada", EASY)
    opened = len(sockets.opened)
    resuming = ended.resume(race.code, race.seat, race.token)
    for call in (ended.create("Ada", EASY), ended.join(race.code, "Bob"), resuming, race.ready()):
        with pytest.raises(RaceClosed):
            await call
    assert len(sockets.opened) == opened


@pytest.mark.parametrize("steps", range(4))
async def test_clients_and_races_stay_usable_after_cancelling(client: Client, steps: int) -> None:
    async def cancelled(call: Coroutine[Any, Any, object]) -> None:
        task = asyncio.create_task(call)
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])

    await cancelled(client.create("Eve", EASY))
    host = await client.create("Ada", EASY)
    await cancelled(client.join(host.code, "Eve"))
    guest = await client.join(host.code, "Bob")
    await cancelled(guest.ready())
    await guest.ready()
    await host.start()  # without those who were cancelled
    await asyncio.gather(guest.wait_for_table(), host.wait_for_table())
    await cancelled(host.act(first_move(host)))
    await host.watch()  # the act is judged first, if it was sent
    assert (await host.act(first_move(host))).at in {1, 2}
    assert (await guest.act(first_move(guest))).at == 1


class Limits(Sockets):
    """Judges each message of one program by the server's limits."""

    def __init__(self) -> None:
        super().__init__()
        clock = asyncio.get_running_loop().time
        self._messages = RateLimit(WEBSOCKET_LIMITS.messages, clock)
        self._commands = RateLimit(SESSION_LIMITS.commands, clock)
        self._lines = RateLimit(SESSION_LIMITS.chat, clock)
        self.sent: list[str] = []

    def message_sent(self, message: ClientMessage) -> None:
        self.sent.append(message.type)
        assert self._messages.take()
        assert message.type in {"act", "ping"} or self._commands.take()
        assert message.type != "say" or self._lines.take()


async def test_sending_as_fast_as_possible_stays_within_the_servers_limits(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cancelling withdraws an act that waits for the limit of messages."""
    monkeypatch.setattr("spider_race_client.race.MAX_UNREAD", 10)
    limits, time = Limits(), asyncio.get_running_loop().time
    async with connect(NEAR, observer=limits) as limited:
        host = await limited.create("Ada", EASY)
        guest = await client.join(host.code, "Bob")
        await begin(host, guest)
        began = time()
        acts = [action for _ in range(100) for action in (first_move(host), "undo")]
        tables = await asyncio.gather(*map(host.act, acts))
        assert [table.at for table in tables] == list(range(1, 201))
        sent = len(limits.sent)
        given_up = [asyncio.create_task(host.act(first_move(host))) for _ in range(5)]
        await asyncio.sleep(0)
        for act in given_up[:4]:
            act.cancel()
        assert (await given_up[4]).at == 201
        assert limits.sent[sent:].count("act") == 1
        assert time() - began == pytest.approx(200 / (0.8 * vocabulary.MESSAGES_PER_S), rel=0.4)
        await asyncio.gather(*(host.watch() for _ in range(2 * COMMANDS_AT_ONCE)))
        await asyncio.gather(*(host.say("hello") for _ in range(2 * CHAT_MESSAGES)))
    assert limits.sent.count("watch") == 2 * COMMANDS_AT_ONCE
    assert (limits.sent.count("say"), limits.codes) == (2 * CHAT_MESSAGES, [])
