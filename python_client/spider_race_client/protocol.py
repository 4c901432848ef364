"""The protocol, for programs: `from spider_race_client.protocol import from_client`.

In a copy of the repository its package is `protocol`, once installed `spider_race.protocol`.
"""

from protocol import from_client, games, http, settings, to_client, views, vocabulary

__all__ = ["from_client", "games", "http", "settings", "to_client", "views", "vocabulary"]
