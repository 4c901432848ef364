"""The computer players' view of a table, compared with the engine."""

from typing import get_args

import pytest
from spider_race_client import Table

from protocol.games import GameId
from protocol.vocabulary import Outcome
from server.solver.players import player_of
from server.thinking.fair_play import visible_table
from server.views.tables import table_view
from tests.solver.visible_games import dealt, rules_of, visible


@pytest.mark.parametrize("game", get_args(GameId))
def test_a_player_sees_the_table_and_counts_the_cards_that_nobody_has_seen(game: GameId) -> None:
    for number in range(3):
        played = dealt(rules_of(game), number)
        player = player_of("club", game)
        while played.outcome is None:
            truth = visible(played)
            seen = visible_table(Table.of(table_view(played, 0, 0, 0)), relaxed=False)
            assert seen.columns == truth.columns
            assert (seen.unseen, seen.stock) == (truth.unseen, truth.stock)
            action = player.choose(seen, played.legal_actions())
            if action is None:
                break
            played.apply(action)
        assert played.outcome in {None, Outcome.WON, Outcome.FINISHED_STUCK}
