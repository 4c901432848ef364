"""Every frame parses to a message or a `BadMessage`, and never raises an error."""

import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from protocol import codec
from protocol.codec import MAX_WHERE_LENGTH, BadMessage, parse
from protocol.from_client import ClientMessage, Create, Say
from protocol.lines import clean_line
from protocol.settings import Settings
from protocol.to_client import Error
from protocol.vocabulary import LINE_LENGTH, MAX_FRAME_BYTES, ErrorCode
from tests.protocol import messages
from tests.security.effort import fuzzed

DEEP = 20_000
OURS = {*messages.FIELDS, *Settings.model_fields}
INTERNAL = re.compile(r"pydantic|function-|constrained|Validator|nullable|tagged-union|<|class ")


def parsed(text: str | bytes) -> ClientMessage | BadMessage:
    """Parse a frame, and check that its result can be sent."""
    found = parse(text)
    if isinstance(found, BadMessage):
        assert 0 <= len(found.where) <= MAX_WHERE_LENGTH
        error = Error(code=ErrorCode.BAD_MESSAGE, where=found.where)
        assert codec.TO_CLIENT.validate_json(codec.dump(error)) == error
    else:
        # A parsed message can be serialized, and parses back to itself.
        assert parse(json.dumps(messages.written(found))) == found
    return found


@given(messages.messages)
@fuzzed(150)
def test_every_message_parses_back_to_itself(message: ClientMessage) -> None:
    text = json.dumps(messages.written(message))
    assert parsed(text) == message
    assert parsed(text.encode()) == message


@given(st.text())
@example("\ud800")
@example("[" * DEEP)
@example('{"type":' * DEEP)
@example('{"type":"act","id":' + "9" * 5_000 + "}")
@example('{"type":"ping","t":-0.0}')
@example('"' + "x" * 100_000 + '"')
@fuzzed(150)
def test_any_text_is_answered(text: str) -> None:
    parsed(text)


@given(st.binary())
@example(b"\xef\xbb\xbf{}")
@example('{"type":"start"}'.encode("utf-16"))
@example(b'{"type":"say","text":"\xed\xa0\x80"}')
@fuzzed(150)
def test_any_bytes_are_answered(data: bytes) -> None:
    parsed(data)


@given(messages.json_values)
@fuzzed(150)
def test_any_json_is_answered(value: object) -> None:
    parsed(json.dumps(value))


@given(messages.nearly())
@fuzzed(300)
def test_a_message_with_errors_is_answered_with_one_of_its_fields(text: str) -> None:
    found = parsed(text)
    if isinstance(found, BadMessage) and found.where not in {"json", "type", "parts"}:
        assert not INTERNAL.search(found.where)
        known = {part for name in (*names_in(text), *OURS) for part in name.split(".")}
        *parts, last = found.where.split(".")
        assert all(part in known or part.isdigit() for part in parts)
        # The last part may be truncated.
        assert last.isdigit() or any(name.startswith(last) for name in known)


def names_in(text: str) -> list[str]:
    """Return the names of fields that a text holds."""
    return [json.loads(f'"{name}"') for name in re.findall(r'"((?:[^"\\]|\\.)*)"\s*:', text)]


def test_the_last_of_two_equal_fields_counts() -> None:
    """A browser does the same. The server parses each message only once."""
    assert parsed('{"type":"ping","t":1,"t":2}') == parsed('{"type":"ping","t":2}')


BEGINNINGS = ['{"type":', '{"type":"start","x":', '{"type":"configure","settings":{"undo":']
MANY = {
    "unknown fields": '{"type":"start",' + ",".join(f'"{n:x}":1' for n in range(450)) + "}",
    "unknown fields whose names end with a backslash": '{"type":"start",'
    + ",".join(f'"{n:x}\\\\":1' for n in range(400))
    + "}",
    "unknown settings": '{"type":"configure","settings":{'
    + ",".join(f'"{n:x}":1' for n in range(450))
    + "}}",
    "a long number": '{"type":' + "9" * 4_000 + "}",
    **{
        f"{begin}{value}...": f"{begin}[{','.join([value] * (3_900 // (len(value) + 1)))}]}}}}"
        for begin in BEGINNINGS
        for value in ("1", "[]", "{}", '""')
    },
}


@pytest.mark.interpreted
@pytest.mark.parametrize("text", MANY.values(), ids=MANY.keys())
def test_a_frame_with_more_parts_than_any_message_is_not_parsed(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """Regression: hundreds of errors, each of a part of one frame, took a millisecond."""

    def unparsed(*_: object, **_named: object) -> None:
        raise AssertionError("such a frame costs as much as hundreds of messages")

    monkeypatch.setattr(codec, "_parse", unparsed)
    assert len(text) <= MAX_FRAME_BYTES
    assert parse(text) == BadMessage("parts")
    assert parse(text.encode()) == BadMessage("parts")


@pytest.mark.parametrize("value", ["[]", "{}", '""', "-1"])
def test_boards_are_refused_at_their_first_error(value: str) -> None:
    boards = f"[{','.join([value] * 80)}]"
    with pytest.raises(ValidationError) as refused:
        codec.FROM_CLIENT.validate_json(f'{{"type":"watch","boards":{boards}}}')
    assert refused.value.error_count() == 1


@pytest.mark.parametrize("written", ['\\"', "\\\\", ",", "[{,", "\\n", "\\u0022"])
def test_parts_within_a_line_are_not_counted(written: str) -> None:
    line = "a" + written * 600
    message = parse(f'{{"type":"say","text":"{line}"}}')
    assert isinstance(message, Say)
    assert message.text == clean_line(json.loads(f'"{line}"'), LINE_LENGTH)


def test_a_message_with_all_settings_has_half_of_the_parts_that_a_frame_may_have() -> None:
    text = json.dumps(messages.written(Create(name="Ada", browser="x" * 64)), indent=32)
    assert len(text) > MAX_FRAME_BYTES // 2  # most of it is white space, which does not count
    assert text.count('"') // 2 <= codec.MAX_PARTS * 2 // 3
    assert text.count(",") <= codec.MAX_PARTS // 2
    assert isinstance(parse(text), Create)


@pytest.mark.parametrize("unseen", ["ㅤ", "ᅟᅠ", "ﾠ", "⠀", "͏", "️", "󠄁", "᠋", "\xad"])
def test_names_lose_their_invisible_characters(unseen: str) -> None:
    """Names with invisible characters looked empty, or like the name of another player."""
    assert clean_line(unseen, 24) == ""
    assert clean_line(f"A{unseen}da{unseen}", 24) == "Ada"
    assert parsed(json.dumps({"type": "create", "name": unseen})) == BadMessage("name")
