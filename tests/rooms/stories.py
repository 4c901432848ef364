"""Stories: events in a room and their effects.

    A title in one line
      running time_limit_s=600; Cy drops  a room of `tests.rooms.rooms`, and its first event
      Bob Forfeit @+9s {Bob score=5}      a seat's command, its time, and the stats in the store
      ? Ada Abort -> LOBBY                an event that is tried and then taken back
      Ada Kick 9 -> !NO_SUCH_SEAT         a refusal; `same` is no change at all
      tick @T0+10m -> FINISHED, Bob TIMED_OUT gone score=5, host=Ada, deadline=T0+1h

Times are sums of milliseconds, `s`, `m`, `h` and constants; with a leading sign they are relative
to the event before. Other events are `Dee joins`, `Bob drops`, `Bob returns`, `Bob moves` (to
another device, with the code of his `Carry token=code`), `Bob ends` (his game), `Bob is gone` and
`all are gone` (their grace is over), `process here dies` and `tick`. A fact is the room's state,
or a seat with its state, presence, role and fields, or a field of the room or its round.
"""

import re
from ast import literal_eval
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from protocol import from_client
from protocol.settings import Settings
from protocol.vocabulary import HOST_WAIT_S, RoomState
from server.rooms.admission import ClientOrigin, identify
from server.rooms.computer_players import LEAVES_AFTER_MS
from server.rooms.events import (
    COUNTDOWN_MS,
    GRACE_MS,
    KEPT_DAYS,
    Closed,
    Disconnected,
    Event,
    GameEnded,
    ProcessDied,
    Reconnected,
    Reported,
    SitDown,
    TakenOver,
    Tick,
)
from server.rooms.lobby import open_room
from server.rooms.race import DESERTED_MS
from server.rooms.record import (
    DAY_MS,
    Identity,
    Kept,
    Outgoing,
    PlayerStats,
    Room,
    Seat,
    next_game,
    played_games,
    round_of,
)
from server.rooms.room import FINISHED_IDLE_MS, LOBBY_IDLE_MS, WINDOW_IDLE_MS, apply, deadline
from server.rooms.seats import BOT_GRACE_MS
from server.views.finished_rounds import match_view
from tests.present import present
from tests.rooms import rooms
from tests.rooms.rooms import CODE, ENTROPY, NOW, T0, joins, leaderboard, refused_code, sends
from tests.stories import told

WON = PlayerStats(score=990, won=True, finished_ms=60_000)
TIMES = {
    "NOW": NOW,
    "T0": T0,
    "COUNTDOWN": COUNTDOWN_MS,
    "GRACE": GRACE_MS,
    "HOST_WAIT": HOST_WAIT_S * 1_000,
    "BOT_GRACE": BOT_GRACE_MS,
    "LEAVES_AFTER": LEAVES_AFTER_MS,
    "DESERTED": DESERTED_MS,
    "LOBBY_IDLE": LOBBY_IDLE_MS,
    "FINISHED_IDLE": FINISHED_IDLE_MS,
    "WINDOW_IDLE": WINDOW_IDLE_MS,
    "KEPT": KEPT_DAYS * DAY_MS,
}
UNITS = {"s": 1_000, "m": 60_000, "h": 3_600_000}
PLACES = {"HOME": "203.0.113.1", "AWAY": "203.0.113.2", "THIRD": "203.0.113.3"}
STEP = re.compile(r"(\? )?(.*?)(?: @(\S+))?(?: \{(.*)\})?(?: -> (.*))?")


def identity_at(place: str, browser: str = "") -> Identity:
    """Return the identity of a browser in the network of a place."""
    return identify(
        "salt", ClientOrigin(PLACES.get(place, place), browser or f"browser at {place}")
    )


def sits(name: str, place: str = "", browser: str = "", **fields: Any) -> SitDown:
    """Return the event of a newcomer from a place, with other fields of `Join` or `SitDown`."""
    of_join = {key: fields.pop(key) for key in ("role", "kind") if key in fields}
    identity = identity_at(place, browser) if place else Identity()
    event = joins(name, **of_join, identity=identity, **fields)
    message = event.message.model_copy(update={"browser": browser and f"{browser:_<16}"})
    return replace(event, message=message)


def house(**settings: Any) -> Room:
    """Return a room with its host Ada in one network and Bob in another."""
    room = open_room(CODE, "Ada", Settings(**settings), "salt", **identity_at("HOME")._asdict())
    return apply(room, sits("Bob", "AWAY"))


def bot_lobby(**settings: Any) -> Room:
    """Return the lobby of Ada and Web (1), who is connected."""
    room = open_room(CODE, "Ada", Settings(**settings))
    room = apply(room, replace(sends(0, from_client.AddBot(level="club")), token_hash="a" * 16))
    return apply(room, Reconnected(1, 2, "bots"))


def bot_race(**settings: Any) -> Room:
    room = apply(bot_lobby(**settings), sends(0, from_client.Ready()))
    return apply(room, Tick(T0))


def table(**settings: Any) -> Room:
    """Return the lobby of a kept table."""
    return rooms.lobby(**settings).replace(kept=Kept(since=NOW, raced=NOW))


def chased(**settings: Any) -> Room:
    """Return a race of Ada and Bob that Cy and Dee chase, one of them a new player."""
    room = apply(
        rooms.running(chasers=True, **settings), sends(2, from_client.Chase(), T0 + 60_000)
    )
    return apply(apply(room, joins("Dee")), sends(3, from_client.Chase(), T0 + 90_000))


def window(**settings: Any) -> Room:
    """Return an open window of a day; nobody has started."""
    room = rooms.lobby(**{"window_s": 86_400, **settings})
    return apply(room, sends(0, from_client.Start(), T0))


def shut(**settings: Any) -> Room:
    """Return an open window in a locked room."""
    room = window(**settings)
    locked = room.settings.model_copy(update={"locked": True})
    return apply(room, sends(0, from_client.Configure(settings=Settings(**dict(locked))), T0))


def abandoned(**settings: Any) -> Room:
    """Return a race whose Bob is gone."""
    return rooms.happen(rooms.running(**settings), Disconnected(1, 1, T0), Tick(T0 + GRACE_MS))


def taken(**settings: Any) -> Room:
    """Return a race with a stand-in for Bob, whose token is A."""
    asked = sends(0, from_client.AddStandIn(seat=1, level="club"), T0 + GRACE_MS)
    asked = replace(asked, token_hash="A")
    return rooms.happen(abandoned(**settings), asked, Reconnected(1, 5, "bots", stand_in="A"))


BUILDERS: dict[str, tuple[Callable[..., Room], int]] = {
    "open": (lambda **settings: open_room(CODE, "Ada", Settings(**settings)), NOW),
    "house": (house, NOW),
    "lobby": (rooms.lobby, NOW),
    "table": (table, NOW),
    "counting_down": (rooms.counting_down, NOW),
    "running": (rooms.running, T0),
    "chased": (chased, T0 + 90_000),
    "window": (window, T0),
    "shut": (shut, T0),
    "abandoned": (abandoned, T0 + GRACE_MS),
    "taken": (taken, T0 + GRACE_MS),
    "practice": (rooms.practice, T0),
    "finished": (rooms.finished, T0),
    "closed": (rooms.closed, T0 * 2),
    "bot_lobby": (bot_lobby, NOW),
    "bot_race": (bot_race, T0),
}
"""The rooms that a story can start with, and the time."""


def play(text: str) -> Room:
    """Apply the events of a story, check its facts, and return the room."""
    story = Story()
    for line in text.splitlines():
        for step in line.strip().split("; "):
            try:
                story.tell(step)
            except Exception as error:
                error.add_note(f"At `{step}` of `{line.strip()}` in the room {story}.")
                raise
    return story.room


story_test = partial(told, play)
"""Return a test that plays each story of a text."""


def field_of(text: str) -> tuple[str, Any]:
    """Return the name and the value in a text such as `rounds=3`."""
    name, _, value = text.partition("=")
    try:
        return name, literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value


def stats_of(text: str) -> PlayerStats:
    """Return the stats in a text such as `won score=990` or `score=7 moves=3`."""
    fields = dict(field_of(word) for word in text.split() if word != "won")
    return (WON if "won" in text.split() else PlayerStats()).model_copy(update=fields)


def raced(room: Room, now: int, *scores: int) -> Room:
    """Return the room after another round with these scores; each point takes a second."""
    players = [seat.number for seat in room.seats if seat.role == "player"]
    if room.state is RoomState.FINISHED:
        room = apply(room, sends(0, from_client.NextRound(), now))
    room = rooms.happen(room, *(sends(seat, from_client.Ready(), now) for seat in players))
    t0 = round_of(room).t0
    room = apply(room, Tick(t0))
    for seat, score in zip(players, scores, strict=True):
        counts: dict[str, Any] = {"moves": score, "exceptions": 1, "hints": 2, "cheats": 3}
        stats = PlayerStats(score=score, finished_ms=score * 1_000, **counts)
        room = apply(room, GameEnded(seat, round_of(room).n, t0 + 1, {seat: stats}))
    return room


def card_of(room: Room) -> str:
    """Return the games of a match's card: `x` for played ones, the next one in brackets."""
    played = played_games(room)
    return " ".join(
        f"({game})" if game == next_game(room) else "x" if game in played else str(game)
        for game in range(1, room.settings.rounds + 1)
    )


def match_of(room: Room, part: str) -> str:
    """Return a match's `winners`, or whether it is `over`, or its totals.

    A total has the place, name, scores, wins and sum.
    """
    view = match_view(room)
    if view is None:
        return "None"
    if part == "over":
        return str(view.over)
    if part == "winners":
        return " ".join(card.name for card in view.cards if card.seat in view.winners)
    lines = []
    for card in view.cards:
        scores = ["-" if line is None else line.score for line in card.lines]
        lines.append(" ".join(map(str, (card.place or "-", card.name, *scores))))
        lines[-1] += f" = {card.wins} {card.score}"
    return " / ".join(lines)


class Story:
    """A room, the time and the stored stats in the course of a story."""

    def __init__(self) -> None:
        self.room = rooms.lobby()
        self.now = NOW
        self.stats: Mapping[int, PlayerStats] = {}

    def __str__(self) -> str:
        return f"{self.room.state}: {rooms.states(self.room)}; {rooms.connections(self.room)}"

    def tell(self, line: str) -> None:
        is_tried, what, when, stats, facts = present(STEP.fullmatch(line)).groups()
        word, *rest = what.split()
        if word in BUILDERS:
            build, self.now = BUILDERS[word]
            self.room = build(**dict(map(self.field, rest)))
            if self.room.state is RoomState.FINISHED:
                self.now = present(round_of(self.room).ended)
            self.check(self.room, facts)
            return
        before, now = self.room, self.now
        self.now = self.time(when) if when else self.now
        self.stats = dict(map(self.stat, stats.split(", "))) if stats else {}
        if word == "race":
            self.room = raced(self.room, self.now, *map(int, rest))
            self.check(self.room, facts)
        elif facts and facts.startswith("!"):
            assert refused_code(before, self.event(what)).name == facts[1:]
        else:
            who = re.sub(" (is|are) gone$", "", what)
            if who != what:
                for name in [seat.name for seat in before.seats] if who == "all" else [who]:
                    self.room = apply(self.room, self.event(f"{name} drops"))
                self.now, what = self.now + GRACE_MS, "tick"
            self.room = apply(self.room, self.event(what))
            assert facts != "same" or self.room is before, "the event changes the room"
            self.check(self.room, None if facts == "same" else facts)
        if is_tried:
            self.room, self.now = before, now

    def time(self, text: str) -> int:
        """Return the time given by a sum such as `+9s` or `T0-1+GRACE`."""
        total = self.now if text[0] in "+-" else 0
        for sign, name, span, unit in re.findall(r"([+-]?)(?:([A-Z]\w*)|([\d_]+)(\w?))", text):
            term = TIMES[name] if name else int(span) * UNITS.get(unit, 1)
            total += -term if sign == "-" else term
        return total

    def seat(self, name: str, room: Room | None = None) -> Seat:
        room = room or self.room
        return next(seat for seat in (*room.seats, *room.waiting) if seat.name == name)

    def named(self, text: str, room: Room) -> tuple[Seat | None, str]:
        """Return the seat whose name starts a text, and the rest of the text."""
        seats = sorted((*room.seats, *room.waiting), key=lambda seat: -len(seat.name))
        for seat in seats:
            if text.startswith(f"{seat.name} "):
                return seat, text[len(seat.name) + 1 :]
        return None, text

    def field(self, text: str) -> tuple[str, Any]:
        """Return a field such as `rounds=3`; for a seat's name or number, the field `seat`."""
        if "=" in text:
            return field_of(text)
        return "seat", int(text) if text.isdecimal() else self.seat(text).number

    def stat(self, text: str) -> tuple[int, PlayerStats]:
        seat, fields = self.named(f"{text} ", self.room)
        return present(seat).number, stats_of(fields)

    def event(self, text: str) -> Event:  # noqa: PLR0911  # a return for each kind of event
        """Return the event of a step."""
        match text.split():
            case ["tick", *entropy]:
                return Tick(self.now, self.stats, ENTROPY if entropy else None)
            case ["the", "operator", "closes", "it"]:
                return Closed()
            case ["process", name, "dies"]:
                return ProcessDied(name.strip('"'), self.now)
            case ["round", n, "is", "reported"]:
                due = self.room.outbox.get(int(n), Outgoing(due=self.now))
                return Reported(int(n), due, None)
            case [name, "joins", *words]:
                fields = dict(map(self.field, words))
                origin = fields.pop("at", ""), fields.pop("browser", "")
                return sits(name, *origin, **fields)
            case _:
                pass  # an event of a seat
        seat, rest = self.named(text, self.room)
        verb, *words = rest.split()
        if seat is None:  # the text has a number, which may not exist
            seat = self.room.seat(int(verb)) or self.room.applicant(int(verb))
            generation = seat.generation if seat else 1
            fields = dict(map(self.field, words[1:]))
            return self.event_of(int(verb), generation, words[0], fields)
        return self.event_of(seat.number, seat.generation, verb, dict(map(self.field, words)))

    def event_of(self, seat: int, generation: int, verb: str, fields: dict[str, Any]) -> Event:
        match verb:
            case "drops":
                return Disconnected(seat, fields.get("generation", generation), self.now)
            case "returns":
                if "at" in fields:
                    fields["networks"] = identity_at(fields.pop("at")).networks
                return Reconnected(seat, **{"generation": generation + 1, **fields})
            case "moves":
                identity = identity_at(fields.pop("at", "AWAY"), fields.get("browser", ""))
                message = from_client.TakeOver(room=CODE, **{"code": "code", **fields})
                return TakenOver(seat, message, message.code, identity, self.now)
            case "ends":
                n = fields.get("n", self.room.rounds_started)
                return GameEnded(seat, n, self.now, self.stats)
            case "Changes":
                verb, fields = "Configure", {**dict(self.room.settings), **fields}
            case _:
                pass  # any other command
        token = fields.pop("token", "")
        if verb == "Configure":
            fields = {"settings": Settings(**fields)}
        command = sends(seat, getattr(from_client, verb)(**fields), self.now, self.stats)
        return replace(command, token_hash=token)

    def check(self, room: Room, facts: str | None) -> None:
        for fact in facts.split(", ") if facts else ():
            seat, rest = self.named(fact, room)
            if fact in RoomState.__members__:
                assert room.state.name == fact
            elif seat:
                self.check_seat(room, seat, rest)
            elif fact.endswith(" absent"):
                assert fact.removesuffix(" absent") not in rooms.states(room)
            else:
                name, _, value = fact.partition("=")
                assert self.value(room, name, value) == self.expected(name, value), fact

    def check_seat(self, room: Room, seat: Seat, facts: str) -> None:
        known = {seat.state.name, seat.connection.value, seat.role, seat.colour}
        known |= {"waiting"} if seat in room.waiting else {"seated"}
        for fact in facts.split():
            name, _, value = fact.partition("=")
            if value:
                holder: Any = seat
                if name in PlayerStats.model_fields:
                    holder = round_of(room).results[seat.number]
                elif name not in Seat.model_fields:
                    rows = leaderboard(room, self.stats)
                    holder = next(row for row in rows if row.seat == seat.number)
                assert getattr(holder, name) == self.field(fact)[1], fact
            else:
                assert fact in known, fact

    def expected(self, name: str, value: str) -> Any:
        if value != "None" and name in {"deadline", "idle_since", "t0", "t_end", "ended"}:
            return self.time(value)
        return value

    def value(self, room: Room, name: str, value: str) -> Any:
        """Return a field of the room or its round in the notation of facts."""
        match name:
            case "deadline":
                found: Any = deadline(room)
            case "host" | "past_hosts":
                numbers = [room.host] if name == "host" else room.past_hosts
                names = {seat.number: seat.name for seat in room.seats}
                found = " ".join("None" if n is None else names[n] for n in numbers)
            case "card":
                found = card_of(room)
            case "totals" | "winners" | "over":
                found = match_of(room, name)
            case "wins":
                found = " ".join(str(seat.wins) for seat in room.seats)
            case "board":
                rows = leaderboard(room, self.stats)
                found = " ".join(f"{row.place or '-'} {row.name}" for row in rows)
            case "seats" | "waiting":
                found = len(getattr(room, name))
            case "kept":
                found = len(room.rounds)
            case _:
                has_it = name in Room.model_fields
                found = getattr(room if has_it else round_of(room), name)
        is_time = isinstance(found, int) and not isinstance(found, bool)
        return found if is_time and not value.isdecimal() else str(found)
