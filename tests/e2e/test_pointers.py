"""Fingers and clicks: which of them play, and which are repeats or only rest."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import CDPSession, expect

from server.games import actions
from server.games.actions import Action, ActionKind, kind
from server.games.catalogue import new_game
from server.games.deals import secret_deck
from server.games.game import Game
from server.games.rules import Rules
from tests.e2e.pages import DESKTOP, PHONE, READ_REST, STILL, Person
from tests.e2e.test_table import goes_alone
from tests.e2e.wire import at_a_page, at_a_table, play, start_race
from tests.games.wins import SEED

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

Point = tuple[float, float]

HEADER: Point = (60, 20)
READ_MIDDLE = """(element) => {
  const {x, y, width, height} = element.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""


class Fingers:
    """Fingers on a page, by the order in which they came."""

    def __init__(self, person: Person, session: CDPSession) -> None:
        self.person = person
        self.session = session
        self.points: dict[int, Point] = {}
        self.ids: Iterator[int] = iter(range(100))

    @classmethod
    async def of(cls, person: Person) -> "Fingers":
        return cls(person, await person.page.context.new_cdp_session(person.page))

    async def _send(self, type_: str, points: dict[int, Point], **more: Any) -> None:
        touches = [{"x": x, "y": y, "id": id_} for id_, (x, y) in points.items()]
        await self.session.send(
            "Input.dispatchTouchEvent", {"type": type_, "touchPoints": touches, **more}
        )

    async def down(self, *points: Point, **more: Any) -> list[int]:
        """Puts fingers down, one after another."""
        made = []
        for point in points:
            made.append(id_ := next(self.ids))
            self.points[id_] = point
            await self._send("touchStart", self.points, **more)
        return made

    async def move(self, to: dict[int, Point]) -> None:
        """Moves fingers."""
        self.points |= to
        await self._send("touchMove", self.points)

    async def up(self, id_: int, **more: Any) -> None:
        """Lifts a finger."""
        await self._send("touchEnd", {id_: self.points.pop(id_)}, **more)


def a_move(game: Game) -> Action:
    """Any legal move."""
    return next(a for a in game.legal_actions() if kind(a) is ActionKind.MOVE)


async def place_of(person: Person, game: Game, column: int) -> Point:
    """A point of the page on the last card of a column."""
    box = await person.end(game, column).evaluate(READ_REST)
    return box["x"] + 10, box["y"] + 30


async def below(person: Person, column: int) -> Point:
    """A point on the felt below the cards of a column."""
    box = await person.page.locator(f"[data-pile=t{column}]").bounding_box()
    assert box
    return box["x"] + 10, box["y"] + box["height"] - 6


async def test_any_finger_plays_wherever_another_one_rests(address: str) -> None:
    ada, game = await at_a_table(address, "spider-1", **PHONE, **STILL)
    felt = await below(ada, 9)
    bar = await ada.page.locator("#race-actions").evaluate(READ_MIDDLE)
    for rest in (HEADER, felt, tuple(bar)):
        fingers = await Fingers.of(ada)
        move = a_move(game)
        start = await place_of(ada, game, actions.source(move))
        end = await place_of(ada, game, actions.target(move))
        resting, playing = await fingers.down(rest, start)
        await fingers.move({playing: (start[0] + 30, start[1] + 30)})
        await fingers.move({playing: end})
        await fingers.up(playing)
        game.apply(move)
        await ada.sees(game)
        await fingers.up(resting)
        await ada.sees(game)


async def test_a_second_finger_on_the_cards_cancels_a_drag(address: str) -> None:
    ada, game = await at_a_table(address, "spider-1", **PHONE, **STILL)
    lifted = ada.page.locator("[data-part=lift] [data-card]")
    move = a_move(game)
    start = await place_of(ada, game, actions.source(move))
    end = await place_of(ada, game, actions.target(move))
    fingers = await Fingers.of(ada)
    (first,) = await fingers.down(start)
    await fingers.move({first: (start[0] + 30, start[1] + 30)})
    await expect(lifted).not_to_have_count(0)
    (second,) = await fingers.down(await place_of(ada, game, 9))
    await expect(lifted).to_have_count(0)
    await fingers.move({first: end})
    await fingers.up(first)
    await fingers.up(second)
    await expect(ada.page.locator("[data-marks~=held]")).to_have_count(0)
    await ada.sees(game)
    (third,) = await fingers.down(start)  # the next press plays again
    await fingers.move({third: end})
    await fingers.up(third)
    game.apply(move)
    await ada.sees(game)


async def test_spreading_two_fingers_on_the_cards_never_moves_any(address: str) -> None:
    ada, game = await at_a_table(address, "spider-1", **PHONE, **STILL)
    moves = [a for a in game.legal_actions() if kind(a) is ActionKind.MOVE][:4]
    for move in moves:
        start = await place_of(ada, game, actions.source(move))
        end = await place_of(ada, game, actions.target(move))
        fingers = await Fingers.of(ada)
        one, two = await fingers.down(start, (start[0] + 4, start[1] + 8))
        for part in (0.3, 0.6, 1.0):
            x, y = (a + (b - a) * part for a, b in zip(start, end, strict=True))
            await fingers.move({one: (x, y), two: (2 * start[0] - x, start[1] + 60 * part)})
        await fingers.up(one)
        await fingers.up(two)
    await expect(ada.page.locator("[data-marks~=held]")).to_have_count(0)
    await ada.sees(game)
    assert (await ada.page.evaluate("document.querySelectorAll('[data-flying]').length")) == 0


async def test_the_right_button_cancels_a_drag(address: str) -> None:
    ada, game = await at_a_table(address, "spider-1", **DESKTOP, **STILL)
    mouse = ada.page.mouse
    move = next(a for a in game.legal_actions() if goes_alone(game, a) and actions.count(a) == 1)
    start = await place_of(ada, game, actions.source(move))
    end = await place_of(ada, game, actions.target(move))
    lifted = ada.page.locator("[data-part=lift] [data-card]")
    await mouse.move(*start)
    await mouse.down()
    await mouse.move(*end)
    await expect(lifted).not_to_have_count(0)
    await mouse.down(button="right")
    await expect(lifted).to_have_count(0)
    await mouse.up()
    await mouse.up(button="right")
    await ada.page.mouse.move(*start)
    await ada.sees(game)
    await mouse.down(button="right")  # alone it plays
    await mouse.up(button="right")
    game.apply(move)
    await ada.sees(game)


def pair_in_suit(game: Game) -> Action:
    """A move of one card that makes a run of two."""
    for action in game.legal_actions():
        if kind(action) is ActionKind.MOVE and actions.count(action) == 1:
            (_, ours), (_, theirs) = (
                game.pile(place(action)) for place in (actions.source, actions.target)
            )
            if theirs and theirs[-1] == ours[-1] + 1:
                return action
    raise AssertionError


async def test_the_right_button_takes_a_part_of_a_run_in_arachnid(address: str) -> None:
    settings: dict[str, Any] = {"game": "spider-4", "auto_remove": False, "undo": "free"}
    (racer,) = await start_race(address, "Ada", **settings)
    game = new_game(Rules("spider-4", undo="free"), secret_deck("spider-4", SEED))
    move = pair_in_suit(game)
    await play(racer, [move])
    game.apply(move)
    ada = await at_a_page(racer, **DESKTOP, **STILL)
    await ada.sees(game)
    held = ada.page.locator("[data-in][data-marks~=held]")
    cards = game.pile(actions.target(move)).cards
    for count in (1, 2):  # the lower card is taken from the run, and then its whole
        card = ada.card(game, actions.target(move), len(cards) - count)
        await card.click(button="right", position={"x": 8, "y": 6})
        await expect(held).to_have_count(count)
    await ada.sees(game)


async def test_a_double_click_is_what_the_system_counts_as_one(address: str) -> None:
    ada, game = await at_a_table(address, "spider-1", **DESKTOP, **STILL)
    mouse = ada.page.mouse
    move = next(a for a in game.legal_actions() if goes_alone(game, a))
    held = ada.page.locator("[data-marks~=held]")
    x, y = await place_of(ada, game, actions.source(move))

    async def click(count: int) -> None:
        await mouse.down(click_count=count)
        await mouse.up(click_count=count)

    await mouse.move(x, y)
    await click(1)
    await click(1)  # two clicks of a system whose double clicks are faster
    await expect(held).to_have_count(0)
    await ada.sees(game)
    await click(1)
    await expect(held).not_to_have_count(0)
    await ada.page.wait_for_timeout(450)  # a system for slower hands
    await click(2)
    game.apply(move)
    await ada.sees(game)
    for count in (3, 4):
        await click(count)
    await expect(held).to_have_count(0)
    await ada.sees(game)


async def test_taps_that_follow_soon_are_repeats_however_many(address: str) -> None:
    """Regression: the window that ignores them did not restart, and the third one moved again."""
    ada, game = await at_a_table(address, "spider-1", **PHONE, **STILL)
    one = next(a for a in game.legal_actions() if goes_alone(game, a))
    place = await place_of(ada, game, actions.source(one))
    fingers = await Fingers.of(ada)
    now = await ada.page.evaluate("Date.now() / 1000")
    for at in range(3):
        (finger,) = await fingers.down(place, timestamp=now + at * 0.18)
        await fingers.up(finger, timestamp=now + at * 0.18 + 0.02)
    game.apply(one)
    await ada.sees(game)
    await expect(ada.page.locator("[data-marks~=held]")).to_have_count(0)
