"""Which changes to the contract do not break programs of an earlier release.

`python -m tests.protocol.contracts 1.0.0` records the contract of a release in
`protocol/releases/`. A test compares the present contract with every recording of its version:

1. The server's messages and documents may gain types and fields. None may be removed, renamed, or
   left out where it was always sent, and no field may get values that it could not have before.
   Lists of words never lose one, since programs wait for the words that they know. They may grow
   only where `GROWING` says what clients do with unknown words.
2. Messages from clients may gain types, words, wider ranges and optional fields. Everything that
   was accepted still is, and leaving out a field means the same as before.
3. Each message from clients keeps its reply.
4. Limits in `MAY_RISE` never fall, and limits in `MAY_FALL` never rise. Close codes, patterns,
   `FIXED` and the order of a game's piles stay the same.

A change that breaks these rules needs a new version in `SUBPROTOCOL`.
"""

GROWING = {
    "ErrorCode": "a refusal with an unknown code counts as one without a reason",
    "SettingsClash": "an unknown reason counts as no reason",
    "HintReason": "a hint with an unknown reason counts as one without a reason",
    "Outlook": "an unknown outlook counts as `open`",
    "TieBreaker": "an unknown tie breaker is not shown",
    "Settings.*": "a program that does not know a game or a rule leaves the room",
    "*.game": "a program that does not know the game leaves the room",
    "*.games": "a program shows an unknown game by its id",
    "GameInfo.*": "a program offers no game that it does not know",
}
"""The server's lists of words that later releases may lengthen, and what clients then do."""

MAY_RISE = (
    *("FIRST_FRAME_S", "MAX_FRAME_BYTES", "MAX_IN_FLIGHT", "MESSAGES_AT_ONCE", "MESSAGES_PER_S"),
    *("COMMANDS_AT_ONCE", "COMMANDS_PER_S", "CHAT_MESSAGES", "MAX_BOARDS"),
    *("NAME_LENGTH", "LINE_LENGTH"),
)  # the limits of `vocabulary` that a client must keep
MAY_FALL = ("CHAT_INTERVAL_S",)  # the times that a client waits
FIXED = ("FIRST_FINAL_CODE", "CODE_ALPHABET", "CODE_LENGTH")  # how clients read codes
