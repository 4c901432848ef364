"""The command `day`: what operators do about the board of a day."""

import re

from protocol.vocabulary import DAY_GAMES, DAY_PATTERN, ENTRY_LENGTH
from server.config import DayOptions
from server.live.days import DayRaces
from server.live.repository import Repository
from server.operators.output import Answer
from server.store import Store, StoreError, StoreUnusable, Unreadable

ENTRY = re.compile(
    f"(?:.*/)?({DAY_PATTERN})/({'|'.join(DAY_GAMES)})/([0-9a-f]{{{ENTRY_LENGTH}}})/?"
)


async def change_day(options: DayOptions) -> Answer:
    """Take the name of a game off the board of its day.

    Raises:
        StoreUnusable, StoreTooOld: the store cannot be used, or did not answer.
    """
    match = ENTRY.fullmatch(options.entry)
    if match is None:
        return Answer("That is no game of a day: DATE/GAME/ENTRY, or the link to it.", 2)
    day, name, entry = match.groups()
    game = next(each for each in DAY_GAMES if each == name)
    store = await Store.attach(options)
    try:
        is_there = await DayRaces(Repository(store), None).hide(day, game, entry)
    except (StoreError, Unreadable) as error:
        raise StoreUnusable(f"The store did not answer: {error}") from error
    finally:
        await store.close()
    if not is_there:
        return Answer("There is no such game on the board of that day.", 1)
    return Answer("The name is off the board.")
