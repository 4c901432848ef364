"""The protocol's modules, for programs: once installed they are in `spider_race.protocol`."""

from protocol import from_client, games, http, settings, to_client, views, vocabulary

__all__ = ["from_client", "games", "http", "settings", "to_client", "views", "vocabulary"]
