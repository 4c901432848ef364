"""The language that a request asks for: that of its link, or else the best one of its reader."""

import re
from urllib.parse import parse_qs

from protocol.vocabulary import Language
from server.http.request import HttpRequest
from server.views.previews import LANGUAGES

MAX_LENGTH = 200  # the characters of a field that are read; browsers send a few languages

WEIGHTED = re.compile(
    r"\s*([A-Za-z]{1,8})(?:-[A-Za-z0-9-]*)?\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?)\s*)?"
)
"""The pattern of one language and its weight."""


def language_of(request: HttpRequest) -> Language:
    """Return the language of a request: `lang` of its query, else by `Accept-Language`."""
    asked = parse_qs(request.query[:MAX_LENGTH]).get("lang", [""])[0].lower()
    if asked in LANGUAGES:
        return LANGUAGES[asked]
    found: Language = "en"
    best = 0.0
    offers = ",".join(request.headers.get_all("Accept-Language"))[:MAX_LENGTH]
    for offer in offers.split(","):
        match = WEIGHTED.fullmatch(offer)
        if match is None:
            continue
        language, weight = LANGUAGES.get(match[1].lower()), float(match[2] or 1)
        if language is not None and weight > best:
            found, best = language, weight
    return found
