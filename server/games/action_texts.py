from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from protocol.games import GAMES
from server.games.actions import Action, format_action, parse_action

KEPT = 4_096  # the number of texts that are looked up; Spider has 2,600 moves between columns


class ActionTexts:
    """The notation of a variant's actions, specified in `NOTATION.md`.

    Each text is made and read once, then looked up; texts that are no actions are not kept, and
    beyond `KEPT` none are.
    """

    def __init__(self, pile_names: Sequence[str]) -> None:
        self._pile_names = pile_names
        self._texts = _Texts(pile_names)
        self._actions: dict[str, Action] = {}

    def format(self, action: Action) -> str:
        """Return an action as text."""
        return self._texts[action]

    def parse(self, text: str) -> Action:
        """Return the action that a text describes.

        Raises:
            NotationError: The text is not the notation of an action, or names an unknown pile.
        """
        action = self._actions.get(text)
        if action is None:
            action = parse_action(text, self._pile_names)
            if len(self._actions) < KEPT:
                self._actions[text] = action
        return action

    def format_legal(self, actions: Iterable[Action]) -> str:
        """Return actions as one text, in their order: `t9x1-t4,deal,undo`; empty for none."""
        return ",".join(map(self._texts.__getitem__, actions))

    def parse_legal(self, text: str) -> tuple[Action, ...]:
        """Return the actions that `format_legal` has put into a text.

        Raises:
            NotationError: A part of the text is not an action.
        """
        return tuple(map(self.parse, text.split(","))) if text else ()


class _Texts(dict[Action, str]):
    """The text of each action, made when it is first needed."""

    def __init__(self, pile_names: Sequence[str]) -> None:
        self._pile_names = pile_names

    def __missing__(self, action: Action) -> str:
        text = format_action(action, self._pile_names)
        if len(self) < KEPT:
            self[action] = text
        return text


ACTION_TEXTS: Final[Mapping[str, ActionTexts]] = {
    game: ActionTexts(variant.pile_names) for game, variant in GAMES.items()
}
"""The notation of the actions of each game, by the game's id."""
