"""A store as text: all keys of a Redis, which can be saved in a file and restored later.

Restoring moves all times in the snapshot on, as if it had been taken just now. Each number of
thirteen digits counts as a time, in milliseconds since the epoch.
"""

import re
from pathlib import Path
from typing import Any

import redis

OF_THE_CLOCK = {b"clock"}
"""The keys on which running processes agree; they mean nothing to processes that start later."""

TIME = re.compile(r"(?<![0-9A-Za-z])1\d{12}(?![0-9A-Za-z])")
BYTES = "hex:"


def take(socket: Path) -> dict[str, Any]:
    """Return all keys, with their types and values."""
    with redis.Redis(unix_socket_path=str(socket)) as client:
        names = sorted(set(client.keys("*")) - OF_THE_CLOCK)
        return {_text(name): _value(client, name) for name in names}


def put_back(socket: Path, keys: dict[str, dict[str, Any]], later: int) -> None:
    """Write the keys into an empty Redis, with times moved on by `later` milliseconds."""
    with redis.Redis(unix_socket_path=str(socket)) as client:
        for name, kept in keys.items():
            key = _bytes(name)
            type_, value = next(iter(kept.items()))
            match type_:
                case "hash":
                    client.hset(key, mapping=_moved(dict(value), later))
                case "list":
                    client.rpush(key, *(_bytes(entry) for entry in value))
                case "set":
                    client.sadd(key, *(_bytes(member) for member in value))
                case "zset":
                    client.zadd(key, _moved(dict(value), later))
                case "stream":
                    for entry, fields in value:
                        client.xadd(key, _moved(dict(fields), later), id=entry)
                case _:
                    raise ValueError(f"no type of ours: {type_}")


def _value(client: Any, name: bytes) -> dict[str, Any]:
    type_ = client.type(name).decode()
    value: Any
    match type_:
        case "hash":
            value = {_text(field): _text(each) for field, each in client.hgetall(name).items()}
        case "list":
            value = [_text(entry) for entry in client.lrange(name, 0, -1)]
        case "set":
            value = sorted(_text(member) for member in client.smembers(name))
        case "zset":
            scored = client.zrange(name, 0, -1, withscores=True)
            value = {_text(member): f"{score:.0f}" for member, score in scored}
        case "stream":
            value = [
                [entry.decode(), {_text(field): _text(each) for field, each in fields.items()}]
                for entry, fields in client.xrange(name)
            ]
        case _:
            raise ValueError(f"no type of ours: {type_}")
    return {type_: value}


def _moved(fields: dict[str, str], later: int) -> dict[bytes, bytes]:
    return {
        _bytes(field): _bytes(TIME.sub(lambda time: str(int(time[0]) + later), value))
        for field, value in fields.items()
    }


def _text(value: bytes) -> str:
    try:
        text = value.decode()
    except UnicodeDecodeError:
        return BYTES + value.hex()
    return text if text.isprintable() and not text.startswith(BYTES) else BYTES + value.hex()


def _bytes(text: str) -> bytes:
    is_hex = text.startswith(BYTES)
    return bytes.fromhex(text.removeprefix(BYTES)) if is_hex else text.encode()
