"""Random values, always from the system's CSPRNG."""

import secrets

from protocol.vocabulary import CODE_ALPHABET, CODE_LENGTH, SEED_BYTES
from server.rooms.deals import SALT_BYTES, Entropy


def draw_entropy() -> Entropy:
    """Return the seed and the salt of a round."""
    return Entropy(secrets.token_bytes(SEED_BYTES), secrets.token_bytes(SALT_BYTES))


def draw_code() -> str:
    """Return a room code of 35 random bits."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def draw_salt() -> str:
    """Return the salt of a room's identities."""
    return secrets.token_hex(SALT_BYTES)
