"""Replies to one client."""

import re

import segno

from server.views.replies import qr_code

RUN = re.compile(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z")
LINK = "https://race.example/r/7K3QZ0A#seat=b25lLXRpbWUtY29kZQ"


def test_a_qr_code_has_exactly_the_dark_modules_of_its_text_within_its_margin() -> None:
    path, size = qr_code(LINK)
    assert RUN.sub("", path) == ""
    runs = [tuple(map(int, run)) for run in RUN.findall(path)]
    dark = {(x + step, y) for x, y, width, _ in runs for step in range(width)}
    assert all(width == back for _, _, width, back in runs)
    matrix = segno.make(LINK, micro=False).matrix
    assert size == len(matrix) + 4
    assert dark == {
        (x, y) for y, row in enumerate(matrix, 2) for x, module in enumerate(row, 2) if module
    }
