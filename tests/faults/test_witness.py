"""The witness of a player gives no false alarm, and every alarm that it should."""

import asyncio
import time
from typing import cast

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve

from protocol.settings import Settings
from protocol.to_client import Refused, RoomMessage
from protocol.views import RoomView, RoundView, SeatView
from protocol.vocabulary import ErrorCode, Presence, RoomState, SeatState
from tests.faults.notes import Notes, Sent
from tests.faults.witness import PATIENCE_S, Visit, Witness

TOO_LATE = "acts are too late, but the round is not over"


def room(
    n: int, state: RoomState = RoomState.RUNNING, own: SeatState = SeatState.RACING
) -> RoomMessage:
    """A room of one player."""
    seat = SeatView(seat=0, name="Ada", role="player", state=own, connection=Presence.ON, wins=0)
    round_ = RoundView(n=n, game=1, t0=0, t_end=None, ended=None, commitment=None, number=None)
    view = RoomView(
        code="7K3QZ0A",
        v=n,
        state=state,
        settings=Settings(time_limit_s=None),
        host=0,
        seats=(seat,),
        round=round_,
        played=0,
        match=None,
        next_game=None,
    )
    return RoomMessage(room=view)


def refused(code: ErrorCode) -> Refused:
    return Refused(command="act", code=code, id=7)


@pytest.fixture
def witness() -> Witness:
    """A witness of a race on whose connection an act waits for its answer."""
    made = Witness(Notes("Ada", seat=0), 0)
    made.state.seat = 0
    made.visit = Visit(cast("ClientConnection", None), 0)
    made.message_received(room(1))
    made.visit.waiting.append(Sent(1, 0, 7, 0, "deal"))
    return made


def alarms(witness: Witness, after_s: float = PATIENCE_S + 1) -> list[str]:
    """The late messages of a socket on which nothing comes any more; the table is none of them."""
    assert witness.visit is not None
    found = witness.problems(witness.visit, time.monotonic() + after_s)
    return [problem for problem in found if problem != "no table"]


@pytest.mark.parametrize("code", [ErrorCode.TOO_LATE, ErrorCode.NOT_RACING])
def test_a_round_that_goes_on_without_taking_acts_is_an_alarm(
    witness: Witness, code: ErrorCode
) -> None:
    witness.message_received(refused(code))
    assert alarms(witness, PATIENCE_S - 1) == []
    assert alarms(witness) == [TOO_LATE]
    witness.message_received(room(1, RoomState.FINISHED))
    assert alarms(witness) == []


def test_an_act_of_an_earlier_round_may_be_refused_in_the_next(witness: Witness) -> None:
    # A run over one Redis gave thirteen alarms of one player, at each of its next connections.
    witness.message_received(room(2))
    witness.message_received(refused(ErrorCode.TOO_LATE))
    assert alarms(witness) == []


def test_after_giving_up_acts_are_refused_until_the_others_are_done(witness: Witness) -> None:
    # The act was sent before the room showed that its player has given up.
    witness.message_received(room(1, own=SeatState.FORFEIT))
    witness.message_received(refused(ErrorCode.NOT_RACING))
    assert alarms(witness) == []


async def test_a_connection_is_left_open_unless_it_is_lost_already() -> None:
    # A run with the client for programs ended since the file of a lost socket was closed.
    async def serve_nothing(program: ServerConnection) -> None:
        await program.wait_closed()

    async with serve(serve_nothing, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        for is_lost in (False, True):
            async with connect(f"ws://127.0.0.1:{port}", proxy=None) as socket:
                if is_lost:
                    socket.transport.abort()
                    await asyncio.sleep(0)
                kept = Visit(socket, port).leave_open()
                assert (kept is None) is is_lost
                if kept is not None:
                    kept.close()
