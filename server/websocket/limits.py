MESSAGES_PER_S = 20
BURST = 60
"""A hand that plays fast, or a client that catches up, is not a flood; three seconds of one is."""
