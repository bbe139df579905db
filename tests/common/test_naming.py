"""Names shortened to the available width, where they fit and stay distinct, and joined."""

from __future__ import annotations

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from games.common import naming
from games.play.presenters import scoresheet_columns

NAMES = st.text("aeilmnoñrstuABMW áé'", min_size=1, max_size=20).map(str.strip).filter(bool)


@pytest.mark.parametrize(
    ("names", "room", "short"),
    [
        (["Ana", "Carolina"], 5, ["Ana", "Carolina"]),
        (["Ana", "Carolina"], 3.4, ["Ana", "Carol."]),
        (["María José", "María Luz"], 4, ["Mar…J", "Mar…L"]),
        (["Ana", "Ana María"], 3.4, ["Ana", "A…M"]),
        (["Maximilianosebastian", "Maximilianosebastibn"], 3.1, ["M…a", "M…b"]),
        *((["María de los Ángeles", "Ana"], room, ["María.", "Ana"]) for room in (4.4, 5.2, 6, 7.4, 8)),
        (["María Díaz", "Ana"], 5.5, ["María Dí.", "Ana"]),
        (["\U0001f98a Zorrito", "Ana"], 3.2, ["Zorri.", "Ana"]),
        (["\U0001f98a\U0001f43b", "Ana"], 5, ["\U0001f98a\U0001f43b", "Ana"]),
        (["Juan Pérez", "Juan Paz", "Juan Gil"], 4, ["Jua…é", "Jua…a", "Jua…G"]),
    ],
)
def test_a_shortened_name_fits_and_stays_distinct(names, room, short):
    assert short == naming.shorten(names, room)


@given(st.lists(NAMES, min_size=2, max_size=8, unique=True))
def test_shortened_names_are_distinct(names):
    assert len(names) == len(set(naming.shorten(names, scoresheet_columns.SHEET_WIDTH / 8)))


@given(st.lists(NAMES, min_size=1, max_size=8, unique=True), st.floats(4, 12))
def test_a_name_that_fits_is_not_shortened(names, room):
    cut = dict(zip(names, naming.shorten(names, room), strict=True))

    assert [] == [name for name in names if naming.width(name) <= room and cut[name] != name]


@pytest.mark.parametrize(
    ("language", "names", "expected"),
    [
        ("en", ["Ana"], "Ana"),
        ("en", ["Ana", "Beto", "Inés"], "Ana, Beto and Inés"),
        ("es-ar", ["Ana", "Beto"], "Ana y Beto"),
        ("es-ar", ["Ana", "Inés"], "Ana e Inés"),
        ("es", ["Ana", "Beto", "Hilda"], "Ana, Beto e Hilda"),
        ("es-ar", ["Ana", "Hielo"], "Ana y Hielo"),
    ],
)
def test_names_are_joined_by_the_rules_of_the_language(language, names, expected):
    with override(language):
        assert expected == naming.join_names(names)
