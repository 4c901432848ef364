"""The room that a program knows, from the messages of a server."""

from spider_race_client.race_state import RaceState

from protocol.codec import TO_CLIENT
from protocol.to_client import Changes, Joined, RoomMessage, ServerMessage
from server.views.rooms import MAX_SEATS_SENT_WHOLE
from tests.world.world import World, play


def test_a_room_older_than_the_known_one_changes_nothing() -> None:
    async def script(world: World) -> None:
        ada = world.sit("Ada")
        await ada.say("create", name="Ada", settings={})
        for name in ("Bob", "Cy"):
            world.sit(name)
            await world.say(name, "join", name=name, room=ada.room)

    sent = [each for each in play(script).received if each.who == "Ada"]
    texts = [each.text for each in sent if each.message().get("type") in {"joined", "room"}]
    joined, older, newer = (TO_CLIENT.validate_json(text) for text in texts)
    state = RaceState(0, "")
    for message, is_taken in ((joined, True), (newer, True), (older, False), (newer, True)):
        assert bool(list(state.apply_message(message))) is is_taken
    assert [seat.name for seat in state.room.seats] == ["Ada", "Bob", "Cy"]


def test_a_round_that_begins_again_has_nothing_of_its_first_beginning() -> None:
    """A failover of the store may undo the start; the next one has other cards."""

    async def script(world: World) -> None:
        await world.sit("Ada").say("create", name="Ada", settings={})
        await world.say("Ada", "start")

    sent = [each for each in play(script).received if each.text.startswith("{")]
    state = RaceState(0, "")
    for each in sent:
        list(state.apply_message(TO_CLIENT.validate_json(each.text)))
    state.keep_boards((3,))
    began = state.room.round
    assert began is not None
    assert state.beginning == (1, began.t0)
    again = began.model_copy(update={"t0": began.t0 + 9_000})
    update = {"v": state.room.v + 1, "round": again}
    list(state.apply_message(RoomMessage(room=state.room.model_copy(update=update))))
    assert (state.beginning, state.watched) == ((1, began.t0 + 9_000), ())


def test_a_large_room_is_known_by_its_changes() -> None:
    async def script(world: World) -> None:
        ada = world.sit("Ada")
        await ada.say("create", name="Ada", settings={})
        names = [f"P{number}" for number in range(MAX_SEATS_SENT_WHOLE + 2)]
        for name in (*names, "Zoe"):
            if name == "Zoe":
                await world.say("P1", "ready")
                await world.say("P2", "leave")
            world.sit(name)
            await world.say(name, "join", name=name, room=ada.room)

    received: dict[str, list[ServerMessage]] = {"Ada": [], "Zoe": []}
    for each in play(script).received:
        if each.who in received and each.text.startswith("{"):
            received[each.who].append(TO_CLIENT.validate_json(each.text))
    state = RaceState(0, "")
    kinds = {type(message) for message in received["Ada"] if list(state.apply_message(message))}
    (joined,) = (each for each in received["Zoe"] if isinstance(each, Joined))
    assert Changes in kinds
    assert state.room.seats == joined.room.seats
