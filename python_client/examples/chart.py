"""Draw a finished round as a picture: `chart.py LINK ROUND [PICTURE]`.

`rows` serves a notebook as well: one row an act, for a table or a data frame. The picture needs
matplotlib (`pip install 'spider-race[chart]'`).
"""

import asyncio
import sys
from collections.abc import Iterator
from typing import NamedTuple

from spider_race_client import Round, fetch_round


class Row(NamedTuple):
    """One act of a player, and the game after it."""

    player: str
    seconds: float
    action: str
    score: int
    suits: int
    face_down: int


def rows(played: Round) -> Iterator[Row]:
    """Yield every act of a round, player by player."""
    for player in played.document.players:
        for ms, action, game in played.replay(player):
            suits, face_down = game.counts.suits, game.counts.face_down
            yield Row(player.name, ms / 1_000, action, game.score, suits, face_down)


def draw(played: Round, picture: str) -> None:
    """Draw the score of each player over time into a file."""
    from matplotlib.figure import Figure  # noqa: PLC0415  # only the picture needs it

    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.subplots()
    acts = list(rows(played))
    for place in played.document.ranking:
        own = [row for row in acts if row.player == place.name]
        points = [row.seconds for row in own], [row.score for row in own]
        axes.step(*points, where="post", label=f"{place.name}: {place.score}")
    axes.set(xlabel="seconds", ylabel="score", title=f"Round {played.document.n}")
    axes.legend()
    figure.savefig(picture)


if __name__ == "__main__":
    link, number, *picture = sys.argv[1:]
    fetched = asyncio.run(fetch_round(link, link, int(number)))
    draw(fetched, *picture or ["round.png"])
    print(*rows(fetched), sep="\n")
