"""The positions for the picture of a year (`year.svg`), and for that of one card of it (`year_card.svg`).

Positions and sizes are in pixels from the top left corner. A card of the year is a picture of its own of a
part of the year, such as one record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from games.shown.common.charts import WIDTH as NARROW
from games.shown.common.colours import (
    CLOTH,
    COIN,
    GOLD,
    INK,
    LINE,
    ON_CLOTH,
    PAPER,
    PLAYERS,
    SHADES,
    SHEET,
    SOFT,
    TONES,
)
from games.shown.common.people import Person
from games.shown.season.player import Figure
from games.shown.season.season import FeatRow
from games.shown.season.year import YearCard, YearShown

WIDTH, EDGE = 1080, 64
INSIDE = WIDTH - 2 * EDGE
TITLE, LETTER = 64, 0.7  # the title's font size, and the width of a bold letter in ems
HEAD, CARD, GAP, ROW, FOOT = 170, 150, 24, 104, 80
COLUMNS = 2
COLOURS = {"paper": PAPER, "sheet": SHEET, "line": LINE, "ink": INK, "soft": SOFT, "gold": GOLD}
CLOTHED = {**COLOURS, "cloth": CLOTH, "on_cloth": ON_CLOTH, "coin": COIN}
TALL, MIDDLE, ROOM = 1350, WIDTH // 2, 860  # a card's height, its middle, and the widest text on it
VALUE, FACE, APART = 170, 112, 290  # sizes of a record's figure and of a face, and the distance of two faces


@dataclass(frozen=True)
class Card:
    """A box with one figure in the picture of a year, with the box's position and the figure's colour."""

    figure: Figure
    x: int
    y: int
    tone: str


@dataclass(frozen=True)
class Line:
    """A row with one record in the picture of a year, with the row's vertical position."""

    feat: FeatRow
    y: int


@dataclass(frozen=True)
class Part:
    """The vertical positions of a chart and of its title, and the height of the chart."""

    title_y: int
    y: int
    height: int


@dataclass(frozen=True)
class Picture:
    """The whole picture of a year, with the positions of its parts."""

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
        """The vertical position of the text at the foot of the picture."""
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
        title_size=_fitting(shown.title, TITLE, INSIDE),
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
    """Return the positions of a chart and of the title above it, in the picture of a year.

    `box` is the chart's SVG view box, from which its height follows. `y` is the vertical position below which
    the picture is still empty.
    """
    high = int(box.split()[-1])
    return Part(title_y=y + 44, y=y + 68, height=INSIDE * high // NARROW)


def _fitting(text: str, size: int, width: int) -> int:
    """Return the font size, at most `size`, at which the text is no wider than `width`."""
    return min(size, int(width / LETTER / max(len(text), 1)))


# --- a single card ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CardFigure:
    """One of the four figures on the card of the year's figures, with its position and font size."""

    figure: Figure
    x: int
    y: int
    size: int
    tone: str


@dataclass(frozen=True)
class CardFace:
    """A holder of a record on its card: a circle with the person's initial, centred at `x`."""

    person: Person
    x: int


@dataclass(frozen=True)
class CardPicture:
    """The picture of one card, 4 wide by 5 high: chats and stories show that format uncropped."""

    card: YearCard
    title_size: int
    heading_size: int
    figures: tuple[CardFigure, ...]
    faces: tuple[CardFace, ...]
    value_size: int
    who_size: int
    width: int = WIDTH
    height: int = TALL
    middle: int = MIDDLE
    face: int = FACE
    colours: Mapping[str, str] = field(default_factory=lambda: CLOTHED)
    players: Mapping[int, str] = field(default_factory=lambda: PLAYERS)
    shades: Mapping[int, str] = field(default_factory=lambda: dict(enumerate(SHADES)))


def card_picture_of(shown: YearShown, card: YearCard) -> CardPicture:
    """Return the picture of one card of a year."""
    feat = card.feat
    people = feat.people if feat else ()
    left = MIDDLE - (len(people) - 1) * APART // 2
    return CardPicture(
        card,
        title_size=_fitting(shown.title, TITLE, INSIDE),
        heading_size=_fitting(card.title, 54, ROOM),
        figures=tuple(_quarters(shown)) if card.key == "figures" else (),
        faces=tuple(CardFace(person, left + place * APART) for place, person in enumerate(people)),
        value_size=_fitting(feat.value, VALUE, ROOM) if feat else 0,
        who_size=_fitting(feat.who, 64, ROOM) if feat else 0,
    )


def _quarters(shown: YearShown) -> Iterator[CardFigure]:
    for number, figure in enumerate(shown.figures):
        across, down = number % COLUMNS, number // COLUMNS
        size = _fitting(figure.value, 96, ROOM // COLUMNS)
        tone = TONES.get(figure.tone, INK)
        yield CardFigure(figure, MIDDLE + (2 * across - 1) * 230, 600 + 330 * down, size, tone)
