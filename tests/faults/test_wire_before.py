"""The wire of the release before, as far as players under faults rest on its translation."""

import json
from types import SimpleNamespace
from typing import Any, cast

import pytest
from websockets.asyncio.client import ClientConnection

from protocol.vocabulary import SUBPROTOCOL
from tests.faults.wire_before import BEFORE, BOTH, action_before, action_text, read, write

MOVE = {"type": "move", "from": "t9", "count": 12, "to": "t4", "exception": False}
ACTIONS: list[tuple[str, dict[str, Any]]] = [
    ("t9x12-t4", MOVE),
    ("t9x12-t4!", {**MOVE, "exception": True}),
    ("remove t3", {"type": "remove", "from": "t3"}),
    *((word, {"type": word}) for word in ("deal", "undo", "redo", "finish")),
]
FIELDS = {"id": 1, "at": 1, "score": 5, "outcome": None, "stuck": None, "elapsed_ms": 9}


def socket(version: str) -> ClientConnection:
    return cast("ClientConnection", SimpleNamespace(subprotocol=version))


@pytest.mark.parametrize(("text", "action"), ACTIONS)
def test_an_action_has_a_form_on_either_wire(text: str, action: dict[str, Any]) -> None:
    assert action_before(text) == action
    assert action_text(action) == text
    act = {"type": "act", "id": 1, "at": 0, "action": text}
    assert json.loads(write(socket(BEFORE), act)) == {**act, "action": action}
    assert json.loads(write(socket(SUBPROTOCOL), act)) == act


def test_other_messages_are_the_same_on_both_wires() -> None:
    for version in BOTH:
        assert json.loads(write(socket(version), {"type": "start"})) == {"type": "start"}
        assert read(socket(version), '{"type":"pong"}') == {"type": "pong"}


def test_a_reply_is_read_alike_from_either_wire() -> None:
    piles = [{"id": "t8", "down": 3, "up": ["4S"]}, {"id": "t0", "down": 0, "up": []}]
    before = {"type": "acted", **FIELDS, "piles": piles, "legal": [MOVE, {"type": "deal"}]}
    now = {
        "type": "acted",
        **FIELDS,
        "piles": {"t8": "[3] 4S", "t0": ""},
        "legal": "t9x12-t4,deal",
    }
    read_before = read(socket(BEFORE), json.dumps(before))
    assert read_before == read(socket(SUBPROTOCOL), json.dumps(now))
    assert read_before["legal"] == ["t9x12-t4", "deal"]


def test_a_table_is_read_alike_from_either_wire() -> None:
    columns = [{"id": f"t{i}", "down": 5, "up": ["KS"]} for i in range(7)]
    stock = [{"id": "stock", "down": 24, "up": []}]
    homes = [{"id": f"f{i}", "down": 0, "up": []} for i in range(4)]
    table = {**FIELDS, "seat": 0, "game": "spiderette-4", "last_id": 0}
    before = {**table, "piles": [*columns, *stock, *homes], "legal": []}
    now = {**table, "piles": [*["[5] KS"] * 7, "[24]", *[""] * 4], "legal": ""}
    texts = [json.dumps({"type": "table", "table": one}) for one in (before, now)]
    assert read(socket(BEFORE), texts[0]) == read(socket(SUBPROTOCOL), texts[1])
