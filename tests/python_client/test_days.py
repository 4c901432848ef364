"""Today's race, its board, ghosts, and rooms that distinguish browsers, at a real server."""

from collections.abc import Awaitable, Callable

import pytest
from spider_race_client import (
    Client,
    Ghost,
    ProgramError,
    Race,
    Refused,
    RoundUnknown,
    fetch_board,
    fetch_computers,
    fetch_day,
    fetch_ghost,
)

from protocol.vocabulary import ErrorCode, RoomState
from server.games.actions import ACTION_TEXTS
from server.live.days import DAY_MS, end_ms_of
from server.rooms.days import computer_entry
from server.store import Store
from server.thinking.day_games import play_deal
from tests.games.wins import SEED, one_suit_win
from tests.python_client.races import EASY, first_move


async def played(client: Client, cards: str, acts: int, browser: str) -> Race:
    """Play a game with these cards until it is won, or for a number of acts."""
    race = await client.create("Ada", cards=cards, browser=browser)
    await race.wait_for_table()
    for action in one_suit_win()[:acts]:
        await race.act(ACTION_TEXTS["spider-1"].format(action))
    if race.is_playing:
        await race.forfeit()
    await race.wait_for_result()
    return race


async def test_a_program_plays_todays_race_once_and_sees_the_board(
    real_client: Client, today: str
) -> None:
    days = await fetch_day(real_client.server)
    assert days.day == today
    assert [game.game for game in days.games if game.commitment] == ["spider-1"]
    cards = f"{today}/spider-1"
    ada = await played(real_client, cards, acts=3, browser="laptop")
    with pytest.raises(Refused) as caught:
        await real_client.create("Ada", cards=cards, browser="laptop")
    assert caught.value.code is ErrorCode.DAY_PLAYED
    bob = await played(real_client, cards, acts=5, browser="phone")
    hidden = await fetch_board(real_client.server, cards)
    assert (hidden.players, hidden.finished, hidden.rows) == (2, 0, ())
    assert hidden.spread.suits == ()
    with pytest.raises(RoundUnknown, match="'mistyped' is the key of no finished game"):
        await fetch_board(real_client.server, cards, key="mistyped")
    game = bob.room.round
    assert game is not None
    assert game.cards == cards
    board = await fetch_board(real_client.server, cards, key=game.key)
    assert board.own in {row.entry for row in board.around}
    assert [row.moves for row in board.rows] == [5, 3]
    assert (board.spread.finished, board.spread.suits[0], len(board.spread.suits)) == ((), 2, 8)
    later = await fetch_board(real_client.server, cards, key=game.key, first=2, rows=1)
    assert later.rows == board.rows[1:]
    entry = f"{cards}/{board.rows[1].entry}"
    with pytest.raises(RoundUnknown):
        await fetch_ghost(real_client.server, entry)
    ghost = await fetch_ghost(real_client.server, entry, key=game.key)
    assert ada.result is not None
    assert ghost.standing.score == ada.result.ranking[0].score


async def test_a_program_learns_the_pace_of_the_computers(
    real_client: Client, store: Store, today: str
) -> None:
    cards = f"{today}/spider-1"
    text, packed = play_deal("club", "spider-1", SEED.hex(), should_stop=lambda: False)
    entry, until = computer_entry("club"), end_ms_of(today) + DAY_MS
    await store.days.report(today, "spider-1", entry, None, text, packed, until)
    (club,) = (await fetch_computers(real_client.server, cards)).computers
    assert (club.level, club.entry, club.ms[0]) == ("club", entry, 0)
    assert club.ms[-1] <= club.ended_ms
    with pytest.raises(RoundUnknown):
        await fetch_computers(real_client.server, "2020-01-01/spider-1")


async def finished(client: Client) -> str:
    """Play a game of one act; return the name of its cards."""
    host = await client.create("Ada", EASY)
    await host.start()
    await host.wait_for_table()
    await host.act(first_move(host))
    await host.forfeit()
    await host.wait_for_result()
    return f"{host.code}/1/{host.seat}"


async def test_a_finished_game_is_raced_again_with_its_ghost(real_client: Client) -> None:
    cards = await finished(real_client)
    ghost = await fetch_ghost(real_client.server, cards)
    assert (ghost.course.name, ghost.standing.name) == ("Ada", "Ada")
    race = await real_client.create("Eve", cards=cards)
    assert race.room.state is RoomState.RUNNING
    assert (await race.wait_for_table()).score == ghost.score_at(0)
    further = await real_client.create("Eve", cards=cards, acts=1)
    assert (await further.wait_for_table()).score == ghost.score_at(3_600_000)
    code, rest = cards[:7], cards[7:]
    typed = f"{code[:3]}-{code[3:]}{rest}".lower()
    assert await fetch_ghost(real_client.server, typed) == ghost
    assert (await real_client.create("Eve", cards=typed)).room.state is RoomState.RUNNING
    with pytest.raises(RoundUnknown, match="Nobody"):
        await fetch_ghost(real_client.server, f"{cards}7")


async def test_the_score_of_a_ghost_is_the_one_it_had_at_that_time(real_client: Client) -> None:
    """The game of a latecomer has times since the start of its round."""
    ghost = await fetch_ghost(real_client.server, await finished(real_client))
    course = ghost.course.model_copy(update={"ms": (100, 300, 500), "score": (10, 20, 15)})
    late = Ghost(course, ghost.standing.model_copy(update={"late_ms": 100}))
    assert [late.score_at(ms) for ms in (0, 199, 200, 399, 400, 9_999)] == [10, 10, 20, 20, 15, 15]


@pytest.mark.parametrize(
    ("call", "cards", "sentence"),
    [
        (fetch_board, "today", "no race of a day"),
        (fetch_board, "2026-11-28/spider-9", "no race of a day"),
        (fetch_board, "7K3QZ0A/1/0", "no race of a day"),
        (fetch_computers, "2026-11-28", "no race of a day"),
        (fetch_ghost, "", "no game"),
        (fetch_ghost, "7K3QZ0A/1", "no game"),
        (fetch_ghost, "2026-11-28/spider-2", "no game"),
    ],
)
async def test_a_text_that_names_no_cards_is_the_programs_error(
    call: Callable[..., Awaitable[object]], cards: str, sentence: str
) -> None:
    with pytest.raises(ProgramError, match=sentence):
        await call("http://localhost", cards)


async def test_places_and_rows_of_a_board_count_from_one() -> None:
    url, cards = "http://localhost", "2026-11-28/spider-2"
    for first, rows in ((0, 50), (-1, 50), (1, 0)):
        with pytest.raises(ProgramError, match="1 or more"):
            await fetch_board(url, cards, first=first, rows=rows)


async def test_a_room_with_one_seat_for_each_browser_tells_programs_apart(
    real_client: Client,
) -> None:
    host = await real_client.create("Ada", {"window_s": 3_600}, browser="laptop")
    await host.start()
    await (await real_client.join(host.link, "Bob", browser="phone")).chase()
    eve = await real_client.join(host.link, "Eve", browser="phone")
    with pytest.raises(Refused) as caught:
        await eve.chase()
    assert caught.value.code is ErrorCode.ONE_SEAT
