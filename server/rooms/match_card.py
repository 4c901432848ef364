"""The card of a match: which of its games are played, which are open, and which comes next.

Source: text 3, "Which game do you want to play?"; RULES, Match.
"""

from server.rooms.record import Room, Round

DOS_CARD = 6
"""The games of the card of text 3, of which any may be played again."""


def numbers(played: tuple[Round, ...]) -> tuple[int, ...]:
    """Return the game of the card (from 1) of each round of one match, in the order of playing."""
    return tuple(each.game for each in played)


def open_games(room: Room) -> tuple[int, ...]:
    """Return the games of the card that are not yet played; none once the match is over."""
    played = numbers(room.played())
    return tuple(game for game in range(1, room.settings.rounds + 1) if game not in played)


def may_be_played_again(room: Room, game: int) -> bool:
    """Return whether a game that is over may be chosen again; the last time counts."""
    return room.settings.rounds == DOS_CARD and game <= DOS_CARD and game in numbers(room.played())


def next_game(room: Room) -> int | None:
    """Return the next game: the chosen one, or the lowest unplayed; None after the match."""
    games, chosen = open_games(room), room.chosen_game
    if chosen is not None and room.plays_again and may_be_played_again(room, chosen):
        return chosen
    return chosen if chosen in games else min(games, default=None)
