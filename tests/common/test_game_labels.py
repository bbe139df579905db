"""The steps of a podium."""

from __future__ import annotations

import pytest

from games.common import game_labels


@pytest.mark.parametrize(
    ("places", "steps"),
    [
        ([], 0),
        ([1, 2], 2),
        ([1, 2, 3, 4], 3),
        ([1, 2, 3, 3, 5], 4),
        ([1, 2, 2, 2, 5], 4),
        ([1, 2, 3, 3, 3], 2),
        ([1, 1, 1, 4], 3),
        ([1, 2, 2, 2, 2], 1),
        ([1, 1, 1, 1, 1, 6], 5),
    ],
)
def test_who_share_a_place_stand_on_the_podium_together_or_below_it_together(places, steps):
    assert steps == game_labels.podium_steps(places)
