"""Races of programs at a real server, from their rooms to their results."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from spider_race_client import (
    ActTimedOut,
    BadAnswer,
    BadRequest,
    Client,
    ClientClosed,
    ConnectionRestored,
    EngineMissing,
    NoTable,
    ProgramError,
    Race,
    RaceClosed,
    Refused,
    Round,
    RoundUnknown,
    SeatLost,
    connect,
    fetch_review,
    fetch_round,
)
from spider_race_client.pacing import TokenBucket

from protocol.from_client import Admit, Kick, Ping
from protocol.vocabulary import CHAT_MESSAGES, MAX_BOARDS, CloseCode, ErrorCode, Outcome
from server.games.actions import format_action
from server.http.listener import Listener
from server.sessions.limits import SessionLimits
from server.sessions.rate_limit import Rate
from tests.games.wins import one_suit_game, one_suit_win
from tests.players import running
from tests.python_client.conftest import SOON
from tests.python_client.races import (
    EASY,
    Between,
    Sockets,
    at,
    begin,
    event,
    first_move,
    race_of_two,
)


async def test_two_programs_race_to_the_result(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, guest = await race_of_two(client)
    assert (await host.act(first_move(host))).at == 1
    await host.forfeit()
    await guest.forfeit()
    result = await guest.wait_for_result()
    assert {seat.kind for seat in guest.room.seats} == {"program"}
    assert [row.seat for row in result.ranking] == [host.seat, guest.seat]
    played = await fetch_round(client.server.page, host.code, result.n)
    ada, bob = played.document.players
    review = await fetch_review(client.server.page, host.code, result.n)
    assert (review.room, review.n, review.state) == (host.code, result.n, "done")
    assert [act.game.at for act in played.replay(ada)] == [1]
    assert list(played.replay(bob)) == []
    with monkeypatch.context() as only_the_client:
        only_the_client.setitem(sys.modules, "server.games.cards", None)
        with pytest.raises(EngineMissing, match=r"server\.games\.cards"):
            played.replay(ada)
    fewer = played.document.reveal.model_copy(update={"deck": played.document.reveal.deck[1:]})
    with pytest.raises(BadAnswer, match="no deck"):
        Round(played.document.model_copy(update={"reveal": fewer})).replay(ada)
    jump = ada.log[0].model_copy(update={"action": "t0x9-t1"})
    with pytest.raises(BadAnswer, match="against the rules"):
        list(played.replay(ada.model_copy(update={"log": (jump,)})))


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


async def test_a_game_that_is_won_is_none_to_wait_for(client: Client) -> None:
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
        match = await race.wait_until(lambda race: race.room.match)
        assert match is not None
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


async def test_all_requests_for_hints_are_answered(client: Client) -> None:
    host, _ = await race_of_two(client, hints=True)
    hints = await asyncio.gather(host.hint(), host.hint())
    assert hints[0] == hints[1]
    assert host.table is not None
    assert hints[0].action in host.table.legal
    await host.forfeit()
    with pytest.raises(Refused):
        await host.hint()


async def test_a_newcomer_waits_until_the_host_admits_it(client: Client) -> None:
    host = await client.create("Ada", {"approve": True})
    guest = await client.join(host.code, "Bob")
    assert guest.own_seat is None
    await host.wait_until(lambda race: race.room.waiting)
    await host.command(Admit(seat=guest.seat))
    seat = await guest.wait_until(lambda race: race.own_seat)
    assert seat is not None
    assert seat.name == "Bob"


async def test_a_program_that_the_host_removes_loses_its_seat(client: Client) -> None:
    host = await client.create("Ada")
    guest = await client.join(host.code, "Bob")
    await host.command(Kick(seat=guest.seat))
    with pytest.raises(SeatLost) as caught:
        await guest.wait_for_table()
    assert caught.value.code is CloseCode.KICKED
    with pytest.raises(Refused):
        await client.resume(host.code, guest.seat, guest.token)


async def test_a_program_that_the_host_has_banned_cannot_join_again(
    client: Client, listener: Listener
) -> None:
    host = await client.create("Ada")
    # The host's own network is never banned.
    elsewhere = Between(listener.port, address="192.0.2.7")
    async with at(elsewhere.handle) as stranger:
        guest = await stranger.join(host.code, "Bob")
        await host.command(Kick(seat=guest.seat, ban=True))
        with pytest.raises(SeatLost):
            await guest.wait_for_table()
        with pytest.raises(Refused) as caught:
            await stranger.join(host.code, "Bob again")
    assert caught.value.code is ErrorCode.BANNED


async def test_another_process_takes_the_seat_by_its_token(client: Client) -> None:
    host, _ = await race_of_two(client)
    await host.act(first_move(host))
    async with connect(client.server.page) as elsewhere:
        again = await elsewhere.resume(host.link, host.seat, host.token)
        assert (await again.wait_for_table()).at == 1
        with pytest.raises(SeatLost) as caught:
            await host.wait_until(lambda race: race.result)
        assert caught.value.code is CloseCode.REPLACED


async def test_a_seat_stays_when_its_race_is_closed(client: Client) -> None:
    host = await client.create("Ada")
    guest = await client.join(host.code, "Bob")
    guest.close()
    async for _ in guest:
        pass
    with pytest.raises(RaceClosed):
        await guest.ready()
    await host.wait_until(
        lambda race: [seat for seat in race.room.seats if seat.connection != "on"]
    )
    assert (await client.resume(host.code, guest.seat, guest.token)).seat == guest.seat


async def test_leaving_gives_the_seat_up_and_ends_the_events(client: Client) -> None:
    host = await client.create("Ada")
    guest = await client.join(host.code, "Bob")
    await guest.leave()
    async for _ in guest:
        pass
    await host.wait_until(lambda race: len(race.room.seats) == 1)


async def test_commands_are_refused_with_their_own_codes(client: Client) -> None:
    host = await client.create("Ada", EASY)
    guest = await client.join(host.code, "Bob")
    with pytest.raises(NoTable):
        await guest.act("deal")
    results = await asyncio.gather(
        guest.start(), guest.ready(), guest.configure(chasers=False), return_exceptions=True
    )
    codes = [each.code if isinstance(each, Refused) else each for each in results]
    assert codes == [ErrorCode.NOT_HOST, None, ErrorCode.NOT_HOST]
    with pytest.raises(Refused) as caught:
        await client.join("0000000", "Eve")
    assert caught.value.code is ErrorCode.NO_SUCH_ROOM
    with pytest.raises(RoundUnknown):
        await fetch_round(client.server.page, host.code, 1)


@pytest.mark.parametrize(
    ("ask", "where"),
    [
        (lambda race: race.act("jump over the moon"), "action"),
        (lambda race: race.configure(colour="red"), "settings.colour"),
        (lambda race: race.configure(game="chess"), "settings.game"),
        (lambda race: race.say(""), "text"),
        (lambda race: race.emote("wink"), "emote"),
        (lambda race: race.watch(*range(MAX_BOARDS + 1)), "boards"),
        (lambda race: race.watch(-1), "boards.0"),
        (lambda race: race.act(None), "action"),
        (lambda race: race.act(7), "action"),
        (lambda race: race.ready("maybe"), "ready"),
        (lambda race: race.watch(None), "boards.0"),
    ],
)
async def test_a_bad_value_is_named_before_it_is_sent(
    client: Client, ask: Callable[[Race], Awaitable[object]], where: str
) -> None:
    race, _ = await race_of_two(client)
    with pytest.raises(BadRequest) as caught:
        await ask(race)
    assert caught.value.where == where


async def test_a_room_with_bad_values_is_not_opened(client: Client, sockets: Sockets) -> None:
    wrong: list[tuple[Any, Any]] = [("", {}), ("Ada", {"rounds": 99}), ("Ada", {"colour": "red"})]
    wrong += [(None, {}), ("Ada", 5), ("Ada", "x"), ("Ada", [1]), ("Ada", {7: "red"})]
    for name, settings in wrong:
        with pytest.raises(BadRequest):
            await client.create(name, settings)
    assert sockets.opened == []


async def test_what_has_a_method_of_its_own_is_no_command(client: Client) -> None:
    race = await client.create("Ada")
    for message in (Ping(t=0), None, "ready"):
        with pytest.raises(ProgramError):
            await race.command(message)  # type: ignore[arg-type]  # some are none on purpose


async def test_an_act_that_is_not_answered_in_time_is_given_up(
    between: Between, far: Client
) -> None:
    host, guest = await race_of_two(far)
    between.lost["act"] = 0
    action = first_move(host)
    with pytest.raises(ActTimedOut, match=r"within 0\.05 s"):
        await host.act(action, timeout_s=0.05)
    with pytest.raises(TimeoutError):
        await guest.act(first_move(guest), timeout_s=0)
    assert (await guest.act(first_move(guest), timeout_s=None)).at == 1


async def test_a_refused_act_leaves_the_table_and_the_next_act_applies(client: Client) -> None:
    host, _ = await race_of_two(client)
    with pytest.raises(Refused) as caught:
        await host.act("t0x9-t1")
    assert caught.value.details.piles
    assert (await host.act(first_move(host))).at == 1


async def test_a_client_whose_block_has_ended_takes_no_seats(
    client: Client, sockets: Sockets
) -> None:
    """It raised what the group of tasks says of itself."""
    async with connect(client.server.page) as ended:
        race = await ended.create("Ada", EASY)
    opened = len(sockets.opened)
    for call in (
        ended.create("Ada", EASY),
        ended.join(race.code, "Bob"),
        ended.resume(race.code, race.seat, race.token),
    ):
        with pytest.raises(ClientClosed):
            await call
    with pytest.raises(RaceClosed):
        await race.ready()
    assert len(sockets.opened) == opened


async def test_an_act_that_waits_for_the_limit_of_messages_is_withdrawn_by_cancelling(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, _ = await race_of_two(client)
    take, may_send = TokenBucket.take, asyncio.Event()

    async def take_later(bucket: TokenBucket) -> None:
        await may_send.wait()
        await take(bucket)

    with monkeypatch.context() as limited:
        limited.setattr(TokenBucket, "take", take_later)
        acts = [asyncio.create_task(host.act(first_move(host))) for _ in range(3)]
        await asyncio.sleep(0.05)
        for act in acts[:2]:
            act.cancel()
        await asyncio.wait(acts[:2])
        may_send.set()
        assert (await acts[2]).at == 1


@pytest.mark.parametrize("steps", range(4))
async def test_all_stays_usable_that_is_cancelled(client: Client, steps: int) -> None:
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
    await begin(guest, host)
    await cancelled(host.act(first_move(host)))
    await host.watch()  # the act is judged first, if it was sent
    assert (await host.act(first_move(host))).at in {1, 2}
    assert (await guest.act(first_move(guest))).at == 1


async def test_acts_as_fast_as_possible_stay_below_the_servers_limits(
    client: Client, sockets: Sockets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spider_race_client.events.MAX_UNREAD", 10)
    host, _ = await race_of_two(client)
    acts = [action for _ in range(100) for action in (first_move(host), "undo")]
    tables = await asyncio.gather(*map(host.act, acts))
    assert [table.at for table in tables] == list(range(1, 201))
    assert sockets.codes == []
    assert host.dropped_events > 200, "nobody has read any"


async def test_commands_and_lines_of_chat_stay_below_the_servers_limits(
    embedded_url: str,
    store: object,
    tmp_path: Path,
    sockets: Sockets,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert store is not None
    monkeypatch.setattr("spider_race_client.race.COMMANDS_AT_ONCE", 10)
    monkeypatch.setattr("spider_race_client.race.COMMANDS_PER_S", 10)
    for place in ("spider_race_client.race", "server.sessions.services"):
        monkeypatch.setattr(f"{place}.CHAT_INTERVAL_S", 1)
    strict = replace(SOON, sessions=SessionLimits(commands=Rate(10, 10)))
    async with (
        running(strict, redis_url=embedded_url, data_dir=tmp_path) as listener,
        connect(f"http://127.0.0.1:{listener.port}", observer=sockets) as client,
    ):
        race = await client.create("Ada")
        await asyncio.gather(*(race.watch() for _ in range(20)))
        await asyncio.gather(*(race.say("hello") for _ in range(CHAT_MESSAGES + 1)))
        assert sockets.codes == []


async def test_many_races_of_one_client_and_of_another(client: Client) -> None:
    async with connect(client.server.page) as other:
        hosts = await asyncio.gather(*(client.create(f"Ada {n}", EASY) for n in range(25)))
        guests = await asyncio.gather(*(other.join(host.link, "Bob") for host in hosts))
        await asyncio.gather(*(begin(*pair) for pair in zip(hosts, guests, strict=True)))
        tables = await asyncio.gather(*(race.act(first_move(race)) for race in (*hosts, *guests)))
        assert [table.at for table in tables] == [1] * 50
