"""What opens a seat again: 256 random bits, told once, stored as a hash only."""

import hashlib
import hmac
import secrets

TOKEN_BYTES = 32


def draw_token() -> str:
    """A new token, as text."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_token(token: str) -> str:
    """What is stored of it. The token is random and long, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def opens(token: str, token_hash: str) -> bool:
    """Whether the token belongs to the hash, compared in constant time."""
    return hmac.compare_digest(hash_token(token), token_hash)
