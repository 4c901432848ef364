"""Moving a seat to another device, handing a room over, and deleting a table."""

from protocol.vocabulary import CARRY_S
from server.rooms.admission import MAX_PAST_BROWSERS
from tests.rooms.rooms import BOB
from tests.rooms.stories import play, story_test

test_a_code_moves_its_seat_once = story_test(f"""
Only the device of the seat changes
  running; Bob Carry token=code
  Bob moves @+9m browser=phone attempt=attempt-of-phone -> Bob RACING on moved=1
  Bob drops generation=1; Bob returns generation=7 -> Bob RACING on generation=7
It works in every state, and the host stays host
  lobby; Ada Carry token=code; Ada moves -> Ada SEATED player, host=Ada
  finished; Ada Carry token=code; Ada moves -> FINISHED, host=Ada
  lobby; Cy Carry token=code; Cy moves -> Cy WATCHING spectator moved=1
A seat does not move with another seat's code, or with an expired or replaced one
  lobby; Bob moves -> !BAD_TOKEN
  Ada Carry token=code; Bob moves -> !BAD_TOKEN
  Bob Carry token=code; Bob moves code=other -> !BAD_TOKEN
  ? Bob moves @+{CARRY_S}s-1 -> Bob moved=1
  ? Bob moves @+{CARRY_S}s -> !BAD_TOKEN
  Bob Carry token=new; Bob moves -> !BAD_TOKEN
  Bob moves code=new -> Bob moved=1
It works once, but the same attempt may be repeated until the code expires
  lobby; Bob Carry token=code; Bob moves attempt=attempt-of-phone
  Bob moves attempt=attempt-of-phone -> same
  Bob moves attempt=attempt-of-other -> !BAD_TOKEN
  Bob moves -> !BAD_TOKEN
  Bob moves attempt=attempt-of-phone @+{CARRY_S}s -> !BAD_TOKEN
  lobby; Bob Carry token=code; Bob moves -> Bob carry=None
  Bob moves -> !BAD_TOKEN
The code of a seat that was given up or removed does not work
  running; Bob Carry token=code; Bob Leave; 1 moves -> !BAD_TOKEN
  running; Bob Carry token=code; Ada Kick Bob; 1 moves -> !BAD_TOKEN
  lobby; Bob Carry token=code; Bob Leave; 1 moves -> !BAD_TOKEN
Applicants cannot move their seats
  lobby approve=True; Dee joins; Dee Carry token=code -> !NO_SUCH_SEAT
The new device may be banned, or have a seat already
  house; Eve joins at=THIRD browser=eves; Ada Kick Eve ban=True; Bob Carry token=code
  ? Bob moves at=THIRD -> !BANNED
  ? Bob moves at=HOME browser=eves -> !BANNED
  Bob moves at=HOME -> Bob moved=1
  house one_seat=True; Bob Carry token=code; Bob moves at=HOME -> !ONE_SEAT
  Bob moves at=THIRD -> Bob moved=1
""")


test_a_browser_that_had_a_seat_gets_no_second_game = story_test("""
A browser that has played and moved its seat away cannot start with another seat
  window; Dee joins at=AWAY browser=laptop; Dee Chase; Dee Carry token=code
  Dee moves browser=phone; Eve joins at=THIRD browser=laptop; Eve Chase -> !ONE_SEAT
Nor can the browser that got it, or a seat that was moved to or from a browser that has played
  window; Dee joins at=AWAY browser=laptop; Eve joins at=AWAY browser=phone; Dee Chase
  Dee Carry token=code; Dee moves browser=phone; Eve Chase -> !ONE_SEAT
  window; Dee joins at=AWAY browser=laptop; Eve joins at=AWAY browser=phone; Dee Chase
  Eve Carry token=code; Eve moves browser=laptop; Eve Chase -> !ONE_SEAT
  window; Dee joins at=AWAY browser=laptop; Eve joins at=AWAY browser=laptop; Dee Chase
  Eve Carry token=code; Eve moves browser=phone; Eve Chase -> !ONE_SEAT
After moving to a browser that does not know the cards a player can start
  window; Dee joins at=AWAY browser=laptop; Dee Carry token=code; Dee moves browser=phone
  Dee Chase -> Dee RACING
If each person has one seat, the old browser gets no other seat
  house one_seat=True; Eve joins at=HOME2 browser=laptop; Eve Carry token=code
  Eve moves at=THIRD browser=phone; Fay joins at=HOME3 browser=laptop -> !ONE_SEAT
A ban covers the seat's earlier browsers
  house; Eve joins at=THIRD browser=laptop; Eve Carry token=code; Eve moves browser=phone
  Ada Kick Eve ban=True; Fay joins at=HOME browser=laptop -> !BANNED
""")


def test_past_browsers_are_kept_once_each_and_bounded() -> None:
    browsers = "ABABCDEFGHIJKLMNOP"
    moves = "; ".join(f"Dee Carry token=code; Dee moves browser={name}" for name in browsers)
    room = play(f"lobby; Dee joins at=AWAY browser=A; {moves.removesuffix('; Dee moves')}")
    (dee,) = (seat for seat in room.seats if seat.name == "Dee")
    assert len(dee.past_browsers) == len({*dee.past_browsers, dee.browser}) - 1
    assert len(dee.past_browsers) == MAX_PAST_BROWSERS


test_the_host_hands_the_room_over = story_test("""
To any connected person, in any state
  lobby; Ada HandOver Bob -> host=Bob
  ? Ada HandOver Bob -> !NOT_HOST
  Ada is gone; Ada returns -> host=Bob
  running; Ada HandOver Cy -> host=Cy
  finished; Ada HandOver Bob; Bob NextRound -> LOBBY, host=Bob
Only the host can do it, and not to computers or absent people
  bot_lobby; Ada HandOver Web -> !NO_SUCH_SEAT
  lobby; Bob HandOver Cy -> !NOT_HOST
  Bob drops; Ada HandOver Bob -> !NO_SUCH_SEAT
  Ada HandOver 7 -> !NO_SUCH_SEAT
An acting host hands over only the acting role
  running; Ada is gone -> host=Bob
  Bob HandOver Cy -> host=Cy
  Ada returns -> host=Ada
""")


test_the_host_deletes_a_table = story_test("""
Only the host can do it
  table; Bob DeleteTable -> !NOT_HOST
  Ada DeleteTable -> CLOSED
An acting host cannot do it
  table; Ada Ready; Bob Ready; tick @T0; Ada is gone; Bob DeleteTable -> !NOT_HOST
A room that is not a table cannot be deleted
  lobby; Ada DeleteTable -> !NOT_IN_STATE
""")


def test_the_code_of_a_seat_is_stored_and_read_again() -> None:
    room = play("lobby; Bob Carry token=code; Bob moves browser=phone attempt=attempt-of-phone")
    assert type(room).model_validate_json(room.model_dump_json()) == room
    assert room.seats[BOB].carry is not None
    plain = play("lobby").model_dump_json()
    assert not any(field in plain for field in ("carry", "moved", "past_browsers", "is_deleted"))
