"""The views of rooms: their messages, invitations, previews of links, and refusals of settings."""

import json
from typing import Any

import pytest

from protocol.from_client import Configure
from protocol.settings import Settings
from protocol.vocabulary import ErrorCode, RoomState, SeatState, SettingsClash
from server.rooms.events import Tick
from server.rooms.record import PlayerStats, round_of
from server.rooms.settings import Clash
from server.views.finished_rounds import match_view, round_over, round_result
from server.views.replies import clash_details, refused_text
from server.views.rooms import invitation, room_view
from server.views.sharing import Preview, challenge_preview, room_preview, round_preview
from tests.present import present
from tests.rooms.rooms import (
    ADA,
    ENTROPY,
    ROOMS,
    T0,
    finished,
    happen,
    joins,
    lobby,
    raced_by_programs,
    running,
)
from tests.rooms.stories import play


@pytest.mark.parametrize("state", [*RoomState])
def test_a_room_its_preview_and_its_invitation_never_show_the_deal(state: RoomState) -> None:
    room = ROOMS[state]()
    text, invited = room_view(room, 7).model_dump_json(), invitation(room, T0).model_dump_json()
    assert '"v":7' in text
    assert "commitment" not in invited
    for each in (text, invited, str(room_preview(room))):
        assert ENTROPY.seed.hex() not in each
        assert ENTROPY.salt.hex() not in each


def test_the_view_of_a_room_has_its_host_times_and_match() -> None:
    room = room_view(running(time_limit_s=60), 1)
    played = present(room.round)
    assert (room.host, room.match) == (ADA, None)
    assert (played.t0, played.t_end, played.ended) == (T0, T0 + 60_000, None)
    over = finished(rounds=3)
    shown = room_view(over, 2)
    assert present(shown.match) == match_view(over)
    assert present(shown.round).ended == present(shown.round).t_end
    assert [seat.wins for seat in shown.seats] == [1, 0, 0]


def test_everybody_sees_which_seats_are_programs() -> None:
    racing = raced_by_programs()
    shown = room_view(racing, 1)
    assert [seat.kind for seat in shown.seats] == [*["person"] * 3, *["program"] * 2]
    assert present(shown.round).programs == (3, 4)
    over = happen(racing, Tick(round_of(racing).t_end or 0))
    assert round_result(over, round_of(over)).programs == (3, 4)
    queue = happen(lobby(approve=True), joins("Robo", kind="program"))
    assert [seat.kind for seat in room_view(queue, 1).waiting][-1:] == ["program"]


def test_a_secret_deal_is_committed_to_from_the_countdown_on_and_an_open_one_numbered() -> None:
    shown, reveal = present(room_view(running(), 1).round), round_over(finished()).reveal
    assert shown.commitment == reveal.commitment
    assert (reveal.seed, reveal.salt) == (ENTROPY.seed.hex(), ENTROPY.salt.hex())
    numbered = {"deal": "numbered", "number": 24}
    shown = present(room_view(running(**numbered), 1).round)
    assert (shown.number, shown.commitment) == (24, None)
    reveal = round_over(finished(**numbered)).reveal
    assert (reveal.deal, reveal.seed, reveal.number) == ("numbered", None, 24)


def test_an_invitation_says_what_newcomers_may_expect() -> None:
    room = lobby()
    decides = room.settings.model_copy(update={"locked": True, "approve": True, "programs": False})
    shown = invitation(room.model_copy(update={"settings": decides}), T0)
    assert (shown.host, shown.colour, shown.players) == ("Ada", "blue", 2)
    assert invitation(room.model_copy(update={"host": None}), T0).colour is None
    assert (shown.locked, shown.approve, shown.programs) == (True, True, False)
    assert shown.running_ms is None
    assert invitation(running(chasers=True), T0 + 130_000).running_ms == 130_000
    assert invitation(running(), T0 - 1).running_ms == 0
    assert invitation(finished(), T0 + 1).running_ms is None


def test_the_invitation_to_a_window_and_its_preview_say_when_it_closes() -> None:
    room = play("window")
    assert invitation(room, T0).window_end == T0 + 86_400_000
    closes = (9, 22, 14, 3)
    english, german = (room_preview(room, each, closes).text for each in ("en", "de"))
    assert "Play when you like until 22 Sep, 14:03 UTC." in english
    assert "Spiel, wann du willst, bis 22.9., 14:03 Uhr UTC." in german
    for each in (running(), play("lobby window_s=86_400"), play("window; tick @T0+24h")):
        assert "window_end" not in invitation(each, T0).model_dump_json()
        assert "same start" in room_preview(each).text


def test_the_preview_of_a_room_names_host_game_and_players() -> None:
    room = lobby(game="spider-2")
    assert room_preview(room) == Preview(
        "Ada invites you to a race at Spider solitaire",
        "Spider, two suits · 2 players. Same cards, same start.",
    )
    assert room_preview(room, "de") == Preview(
        "Ada lädt dich zu einem Rennen in Spider-Solitär ein",
        "Spider, zwei Farben · 2 Spieler. Gleiche Karten, gleicher Start.",
    )
    nobody = room_preview(room.model_copy(update={"host": None, "seats": room.seats[:1]}))
    assert nobody.title == "You are invited to a race at Spider solitaire"
    assert "· 1 player." in nobody.text


def test_the_preview_of_a_round_names_its_winner() -> None:
    played = round_of(finished(game="spider-1"))
    assert round_preview(played) == Preview(
        "Ada came first · Spider Race", "Spider, one suit · 2 players. See the result and replay."
    )
    assert round_preview(played, "de").title == "Ada war vorn · Spider Race"
    assert "Sieh dir Ergebnis und Verlauf an." in round_preview(played, "de").text
    for ms, time in ((501_900, "8:21"), (3_723_000, "1:02:03")):
        stats = PlayerStats(score=990, won=True, finished_ms=ms)
        won = played.model_copy(update={"results": {**played.results, ADA: stats}})
        assert round_preview(won).title == f"Ada finished in {time} · Spider Race"
        challenge = challenge_preview(won, ADA)
        assert challenge is not None
        assert challenge.text.startswith(f"{time} to beat · Spider, one suit.")
    nothing: dict[str, Any] = {"results": {}, "names": {}, "states": {}}
    for changes in ({"states": dict.fromkeys(played.names, SeatState.FORFEIT)}, nothing):
        nobody = played.model_copy(update=changes)
        assert round_preview(nobody).title == "The result of a race · Spider Race"


@pytest.mark.parametrize(
    ("clash", "details"),
    [
        (
            Clash(SettingsClash.NUMBER_OF_NUMBERED, ("deal", "number")),
            {"fields": ["deal", "number"], "reason": "number_of_numbered"},
        ),
        (None, {}),
    ],
)
def test_a_refusal_of_settings_that_clash_names_them_and_the_reason(
    clash: Clash | None, details: dict[str, object]
) -> None:
    code = ErrorCode.BAD_SETTINGS
    text = refused_text(Configure(settings=Settings()), code, clash_details(clash))
    shown = json.loads(text)["details"]
    assert {key: value for key, value in shown.items() if value} == details
