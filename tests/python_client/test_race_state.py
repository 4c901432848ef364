"""The room that a program knows, from the messages of a server."""

from spider_race_client.race_state import RaceState

from protocol.codec import TO_CLIENT
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
        assert bool(list(state.take(message))) is is_taken
    assert [seat.name for seat in state.room.seats] == ["Ada", "Bob", "Cy"]
