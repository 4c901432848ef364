"""The wire of the release before this one, `spider-race.v1`, for players who meet both releases.

That release describes an action by an object, a pile by an object and legal actions by a list; it
sends all counts with every reply. Its messages are read as those of this release, and acts are
written for it, so that the players themselves know one wire.
"""

import json
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.typing import Subprotocol

from protocol.vocabulary import SUBPROTOCOL
from tests.players import Message, Player, read_message

BEFORE = "spider-race.v1"
BOTH = (Subprotocol(SUBPROTOCOL), Subprotocol(BEFORE))
"""The versions that players offer: a server of this release takes the first."""


def read(socket: ClientConnection, text: str | bytes) -> Message:
    """Return a message that a socket has received."""
    return _read_before(text) if socket.subprotocol == BEFORE else read_message(text)


def write(socket: ClientConnection, message: Message) -> str:
    """Return a message as the socket's server reads it."""
    if socket.subprotocol == BEFORE and message["type"] == "act":
        message = {**message, "action": action_before(message["action"])}
    return json.dumps(message)


def action_before(text: str) -> Message:
    """Return an action as that release describes it."""
    if text.startswith("remove "):
        return {"type": "remove", "from": text.removeprefix("remove ")}
    ends, mark, _ = text.partition("!")
    source, x, rest = ends.partition("x")
    if not x:
        return {"type": text}
    count, _, target = rest.partition("-")
    move = {"type": "move", "from": source, "count": int(count), "to": target}
    return {**move, "exception": bool(mark)}


def action_text(action: Message) -> str:
    """Return an action of that release as text."""
    match action["type"]:
        case "move":
            mark = "!" if action["exception"] else ""
            return f"{action['from']}x{action['count']}-{action['to']}{mark}"
        case "remove":
            return f"remove {action['from']}"
        case plain:
            return str(plain)


def _read_before(text: str | bytes) -> Message:
    message: Message = json.loads(text)
    if message.get("table"):
        message["table"] = _parts(message["table"])
    if message["type"] == "standings":  # always the whole, without a number
        message["number"] = 0
    return _parts(message) if message["type"] == "acted" else message


def _parts(message: Message) -> Message:
    piles = {pile["id"]: _pile(pile) for pile in message["piles"]}
    return {**message, "piles": piles, "legal": [action_text(act) for act in message["legal"]]}


def _pile(pile: Message) -> str:
    down = [f"[{pile['down']}]"] if pile["down"] else []
    return " ".join([*down, *pile["up"]])


class EitherPlayer(Player):
    """A scripted player that speaks the wire of both releases."""

    OFFERED = BOTH

    def read(self, text: str | bytes) -> Message:
        """Return a message of the server of either release."""
        return read(self.socket, text)

    async def say(self, kind: str, **fields: Any) -> None:
        """Send one message in the words of the server's release."""
        await self.socket.send(write(self.socket, {"type": kind, **fields}))
