"""Pages and files: the client's, the heads of links, and the replies to unknown addresses."""

import gzip
import json
import re
from html.parser import HTMLParser
from itertools import product

import pytest

from protocol.vocabulary import CODE_LENGTH
from server.sessions.limits import Rate
from server.store import StoreAway, Unreadable
from server.web import pages
from server.web.limits import HttpLimits
from tests.server.http import Answer
from tests.world.stage import LOOPBACK, Person, Stage, finish, get, staged, start_race

NOWHERE = "/r/" + "0" * CODE_LENGTH
PERSON = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
HERE, THERE = "203.0.113.5", "198.51.100.9"


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: dict[str, str | None] = {}
        self.started: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.started.append(tag)
        named = dict(attrs)
        if tag == "meta" and (name := named.get("name") or named.get("property")):
            self.found[name] = named.get("content")


def tags(page: Answer) -> dict[str, str | None]:
    return Tags(page.body.decode()).found


def room_in(page: Answer) -> object:
    return json.loads(tags(page)["room"] or "")


# The client's files


@staged
async def test_the_page_is_served_compressed(stage: Stage) -> None:
    port = stage.port
    page = await get(port, "/")
    assert page.status == 200
    for accepted in ("gzip", "br;q=1, GZIP;q=0.5"):
        packed = await get(port, "/", Accept_Encoding=accepted)
        assert packed.headers["content-encoding"] == "gzip"
        assert gzip.decompress(packed.body) == page.body
    for unwanted in ("gzip;q=0", "br, gzip; q=0.0", "identity", "xgzip"):
        assert (await get(port, "/", Accept_Encoding=unwanted)).body == page.body
    again = await get(port, "/", If_None_Match=page.headers["etag"])
    assert (again.status, again.body) == (304, b"")


@staged
async def test_other_files_are_served_with_their_types(stage: Stage) -> None:
    port = stage.port
    tips = await get(port, "/src/strategy/tips.json")
    assert tips.headers["content-type"] == "application/json"
    assert {tip["game"] for tip in json.loads(tips.body)} >= {"spider-4", "little-spider"}
    words = await get(port, "/src/strategy/tips.de.html")
    assert words.headers["content-type"] == "text/html; charset=utf-8"
    assert json.loads((await get(port, "/api/protocol")).body)["asyncapi"] == "3.1.0"
    assert b"little-spider" in (await get(port, "/api/catalogue")).body
    assert (await get(port, "/favicon.ico")).headers["content-type"] == "image/x-icon"
    manifest = await get(port, "/manifest.webmanifest")
    assert manifest.headers["content-type"] == "application/manifest+json"
    for icon in json.loads(manifest.body)["icons"]:
        answer = await get(port, icon["src"])
        assert answer.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            size = int.from_bytes(answer.body[16:20], "big")
            assert icon["sizes"] == f"{size}x{size}"
    picture = tags(await get(port, "/"))["og:image"] or ""
    answer = await get(port, picture.partition("race.example")[2])
    assert answer.headers["content-type"] == "image/png"
    width, height = pages.PICTURE_SIZE
    assert answer.body[16:24] == width.to_bytes(4, "big") + height.to_bytes(4, "big")


@staged
async def test_nothing_else_is_served(stage: Stage) -> None:
    page = await get(stage.port, "/strategy?x=1")
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    for path in (
        *("/nothing", "/r/abc", "/index.html", "/api/nothing", "/r/", "/../pyproject.toml"),
        *("/src/../package.json", "/src/contract/messages.d.ts", "/package.json"),
        *("/strategy/", "/strategy/spider", "/Strategy", "/yours/", "/days/", "/g/x"),
        *("/d/2026-11-28", "/d/2026-13-28/spider-1", "/d/2026-11-28/spider-3"),
    ):
        page = await get(stage.port, path, **PERSON)
        assert (page.status, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
        assert b"<noscript>" in page.body
        line = await get(stage.port, path, Accept="*/*")
        assert (line.status, line.body) == (404, b"not found\n"), path


@staged
async def test_links_to_days_and_ghosts_give_nothing_away(stage: Stage) -> None:
    entry = "0123456789abcdef"
    for path, title, text in (
        ("/d/2026-11-28/spider-2", "Today’s race · 28 Nov 2026", "Spider, two suits · The same"),
        (f"/d/2026-11-28/spider-1/{entry}", "Today’s race · 28 Nov 2026", "Spider, one suit"),
        (f"/g/2026-11-28/spider-1/{entry}", "Race a ghost at Spider solitaire", "The cards of"),
        ("/g/7K3QZ0A/1/0", "Race a ghost at Spider solitaire", "The cards of"),
        ("/days", "Spider Race", "Race your friends"),
    ):
        shown = tags(await get(stage.port, path))
        assert shown["og:title"] == title
        assert text in (shown["og:description"] or "")


# Links to rooms


@staged
async def test_the_link_to_a_room_shows_who_invites_to_what(stage: Stage) -> None:
    port = stage.process(public_url="https://race.example").port
    ada = await Person.create(port, "Ada", game="spider-1", public=False)
    await Person.join(port, ada.code, "Bob")
    page = await get(port, f"/r/{ada.code.lower()}?x=1")
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    expected = {
        "og:title": "Ada invites you to a race at Spider solitaire",
        "og:description": "Spider, one suit · 2 players. Same cards, same start.",
        "og:url": f"https://race.example/r/{ada.code}",
        "og:image": "https://race.example/icons/share.png",
        "share-base": "https://race.example",
        "robots": "noindex",
    }
    assert expected.items() <= tags(page).items()
    invited = room_in(page)
    assert isinstance(invited, dict)
    shown = [invited[name] for name in ("code", "state", "game", "host", "players", "running_ms")]
    assert shown == [ada.code, "LOBBY", "spider-1", "Ada", 2, None]
    assert [invited[name] for name in ("full", "watchable", "programs")] == [False, True, True]
    answer = await get(port, f"/api/rooms/{ada.code}")
    assert json.loads(answer.body) == invited

    # Only the page of a room preloads what rooms need.
    session = b'<link rel="modulepreload" href="/src/page/session.js">'
    assert session in page.body
    for path in ("/", "/strategy", "/yours", f"/r/{ada.code}/1"):
        assert session not in (await get(port, path)).body, path


LANGUAGES = [
    ("", None, False),
    *(("", accepted, True) for accepted in ("de-AT,de;q=0.9,en;q=0.5", "fr, en;q=0.4, de;q=0.8")),
    *(("", accepted, False) for accepted in ("en-GB,de;q=0.9", "de;q=0", "de;q=x,;;,=" * 50)),
    *(("?lang=de", "en", True), ("?lang=en", "de", False), ("?lang=fr", "de", True)),
]
"""A query, the header `Accept-Language`, and whether the answer is in German."""


@staged
async def test_the_preview_of_a_link_is_in_the_language_that_is_asked_for(stage: Stage) -> None:
    ada = await Person.create(stage.port, "Ada", game="spider-1")
    for (query, accepted, german), path in product(LANGUAGES, ("/", f"/r/{ada.code}")):
        headers = {} if accepted is None else {"Accept_Language": accepted}
        page = await get(stage.port, f"{path}{query}", **headers)
        text = tags(page)["og:description"] or ""
        assert ("Gleiche Karten" if german else "Same cards") in text, (query, accepted)
        assert page.headers["vary"] == "Accept-Encoding, Accept-Language"


@staged
async def test_names_of_players_are_no_markup(stage: Stage) -> None:
    ada = await Person.create(stage.port, '"><b>Ada</b>&amp;')
    page = await get(stage.port, f"/r/{ada.code}")
    title = tags(page)["og:title"]
    assert title == '"><b>Ada</b>&amp; invites you to a race at Spider solitaire'
    assert "b" not in Tags(page.body.decode()).started
    assert '"><b>Ada</b>&amp;' in str(room_in(page))


@staged
async def test_the_link_to_a_round_shows_its_result_once_it_is_over(stage: Stage) -> None:
    ada, bob = await start_race(stage.port, chasers=True)
    t0 = ada.room["round"]["t0"]
    answer = json.loads((await get(stage.port, f"/api/rooms/{ada.code}")).body)
    running_ms = stage.one.store.clock.now_ms() - t0
    shown = (answer["state"], answer["chasers"], answer["running_ms"])
    assert shown == ("RUNNING", True, running_ms)
    assert (await get(stage.port, f"/r/{ada.code}/1")).status == 404
    await finish(bob, ada)
    page = await get(stage.port, f"/r/{ada.code}/01")
    assert page.status == 200
    assert tags(page)["og:title"] == "The result of a race · Spider Race"  # nobody has won
    assert (tags(page)["og:url"] or "").endswith(f"/r/{ada.code}/1")
    assert (await get(stage.port, f"/r/{ada.code}/2")).status == 404


@staged
async def test_the_link_of_a_challenge_names_the_challenger_and_what_to_beat(stage: Stage) -> None:
    ada, bob = await start_race(stage.port, game="spider-1")
    link = f"/g/{ada.code}/1/{ada.seat}"
    assert tags(await get(stage.port, link))["og:title"] == "Race a ghost at Spider solitaire"
    await finish(bob, ada)
    shown = tags(await get(stage.port, link))
    assert shown["og:title"] == "Player 0 challenges you at Spider solitaire"
    assert (shown["og:description"] or "").startswith("0 points to beat · Spider, one suit. ")
    assert shown["robots"] == "noindex"
    german = tags(await get(stage.port, f"{link}?lang=de"))
    assert german["og:title"] == "Player 0 fordert dich in Spider-Solitär heraus"
    # There is no such game, or the store is away.
    for path in (f"/g/{ada.code}/1/9", f"/g/{ada.code}/2/0", f"/g{NOWHERE[2:]}/1/0"):
        assert tags(await get(stage.port, path))["og:title"] == "Race a ghost at Spider solitaire"
    stage.one.store.faults.failing[ada.code] = StoreAway("away")
    assert (await get(stage.port, link)).status == 200


@staged
async def test_a_closed_room_looks_like_an_unknown_one(stage: Stage) -> None:
    never = await get(stage.port, NOWHERE, If_None_Match="*")
    assert (never.status, never.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert never.headers["cache-control"] == "no-store"
    assert room_in(never) is None
    assert room_in(await get(stage.port, f"{NOWHERE}/1")) is None
    assert (await get(stage.port, f"/api/rooms/{NOWHERE[3:]}")).status == 404
    ada = await Person.create(stage.port)
    await ada.say("leave")
    assert await ada.closed() == 1000
    stage.store.clock.shift_ms += 3_600_000
    await stage.one.hub.tick(ada.code)
    closed = await get(stage.port, f"/r/{ada.code}")
    assert closed.status == 404
    assert closed.body.replace(ada.code.encode(), NOWHERE[3:].encode()) == never.body


@staged
async def test_requests_of_an_address_have_a_limit_and_other_addresses_go_on(stage: Stage) -> None:
    """A room's page counts as a visit, and the look-up of the room as a request."""
    limits = HttpLimits(requests=Rate(4, 0.01), visits=Rate(4, 0.01))
    port = stage.process(http=limits).port
    ada = await Person.create(port)
    paths = ["/api/rooms", "/api/rooms/0000000000/rounds/1", "/nothing", f"/r/{ada.code}"]
    answers = [await get(port, path, HERE) for path in (*paths, "/api/rooms", f"/r/{ada.code}")]
    assert [answer.status for answer in answers] == [200, 404, 404, 200, 429, 200]
    assert ["room" in tags(answers[number]) for number in (3, 5)] == [True, False]
    refused = answers[4]
    assert refused.headers["retry-after"] == "100"
    answer = b"too many requests from your address; try again in 100 s\n"
    assert (refused.body, refused.headers["x-content-type-options"]) == (answer, "nosniff")
    files = [await get(port, path, HERE) for path in ("/", "/favicon.svg", "/")]
    assert [answer.status for answer in files] == [200, 200, 429]
    for path in ("/", "/api/rooms"):
        assert (await get(port, path, THERE)).status == 200
        for _ in range(9):  # the loopback may ask as often as it likes
            assert (await get(port, path, LOOPBACK)).status == 200


@pytest.mark.parametrize("error", [StoreAway("away"), Unreadable("a record")])
@staged
async def test_the_page_comes_while_the_store_is_away(stage: Stage, error: Exception) -> None:
    stage.one.store.faults.failing[NOWHERE[3:]] = error
    page = await get(stage.port, NOWHERE)
    assert (page.status, tags(page).get("room")) == (200, None)
    assert (await get(stage.port, f"/api/rooms/{NOWHERE[3:]}")).status == 503


@staged
async def test_the_link_to_an_open_window_says_when_it_closes(stage: Stage) -> None:
    ada = await Person.create(stage.port, "Ada", window_s=3_600)
    text = tags(await get(stage.port, f"/r/{ada.code}"))["og:description"]
    assert text is not None
    assert text.endswith("same start.")
    await ada.ask("start")
    page = await get(stage.port, f"/r/{ada.code}")
    text = tags(page)["og:description"]
    assert re.search(r"Play when you like until \d+ \w+, \d\d:\d\d UTC\.$", text or "")
    end = json.loads((await get(stage.port, f"/api/rooms/{ada.code}")).body)["window_end"]
    assert end == ada.room["round"]["t0"] + 3_600_000
