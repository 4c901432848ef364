"""The parts of the protocol's page that are made from the contract."""

from protocol.documents import shortened, with_made_parts


def test_only_what_stands_between_the_marks_is_made() -> None:
    page = "Before.\n<!-- made: close_codes -->\nold\n<!-- end -->\nBehind.\n"
    before, _, rest = with_made_parts(page).partition("<!-- made: close_codes -->\n")
    made, _, behind = rest.partition("<!-- end -->")
    assert (before, behind) == ("Before.\n", "\nBehind.\n")
    assert "old" not in made
    assert "| 4501 | the server does not support this protocol version | stops |" in made
    assert "| 4001 | the server is being restarted | connects again and resumes |" in made


def test_long_parts_of_examples_are_cut() -> None:
    room = {"room": {"code": "7K3QZ0A", "v": 1, "state": "LOBBY", "host": 0}, "gone": [1, 2, 3]}
    assert shortened(room) == {
        "room": {"code": "7K3QZ0A", "v": 1, "state": "LOBBY", "…": "…"},
        "gone": [1, 2, "…"],
    }
