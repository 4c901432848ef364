"""The card of a match: which of its games are played, which are open, and which comes next.

Source: text 3, "Which game do you want to play?"; RULES, Match.
"""

from server.rooms.record import Room, Round


def numbers(played: tuple[Round, ...]) -> tuple[int, ...]:
    """Return the game of the card (from 1) of each round of one match, in the order of playing."""
    return tuple(each.game for each in played)


def open_games(room: Room) -> tuple[int, ...]:
    """Return the games of the card that are not yet played; none once the match is over."""
    played = numbers(room.played())
    return tuple(game for game in range(1, room.settings.rounds + 1) if game not in played)


def next_game(room: Room) -> int | None:
    """Return the next game: the chosen one, or the lowest unplayed; None after the match."""
    games = open_games(room)
    return room.chosen_game if room.chosen_game in games else min(games, default=None)
