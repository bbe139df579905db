"""Merging two members, on the sheet of one: choose the other, see what changes, confirm; and splitting them."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.common import game_labels
from games.money.services import member_merges
from tests.reader import Walker, read_page

pytestmark = pytest.mark.django_db


def address(table, member="anita", into=""):
    """Return the address of the sheet that previews the merge or, without `into`, of its form."""
    if into:
        return f"{reverse('member', args=[table.code, member])}?into={into}"
    return reverse("merge-member", args=[table.code, member])


def test_two_members_are_merged_after_a_preview_and_parted_again(ana, table, play, pay, anita):
    play("ana", "beto", "caro")
    play("dani", "anita")
    pay("beto", "ana", 30)
    walker = Walker(ana)
    walker.open(reverse("member", args=[table.code, "anita"]))
    page = walker.follow("Aa Ana")

    rows = [row.text for row in page.only(id="accounts").every("li")]
    assert ["Anita −$100", "Ana +$170", "Ana both together +$70"] == rows
    assert "Anita → Dani $100 from now on" in page.only(id="change").text
    assert "Ana → Dani $100" in page.only(id="change").text
    page = walker.press("They're the same person")
    assert ["Anita counts as Ana now"] == page.notices
    assert "ana" == table.members.get(slug="anita").current.slug
    settings = reverse("table-part", args=[table.code, "merged"])
    assert "Anita is Ana" in read_page(ana.get(settings)).only("ul").text
    assert ["Anita is a separate person again"] == walker.press("Undo").notices
    assert "anita" == table.members.get(slug="anita").current.slug
    assert 404 == ana.get(settings).status_code


def test_members_who_played_the_same_game_cannot_be_merged_and_the_page_links_to_the_game(
    ana, table, play, anita
):
    game = play("ana", "anita", days=1)
    page = read_page(ana.get(address(table, into="ana")))

    assert ["Both played in the same game, so they are two people."] == page.alerts
    assert game.code in page.link(game_labels.game_night_label(game))
    assert [] == page.only("form", id="merge").every("button")
    data = {"into": "ana", "seen": member_merges.preview(anita, table.members.get(slug="ana")).digest}
    assert 422 == ana.post(address(table), data).status_code


def test_a_merge_with_an_outdated_preview_gets_409(ana, table, play, anita):
    page = read_page(ana.get(address(table, into="ana")))
    data = page.only("form", id="merge").fields
    play("anita", "beto")
    response = ana.post(address(table), data)

    assert 409 == response.status_code
    assert ["The result has changed since you saw it. Nothing was saved; check it again."] == read_page(
        response
    ).notices


def test_parting_needs_one_tap_and_is_refused_after_a_later_game_of_the_merged_member(
    ana, table, owner, play, anita
):
    into = table.members.get(slug="ana")
    member_merges.merge(anita, into, seen=member_merges.preview(anita, into).digest, by=owner)
    walker = Walker(ana)
    walker.open(reverse("table-part", args=[table.code, "merged"]))
    play("ana", "caro")
    page = walker.press("They are two people")

    assert ["Can't be undone: one of their games was changed since."] == page.alerts
    assert "ana" == table.members.get(slug="anita").current.slug
