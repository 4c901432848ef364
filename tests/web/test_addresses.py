"""The base of links: the address that other people use."""

import io
from pathlib import Path
from typing import Any

import pytest
import segno
from websockets.datastructures import Headers
from websockets.http11 import Request

from server.config import Config
from server.web import addresses
from server.web.addresses import ServerAddress, bind_operations, is_local
from server.web.requests import HttpRequest
from tests.world.stage import Stage, get, staged

LAN = "192.168.1.5"


def asked(host: str, peer: str = "127.0.0.1", **headers: str) -> HttpRequest:
    return HttpRequest(Request("/", Headers(Host=host, **headers)), peer)


def base(
    request: HttpRequest, here: str | None = LAN, **settings: Any
) -> tuple[str | None, str | None]:
    """Return the base URL of links, and the better one, on a machine with this address."""
    found = ServerAddress(Config(**settings), lambda: 8000, lambda: here)
    return found.base(request), found.better_base(request)


def test_a_loopback_address_gives_way_to_that_of_the_local_network() -> None:
    """The port is this server's own, even if a tunnel on this machine leads to it."""
    for host in (
        *("localhost:9000", "LOCALHOST", "127.0.0.1:8000", "[::1]:8000", "x.localhost"),
        "0.0.0.0:80",
    ):
        assert base(asked(host)) == (f"http://{LAN}:8000",) * 2, host
    for host in ("192.168.1.5:8000", "race.local:8000", "[2001:db8::7]:80"):
        assert base(asked(host)) == (f"http://{host}", None)
    public = "https://race.example"
    for host in ("localhost:8000", "192.168.1.5:8000", "no host"):
        assert base(asked(host), public_url=public) == (public, public)


def test_an_address_that_does_not_lead_here_is_not_named() -> None:
    here = ("http://localhost:8000", None)
    assert base(asked("localhost:8000"), host="127.0.0.1") == here
    assert base(asked("localhost:8000", peer="172.17.0.1")) == here
    assert base(asked("localhost:8000", **{"X-Forwarded-For": "192.0.2.1"})) == here
    assert base(asked("localhost:8000"), trusted_proxies=("127.0.0.0/8",)) == here
    assert base(asked("localhost:8000"), here=None) == here


@pytest.mark.parametrize(
    "host", ["", "a b", "x" * 300, "[::1", "[zz]", "evil.example/path", 'x"><script>', "user@x"]
)
def test_an_invalid_host_has_no_base(host: str) -> None:
    assert base(asked(host)) == (None, None)
    assert not is_local("[::1") or host == ""


BEHIND: dict[str, Any] = {"trusted_proxies": ("127.0.0.0/8",)}


@pytest.mark.parametrize(
    ("settings", "scheme", "expected", "is_secure"),
    [
        ({}, "https", "http://race.example", False),
        (BEHIND, "https", "https://race.example", True),
        (BEHIND, "http", "http://race.example", False),
        (BEHIND, "http, https", "https://race.example", True),
        (BEHIND, "javascript", "http://race.example", False),
        ({"trusted_proxies": ("192.0.2.0/24",)}, "https", "http://race.example", False),
        ({"public_url": "https://spider.example"}, "http", "https://spider.example", True),
        ({"public_url": "http://spider.example"}, "https", "http://spider.example", False),
    ],
)
@staged
async def test_page_and_qr_code_carry_the_same_base(
    stage: Stage, settings: dict[str, Any], scheme: str, expected: str, *, is_secure: bool
) -> None:
    process = stage.process(**settings)
    page = await get(process.port, "/", X_Forwarded_Proto=scheme)
    assert (
        "public_url" not in settings
        or f'<meta name="share-base" content="{expected}">'.encode() in page.body
    )
    drawing = await get(
        process.port, "/qr/7K3QZ0A.svg", X_Forwarded_Proto=scheme, X_Forwarded_Host="evil.example"
    )
    assert drawing.headers["content-type"] == "image/svg+xml"
    same = io.BytesIO()
    segno.make(f"{expected}/r/7K3QZ0A", micro=False).save(
        same, kind="svg", scale=4, border=2, dark="#000", light="#fff"
    )
    assert drawing.body == same.getvalue()
    # Browsers that came over TLS are to stay with it.
    headers = Headers({"X-Forwarded-Proto": scheme})
    assert process.routes.is_secure("127.0.0.1", headers) is is_secure


def test_this_machines_address_is_no_loopback_address() -> None:
    found = addresses.lan_address()
    assert found is None or not is_local(found)


@pytest.mark.parametrize("marker", addresses.CONTAINER_MARKERS)
def test_a_container_with_a_network_of_its_own_has_no_address_for_friends(
    tmp_path: Path, marker: str
) -> None:
    """A container on its machine's own network sees the machine's devices."""
    network = tmp_path / "sys/class/net/eth0"
    network.mkdir(parents=True)
    assert not addresses.container_hides_network(tmp_path)
    (tmp_path / marker).mkdir(parents=True)
    assert addresses.container_hides_network(tmp_path)
    assert addresses.lan_address(tmp_path) is None
    (network / "device").mkdir()
    assert not addresses.container_hides_network(tmp_path)


def test_operators_have_any_address_that_is_chosen_or_the_next_port_or_a_free_one() -> None:
    for chosen, host in {"127.0.0.1:0": "127.0.0.1", "0": "127.0.0.1", "[::1]:0": "::1"}.items():
        with bind_operations(Config(operations=chosen), 8000) as listening_socket:
            assert listening_socket.getsockname()[0] == host
    config = Config()
    with bind_operations(config, 0) as first:
        port = first.getsockname()[1]
        with bind_operations(config, port - 1) as second:  # the next one is taken
            assert second.getsockname()[1] not in {0, port}
    with bind_operations(config, 65_535) as last:  # there is no next one
        assert last.getsockname()[0] == "127.0.0.1"
