"""The real server, but every secret deal is the one that tests can win.

That win removes suits by hand, so this is the default of rooms. With a thinker each day has this
deal, too. The server adds the number in the file `clock` of its data directory to the time, in ms.

`python -m tests.e2e.serve COUNTDOWN_MS [options]`: a short countdown also shortens the time in
which players can take back giving up.
"""

import os
import sys
from pathlib import Path

from protocol.settings import Settings
from server.__main__ import main
from server.app import Tuning
from server.rooms.deals import WinnableDeal
from server.rooms.events import COUNTDOWN_MS, FORFEIT_HOLD_MS, RoomTimings
from server.store.clock import Clock
from server.thinking import day_games
from server.thinking.deals import WinnableDeals
from tests.e2e.by_hand import play_by_hand
from tests.games.wins import SEED, one_suit_win, winnable

SHORT_HOLD_MS = 300


async def deal_of_day(_deals: WinnableDeals, game: str, **_: object) -> WinnableDeal | None:
    """Return the deal for today's race; only the program of pictures has one for every game."""
    is_there = game == "spider-1" or "EVERY_GAME" in os.environ
    return WinnableDeal("", SEED, one_suit_win()) if is_there else None


def shift_ms() -> int:
    """Return how far a test has moved the clock."""
    return int(CLOCK.read_text()) if CLOCK.exists() else 0


if __name__ == "__main__":
    countdown_ms, *options = sys.argv[1:]
    is_short = int(countdown_ms) < COUNTDOWN_MS
    hold_ms = SHORT_HOLD_MS if is_short else FORFEIT_HOLD_MS
    rooms = RoomTimings(countdown_ms=int(countdown_ms), forfeit_hold_ms=hold_ms)
    Settings.model_fields["auto_remove"].default = False
    CLOCK = Path(options[options.index("--data-dir") + 1]) / "clock"
    estimate = Clock.estimate_ms

    def moved(self: Clock) -> float:
        """Return the time, moved by the file."""
        return estimate(self) + shift_ms()

    Clock.estimate_ms = moved  # type: ignore[method-assign]
    day_games.play_deal = play_by_hand
    WinnableDeals.of_day = deal_of_day  # type: ignore[assignment, method-assign]
    sys.exit(main(options, Tuning(rooms=rooms, draw_entropy=winnable)))
