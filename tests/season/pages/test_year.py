"""A year of a table: its page, its picture, the text to send, and the year of a single member."""

from __future__ import annotations

import json
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


def test_the_page_of_a_year_shows_its_figures_money_flows_and_nights_per_month(ana, table, three):
    page = read_page(ana.get(address(table)))

    assert ["3", "3", "4", "$ 900"] == [figure.text for figure in page.only("dl", class_="facts").every("dd")]
    assert "Most games won 2 / 6 A Ana 2" in page.only("section", id="card-record-1").text
    assert ["Caro", "Ana", "$ 200"] == [
        cell.text for cell in page.only("figure", id="flows").only("tbody").every("tr")[0].every("th", "td")
    ]
    assert ["November", "3"] == [
        cell.text
        for cell in page.only("figure", id="calendar").only("tbody").every("tr")[10].every("th", "td")
    ]
    assert "Caro → Ana: $ 200" in page.only("textarea", id="message").text


def test_each_member_has_a_page_of_their_year(ana, table, three):
    page = read_page(ana.get(address(table)))
    own = read_page(ana.get(address(table) + page.only("div", id="shares").every("a")[1].attrs["href"]))

    assert "Beto" in own.only("h1").text
    assert ["3", "3", "1", "+$ 100"] == [figure.text for figure in own.only("dl", class_="facts").every("dd")]


def test_the_picture_of_a_year_is_an_svg_with_the_same_figures_and_without_inline_style(ana, table, three):
    response = ana.get(address(table, name="year-picture"))
    drawn = response.content.decode()

    assert "image/svg+xml" == response.headers["Content-Type"].partition(";")[0]
    assert "$ 900" in drawn.replace("\u00a0", " ")
    assert "Caro" in drawn
    assert "style" not in drawn
    assert read_page(response).only("svg", width="1080")


def pictures(page):
    """Return the addresses of the pictures of the year's cards."""
    cards = page.only("div", id="cards").every("section")
    return [json.loads(card.only("button").attrs["data-drawn"])["address"] for card in cards]


def test_each_card_of_the_year_has_a_picture_with_the_same_content(ana, table, three):
    page = read_page(ana.get(address(table)))
    headings = [card.only("h2").text for card in page.only("div", id="cards").every("section")]
    drawn = [read_page(ana.get(picture)).text for picture in pictures(page)]

    assert [
        "The year in figures 1 / 6",
        "Most games won 2 / 6",
        "Biggest pot of the year 3 / 6",
        "Most won in one game 4 / 6",
        "Who lost to whom 5 / 6",
        "The nights of the year 6 / 6",
    ] == headings
    assert [heading.rsplit(maxsplit=3)[0] in text for heading, text in zip(headings, drawn, strict=True)] == [
        True
    ] * 6
    assert "2026 · Mesa de los jueves Most games won A Ana 2 Anotador" == drawn[1]
    assert "2026 · Mesa de los jueves Most won in one game A B Ana, Beto +$ 300 Anotador" == drawn[3].replace(
        "\u00a0", " "
    )


def test_the_cards_of_a_members_year_are_about_that_member(ana, table, three):
    page = read_page(ana.get(address(table) + "?of=beto"))

    assert [] == [picture for picture in pictures(page) if "of=beto" not in picture]
    assert "2026 · Beto" in read_page(ana.get(pictures(page)[0])).text
    assert 404 == ana.get(address(table, name="year-picture") + "?card=none").status_code


def test_the_cards_can_be_focused_and_scrolled_with_the_keyboard(ana, table, three):
    cards = read_page(ana.get(address(table))).only("div", id="cards")

    assert ("0", "region", "The year in cards") == tuple(
        cards.attrs[name] for name in ("tabindex", "role", "aria-label")
    )


def test_a_year_without_a_game_says_so_and_a_future_year_is_a_404(ana, table):
    assert "No game ended in that year." in read_page(ana.get(address(table))).only("main").text
    assert [404, 404, 404] == [
        ana.get(where).status_code
        for where in (address(table, 2027), address(table, 1), address(table) + "?of=nobody")
    ]


def test_the_year_page_takes_at_most_twelve_queries(ana, table, three, django_assert_max_num_queries):
    ana.get(address(table))  # the day's first page renews the session
    with django_assert_max_num_queries(QUERIES):
        ana.get(address(table))


def test_the_picture_of_a_year_has_the_colours_of_the_style_sheets():
    css = Path(settings.BASE_DIR, "static", "base", "colours.css").read_text()
    tokens = Path(settings.BASE_DIR, "static", "base", "tokens.css").read_text()
    usual = re.findall(r"\[data-colour\] \{\s*--c: (#\w+);", css)[0]
    in_styles = dict(re.findall(r'\[data-colour\$="(\d)"\] \{\s*--c: (#\w+);', css))

    assert {number: in_styles.get(str(number), usual) for number in colours.PLAYERS} == colours.PLAYERS
    assert set(in_styles) <= {str(number) for number in colours.PLAYERS}
    for name in ("PAPER", "SHEET", "RAISE", "LINE", "INK", "SOFT", "GOLD", "RED", "GREEN"):
        assert getattr(colours, name) in re.findall(rf"--{name.lower()}: (#\w+);", tokens)[:1]
