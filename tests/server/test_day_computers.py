"""Computer players in today's race, and names that are given after it has begun."""

import asyncio
import json
from contextlib import suppress
from functools import cache
from typing import get_args

import pytest
import structlog

from protocol.http import DayComputers
from protocol.vocabulary import DAY_GAMES, BotLevel, DayGameId
from server.live.days import DAY_MS
from server.live.hub import LiveTimings
from server.rooms.days import COMPUTERS, DayDeal, DayResult, computer_entry
from server.rooms.deals import WinnableDeal
from server.store import StoreAway
from server.thinking.day_games import play_deal
from tests.server.test_days import (
    BOARD,
    GAME,
    NEXT,
    RACE,
    SALT,
    SEED,
    TODAY,
    begin,
    board,
    choose,
    counted,
    give_up,
    key_of,
    on_a_day,
    refusal,
    settled,
    win,
)
from tests.world.stage import Person, Process, Stage, get, line_of, staged

LEVELS = get_args(BotLevel)
PACE = f"{BOARD}/computers"
CLUB = computer_entry("club")


@cache
def played(level: BotLevel) -> tuple[str, bytes]:
    return play_deal(level, GAME, SEED, should_stop=lambda: False)


def put(stage: Stage, day: str = TODAY) -> None:
    """Store the games of computer players of a day."""
    for entry, level in COMPUTERS.items():
        stage.store.days.board[day, GAME][entry] = None, *played(level)


def chooses(stage: Stage) -> Process:
    """Return a process that chooses the deals of one game, and lets computers play them."""

    async def take(game: DayGameId, *, is_awaited: bool) -> WinnableDeal | None:
        del is_awaited
        return WinnableDeal("", bytes.fromhex(SEED), ()) if game == GAME else None

    process = stage.process(thinkers=1)
    process.services.days._take_deal = take
    return process


async def pace(stage: Stage, path: str = PACE) -> DayComputers:
    answer = await get(stage.port, path)
    assert answer.status == 200, answer
    return DayComputers.model_validate_json(answer.body)


@staged
async def test_computers_play_each_deal_once_it_is_chosen(stage: Stage) -> None:
    process = chooses(stage)
    with suppress(TimeoutError):  # it never ends
        await asyncio.wait_for(process.services.days.keep(LiveTimings(first_days_s=0)), 90)
    for day in (TODAY, NEXT):
        assert stage.store.days.board[day, GAME].keys() == COMPUTERS.keys()
    assert {each.level for each in (await pace(stage)).computers} == {*LEVELS}
    assert process.pool.count("play_deal") == 3 * len(stage.store.days.kept)


@staged
async def test_a_new_server_lets_them_play_as_soon_as_somebody_looks(stage: Stage) -> None:
    chooses(stage)
    await get(stage.port, "/api/days")
    await settled(1)
    assert len((await pace(stage)).computers) == 3


@on_a_day
async def test_a_server_that_computes_nothing_has_a_race_without_them(stage: Stage) -> None:
    with structlog.testing.capture_logs() as logged, suppress(TimeoutError):
        await asyncio.wait_for(stage.one.services.days.keep(LiveTimings(first_days_s=0)), 90)
    (entry,) = [each for each in logged if "no computer players" in each["event"]]
    assert entry["log_level"] == "info"
    ada = await begin(stage, "Ada")
    await win(ada)
    await settled()
    shown = await board(stage, key_of(ada))
    assert (shown["computers"], [row["name"] for row in shown["rows"]]) == ([], ["Ada"])
    assert (await pace(stage)).computers == ()


@on_a_day
async def test_the_board_has_them_beside_its_rows_for_those_who_may_see_it(stage: Stage) -> None:
    put(stage)
    ada, bob = await begin(stage, "Ada"), await begin(stage, "Bob")
    await give_up(ada)
    await settled()
    for key in ("", key_of(bob)):
        assert (await board(stage, key))["computers"] == []
    shown = await board(stage, key_of(ada))
    assert [(row["place"], row["name"]) for row in shown["rows"]] == [(1, "Ada")]
    assert [(row["place"], row["level"], row["won"]) for row in shown["computers"]] == [
        (0, level, True) for level in ("expert", "club", "beginner")
    ]
    for row in shown["computers"]:
        assert (row["name"], row["kind"], row["state"]) == (row["level"], "program", "FINISHED")
    assert (shown["players"], shown["finished"], shown["won"]) == (2, 1, 0)
    assert shown["spread"] == {"finished": [], "suits": [1, *[0] * 7]}
    assert not any("level" in row for row in (*shown["rows"], *shown["around"]))
    stage.store.clock.shift_ms = DAY_MS
    assert len((await board(stage))["computers"]) == 3


@on_a_day
async def test_their_games_are_replayed_and_raced_like_all_others(stage: Stage) -> None:
    put(stage)
    ada, bob = await begin(stage, "Ada"), await begin(stage, "Bob")
    await give_up(ada)
    await settled()
    key, path = key_of(ada), f"{BOARD}/{CLUB}"
    for who in ("", key_of(bob)):
        for way in ("", "/course", "/seats/0", ".txt", "/proof", "/picture.svg"):
            assert (await get(stage.port, f"{path}{way}?key={who}")).status == 404
    for browser in ("of-Cy", "browser-of-Bob"):
        assert await refusal(stage, cards=f"{RACE}/{CLUB}", browser=browser) == "no_such_cards"
    replay = json.loads((await get(stage.port, f"{path}/seats/0?key={key}")).body)
    assert (replay["name"], replay["steps"][-1]["suits"]) == ("club", 8)
    course = json.loads((await get(stage.port, f"{path}/course?key={key}")).body)
    (figures,) = (each for each in (await pace(stage)).computers if each.level == "club")
    own = course["courses"][0]
    for part in ("ms", "score", "suits"):
        assert tuple(own[part]) == getattr(figures, part)
    assert course["ranking"][0]["finished_ms"] == figures.ended_ms
    for way in ("", ".txt", "/proof"):
        assert (await get(stage.port, f"{path}{way}?key={key}")).status == 404
    ghost = await begin(stage, "Ada", f"{RACE}/{CLUB}", acts=3)
    assert ghost.room["round"]["secret"]
    for page in (f"/d/{RACE}/{CLUB}", f"/g/{RACE}/{CLUB}"):
        assert (await get(stage.port, page)).status == 200
    stage.store.clock.shift_ms = DAY_MS
    whole = json.loads((await get(stage.port, f"{path}.{computer_entry('expert')}")).body)
    assert [each["name"] for each in whole["players"]] == ["club", "expert"]
    assert whole["programs"] == [0, 1]


@on_a_day
async def test_the_computers_pace_is_shown_only_once_the_day_has_begun(stage: Stage) -> None:
    choose(stage, NEXT)
    put(stage)
    put(stage, NEXT)
    assert len((await pace(stage)).computers) == 3
    assert (await pace(stage, f"/api/days/{TODAY}/spider-4/computers")).computers == ()
    for day in (NEXT, "2026-02-30", "2026-13-01", "2019-01-01", "2020-01-01", "today"):
        answer = await get(stage.port, f"/api/days/{day}/{GAME}/computers")
        assert answer.status == 404, day
    assert (await get(stage.port, f"/api/days/{TODAY}/spider-9/computers")).status == 404
    answer = await get(stage.port, PACE)
    neighbour = await get(stage.port, BOARD)
    assert answer.headers["cache-control"] == neighbour.headers["cache-control"]
    stage.store.clock.shift_ms = 30 * DAY_MS
    assert len((await pace(stage)).computers) == 3
    stage.store.clock.shift_ms = 61 * DAY_MS
    assert (await get(stage.port, PACE)).status == 404


DAMAGED = {
    "no text": "",
    "no result": "{}",
    "an unknown level": '"level":"master"',
    "the level of another": '"level":"expert"',
    "the game of a person": "",
    "a broken course": '"course":[[0,0]]',
}


def damaged(text: str, how: str) -> str:
    kept = json.loads(text)
    if how == "the game of a person":
        del kept["level"]
        return json.dumps(kept)
    changed = f"{{{DAMAGED[how]}}}" if ":" in DAMAGED[how] else ""
    return json.dumps(kept | json.loads(changed)) if changed else DAMAGED[how]


@pytest.mark.parametrize("how", DAMAGED)
@on_a_day
async def test_a_game_of_theirs_that_cannot_be_read_is_left_out_alone(
    stage: Stage, how: str
) -> None:
    put(stage)
    kept = stage.store.days.board[TODAY, GAME]
    order, text, packed = kept[CLUB]
    kept[CLUB] = order, damaged(text, how), packed
    ada = await begin(stage, "Ada")
    await win(ada)
    await settled()
    with structlog.testing.capture_logs() as logged:
        for _ in range(2):
            shown = await board(stage, key_of(ada))
            levels = [row["level"] for row in shown["computers"]]
            assert levels == ["expert", "beginner"]
            assert [row["name"] for row in shown["rows"]] == ["Ada"]
            assert [each.level for each in (await pace(stage)).computers] == levels
    (entry,) = logged
    assert entry["event"] == "a computer player's game cannot be read"
    assert (entry["day"], entry["game"]) == (TODAY, GAME)


@on_a_day
async def test_a_log_of_theirs_that_cannot_be_read_hides_its_replay_alone(stage: Stage) -> None:
    put(stage)
    kept = stage.store.days.board[TODAY, GAME]
    order, text, _ = kept[CLUB]
    kept[CLUB] = order, text, b"no log"
    stage.store.clock.shift_ms = DAY_MS
    assert len((await board(stage))["computers"]) == len((await pace(stage)).computers) == 3
    assert (await get(stage.port, f"{BOARD}/{CLUB}/course")).status == 503
    assert await refusal(stage, cards=f"{RACE}/{CLUB}", browser="of-Cy") == "no_such_cards"
    assert (await get(stage.port, f"{BOARD}/{computer_entry('expert')}/course")).status == 200


def figures_of(value: object) -> set[type]:
    """Return the types of all values in a document."""
    if isinstance(value, dict):
        return set().union(*map(figures_of, value.values()))
    if isinstance(value, list):
        return set().union(*map(figures_of, value))
    return {type(value)}


def test_the_pace_of_a_day_is_made_of_figures_alone() -> None:
    """Games with the same figures look the same on days with other cards."""
    pages: list[str] = []

    @staged
    async def show(stage: Stage, seed: str, salt: str) -> None:
        choose(stage, seed=seed, salt=salt)
        put(stage)  # the figures always belong to one deal
        answer = await get(stage.port, PACE)
        pages.append(answer.body.decode() + str(answer.headers.get("etag")))
        for each in json.loads(answer.body)["computers"]:
            assert each.keys() == {
                *("level", "entry", "won", "state", "ended_ms", "moves", "ms", "score", "suits")
            }
            texts = {each.pop(name) for name in ("level", "entry", "state")}
            assert texts <= {*LEVELS, *COMPUTERS, "FINISHED", "TIMED_OUT"}
            assert figures_of(each) == {int, bool}

    for number in (1, 2):
        show(seed=f"{number:032x}", salt=f"{number + 7:032x}")
    assert pages[0] == pages[1]


@staged
async def test_no_line_of_the_log_and_no_stored_game_tells_a_deal_that_they_play(
    stage: Stage,
) -> None:
    process = chooses(stage)
    with structlog.testing.capture_logs() as logged, suppress(TimeoutError):
        await asyncio.wait_for(process.services.days.keep(LiveTimings(first_days_s=0)), 90)
    assert process.pool.count("play_deal") > 0
    assert SEED not in str(logged)
    kept = [DayDeal.model_validate_json(text) for text in stage.store.days.kept.values()]
    for each in stage.store.days.board[TODAY, GAME].values():
        assert not any(deal.seed in each[1] or deal.salt in each[1] for deal in kept)


# Names that are given later.


async def nameless(stage: Stage, name: str = "Player") -> Person:
    return await begin(stage, name, nameless=True)


async def names(stage: Stage, person: Person) -> list[str]:
    return [row["name"] for row in (await board(stage, key_of(person)))["rows"]]


@on_a_day
async def test_a_player_without_a_name_signs_the_board_once(stage: Stage) -> None:
    ada = await nameless(stage)
    assert ada.room["round"]["nameless"]
    await win(ada)
    await counted(ada)
    assert await names(stage, ada) == ["Player"]
    answer = await ada.ask("sign", name="  Ada  ")
    assert answer["type"] in {"room", "changes"}
    await settled()
    assert await names(stage, ada) == ["Ada"]
    await ada.say("sign", name="Eve")
    assert (await ada.receive("refused"))["code"] == "not_in_state"
    await settled(60)
    assert await names(stage, ada) == ["Ada"]
    (room,) = [json.loads(each.doc) for each in stage.store.rooms.values()]
    assert (room["seats"][0]["name"], room["rounds"][0]["names"]) == ("Ada", {"0": "Ada"})
    assert not any("nameless" in part for part in (room["round"], room["rounds"][0]))
    assert "outbox" not in room
    entry = (await board(stage, key_of(ada)))["own"]
    replay = await get(stage.port, f"{BOARD}/{entry}/seats/0?key={key_of(ada)}")
    assert json.loads(replay.body)["name"] == "Ada"


@pytest.mark.parametrize("is_over", [False, True])
@on_a_day
async def test_a_game_is_signed_before_its_result_is_on_the_board(
    stage: Stage, *, is_over: bool
) -> None:
    ada = await nameless(stage)
    failing = stage.one.store.faults.failing
    failing["days.report"] = StoreAway()
    if is_over:
        await give_up(ada)
    assert (await ada.ask("sign", name="Ada"))["type"] in {"room", "changes"}
    if not is_over:
        assert (await line_of(ada, "Ada"))["state"] == "RACING"
        await give_up(ada)
    await settled(5)
    assert await names(stage, ada) == []
    failing.clear()
    await settled(120)
    assert await names(stage, ada) == ["Ada"]


@on_a_day
async def test_a_signature_whose_answer_is_lost_is_sent_again(stage: Stage) -> None:
    ada = await nameless(stage)
    await give_up(ada)
    await settled(3)
    attempt = {"name": "Ada", "attempt": "the-first-attempt-to-sign"}
    for _ in range(2):
        assert (await ada.ask("sign", **attempt))["type"] in {"room", "changes"}
    await settled(60)
    assert await names(stage, ada) == ["Ada"]


@on_a_day
async def test_a_name_that_an_operator_has_hidden_stays_hidden(stage: Stage) -> None:
    ada = await nameless(stage, "Rude")
    await give_up(ada)
    await settled(3)
    own, days = (await board(stage, key_of(ada)))["own"], stage.one.services.days
    assert await days.hide(TODAY, GAME, own)
    await ada.ask("sign", name="Ruder")
    await settled(60)
    assert await names(stage, ada) == [""]
    assert await days.show(TODAY, GAME, own) == "Ruder"


@on_a_day
async def test_a_damaged_result_does_not_keep_the_report_of_a_name_for_ever(stage: Stage) -> None:
    ada = await nameless(stage)
    await give_up(ada)
    await settled(3)
    kept = stage.store.days.board[TODAY, GAME]
    ((entry, (order, _, packed)),) = kept.items()
    kept[entry] = order, "{}", packed
    await ada.ask("sign", name="Ada")
    await settled(60)
    (room,) = [json.loads(each.doc) for each in stage.store.rooms.values()]
    assert "outbox" not in room


@on_a_day
async def test_only_a_game_of_today_without_a_name_is_signed(stage: Stage) -> None:
    for person in (
        await begin(stage, "Ada"),
        await begin(stage, "Bob", RACE, nameless=False),
        await Person.create(stage.port, "Cy"),
        await Person.seated(stage.port, "create", name="Dee", settings={}, nameless=True),
    ):
        assert not (person.room["round"] or {}).get("nameless")
        assert (await person.ask("sign", name="Eve"))["code"] == "not_in_state"
    ghost = await begin(stage, "Ida", nameless=True)
    await give_up(ghost)
    await settled(3)
    entry = (await board(stage, key_of(ghost)))["own"]
    again = await begin(stage, "Ida", f"{RACE}/{entry}", nameless=True)
    assert (await again.ask("sign", name="Eve"))["code"] == "not_in_state"


def test_a_result_of_a_person_is_stored_as_before() -> None:
    text = play_deal("beginner", DAY_GAMES[0], SEED, should_stop=lambda: False)[0]
    person = DayResult.model_validate_json(text).replace(level=None, course=())
    assert not {"level", "course"} & json.loads(person.model_dump_json()).keys()
    assert SALT not in text
