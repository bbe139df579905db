"""A lane: so many at once and no more, whatever becomes of them."""

from __future__ import annotations

import pytest

from games.common.lanes import Lane, LaneFull


def test_the_third_is_refused_until_one_of_two_is_done():
    lane = Lane(2)
    with lane.hold():
        with lane.hold(), pytest.raises(LaneFull), lane.hold():
            raise AssertionError
        with lane.hold():
            pass


def test_an_exception_makes_room():
    lane = Lane(1)
    for _time in range(2):
        with pytest.raises(ZeroDivisionError), lane.hold():
            raise ZeroDivisionError
    with lane.hold():
        pass


def test_a_function_holds_a_place_for_each_call():
    lane = Lane(1)

    @lane.hold()
    def compute(depth):
        return compute(depth - 1) if depth else "done"

    assert ["done", "done"] == [compute(0), compute(0)]
    with pytest.raises(LaneFull):
        compute(1)
