"""The tables that the client's tests read are those of the engine, and show every form of text."""

import json

from protocol import codec
from tests.views.notation_examples import FILE, text


def test_the_examples_are_those_of_the_engine() -> None:
    assert FILE.read_text(encoding="utf-8") == text(), (
        "run python -m tests.views.notation_examples"
    )


def test_the_examples_have_every_form_of_an_action_and_of_a_pile() -> None:
    examples = json.loads(FILE.read_text(encoding="utf-8"))
    legal = [action for example in examples for action in example["legal"]]
    kinds = {(action["type"], action.get("exception", False)) for action in legal}
    assert kinds == {
        *(("move", False), ("move", True), ("remove", False), ("deal", False)),
        *(("undo", False), ("redo", False), ("finish", False)),
    }
    piles = [pile for example in examples for pile in example["piles"]]
    assert {(pile["down"] > 0, bool(pile["up"])) for pile in piles} == {
        (down, up) for down in (False, True) for up in (False, True)
    }
    for example in examples:
        message = json.dumps({"type": "table", "table": example["table"]})
        assert codec.TO_CLIENT.validate_json(message).type == "table"
