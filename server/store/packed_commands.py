"""Commands as bytes of the Redis protocol."""

import hiredis

Word = str | bytes | int


def pack(*words: Word) -> bytes:
    """Return the command as bytes of the Redis protocol."""
    # hiredis takes any number of words, though its stub declares one.
    packed: bytes = hiredis.pack_command(words)  # type: ignore[arg-type]
    return packed
