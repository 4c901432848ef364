"""The protocol, for programs; its own package is `spider_race.protocol` once installed."""

from protocol import from_client, games, http, settings, to_client, views, vocabulary

__all__ = ["from_client", "games", "http", "settings", "to_client", "views", "vocabulary"]
