"""The scoresheet: the paper everybody knows, with every cell a way to its correction."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games import services
from games.scoring.events import PlayerReentered, PointsAdjusted
from tests.pages.reader import read_page
from tests.tables import a_round, make_table, make_user, start

pytestmark = pytest.mark.django_db


def _page(client, game, **query):
    response = client.get(reverse("sheet", args=[game.code]), query)
    assert 200 == response.status_code
    return read_page(response)


def rows(page):
    return [[cell.text for cell in row.every("th", "td")] for row in page.only("tbody").every("tr")]


def test_rounds_and_totals_stand_as_on_paper(ana, game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    write(game, a_round("beto", closing="in_one_go", ana=5, caro=20, dani=30))
    page = _page(ana, game)

    assert [["1", "0", "23", "40", "9"], ["2", "5", "−10", "20", "30"]] == rows(page)
    assert ["5", "13", "60", "39"] == [
        cell.every("span", class_="total")[0].text
        if cell.every("span", class_="total")
        else cell.every("span")[0].text.split()[0]
        for cell in page.only("tfoot").every("td")[1:]
    ]
    assert "Pot $ 400" in page.only("main").text
    assert "Record round 3" in page.only("main").text


def test_an_empty_sheet_asks_for_the_first_round(ana, game):
    page = _page(ana, game)

    assert [["No rounds yet. Deal, play, and record the first one."]] == rows(page)
    assert reverse("play-round", args=[game.code]) == page.link("Record round 1")


def test_every_figure_leads_to_its_correction(ana, game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    page = _page(ana, game)

    links = [link.attrs["href"] for link in page.only("tbody").every("a")]
    assert [f"/g/{game.code}/correct/2/?hand={name}" for name in ("ana", "beto", "caro", "dani")] == links
    assert all(ana.get(link).status_code == 200 for link in links)


def test_who_is_bust_is_asked_next(ana, game, write):
    write(game, a_round("ana", beto=101, caro=40, dani=9))

    assert reverse("reentry", args=[game.code]) == _page(ana, game).link("Does Beto re-enter?")


def test_a_re_entry_stands_in_its_own_column(ana, game, write):
    write(game, a_round("ana", beto=101, caro=40, dani=9))
    write(game, PlayerReentered("beto"))
    page = _page(ana, game)

    assert ["Re-entry", "", "with 40 $ 100", "", ""] == rows(page)[1]


def test_a_penalty_stands_as_a_line(ana, game, write):
    write(game, PointsAdjusted("dani", 5, "se paró <b>"))

    assert ["", "Dani +5: se paró <b>"] == rows(_page(ana, game))[0]


def test_what_was_just_recorded_can_be_undone(ana, game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    page = _page(ana, game, done=2)

    assert ["Round 1: Ana went out"] == page.notices
    assert reverse("undo-last", args=[game.code]) == page.form_with("Undo")[0].attrs["action"]


@pytest.mark.parametrize("done", ["", "1", "3", "x", "<script>", "\x00"])
def test_a_number_that_was_not_just_recorded_says_nothing(ana, game, write, done):
    write(game, a_round("ana", beto=23, caro=40, dani=9))

    assert [] == _page(ana, game, done=done).notices


def test_a_game_just_begun_has_nothing_to_undo(ana, game):
    page = _page(ana, game, done=1)

    assert [] == page.notices
    assert [] == [form for form in page.every("form") if form.attrs["action"].endswith("/undo/")]


def test_a_game_that_is_over_leads_to_its_result(ana, finished):
    page = _page(ana, finished)

    assert reverse("settlement", args=[finished.code]) == page.link("Result")
    assert "over" in page.only("h1").text


def test_a_discarded_game_says_so_and_can_only_be_brought_back(ana, game, write):
    write(game, a_round("ana", beto=1, caro=2, dani=3))
    services.discard_game(game)
    page = _page(ana, game)

    assert "The game was taken away" in page.notices
    assert [reverse("restore", args=[game.code])] == [form.attrs["action"] for form in page.every("form")]
    assert [] == [link for link in page.every("a") if link.text.startswith("Record round")]


def test_hostile_names_do_no_harm(phone_of, db):
    owner = make_user("olga")
    table = make_table(owner, people=("<script>", "' onclick='x", "{{ 1 }}", "A" * 20), name="<i>Mesa</i>")
    game = start(table, owner)
    page = _page(phone_of(owner), game)

    assert ["<script>", "' onclick='x", "{{ 1 }}", "A" * 20] == [
        button.attrs["title"] for button in page.only("thead").every("button")
    ]
    assert all("src" in node.attrs for node in page.every("script"))


def test_the_sheet_speaks_spanish(phone_of, owner, game):
    page = _page(phone_of(owner, language="es-AR"), game)

    assert "Pozo" in page.only("main").text


def test_a_long_game_takes_few_queries(ana, game, write, django_assert_max_num_queries):
    for _ in range(30):
        write(game, a_round("caro", ana=1, beto=2, dani=3))
    ana.get("/")  # the day's first page renews the session

    with django_assert_max_num_queries(10):
        ana.get(reverse("sheet", args=[game.code]))
