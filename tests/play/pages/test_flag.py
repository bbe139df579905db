"""Flagging a hand: a user who sees a round can flag one of its hands as wrong, with a note."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Flag
from games.play.flags import RAISED
from games.scoring.events import Corrected, Struck
from tests.reader import Walker, read_page
from tests.tables import a_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    return game


def _address(game, number=2):
    return reverse("flag", args=[game.code, number])


def test_a_witness_reaches_the_flag_page_from_the_figure_on_the_sheet(waldo, game):
    walker = Walker(waldo)
    walker.open(reverse("sheet", args=[game.code]))
    walker.follow("Beto, round 1: 23, not right?")

    form, _button = walker.page.form_with("Report this hand")
    assert ["ana", "beto", "caro", "dani"] == form.allowed("hand")
    assert "beto" == walker.page.typed("hand")
    walker.press("Report this hand", note="era 12")
    assert f"/g/{game.code}/" == walker.address
    assert [("beto", "era 12")] == list(Flag.objects.values_list("player", "note"))


def test_opening_the_flag_page_flags_nothing(waldo, game):
    waldo.get(_address(game), {"hand": "beto"})

    assert 0 == Flag.objects.count()


def test_a_flagged_figure_is_marked_and_labelled(waldo, game):
    waldo.post(_address(game), {"hand": "beto"})
    page = read_page(waldo.get(reverse("sheet", args=[game.code])))
    labels = [link.attrs["aria-label"] for link in page.only("tbody").every("a")]

    assert "Beto, round 1: 23, not right?. Questioned" in labels
    assert ["flagged"] == [
        cell.attrs["class"] for cell in page.every("td") if "flagged" in cell.attrs.get("class", "")
    ]


def test_the_user_who_flagged_a_hand_sees_that_until_the_flag_is_settled(ana, waldo, game):
    waldo.post(_address(game), {"hand": "beto", "note": "era 12"})
    pages = [read_page(phone.get(reverse("sheet", args=[game.code]))) for phone in (waldo, ana)]

    heard = "You reported this as wrong; the scorekeeper can see it."
    assert [True, False] == [any(heard in notice for notice in page.notices) for page in pages]
    ana.post(reverse("settle-flag", args=[game.code, 2]), {"hand": "beto"})
    assert [] == read_page(waldo.get(reverse("sheet", args=[game.code]))).every("p", class_="notice")


def test_the_sheet_shows_scorers_a_flag_with_links_to_inspect_and_settle_the_flag(ana, waldo, game):
    waldo.post(_address(game), {"hand": "beto", "note": "era 12"})
    page = read_page(ana.get(reverse("sheet", args=[game.code])))
    notice = page.only("div", class_="notice doubted")

    assert "Round 1, Beto 23: is that right? “era 12” Look at it Resolved" == notice.text
    assert f"/g/{game.code}/correct/2/?hand=beto" == notice.link("Look at it")
    assert reverse("settle-flag", args=[game.code, 2]) == notice.form_with("Resolved")[0].attrs["action"]


def test_the_sheet_counts_further_flags(ana, waldo, game):
    for hand in ("beto", "caro", "dani"):
        waldo.post(_address(game), {"hand": hand})
    page = read_page(ana.get(reverse("sheet", args=[game.code])))

    assert "2 more hands were questioned." in page.only("div", class_="notice doubted").text


def test_a_flag_on_a_struck_round_is_not_shown(ana, waldo, game, write):
    waldo.post(_address(game), {"hand": "beto"})
    write(game, Struck(2))

    assert [] == read_page(ana.get(reverse("sheet", args=[game.code]))).every("div", class_="notice doubted")


def test_a_user_can_withdraw_their_flag(waldo, game):
    walker = Walker(waldo)
    walker.open(f"{_address(game)}?hand=beto")
    walker.press("Report this hand")
    walker.open(f"{_address(game)}?hand=beto")
    assert "You question Beto, 23." in walker.page.only("main").text
    walker.press("Take it back")

    assert 0 == Flag.objects.filter(resolved_at=None).count()


@pytest.mark.parametrize("hand", ["", "zoe", "nobody"])
def test_a_flag_on_a_hand_outside_the_round_is_refused_at_its_field(waldo, game, hand):
    response = waldo.post(_address(game), {"hand": hand, "note": "era 12"})
    page = read_page(response)

    assert (422, 0) == (response.status_code, Flag.objects.count())
    assert "This round doesn't have that hand." == page.said_at("hand")
    assert "era 12" == page.typed("note")


def test_an_overlong_note_is_refused_and_kept_in_the_form(waldo, game):
    response = waldo.post(_address(game), {"hand": "beto", "note": "x" * 201})
    page = read_page(response)

    assert (422, "At most 200 characters fit here.") == (response.status_code, page.said_at("note"))
    assert ("beto", "x" * 201) == (page.typed("hand"), page.typed("note"))


@pytest.mark.parametrize("number", [0, 1, 3, 10**30])
def test_an_event_that_is_not_a_round_gets_404(waldo, game, number):
    where = f"/g/{game.code}/flag/{number}/"

    assert [404, 404] == [waldo.get(where).status_code, waldo.post(where, {"hand": "ana"}).status_code]


def test_flagging_is_rate_limited(waldo, game):
    for number in range(RAISED.most):
        waldo.post(_address(game), {"hand": "beto", "note": str(number)})
    response = waldo.post(_address(game), {"hand": "beto", "note": "once more"})

    assert 429 == response.status_code
    assert "29" == Flag.objects.get().note


# --- a figure that changed since --------------------------------------------------------------------------------------


def _notice_of(client, game):
    return read_page(client.get(reverse("sheet", args=[game.code]))).notices


def test_a_flag_names_the_figure_at_the_time_it_was_raised(ana, waldo, game, write):
    """Waldo flagged Beto's 23; it was corrected to 12, and nobody settled the flag by hand."""
    waldo.post(_address(game), {"hand": "beto", "note": "era 12"})
    write(game, a_round("dani", ana=5, beto=1, caro=2))
    write(game, Corrected(2, a_round("ana", beto=12, caro=40, dani=9)))

    sentence = "Round 1, Beto: 23 was questioned, now it is 12. “era 12”"
    assert [sentence + " Look at it Resolved"] == _notice_of(ana, game)
    heard = "You reported this as wrong; the scorekeeper can see it."
    assert [f"{sentence} {heard}"] == _notice_of(waldo, game)
    mine = read_page(waldo.get(_address(game))).only("div", class_="undo")
    assert "You question Beto, 23. Take it back" == mine.text


def test_a_flag_repeated_after_a_correction_is_about_the_corrected_figure(ana, waldo, game, write):
    waldo.post(_address(game), {"hand": "beto"})
    write(game, Corrected(2, a_round("ana", beto=32, caro=40, dani=9)))
    waldo.post(_address(game), {"hand": "beto"})

    assert ["Round 1, Beto 32: is that right? Look at it Resolved"] == _notice_of(ana, game)
    assert 1 == Flag.objects.count()


def test_flags_on_two_figures_of_one_hand_are_shown_together(ana, waldo, game, write, phone_of, table):
    waldo.post(_address(game), {"hand": "beto", "note": "era 12"})
    write(game, Corrected(2, a_round("ana", beto=32, caro=40, dani=9)))
    ana.post(_address(game), {"hand": "beto"})
    write(game, Corrected(2, a_round("ana", beto=12, caro=40, dani=9)))

    assert _notice_of(ana, game)[0].startswith("Round 1, Beto: 23, 32 was questioned, now it is 12. “era 12”")


def test_a_correction_of_another_hand_leaves_the_flag_unchanged(ana, waldo, game, write):
    waldo.post(_address(game), {"hand": "beto"})
    write(game, Corrected(2, a_round("ana", beto=23, caro=4, dani=9)))

    assert ["Round 1, Beto 23: is that right? Look at it Resolved"] == _notice_of(ana, game)
