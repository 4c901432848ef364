"""Serializers of frequent messages without models, since a model costs more than the rules.

These messages are replies to acts, tables, rooms, and the entries of a round's logs. Tests check
that the text equals that of `codec.dump`. Piles, actions and reasons are the server's own texts,
so none of them needs JSON escapes; names do.
"""

from collections.abc import Iterable, Sequence
from json.encoder import encode_basestring
from typing import Final

from protocol.views import CountsView

_NAMES: Final = tuple(CountsView.model_fields)
_COUNTS: Final = "{" + ",".join(f'"{name}":%d' for name in _NAMES) + "}"


def acted(
    act_id: int,
    at: int,
    piles: Iterable[tuple[str, str]],
    score: int,
    counts: tuple[int, ...],
    before: tuple[int, ...] | None,
    legal: str,
    outcome: str | None,
    stuck: str | None,
) -> str:
    """Return an `Acted` without its time, from the names and texts of piles; `timed` completes it.

    `before` are the counts that the client has, or None if they are not known.
    """
    # Joined by C, without instructions of Python for each pile.
    shown = '","'.join(map('":"'.join, piles))
    shown = f'{{"{shown}"}}' if shown else "{}"
    changes = _COUNTS % counts if before is None else _changed(counts, before)
    end = "" if outcome is None else f',"outcome":"{outcome}"'
    if stuck is not None:
        end += f',"stuck":"{stuck}"'
    return (
        f'{{"type":"acted","id":{act_id},"at":{at},"piles":{shown},"score":{score},'
        f'"counts":{changes},"legal":"{legal}"{end},"elapsed_ms":'
    )


def _changed(counts: tuple[int, ...], before: tuple[int, ...]) -> str:
    """Return the counts that differ as JSON."""
    changes = ""
    for place, n in enumerate(counts):
        if n != before[place]:
            separator = "," if changes else ""
            changes += f'{separator}"{_NAMES[place]}":{n}'
    return f"{{{changes}}}"


def table(
    seat: int,
    game: str,
    at: int,
    last_id: int,
    piles: Sequence[str],
    legal: str,
    score: int,
    counts: tuple[int, ...],
    elapsed_ms: int,
    outcome: str | None,
    stuck: str | None,
) -> str:
    """Return a `TableMessage` as JSON, from the texts of piles."""
    shown = '","'.join(piles)
    return (
        f'{{"type":"table","table":{{"seat":{seat},"game":"{game}","at":{at},'
        f'"last_id":{last_id},"piles":["{shown}"],"legal":"{legal}",'
        f'"score":{score},"counts":{_COUNTS % counts},"elapsed_ms":{elapsed_ms},'
        f'"outcome":{_or_null(outcome)},"stuck":{_or_null(stuck)}}}}}'
    )


def room(
    code: str,
    v: int,
    state: str,
    settings: str,
    host: int | None,
    seats: Iterable[str],
    played_round: str | None,
    played: int,
    match: str | None,
    next_game: int | None,
    waiting: Iterable[str],
) -> str:
    """Return a `RoomView` as JSON, from the JSON of its parts."""
    return (
        f'{{"code":"{code}","v":{v},"state":"{state}","settings":{settings},'
        f'"host":{_number(host)},"seats":[{",".join(seats)}],"round":{played_round or "null"},'
        f'"played":{played},"match":{match or "null"},"next_game":{_number(next_game)},'
        f'"waiting":[{",".join(waiting)}]}}'
    )


def seat(
    number: int,
    name: str,
    role: str,
    state: str,
    connection: str,
    wins: int,
    kind: str,
    level: str | None,
    colour: str,
    stand_in: str | None,
    forfeits_at: int | None = None,
) -> str:
    """Return a `SeatView` as JSON."""
    shown = "" if level is None else f',"level":"{level}"'
    helped = "" if stand_in is None else f',"stand_in":"{stand_in}"'
    held = "" if forfeits_at is None else f',"forfeits_at":{forfeits_at}'
    return (
        f'{{"seat":{number},"name":{encode_basestring(name)},"role":"{role}","state":"{state}",'
        f'"connection":"{connection}","wins":{wins},"kind":"{kind}"{shown},"colour":"{colour}"'
        f"{helped}{held}}}"
    )


def played_round(
    n: int,
    game: int,
    t0: int,
    t_end: int | None,
    ended: int | None,
    commitment: str | None,
    number: int | None,
    programs: Iterable[int],
    *,
    winnable: bool | None,
) -> str:
    """Return a `RoundView` as JSON."""
    return (
        f'{{"n":{n},"game":{game},"t0":{t0},"t_end":{_number(t_end)},"ended":{_number(ended)},'
        f'"commitment":{_or_null(commitment)},"number":{_number(number)},'
        f'"programs":[{",".join(map(str, programs))}],"winnable":{_WORDS[winnable]}}}'
    )


def log_entry(action: str, ms: int) -> str:
    """Return a `SeatLogEntry` as JSON."""
    return f'{{"action":"{action}","ms":{ms}}}'


def timed(text: str, elapsed_ms: int) -> str:
    """Return the text of `acted`, completed with the time, which the store returns."""
    return f"{text}{elapsed_ms}}}"


_WORDS = {True: "true", False: "false", None: "null"}


def _number(number: int | None) -> int | str:
    return "null" if number is None else number


def _or_null(word: str | None) -> str:
    return "null" if word is None else f'"{word}"'
