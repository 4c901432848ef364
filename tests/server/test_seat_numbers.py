"""Seat numbers that are given again, from end to end, in a room that has only five."""

import pytest

from protocol.vocabulary import CloseCode
from server.http.listener import Listener
from server.rooms import seat_numbers
from server.store import Store, keys
from tests.players import Player, start_race
from tests.server.conftest import Serving


@pytest.fixture(autouse=True)
def five_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat_numbers, "NUMBERS", 5)


async def gone(player: Player) -> None:
    """Leave the seat."""
    await player.say("leave")
    assert await player.closed() == 1000


async def test_people_come_and_go_beyond_the_last_number(serving: Serving) -> None:
    async with serving() as one, serving() as other:
        ada = await Player.create(one.port)
        seats = []
        for n in range(12):
            guest = await Player.join((one, other)[n % 2].port, ada.code, f"Guest {n}")
            seats.append(guest.seat)
            await gone(guest)
        assert seats == [1, 2, 3, 4] * 3
        await ada.ask("configure", settings={"approve": True})
        waiting = []
        for n in range(8):
            applicant = await Player.join(other.port, ada.code, f"Applicant {n}")
            waiting.append(applicant.seat)
            await gone(applicant)
        assert waiting == [1, 2, 3, 4] * 2


async def test_an_old_token_opens_no_seat_of_the_same_number(
    serving: Serving, store: Store
) -> None:
    async with serving() as one, serving() as other:
        ada = await Player.create(one.port, game="spider-1")
        bob = await Player.join(other.port, ada.code, "Bob")
        await gone(bob)
        assert not await store.client.call(key := keys.seat(ada.code, 1), "EXISTS", key)
        for n in range(2, 5):
            await gone(await Player.join(one.port, ada.code, f"Guest {n}"))
        cy = await Player.join(other.port, ada.code, "Cy")
        assert cy.seat == bob.seat
        thief = await Player.connect(one.port)
        await thief.say("resume", room=bob.code, seat=bob.seat, token=bob.token)
        assert await thief.closed() == CloseCode.BAD_TOKEN
        assert (await cy.ask("ping", t=1))["t"] == 1
        back = await cy.resume(one.port)
        assert (back.room["seats"][1]["name"], await cy.closed()) == ("Cy", CloseCode.REPLACED)


async def test_a_number_given_again_has_a_log_and_progress_of_its_own(listener: Listener) -> None:
    ada, bob = await start_race(listener.port, game="spider-1", undo="any")
    for action in ("deal", "undo", "redo"):
        await bob.act(action)
    await ada.ask("abort")
    await bob.in_state("LOBBY")
    await gone(bob)
    for n in range(2, 5):
        await gone(await Player.join(listener.port, ada.code, f"Guest {n}"))
    cy = await Player.join(listener.port, ada.code, "Cy")
    assert cy.seat == bob.seat
    ada.table = {}
    await cy.say("ready")
    await ada.say("ready")
    assert (await cy.race())["at"] == 0
    await ada.race()
    assert cy.table["last_id"] == 0
    rows = await ada.standings_with(lambda rows: len(rows) == 2)
    assert [(row["name"], row["cheats"], row["moves"]) for row in rows] == [
        ("Player 0", 0, 0),
        ("Cy", 0, 0),
    ]
    assert (await cy.act("deal"))["at"] == 1
    assert (await cy.act("undo"))["at"] == 2
    await ada.standings_with(lambda rows: max(row["cheats"] for row in rows) == 1)
