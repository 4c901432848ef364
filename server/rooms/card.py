"""The card of a match: which of its games are played, which are open, and which comes next.

Source: text 3, "Which game do you want to play?"; RULES, Match.
"""

from server.rooms.record import Room, Round


def numbers(played: tuple[Round, ...]) -> tuple[int, ...]:
    """Return the game of the card (from 1) of each round of one match, in the order of playing.

    Rounds that were stored before games could be chosen were played in the order of the card.
    """
    return tuple(each.game or place for place, each in enumerate(played, 1))


def open_games(room: Room) -> tuple[int, ...]:
    """Return the games of the card that are not yet played; none once the match is over."""
    played = numbers(room.played())
    return tuple(game for game in range(1, room.settings.rounds + 1) if game not in played)


def next_game(room: Room) -> int | None:
    """Return the game of the next round: the chosen one, or the lowest that is not yet played.

    None once the match is over.
    """
    games = open_games(room)
    return room.chosen if room.chosen in games else min(games, default=None)


def game_of(room: Room) -> int:
    """Return the game of the card of the room's current round."""
    assert room.round is not None, "the room has a round"
    if room.round.game is not None:
        return room.round.game
    earlier = [each for each in room.played() if each.n < room.round.n]
    return len(earlier) + 1
