"""The place of one connection in the limits of connections by address."""

from collections.abc import Sequence

from websockets.datastructures import Headers
from websockets.http11 import Response

from server import metrics
from server.http.connection_limits import ConnectionLimits
from server.http.responses import RETRY_AFTER_S, too_many, too_many_players
from server.websocket.origin import IpNetwork, counted_as


class CountedConnection:
    """A connection, counted for its network until it ends or becomes a websocket.

    A connection of a trusted proxy is not counted. Its requests and websockets are counted for
    their clients instead.
    """

    __slots__ = ("_counted", "_limits", "_peer", "_request_of", "_surplus_of", "_trusted_proxies")

    def __init__(
        self, limits: ConnectionLimits, trusted_proxies: Sequence[IpNetwork], peer: str
    ) -> None:
        self._limits = limits
        self._trusted_proxies = trusted_proxies
        self._peer = peer
        self._counted: str | None = None  # the network that the connection is counted for
        self._surplus_of: str | None = None  # the network of a connection above the limit
        self._request_of: str | None = None  # the network that the present request is counted for

    @property
    def is_surplus(self) -> bool:
        """Return whether the connection is above the limit, and gets nothing but a refusal."""
        return self._surplus_of is not None

    def begin(self) -> bool:
        """Count the connection; return False if it is above the limit of refusals too."""
        network = self.network_of(Headers())
        if network is None:
            return True
        limits = self._limits
        if limits.connections.enter(network):
            self._counted = network
            if limits.rate.take(network):
                return True
        metrics.turned_away.labels("connections").inc()
        if not limits.turned_away.enter(network):
            return False
        self._surplus_of = network
        return True

    def end(self) -> None:
        """Stop counting the connection, which is lost."""
        self._stop_counting()
        if self._surplus_of is not None:
            self._limits.turned_away.leave(self._surplus_of)
            self._surplus_of = None

    def begin_request(self, headers: Headers) -> Response | None:
        """Count a request that came over a proxy; return the refusal if it is above the limit."""
        network = None if self._counted is not None else self.network_of(headers)
        if network is None:
            return None
        if not self._limits.connections.enter(network):
            metrics.turned_away.labels("connections").inc()
            return too_many("connections", RETRY_AFTER_S)
        self._request_of = network
        return None

    def end_request(self) -> None:
        """Stop counting the request, which is answered."""
        if self._request_of is not None:
            self._limits.connections.leave(self._request_of)
            self._request_of = None

    def become_player(self, headers: Headers) -> Response | None:
        """Count a websocket instead of the connection; return the refusal if there are too many.

        The websocket is counted in `ConnectionLimits.players` for `network_of(headers)`, until the
        caller removes it there.
        """
        network, limits = self.network_of(headers), self._limits
        if network is None:
            return None
        if self._counted is None and not limits.rate.take(network):
            metrics.turned_away.labels("connections").inc()
            return too_many("connections", limits.rate.wait_s(network))
        if not limits.players.enter(network):
            return too_many_players()
        self._stop_counting()
        return None

    def network_of(self, headers: Headers) -> str | None:
        """Return the network for which a request with these headers is counted, if any."""
        return counted_as(self._peer, headers, self._trusted_proxies)

    def _stop_counting(self) -> None:
        if self._counted is not None:
            self._limits.connections.leave(self._counted)
            self._counted = None
