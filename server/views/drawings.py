"""The wordmark, the marks of players, as in `start/page.css` and `mark.css`, and QR codes."""

from collections.abc import Mapping
from itertools import groupby
from typing import Final

import segno

WORDMARK: Final = "<g transform='scale(.375)'><path d='M25 30 15 24 10 10M22 36 11 34 4 24M22 41 11 44 6 55M26 46 18 52 16 61M39 30 49 24 54 10M42 36 53 34 60 24M42 41 53 44 58 55M38 46 46 52 48 61' fill='none' stroke='#fff' stroke-width='3.6' stroke-linecap='round' stroke-linejoin='round'/><path d='M32 17C37 25 45 30 45 39 45 47 37 48 34 44Q34.5 48 37 51H27Q29.5 48 30 44C27 48 19 47 19 39 19 30 27 25 32 17Z' fill='#fff'/></g><g transform='translate(30 5)skewX(-9)' fill='none' stroke='#fff' stroke-width='2.5' stroke-linecap='round' stroke-linejoin='round'><path d='M9.5 2.6C8.2-.8.8-1 .8 3.5.8 8 9.8 6 9.8 10.5 9.8 15 1.4 14.8.2 11.2' transform='translate(0)'/><path d='M.8 14V0H5.5C11.3 0 11.3 7.6 5.5 7.6H.8' transform='translate(14)'/><path d='M.8 0V14' transform='translate(27.4)'/><path d='M.8 0V14H3.5C12.4 14 12.4 0 3.5 0Z' transform='translate(33)'/><path d='M9 0H.8V14H9M.8 6.8H7.6' transform='translate(47.4)'/><path d='M.8 14V0H5.5C11.3 0 11.3 7.6 5.5 7.6H.8M5 7.6 9.8 14' transform='translate(60.4)'/><path d='M.8 14V0H5.5C11.3 0 11.3 7.6 5.5 7.6H.8M5 7.6 9.8 14' transform='translate(82)'/><path d='M0 14 5 0 10 14M1.9 9.300H8.1' transform='translate(96)'/><path d='M9.8 2.6C7.5-1.2.3-1 .3 7 .3 15 7.5 15.2 9.8 11.4' transform='translate(109.4)'/><path d='M9 0H.8V14H9M.8 6.8H7.6' transform='translate(123)'/></g>"  # noqa: E501  # a drawing
"""The wordmark in white, as elements of SVG in a box of 24 units' height."""

PROGRAM: Final = (
    "M7 0h2v3h4a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4z"
    "M4 7v3h3V7zM9 7v3h3V7z"
)
"""The robot's head before the name of a program, as in `widgets/controls.js`, 16 by 16 units."""

TONES: Final[Mapping[str, str]] = {
    "blue": "#0f2fc0",
    "red": "#c8454f",
    "green": "#3d7412",
    "violet": "#8560ea",
    "teal": "#128a94",
    "pink": "#a4007f",
    "gold": "#b5850c",
    "copper": "#703700",
}
"""The colours of players on light grounds."""

SHAPES: Final[Mapping[str, str]] = {
    "blue": "M-1 0a1 1 0 1 1 2 0 1 1 0 1 1-2 0z",
    "red": "M0-1.3 1.2.9H-1.200z",
    "green": "M-1-1H1V1H-1z",
    "violet": "M0-1.4.4-.4 1.4-.4.6.3.9 1.3 0 .7-.9 1.3-.6.3-1.4-.4-.4-.4z",
    "teal": "M-.5-1.300H.5V-.5H1.300V.5H.5V1.300H-.5V.5H-1.300V-.5H-.5z",
    "pink": "M-1 0a1 1 0 1 1 2 0 1 1 0 1 1-2 0zM-.4 0a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0z",
    "gold": "M-1.1-1.100H-.3V1.100H-1.100zM.3-1.100H1.100V1.100H.3z",
    "copper": "M-1.3.2 0-1 1.3.2V1.100L0 0-1.3 1.100z",
}
"""Their marks as paths around 0,0, filled by the rule evenodd."""


MARGIN: Final = 2  # units around a QR code


def qr_code(text: str) -> tuple[str, int]:
    """Return a QR code as the data of an SVG path, and the size of its square in units.

    The path is to be filled. Around it is the margin of the invitation's QR code.
    """
    rows, runs = segno.make(text, micro=False).matrix, []
    for y, row in enumerate(rows, MARGIN):
        x = MARGIN
        for is_dark, modules in groupby(row):
            width = len([*modules])
            if is_dark:
                runs.append(f"M{x} {y}h{width}v1h-{width}z")
            x += width
    return "".join(runs), len(rows) + 2 * MARGIN
