"""Forgetting people at a kept table: the record and the history lose their names."""

from server.rooms.record import Kept, Round
from server.rooms.table_history import entry_of, without_name
from tests.rooms.rooms import BOB, NOW, finished
from tests.rooms.stories import play, story_test

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
    assert without_name("damaged by Bob", BOB) == "damaged by Bob"
