"""The card of a match: which of its games are played, which are open, and which comes next.

Source: text 3, "Which game do you want to play?"; RULES, Match.
"""

from server.rooms.record import Room, Round


def numbers(played: tuple[Round, ...]) -> tuple[int, ...]:
    """The game of the card that each round of one match was, from 1, in the order of playing.

    Rounds that were stored before games could be chosen were played in the order of the card.
    """
    return tuple(each.game or place for place, each in enumerate(played, 1))


def open_games(room: Room) -> tuple[int, ...]:
    """The games of the card that are still to be played; none once the match is over."""
    played = numbers(room.played())
    return tuple(game for game in range(1, room.settings.rounds + 1) if game not in played)


def next_game(room: Room) -> int | None:
    """The game that the next round will be: the chosen one, or the lowest not yet played.

    None once the match is over.
    """
    still = open_games(room)
    return room.chosen if room.chosen in still else min(still, default=None)


def game_of(room: Room) -> int:
    """The game of the card that the room's round of now is."""
    assert room.round is not None, "the room has a round"
    if room.round.game is not None:
        return room.round.game
    earlier = [each for each in room.played() if each.n < room.round.n]
    return len(earlier) + 1
