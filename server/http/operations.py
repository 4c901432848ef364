"""Health, readiness and metrics, on the operators' port, which players do not reach."""

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus

import structlog
from websockets.http11 import Response

from server.http.request import HttpRequest
from server.http.responses import plain_response, text_response
from server.store import StoreDamaged, StoreError, StoreParts

Scrape = Callable[[], Awaitable[bytes]]

log = structlog.get_logger()


class Operations:
    """The routes of the operators' port."""

    def __init__(self, store: StoreParts, scrape: Scrape, draining: Callable[[], bool]) -> None:
        self._store = store
        self._scrape = scrape
        self._draining = draining
        self._routes: Mapping[str, Callable[[], Awaitable[Response]]] = {
            "/healthz": self._healthz,
            "/readyz": self._readyz,
            "/metrics": self._metrics,
        }

    async def answer(self, request: HttpRequest) -> Response:
        """Return the response to a request; an unknown path gets a 404."""
        route = self._routes.get(request.path)
        if route is None:
            return text_response(HTTPStatus.NOT_FOUND, "not found\n")
        return await route()

    async def _healthz(self) -> Response:
        """Answer whether this process gets notifications through the store."""
        try:
            await self._store.pubsub.probe()
        except StoreError as error:  # away, or Redis refuses this process's messages
            log.warning("not healthy", why=str(error))
            return text_response(
                HTTPStatus.SERVICE_UNAVAILABLE, "no notifications come through the store\n"
            )
        return text_response(HTTPStatus.OK, "ok\n")

    async def _readyz(self) -> Response:
        """Answer whether this process can take more players."""
        if self._draining():
            return text_response(HTTPStatus.SERVICE_UNAVAILABLE, "draining\n")
        try:
            await self._store.ready()
        except StoreDamaged as error:
            return text_response(HTTPStatus.SERVICE_UNAVAILABLE, f"{error}\n")
        except StoreError:
            return text_response(HTTPStatus.SERVICE_UNAVAILABLE, "the store is away\n")
        return text_response(HTTPStatus.OK, "ready\n")

    async def _metrics(self) -> Response:
        page = await self._scrape()
        content_type = "text/plain; version=0.0.4; charset=utf-8"
        return plain_response(HTTPStatus.OK, content_type, page)
