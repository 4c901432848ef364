"""Let computer players play a day's deal with the rules of `serve`: suits are removed by hand."""

from typing import Any

from protocol.settings import Settings
from server.thinking.day_games import play_deal


def play_by_hand(*given: Any, **how: Any) -> tuple[str, bytes]:
    """Play a deal in a process of the pool, which lacks the settings of the server."""
    Settings.model_fields["auto_remove"].default = False
    return play_deal(*given, **how)
