"""Serializers of frequent messages without models, since a model costs more than the rules.

These messages are replies to acts, tables, and the entries of a round's logs. Tests check that
the text equals that of `codec.dump`. The names of piles and cards, and the reasons, are constants
of the server, so none of them needs JSON escapes.
"""

from collections.abc import Iterable

from protocol.views import CountsView

_COUNTS = "{" + ",".join(f'"{name}":%d' for name in CountsView.model_fields) + "}"


def pile(name: str, down: int, up: Iterable[str]) -> str:
    """Return a `PileView` as JSON."""
    cards = '","'.join(up)
    shown = f'"{cards}"' if cards else ""
    return f'{{"id":"{name}","down":{down},"up":[{shown}]}}'


def acted(
    act_id: int,
    at: int,
    piles: Iterable[str],
    score: int,
    counts: tuple[int, ...],
    legal: Iterable[str],
    outcome: str | None,
    stuck: str | None,
) -> str:
    """Return an `Acted` without its time, from piles and actions in JSON; `timed` completes it."""
    return (
        f'{{"type":"acted","id":{act_id},"at":{at},"piles":[{",".join(piles)}],"score":{score},'
        f'"counts":{_COUNTS % counts},"legal":[{",".join(legal)}],'
        f'"outcome":{_or_null(outcome)},"stuck":{_or_null(stuck)},"elapsed_ms":'
    )


def table(
    seat: int,
    game: str,
    at: int,
    last_id: int,
    piles: Iterable[str],
    legal: Iterable[str],
    score: int,
    counts: tuple[int, ...],
    elapsed_ms: int,
    outcome: str | None,
    stuck: str | None,
) -> str:
    """Return a `TableMessage` as JSON, from piles and actions in JSON."""
    return (
        f'{{"type":"table","table":{{"seat":{seat},"game":"{game}","at":{at},'
        f'"last_id":{last_id},"piles":[{",".join(piles)}],"legal":[{",".join(legal)}],'
        f'"score":{score},"counts":{_COUNTS % counts},"elapsed_ms":{elapsed_ms},'
        f'"outcome":{_or_null(outcome)},"stuck":{_or_null(stuck)}}}}}'
    )


def log_entry(action: str, ms: int) -> str:
    """Return a `SeatLogEntry` as JSON."""
    return f'{{"action":"{action}","ms":{ms}}}'


def timed(text: str, elapsed_ms: int) -> str:
    """Return the text of `acted`, completed with the time, which the store returns."""
    return f"{text}{elapsed_ms}}}"


def _or_null(word: str | None) -> str:
    return "null" if word is None else f'"{word}"'
