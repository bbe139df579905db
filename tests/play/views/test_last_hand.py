"""The top of the sheet with two players left, and its animations: the number left, a coin into the pot."""

from __future__ import annotations

import pytest
from django.db.models import F
from django.urls import reverse

from games.common.poll_tickets import PageVersion
from games.models import Table
from games.play.presenters import last_hand
from games.scoring.events import PlayerReentered, PlayerStayedOut, Struck
from tests.factories import build_round, make_table, start
from tests.reader import read_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def two_left(game, write):
    write(game, build_round("ana", beto=93, caro=102, dani=103))
    write(game, PlayerStayedOut("caro"))
    write(game, PlayerStayedOut("dani"))
    return game


def sheet_head(page):
    return page.only("div", class_="cloth stakes")


def sheet(client, game, **headers):
    return read_page(client.get(reverse("sheet", args=[game.code]), headers=headers))


def sheet_after_form(client, game, form="reentry"):
    """Return the sheet as htmx requests it after the form of this page."""
    return sheet(client, game, **{"HX-Current-URL": f"http://testserver{reverse(form, args=[game.code])}"})


def moving_parts(page):
    """Return the animated parts at the top of the sheet."""
    return [
        mark
        for mark in ("filling", "grown")
        if any(mark in css_class for css_class in css_classes(sheet_head(page)))
    ]


def css_classes(part):
    return [part.attrs.get("class", "")] + [
        inner for child in part.inside if not isinstance(child, str) for inner in css_classes(child)
    ]


def test_with_two_left_the_head_says_who_is_nearest_to_being_out_and_what_the_other_takes(ana, two_left):
    page = sheet(ana, two_left)

    assert page.only("h1").text.startswith("This may be the last round")
    assert "Beto, to bust: 8 If they bust and stay out, Ana takes $400" in sheet_head(page).text


def test_with_more_left_or_with_only_two_who_began_no_hand_is_called_the_last(ana, game, write, owner):
    write(game, build_round("ana", beto=93, caro=92, dani=103))
    write(game, PlayerStayedOut("dani"))
    duel = start(make_table(owner, people=("Ana", "Beto")), owner, stake=100).state()

    assert "last round" not in sheet(ana, game).only("h1").text
    assert None is last_hand.find_last_hand(duel, {})


def test_the_number_grows_once_where_two_are_left_since_the_newest_event(ana, waldo, two_left, write):
    polled = waldo.get(reverse("live-sheet", args=[two_left.code, PageVersion(0)]))

    assert ["grown"] == moving_parts(read_page(polled))
    assert ["grown"] == moving_parts(sheet_after_form(ana, two_left))
    assert [] == moving_parts(sheet(ana, two_left))
    write(two_left, build_round("ana", beto=1))
    assert [] == moving_parts(sheet_after_form(ana, two_left, "play-round"))


def test_the_coin_falls_where_the_re_entry_is_news_and_not_when_the_page_is_opened_again(
    ana, waldo, game, write
):
    write(game, build_round("ana", beto=23, caro=40, dani=103))
    write(game, PlayerReentered("dani"))
    seen = PageVersion(Table.objects.get(pk=game.table.pk).revision, len(game.log()))

    assert ["filling"] == moving_parts(sheet_after_form(ana, game))
    assert ["filling"] == moving_parts(
        read_page(waldo.get(reverse("live-sheet", args=[game.code, PageVersion(0)])))
    )
    Table.objects.update(revision=F("revision") + 1)
    assert [] == moving_parts(read_page(waldo.get(reverse("live-sheet", args=[game.code, seen]))))
    assert [] == moving_parts(sheet(ana, game))
    write(game, build_round("ana", beto=1, caro=1, dani=1))
    write(game, Struck(4))
    assert [] == moving_parts(sheet_after_form(ana, game))
