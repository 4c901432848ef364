"""Frames of real races, spoilt: what reaches a server from broken and from hostile clients."""

import json
import random
from collections.abc import Callable
from typing import Any

Mutation = Callable[[random.Random, list[str]], list[str]]

STRANGE: list[Any] = [
    None, True, -1, 0, 2**31, 2**63, 10**30, 0.5, "", "x" * 300, "\x00", "\u202e", [], {}, [[]],
    {"type": "deal"}, "../..", "{ABC}:room", "*", "\r\nFLUSHALL\r\n", "t0", "__proto__",
    "deal", "t0x1-t1", "t0x1-t1,deal", "remove u0", "t0x99-t1", "deal\n", "[5] KS",
]  # fmt: skip


def _inside(rng: random.Random, message: dict[str, Any]) -> dict[str, Any]:
    """The message, or an object within it."""
    return rng.choice([message, *(part for part in message.values() if isinstance(part, dict))])


def _on_json(change: Callable[[random.Random, dict[str, Any]], None]) -> Mutation:
    def mutate(rng: random.Random, frames: list[str]) -> list[str]:
        place = rng.randrange(len(frames))
        message = json.loads(frames[place])
        change(rng, _inside(rng, message))
        return [*frames[:place], json.dumps(message), *frames[place + 1 :]]

    return mutate


def _drop(rng: random.Random, message: dict[str, Any]) -> None:
    if message:
        message.pop(rng.choice(list(message)))


def _swap(rng: random.Random, message: dict[str, Any]) -> None:
    if message:
        message[rng.choice(list(message))] = rng.choice(STRANGE)


def _add(rng: random.Random, message: dict[str, Any]) -> None:
    message[rng.choice(["god", "seat", "token", "room", "__class__", "type "])] = 1


def _shift(rng: random.Random, message: dict[str, Any]) -> None:
    for name, value in message.items():
        if isinstance(value, int) and not isinstance(value, bool):
            message[name] = value + rng.choice([-2, -1, 1, 2, 1_000])


def _flip(rng: random.Random, frames: list[str]) -> list[str]:
    place = rng.randrange(len(frames))
    data = bytearray(frames[place].encode())
    for _ in range(rng.randint(1, 4)):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(7)
    return [*frames[:place], data.decode("latin-1"), *frames[place + 1 :]]


def _cut(rng: random.Random, frames: list[str]) -> list[str]:
    place = rng.randrange(len(frames))
    end = rng.randrange(len(frames[place]))
    return [*frames[:place], frames[place][:end], *frames[place + 1 :]]


def _shuffle(rng: random.Random, frames: list[str]) -> list[str]:
    return rng.sample(frames, len(frames))


def _repeat(rng: random.Random, frames: list[str]) -> list[str]:
    return [frame for frame in frames for _ in range(rng.choice([1, 1, 2, 3]))]


def _as_is(_rng: random.Random, frames: list[str]) -> list[str]:
    return frames


MUTATIONS: list[Mutation] = [
    *(_on_json(change) for change in (_drop, _swap, _swap, _add, _shift, _shift)),
    _flip,
    _cut,
    _shuffle,
    _repeat,
    _as_is,
]


def mutants(rng: random.Random, recorded: list[list[str]]) -> list[str]:
    """Some frames for one socket: of one recorded socket, or spliced of two, and then spoilt."""
    one, other = rng.choice(recorded), rng.choice(recorded)
    at = rng.randint(0, len(one))
    start = rng.randint(0, len(other))
    frames = (one[:at] + other[start:])[: rng.randint(1, 12)] or one[:1]
    return rng.choice(MUTATIONS)(rng, frames)
