MESSAGES_PER_S = 20
BURST = 60
"""Messages at once: enough for fast play and for a client that catches up."""
