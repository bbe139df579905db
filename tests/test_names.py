"""Names of members: equal, similar or different. Those with right-to-left letters are isolated only on pages."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.common import naming
from games.scoring.errors import RuleError
from tests.reader import read_page

PERSIAN = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"


@pytest.mark.parametrize(
    ("name", "other"),
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
def test_names_that_look_the_same_are_equal(name, other):
    assert naming.names_match(name, other)
    with pytest.raises(RuleError, match="This table already has a member"):
        naming.check_name_free(name, {other: other}, by=naming.casefold_key)


@pytest.mark.parametrize(
    ("name", "other"),
    [("Ana", "Ána"), ("ANA", "ána"), ("Ñata", "Nata"), ("José", "Jose"), ("Çağla", "Cagla")],
)
def test_names_that_differ_only_in_accents_are_refused_unless_accents_tell_names_apart(name, other):
    assert not naming.names_match(name, other)
    with pytest.raises(RuleError, match=f"already has a member called {other}"):
        naming.check_name_free(name, {"Carla": "Carla", other: other})
    naming.check_name_free(name, {"Carla": "Carla", other: other}, by=naming.casefold_key)


@pytest.mark.parametrize(
    ("name", "other"),
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
def test_other_names_are_different(name, other):
    naming.check_name_free(name, {other: other})


@pytest.mark.parametrize(
    ("names", "letters"),
    [
        (("Ana", "Beto", "Caro"), ["A", "B", "C"]),
        (("Ana", "Beto", "Aelita"), ["An", "B", "Ae"]),
        (("Mariela", "Martín"), ["Mi", "Mt"]),
        (("Ana", "Andrés", "andrea", "Anahí"), ["An", "As", "Aa", "Ah"]),
        (("A", "Ana"), ["A", "An"]),
        (("Tío Raúl", "Ñata", "Tito"), ["To", "Ñ", "Tt"]),
        (("Ana", "Ana María", "Ana 2"), ["An", "Am", "A2"]),
        (("Mía", "Mimí"), ["Ma", "Mm"]),
        (
            ("Mariela", "Martín", "Marcos", "Marta", "Mónica", "Manuel", "Miguel", "Mercedes"),
            ["Mi", "Mn", "Mc", "Ma", "Mó", "Mu", "Mg", "Me"],
        ),
        (("A 1", "A 2"), ["A1", "A2"]),
        ((), []),
    ],
)
def test_faces_have_an_initial_and_two_letters_where_initials_collide(names, letters):
    assert letters == list(naming.avatar_letters(dict(enumerate(names))).values())


# --- right-to-left letters ---------------------------------------------------------------------------------------------

LAYLA, DAVID = "ليلى", "דוד"


@pytest.mark.django_db
def test_the_page_of_a_member_keeps_the_readers_pseudonym(ana, table):
    pages = ["/", *(reverse(page, args=[table.code, "beto"]) for page in ("account", "player"))]
    home, *others = [read_page(ana.get(page)).only("main").attrs["data-person"] for page in pages]
    assert [home, home] == others != ["", ""]


def test_only_names_with_right_to_left_letters_are_isolated():
    names = ["Ana", "Zoë 2", "李", "♠", "", LAYLA, f"Ana {DAVID}", naming.isolate(LAYLA)]
    marked = [naming.isolate(name) for name in names]

    assert [*names[:5], "\u2068ليلى\u2069", "\u2068Ana דוד\u2069", "\u2068ليلى\u2069"] == marked


def test_a_name_copied_with_its_marks_is_the_same_name():
    assert LAYLA == naming.clean_name(naming.isolate(LAYLA), longest=20)
    assert naming.names_match(LAYLA, naming.isolate(LAYLA))


@pytest.fixture
def layla(table):
    """Ana, who gets an Arabic name before the first game."""
    table.members.filter(slug="ana").update(name=LAYLA)


@pytest.mark.django_db
def test_files_notation_and_the_api_have_no_marks(layla, ana, table, finished, pay):
    pay("beto", "ana", 7)
    for page, args in [
        ("export", [finished.code]),
        *(("download", [table.code, what]) for what in ("results", "payments", "entries")),
        ("api-table-detail", [table.code]),
        ("api-game-detail", [finished.code]),
    ]:
        text = ana.get(reverse(page, args=args)).getvalue().decode()
        assert naming.has_right_to_left(text), page
        assert "\u2068" not in text, page
