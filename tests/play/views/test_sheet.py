"""The scoresheet, laid out as on paper: cells link to corrections, the last entry can be undone; the money.

`browser/test_sheet.py` has the sheet's layout and scripts.
"""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.play.services import recording
from games.scoring.events import PlayerLeft, PlayerStayedOut
from tests.factories import build_round, start, totals
from tests.reader import Walker, open_page

pytestmark = pytest.mark.django_db


def _page(client, game, **query):
    return open_page(client, reverse("sheet", args=[game.code]), query)


def table_rows(page):
    return [[cell.text for cell in row.every("th", "td")] for row in page.every("tbody")[0].every("tr")]


def test_the_sheet_shows_rounds_and_totals_and_every_figure_links_to_its_correction(ana, game, write):
    write(game, build_round("ana", beto=23, caro=40, dani=9))
    write(game, build_round("beto", closing="in_one_go", ana=5, caro=20, dani=30))
    page = _page(ana, game)

    assert [["1", "0", "23", "40", "9"], ["2", "5", "−10", "20", "30"]] == table_rows(page)
    assert ["5", "13", "60", "39"] == [cell.text.split()[0] for cell in page.only("tfoot").every("td")]
    assert "Pot $400" in page.only("main").text
    assert "Round 3" in page.only("main").text
    links = [link.attrs["href"] for link in page.every("tbody")[0].every("a", class_="cell")]
    assert [
        f"/g/{game.code}/correct/{number}/?hand={name}"
        for number in (2, 3)
        for name in ("ana", "beto", "caro", "dani")
    ] == links
    assert 200 == ana.get(links[0]).status_code
    rows = [link.attrs["href"] for link in page.every("tbody")[0].every("a", class_="opens")]
    assert [f"/g/{game.code}/correct/{number}/" for number in (2, 3)] == rows


def test_a_face_opens_what_it_can_do(ana, waldo, game, write):
    beto = _page(ana, game).only("div", id="of-beto")
    assert ["Penalty or bonus", "Hand the seat over", "Beto's games"] == [
        link.text for link in beto.every("a")
    ]
    assert ["Deals next", "Goes home The stakes stay in the pot"] == [
        key.text for key in beto.every("button") if key.text
    ]
    assert ["Beto's games"] == [link.text for link in _page(waldo, game).only("div", id="of-beto").every("a")]

    write(game, build_round("ana", beto=101, caro=40, dani=9), PlayerStayedOut("beto"))
    gone = _page(ana, game).only("div", id="of-beto")
    assert (["Beto's games"], ["Close"]) == (
        [link.text for link in gone.every("a")],
        [key.attrs["aria-label"] for key in gone.every("button")],
    )


def test_the_sheet_of_a_discarded_game_only_offers_to_restore_it(ana, game, write):
    write(game, build_round("ana", beto=1, caro=2, dani=3))
    recording.discard_game(game)
    page = _page(ana, game)

    assert "The game was deleted" in page.notices
    assert [reverse("restore", args=[game.code])] == [form.attrs["action"] for form in page.every("form")]
    assert {} == closer_links(page)


def test_the_number_of_queries_of_a_sheet_does_not_grow_with_the_game(
    ana, game, write, django_assert_max_num_queries
):
    for _ in range(30):
        write(game, build_round("caro", ana=1, beto=2, dani=3))
    ana.get("/")  # the first page of the day renews the session

    with django_assert_max_num_queries(13):  # five of them read tonight's players, hands and doubts
        ana.get(reverse("sheet", args=[game.code]))


# --- who closed the round, a tap sooner -------------------------------------------------------------------------------


def closer_links(page):
    return {
        link.attrs["data-closer"]: link.attrs["href"]
        for link in page.every("a")
        if "data-closer" in link.attrs
    }


def test_each_player_who_is_in_links_to_a_round_that_they_closed(ana, game, write):
    where = reverse("play-round", args=[game.code])
    page = _page(ana, game)

    assert [["No rounds yet. Deal, play, and record the first one."]] == table_rows(page)
    assert {name: f"{where}?closer={name}" for name in ("ana", "beto", "caro", "dani")} == closer_links(page)
    assert "Who went out?" == page.only("div", class_="closers").attrs["aria-label"]
    assert all(200 == ana.get(link).status_code for link in closer_links(page).values())


def test_a_bust_player_is_asked_first_and_whoever_is_out_closes_no_round(ana, game, write):
    write(game, build_round("ana", beto=101, caro=40, dani=9))
    page = _page(ana, game)
    assert ({}, reverse("reentry", args=[game.code])) == (
        closer_links(page),
        page.link("Is Beto coming back?"),
    )
    write(game, PlayerStayedOut("beto"))

    assert ["ana", "caro", "dani"] == list(closer_links(_page(ana, game)))


def test_a_witness_looks_at_the_hands_behind_the_figures_and_gets_no_faces(waldo, game, write):
    write(game, build_round("ana", beto=23, caro=40, dani=9))
    page = _page(waldo, game)

    assert {} == closer_links(page)
    rounds = page.every("tbody")[0]
    assert ["0", "23", "40", "9"] == [figure.text for figure in rounds.every("a", class_="cell")]
    assert "Ana, round 1: 0, view" == rounds.every("a", class_="cell")[0].attrs["aria-label"]
    assert "You are watching live." == page.only("p", class_="watching").text
    assert [] == page.every("div", id="last")


# --- undo and redo -----------------------------------------------------------------------------------------------------


def test_undo_and_redo_take_each_other_back_and_are_named_on_the_sheet(ana, game, write):
    write(game, build_round("ana", beto=23, caro=40, dani=9))
    write(game, build_round("beto", ana=5, caro=20, dani=30))
    walker = Walker(ana)
    walker.open(reverse("sheet", args=[game.code]))
    assert ["Round 2: Beto went out"] == walker.page.last
    walker.press("Undo")
    assert {"ana": 0, "beto": 23, "caro": 40, "dani": 9} == totals(game)
    assert ["Undone: Round 2: Beto went out"] == walker.page.last

    walker.press("Redo")
    assert {"ana": 5, "beto": 23, "caro": 60, "dani": 39} == totals(game)
    assert ["Redone: Round 2: Beto went out"] == walker.page.last
    assert walker.page.form_with("Undo")


# --- money so far, and its causes -------------------------------------------------------------------------------------


def test_a_player_who_leaves_a_game_without_a_pot_sees_their_settlement(ana, table, owner, write):
    """Caro has 20 less than Ana, 10 less than Beto and as much as Dani, at 10 a point."""
    game = start(table, owner, variant="loba_mas", point_value=10)
    write(game, build_round("ana", ana=15, beto=10, caro=0, dani=0))
    assert [] == _page(ana, game).every("div", id="money")

    write(game, PlayerLeft("caro"))
    money = _page(ana, game).only("div", id="money")

    assert "Money so far" == money.only("h2").text
    assert ["+$200", "+$100", "−$300", "$0"] == [node.text for node in money.every("span", class_="figure")]
