"""What befalls the containers while two players race, each with the most that it may cost."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.containers.engine import CommandFailed
from tests.containers.site import Site

UPGRADE_S = 5.0
"""It takes half a second; on a machine with much else to do some more, and 16 s done wrongly."""
RESTART_S = 10.0
ALONE_S = 20.0
"""The first server after a time without any waits until it can trust the store's clock."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that happens to a site; `longest_s` is the longest wait that it may cause."""

    name: str
    inflict: Callable[[Site], object]
    longest_s: float = RESTART_S


def scale(site: Site) -> None:
    """Run two servers more for a while."""
    site.compose("up", "--detach", "--wait", "--no-recreate", "--scale", "server=4", "server")
    assert len(site.servers()) == 4
    site.compose("up", "--detach", "--no-recreate", "--scale", "server=2", "server")
    assert len(site.servers()) == 2


def kill(site: Site) -> None:
    """Kill a server, and start it again."""
    killed = site.servers()[0]
    site.engine.run("docker", "kill", killed)
    site.engine.run("docker", "start", killed)


def restart(*services: str) -> Callable[[Site], object]:
    """Return a restart of these services."""
    return lambda site: site.compose("restart", *services)


def recreate(service: str) -> Callable[[Site], object]:
    """Return the replacement of a service by a new container."""
    words = ("up", "--detach", "--no-deps", "--force-recreate", "--wait", service)
    return lambda site: site.compose(*words)


def upgrade(site: Site) -> None:
    """Upgrade to a release that changes the servers only."""
    before, old = site.servers(), site.images()
    site.release("RELEASE=next")
    site.upgrade()
    assert len(site.servers()) == len(before)
    assert not set(site.servers()) & set(before)
    assert not site.images() & old


def upgrade_everything(site: Site) -> None:
    """Upgrade to a release in which Redis and Caddy are others too."""
    before = site.compose("ps", "--quiet").split()
    site.release("RELEASE=after", others="after")
    site.upgrade()
    assert not set(site.compose("ps", "--quiet").split()) & set(before)


def fail_to_upgrade(site: Site) -> None:
    """Upgrade to a release that does not start: the old servers go on, and nothing is left."""
    before = site.servers()
    site.release("SPIDER_RACE_LOG_LEVEL=deafening")
    with pytest.raises(CommandFailed, match="the old ones serve"):
        site.upgrade()
    assert sorted(site.compose("ps", "--all", "--quiet", "server").split()) == sorted(before)


FAULTS = (
    Fault("four servers, and two again", scale),
    Fault("a server killed", kill),
    Fault("all servers restarted at once", restart("server"), ALONE_S),
    Fault("Redis restarted", restart("redis")),
    Fault("Redis recreated", recreate("redis")),
    Fault("Caddy restarted", restart("caddy")),
    Fault("Caddy recreated", recreate("caddy")),
    Fault("upgrade", upgrade, UPGRADE_S),
    Fault("upgrade to servers that do not start", fail_to_upgrade, UPGRADE_S),
    Fault("upgrade of Redis and Caddy too", upgrade_everything),
)
