from typing import TypeVar

Value = TypeVar("Value")


def present(value: Value | None) -> Value:
    """Return a value that must be there."""
    assert value is not None
    return value
