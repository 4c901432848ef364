"""Frames of real races, spoilt: what reaches a server from broken and from hostile clients."""

import json
import random
from collections.abc import Callable
from typing import Any

Mutation = Callable[[random.Random, list[str]], list[str]]

STRANGE: list[Any] = [
    None, True, -1, 0, 2**31, 2**63, 10**30, 0.5, "", "x" * 300, "\x00", "\u202e", [], {}, [[]],
    {"type": "deal"}, "../..", "{ABC}:room", "*", "\r\nFLUSHALL\r\n", "t0", "__proto__",
]  # fmt: skip


def _inside(chance: random.Random, told: dict[str, Any]) -> dict[str, Any]:
    """The message, or an object within it."""
    return chance.choice([told, *(part for part in told.values() if isinstance(part, dict))])


def _on_json(change: Callable[[random.Random, dict[str, Any]], None]) -> Mutation:
    def mutate(chance: random.Random, frames: list[str]) -> list[str]:
        place = chance.randrange(len(frames))
        told = json.loads(frames[place])
        change(chance, _inside(chance, told))
        return [*frames[:place], json.dumps(told), *frames[place + 1 :]]

    return mutate


def _drop(chance: random.Random, told: dict[str, Any]) -> None:
    if told:
        told.pop(chance.choice(list(told)))


def _swap(chance: random.Random, told: dict[str, Any]) -> None:
    if told:
        told[chance.choice(list(told))] = chance.choice(STRANGE)


def _add(chance: random.Random, told: dict[str, Any]) -> None:
    told[chance.choice(["god", "seat", "token", "room", "__class__", "type "])] = 1


def _shift(chance: random.Random, told: dict[str, Any]) -> None:
    for name, value in told.items():
        if isinstance(value, int) and not isinstance(value, bool):
            told[name] = value + chance.choice([-2, -1, 1, 2, 1_000])


def _flip(chance: random.Random, frames: list[str]) -> list[str]:
    place = chance.randrange(len(frames))
    data = bytearray(frames[place].encode())
    for _ in range(chance.randint(1, 4)):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(7)
    return [*frames[:place], data.decode("latin-1"), *frames[place + 1 :]]


def _cut(chance: random.Random, frames: list[str]) -> list[str]:
    place = chance.randrange(len(frames))
    end = chance.randrange(len(frames[place]))
    return [*frames[:place], frames[place][:end], *frames[place + 1 :]]


def _shuffle(chance: random.Random, frames: list[str]) -> list[str]:
    return chance.sample(frames, len(frames))


def _repeat(chance: random.Random, frames: list[str]) -> list[str]:
    return [frame for frame in frames for _ in range(chance.choice([1, 1, 2, 3]))]


def _as_is(_chance: random.Random, frames: list[str]) -> list[str]:
    return frames


MUTATIONS: list[Mutation] = [
    *(_on_json(change) for change in (_drop, _swap, _swap, _add, _shift, _shift)),
    _flip,
    _cut,
    _shuffle,
    _repeat,
    _as_is,
]


def mutants(chance: random.Random, recorded: list[list[str]]) -> list[str]:
    """Some frames for one socket: of one recorded socket, or spliced of two, and then spoilt."""
    one, other = chance.choice(recorded), chance.choice(recorded)
    at = chance.randint(0, len(one))
    start = chance.randint(0, len(other))
    frames = (one[:at] + other[start:])[: chance.randint(1, 12)] or one[:1]
    return chance.choice(MUTATIONS)(chance, frames)
