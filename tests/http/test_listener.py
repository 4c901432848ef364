"""All connections of a process, checked together."""

from unittest.mock import Mock

from structlog.testing import capture_logs

from server.http.limits import HttpLimits
from tests.players import Player
from tests.server.conftest import Serving
from tests.waiting import until


async def test_a_connection_whose_check_fails_is_closed_alone(serving: Serving) -> None:
    async with serving(http=HttpLimits(check_s=0.01)) as listener:
        ada = await Player.create(listener.port)
        (broken,) = [each for each in listener.connections if not each.is_of_operator]
        bob = await Player.join(listener.port, ada.code, "Bob")
        (other,) = set(listener.connections) - {broken}
        with capture_logs() as logs:
            vars(other)["check"] = checked = Mock(wraps=other.check)
            vars(broken)["check"] = Mock(side_effect=RuntimeError("cannot be checked"))
            assert await ada.closed() == 1006
            before = checked.call_count
            await until(lambda: checked.call_count > before + 1)
        assert (await bob.ask("ping", t=1))["type"] == "pong"
        assert (await ada.resume(listener.port)).seat == ada.seat
    failures = [entry for entry in logs if entry["event"] == "connection failed"]
    assert [entry["exc_info"] for entry in failures] == [True]
