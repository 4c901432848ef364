"""Previews of links."""

import pytest

from protocol.vocabulary import SeatState
from server.rooms.race import round_of
from server.rooms.record import PlayerStats
from server.views.previews import room_preview, round_preview
from tests.rooms.rooms import ADA, ENTROPY, ROOMS, finished, lobby


def test_a_preview_speaks_german_where_it_is_asked_for() -> None:
    preview = room_preview(lobby(game="spider-2"), "de")
    assert preview.title == "Ada lädt dich zu einem Rennen in Spider-Solitär ein"
    assert preview.text == "Spider, zwei Farben · 2 Spieler. Gleiche Karten, gleicher Start."
    played = round_of(finished(game="spider-1"))
    assert round_preview(played, "de").title == "Ada war vorn · Spider Race"
    assert "Sieh dir Ergebnis und Verlauf an." in round_preview(played, "de").text


def test_the_preview_of_a_room_names_host_game_and_players() -> None:
    preview = room_preview(lobby(game="spider-2"))
    assert preview.title == "Ada invites you to a race at Spider solitaire"
    assert preview.text == "Spider, two suits · 2 players. Same cards, same start."
    nobody = lobby().model_copy(update={"host": None, "seats": lobby().seats[:1]})
    assert room_preview(nobody).title == "You are invited to a race at Spider solitaire"
    assert "· 1 player." in room_preview(nobody).text


@pytest.mark.parametrize(("ms", "time"), [(501_900, "8:21"), (3_723_000, "1:02:03")])
def test_the_preview_of_a_round_names_its_winner(ms: int, time: str) -> None:
    played = round_of(finished(game="spider-1"))
    assert round_preview(played).title == "Ada came first · Spider Race"
    assert round_preview(played).text == "Spider, one suit · 2 players. See the result and replay."
    stats = PlayerStats(score=990, won=True, finished_ms=ms)
    won = played.model_copy(update={"results": {**played.results, ADA: stats}})
    assert round_preview(won).title == f"Ada finished in {time} · Spider Race"
    gave_up = dict.fromkeys(played.names, SeatState.FORFEIT)
    quitters = played.model_copy(update={"states": gave_up})
    assert round_preview(quitters).title == "The result of a race · Spider Race"
    nobody = played.model_copy(update={"results": {}, "names": {}, "states": {}})
    assert round_preview(nobody).title == "The result of a race · Spider Race"


def test_a_preview_shows_no_seed_and_no_salt() -> None:
    for make in ROOMS.values():
        text = str(room_preview(make()))
        assert ENTROPY.seed.hex() not in text
        assert ENTROPY.salt.hex() not in text
