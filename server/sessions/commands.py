"""The commands of one socket that wait for the store, one at a time."""

from protocol.from_client import ClientMessage, Join, Resume
from protocol.vocabulary import ErrorCode
from server.rooms.refusal import Refusal
from server.sessions.dispatch import dispatch
from server.sessions.holding import Replaced
from server.sessions.session import Session
from server.store import StoreAway, Unreadable


class Commands:
    """Runs the commands of a session, and leaves its seat after the last one."""

    __slots__ = ("_busy", "_disconnected", "_session")

    def __init__(self, session: Session) -> None:
        self._session = session
        self._busy = False
        self._disconnected = False

    async def run(self, message: ClientMessage) -> None:
        """Handle a command and send the reply, which may be a refusal."""
        session = self._session
        self._busy = True
        try:
            await dispatch(session, message)
        except Refusal as refusal:
            session.refuse(message, refusal.code, refusal.clash)
        except Replaced as replaced:
            session.close_replaced_by(replaced.tab)
        except StoreAway:
            session.refuse(message, ErrorCode.TRY_AGAIN)
        except Unreadable as error:
            code = message.room if isinstance(message, Join | Resume) else session.code
            assert code is not None, "a command is about a room"
            await session.services.repository.quarantine.add(code, error)
            session.refuse(message, ErrorCode.TRY_AGAIN)
            session.handle_unreadable()
        finally:
            self._busy = False
            if self._disconnected:
                await session.leave_seat()

    async def handle_disconnect(self) -> None:
        """Leave the seat of a closed socket, after the running command, which may take it."""
        self._disconnected = True
        self._session.end()
        if not self._busy:
            await self._session.leave_seat()
