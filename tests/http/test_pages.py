"""The pages behind links: their heads, and what they say of rooms that are not there."""

import json
from html.parser import HTMLParser

import pytest

from protocol.vocabulary import CODE_LENGTH
from server.http import pages
from server.http.limits import HttpLimits
from server.http.listener import Listener
from server.rooms.events import Tick
from server.sessions.limits import SessionLimits
from server.sessions.rate_limit import Rate
from server.store import StoreAway, Unreadable
from tests.hooked import HookedStore
from tests.players import Player, start_race
from tests.server.conftest import Serving
from tests.server.http import Answer, get

NOWHERE = "/r/" + "0" * CODE_LENGTH
PERSON = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
PROXY = ("127.0.0.0/8",)
HERE, THERE = {"X_Forwarded_For": "203.0.113.5"}, {"X_Forwarded_For": "198.51.100.9"}


class Tags(HTMLParser):
    """The tags of a head."""

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


async def test_the_link_to_a_room_shows_who_invites_to_what(serving: Serving) -> None:
    async with serving(public_url="https://race.example") as listener:
        ada = await Player.create(listener.port, "Ada", game="spider-1", public=False)
        await Player.join(listener.port, ada.code, "Bob")
        page = await get(listener.port, f"/r/{ada.code.lower()}?x=1")
        assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        found = tags(page)
        assert found["og:title"] == "Ada invites you to a race at Spider solitaire"
        assert found["og:description"] == "Spider, one suit · 2 players. Same cards, same start."
        assert found["og:url"] == f"https://race.example/r/{ada.code}"
        assert found["og:image"] == "https://race.example/icons/share.png"
        assert found["share-base"] == "https://race.example"
        assert found["robots"] == "noindex"
        assert room_in(page) == {
            "code": ada.code,
            "state": "LOBBY",
            "game": "spider-1",
            "host": "Ada",
            "players": 2,
            "full": False,
            "locked": False,
            "approve": False,
            "chasers": False,
            "watchable": True,
            "programs": True,
            "colour": "blue",
            "running_ms": None,
        }
        told = await get(listener.port, f"/api/rooms/{ada.code}")
        assert json.loads(told.body) == room_in(page)


@pytest.mark.parametrize(
    ("query", "accepted", "german"),
    [
        ("", None, False),
        ("", "de-AT,de;q=0.9,en;q=0.5", True),
        ("", "fr, en;q=0.4, de;q=0.8", True),
        ("", "en-GB,de;q=0.9", False),
        ("", "de;q=0", False),
        ("", "de;q=x,;;,=" * 50, False),
        ("?lang=de", "en", True),
        ("?lang=en", "de", False),
        ("?lang=fr", "de", True),
    ],
)
async def test_the_preview_of_a_link_is_in_the_language_that_is_asked_for(
    listener: Listener, query: str, accepted: str | None, german: bool
) -> None:
    headers = {} if accepted is None else {"Accept_Language": accepted}
    ada = await Player.create(listener.port, "Ada", game="spider-1")
    for path in ("/", f"/r/{ada.code}"):
        page = await get(listener.port, f"{path}{query}", **headers)
        text = tags(page)["og:description"] or ""
        assert ("Gleiche Karten" if german else "Same cards") in text
        assert page.headers["vary"] == "Accept-Encoding, Accept-Language"


async def test_names_of_players_are_no_markup(listener: Listener) -> None:
    ada = await Player.create(listener.port, '"><b>Ada</b>&amp;')
    page = await get(listener.port, f"/r/{ada.code}")
    found = Tags(page.body.decode())
    assert found.found["og:title"] == '"><b>Ada</b>&amp; invites you to a race at Spider solitaire'
    assert "b" not in found.started
    host = room_in(page)
    assert isinstance(host, dict)
    assert host["host"] == '"><b>Ada</b>&amp;'


async def test_a_running_race_is_told_before_a_name_is_asked_for(listener: Listener) -> None:
    ada, _ = await start_race(listener.port, chasers=True)
    for _ in range(2):
        told = json.loads((await get(listener.port, f"/api/rooms/{ada.code}")).body)
        assert (told["state"], told["chasers"]) == ("RUNNING", True)
        assert 0 <= told["running_ms"] < 60_000


async def test_the_link_to_a_finished_round_shows_its_result(listener: Listener) -> None:
    ada, bob = await start_race(listener.port)
    early = await get(listener.port, f"/r/{ada.code}/1")
    assert early.status == 404
    for player in (bob, ada):
        await player.say("forfeit")
    await ada.receive("round_over")
    page = await get(listener.port, f"/r/{ada.code}/01")
    assert page.status == 200
    assert tags(page)["og:title"] == "The result of a race · Spider Race"  # nobody has won
    assert (tags(page)["og:url"] or "").endswith(f"/r/{ada.code}/1")
    assert (await get(listener.port, f"/r/{ada.code}/2")).status == 404


@pytest.mark.parametrize("path", [NOWHERE, f"{NOWHERE}/1"])
async def test_a_room_that_is_not_there_has_a_page_that_says_so(
    listener: Listener, path: str
) -> None:
    page = await get(listener.port, path, If_None_Match="*")
    assert (page.status, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert page.headers["cache-control"] == "no-store"
    assert room_in(page) is None
    assert (await get(listener.port, f"/api/rooms/{NOWHERE[3:]}")).status == 404


@pytest.mark.parametrize("path", ["/nonexistent", "/r/abc", "/index.html", "/api/nothing", "/r/"])
async def test_people_get_a_page_where_nothing_is_and_programs_a_line(
    listener: Listener, path: str
) -> None:
    page = await get(listener.port, path, **PERSON)
    assert (page.status, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert b"<noscript>" in page.body
    line = await get(listener.port, path, Accept="*/*")
    assert (line.status, line.body) == (404, b"not found\n")


async def test_a_closed_room_looks_like_none(listener: Listener) -> None:
    ada = await Player.create(listener.port)
    await ada.say("leave")
    assert await ada.closed() == 1000
    tick = Tick(listener.services.store.clock.now() + 3_600_000)
    await listener.services.hub.apply(ada.code, tick)
    closed = await get(listener.port, f"/r/{ada.code}")
    never = await get(listener.port, NOWHERE)
    assert closed.status == never.status == 404
    assert closed.body.replace(ada.code.encode(), NOWHERE[3:].encode()) == never.body


async def test_wrong_codes_of_links_are_guesses_and_right_ones_then_look_the_same(
    serving: Serving,
) -> None:
    sessions = SessionLimits(guesses=Rate(2, 0.001))
    async with serving(sessions=sessions, trusted_proxies=PROXY) as listener:
        ada = await Player.create(listener.port, "Ada")
        for path in (NOWHERE, f"/api/rooms/{NOWHERE[3:]}"):
            assert (await get(listener.port, path, **HERE)).status == 404
        for path in (NOWHERE, f"/r/{ada.code}"):
            page = await get(listener.port, path, **HERE)
            assert (page.status, tags(page).get("room")) == (200, None)
            told = await get(listener.port, f"/api{path.replace('/r/', '/rooms/')}", **HERE)
            assert told.status == 429
        eve = await Player.connect(listener.port, address="203.0.113.5")
        await eve.say("join", room=ada.code, name="Eve")
        assert (await eve.receive("refused"))["code"] == "too_many_joins"
        assert (await get(listener.port, f"/api/rooms/{ada.code}", **THERE)).status == 200


async def test_links_to_rooms_are_looked_up_as_often_as_other_requests(serving: Serving) -> None:
    """A record can be large: each page of a room reads one."""
    http = HttpLimits(requests=Rate(1, 0.001))
    async with serving(http=http, trusted_proxies=PROXY) as listener:
        ada = await Player.create(listener.port)
        seen = [tags(await get(listener.port, f"/r/{ada.code}", **HERE)) for _ in range(2)]
        assert ["room" in each for each in seen] == [True, False]


@pytest.mark.parametrize("error", [StoreAway("away"), Unreadable("a record")])
async def test_the_page_comes_while_the_store_is_away(serving: Serving, error: Exception) -> None:
    async with serving(open_store=HookedStore.open) as listener:

        async def fail(*_: object) -> None:
            raise error

        listener.services.store.hooks["read"] = fail
        page = await get(listener.port, NOWHERE)
        assert (page.status, tags(page).get("room")) == (200, None)
        assert (await get(listener.port, f"/api/rooms/{NOWHERE[3:]}")).status == 503


async def test_only_the_page_of_a_room_preloads_what_rooms_need(listener: Listener) -> None:
    ada = await Player.create(listener.port, "Ada")
    session = b'<link rel="modulepreload" href="/src/page/session.js">'
    for path in ("/", "/strategy", f"/r/{ada.code}/1"):
        assert session not in (await get(listener.port, path)).body, path
    assert session in (await get(listener.port, f"/r/{ada.code}")).body


async def test_every_page_has_a_picture_that_is_served(listener: Listener) -> None:
    page = await get(listener.port, "/")
    picture = (tags(page)["og:image"] or "").partition(str(listener.port))[2]
    answer = await get(listener.port, picture)
    assert answer.headers["content-type"] == "image/png"
    width, height = pages.PICTURE_SIZE
    assert answer.body[16:24] == width.to_bytes(4, "big") + height.to_bytes(4, "big")


async def test_icons_and_the_manifest_are_served(listener: Listener) -> None:
    assert (await get(listener.port, "/favicon.ico")).headers["content-type"] == "image/x-icon"
    manifest = await get(listener.port, "/manifest.webmanifest")
    assert manifest.headers["content-type"] == "application/manifest+json"
    for icon in json.loads(manifest.body)["icons"]:
        answer = await get(listener.port, icon["src"])
        assert answer.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            size = int.from_bytes(answer.body[16:20], "big")
            assert icon["sizes"] == f"{size}x{size}"
