"""Names of members: which are the same, similar or different."""

from __future__ import annotations

import pytest

from games.common.names import check_free, letters_among, likeness, same_name
from games.scoring.errors import RuleError

PERSIAN = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "ANA"),
        ("Ana", "Ａｎａ"),  # noqa: RUF001  (wide letters)
        ("Straße", "STRASSE"),
        ("Zoé", "Zoe\u0301"),
        ("Ana ❤", "Ana ❤\ufe0f"),
        ("Ana", "A\u200dna"),  # recorded before such names were refused
        ("Beto", "Be\u3164to"),
        (PERSIAN, PERSIAN.replace("\u200c", "")),
    ],
)
def test_names_that_look_the_same_are_equal(one, other):
    assert same_name(one, other)
    with pytest.raises(RuleError, match="This table already has a member"):
        check_free(one, {other: other}, by=likeness)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("Ana", "Ána"), ("ANA", "ána"), ("Ñata", "Nata"), ("José", "Jose"), ("Çağla", "Cagla")),
    ],
)
def test_names_that_differ_only_in_accents_are_refused_unless_accents_tell_names_apart(one, other):
    assert not same_name(one, other)
    with pytest.raises(RuleError, match=f"already has a member called {other}"):
        check_free(one, {"Carla": "Carla", other: other})
    check_free(one, {"Carla": "Carla", other: other}, by=likeness)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "Anna"),
        ("कि", "कु"),
        ("が", "か"),
        ("Ana 1", "Ana 2"),
        ("Al", "Ai"),
        ("ИВАН", "NBAH"),
        ("Ana 👩", "Ana 👨"),
        ("👍🏽", "👍🏿"),
    ],
)
def test_other_names_are_different(one, other):
    check_free(one, {other: other})


@pytest.mark.parametrize(
    ("names", "letters"),
    [
        (("Ana", "Beto", "Caro"), ["A", "B", "C"]),
        (("Ana", "Beto", "Aelita"), ["An", "B", "Ae"]),
        (("Ana", "Andrés", "andrea", "Anahí"), ["An", "Ad", "Ar", "Aa"]),
        (("A", "Ana"), ["A", "An"]),
        (("Tío Raúl", "Ñata", "Tito"), ["Tí", "Ñ", "Ti"]),
        (("A 1", "A 2"), ["A1", "A2"]),
        ((), []),
    ],
)
def test_faces_have_an_initial_and_two_letters_where_initials_collide(names, letters):
    assert letters == list(letters_among(dict(enumerate(names))).values())
