"""Stories of games: positions in the project's notation, actions, and their effects.

    A title in one line
      spiderette-1 undo=any | t0: [9C] 5S; t1: 6S    game and rules, and the position or `deal 24`
      t0x1-t1, undo -> = t0: [9C] 5S; t1: 6S, cheats=1  actions, and facts about the last one
      t1x1-t0 -> !wrong_rank                          a refusal

Facts are the whole position, legal actions (`can`, `only`, `cannot`), the effects
(`changed`, `turned`, `removed`, `gains`), and any count or field of the game.
"""

from functools import partial

from server.games.actions import Effects
from server.games.game import Game
from tests.games.positions import act, dealt, legal_texts, names, position, refused
from tests.games.texts import format_position
from tests.rooms.stories import field_of
from tests.stories import told


def play(story: str) -> Game:
    """Apply the actions of a story, check its facts, and return the game."""
    game = position("")
    for line in story.splitlines():
        acts, _, facts = line.strip().partition("->")
        effects = Effects((), (), 0, has_gained=False)
        if "|" in acts:
            game = start(acts)
        elif facts.strip().startswith("!"):
            assert refused(game, acts.strip()) == facts.strip()[1:], line
            continue
        elif acts.strip():
            effects = act(game, *(text.strip().replace("_", " ") for text in acts.split(",")))
        for fact in facts.split(",") if facts else ():
            check(game, effects, fact.strip())
    return game


story_test = partial(told, play)
"""Return a test that plays each story of a text."""


def start(text: str) -> Game:
    """Return the game of a text such as `spider-1 undo=any | t0: 5S`."""
    rules, _, piles = text.partition("|")
    words = rules.split()
    game = words.pop(0) if words and "=" not in words[0] else "spider-4"
    settings = dict(map(field_of, words))
    if piles.strip().startswith("deal"):
        return dealt(game, int(piles.split()[1]), **settings)
    return position(piles, game, **settings)


def check(game: Game, effects: Effects, fact: str) -> None:
    if fact.startswith("="):
        expected = position(fact[1:], game.variant.id, score=game.variant.scores[0])
        assert format_position(game) == format_position(expected)
        return
    name, _, value = fact.partition("=")
    legal, listed = set(legal_texts(game)), {text.replace("_", " ") for text in value.split()}
    match name:
        case "can":
            assert listed <= legal
        case "cannot":
            assert not listed & legal
        case "only":
            assert listed == legal
        case "changed" | "turned":
            assert names(game, getattr(effects, name)) == value.split(), fact
        case "removed" | "gains":
            found = effects.removed if name == "removed" else effects.has_gained
            assert str(found) == value, fact
        case _:
            counts = game.counts._asdict()
            assert str(counts[name] if name in counts else getattr(game, name)) == value, fact
