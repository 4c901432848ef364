"""Tables in the engine's notation, which the tests of the page read.

When the rules, a deal or the notation has changed, `python -m tests.views.test_client_examples`
writes `protocol/examples/notation.json` again.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from protocol import codec
from server.games import actions
from server.games.actions import Action, ActionKind
from server.games.cards import card_names
from server.games.deals import new_game, secret_deck
from server.games.game import Game
from server.games.rules import Rules
from server.views.tables import board_view, table_view
from tests.games.positions import ALL_ON_TABLE, act, position

ROOT = Path(__file__).parents[2]
NOTATION = ROOT / "protocol" / "examples" / "notation.json"
SEED = bytes(range(16))
WALKS = (0, 25, 120)
"""How many actions a game has before it is shown."""
RULES = (
    Rules("spider-4", exceptions="easy", undo="any"),
    Rules("spider-2", auto_remove=False, undo="any"),
    Rules("spiderette-4", exceptions="easy", undo="any"),
    Rules("little-spider", score="cards", undo="any"),
)


def games() -> Iterator[tuple[str, Game]]:
    """Yield games, each with its description."""
    for rules in RULES:
        chance, game = random.Random(7), new_game(rules, secret_deck(rules.game, SEED))
        for number in range(max(WALKS) + 1):
            if number in WALKS:
                yield f"{rules.game} after {number} actions", game
            legal = [action for action in game.legal_actions() if action != actions.FINISH]
            if not legal:
                break
            game.apply(chance.choice(legal))
    game = position(ALL_ON_TABLE)
    yield "all suits are complete and lie on the table", game
    act(game, "remove t0")
    yield "one of them is removed", game
    yield "a game that is stuck", position("u0: 5H; u1: 9S", "little-spider")


def meaning(action: Action, names: tuple[str, ...]) -> dict[str, Any]:
    """Return an action as the page describes it."""
    match actions.kind(action):
        case ActionKind.MOVE:
            return {
                "type": "move",
                "from": names[actions.source(action)],
                "count": actions.count(action),
                "to": names[actions.target(action)],
                "exception": actions.is_exception(action),
            }
        case ActionKind.REMOVE:
            return {"type": "remove", "from": names[actions.source(action)]}
        case plain:
            return {"type": plain.name.lower()}


def example(about: str, game: Game) -> dict[str, Any]:
    """Return the message of a table, and its piles and legal actions as the page reads them."""
    names = game.variant.pile_names
    piles = [game.pile(index) for index in range(len(names))]
    return {
        "about": about,
        "table": table_view(game, 0, game.at, 1_000 * game.at).model_dump(mode="json"),
        "piles": [
            {"id": name, "down": pile.down, "up": card_names(pile.cards[pile.down :])}
            for name, pile in zip(names, piles, strict=True)
        ],
        "legal": [meaning(action, names) for action in game.legal_actions()],
    }


def notation_text() -> str:
    """Return the tables in the notation, one example a line."""
    found = [example(about, game) for about, game in games()]
    board = example("the board of another player", next(games())[1])
    board["table"] = board_view(next(games())[1], 1, 0).model_dump(mode="json")
    lines = (json.dumps(one) for one in [*found, {**board, "legal": []}])
    return "[\n  " + ",\n  ".join(lines) + "\n]\n"


def test_the_examples_are_those_of_the_engine() -> None:
    assert NOTATION.read_text(encoding="utf-8") == notation_text(), f"run python -m {__name__}"


def test_the_examples_are_tables_that_show_every_kind_of_action() -> None:
    examples = json.loads(NOTATION.read_text(encoding="utf-8"))
    kinds = {action["type"] for example in examples for action in example["legal"]}
    assert kinds == {"move", "remove", "deal", "undo", "redo", "finish"}
    for example in examples:
        message = json.dumps({"type": "table", "table": example["table"]})
        assert codec.TO_CLIENT.validate_json(message).type == "table"


if __name__ == "__main__":
    NOTATION.write_text(notation_text(), encoding="utf-8")
