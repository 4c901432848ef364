"""Race with a program that takes the best move it sees: `greedy.py LINK [NAME]`."""

import asyncio
import sys
from contextlib import suppress

from spider_race_client import ActLost, Refused, Table, connect


def value(table: Table, action: str) -> int:
    """Return how good an action looks. Only positive ones are made, which never go in circles."""
    pile, _, move = action.partition("x")
    if not move:  # such as "remove t3"
        return {"finish": 200, "deal": 5, "undo": -1, "redo": -1}.get(action, 100)
    count, _, target = move.rstrip("!").partition("-")
    source, goal = table.piles[pile], table.piles[target].cards
    (*_, below), card = ("", *source.cards[: -int(count)]), source.cards[-int(count)]
    breaks = below != "" and card[0] + below[0] in "A23456789TJQK"
    if goal and goal[-1][1] == card[1] and not (breaks and below[1] == card[1]):
        return 20 + int(count) + 40 * (not below)  # it joins cards of a suit
    if not below and goal:
        return 40 if source.face_down else 1
    return -1 if goal or breaks else 2 if below else 3 if source.face_down else -1


async def main(link: str, name: str = "Greedy") -> None:
    """Join the room, play one round to its end, and print the ranking."""
    async with connect(link) as client:
        race = await client.join(link, name)
        await race.ready()
        table = await race.wait_for_table()
        with suppress(Refused, ActLost):  # the game or the round may be over first
            while table.legal and (best := max((value(table, a), a) for a in table.legal))[0] > 0:
                table = await race.act(best[1])
            await race.forfeit()
        for row in (await race.wait_for_result()).ranking:
            print(f"{row.place}. {row.name}: {row.score}")


asyncio.run(main(*sys.argv[1:]))
