"""The server sends no card before it lies open on a table that the recipient may see.

Two kinds of tests check this. `knowledge.check` compares everything that the server sends in a
play with the cards that the recipient may know. Other tests run a play twice, the second time
with another seed, another salt and other cards in all places that nobody has seen until some
moment. Until then everybody must get the same bytes.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import partial
from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.games import GameId
from protocol.settings import Settings
from protocol.views import RoomView
from server.games.cards import format_cards, format_pile
from server.games.deals import commitment
from server.games.game import Game
from server.rooms.record import Room
from server.views import rooms, tables
from tests.players import is_move
from tests.security import scripts
from tests.security.effort import fuzzed
from tests.security.knowledge import Leak, check, ends, unseen
from tests.world.world import Entropies, Place, Script, World, play

FOR_EVER = 1 << 62


def sent_to_all(world: World, n: int, until: int) -> dict[str, list[tuple[int, str]]]:
    """Return the texts sent until then (ms since the epoch), but before the end of round `n`.

    Leave out the commitment, a hash of the secrets that differ.
    """
    until = min(until, ends(world).get(n, FOR_EVER) - 1)
    entropy = world.entropies.entropy(n)
    committed = commitment(entropy.seed, entropy.salt)
    found = defaultdict(list)
    for sent in world.received:
        if sent.ms <= until:
            found[sent.who].append((sent.ms, sent.text.replace(committed, "...")))
    return found


def other_entropies(n: int, places: list[Place], shuffling: random.Random) -> Entropies:
    """Return a deal of round `n` that differs only in these unseen places."""
    shuffled = places[:]
    shuffling.shuffle(shuffled)
    return Entropies(n, dict(zip(places, shuffled, strict=True)))


# Regression: a player who has finished watches their own board.
@example(Settings(hints=True, time_limit_s=60), [("wait", 0, 224), ("watch", 0, 1)])
@given(scripts.settings, scripts.steps)
@fuzzed(12)
def test_nothing_hidden_is_sent(settings: Settings, steps: list[scripts.Step]) -> None:
    check(play(scripts.script(settings, steps)))


@given(scripts.settings, scripts.steps, st.randoms(use_true_random=False))
@fuzzed(12)
def test_deals_that_differ_in_unseen_cards_are_sent_as_the_same_bytes(
    settings: Settings, steps: list[scripts.Step], shuffling: random.Random
) -> None:
    script = scripts.script(settings, steps)
    world = play(script)
    n = world.started()
    for until in (FOR_EVER, shuffling.choice(world.received).ms):
        twin = play(script, other_entropies(n, unseen(world, n, until), shuffling))
        assert twin.entropies.entropy(n) != world.entropies.entropy(n)
        assert sent_to_all(world, n, until) == sent_to_all(twin, n, until)


@pytest.mark.parametrize("game", get_args(GameId))
@pytest.mark.parametrize("spectate", ["standings", "boards"])
def test_cards_that_only_an_opponent_has_seen_are_not_sent(game: GameId, spectate: str) -> None:
    """Ada deals, Bob plays on, and Don watches with a delay of five seconds."""
    chosen = {"game": game, "auto_remove": False, "score": "cards", "spectate": spectate}
    settings = Settings.model_validate({**chosen, "board_delay_s": 5})

    async def script(world: World) -> None:
        await scripts.script(settings, [])(world)
        for number in range(12):
            await world.act("Ada", "deal")
            if number % 3 == 0:
                bobs = world.people["Bob"].table["legal"]
                await world.act("Bob", next((a for a in bobs if is_move(a)), bobs[0]))
        await world.come_back("Bob")
        await world.come_back("Don")
        await world.say("Don", "watch", boards=[0, 1])
        await world.wait(2)

    world = play(script)
    assert any(sent.message().get("type") == "acted" for sent in world.received)
    hidden = unseen(world, 1, FOR_EVER, "Bob", "Don")
    assert len(hidden) > len(unseen(world, 1, FOR_EVER))
    twin = play(script, other_entropies(1, hidden, random.Random(7)))
    one, other = sent_to_all(world, 1, FOR_EVER), sent_to_all(twin, 1, FOR_EVER)
    assert one["Ada"] != other["Ada"]
    for who in one.keys() - {"Ada"}:
        assert one[who] == other[who]


# Leaks that somebody could write, to show that the tests find them.


def _bottom_card(leaking: pytest.MonkeyPatch) -> None:
    """Show one hidden card in the piles of a reply."""

    def named_piles(game: Game, indexes: Iterable[int]) -> list[tuple[str, str]]:
        piles = [(game.variant.pile_names[index], game.pile(index)) for index in indexes]
        return [
            (name, format_pile(pile.down, pile.cards[max(0, pile.down - 1) :]))
            for name, pile in piles
        ]

    leaking.setattr(tables, "named_piles", named_piles)


def _order(leaking: pytest.MonkeyPatch) -> None:
    """List legal actions backwards if the next card of the stock is black."""
    legal_text = tables.legal_text

    def leaky(game: Game) -> str:
        stock = game.pile(game.variant.pile_index["stock"]).cards
        black = stock and format_cards(stock[-1:])[1] in "SC"
        actions = legal_text(game).split(",")
        return ",".join(reversed(actions) if black else actions)

    leaking.setattr(tables, "legal_text", leaky)


def _seed(leaking: pytest.MonkeyPatch) -> None:
    """Put the salt into the view of the room."""
    room_view = rooms.room_view

    def leaky(room: Room, v: int) -> RoomView:
        view = room_view(room, v)
        salt = "" if room.round is None else room.round.deal.salt
        shown = view.round and view.round.model_copy(update={"commitment": salt})
        return view.model_copy(update={"round": shown})

    for module in ("server.views.rooms", "server.sessions.seat_holder"):
        leaking.setattr(f"{module}.room_view", leaky)


def _too_early(leaking: pytest.MonkeyPatch) -> None:
    """Show boards without a delay."""
    leaking.setattr("server.sessions.boards.horizon_ms", lambda *_, delayed: 9e9 + delayed)


BOARDS = Settings(
    game="spider-4", auto_remove=False, spectate="boards", board_delay_s=60, undo="any", hints=True
)
STEPS: list[scripts.Step] = [
    *[
        step
        for n in range(9)
        for step in (("act", n % 2, 7 * n), ("hint", n % 2, 0), ("assess", n % 2, 0))
    ],
    ("watch", 3, 3),
    ("watch", 1, 1),
    *[("act", 0, 5 * n) for n in range(9)],
    ("wait", 0, 1),
    ("get", 0, 1),
]


@pytest.mark.parametrize("leak", [_bottom_card, _order, _seed, _too_early])
def test_a_leak_would_be_noticed(
    monkeypatch: pytest.MonkeyPatch, leak: Callable[[pytest.MonkeyPatch], None]
) -> None:
    script = scripts.script(BOARDS, STEPS)
    with monkeypatch.context() as leaking:
        leak(leaking)
        world = play(script)
        noticed = any(_notices(partial(_differ, script, world, n)) for n in range(8))
    assert noticed or _notices(lambda: check(world))


def _notices(look: Callable[[], bool | None]) -> bool:
    """Return whether a check finds a leak, by returning True or raising `Leak`."""
    try:
        return look() is True
    except Leak:
        return True


def _differ(script: Script, world: World, seed: int) -> bool:
    rng = random.Random(seed)
    until = rng.choice(world.received).ms
    twin = play(script, other_entropies(1, unseen(world, 1, until), rng))
    return sent_to_all(world, 1, until) != sent_to_all(twin, 1, until)
