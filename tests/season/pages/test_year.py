"""A year of a table: its page, its picture, the text to send, and the year of a single member."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from games.shown.common import colours
from tests.reader import read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tonight")]

QUERIES = 12


@pytest.fixture
def three(play):
    return [
        play("ana", "beto", "caro", "dani", days=14),
        play("beto", "ana", "caro", "dani", days=7),
        play("ana", "dani", "caro", "beto", days=1),
    ]


def address(table, year=2026, name="year"):
    return reverse(name, args=[table.code, year])


def test_a_year_is_told_with_its_figures_its_flow_and_its_nights(ana, table, three):
    page = read_page(ana.get(address(table)))

    assert ["3", "3", "4", "$ 900"] == [figure.text for figure in page.only("dl", class_="facts").every("dd")]
    assert "Most games won 2 Ana" in page.only("div", id="feats").text
    assert ["Caro", "Ana", "$ 200"] == [
        cell.text for cell in page.only("figure", id="flows").only("tbody").every("tr")[0].every("th", "td")
    ]
    assert ["November", "3"] == [
        cell.text
        for cell in page.only("figure", id="calendar").only("tbody").every("tr")[10].every("th", "td")
    ]
    assert "Caro → Ana: $ 200" in page.only("textarea", id="message").text


def test_each_one_has_a_year_too(ana, table, three):
    page = read_page(ana.get(address(table)))
    own = read_page(ana.get(address(table) + page.only("div", id="shares").every("a")[1].attrs["href"]))

    assert "Beto" in own.only("h1").text
    assert ["3", "3", "1", "+$ 100"] == [figure.text for figure in own.only("dl", class_="facts").every("dd")]


def test_the_picture_is_drawn_by_the_server_with_the_same_figures_and_no_style(ana, table, three):
    response = ana.get(address(table, name="year-picture"))
    drawn = response.content.decode()

    assert "image/svg+xml" == response.headers["Content-Type"].partition(";")[0]
    assert "$ 900" in drawn.replace("\u00a0", " ")
    assert "Caro" in drawn
    assert "style" not in drawn
    assert read_page(response).only("svg", width="1080")


def test_a_year_without_a_game_says_so_and_one_to_come_is_not_there(ana, table):
    assert "Nothing was played to its end that year." in read_page(ana.get(address(table))).only("main").text
    assert [404, 404, 404] == [
        ana.get(where).status_code
        for where in (address(table, 2027), address(table, 1), address(table) + "?of=nobody")
    ]


def test_it_asks_little_of_the_database(ana, table, three, django_assert_max_num_queries):
    ana.get(address(table))  # the day's first page renews the session
    with django_assert_max_num_queries(QUERIES):
        ana.get(address(table))


def test_the_picture_has_the_colours_of_the_pages():
    css = Path(settings.BASE_DIR, "static", "base", "colours.css").read_text()
    tokens = Path(settings.BASE_DIR, "static", "base", "tokens.css").read_text()
    usual = re.findall(r"\[data-colour\] \{\s*--c: (#\w+);", css)[0]
    in_styles = dict(re.findall(r'\[data-colour\$="(\d)"\] \{\s*--c: (#\w+);', css))

    assert {number: in_styles.get(str(number), usual) for number in colours.PLAYERS} == colours.PLAYERS
    assert set(in_styles) <= {str(number) for number in colours.PLAYERS}
    for name in ("PAPER", "SHEET", "RAISE", "LINE", "INK", "SOFT", "GOLD", "RED", "GREEN"):
        assert getattr(colours, name) in re.findall(rf"--{name.lower()}: (#\w+);", tokens)[:1]
