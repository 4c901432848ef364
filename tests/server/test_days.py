"""Today's race and cards that are dealt again, from the message to the board."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from contextlib import nullcontext, suppress
from functools import lru_cache, wraps
from typing import Any

import pytest

from protocol.vocabulary import DAY_GAMES, DayGameId
from server.games.actions import ACTION_TEXTS
from server.games.deals import commitment, new_game, secret_deck
from server.live.days import DAY_MS, day_of
from server.live.hub import LiveTimings
from server.operators.moderation import close
from server.rooms.days import DayDeal, settings_of_day
from server.rooms.deals import WinnableDeal, pack_line
from server.rooms.settings import rules_of
from server.solver.deal_kinds import Found
from server.solver.solve import solve
from server.store import StoreAway, StoreFull, Unreadable
from tests.players import ROOM_UPDATES
from tests.world.stage import Person, Stage, get, play_acts, staged
from tests.world.store import EPOCH_MS

TODAY = day_of(EPOCH_MS)
NEXT = day_of(EPOCH_MS + DAY_MS)
GAME: DayGameId = "spider-1"
RACE = f"{TODAY}/{GAME}"
BOARD = f"/api/days/{RACE}"
SEED, SALT = bytes(range(16)).hex(), bytes(16).hex()


@lru_cache
def winning_line() -> tuple[str, ...]:
    """Return a line that wins the deal of the tests, as texts."""
    return tuple(ACTION_TEXTS[GAME].format(action) for action in _solved())


@lru_cache
def _solved() -> Any:
    rules = rules_of(settings_of_day(GAME))
    return solve(new_game(rules, secret_deck(GAME, bytes.fromhex(SEED))), budget=400_000).line


def choose(stage: Stage, day: str = TODAY, seed: str = SEED, salt: str = SALT) -> str:
    """Choose the deal of a day; return its commitment."""
    deal = DayDeal(seed=seed, salt=salt, line=pack_line(_solved()), degree="hard")
    stage.store.days.kept[day, GAME] = deal.model_dump_json()
    return commitment(bytes.fromhex(seed), bytes.fromhex(salt))


def on_a_day(script: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Make a test of a script like `staged`, with a deal for today."""

    @wraps(script)
    async def play(stage: Stage, **given: Any) -> None:
        choose(stage)
        await script(stage, **given)

    return staged(play)


async def begin(stage: Stage, name: str, cards: str = RACE, **more: Any) -> Person:
    """Begin a game with cards that exist already."""
    fields = {"name": name, "browser": f"browser-of-{name}", "cards": cards, **more}
    person = await Person.seated(stage.port, "create", **fields)
    await person.race()
    return person


def key_of(person: Person) -> str:
    key: str = person.room["round"]["key"]
    return key


async def board(stage: Stage, key: str = "", path: str = BOARD) -> dict[str, Any]:
    answer = await get(stage.port, f"{path}?key={key}")
    assert answer.status == 200, answer
    shown: dict[str, Any] = json.loads(answer.body)
    return shown


async def win(person: Person) -> None:
    for action in winning_line():
        assert (await person.act(action))["type"] == "acted"
    await person.receive("round_over")


async def give_up(person: Person) -> dict[str, Any]:
    await person.say("forfeit")
    return await person.receive("round_over")


async def counted(person: Person) -> None:
    """Wait until the result was reported a second time, and nothing is left to report."""
    for _ in range(2):
        await person.receive(*ROOM_UPDATES)


async def refusal(stage: Stage, **fields: Any) -> str:
    person = await Person.connect(stage.port)
    await person.say("create", **{"name": "Eve", **fields})
    code: str = (await person.receive("refused"))["code"]
    return code


async def settled(seconds: float = 30) -> None:
    """Let the sweep deliver everything that is due."""
    await asyncio.sleep(seconds)


@on_a_day
async def test_a_game_of_today_begins_at_once_and_is_on_the_board_at_its_end(stage: Stage) -> None:
    ada = await begin(stage, "Ada")
    assert ada.room["state"] == "RUNNING"
    assert ada.room["round"]["cards"] == RACE
    assert ada.room["settings"]["time_limit_s"] == 3_600
    assert ada.room["round"]["degree"] == "hard"
    bob = await begin(stage, "Bob")
    await win(ada)
    await settled(0.1)
    assert (await board(stage, key_of(ada)))["finished"] == 1
    over = await give_up(bob)
    assert [over["reveal"][part] for part in ("seed", "salt", "deck")] == [None, None, []]
    await settled()
    shown = await board(stage, key_of(ada))
    assert [(row["name"], row["place"], row["won"]) for row in shown["rows"]] == [
        ("Ada", 1, True),
        ("Bob", 2, False),
    ]
    assert (shown["players"], shown["finished"], shown["won"]) == (2, 2, 1)
    assert shown["own"] == shown["rows"][0]["entry"]
    for query, names in (
        ("first=2", ["Bob"]),
        ("rows=1", ["Ada"]),
        ("rows=9999999&first=0", ["Ada", "Bob"]),
        ("rows=-1&first=x", ["Ada", "Bob"]),
    ):
        part = await board(stage, f"{key_of(ada)}&{query}")
        assert [row["name"] for row in part["rows"]] == names


@on_a_day
async def test_only_those_who_have_finished_see_more_than_how_many_play(stage: Stage) -> None:
    ada, bob = await begin(stage, "Ada"), await begin(stage, "Bob")
    await win(ada)
    await settled()
    entry = (await board(stage, key_of(ada)))["own"]
    for key in ("", key_of(bob), "0" * 32, "rubbish"):
        shown = await board(stage, key)
        assert (shown["players"], shown["rows"], shown["finished"], shown["won"]) == (2, [], 0, 0)
        for way in ("", "/course", "/seats/0", ".txt", "/proof", "/picture.svg"):
            assert (await get(stage.port, f"{BOARD}/{entry}{way}?key={key}")).status == 404
    own = await get(stage.port, f"{BOARD}/{entry}/seats/0?key={key_of(ada)}")
    assert json.loads(own.body)["name"] == "Ada"
    for way in ("", ".txt", "/proof"):  # they lead from the deal on
        assert (await get(stage.port, f"{BOARD}/{entry}{way}?key={key_of(ada)}")).status == 404


@on_a_day
async def test_the_spread_counts_all_results_for_those_who_see_the_board(stage: Stage) -> None:
    ada, bob, eve = [await begin(stage, name) for name in ("Ada", "Bob", "Eve")]
    hidden: dict[str, list[int]] = {"finished": [], "suits": []}
    assert (await board(stage))["spread"] == hidden
    await asyncio.sleep(65)
    await win(ada)
    await settled(0.1)
    spread = (await board(stage, key_of(ada)))["spread"]
    assert spread == {"finished": [0, 0, 1], "suits": [0] * 8}
    await play_acts(bob, list(winning_line()[:-5]))
    for person in (bob, eve):
        await give_up(person)
    await settled()
    shown = await board(stage, f"{key_of(ada)}&first=2&rows=1")
    suits = shown["rows"][0]["suits"]
    assert suits > 0
    assert shown["spread"] == {
        "finished": [0, 0, 1],
        "suits": [sum(home == each for each in (0, suits)) for home in range(8)],
    }
    assert (await board(stage))["spread"] == hidden
    stage.store.clock.shift_ms = DAY_MS
    assert (await board(stage))["spread"] == shown["spread"]


@on_a_day
async def test_a_day_is_revealed_when_it_and_its_last_game_are_over(stage: Stage) -> None:
    choose(stage, NEXT)
    minutes = 60_000
    stage.store.clock.shift_ms = DAY_MS - EPOCH_MS % DAY_MS - 10 * minutes
    ada, bob = await begin(stage, "Ada"), await begin(stage, "Bob")
    await win(ada)
    stage.store.clock.shift_ms += 20 * minutes
    assert (await board(stage))["rows"] == []  # Bob still plays
    assert (await bob.act(winning_line()[0]))["type"] == "acted"
    await give_up(bob)
    await settled()
    shown = await board(stage)
    assert [row["name"] for row in shown["rows"]] == ["Ada", "Bob"]
    assert shown["over"]
    entries = ".".join(row["entry"] for row in shown["rows"])
    whole = json.loads((await get(stage.port, f"{BOARD}/{entries}")).body)
    assert whole["reveal"]["seed"] == SEED
    assert [each["name"] for each in whole["players"]] == ["Ada", "Bob"]
    assert (await get(stage.port, f"{BOARD}/{entries}/proof")).status == 200
    days = json.loads((await get(stage.port, "/api/days")).body)
    assert (days["day"], days["past"]) == (NEXT, [TODAY])
    assert [game["players"] for game in days["games"]] == [0]


@on_a_day
async def test_the_board_of_a_finished_day_has_the_entry_of_its_player(stage: Stage) -> None:
    """Regression: a result that arrived during the request was left out, and never fetched."""
    stage.store.clock.shift_ms = DAY_MS - EPOCH_MS % DAY_MS - 60_000
    bob = await begin(stage, "Bob")
    stage.store.clock.shift_ms += 120_000
    stage.one.store.faults.refuse("days.report")  # it comes ten seconds later
    await give_up(bob)
    stage.one.store.faults.slow("days.rank_of", 30)
    shown = await board(stage, key_of(bob))
    assert shown["own"] or not shown["over"]
    again = await board(stage, key_of(bob))
    assert again["own"]
    assert again["over"]


@on_a_day
async def test_a_game_whose_player_left_ends_after_an_hour_and_is_counted(stage: Stage) -> None:
    ada = await begin(stage, "Ada")
    key = key_of(ada)
    await ada.leave()
    await settled(3_600 + 60)
    shown = await board(stage, key)
    assert [(row["name"], row["state"]) for row in shown["rows"]] == [("Ada", "TIMED_OUT")]


@on_a_day
async def test_a_browser_plays_a_game_of_the_day_once(stage: Stage) -> None:
    ada = await begin(stage, "Ada")
    again = {"browser": "browser-of-Ada", "cards": RACE}
    assert await refusal(stage, **again) == "day_played"
    await give_up(ada)
    assert await refusal(stage, **again) == "day_played"
    await counted(ada)
    key = key_of(ada)
    for command in ("abort", "start", "next_round"):
        answer = await ada.ask(command)
        other = answer.get("room", {}).get("round") or {}
        assert "key" not in other, command
    await settled(60)
    assert len((await board(stage, key))["rows"]) == 1
    # Nor does a failover that loses the room of a game make room for another one.
    await begin(stage, "Bob")
    stage.store.rooms.popitem()
    assert await refusal(stage, browser="browser-of-Bob", cards=RACE) == "day_played"


@pytest.mark.parametrize("held", ["", "days.deals", "days.advance_claim", "rooms.create"])
@pytest.mark.parametrize("after", [False, True])
@on_a_day
async def test_a_repeated_create_opens_one_game(stage: Stage, held: str, after: bool) -> None:
    """Regression: a repetition got `day_played` while the first one was under way."""
    attempt = {"attempt": "an-attempt-of-ada-1", "browser": "of-Ada", "cards": RACE}
    people = [await Person.connect(each.port) for each in (stage.process(), stage.process())]
    with stage.one.store.faults.held(held, after=after) if held else nullcontext():
        for person in people:
            await person.say("create", name="Ada", **attempt)
            await settled(0.01)
    codes = [(await each.receive("joined"))["room"]["code"] for each in people]
    assert codes[0] == codes[1]
    assert list(stage.store.rooms) == codes[:1]


@on_a_day
async def test_a_repeated_create_is_answered_before_anything_else_is_asked(stage: Stage) -> None:
    """Regression: after midnight it was `no_such_cards`, and on a full store `store_full`."""
    stage.store.clock.shift_ms = DAY_MS - EPOCH_MS % DAY_MS - 5_000
    attempt = {"attempt": "an-attempt-of-ada-1", "browser": "of-Ada"}
    ada = await begin(stage, "Ada", **attempt)
    other = {"attempt": "an-attempt-of-bob-1"}
    bob = await Person.seated(stage.port, "create", name="Bob", settings={}, **other)
    stage.store.clock.shift_ms += 10_000
    stage.one.store.faults.is_full = True
    stage.store.open_rooms.without_space = 1_000
    assert (await begin(stage, "Ada", **attempt)).code == ada.code
    again = await Person.seated(stage.port, "create", name="Bob", settings={}, **other)
    assert again.code == bob.code


@on_a_day
async def test_no_repetition_opens_a_second_game_of_the_day(stage: Stage) -> None:
    """Regression: after a minute, or after leaving, the same attempt started a new game."""
    attempt = {"attempt": "an-attempt-of-ada-1", "browser": "of-Ada", "cards": RACE}
    ada = await begin(stage, "Ada", **attempt)
    key = key_of(ada)
    await settled(61)
    assert await refusal(stage, **attempt) == "day_played"
    stage.one.store.faults.failing["rooms.create"] = StoreFull()
    assert await refusal(stage, **attempt) in ("day_played", "store_full")
    await ada.ask("leave")
    assert await refusal(stage, **attempt) in ("day_played", "store_full")
    stage.one.store.faults.failing.clear()
    await settled()
    stage.store.clock.shift_ms += 3 * 3_600_000  # the room is closed
    await settled(61)
    assert await refusal(stage, **attempt) == "day_played"
    assert len((await board(stage, key))["rows"]) == 1


@on_a_day
async def test_a_game_that_was_never_opened_starts_with_another_attempt(stage: Stage) -> None:
    faults = stage.one.store.faults
    faults.failing["rooms.create"] = StoreAway()
    assert await refusal(stage, cards=RACE, browser="of-Ada") == "try_again"
    faults.failing.clear()
    ada = await begin(stage, "Ada", browser="of-Ada")
    assert ada.room["state"] == "RUNNING"


@on_a_day
async def test_one_of_two_attempts_of_a_browser_has_the_game(stage: Stage) -> None:
    """Regression: a process that stopped between the claim and the room made two games."""
    first, second = stage.process(), stage.process()
    stopped = await Person.connect(first.port)
    with first.store.faults.held("rooms.create"):
        await stopped.say("create", name="Ada", browser="browser-of-Ada", cards=RACE)
        await settled(31)
        ada = await Person.seated(
            second.port, "create", name="Ada", browser="browser-of-Ada", cards=RACE
        )
    assert (await stopped.receive("refused"))["code"] == "day_played"
    assert list(stage.store.rooms) == [ada.code]


@on_a_day
async def test_a_claim_that_its_process_has_left_begins_one_game(stage: Stage) -> None:
    """A room whose process stopped before it said so holds the game for the same attempt."""
    attempt = {"attempt": "an-attempt-of-ada-1", "browser": "of-Ada", "cards": RACE}
    stage.one.store.faults.hooks["days.advance_claim"] = claim_only
    assert await refusal(stage, **attempt) == "try_again"
    stage.one.store.faults.hooks.clear()
    assert await refusal(stage, cards=RACE, browser="of-Ada") == "day_played"
    await begin(stage, "Ada", **attempt)
    assert len(stage.store.rooms) == 1


@on_a_day
async def test_a_refused_attempt_leaves_the_claim_to_the_room_of_another_one(stage: Stage) -> None:
    """Regression: that game was not counted, so the day was revealed while it was on."""
    full, dying = stage.process(max_rooms=1), stage.process()
    await Person.create(stage.port, "Bob")
    refused = await Person.connect(full.port)
    with full.store.faults.held("open_rooms.claim", after=True):
        await refused.say("create", name="Ada", browser="of-Ada", cards=RACE)
        await settled(1)
        dying.store.faults.hooks["days.advance_claim"] = claim_only
        there = await Person.connect(dying.port)
        await there.say("create", name="Ada", browser="of-Ada", cards=RACE)
        assert (await there.receive("refused"))["code"] == "try_again"
    assert (await refused.receive("refused"))["code"] == "server_full"
    stage.store.clock.shift_ms = DAY_MS - EPOCH_MS % DAY_MS
    assert not (await board(stage))["over"]


async def claim_only(method: Any, day: str, game: str, player: str, step: str, *more: Any) -> str:
    if step != "claim":
        raise StoreAway
    claim: str = await method(day, game, player, step, *more)
    return claim


@on_a_day
async def test_a_claim_that_comes_after_midnight_begins_no_game(stage: Stage) -> None:
    stage.store.clock.shift_ms = DAY_MS - EPOCH_MS % DAY_MS - 5_000
    stage.one.store.faults.slow("days.advance_claim", 10)
    assert await refusal(stage, cards=RACE, browser="of-Ada") == "no_such_cards"
    assert stage.store.days.begun[TODAY, GAME] == {}


@on_a_day
async def test_the_room_of_a_game_of_the_day_is_for_its_player_alone(stage: Stage) -> None:
    ada = await begin(stage, "Ada")
    assert (await ada.ask("end", grace_s=5))["type"] == "refused"
    assert (await ada.ask("abort"))["type"] == "refused"
    settings = {**ada.room["settings"], "locked": False, "public": True}
    assert (await ada.ask("configure", settings=settings))["type"] == "refused"
    await give_up(ada)
    await counted(ada)
    assert (await ada.ask("rematch"))["type"] == "refused"
    assert (await ada.ask("start"))["type"] == "refused"
    assert (await ada.ask("configure", settings=settings))["type"] == "refused"


@on_a_day
async def test_a_game_without_an_act_is_below_all_others(stage: Stage) -> None:
    ada, bob = await begin(stage, "Ada"), await begin(stage, "Bob")
    await play_acts(bob, list(winning_line()[:5]))
    await give_up(bob)
    await ada.leave()
    await settled(3_700)
    assert [row["name"] for row in (await board(stage, key_of(bob)))["rows"]] == ["Bob", "Ada"]


@on_a_day
async def test_a_game_that_could_not_be_opened_can_be_begun_again(stage: Stage) -> None:
    stage.process(max_rooms=1)
    other = await Person.create(stage.port, "Bob")
    assert await refusal(stage, browser="browser-of-Ada", cards=RACE) == "server_full"
    # It does not keep the day secret, and does not count as started.
    stage.store.clock.shift_ms = DAY_MS - EPOCH_MS % DAY_MS
    assert (await board(stage))["over"]
    assert (await board(stage))["players"] == 0
    stage.store.clock.shift_ms = 0
    await other.ask("leave")
    await settled(3_600)
    assert (await begin(stage, "Ada")).room["state"] == "RUNNING"
    assert (await board(stage))["players"] == 1


@on_a_day
async def test_a_full_store_takes_no_new_game_and_counts_the_results_later(stage: Stage) -> None:
    ada = await begin(stage, "Ada")
    key, faults = key_of(ada), stage.one.store.faults
    faults.is_full = True
    assert await refusal(stage, cards=RACE, browser="of-Bob") == "store_full"
    await give_up(ada)
    await settled(60)
    assert (await board(stage, key))["rows"] == []
    faults.is_full = False
    await settled(60)
    assert [row["name"] for row in (await board(stage, key))["rows"]] == ["Ada"]


@on_a_day
async def test_an_operator_takes_a_name_off_the_board_and_puts_it_back(stage: Stage) -> None:
    ada = await begin(stage, "Ada")
    await give_up(ada)
    await settled(3)
    own = (await board(stage, key_of(ada)))["own"]
    days = stage.one.services.days
    assert await days.hide(TODAY, GAME, own)
    assert not await days.hide(TODAY, GAME, "0" * 16)
    await settled()
    assert [row["name"] for row in (await board(stage, key_of(ada)))["rows"]] == [""]
    assert await days.hide(TODAY, GAME, own)  # again: the name is kept
    assert await days.show(TODAY, GAME, own) == "Ada"
    assert await days.show(TODAY, GAME, own) == "Ada"
    assert await days.show(TODAY, GAME, "0" * 16) is None
    assert [row["name"] for row in (await board(stage, key_of(ada)))["rows"]] == ["Ada"]


@on_a_day
async def test_a_game_that_an_operator_closes_is_on_the_board_with_its_score(stage: Stage) -> None:
    ada, bob = await begin(stage, "Ada"), await begin(stage, "Bob")
    for action in winning_line()[:40]:
        await ada.act(action)
    await give_up(bob)
    await settled(3)
    await close(stage.process().services.repository, ada.code)  # at another process
    assert await ada.closed() == 4504
    shown = await board(stage, key_of(ada))
    assert [(row["name"], row["state"]) for row in shown["rows"]] == [
        ("Ada", "TIMED_OUT"),
        ("Bob", "FORFEIT"),
    ]
    assert (shown["players"], shown["finished"]) == (2, 2)
    assert ada.code not in stage.store.rooms
    assert await refusal(stage, browser="browser-of-Ada", cards=RACE) == "day_played"


@on_a_day
async def test_a_room_whose_result_cannot_be_stored_is_not_closed(stage: Stage) -> None:
    """Regression: the result was lost with the room, as while the store is full."""
    ada, other = await begin(stage, "Ada"), stage.process()
    other.store.faults.failing["days.report"] = StoreFull()
    with pytest.raises(StoreFull):
        await close(other.services.repository, ada.code)
    assert ada.code in stage.store.rooms
    del other.store.faults.failing["days.report"]
    await close(other.services.repository, ada.code)
    assert [row["name"] for row in (await board(stage, key_of(ada)))["rows"]] == ["Ada"]
    assert ada.code not in stage.store.rooms


@on_a_day
async def test_a_result_is_counted_once_whatever_fails_on_its_way(stage: Stage) -> None:
    first, second = stage.process(), stage.process()
    ada = await begin(stage, "Ada")
    key = key_of(ada)
    first.store.faults.lose_answer("days.report")
    second.store.faults.refuse("days.report", times=3)
    await win(ada)
    await settled(200)
    assert len((await board(stage, key))["rows"]) == 1
    # A failover loses the report that was just confirmed: the second one brings it back.
    bob = await begin(stage, "Bob")
    await give_up(bob)
    await settled(3)
    lost = stage.store.days.board[TODAY, GAME].popitem()[0]
    assert lost
    await settled(120)
    shown = await board(stage, key)
    assert [row["name"] for row in shown["rows"]] == ["Ada", "Bob"]
    rooms = [json.loads(room.doc) for room in stage.store.rooms.values()]
    assert not any(room.get("outbox") for room in rooms)


@on_a_day
async def test_a_result_comes_to_the_board_though_a_failover_loses_its_deadline(
    stage: Stage,
) -> None:
    failing = stage.one.store.faults.failing
    failing["days.report"] = StoreAway()
    ada = await begin(stage, "Ada")
    key = key_of(ada)
    await win(ada)
    await ada.leave()
    await settled(5)
    del failing["days.report"]
    stage.store.lists.deadlines.clear()
    await settled(300)
    assert (await board(stage, key))["rows"] == []
    with suppress(TimeoutError):  # it never ends
        await asyncio.wait_for(stage.one.services.days.keep(LiveTimings(first_days_s=0)), 300)
    assert [row["name"] for row in (await board(stage, key))["rows"]] == ["Ada"]


async def shown_to_others(stage: Stage, seed: str, salt: str) -> list[str]:
    """Return everything that people get about a day that others, but not they, have played."""
    committed = choose(stage, seed=seed, salt=salt)
    choose(stage, NEXT, seed, salt)
    ada, bob = await begin(stage, "Ada"), await begin(stage, "Bob")
    for action in ("deal", "undo", "deal"):
        await ada.act(action)
    over = [await give_up(ada)]
    await settled(3)
    entry = (await board(stage, key_of(ada)))["own"]
    ghost = await begin(stage, "Ada", f"{RACE}/{entry}")
    over.append(await give_up(ghost))
    await begin(stage, "Ada", f"{RACE}/{entry}", acts=2)
    rounds = [f"/api/rooms/{code}/rounds/1" for code in (ada.code, bob.code, ghost.code)]
    ways = ("", ".txt", "/course", "/proof", "/seats/0", "/seats/0/win", "/picture.svg", "/review")
    files = [each + way for each in (*rounds, f"{BOARD}/{entry}") for way in ways]
    pages = ["/", "/days", f"/d/{RACE}", f"/d/{RACE}/{entry}", f"/g/{RACE}/{entry}"]
    pages += [f"/r/{ada.code}", f"/r/{ghost.code}/1", f"/api/rooms/{bob.code}", "/api/days"]
    shown: list[str] = []
    for path in (*pages, *files, BOARD, f"{BOARD}?key={key_of(bob)}"):
        answer = await get(stage.port, path)
        shown.append(f"{path} {answer.status} {answer.body.decode()}")
    others = f"{RACE}/{entry}", f"{ada.code}/1/0", f"{ghost.code}/1/0", f"{NEXT}/{GAME}"
    shown += [await refusal(stage, cards=each, browser="of-Cy") for each in others]
    guest = await Person.connect(stage.port)
    await guest.say("join", room=ghost.code, name="Cy", role="spectator")
    shown.append(json.dumps(await guest.receive("refused")))
    own = map(json.dumps, (*over, await give_up(bob)))  # these have the figures of their games
    assert not any(secret in text for secret in (seed, salt) for text in (*shown, *own))
    return [text.replace(committed, "...") for text in shown]


def test_only_players_of_a_days_deal_learn_it() -> None:
    """Two days with different cards are the same bytes to anybody who has not played them."""
    shown: list[list[str]] = []

    @staged
    async def look(stage: Stage, seed: str, salt: str) -> None:
        shown.append(await shown_to_others(stage, seed, salt))

    for number in (1, 2):
        look(seed=f"{number:032x}", salt=f"{number + 7:032x}")
    assert shown[0] == shown[1]
    assert len({text[-40:] for text in shown[0]}) > 5


@on_a_day
async def test_a_day_that_cannot_be_read_hides_its_games_alone(stage: Stage) -> None:
    stage.store.days.kept[TODAY, "spider-2"] = "{}"
    days = json.loads((await get(stage.port, "/api/days")).body)
    assert [each["game"] for each in days["games"]] == [GAME]
    faults = stage.one.store.faults
    faults.failing["days.deals"] = Unreadable()
    assert json.loads((await get(stage.port, "/api/days")).body)["games"] == []
    assert (await get(stage.port, BOARD)).status == 503
    assert await refusal(stage, cards=RACE, browser="of-Ada") == "no_such_cards"
    assert (await Person.create(stage.port)).room["state"] == "LOBBY"


@on_a_day
async def test_a_result_that_cannot_be_read_hides_itself_alone(stage: Stage) -> None:
    ada, bob = await begin(stage, "Ada"), await begin(stage, "Bob")
    for each in (ada, bob):
        await give_up(each)
    await settled()
    key, on_board = key_of(ada), stage.store.days.board[TODAY, GAME]
    rows = (await board(stage, key))["rows"]
    (own, other) = (next(row["entry"] for row in rows if row["name"] == x) for x in ("Ada", "Bob"))
    order, _, acts = on_board[other]
    on_board[other] = order, "{}", acts
    assert [row["name"] for row in (await board(stage, key))["rows"]] == ["Ada"]
    assert (await get(stage.port, f"{BOARD}/{own}/course?key={key}")).status == 200
    assert (await get(stage.port, f"{BOARD}/{own}.{own}/course?key={key}")).status == 404


@staged
async def test_the_deals_of_the_next_days_are_chosen_and_their_hashes_shown(stage: Stage) -> None:
    stage.process(thinkers=1).pool.works["find_win"] = found
    days = stage.one.services.days
    for day in (TODAY, NEXT):
        await days.deals(day, (GAME,))
    shown = json.loads((await get(stage.port, "/api/days")).body)
    for each in (*shown["games"], *shown["next"]):
        assert (each["game"], each["players"], len(each["commitment"])) == (GAME, 0, 64)
        assert each["degree"] == "middle"
    kept = [json.loads(text) for text in stage.store.days.kept.values()]
    assert {deal["form"] for deal in kept} == {1}
    assert len({each["salt"] for each in kept}) == len(kept) == 2
    assert not any(each["seed"] in json.dumps(shown) for each in kept)


@staged
async def test_a_tap_on_todays_race_waits_for_its_own_deal_alone(stage: Stage) -> None:
    """On a new server it waited for the deals of all games, up to six seconds each."""
    asked: list[str] = []

    async def take(game: DayGameId, *, is_awaited: bool) -> WinnableDeal:
        asked.append(game)
        if not is_awaited:
            await asyncio.Event().wait()
        return WinnableDeal("", bytes.fromhex(SEED), _solved())

    days = stage.one.services.days
    days._take_deal = take
    ahead = asyncio.create_task(days.deals(TODAY, DAY_GAMES))
    await settled()
    taps = await asyncio.gather(*(begin(stage, name) for name in ("Ada", "Bob")))
    assert asked == [DAY_GAMES[0], GAME], "one search serves both"
    assert all(each.room["round"]["commitment"] for each in taps)
    ahead.cancel()


@staged
async def test_todays_race_whose_deal_is_not_found_in_time_can_be_tried_again(
    stage: Stage,
) -> None:
    """Regression: of several players each waited for the searches of all before."""
    asked: list[str] = []

    async def take(game: DayGameId, *, is_awaited: bool) -> None:
        assert is_awaited
        asked.append(game)
        await settled(6)

    stage.one.services.days._take_deal = take
    taps = (refusal(stage, cards=RACE, browser=f"of-{name}") for name in ("Ada", "Bob", "Cy"))
    assert await asyncio.gather(*taps) == ["try_again"] * 3
    assert asked == [GAME]


@staged
async def test_a_finished_game_can_be_raced_and_continued_by_all(stage: Stage) -> None:
    host = await Person.create(stage.port, "Nina", deal="seed", seed=SEED, max_players=1)
    await host.say("start")
    await host.race()
    await play_acts(host, list(winning_line()[:5]))
    await give_up(host)
    game = f"{host.code}/1/0"
    ghost = await begin(stage, "Ada", game)
    assert ghost.table["piles"] != {}
    assert (await ghost.act(winning_line()[0]))["type"] == "acted"
    cut = await begin(stage, "Cy", f"{host.code}/1/0", acts=65_535)
    assert cut.table["outcome"] is None
    on = await begin(stage, "Bob", game, acts=5)
    assert on.table["at"] == 0
    await play_acts(on, list(winning_line()[5:7]))
    over = await give_up(on)
    assert over["reveal"]["seed"] == SEED
    path = f"/api/rooms/{on.code}/rounds/1"
    replay = json.loads((await get(stage.port, f"{path}/seats/0")).body)
    assert [step["action"] for step in replay["steps"]] == list(winning_line()[5:7])
    assert (await get(stage.port, f"{path}/course")).status == 200
    assert (await get(stage.port, path)).status == 404  # its log does not lead from the deal on
    for cards in (f"{host.code}/2/0", f"{host.code}/1/1", "ZZZZZZZ/1/0"):
        assert await refusal(stage, cards=cards) == "no_such_cards"


@on_a_day
async def test_todays_deal_is_dealt_again_only_to_those_who_have_played_it(stage: Stage) -> None:
    ada = await begin(stage, "Ada")
    key = key_of(ada)
    await win(ada)
    await settled(3)
    entry = (await board(stage, key))["own"]
    ghost = await begin(stage, "Ada", f"{RACE}/{entry}")
    assert ghost.room["round"]["secret"]
    await ghost.ask("abort")
    await ghost.ask("start", again=True)
    over = await give_up(ghost)
    assert over["reveal"]["seed"] is None
    assert (await get(stage.port, f"/api/rooms/{ghost.code}/rounds/2")).status == 404
    assert await refusal(stage, cards=f"{RACE}/{entry}", browser="of-Bob") == "no_such_cards"
    assert await refusal(stage, cards=f"{ghost.code}/2/0", browser="of-Bob") == "no_such_cards"
    stage.store.clock.shift_ms += DAY_MS
    old = await begin(stage, "Bob", RACE)
    assert "key" not in old.room["round"]
    assert (await give_up(old))["reveal"]["seed"] == SEED
    stage.store.clock.shift_ms += 61 * DAY_MS
    assert await refusal(stage, cards=RACE, browser="of-Bob") == "no_such_cards"


def found(name: str, seed: bytes, *_: Any, **__: Any) -> Found:
    """Find a deal of one game alone."""
    known = Found(bytes.fromhex(SEED), _solved(), degree="middle")
    return known if GAME in name else Found(seed, None)
