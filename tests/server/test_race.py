"""A whole race over real sockets: what players, spectators and readers of the result see."""

import asyncio
import hashlib
import random
import time

from protocol.games import GAMES
from protocol.http import FinishedRound
from server.games import actions
from server.games.cards import parse_card
from server.games.catalogue import replay
from server.games.deals import secret_deck
from server.http.listener import Listener
from server.rooms.events import Tick
from server.rooms.rounds import rules_of
from server.rooms.timings import RoomTimings
from tests.games.wins import SEED, one_suit_game, one_suit_win, winnable
from tests.players import Player, start_race
from tests.server.conftest import FAST, Serving
from tests.server.http import get
from tests.server.test_ranking import limit


async def play(player: Player, rng: random.Random, acts: int) -> None:
    """Play some random legal actions."""
    for _ in range(acts):
        ways = [action for action in player.table["legal"] if action != "finish"]
        answer = await player.act(rng.choice(ways))
        assert answer["type"] == "acted", answer


async def test_two_players_race_and_everyone_can_check_the_result(serving: Serving) -> None:
    async with serving(websocket=FAST) as listener:
        ada, bob = await start_race(listener.port, game="spider-2", undo="any")
        assert ada.table["piles"] == bob.table["piles"]
        commitment = ada.room["round"]["commitment"]
        await asyncio.gather(play(ada, random.Random(1), 60), play(bob, random.Random(2), 40))
        await ada.ask("forfeit")
        await bob.ask("forfeit")
        over = await bob.receive("round_over")

        reveal = over["reveal"]
        seed, salt = bytes.fromhex(reveal["seed"]), bytes.fromhex(reveal["salt"])
        assert hashlib.sha256(seed + salt).hexdigest() == commitment
        deck = tuple(parse_card(card) for card in reveal["deck"])
        assert deck == secret_deck("spider-2", seed)

        found = FinishedRound.model_validate_json(
            (await get(listener.port, over["links"]["round"])).body
        )
        names = GAMES["spider-2"].pile_names
        by_seat = {row.seat: row for row in found.ranking}
        for player, acts in zip(found.players, (60, 40), strict=True):
            assert len(player.log) == acts
            assert [e.ms for e in player.log] == sorted(e.ms for e in player.log)
            game = replay(
                rules_of(found.settings),
                deck,
                [actions.parse_action(entry.action, names) for entry in player.log],
            )
            row = by_seat[player.seat]
            assert (game.score, game.counts.moves, game.counts.face_down) == (
                row.score,
                row.moves,
                row.face_down,
            )
        assert [row["place"] for row in over["ranking"]] == [1, 2]


async def test_no_card_is_sent_before_t0_and_an_early_act_is_refused(serving: Serving) -> None:
    async with serving(rooms=RoomTimings(countdown_ms=60_000)) as listener:
        ada = await Player.create(listener.port)
        early = await ada.ask("act", id=1, at=0, action="deal")
        assert early["code"] == "not_racing"
        await ada.ask("start")
        early = await ada.ask("act", id=1, at=0, action="deal")
        assert early["code"] == "early"
        await listener.services.hub.apply(ada.code, Tick(ada.room["round"]["t0"]))
        await ada.race()
        before_table = ada.received[: [m["type"] for m in ada.received].index("table")]
        assert not any("'up'" in str(message) for message in before_table)
        assert ada.room["state"] == "RUNNING"


async def test_spectators_see_standings_and_no_cards(listener: Listener) -> None:
    ada, bob = await start_race(listener.port, game="spider-1")
    don = await Player.join(listener.port, ada.code, "Don", "spectator")
    await ada.act(ada.table["legal"][0])
    gained = ada.table["score"]
    standings = await don.standings_with(lambda rows: bool(rows[0]["score"] == gained))
    assert standings[0]["name"] == "Player 0"
    assert (await don.ask("watch"))["type"] == "standings"
    refused = await don.ask("act", id=1, at=0, action="deal")
    assert refused["code"] == "not_racing"
    assert (await don.ask("forfeit"))["code"] == "not_racing"
    assert not any(message["type"] == "table" for message in don.received)
    assert bob.seat == 1


async def test_the_finished_round_can_be_read_after_a_reconnect(listener: Listener) -> None:
    (ada,) = await start_race(listener.port, players=1)
    await ada.ask("forfeit")
    await ada.leave()
    back = await ada.resume(listener.port)
    assert (await back.receive("round_over"))["n"] == 1
    late = await Player.join(listener.port, ada.code, "Don")
    assert (await late.receive("round_over"))["n"] == 1
    await back.ask("next_round")
    assert (await back.in_state("LOBBY"))["round"] is None


async def test_the_host_can_stop_a_countdown_and_a_race(listener: Listener) -> None:
    ada, bob = await start_race(listener.port)
    assert (await bob.ask("abort"))["code"] == "not_host"
    assert (await ada.ask("abort"))["room"]["state"] == "LOBBY"
    gone = await ada.ask("act", id=1, at=0, action="deal")
    assert gone["code"] == "not_racing"
    assert (await ada.ask("abort"))["room"]["state"] == "LOBBY"  # it is done already
    refused = await ada.ask("end")
    assert (refused["command"], refused["code"]) == ("end", "not_in_state")


async def test_every_command_gets_one_reply_even_if_nothing_changes(listener: Listener) -> None:
    ada = await Player.create(listener.port)
    for ready in (True, True, False):
        assert (await ada.ask("ready", ready=ready))["type"] == "room"
    before = time.time()
    pong = await ada.ask("ping", t=12.5)
    assert (pong["t"], pong["v"]) == (12.5, ada.room["v"])
    assert 1_000 * before - 5_000 < pong["now"] < 1_000 * time.time() + 5_000
    rooms = [message for message in ada.received if message["type"] == "room"]
    assert len(rooms) == 3


async def test_settings_that_clash_are_refused_by_field(listener: Listener) -> None:
    ada = await Player.create(listener.port)
    refused = await ada.ask("configure", settings={"deal": "secret", "number": 24})
    assert (refused["code"], refused["details"]["fields"]) == (
        "bad_settings",
        ["deal", "number"],
    )
    room = await ada.ask("configure", settings={"deal": "numbered", "number": 24})
    assert room["room"]["settings"]["number"] == 24


async def test_leaving_gives_the_seat_up(listener: Listener) -> None:
    ada = await Player.create(listener.port)
    bob = await Player.join(listener.port, ada.code, "Bob")
    left = await bob.ask("leave")
    assert [seat["name"] for seat in left["room"]["seats"]] == ["Ada"]
    assert await bob.closed() == 1000
    refused = await Player.connect(listener.port)
    answer = await refused.ask("resume", room=ada.code, seat=1, token=bob.token)
    assert answer["code"] == "bad_token"
    assert await refused.closed() == 4502


async def test_the_round_ends_at_its_time_limit(listener: Listener) -> None:
    ada, bob = await start_race(listener.port)
    answer = await ada.act(ada.table["legal"][0])
    await limit(listener, ada.code, 300)
    over = await bob.receive("round_over")
    states = {row["name"]: row["state"] for row in over["ranking"]}
    assert states == {"Player 0": "TIMED_OUT", "Player 1": "TIMED_OUT"}
    by_name = {row["name"]: row["score"] for row in over["ranking"]}
    assert by_name["Player 0"] == answer["score"]
    late = await ada.ask("act", id=9, at=1, action="deal")
    assert late["code"] == "too_late"


async def test_a_winner_ends_the_round_for_all_players(serving: Serving) -> None:
    async with serving(websocket=FAST, draw_entropy=winnable) as listener:
        (ada,) = await start_race(listener.port, players=1, game="spider-1", auto_remove=False)
        don = await Player.join(listener.port, ada.code, "Don", "spectator")
        names = one_suit_game().variant.pile_names
        for action in one_suit_win():
            answer = await ada.act(actions.format_action(action, names))
            assert answer["type"] == "acted", answer
        assert answer["outcome"] == "won"
        over = await don.receive("round_over")
        assert (over["ranking"][0]["won"], over["ranking"][0]["score"]) == (True, 990)
        assert over["reveal"]["seed"] == SEED.hex()


async def test_ten_players_race_to_the_end(serving: Serving) -> None:
    async with serving(websocket=FAST) as listener:
        players = await start_race(listener.port, players=10, game="spider-1")

        async def run(player: Player) -> None:
            await play(player, random.Random(player.seat), 40)
            await player.ask("forfeit")

        await asyncio.gather(*(run(player) for player in players))
        for player in players:
            over = await player.receive("round_over")
            scores = [row["score"] for row in over["ranking"]]
            assert scores == sorted(scores, reverse=True)
            assert len(scores) == 10
