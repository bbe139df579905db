"""A year as one picture: the positions of its parts, which `templates/games/season/year.svg` draws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from games.shown.common.charts import WIDTH as NARROW
from games.shown.common.colours import GOLD, INK, LINE, PAPER, PLAYERS, SHADES, SHEET, SOFT, TONES
from games.shown.season.player import Figure
from games.shown.season.season import FeatRow
from games.shown.season.year import YearShown

WIDTH, EDGE = 1080, 64
INSIDE = WIDTH - 2 * EDGE
TITLE, LETTER = 64, 0.56  # the title's font size, and a letter's width as a share of it
HEAD, CARD, GAP, ROW, FOOT = 170, 150, 24, 104, 80
COLUMNS = 2
COLOURS = {"paper": PAPER, "sheet": SHEET, "line": LINE, "ink": INK, "soft": SOFT, "gold": GOLD}


@dataclass(frozen=True)
class Card:
    """A box of the picture with one figure."""

    figure: Figure
    x: int
    y: int
    tone: str


@dataclass(frozen=True)
class Line:
    """A row of the picture with one record."""

    feat: FeatRow
    y: int


@dataclass(frozen=True)
class Part:
    """The position and height of a chart in the picture; each chart is as wide as the picture."""

    title_y: int
    y: int
    height: int


@dataclass(frozen=True)
class Picture:
    """The whole picture, with the positions of its parts."""

    shown: YearShown
    title_size: int
    cards: tuple[Card, ...]
    lines: tuple[Line, ...]
    flows: Part | None
    calendar: Part
    height: int
    width: int = WIDTH
    inside: int = INSIDE
    card_width: int = (INSIDE - GAP) // COLUMNS
    card_height: int = CARD
    right: int = WIDTH - EDGE
    colours: Mapping[str, str] = field(default_factory=lambda: COLOURS)
    players: Mapping[int, str] = field(default_factory=lambda: PLAYERS)
    shades: Mapping[int, str] = field(default_factory=lambda: dict(enumerate(SHADES)))

    @property
    def foot_y(self) -> int:
        """The vertical position of the last line."""
        return self.height - EDGE // 2


def picture_of(shown: YearShown) -> Picture:
    """Return the picture of a year."""
    cards = tuple(_cards(shown))
    y = HEAD + -(-len(cards) // COLUMNS) * (CARD + GAP)
    lines = tuple(Line(feat, y + number * ROW) for number, feat in enumerate(shown.feats))
    y += len(lines) * ROW + GAP
    flows = None
    if shown.flows is not None:
        flows = _part(shown.flows.box, y)
        y = flows.y + flows.height + GAP
    calendar = _part(shown.calendar.box, y)
    return Picture(
        shown,
        title_size=min(TITLE, int(INSIDE / LETTER / max(len(shown.title), 1))),
        cards=cards,
        lines=lines,
        flows=flows,
        calendar=calendar,
        height=calendar.y + calendar.height + FOOT,
    )


def _cards(shown: YearShown) -> Iterator[Card]:
    wide = (INSIDE - GAP) // COLUMNS + GAP
    for number, figure in enumerate(shown.figures):
        yield Card(
            figure,
            EDGE + number % COLUMNS * wide,
            HEAD + number // COLUMNS * (CARD + GAP),
            TONES.get(figure.tone, INK),
        )


def _part(box: str, y: int) -> Part:
    """Return the position of a chart with this view box, below its title."""
    high = int(box.split()[-1])
    return Part(title_y=y + 44, y=y + 68, height=INSIDE * high // NARROW)
