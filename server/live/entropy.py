"""What is drawn at random, always from the system's CSPRNG, and what follows from secrets."""

import hashlib
import secrets

from protocol.vocabulary import CODE_ALPHABET, CODE_LENGTH, SEED_BYTES
from server.rooms.events import Entropy
from server.rooms.rounds import SALT_BYTES


def draw_entropy() -> Entropy:
    """The random part of a round, from the system's CSPRNG."""
    return Entropy(secrets.token_bytes(SEED_BYTES), secrets.token_bytes(SALT_BYTES))


def draw_code() -> str:
    """A room code that nobody can guess: fifty bits from the system's CSPRNG."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def rematch_code(code: str, secret: str) -> str:
    """The code of the room in which a room goes on: always the same one, but for nobody to guess.

    Should a failover of the store forget that somebody has asked, whoever asks again is led to
    where the others went. `secret` is what the store knows of the room and tells nobody.
    """
    digest = hashlib.sha256(f"{code} {secret}".encode()).digest()
    return "".join(CODE_ALPHABET[byte % len(CODE_ALPHABET)] for byte in digest[:CODE_LENGTH])


def draw_salt() -> str:
    """The salt of a room's identities."""
    return secrets.token_hex(SALT_BYTES)
