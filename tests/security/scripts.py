"""Random steps of people in a fuzzed play; the current state decides their effect."""

from collections.abc import Callable, Coroutine
from typing import Any, get_args

from hypothesis import strategies as st

from protocol.games import GameId
from protocol.settings import Settings
from protocol.vocabulary import RoomState, UndoPolicy
from server.rooms.settings import clash_in
from server.store import StoredReview
from server.views.replays import SeatReview
from tests.world.world import Script, World

Step = tuple[str, int, int]
"""The type of a step, the person, and a number that selects a variant."""
Act = Callable[[World, str, int], Coroutine[Any, Any, None]]

PEOPLE = ("Ada", "Bob", "Cy", "Don")
HOST, PLAYERS, WATCHER = "Ada", ("Ada", "Bob"), "Don"
PILES = [*(f"t{i}" for i in range(11)), *(f"f{i}" for i in range(9)), "stock", "u0", "w1"]
PATHS = (
    "/api/rooms",
    *("/r/{}", "/r/{}/1", "/api/rooms/{}", "/api/rooms/{}/deal"),
    *(
        f"/api/rooms/{{}}/rounds/{n}{file}"
        for file in ("", ".txt", "/course", "/seats/0", "/review", "/seats/0/win", "/picture.svg")
        for n in (1, 2)
    ),
)
WAITS_S = (0.1, 1.0, 70.0)


async def act(world: World, who: str, number: int) -> None:
    table = world.people[who].table
    legal = table.get("legal") or ["deal"]
    await world.act(who, legal[number % len(legal)])


async def attempt(world: World, who: str, number: int) -> None:
    """Send an action that is rarely legal."""
    ways = ["deal", "undo", "redo", "finish", f"remove {PILES[number % len(PILES)]}"]
    here, to = (PILES[number // part % len(PILES)] for part in (3, 11))
    move = f"{here}x{number // 7 % 13 + 1}-{to}{'' if number % 5 else '!'}"
    action = ways[number // 2 % len(ways)] if number % 4 == 0 else move
    await world.act(who, action, ahead=number % 7 == 0)


async def watch(world: World, who: str, number: int) -> None:
    await world.say(who, "watch", boards=[[], [0], [1], [0, 1], [7]][number % 5])
    await world.wait(0.5)


async def forge(world: World, who: str, number: int) -> None:
    """Try to take another person's seat with your own token."""
    others = [player for player in PLAYERS if player != who]  # a token fits its own seat
    victim = world.people[others[number % len(others)]]
    world.sit("Eve")
    have = {"room": victim.room, "seat": victim.seat, "have": 0}
    await world.say("Eve", "resume", token=world.people[who].token, **have)


async def join(world: World, _who: str, number: int) -> None:
    if "Cy" not in world.people:
        world.sit("Cy")
    role = ("player", "spectator")[number % 2]
    await world.say("Cy", "join", room=world.people[HOST].room, name="Cy", role=role)


async def get(world: World, _who: str, number: int) -> None:
    await world.get(PATHS[number % len(PATHS)].format(world.people[HOST].room))


async def review(world: World, _who: str, _number: int) -> None:
    """Store a review too early, with a secret as its time, and ask for it."""
    room, n = world.people[HOST].room, world.started()
    secret = int.from_bytes(world.entropies.entropy(n).seed[:4], "big")
    text = SeatReview(known_at=0, known_ms=secret).model_dump_json()
    world.store.reviews[room, n] = StoredReview(has_begun=True, texts={0: text, 1: text})
    for way in ("review", "seats/0/win"):
        await world.get(f"/api/rooms/{room}/rounds/{n}/{way}")


async def wait(world: World, _who: str, number: int) -> None:
    await world.wait(WAITS_S[number % 3])


async def begin(world: World, _who: str, _number: int) -> None:
    """Start another round, from any state of the room."""
    if world.in_state(RoomState.RUNNING):
        await world.say(HOST, "abort")
    if world.in_state(RoomState.FINISHED):
        await world.say(HOST, "next_round")
    await world.say("Bob", "ready")
    await world.say(HOST, "start")
    await world.act("Bob", "deal")  # too early
    await world.wait(6)


async def over(world: World, _who: str, _number: int) -> None:
    for who in world.people:
        await world.say(who, "forfeit")


async def add_bot(world: World, who: str, number: int) -> None:
    await world.say(who, "add_bot", level=("beginner", "club")[number % 2])
    await world.seat_bots()


async def stand_in(world: World, who: str, number: int) -> None:
    """Cut the socket of a player, and let a computer finish."""
    gone = world.people["Bob"]
    gone.socket.is_open = False
    await gone.session.handle_disconnect()
    await world.wait(16)
    await world.say(who, "add_stand_in", seat=gone.seat, level=("beginner", "club")[number % 2])
    await world.seat_bots()


async def bots_act(world: World, _who: str, number: int) -> None:
    for _ in range(number % 4 + 1):
        await world.let_bots_act()


async def move(world: World, who: str, number: int) -> None:
    """Move a seat to another socket; Eve tries the code before and after."""
    await world.say(who, "carry", attempt=f"{number:0>16}")
    codes = world.people[who].of("carry_code")
    if not codes:
        return
    take = {"room": world.people[who].room, "code": codes[-1]["code"], "attempt": f"{number:1>16}"}
    if number % 5 == 0:
        world.sit("Eve")
        await world.say("Eve", "take_over", **{**take, "code": "guess"})
    world.sit(who)
    await world.say(who, "take_over", **take, browser=("", "phone")[number % 2])
    world.sit("Eve")
    await world.say("Eve", "take_over", **{**take, "attempt": "another-attempt-here"})


async def come_back(world: World, who: str, _number: int) -> None:
    await world.come_back(who)


def said(kind: str, fields: Callable[[int], dict[str, Any]] = lambda _: {}) -> Act:
    """Make a step that sends one message, with fields made from its number."""
    return lambda world, who, number: world.say(who, kind, **fields(number))


ACTS: tuple[Act, ...] = (
    *(act, attempt, watch, come_back, move, forge, join, get, review, wait, begin, over),
    *(add_bot, bots_act, stand_in),
)
BARE = (
    *("forfeit", "leave", "rematch", "abort", "ready", "next_round", "hint", "assess"),
    "chase",
)
STEPS: dict[str, Act] = {
    **{step.__name__: step for step in ACTS},
    **{kind: said(kind) for kind in BARE},
    "say": said("say", lambda n: {"emote": "wow"} if n % 2 else {"text": f"line {n}"}),
    "choose": said("choose", lambda n: {"game": n % 4 + 1}),
    "kick": said("kick", lambda n: {"seat": n % 4}),
    "forget": said("forget", lambda n: {"seat": n % 4}),
    "hand_over": said("hand_over", lambda n: {"seat": n % 4}),
    "end": said("end", lambda _: {"grace_s": 5}),
    "sign": said("sign", lambda n: {"name": f"Name {n}"}),
}
OFTEN = (
    ["act"] * 30
    + ["chase"] * 4
    + ["attempt", "hint", "bots_act"] * 8
    + ["assess"] * 4
    + ["watch", "get", "wait", "say", "come_back"] * 2
)
steps = st.lists(
    st.tuples(st.sampled_from([*OFTEN, *STEPS]), st.integers(0, 3), st.integers(0, 1 << 16)),
    min_size=5,
    max_size=70,
)

settings = st.builds(
    Settings,
    game=st.sampled_from(get_args(GameId)),
    layout=st.sampled_from(["left4", "spread"]),
    auto_remove=st.booleans(),
    relaxed_deal=st.booleans(),
    exceptions=st.sampled_from(["off", "easy", "hard"]),
    undo=st.sampled_from(get_args(UndoPolicy)),
    hints=st.sampled_from([True, True, False]),
    autoplay=st.booleans(),
    score=st.sampled_from(["woods", "dos", "cards", "moves"]),
    ranking=st.sampled_from(["first_home", "best_score"]),
    rounds=st.sampled_from([1, 3]),
    time_limit_s=st.sampled_from([None, 60, 1_800]),
    window_s=st.sampled_from([None, None, 3_600]),
    spectate=st.sampled_from(["standings", "boards"]),
    board_delay_s=st.sampled_from([0, 3, 60]),
    public=st.booleans(),
).filter(lambda chosen: clash_in(chosen) is None)


def script(chosen: Settings, taken: list[Step]) -> Script:
    """Return a script: two players and a spectator start a race, and then take these steps."""

    async def run(world: World) -> None:
        for who in ("Ada", "Bob", "Don"):
            world.sit(who)
        await world.say(HOST, "create", name=HOST, settings=chosen.model_dump())
        room = world.people[HOST].room
        await world.say("Bob", "join", room=room, name="Bob")
        await world.say("Don", "join", room=room, name="Don", role="spectator")
        await world.say("Don", "watch", boards=[0])
        await begin(world, "", 0)
        for kind, person, number in taken:
            who = PEOPLE[person]
            await STEPS[kind](world, who if who in world.people else "Bob", number)

    return run
