"""The acts of two won games that complete suits, as a page receives them.

`tests/client/page/announcer.test.js` plays them through the announcer of the page. Write the file
again with `python -m tests.views.completed_suits`.
"""

import json
from pathlib import Path
from typing import Any, Final

from protocol.games import GAMES, GameId
from server.games.actions import parse_action
from server.games.catalogue import new_game
from server.games.deals import secret_deck
from server.games.rules import Rules
from server.views.tables import acted_text, table_text, timed

RECORDED: Final = Path(__file__).parents[1] / "client" / "completed_suits.json"
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


if __name__ == "__main__":
    games = json.loads(RECORDED.read_text())
    games = [recorded(each["game"], each["seed"], each["actions"].split(", ")) for each in games]
    RECORDED.write_text(json.dumps(games, indent=1) + "\n")
