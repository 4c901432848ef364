"""The acts of two won games that complete suits, as a page receives them.

`tests/client/page/announcer.test.js` plays them through the announcer of the page. Write the file
again with `python -m tests.views.completed_suits`.
"""

import json
from pathlib import Path
from typing import Any, Final

from protocol.games import GAMES, GameId
from server.games.action_texts import ACTION_TEXTS
from server.games.actions import Action, parse_action
from server.games.catalogue import new_game
from server.games.deals import secret_deck
from server.games.rules import Rules
from server.views.tables import acted_text, table_text, timed
from tests.games.search import find_win

RECORDED: Final = Path(__file__).parents[1] / "client" / "completed_suits.json"
PLAYED: Final[tuple[tuple[GameId, int], ...]] = (("spiderette-2", 1), ("spider-1", 0))
"""Games and the bytes of their seeds."""
SEAT: Final = 0


def recorded(game: GameId, byte: int, actions: list[str]) -> dict[str, Any]:
    """Return a game that suits leave at once, with the acts that complete one.

    Each of them has the `table` message before it, and the `acted` message after it.
    """
    live = new_game(Rules(game, auto_remove=True), secret_deck(game, bytes([byte]) * 16))
    acts = []
    for text in actions:
        table = json.loads(table_text(live, SEAT, live.at, 0))
        before = live.counts
        changed = live.apply(parse_action(text, GAMES[game].pile_names)).changed
        if live.counts.suits > before.suits:
            acted = json.loads(timed(acted_text(live.at, live, changed, live.counts, before), 0))
            acts.append({"action": text, "table": table, "acted": acted})
    return {"game": game, "seed": byte, "actions": ", ".join(actions), "acts": acts}


def won(game: GameId, byte: int) -> list[str]:
    """Return the acts that win a game, as a search finds them; that takes seconds."""
    live = new_game(Rules(game, auto_remove=True), secret_deck(game, bytes([byte]) * 16))
    found = find_win(live)
    assert found is not None, "the search wins this game"
    texts = ACTION_TEXTS[game]
    return [texts.format(Action(action)) for action in found]


if __name__ == "__main__":
    games = [recorded(game, byte, won(game, byte)) for game, byte in PLAYED]
    RECORDED.write_text(json.dumps(games, indent=1) + "\n")
