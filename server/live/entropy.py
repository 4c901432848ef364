"""Random values, always from the system's CSPRNG, and codes derived from secrets."""

import hashlib
import secrets

from protocol.vocabulary import CODE_ALPHABET, CODE_LENGTH, SEED_BYTES
from server.rooms.events import Entropy
from server.rooms.rounds import SALT_BYTES


def draw_entropy() -> Entropy:
    """Return the seed and the salt of a round."""
    return Entropy(secrets.token_bytes(SEED_BYTES), secrets.token_bytes(SALT_BYTES))


def draw_code() -> str:
    """Return a room code of fifty random bits."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def rematch_code(code: str, secret: str) -> str:
    """Return the code of a room's rematch: always the same for a room, and not guessable.

    If a failover of the store loses a rematch, the next request for it leads to the same room.
    `secret` is stored with the room and is never sent.
    """
    digest = hashlib.sha256(f"{code} {secret}".encode()).digest()
    return "".join(CODE_ALPHABET[byte % len(CODE_ALPHABET)] for byte in digest[:CODE_LENGTH])


def draw_salt() -> str:
    """Return the salt of a room's identities."""
    return secrets.token_hex(SALT_BYTES)
