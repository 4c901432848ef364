"""Computer players in a play: their jobs, and the choices that they make by what they receive."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from spider_race_client import Table

from protocol.codec import TO_CLIENT
from protocol.to_client import Acted, Joined, TableMessage
from server.bot_job import BotJob
from server.bots.visible_tables import visible_table
from server.games.action_texts import ACTION_TEXTS
from server.solver.players import Player, player_of
from server.store import Queued


@dataclass
class MemoryJobs:
    """The queue of jobs; `waiting` are those that nobody has taken."""

    waiting: list[BotJob] = field(default_factory=list)

    async def add(
        self,
        kind: str,
        key: str,
        body: str,
        *,
        deadline_ms: int,
        shares: Mapping[str, int] = MappingProxyType({}),
    ) -> Queued:
        assert kind == "bot"
        assert not shares
        assert key
        assert deadline_ms
        self.waiting.append(BotJob.model_validate_json(body))
        return Queued.ADDED


@dataclass
class SeatedBot:
    """A computer player, with the table that its socket has received."""

    job: BotJob
    relaxed: bool = False
    table: Table | None = None
    player: Player | None = None

    def take(self, text: str) -> None:
        """Take a text that was sent to it."""
        if not text.startswith("{"):
            return
        message = TO_CLIENT.validate_json(text)
        if isinstance(message, Joined):
            self.relaxed = message.room.settings.relaxed_deal
        if isinstance(message, TableMessage) and message.table.seat == self.job.seat:
            if message.table.at == 0 or self.player is None:
                game = message.table.game
                self.player = player_of(self.job.level, game)
            self.table = Table.of(message.table)
        elif isinstance(message, Acted) and self.table is not None:
            self.table = self.table.after(message)

    def choose(self) -> str | None:
        """Return the text of its next act, or None if it has none."""
        if self.player is None or self.table is None or self.table.outcome is not None:
            return None
        texts = ACTION_TEXTS[self.table.game]
        legal = [texts.parse(text) for text in self.table.legal]
        action = self.player.choose(visible_table(self.table, relaxed=self.relaxed), legal)
        return None if action is None else texts.format(action)
