"""The tokens of seats: 256 random bits, sent once to the owner, stored only as a hash."""

import hashlib
import hmac
import secrets

TOKEN_BYTES = 32


def draw_token() -> str:
    """Return a new token, as text."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_token(token: str) -> str:
    """Return the stored hash. Tokens are random and long, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def opens(token: str, token_hash: str) -> bool:
    """Return whether the token belongs to the hash; the comparison takes constant time."""
    return hmac.compare_digest(hash_token(token), token_hash)
