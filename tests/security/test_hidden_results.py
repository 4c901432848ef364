"""In an open race nobody learns a result before they have finished their own game.

The tests run a play several times with different games of one player. Everybody who may still
play, and every HTTP client, gets the same bytes at the same times.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from server.games.actions import ACTION_TEXTS
from server.rooms.events import RoomTimings
from server.views.rooms import MAX_SEATS_SENT_WHOLE
from tests.games.wins import one_suit_win, winnable
from tests.world.world import Choices, Sent, World, play

WINDOW = {"game": "spider-1", "auto_remove": False, "window_s": 3_600, "spectate": "boards"}
CHOSEN = Choices(draw_entropy=winnable, rooms=RoomTimings())
PATHS = (
    "/api/rooms",
    "/r/{}",
    "/api/rooms/{}",
    *(
        f"/api/rooms/{{}}/rounds/1{x}"
        for x in ("", "/course", "/review", "/seats/1", "/picture.svg")
    ),
)

End = Callable[[World], Coroutine[Any, Any, None]]
PLAY_S = 300
TEXTS = ACTION_TEXTS["spider-1"]


async def act_and_wait(world: World, acts: int) -> None:
    """Let Bob make the first acts of the win, and wait until `PLAY_S` seconds have passed."""
    began, actions = world.now(), [*map(TEXTS.format, one_suit_win())]
    for action in actions[:acts]:
        await world.act("Bob", action)
    left_ms = PLAY_S * 1_000 - (world.now() - began)
    assert left_ms > 0
    await asyncio.sleep(left_ms / 1_000)


async def win(world: World) -> None:
    await act_and_wait(world, len(one_suit_win()) - 1)
    await world.act("Bob", TEXTS.format(one_suit_win()[-1]))


async def give_up_at_once(world: World) -> None:
    await act_and_wait(world, 0)
    await world.say("Bob", "forfeit")


async def give_up_late(world: World) -> None:
    await act_and_wait(world, 100)
    await world.say("Bob", "forfeit", held=True)


def script(
    end: End, *, kicks: bool = True, crowd: int = 0
) -> Callable[[World], Coroutine[Any, Any, None]]:
    async def run(world: World) -> None:
        for who in ("Ada", "Bob", "Cy", "Don", "Eve"):
            world.sit(who)
        settings = WINDOW | {"public": True}
        await world.say("Ada", "create", name="Ada", settings=settings, browser="of-Ada")
        room = world.people["Ada"].room
        for who in ("Bob", "Cy"):
            await world.say(who, "join", room=room, name=who, browser=f"of-{who}")
        await world.say("Don", "join", room=room, name="Don", role="spectator")
        for who in (f"Guest {n}" for n in range(crowd)):
            world.sit(who)
            await world.say(who, "join", room=room, name=who)
        await world.say("Ada", "start")
        await world.say("Cy", "chase")
        await world.act("Cy", "deal")
        await world.say("Bob", "chase")
        await end(world)
        await world.wait(10)
        for who in ("Ada", "Cy", "Don"):
            await world.say(who, "watch", boards=[1])
            await world.say(who, "watch")
            await world.say(who, "ping", t=1)
        await world.say("Ada", "abort")
        await world.say("Ada", "add_stand_in", seat=1, level="club")
        await world.come_back("Don")
        await world.say("Eve", "join", room=room, name="Eve")
        for path in PATHS:
            await world.get(path.format(room))
        if kicks:
            await world.say("Ada", "kick", seat=1)
        await world.say("Ada", "chase")
        await world.act("Ada", "deal")

    return run


def to_others(world: World) -> list[Sent]:
    """Return everything the server sent to anybody but Bob."""
    return [sent for sent in world.received if sent.who not in {"Bob", "the log"}]


@pytest.fixture(scope="module")
def won() -> World:
    return play(script(win), chosen=CHOSEN)


@pytest.mark.parametrize("crowd", [0, MAX_SEATS_SENT_WHOLE])
@pytest.mark.parametrize("end", [give_up_at_once, give_up_late])
def test_other_results_are_the_same_bytes_for_all_who_may_still_play(end: End, crowd: int) -> None:
    one, two = (to_others(play(script(each, crowd=crowd), chosen=CHOSEN)) for each in (win, end))
    assert {sent.who for sent in one} == {sent.who for sent in two}
    for who in {sent.who for sent in one}:
        assert [s for s in one if s.who == who] == [s for s in two if s.who == who]


def test_a_player_who_has_finished_sees_finished_games(won: World) -> None:
    latest = [sent.message() for sent in won.received if sent.who == "Bob"]
    rows = next(each for each in reversed(latest) if each.get("type") == "standings")["standings"]
    assert [(row["name"], row["won"], row["place"]) for row in rows] == [("Bob", True, 1)]


def test_others_see_which_seats_have_finished_but_no_standings(won: World) -> None:
    rooms = [sent.message() for sent in to_others(won) if sent.who == "Ada"]
    seats = next(each for each in reversed(rooms) if each.get("type") == "room")["room"]["seats"]
    assert [seat["state"] for seat in seats] == ["RACING", "FINISHED", "RACING", *2 * ["WATCHING"]]
    for sent in to_others(won):
        assert not sent.message().get("standings")


def test_only_players_who_have_finished_watch_boards_and_only_finished_ones() -> None:
    async def run(world: World) -> None:
        await script(win, kicks=False)(world)
        for who, board in (("Bob", 2), ("Cy", 1), ("Don", 1)):
            await world.say(who, "watch", boards=[board])
            assert world.people[who].refusal == "boards_are_hidden"
        await world.say("Cy", "forfeit")
        await world.say("Cy", "watch", boards=[1])
        await world.wait(1)
        boards = [each["table"] for each in world.people["Cy"].of("table")]
        assert (boards[-1]["seat"], boards[-1]["outcome"]) == (1, "won")
        await world.wait(3_600)
        over = world.people["Ada"].of("round_over")[0]
        assert [row["seat"] for row in over["ranking"]] == [1, 0, 2]

    play(run, chosen=CHOSEN)


def test_a_player_who_has_left_an_open_race_gets_no_second_game() -> None:
    async def run(world: World) -> None:
        await script(give_up_at_once, kicks=False)(world)
        bob = world.people["Bob"]
        await world.say("Bob", "leave")
        world.sit("Bob")
        await world.say("Bob", "join", room=bob.room, name="Bob", browser="of-Bob")
        await world.say("Bob", "chase")
        assert world.people["Bob"].refusal == "one_seat"

    play(run, chosen=CHOSEN)


def test_a_reload_keeps_the_clock_of_a_player() -> None:
    async def run(world: World) -> None:
        await script(give_up_at_once)(world)
        began = world.people["Ada"].of("table")[-1]["table"]["late_ms"]
        await world.come_back("Ada")
        table = world.people["Ada"].of("table")[-1]["table"]
        assert (table["late_ms"], table["elapsed_ms"] < 1_000) == (began, True)
        assert began > PLAY_S * 1_000
        await asyncio.sleep(900)  # without a sweep
        await world.act("Ada", "deal")
        assert world.people["Ada"].of("refused")[-1]["code"] == "too_late"

    play(run, chosen=CHOSEN)
