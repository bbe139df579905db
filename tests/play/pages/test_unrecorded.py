"""The values of a round that could not be recorded, shown as they were typed."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from games.play.pages.unrecorded import typed_round


@pytest.mark.parametrize(
    ("posted", "typed"),
    [
        (
            {"closer": "ana", "closing": "out", "hand-ana": "", "hand-tia_ana": "[K 7]", "hand-beto": " 9 "},
            [("ana", "ended the round"), ("tia ana", "[K 7]"), ("beto", "9")],
        ),
        ({"closer": "ana", "hand-ana": "3", "hand-beto": "9"}, [("ana", "3"), ("beto", "9")]),
        ({"closer": "", "hand-beto": "9"}, [("beto", "9")]),
        ({"closer": "<b>", "hand-<i>": "9", "hand-beto": "9" * 300}, [("beto", "9" * 200)]),
        ({"player": "beto", "answer": "reenter", "closer": "ana"}, []),
        ({}, []),
    ],
    ids=["cards and points", "who ended it has points", "nobody ended it", "nonsense", "no round", "nothing"],
)
def test_an_unrecorded_round_shows_the_hands_as_they_were_typed(posted, typed):
    with override("en"):
        assert typed == typed_round(posted)
