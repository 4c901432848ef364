"""Matches, boards and files over the wire."""

from server.games.notation import parse_round
from server.http.listener import Listener
from server.sessions.limits import SessionLimits
from tests.players import Player, start_race
from tests.server.conftest import FAST, Serving
from tests.server.http import get


async def test_every_game_can_be_raced(serving: Serving) -> None:
    async with serving(websocket=FAST) as listener:
        for game in ("spider-4", "spiderette-2", "little-spider"):
            (ada,) = await start_race(listener.port, players=1, game=game)
            assert ada.table["game"] == game
            for _ in range(30):
                if not ada.table["legal"]:
                    break
                answer = await ada.act(ada.table["legal"][-1])
                assert answer["type"] == "acted"
            await ada.leave()


async def test_a_match_is_played_to_its_end_with_a_card(listener: Listener) -> None:
    ada, bob = await start_race(listener.port, rounds=2, deal="numbered", number=24)
    for n in (1, 2):
        await ada.ask("forfeit")
        await bob.ask("forfeit")
        await ada.in_state("FINISHED")
        match = ada.room["match"]
        assert (match["rounds"], match["n"], match["over"]) == (
            2,
            list(range(1, n + 1)),
            n == 2,
        )
        assert {card["name"] for card in match["cards"]} == {"Player 0", "Player 1"}
        if n == 1:
            assert ada.room["round"]["number"] == 24
            await ada.ask("next_round")
            ada.table, bob.table = {}, {}
            await bob.say("ready")
            await ada.say("ready")
            await ada.race()
            await bob.race()
            assert ada.room["round"]["number"] == 25


async def test_the_host_chooses_the_next_game_of_the_card(listener: Listener) -> None:
    host = await Player.create(listener.port, "Ada", rounds=6, deal="numbered", number=24)
    bob = await Player.join(listener.port, host.code, "Bob")

    async def refused(player: Player, game: int) -> str:
        await player.say("choose", game=game)
        code: str = (await player.receive("refused", "error"))["code"]
        return code

    async def chosen(game: int) -> None:
        await host.say("choose", game=game)
        while (await host.receive("room"))["room"]["next_game"] != game:
            pass

    assert await refused(bob, 3) == "not_host"
    assert await refused(host, 7) == "no_such_game"
    assert await refused(host, 13) == "bad_message"
    await chosen(3)
    await host.say("start")
    await host.race()
    assert (host.room["round"]["game"], host.room["round"]["number"]) == (3, 26)
    assert await refused(host, 1) == "not_in_state"
    await host.ask("forfeit")
    await host.in_state("FINISHED")
    assert (host.room["match"]["numbers"], host.room["next_game"]) == ([3], 1)
    await chosen(3)  # on this card it may be played again
    await chosen(1)
    await chosen(1)  # which was to come anyway, and gets its reply all the same
    await chosen(6)
    back = await host.resume(listener.port)
    assert back.room["next_game"] == 6


async def test_a_finished_round_can_be_kept_read_back_and_played_again(listener: Listener) -> None:
    (ada,) = await start_race(listener.port, players=1, game="spiderette-1")
    for _ in range(5):
        await ada.act(ada.table["legal"][0])
    await ada.ask("forfeit")
    over = await ada.receive("round_over")
    kept = await get(listener.port, over["links"]["text"])
    assert "attachment" in kept.headers["content-disposition"]
    message = parse_round(kept.body.decode())
    (player,) = message.players
    assert (player.name, len(player.entries)) == ("Player 0", 5)
    assert message.replay(player).score == over["ranking"][0]["score"]
    (again,) = await start_race(
        listener.port,
        players=1,
        game="spiderette-1",
        deal="seed",
        seed=over["reveal"]["seed"],
    )
    assert again.room["round"]["commitment"] is None
    await again.ask("forfeit")
    over_again = await again.receive("round_over")
    assert over_again["reveal"]["deck"] == over["reveal"]["deck"]
    assert over_again["reveal"]["salt"] is None
    text = await get(listener.port, over_again["links"]["text"])
    assert parse_round(text.body.decode()).deal.deck("spiderette-1")
    assert (await get(listener.port, f"/api/rooms/{ada.code}/rounds/7.txt")).status == 404


async def test_spectators_see_boards_where_the_room_shows_them(serving: Serving) -> None:
    async with serving(sessions=SessionLimits(board_interval_s=0.02)) as listener:
        ada, bob = await start_race(listener.port, spectate="boards", board_delay_s=0)
        don = await Player.join(listener.port, ada.code, "Don", "spectator")
        assert (await don.ask("watch", boards=[0, 1]))["type"] == "standings"
        await ada.act(ada.table["legal"][0])
        while don.table.get("seat") != 0 or don.table["at"] != 1:
            await don.next()
        assert don.table["piles"] == ada.table["piles"]
        assert don.table["legal"] == []
        await bob.say("watch", boards=[0])
        refused = await bob.receive("refused")
        assert refused["code"] == "boards_are_hidden"
        await don.ask("watch")  # no boards any more
        await ada.ask("forfeit")
        assert (await ada.ask("watch", boards=[1]))["type"] == "standings"
        while ada.table.get("seat") != 1:
            await ada.next()
        await bob.ask("forfeit")
        await don.in_state("FINISHED")
        don.table = {}
        assert (await bob.ask("watch", boards=[0]))["type"] == "standings"
        while bob.table.get("seat") != 0:
            await bob.next()
        assert bob.table["at"] == 1


async def test_boards_are_as_late_as_the_rooms_setting(serving: Serving) -> None:
    async with serving(sessions=SessionLimits(board_interval_s=0.02)) as listener:
        ada, _bob = await start_race(listener.port, spectate="boards", board_delay_s=600)
        don = await Player.join(listener.port, ada.code, "Don", "spectator")
        await ada.act(ada.table["legal"][0])
        await don.ask("watch", boards=[0])
        while not don.table:
            await don.next()
        assert don.table["at"] == 0


async def test_the_catalogue_is_served(listener: Listener) -> None:
    assert b"little-spider" in (await get(listener.port, "/api/catalogue")).body
