"""The most expensive frame of each message, found by trying: its cost until a budget is charged.

`python -m tests.bench.bench_frames [--tries 40]` fills each field of each message, and unknown
ones, with everything that may be expensive, up to the longest frame, and tries mixtures of the
dearest units. Each candidate goes through a connection of its own, from its bytes to the parsed
message, and its cost is the longest time between two charges of its sender. The program starts
no server, needs half a minute and asserts nothing.
"""

import argparse
import json
import random
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, get_args

from protocol import codec
from protocol.from_client import ClientMessage, Create, Join, Resume, Say
from protocol.settings import Settings
from protocol.vocabulary import MAX_FRAME_BYTES
from server.views.replies import error_text
from server.websocket.connection import WebsocketConnection
from server.websocket.services import WebsocketServices
from tests.security.raw import BINARY, CONT, PING, PONG, frame

REPEATS, CONFIRMING = 3, 20
TRIES = 40
HEAD = ("message", "filled", "with", "bytes", "µs", "parsed as")

UNITS = (
    *("a", "\u00e9", "e\u0301", "\u4e2d", "\U0001f600", " ", "\u3000", "\x7f", "\u200d", "\u3164"),
    *("\ufdfa", "\ufdfb", "\u3382", "\u33c2", "\u2a74", "\u1d160", "\U0001d160", "\ufb2c"),
    *(
        "\u0301",
        "\u0316",
        "\u0301\u0316",
        "\u0344\u0316",
        "\uff9e\u0316",
        "\u0f71\u0f74",
        "\ufe0f",
    ),
    *("\u1112\u1161\u11ab", "\u1161", "\u3133", "\uffc2", "\u1e14\u0323", "\u0958", "\U00016d67"),
    *('\\"', "\\\\", "\\n", "\\ufdfa", "\\u0301\\u0316", "\\ud83d\\ude00", "\\u0000"),
    *("t9x1-t3", "deal", "t", "x1", "0", "A", "-", "_", "9", "0123456789abcdef"),
)
"""Parts of strings, as they stand in JSON."""
VALUES = (
    *("9", "0.1", "1e9", "[", "{", '{"a":', "[[],", "[{},", '[""', "[1,", "[0.5,", "-"),
    *("[99999999999999999999999,", '[{"a":1},', "[null,", "[true,", '["\\ufdfa",'),
)
"""Beginnings of other values, as they stand in JSON; each is repeated, and some are closed."""
NAMES: tuple[Callable[[int], str], ...] = (
    lambda n: f'"{n:x}":1',
    lambda n: f'"{n:x}":""',
    lambda n: f'"{n:x}\\\\":1',
    lambda n: f'"{n:x}":[[]]',
    lambda n: f'"{chr(0x4E00 + n)}":0',
    lambda _: '"type":1',
    lambda _: '"a":1',
)
"""Further fields of an object."""


class Meter:
    """A budget without a limit, which measures the longest time between two charges."""

    def __init__(self) -> None:
        self._charged_ns = 0
        self.longest_ns = 0

    def begin(self) -> None:
        """Measure from now on."""
        self._charged_ns, self.longest_ns = time.thread_time_ns(), 0

    def take(self) -> bool:
        """Charge one message, as the budget of a connection does."""
        now = time.thread_time_ns()
        self.longest_ns = max(self.longest_ns, now - self._charged_ns)
        self._charged_ns = now
        return True

    def owe(self, _amount: float) -> None:
        """Charge the length of a message."""


class Parsing:
    """A message handler that parses, and writes the reply to what is no message."""

    is_seated = False
    log_context: Mapping[str, str | int | None] = {}

    def __init__(self) -> None:
        self.parsed = ""

    def receive(self, text: str | bytes) -> Coroutine[Any, Any, None] | None:
        message = codec.parse(text)
        if isinstance(message, codec.BadMessage):
            error_text(message.where)
            self.parsed = f"error {message.where}"
        else:
            self.parsed = message.type
        return None

    def receive_binary(self) -> None:
        self.parsed = error_text("binary")

    def resume_sending(self) -> None: ...

    async def handle_disconnect(self) -> None: ...


class Nowhere:
    """A transport that drops everything."""

    def write(self, _data: bytes) -> None: ...

    def get_write_buffer_size(self) -> int:
        return 0

    def can_write_eof(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Candidate:
    """The bytes of a frame, or of several, and what is in them."""

    message: str
    filled: str
    unit: str
    stream: bytes


@dataclass(frozen=True, slots=True)
class Found:
    """A measured candidate."""

    candidate: Candidate
    us: float
    parsed: str


def measure(candidate: Candidate, repeats: int = REPEATS) -> Found:
    """Return the cost of a candidate, the least of a few measurements, in CPU time."""
    measured = [_once(candidate.stream) for _ in range(repeats)]
    return Found(candidate, min(us for us, _ in measured), measured[0][1])


def _once(stream: bytes) -> tuple[float, str]:
    """Return the longest time in us between two charges, and what the last frame was parsed as."""
    handler, meter = Parsing(), Meter()
    transport: Any = Nowhere()
    process = WebsocketServices(lambda: 0.0, lambda work, _name: work.close())
    connection = WebsocketConnection(process, transport, None, lambda _: handler, lambda _: None)
    vars(connection)["_messages"] = meter
    meter.begin()
    connection.data_received(stream)
    meter.take()
    return meter.longest_ns / 1e3, handler.parsed


def of_message(kind: str, filled: str, unit: str, text: str) -> Candidate:
    """Return one frame of a text."""
    return Candidate(kind, filled, unit, frame(text.encode("utf-8", "surrogatepass")))


def room_for(*around: str) -> int:
    """Return the bytes that are left in the longest frame."""
    return MAX_FRAME_BYTES - sum(len(text.encode()) for text in around)


def filling(unit: str, room: int) -> str:
    """Return a unit as often as it fits."""
    return unit * (room // len(unit.encode()))


def values(unit: str, room: int) -> Iterator[str]:
    """Return values that begin with a unit again and again, broken and as whole arrays."""
    yield filling(unit, room)
    if unit.startswith("[") and unit.endswith(","):
        yield f"[{filling(unit[1:], room - 3)}0]"


def names(write: Callable[[int], str], room: int) -> str:
    """Return as many fields as fit, each behind a comma."""
    text = ""
    for number in count():
        further = f",{write(number)}"
        if len(text.encode()) + len(further.encode()) > room:
            return text
        text += further
    raise AssertionError("counting does not end")


NEEDED: Mapping[str, Mapping[str, Any]] = {
    "create": {"name": "a"},
    "join": {"name": "a", "room": "0000000"},
    "resume": {"room": "0000000", "seat": 1, "token": "a"},
    "configure": {"settings": {}},
    "choose": {"game": 1},
    "kick": {"seat": 1},
    "admit": {"seat": 1},
    "say": {"text": "a"},
    "act": {"id": 1, "at": 1, "action": "deal"},
    "ping": {"t": 1},
}
"""The fields that a message must have."""


def shells(model: type[Any]) -> Iterator[tuple[str, str, str]]:
    """Return each field of a message by name, with the texts before and after its value."""
    kind = model.model_fields["type"].default
    for name in (*model.model_fields, "unknown"):
        others = {"type": kind, **NEEDED.get(kind, {})}
        others.pop(name, None)
        yield name, f"{json.dumps(others)[:-1]}{', ' if others else ''}{json.dumps(name)}: ", "}"
        if name == "settings":
            for setting in Settings.model_fields:
                yield (
                    f"settings.{setting}",
                    f'{json.dumps(others)[:-1]}, "settings": {{"{setting}": ',
                    "}}",
                )


def of_model(model: type[Any]) -> Iterator[Candidate]:
    """Return all candidates of one message."""
    kind = model.model_fields["type"].default
    for name, before, after in shells(model):
        room = room_for(before, after)
        for unit in UNITS:
            value = filling(unit, room - 2)
            yield of_message(kind, name, unit, f'{before}"{value}"{after}')
        for unit in VALUES:
            for value in values(unit, room):
                yield of_message(kind, name, unit, f"{before}{value}{after}")
    needed = {"type": kind, **NEEDED.get(kind, {})}
    begun = json.dumps(needed)[:-1]
    for write in NAMES:
        fields = names(write, room_for(begun, "}"))
        yield of_message(kind, "more fields", write(0), f"{begun}{fields}}}")
    if "settings" in model.model_fields:
        needed.pop("settings", None)
        begun = f'{json.dumps(needed)[:-1]}, "settings": {{"game": "spider-4"'
        for write in NAMES:
            fields = names(write, room_for(begun, "}}"))
            yield of_message(kind, "more settings", write(0), f"{begun}{fields}}}}}")


def mixtures(model: type[Any], name: str, tries: int, chance: random.Random) -> Iterator[Found]:
    """Return measured mixtures of units in one field of text, each made of the dearest so far."""
    kind = model.model_fields["type"].default
    before, after = next((b, a) for one, b, a in shells(model) if one == name)
    room = room_for(before, after, '""')
    best: list[tuple[float, tuple[str, ...]]] = []
    for number in range(tries):
        if number % 2 and best:
            parts = list(chance.choice(best[:5])[1])
            parts[chance.randrange(len(parts))] = _part(chance)
        else:
            parts = [_part(chance) for _ in range(chance.randint(2, 4))]
        unit = "".join(parts)
        value = filling(unit, room)
        found = measure(of_message(kind, name, _short(unit), f'{before}"{value}"{after}'))
        best = sorted([*best, (found.us, tuple(parts))], reverse=True)[:20]
        yield found


def _part(chance: random.Random) -> str:
    return chance.choice(UNITS) * chance.choice((1, 1, 2, 7, 16, 31, 60))


def _short(text: str) -> str:
    return text if len(text) <= 8 else f"{text[:8]}... of {len(text)}"


def garbage() -> Iterator[Candidate]:
    """Return frames that are no message, and many small frames at once."""
    for unit in (*UNITS, *VALUES, '"', "\x00", '{"type":', '{"type":"say",'):
        text = filling(unit, MAX_FRAME_BYTES)
        yield of_message("garbage", "all", unit, text)
        yield of_message("garbage", "type", unit, f'{{"type":"{text[:4_000]}"}}'[:MAX_FRAME_BYTES])
    for name, opcode, bits in (
        ("pings", PING, 0x80),
        ("pongs", PONG, 0x80),
        ("binary frames", BINARY, 0x80),
        ("pieces", CONT, 0x00),
        ("empty texts", 0x1, 0x80),
    ):
        start = frame(b"", bits=0) if opcode == CONT else b""
        many = start + frame(b"", opcode=opcode, bits=bits) * (MAX_FRAME_BYTES // 6)
        yield Candidate("small frames", name, "", many)
        yield Candidate("small frames", f"{name} behind a text", "", frame(b"{}") + many)


def dearest(tries: int) -> Iterator[Found]:
    """Return the most expensive frame of each message, and of what is none."""
    chance = random.Random(7)
    confirmed = []
    texts = {Create: ("name",), Join: ("name", "room"), Resume: ("token",), Say: ("text",)}
    for model in get_args(ClientMessage):
        found = [measure(candidate) for candidate in of_model(model)]
        for name in texts.get(model, ()):
            found += mixtures(model, name, tries, chance)
        confirmed.append(_confirmed(found))
        yield confirmed[-1]
    one = max(confirmed, key=lambda one: one.us).candidate
    pieces = frame(b"", bits=0) + frame(b"", opcode=CONT)  # the library parses what follows
    yield measure(
        replace(one, filled=f"{one.filled}, library", stream=pieces + one.stream), CONFIRMING
    )
    measured = [measure(candidate) for candidate in garbage()]
    for kind in ("garbage", "small frames"):
        yield _confirmed([one for one in measured if one.candidate.message == kind])


def _confirmed(found: list[Found]) -> Found:
    """Return the dearest of those that are measured again: one measurement may be disturbed."""
    first = sorted(found, key=lambda one: one.us, reverse=True)[:10]
    return max((measure(one.candidate, CONFIRMING) for one in first), key=lambda one: one.us)


def table(tries: int) -> Iterator[str]:
    """Return the lines of the table."""
    yield f"{HEAD[0]:12} {HEAD[1]:24} {HEAD[2]:26} {HEAD[3]:>5} {HEAD[4]:>7}  {HEAD[5]}"
    for one in dearest(tries):
        what = one.candidate
        yield (
            f"{what.message:12} {what.filled:24} {ascii(what.unit)[1:-1][:26]:26} "
            f"{len(what.stream):5} {one.us:7.1f}  {one.parsed[:40]}"
        )


def main() -> None:
    """Read the options and print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tries", type=int, default=TRIES, help="mixtures of each field of text")
    for line in table(options.parse_args().tries):
        print(line, flush=True)


if __name__ == "__main__":
    main()
