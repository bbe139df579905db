"""Line charts as data for templates.

A *position* is one of the evenly spaced points of a line chart's horizontal axis, such as a round. Lines
differ by dash pattern and initial as well as by colour, and a table below the chart shows the same values.
Coordinates are in pixels from the top left corner. They are stored as text, because a template would write
the decimal point of a number as a comma in some languages.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from games.common.names import isolated
from games.common.people import Person

# The size of a chart in pixels, for the smallest phone.
WIDTH, HEIGHT = 336, 200
RIGHT, TOP, BOTTOM = 30, 12, 28
LETTER, GAP, WIDEST = 7, 6, 120  # left of the lines: a letter's width, the margins, the most room in all
DOT = 8.5  # the radius of an initial's circle
TAIL = 16  # from the end of a line to the middle of its circle
DASHES = 8  # the number of dash patterns in the style sheet
MOST_TICKS = 6


@dataclass(frozen=True)
class Series:
    """One person's line in a chart: a value for each position, None where the person has no value."""

    person: Person
    values: Sequence[int | None]

    @property
    def last(self) -> int:
        """The last value of the line; 0 for a line without values."""
        return next((value for value in reversed(self.values) if value is not None), 0)


@dataclass(frozen=True)
class Tick:
    """A horizontal grid line with its label; `y` places the line, `label_y` the label.

    `kind` is "zero" for the line at 0, "limit" for the limit of a game, "" for any other line.
    """

    y: str
    label: str
    label_y: str
    kind: str = ""


@dataclass(frozen=True)
class Label:
    """The label of a position on the horizontal axis; `anchor` is its `text-anchor` in SVG."""

    x: str
    text: str
    anchor: str


@dataclass(frozen=True)
class Stroke:
    """One person's line as drawn, and its last value.

    `dash` is the number of the line's dash pattern in the style sheet. `line` and `tail` are SVG paths; the
    tail leads from the end of the line to a circle with the person's initial, centred at `x` and `y`.
    """

    person: Person
    dash: int
    line: str
    tail: str
    x: str
    y: str
    label_y: str
    last: str


@dataclass(frozen=True)
class Row:
    """A row of the table below a chart: a position's name, and each person's value there, "" for none."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Chart:
    """A line chart, ready for its template.

    `key` is the legend; `axis` and `heads` are the headings of the table below, and `rows` its rows.
    """

    title: str
    axis: str
    summary: str
    ticks: tuple[Tick, ...]
    labels: tuple[Label, ...]
    strokes: tuple[Stroke, ...]
    key: tuple[Stroke, ...]
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    left: str
    ticks_x: str
    box: str = f"0 0 {WIDTH} {HEIGHT}"
    width: str = str(WIDTH)
    labels_y: str = str(HEIGHT - 7)
    dot: str = str(DOT)


@dataclass(frozen=True)
class Scale:
    """The mapping from values and positions to coordinates.

    `step` is the difference between the values of neighbouring grid lines. The lines of the chart begin at
    `left`; the labels of the values are left of it.
    """

    lowest: int
    highest: int
    step: int
    positions: int
    left: float = GAP

    @classmethod
    def over(cls, values: Sequence[int], positions: int) -> Scale:
        """Return a scale that includes zero and all of these values, with grid lines at round numbers.

        `positions` is the number of positions.
        """
        low, high = min(0, *values), max(0, *values)
        step = next(step for step in _round_steps() if -(-high // step) - low // step < MOST_TICKS)
        return cls(low // step * step, max(-(-high // step), low // step + 1) * step, step, positions)

    def x(self, position: int) -> float:
        """Return the horizontal coordinate of a position; position 0 is where the lines begin."""
        return self.left + position / max(self.positions - 1, 1) * (WIDTH - self.left - RIGHT)

    def y(self, value: int) -> float:
        """Return the vertical coordinate of a value; the highest value is at the top."""
        return TOP + (self.highest - value) / (self.highest - self.lowest) * (HEIGHT - TOP - BOTTOM)


def line_chart(
    title: str,
    axis: str,
    positions: Sequence[str],
    series: Sequence[Series],
    shown: Callable[[int], str],
    *,
    limit: int | None = None,
    between: Collection[int] = (),
) -> Chart:
    """Return the line chart of these series.

    `positions` are the names of the positions, and `axis` is the heading of these names in the table. `shown`
    formats a value. A `limit` is drawn as a line across the chart. Positions in `between`, counted from 0,
    are named only in the table.
    """
    values = [value for line in series for value in line.values if value is not None]
    scale = Scale.over([*values, limit or 0], len(positions))
    ticks = tuple(_ticks(scale, shown, limit))
    letters = max(len(tick.label) for tick in ticks)
    scale = replace(scale, left=min(GAP + LETTER * letters + GAP, WIDEST))
    strokes = tuple(_strokes(scale, series, shown))
    return Chart(
        title=title,
        axis=axis,
        summary=", ".join(f"{isolated(line.person.name)} {shown(line.last)}" for line in series),
        ticks=ticks,
        labels=tuple(_labels(scale, {n: name for n, name in enumerate(positions) if n not in between})),
        strokes=strokes,
        key=tuple(sorted(strokes, key=lambda stroke: float(stroke.y))),
        heads=tuple(line.person.name for line in series),
        rows=tuple(
            Row(name, tuple("" if value is None else shown(value) for value in row))
            for name, *row in zip(positions, *(line.values for line in series), strict=True)
        ),
        left=_number(scale.left),
        ticks_x=_number(scale.left - GAP),
    )


def _round_steps() -> Iterator[int]:
    """Yield the round numbers that a scale may use as its step: 1, 2, 5, 10, 20, 25, 50 and so on."""
    yield from (1, 2, 5)
    size = 10
    while True:
        yield from (size, 2 * size, 5 * size // 2, 5 * size)
        size *= 10


def _ticks(scale: Scale, shown: Callable[[int], str], limit: int | None) -> Iterator[Tick]:
    for value in range(scale.lowest, scale.highest + 1, scale.step):
        if limit is None or abs(scale.y(value) - scale.y(limit)) >= 2 * DOT:
            yield _tick(scale, value, shown(value), "zero" if value == 0 else "")
    if limit is not None:
        yield _tick(scale, limit, shown(limit), "limit")


def _tick(scale: Scale, value: int, label: str, kind: str) -> Tick:
    return Tick(_number(scale.y(value)), label, _number(scale.y(value) + 4), kind)


def _labels(scale: Scale, names: Mapping[int, str]) -> Iterator[Label]:
    """Yield the labels of the first position, the last, and one between them if there are at least five.

    `names` has the names of the positions that may have a label, keyed by position.
    """
    first, *others = names
    yield Label(_number(scale.x(first)), names[first], "start")
    if len(others) > 3:
        middle = others[len(others) // 2 - 1]
        yield Label(_number(scale.x(middle)), names[middle], "middle")
    if others:
        yield Label(_number(scale.x(others[-1]) + TAIL), names[others[-1]], "end")


def _strokes(scale: Scale, series: Sequence[Series], shown: Callable[[int], str]) -> Iterator[Stroke]:
    dots = _dots(scale, series)
    for number, line in enumerate(series):
        points = [(position, value) for position, value in enumerate(line.values) if value is not None]
        if not points:
            continue
        (ends_at, ends_with), (x, y) = points[-1], dots[number]
        yield Stroke(
            person=line.person,
            dash=number % DASHES + 1,
            line="M" + "L".join(_point(scale.x(position), scale.y(value)) for position, value in points),
            tail=f"M{_point(scale.x(ends_at), scale.y(ends_with))}L{_point(x, y)}",
            x=_number(x),
            y=_number(y),
            label_y=_number(y + 4),
            last=shown(ends_with),
        )


def _dots(scale: Scale, series: Sequence[Series]) -> Mapping[int, tuple[float, float]]:
    """Return the centre of each line's circle, beside the line's end, moved so that no circles overlap.

    The key is the line's index in `series`; a line without values has no circle.
    """
    ends = {
        number: max(position for position, value in enumerate(line.values) if value is not None)
        for number, line in enumerate(series)
        if any(value is not None for value in line.values)
    }
    dots: dict[int, tuple[float, float]] = {}
    for position, numbers in groupby(sorted(ends, key=ends.__getitem__), key=ends.__getitem__):
        here = sorted(numbers, key=lambda number: -series[number].last)
        downs = _apart([scale.y(series[number].last) for number in here])
        x = scale.x(position) + TAIL
        dots.update((number, (x, y)) for number, y in zip(here, downs, strict=True))
    return dots


def _apart(downs: Sequence[float]) -> list[float]:
    """Return new vertical coordinates for circles, moved as little as possible so that no circles overlap.

    `downs` are the present coordinates of the centres. Both lists go from top to bottom.
    """
    least = 2 * DOT + 1
    # Subtract from each coordinate the room that the circles above it need. Circles overlap if the result is
    # less than that of the circle above: such circles form a group and share their mean.
    groups: list[list[float]] = []
    for above, down in enumerate(downs):
        groups.append([down - above * least])
        while len(groups) > 1 and _mean(groups[-2]) > _mean(groups[-1]):
            groups[-2:] = [groups[-2] + groups[-1]]
    highest, lowest = DOT + 1, HEIGHT - BOTTOM - (len(downs) - 1) * least
    heights = [max(highest, min(_mean(group), lowest)) for group in groups for _circle in group]
    return [height + above * least for above, height in enumerate(heights)]


def _mean(heights: Sequence[float]) -> float:
    return sum(heights) / len(heights)


def _point(x: float, y: float) -> str:
    return f"{_number(x)} {_number(y)}"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
