"""Computer players in a play: they choose by the messages that they receive."""

from dataclasses import dataclass

from spider_race_client import Table

from protocol.codec import TO_CLIENT
from protocol.to_client import Acted, Joined, TableMessage
from protocol.vocabulary import BotLevel
from server.games.actions import ACTION_TEXTS
from server.solver.players import Player, player_of
from server.thinking.fair_play import visible_table


@dataclass
class SeatedBot:
    """A computer player, with the table that its socket has received."""

    seat: int
    level: BotLevel
    relaxed: bool = False
    table: Table | None = None
    player: Player | None = None

    def take(self, text: str) -> None:
        if not text.startswith("{"):
            return
        message = TO_CLIENT.validate_json(text)
        if isinstance(message, Joined):
            self.relaxed = message.room.settings.relaxed_deal
        if isinstance(message, TableMessage) and message.table.seat == self.seat:
            if message.table.at == 0 or self.player is None:
                game = message.table.game
                self.player = player_of(self.level, game)
            self.table = Table.of(message.table)
        elif isinstance(message, Acted) and self.table is not None:
            self.table = self.table.after(message)

    def choose(self) -> str | None:
        """Return the text of its next action, or None if it stops."""
        if self.player is None or self.table is None or self.table.outcome is not None:
            return None
        texts = ACTION_TEXTS[self.table.game]
        legal = [texts.parse(text) for text in self.table.legal]
        action = self.player.choose(visible_table(self.table, relaxed=self.relaxed), legal)
        return None if action is None else texts.format(action)
