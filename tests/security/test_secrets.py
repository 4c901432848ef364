"""Tokens and seeds appear nowhere they should not."""

import hmac
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from pydantic import ValidationError

from server.config import Config, set_up_logs
from server.rooms.record import Room
from server.sessions import seating
from server.sessions import taken_seat as tokens
from server.store import Store
from server.views.replies import qr_code
from tests.players import Player, start_race
from tests.rooms.rooms import ENTROPY, running
from tests.server.conftest import Serving
from tests.server.http import get


@pytest.fixture
def logs() -> Iterator[Callable[[Any], None]]:
    """Set up the log like the command, with all details."""
    before = structlog.get_config()
    yield lambda form: set_up_logs(Config(log_format=form, log_level="debug"), final=False)
    structlog.configure(**before)


def test_a_traceback_in_the_log_shows_no_variables(
    logs: Callable[[Any], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """Regression: with a certain package installed the console showed all variables."""
    token = tokens.draw_token()
    for form in ("console", "json"):
        logs(form)
        try:
            raise RuntimeError
        except RuntimeError:
            structlog.get_logger().exception("session failed")
        sent = capsys.readouterr().err
        assert "session failed" in sent
        assert "RuntimeError" in sent
        assert token not in sent


def test_a_record_that_does_not_fit_is_not_quoted() -> None:
    broken = json.loads(running().model_dump_json()) | {"seats": ENTROPY.seed.hex()}
    broken["round"]["deal"]["seed"] = [ENTROPY.seed.hex()]
    with pytest.raises(ValidationError) as caught:
        Room.model_validate_json(json.dumps(broken))
    assert ENTROPY.seed.hex() not in str(caught.value)


async def test_the_token_is_sent_once_to_its_owner_and_stored_as_a_hash(
    serving: Serving, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    async with serving() as listener:
        ada, bob = await start_race(listener.port)
        don = await Player.join(listener.port, ada.code, "Don", "spectator")
        back = await bob.resume(listener.port)
        wrong = await Player.connect(listener.port)
        await wrong.ask("resume", room=ada.code, seat=ada.seat, token=bob.token)
        await ada.ask("forfeit")
        await back.ask("forfeit")
        over = await don.receive("round_over")
        answers = [
            (await get(listener.port, path)).body.decode()
            for path in ("/api/rooms", over["links"]["round"], over["links"]["text"])
        ]
        record = await store.seats.read(ada.code, ada.seat)
    everybody = {player.token: player for player in (ada, bob, don)}
    assert len(everybody) == 3
    for token, owner in everybody.items():
        assert len(token) >= 43  # 256 bits in base 64
        for player in (ada, bob, don, back, wrong):
            times = sum(token in json.dumps(message) for message in player.received)
            assert times == (player is owner)
        assert not any(token in answer for answer in answers)
    assert record is not None
    assert tokens.opens(ada.token, record.token_hash)
    assert ada.token not in record.token_hash
    logged = capsys.readouterr()
    assert "stopped" in logged.out + logged.err
    for token in everybody:
        assert token not in logged.out + logged.err


async def test_a_code_that_moves_a_seat_is_sent_to_its_owner_alone(
    serving: Serving, capsys: pytest.CaptureFixture[str]
) -> None:
    async with serving(public_url="https://race.example") as listener:
        ada, bob = await start_race(listener.port)
        await bob.say("carry")
        given = await bob.receive("carry_code")
        code = given["code"]
        link = f"https://race.example/r/{ada.code}#seat={code}"
        assert (given["qr"], given["size"]) == qr_code(link)
        take = {"room": ada.code, "code": code, "browser": "phone"}
        wrong = await Player.connect(listener.port)
        await wrong.ask("take_over", **{**take, "code": code[:-1]})
        phone = await Player.seated(listener.port, "take_over", **take)
        late = await Player.connect(listener.port)
        refused = await late.ask("take_over", **take)
        assert refused["code"] == "bad_token"
        for player in (ada, phone):
            await player.say("forfeit")
        over = await ada.receive("round_over")
        paths = "/api/rooms", f"/api/rooms/{ada.code}", over["links"]["round"]
        answers = [(await get(listener.port, path)).body.decode() for path in paths]
    received = [json.dumps(each.received) for each in (ada, wrong, phone, late)]
    logged = capsys.readouterr()
    assert "seat moved" in logged.out + logged.err
    for text in (*received, *answers, logged.out + logged.err):
        assert code not in text
        assert tokens.hash_token(code) not in text
        assert phone.token not in text or text == received[2]


def test_no_message_and_no_address_of_the_client_carries_a_token_but_resume() -> None:
    for source in Path("web_client/src").rglob("*.js"):
        assert not re.search(r"[?&]token=", source.read_text("utf-8")), source


def test_tokens_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[str, str]] = []

    def compare(one: str, other: str) -> bool:
        compared.append((one, other))
        return False

    monkeypatch.setattr(hmac, "compare_digest", compare)
    token_hash = tokens.hash_token("right")
    assert not tokens.opens("wrong", token_hash)
    assert compared == [(tokens.hash_token("wrong"), token_hash)]
    assert vars(seating)["opens"] is tokens.opens


def test_tokens_codes_and_deals_come_from_the_systems_csprng() -> None:
    for name in ("sessions/taken_seat", "live/hub", "live/quotas", "live/repository"):
        text = Path(f"server/{name}.py").read_text("utf-8")
        assert "import secrets" in text
        assert "import random" not in text
    assert len({tokens.draw_token() for _ in range(1_000)}) == 1_000
