"""The names of keys."""

import pytest

from server.store.keys import Keys, belongs_to_room
from tests.store.rooms_and_acts import CODE


@pytest.mark.parametrize("prefix", ["", "race-1:"])
def test_the_type_of_every_key_that_belongs_to_no_room_is_known(prefix: str) -> None:
    keys = Keys(prefix)
    named = [keys.opened("here"), keys.guesses("here"), keys.process("east")]
    named += [keys.attempt("of here"), *keys.jobs("bot"), *keys.pool("spider-1")]
    named += [keys.labels(), keys.asked_labels()]
    for key in (*keys.shared(), *named):
        assert not belongs_to_room(key)
        assert keys.type_of(key) in {"hash", "list", "set", "stream", "string", "zset"}
    assert keys.type_of(f"{prefix}of another program") is None


@pytest.mark.parametrize("prefix", ["", "race-1:"])
def test_the_keys_of_a_room_are_found_by_their_pattern(prefix: str) -> None:
    keys, other = Keys(prefix), Keys("other:")
    assert keys.parse(keys.room(CODE)) == (CODE, "room", ())
    assert keys.parse(keys.events(CODE)) == (CODE, "events", ())
    assert keys.parse(keys.seat(CODE, 7)) == (CODE, "seat", (7,))
    assert keys.parse(keys.review(CODE, 2)) == (CODE, "review", (2,))
    assert keys.parse(keys.log(CODE, 2, 7)) == (CODE, "log", (2, 7))
    for name in (
        *(other.room(CODE), keys.clock, keys.channel(CODE), keys.seat(CODE, 7) + "x"),
        keys.staged(CODE, keys.room(CODE)),
    ):
        assert keys.parse(name) is None
