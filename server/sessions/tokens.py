"""The tokens of seats: 256 bits, sent to the owner alone, stored only as a hash.

They are random, or made from the attempt by which the seat was taken. So the reply to a repeated
attempt has the same token, which nobody but its owner can make. The token of a computer player is
made with the room's salt, which no client knows.
"""

import base64
import hashlib
import hmac
import secrets

TOKEN_BYTES = 32
ATTEMPT_DIGITS = 32


def draw_token() -> str:
    """Return a new token, as text."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_of(attempt: str) -> str:
    """Return the token of the seat that an attempt takes, as text."""
    digest = hashlib.sha256(f"token {attempt}".encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def token_of_bot(salt: str, name: str) -> str:
    """Return the token of a computer player, the same for each repetition of its command."""
    digest = hmac.digest(salt.encode(), f"bot {name}".encode(), "sha256")
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def hash_attempt(attempt: str) -> str:
    """Return the stored hash of an attempt; that of none is empty."""
    digest = hashlib.sha256(f"attempt {attempt}".encode()).hexdigest()
    return digest[:ATTEMPT_DIGITS] if attempt else ""


def hash_token(token: str) -> str:
    """Return the stored hash. Tokens are random and long, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def opens(token: str, token_hash: str) -> bool:
    """Return whether the token belongs to the hash; the comparison takes constant time."""
    return hmac.compare_digest(hash_token(token), token_hash)
