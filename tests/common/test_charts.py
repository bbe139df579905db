"""Charts: all points are inside the picture, lines can be distinguished, and a table has all values."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from games.common.charts import DOT, HEIGHT, WIDTH, Series, line_chart
from games.common.people import Person
from tests.examples import examples

PEOPLE = [Person(f"p{number}", f"Persona {number}", number) for number in range(1, 9)]

amounts = st.integers(-(10**12), 10**12)


def a_chart(*values, limit=None, between=()):
    """Return a chart of these lines, with as many places on its axis as they have values."""
    places = [f"place {number}" for number in range(len(values[0]))]
    series = [Series(person, line) for person, line in zip(PEOPLE, values, strict=False)]
    return line_chart("Title", "Axis", places, series, str, limit=limit, between=between)


def points(path):
    """Return the points of an SVG path."""
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", path)]


def drawn(chart):
    """Yield every point in a chart."""
    for stroke in chart.strokes:
        yield from points(stroke.line)
        yield from points(stroke.tail)
        for side in (-DOT, DOT):
            yield float(stroke.x) + side, float(stroke.y) + side
    for tick in chart.ticks:
        yield 0.0, float(tick.y)
    for label in chart.labels:
        yield float(label.x), float(chart.labels_y)


@given(st.data())
@examples(150)
def test_every_point_is_inside_the_picture(data):
    length = data.draw(st.integers(1, 41))
    lines = data.draw(st.lists(st.lists(amounts, min_size=length, max_size=length), min_size=1, max_size=8))
    limit = data.draw(st.none() | st.integers(1, 1000))

    for x, y in drawn(a_chart(*lines, limit=limit)):
        assert 0 <= x <= WIDTH
        assert 0 <= y <= HEIGHT


@given(st.lists(amounts, min_size=1, max_size=8))
@examples(150)
def test_circles_do_not_overlap_and_are_in_the_order_of_the_final_values(ends):
    chart = a_chart(*([0, end] for end in ends))
    downs = sorted(float(stroke.y) for stroke in chart.strokes)

    assert all(lower - upper >= 2 * DOT for upper, lower in pairwise(downs))
    heights = {float(stroke.y): end for stroke, end in zip(chart.strokes, ends, strict=True)}
    assert sorted(ends, reverse=True) == [heights[down] for down in downs]


@given(st.lists(amounts, min_size=2, max_size=41))
@examples(150)
def test_higher_values_are_drawn_higher_and_equal_ones_at_the_same_height(values):
    (stroke,) = a_chart(values).strokes
    heights = [y for _x, y in points(stroke.line)]

    for (one, high), (other, low) in pairwise(zip(values, heights, strict=True)):
        if one > other:
            assert high <= low
        if one == other:
            assert high == low


@given(st.lists(amounts, min_size=1, max_size=5))
def test_ticks_are_round_numbers_that_include_zero(values):
    chart = a_chart(values)
    labels = [int(tick.label) for tick in chart.ticks]

    assert 0 in labels
    assert 2 <= len(labels) <= 7
    (step,) = {upper - lower for lower, upper in pairwise(labels)}
    assert str(step).rstrip("0") in ("1", "2", "25", "5")
    assert labels[0] <= min(values)
    assert labels[-1] >= max(values)


@given(st.lists(amounts, min_size=1, max_size=8))
def test_lines_overlap_no_tick_labels_and_circles_no_place_names(ends):
    chart = a_chart(*([0, end] for end in ends))
    letters = max(len(tick.label) for tick in chart.ticks)
    beside = float(chart.ticks_x)

    assert beside >= min(7 * letters + 6, WIDTH / 3)
    for stroke in chart.strokes:
        assert all(x > beside for x, _y in points(stroke.line))
        assert float(stroke.y) + DOT <= float(chart.labels_y) - 10


def test_a_line_is_drawn_only_where_it_has_values():
    chart = a_chart([0, 1, 2, 3], [None, 4, 5, None])

    assert [4, 2] == [len(points(stroke.line)) for stroke in chart.strokes]
    assert ["3", "5"] == [stroke.last for stroke in chart.strokes]
    assert ("1", "4") == chart.rows[1].values
    assert ("3", "") == chart.rows[3].values


def test_a_person_without_values_has_a_table_column_but_no_line():
    chart = a_chart([0, 1], [None, None])

    assert ["Persona 1"] == [stroke.person.name for stroke in chart.strokes]
    assert ("Persona 1", "Persona 2") == chart.heads


def test_the_table_has_every_value_and_the_summary_the_last_ones():
    chart = a_chart([0, 10, 30], [0, -10, -30])

    assert [("place 0", ("0", "0")), ("place 1", ("10", "-10")), ("place 2", ("30", "-30"))] == [
        (row.name, row.values) for row in chart.rows
    ]
    assert "Persona 1 30, Persona 2 -30" == chart.summary


def test_the_limit_has_its_own_line_and_replaces_nearby_ticks():
    ticks = a_chart([0, 99], limit=101).ticks

    assert [("101", "limit")] == [(tick.label, tick.kind) for tick in ticks if tick.kind == "limit"]
    assert "100" not in [tick.label for tick in ticks]


def test_the_first_middle_and_last_place_are_labelled():
    assert ["place 0", "place 4", "place 9"] == [label.text for label in a_chart(list(range(10))).labels]
    assert ["place 0", "place 1"] == [label.text for label in a_chart([0, 1]).labels]
    assert ["place 0"] == [label.text for label in a_chart([0]).labels]


def test_intermediate_places_are_only_in_the_table():
    chart = a_chart(list(range(5)), between=(4, 3))

    assert ["place 0", "place 2"] == [label.text for label in chart.labels]
    assert "place 3" in [row.name for row in chart.rows]


@pytest.mark.parametrize("language", ["es-ar", "en"])
def test_coordinates_have_a_decimal_point_in_every_language(language):
    with override(language):
        assert "," not in "".join(stroke.line + stroke.tail for stroke in a_chart([0, 1, 3, 7]).strokes)
