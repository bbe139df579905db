"""A package with games that is missing, changed or has a taken key harms nothing but its own games."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import call_command
from django.urls import URLPattern, reverse

import tests.seventh_game as package
from games.management.complaints import of_games, of_packages
from games.notebook.fields import Unreadable
from games.notebook.reading import read_table
from games.notebook.writing import write_table
from games.scoring.errors import PlugInError, RuleError
from games.scoring.options import Option, Words
from games.scoring.text.script import play_script, read_script
from games.scoring.text.writing import write_game
from games.scoring.variants import VARIANTS
from games.scoring.words import _
from games.urls import urlpatterns
from tests.packages import add_package, packages_of
from tests.reader import read_page
from tests.seventh_game import SEVENTH_GAME
from tests.tables import a_round, start

pytestmark = pytest.mark.django_db
MISSING = "This game's rules come from the package {edition}, which is missing or has changed."


@pytest.fixture
def folder(tmp_path):
    add_package(tmp_path)
    return tmp_path


@pytest.fixture
def running(folder, table, owner, write):
    """Return a running game of the package, which is not installed any more."""
    with packages_of(folder):
        game = start(table, owner, variant=SEVENTH_GAME.key, stake=100)
        write(game, a_round("ana", closing="chain", beto=20, caro=5, dani=10))
    return game


@pytest.fixture
def finished(folder, table, owner, write):
    """Return a finished game of the package, which is not installed any more."""
    with packages_of(folder):
        game = start(table, owner, variant=SEVENTH_GAME.key, stake=100)
        write(game, a_round("ana", closing="capicua"))
    return game


def edition_of(game):
    return dict(game.log()[0].options)["package"]


def checked():
    written = StringIO()
    call_command("check_books", stdout=written)
    return written.getvalue()


def refused(text):
    return play_script(read_script(text)).problems[0].text


# --- missing ---------------------------------------------------------------------------------------------------------


def test_its_game_answers_with_the_reason_and_the_way_on(ana, running):
    page = ana.get(reverse("sheet", args=[running.code]))

    assert 409 == page.status_code
    assert MISSING.format(edition=edition_of(running)) in read_page(page).text


def test_a_round_typed_for_it_is_not_recorded(ana, running):
    typed = {"after": "2", "key": "k", "closer": "ana", "closing": "capicua"}

    assert 409 == ana.post(reverse("play-round", args=[running.code]), typed).status_code
    assert 2 == running.records.count()


def test_lists_name_it_and_say_that_it_cannot_be_read(ana, running, finished):
    home = read_page(ana.get(reverse("home"))).text
    games = read_page(ana.get(reverse("games", args=[running.table.code]))).text

    assert "Its records cannot be read." in home
    assert 2 == games.count("cannot be read")


def test_every_page_of_its_table_is_shown(ana, running, finished):
    table = running.table
    pages = [
        page.name
        for page in urlpatterns
        if isinstance(page, URLPattern) and set(page.pattern.converters) == {"table_code"}
    ]
    statuses = {name: ana.get(reverse(name, args=[table.code])).status_code for name in pages}

    assert {"games", "season", "accounts"} <= set(pages)
    assert {} == {name: status for name, status in statuses.items() if status in (409, 500)}


def test_its_result_still_counts(ana, finished, owner):
    accounts = read_page(ana.get(reverse("accounts", args=[finished.table.code]))).text

    assert "$ 375" in accounts


def test_a_program_is_refused_with_the_sentence(ana, running):
    answer = ana.get(f"/api/v1/games/{running.code}/")

    assert (422, "refused") == (answer.status_code, answer.json()["code"])
    assert MISSING.format(edition=edition_of(running)) == answer.json()["detail"]


def test_check_books_lists_it_as_not_checked_and_goes_on(table, owner, write, running):
    write(start(table, owner, stake=100), a_round("ana", beto=20, caro=5, dani=10))
    report = checked()

    assert f"game {running.code} of " in report
    assert f"not checked. {MISSING.format(edition=edition_of(running))}" in report
    assert "1 games replayed" in report
    assert "Everything adds up." in report


def test_doctor_counts_its_games(running, finished):
    (sentence,) = of_games()

    reason = MISSING.format(edition=edition_of(running))
    assert f"2 recorded games cannot be read, seventh_game: {reason}" == sentence


def test_the_rounds_as_a_spreadsheet_have_a_line_for_it(ana, running):
    answer = ana.get(reverse("download", args=[running.table.code, "rounds"]))

    assert b"Its records cannot be read." in b"".join(answer.streaming_content)


def test_the_file_of_its_table_is_refused_elsewhere(folder, owner, finished):
    with packages_of(folder):
        written = write_table(finished.table).encode()
        assert 1 == len(read_table(written).games)
    with pytest.raises(Unreadable) as refusal:
        read_table(written)

    assert MISSING.format(edition=edition_of(finished)) in str(refusal.value.problems[0])


# --- changed ---------------------------------------------------------------------------------------------------------


def changed(monkeypatch, **rules):
    other = replace(SEVENTH_GAME, build=lambda house: replace(SEVENTH_GAME.build(house), **rules))
    monkeypatch.setattr(package, "SEVENTH_GAME", other)


def test_a_game_is_never_scored_by_other_rules(monkeypatch, folder, running):
    changed(monkeypatch, floor=0)

    with packages_of(folder), pytest.raises(PlugInError, match="missing or has changed"):
        running.state()


def test_new_texts_and_a_new_option_change_no_game(monkeypatch, folder, running):
    cut = Option(
        "cut", _("Who cuts"), "left", Words({"left": _("the left"), "nobody": _("nobody")}), noted=True
    )
    other = replace(SEVENTH_GAME, name=_("Renamed"), options=(*SEVENTH_GAME.options, cut))
    monkeypatch.setattr(package, "SEVENTH_GAME", other)

    with packages_of(folder):
        state = running.state()
    assert {"ana": -7, "beto": 20, "caro": 5, "dani": 10} == {one.id: one.total for one in state.players}


def test_the_text_of_a_game_names_its_package(monkeypatch, folder, running):
    with packages_of(folder):
        text = write_game(running.log())
    assert f"package={edition_of(running)}" in text

    changed(monkeypatch, floor=0)
    with packages_of(folder):
        assert f"“{edition_of(running)}” is not allowed for Package" in refused(text)


def test_a_package_that_fails_to_build_its_rules_refuses_the_game(monkeypatch, folder, table, owner):
    def build(house):
        return SEVENTH_GAME.build(house) if house["dealt"] == 7 else house["no such option"]

    monkeypatch.setattr(package, "SEVENTH_GAME", replace(SEVENTH_GAME, build=build))
    with packages_of(folder), pytest.raises(RuleError, match="cannot build its rules"):
        start(table, owner, variant=SEVENTH_GAME.key, dealt=9)


# --- left out --------------------------------------------------------------------------------------------------------


def test_two_packages_with_one_key_are_both_left_out(folder, running):
    add_package(folder, "another-package")
    with packages_of(folder) as unusable:
        (left_out,) = map(str, unusable)
        with pytest.raises(PlugInError):
            running.state()

    assert (
        "The game seventh_game of the package another-package, seventh-package is left out: "
        "several packages have a game with this key." == left_out
    )


def test_another_package_with_the_key_does_not_score_the_games_of_the_first(tmp_path, running):
    (tmp_path / "other").mkdir()
    add_package(tmp_path / "other", "another-package")

    with packages_of(tmp_path / "other") as unusable:
        assert () == unusable
        with pytest.raises(PlugInError):
            running.state()


def test_a_key_of_the_engine_stays_the_engine_s(tmp_path):
    own = VARIANTS["chinchon"]
    add_package(tmp_path, key="chinchon")
    with packages_of(tmp_path) as unusable:
        assert ["the engine has a game with this key"] == [left_out.reason for left_out in unusable]
        assert own is VARIANTS["chinchon"]


@pytest.mark.parametrize(
    ("key", "at", "reason"),
    [
        ("eighth", "tests.no_such_module:GAME", "No module named 'tests.no_such_module'"),
        ("eighth", "tests.seventh_game:SEVENTH_GAME", "its entry point calls it eighth, and it calls itself"),
        ("eighth", "tests.seventh_game:CHAIN", "it is no Variant of this engine"),
    ],
)
def test_a_package_without_a_game_is_left_out_and_named_by_doctor(tmp_path, key, at, reason):
    add_package(tmp_path, key=key, at=at)
    with packages_of(tmp_path) as unusable:
        (sentence,) = of_packages()

    assert key not in VARIANTS
    assert reason in sentence
    assert str(unusable[0]) == sentence


def test_a_new_kind_of_scoring_is_left_out(monkeypatch, folder):
    class Tricks:
        pass

    changed(monkeypatch, scoring=Tricks())
    with packages_of(folder) as unusable:
        assert ["Tricks is no kind that the engine knows"] == [left_out.reason for left_out in unusable]


def test_leftover_points_of_other_than_spanish_cards_are_left_out(monkeypatch, folder):
    chinchon = VARIANTS["chinchon"]
    changed(monkeypatch, scoring=chinchon.build(chinchon.house()).scoring)
    with packages_of(folder) as unusable:
        assert ["LeftoverPoints counts Spanish cards alone"] == [left_out.reason for left_out in unusable]


# --- offered ---------------------------------------------------------------------------------------------------------

PROGRAM = """
import django

django.setup()
from django.test import Client

print(*(game["key"] for game in Client().get("/api/v1/variants/", headers={"host": "localhost"}).json()["variants"]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "offered"),
    [
        (["-c", PROGRAM], "seventh_game"),
        (["-m", "games.scoring", "rules", "seventh_game"], "Package: seventh-package 1.0."),
    ],
    ids=["api", "command line"],
)
def test_a_new_process_offers_it(folder, arguments, offered):
    path = os.pathsep.join((str(folder), str(settings.BASE_DIR)))
    ran = subprocess.run(
        [sys.executable, *arguments],
        env={
            **os.environ,
            "PYTHONPATH": path,
            "DJANGO_SETTINGS_MODULE": "scorekeeper.settings",
            "DEBUG": "1",
        },
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=True,
    )

    assert offered in ran.stdout
