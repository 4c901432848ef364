from dataclasses import dataclass


@dataclass(eq=False, slots=True)
class SharedText:
    """A message for many sockets; the first one that sends it keeps its frame for the others."""

    text: str
    frame: bytes | None = None
