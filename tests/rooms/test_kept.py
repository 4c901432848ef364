"""Kept tables: who keeps them, how long they stay, and which rounds they still have."""

import json
from typing import Any

import pytest

from protocol.from_client import Keep
from protocol.vocabulary import HISTORY_LENGTH, ROUNDS_SHELVED, ErrorCode
from server.rooms.events import Command, Refusal
from server.rooms.kept import KEPT_ACTS, parts_of, removed_parts, with_acts
from server.rooms.race import ROUNDS_KEPT
from server.rooms.record import DAY_MS, InvalidRecord, Kept, Room, Round, parse_shelved, round_of
from server.rooms.room import apply
from server.rooms.table_history import (
    entry_of,
    new_entries,
    newly_shelved,
    parse_entries,
    without_name,
)
from server.views.rooms import room_view
from tests.present import present
from tests.rooms.rooms import ADA, BOB, CY, NOW, finished, sends
from tests.rooms.stories import play, story_test
from tests.rooms.test_retention import again

test_a_kept_table_stays_for_months_and_its_owner_stays_its_host = story_test("""
It closes months after its last race, not a day after its last visitor
  finished; Ada Keep -> deadline=+KEPT
  all are gone; tick @+24h -> FINISHED
  tick @T0+15m+KEPT -> CLOSED
Without a race the time runs from when it was kept
  lobby; Ada Keep @NOW; all are gone @NOW+1h -> deadline=NOW+KEPT
  tick @NOW+KEPT -> CLOSED
While people are there it does not close, and is checked again a day later
  finished; Ada Keep; tick @+KEPT -> FINISHED, deadline=+24h
A table that is kept no longer closes like any other room
  finished; Ada Keep; Ada Keep kept=False; all are gone -> deadline=T0+15m+24h+GRACE
It can be kept in every state, even during a race
  counting_down; Ada Keep name=Friday; tick @T0 -> RUNNING
  tick @T0+15m -> FINISHED, deadline=+KEPT
Only the host can keep it; repeating the command changes nothing
  lobby; Bob Keep -> !NOT_HOST
  lobby; Ada Keep name=Friday; Ada Keep -> same
  lobby; Ada Keep kept=False -> same
Whoever is host may keep a room and then owns the table
  running; Ada is gone; Bob Keep name=Ours -> host=Bob, past_hosts=
  Ada returns -> host=Bob
An acting host does not own the table
  lobby; Ada Keep; Ada is gone -> host=Bob
  Bob Keep kept=False -> !NOT_HOST
  Bob Keep name=Mine -> !NOT_HOST
  Ada returns; Ada Keep name=Mine -> host=Ada
An acting host cannot remove absent people, and so take the table
  lobby; Ada Keep; Ada is gone; Bob HandOver Cy; Cy Kick Ada -> !NOT_HOST
  Cy Kick Bob -> Bob absent
  running; Ada Keep; Ada is gone; Bob Kick Ada ban=True -> !NOT_HOST
  lobby; Ada Keep; Bob is gone; Ada Kick Bob -> Bob absent
Newcomers do not get the owner's seat, even if the owner has never raced
  lobby max_players=2; Ada Keep; Ada is gone; Dee joins -> !ROOM_FULL
An absent host loses the claim with the next round, except at a table
  running; Ada is gone; tick @T0+15m -> FINISHED, past_hosts=
  running; Ada Keep; Ada is gone; tick @T0+15m -> FINISHED, past_hosts=Ada
  Bob NextRound; Bob Start -> host=Bob, past_hosts=Ada
  Ada returns -> host=Ada, past_hosts=
Newcomers can take the seat of somebody who never raced, but not an absent member's
  finished max_players=3; Ada Keep; Bob is gone; Ada NextRound; Dee joins; Dee is gone
  Eve joins -> Bob SEATED gone, Dee absent, Eve SEATED
  Fay joins -> !ROOM_FULL
  Ada Keep kept=False; Fay joins -> Bob absent, Fay SEATED
Absent members keep their seats when the lobby opens again
  finished; Bob is gone; Ada NextRound -> Bob absent
  finished; Ada Keep; Bob is gone; Ada NextRound -> Bob SEATED gone
  Cy Ready; Ada Ready -> COUNTDOWN
""")


def keep(room: Room, now: int = NOW, **fields: Any) -> Room:
    return apply(room, sends(ADA, Keep(**fields), now))


def kept_of(room: Room) -> Kept:
    return present(room.kept)


def test_a_room_of_todays_race_cannot_be_kept() -> None:
    room = finished()
    sealed = room.replace(rounds=tuple(over.replace(key="a" * 32) for over in room.rounds))
    with pytest.raises(Refusal) as refused:
        apply(sealed, Command(ADA, NOW, present(sends(ADA, Keep()).entropy), Keep()))
    assert refused.value.code is ErrorCode.NOT_IN_STATE


def test_a_table_shows_its_name_its_end_and_its_races() -> None:
    assert room_view(finished(), 1).kept is None
    room = keep(finished(), name="Friday")
    shown = present(room_view(room, 1).kept)
    assert (shown.name, shown.since, shown.races) == ("Friday", NOW, 1)
    assert shown.until == NOW + 90 * DAY_MS
    raced = again(keep(room, name=" "))
    shown = present(room_view(raced, 1).kept)
    assert (shown.name, shown.since, shown.races) == ("Friday", NOW, 2)
    assert shown.until == present(round_of(raced).ended) + 90 * DAY_MS
    many = room.replace(kept=kept_of(room).replace(races=9_000))
    assert present(room_view(many, 1).kept).races == HISTORY_LENGTH


def test_the_history_starts_with_known_rounds_and_gets_each_round_once() -> None:
    before = again(finished())
    room = keep(before)
    assert [entry.n for entry in new_entries(before, room)] == [1, 2]
    assert new_entries(room, keep(room, name="Friday")) == []
    assert [entry.n for entry in new_entries(room, again(room))] == [3]
    assert new_entries(before, again(before)) == []
    assert new_entries(room, keep(room, kept=False)) == []


def test_a_window_that_nobody_plays_does_not_count_as_a_race() -> None:
    """Members may be away for whole rounds of a league."""
    begun = "lobby window_s=3600 rounds=2; Ada Keep; Ada Start; all are gone"
    league, room = play(begun), play(f"{begun}; tick @+1h")
    assert (len(room.rounds), new_entries(league, room)) == (1, [])
    assert (kept_of(room).races, kept_of(room).raced) == (0, kept_of(league).raced)
    again = keep(keep(room, kept=False))
    assert (kept_of(again).races, new_entries(room.replace(kept=None), again)) == (0, [])


def test_rounds_move_from_the_record_to_the_shelf_with_their_logs() -> None:
    room, texts = keep(with_acts(finished(), 3)), dict[int, str]()
    for _ in range(ROUNDS_SHELVED + 10):
        before, room = room, with_acts(again(room), 3)
        texts |= newly_shelved(before, room)
        assert not removed_parts(before, room).logs & {(shelved.n, ADA) for shelved in room.shelf}
    assert len(room.rounds) == ROUNDS_KEPT
    assert len(room.shelf) + len(room.rounds) == ROUNDS_SHELVED
    assert {n for n, text in texts.items() if text} == {shelved.n for shelved in room.shelf}
    assert {n for n, text in texts.items() if not text} == set(range(1, room.shelf[0].n))
    stored = parts_of(room)
    assert stored.logs == {(n, seat) for n in range(12, 62) for seat in (ADA, BOB)}
    assert stored.reviews == set(range(12, 62))
    assert removed_parts(before, room).logs == {(11, ADA), (11, BOB)}
    ended = keep(room, kept=False)
    assert removed_parts(room, ended).reviews == {shelved.n for shelved in room.shelf}


def test_long_games_leave_the_shelf_sooner() -> None:
    room = keep(with_acts(finished(), KEPT_ACTS // 30))
    for _ in range(40):
        room = with_acts(again(room), KEPT_ACTS // 30)
    assert len(room.rounds) + len(room.shelf) == 30
    assert all(over.has_logs for over in room.rounds)
    room = with_acts(again(room), KEPT_ACTS)
    assert room.shelf == ()


def test_an_entry_has_each_ranked_row_and_weighs_about_300_bytes() -> None:
    room = play("running; Dee joins; tick @T0+15m {Ada won score=990 moves=131, Bob score=40}")
    line = entry_of(room, round_of(room)).model_dump_json()
    assert json.loads(line)["rows"] == [
        [ADA, "Ada", "blue", 1, "FINISHED", True, 60_000, 990, 0, 131, None, []],
        [BOB, "Bob", "red", 2, "TIMED_OUT", False, None, 40, 0, 0, None, []],
    ]
    assert len(line) < 300
    (entry,), damaged = parse_entries([line])
    assert (entry.winners, entry.not_counted, damaged) == ((ADA,), "", 0)


def test_players_who_give_up_or_do_not_act_are_not_on_the_podium() -> None:
    room = play("running; Bob Forfeit {Bob score=40}; tick @T0+15m {Ada score=9}")
    entry = entry_of(room, round_of(room))
    assert {row.seat: row.place for row in entry.rows}.keys() == {ADA, BOB}
    assert entry.podium == (ADA,)
    room = play("running; tick @T0+15m {Ada score=9, Bob has_acted=False}")
    assert entry_of(room, round_of(room)).podium == (ADA,)


def test_a_round_counts_once_and_damaged_lines_are_skipped() -> None:
    line = entry_of(room := finished(), round_of(room)).model_dump_json()
    other = line.replace('"n":1', '"n":2')
    bad = (
        "",
        "[]",
        "\N{REPLACEMENT CHARACTER}",
        line[:-9],
        line.replace("blue", "plaid"),
        line.replace('"n":1', '"n":-1'),
        line.replace('"n":1', '"n":9e99'),
        line.replace(",[]]", "]"),
    )  # fmt: skip
    entries, damaged = parse_entries([line, other, *bad, line])
    assert [entry.n for entry in entries] == [1, 2]
    assert damaged == len(bad)


def why_not_counted(story: str) -> str:
    room = play(story)
    return entry_of(room, round_of(room)).not_counted


def test_rounds_that_do_not_count_in_the_standings() -> None:
    over = "tick @T0+15m {Ada score=9}"
    assert why_not_counted(f"running; {over}") == ""
    assert why_not_counted(f"practice; {over}") == "computers"
    assert why_not_counted(f"bot_race; {over}") == "computers"
    assert why_not_counted(f"taken; {over}") == "stand_in"
    # Latecomers do not spoil a race, but one person and a latecomer are not enough for one.
    assert why_not_counted(f"running chasers=True; Cy Chase; {over}") == ""
    assert why_not_counted(f"practice chasers=True; Bob Chase; Cy Chase; {over}") == "latecomers"
    room = play(f"running chasers=True; Cy Chase; {over}")
    rows = {row.seat: row for row in entry_of(room, round_of(room)).rows}
    assert (rows[CY].flags, rows[CY].place, rows[CY].is_counted) == (("late",), None, False)


test_who_can_forget_whom = story_test("""
Members can forget themselves and keep their seats
  table; Bob Forget Bob -> Bob SEATED, seats=3
The owner can forget somebody who is gone, and with them their seat, or who has left
  table; Ada Forget Bob -> !PLAYER_IS_BACK
  Bob drops; Ada Forget Bob -> !PLAYER_IS_BACK
  Bob is gone; Ada Forget Bob -> seats=2
  Ada Forget 1 -> seats=2
Nobody else can, not even an acting host
  table; Bob is gone; Cy Forget Bob -> !NOT_HOST
  table; Cy is gone; Ada is gone; Bob Forget Cy -> !NOT_HOST
Only a kept table has a history
  lobby; Bob Forget Bob -> !NOT_IN_STATE
""")


def names_in(*rounds: Round | None) -> list[dict[int, str]]:
    return [{} if played is None else played.names for played in rounds]


def test_the_rounds_of_the_record_lose_the_name_and_nothing_else() -> None:
    story = "finished; Ada Keep; Bob is gone; Ada Forget Bob"
    before, room = play(story.rpartition(";")[0]), play(story)
    assert names_in(room.round, *room.rounds) == [{0: "Ada", 1: ""}] * 2
    assert room.rounds[0].results == before.rounds[0].results
    assert '"Bob"' not in room.model_dump_json()
    assert '"Ada"' in room.model_dump_json()


def test_an_entry_loses_the_name_and_keeps_unknown_fields() -> None:
    room = finished().replace(kept=Kept(since=NOW, raced=NOW))
    line = entry_of(room, room.rounds[0]).replace(weather="rain").model_dump_json()
    assert without_name(line, 7) == line
    assert without_name(line, BOB) == line.replace('"Bob"', '""')
    damaged = f'damaged: [{BOB},"Bob"]'
    assert without_name(damaged, BOB) == damaged


def test_a_shelved_round_is_read_if_it_is_whole_and_over() -> None:
    played = finished().rounds[0]
    assert parse_shelved(1, played.model_dump_json()) == played
    undealt = played.replace(deal=played.deal.model_copy(update={"seed": None, "number": None}))
    for other in (played.replace(n=2), played.replace(ended=None), undealt):
        with pytest.raises(InvalidRecord):
            parse_shelved(1, other.model_dump_json())
    with pytest.raises(InvalidRecord, match="cannot be read"):
        parse_shelved(1, "damaged")
