"""The printed sheet: points and totals as on paper, with former totals struck out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.urls import reverse

from games.people.members import add_member
from games.play import recording as services
from games.scoring.events import Player, PlayerJoined, PlayerLeft, PointsAdjusted, SeatHandedOver
from games.scoring.text.notation import read_line
from tests.reader import open_page, read_page
from tests.tables import a_key, a_round, loba, start

pytestmark = pytest.mark.django_db


def _page(client, game):
    return open_page(client, reverse("paper", args=[game.code]))


def lines(page):
    """Return every line of the sheet as its head and its cells; a struck-out total is between tildes."""
    return [
        [_cell(cell) for cell in row.every("th", "td")]
        for row in page.only("table").every("tbody")[0].every("tr")
    ]


def sums(page):
    """Return the lines below the double rule."""
    return [
        [_cell(cell) for cell in row.every("th", "td")]
        for row in page.every("tbody", class_="sums")[0].every("tr")
    ]


def _cell(cell):
    for struck in cell.every("s"):
        struck.inside = [f"~{struck.text}~"]
    return cell.text


def test_every_round_has_its_points_and_totals_with_former_totals_struck_out(ana, game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    write(game, a_round("beto", closing="in_one_go", ana=5, caro=20, dani=30))

    assert [
        ["1", "0 ~0~", "23 ~23~", "40 ~40~", "9 ~9~"],
        ["2", "5 5", "−10 13", "20 60", "30 39"],
    ] == lines(_page(ana, game))


def test_the_closers_points_are_underlined(ana, game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    (underlined,) = _page(ana, game).every("span", class_="points out")

    assert "0" == underlined.text


def test_players_who_re_enter_after_one_round_share_a_row_with_the_fee(ana, game, write):
    write(game, a_round("ana", beto=101, caro=102, dani=60))
    write(game, *read_line("reenter beto ; reenter caro"))
    write(game, a_round("ana", beto=1, caro=2, dani=3))

    assert [
        ["1", "0 ~0~", "101 ~101~", "102 ~102~", "60 ~60~"],
        ["", "", "Re-entry ~60~ $ 100", "Re-entry ~60~ $ 100", ""],
        ["2", "0 0", "1 61", "2 62", "3 63"],
    ] == lines(_page(ana, game))


def test_an_event_that_changes_no_total_is_a_sentence(ana, game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    write(game, PlayerLeft("dani"))

    assert ["", "Dani went home"] == lines(_page(ana, game))[1]


def test_a_penalty_has_its_points_and_its_reason(ana, game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    write(game, PointsAdjusted("beto", 10, "talked"))

    assert [
        ["1", "0 0", "23 ~23~", "40 40", "9 9"],
        ["", "", "+10 33", "", ""],
        ["", "Beto +10: talked"],
    ] == lines(_page(ana, game))


def test_a_late_player_has_a_column_that_begins_with_their_total(ana, table, owner, write):
    add_member(table, "Eva")
    game = start_without(table, owner, "eva", late_entry="on")
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    write(game, PlayerJoined(Player("eva", "Eva"), after="ana"))

    assert ["", "", "+40 40", "", "", ""] == lines(_page(ana, game))[1]


def start_without(table, owner, absent, **options):
    """Start a game of all members but this one."""
    event = loba(table, **options)
    players = tuple(player for player in event.players if player.id != absent)
    return services.start_game(table, replace(event, players=players), key=a_key(), by=owner)


def test_a_handed_over_seat_keeps_its_column(ana, table, game, write):
    add_member(table, "Eva")
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    write(game, SeatHandedOver("beto", Player("eva", "Eva")))
    write(game, a_round("eva", ana=1, caro=2, dani=3))
    page = _page(ana, game)

    assert ["Round", "Ana", "Eva", "Caro", "Dani"] == [head.text for head in page.every("th", scope="col")]
    assert ["2", "1 1", "0 23", "2 42", "3 12"] == lines(page)[-1]


def test_every_round_shows_its_contract(ana, table, owner, write):
    game = start(table, owner, variant="loba_ca")
    for _ in range(2):
        write(game, a_round("ana", beto=20, caro=30, dani=40))

    assert ["1 2T", "2 1R1T"] == [line[0] for line in lines(_page(ana, game))]


def test_a_finished_game_has_totals_money_and_payments(ana, finished):
    page = _page(ana, finished)

    assert [
        ["Total", "0 1st", "140 elim.", "110 elim.", "110 elim."],
        ["Money", "+$ 400", "−$ 200", "−$ 100", "−$ 100"],
    ] == [[cell.replace("\u00a0", " ") for cell in line] for line in sums(page)]
    assert ["Beto → Ana $ 200", "Caro → Ana $ 100", "Dani → Ana $ 100"] == [
        item.text for item in page.only("section").every("li")
    ]
    assert "Limit 101 · stake $ 100" in page.only("footer").text


def test_a_running_game_is_printed_in_its_present_state(ana, game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    page = _page(ana, game)

    assert "After 1 round · Pot $ 400" in page.only("article").only("header").text
    assert [] == page.every("section")


def test_a_game_without_rounds_is_printed_as_an_empty_sheet(ana, game):
    assert [["", "No rounds yet."]] == lines(_page(ana, game))


def test_a_witness_may_open_the_printed_sheet(waldo, finished):
    page = _page(waldo, finished)

    assert "Ana wins" in page.only("article").text
    assert [] == page.every("form")


def test_the_printed_sheet_has_its_own_style_and_a_print_button(ana, finished):
    page = _page(ana, finished)

    assert ["/static/app.css", "/static/notebook/paper.css"] == [
        link.attrs["href"]
        for link in page.every("link", rel="stylesheet")
        if not link.attrs.get("media", "").startswith("screen")
    ]
    assert ["Print"] == [button.text for button in page.every("button") if "data-print" in button.attrs]
    assert "false" == next(
        link.attrs["hx-boost"]
        for link in read_page(ana.get(reverse("more", args=[finished.code]))).every("a")
        if link.attrs["href"].endswith("/paper/")
    )
