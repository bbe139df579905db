"""A friend flags a hand as wrong (está mal); the scorer reads it, and corrects the hand or confirms it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from games.models import Flag
from games.play.services import hand_flags
from games.scoring.events import Corrected, Struck
from tests.factories import build_round, confirm_as_member, make_user, start
from tests.reader import open_page, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


@pytest.fixture
def game(table, owner, write):
    game = start(table, owner)
    write(game, build_round("ana", beto=23, caro=40, dani=9))
    return game


@pytest.fixture
def beto(table, waldo):
    """A viewer's phone that is confirmed to be Beto's."""
    confirm_as_member(User.objects.get(username="waldo"), table.members.get(slug="beto"))
    return waldo


@pytest.fixture
def caro(table, client_for):
    """A viewer's phone that is confirmed to be Caro's."""
    user = make_user("caro")
    confirm_as_member(user, table.members.get(slug="caro"))
    return client_for(user)


def post_flag(phone, game, hand="caro", number=2, **fields):
    return phone.post(reverse("flag", args=[game.code, number]), {"hand": hand, **fields})


def read_flags(phone, game):
    """Return the sheet's sentences about flagged hands, and the marks in its cells."""
    page = open_page(phone, reverse("sheet", args=[game.code]))
    labels = [cell.attrs.get("aria-label", "") for cell in page.every("a", class_="cell")]
    marked = [label for label in labels if "Someone says it's wrong" in label]
    sentences = [paragraph.text for paragraph in page.every("p") if "is wrong" in paragraph.text]
    return sentences, marked


def test_a_scorer_reads_which_hand_a_friend_says_is_wrong(ana, beto, game):
    look = open_page(beto, f"{reverse('correct', args=[game.code, 2])}?hand=caro")
    assert ["It is wrong"] * 4 == [key.text for key in look.every("button", name="hand")]
    assert 302 == post_flag(beto, game).status_code

    sentences, marked = read_flags(ana, game)
    assert ["Beto says Caro's hand in round 1 is wrong"] == sentences
    assert ["Caro, round 1: 40, correct it. Someone says it's wrong"] == marked
    assert ([], []) == read_flags(beto, game)


def test_a_second_tap_takes_it_back(ana, beto, game):
    post_flag(beto, game)
    look = open_page(beto, f"{reverse('correct', args=[game.code, 2])}?hand=caro")
    assert "You said this hand is wrong: the scorekeeper will see it." in look.only("main").text
    post_flag(beto, game)
    assert ([], []) == read_flags(ana, game)


def test_it_ends_when_its_round_is_corrected_or_taken_out_and_may_be_said_again(ana, beto, game, write):
    for answer in (Corrected(2, build_round("ana", beto=23, caro=41, dani=9)), None):
        post_flag(beto, game)
        assert 1 == len(read_flags(ana, game)[0])
        write(game, answer or Struck(2))
        assert ([], []) == read_flags(ana, game)


def test_it_ends_when_who_records_says_that_the_hand_is_right(ana, beto, game):
    post_flag(beto, game)
    assert 403 == post_flag(beto, game, settled="").status_code
    assert 302 == post_flag(ana, game, settled="").status_code
    assert ([], []) == read_flags(ana, game)


# --- who flagged a hand reads what became of it ------------------------------------------------------------


def read_answer(phone, game):
    page = open_page(phone, reverse("sheet", args=[game.code]))
    notices = page.every("div", class_="notice says", data_says="")
    return [notice.text for notice in notices if "you said" in notice.text]


def correct(write, game, caro=41):
    write(game, Corrected(2, build_round("ana", beto=23, caro=caro, dani=9)))


def test_who_flagged_a_hand_reads_on_the_sheet_that_its_round_was_corrected(ana, beto, game, write):
    post_flag(beto, game)
    assert [] == read_answer(beto, game)
    correct(write, game)

    assert ["Round 1 was corrected: you said Caro's hand was wrong. View the hand"] == read_answer(beto, game)
    assert [] == read_answer(ana, game)
    write(game, build_round("beto", ana=5, caro=1, dani=2))
    assert [] == read_answer(beto, game)


def test_who_flagged_their_own_hand_is_told_so(beto, game, write):
    post_flag(beto, game, hand="beto")
    correct(write, game)

    assert ["Round 1 was corrected: you said your hand was wrong. View the hand"] == read_answer(beto, game)


def test_who_flagged_a_hand_reads_that_its_round_was_removed(beto, game, write):
    post_flag(beto, game)
    write(game, Struck(2))

    assert ["A round was removed: you said Caro's hand in it was wrong."] == read_answer(beto, game)


def test_the_answer_reaches_the_flags_phone_with_the_poll_of_its_sheet(beto, caro, game, write):
    live = {
        phone: open_page(phone, reverse("sheet", args=[game.code])).only("p", id="news")
        for phone in (beto, caro)
    }
    post_flag(beto, game)
    correct(write, game)

    for phone, is_told in ((caro, False), (beto, True)):
        polled = phone.get(
            live[phone].attrs["data-live"], headers={"X-Ticket": live[phone].attrs["data-ticket"]}
        )
        assert is_told == ("you said Caro's hand was wrong" in read_page(polled).only("main").text)


def test_an_open_round_follows_its_correction(beto, game, write):
    address = reverse("correct", args=[game.code, 2])
    post_flag(beto, game)
    news = open_page(beto, address).only("p", id="news")
    assert 204 == beto.get(news.attrs["data-live"]).status_code
    correct(write, game)

    page = read_page(beto.get(news.attrs["data-live"]))
    assert "You said this hand was wrong. The round was corrected after that." in page.only("main").text
    assert "You said this hand is wrong" not in page.only("main").text
    assert "41" in page.only("main").text


def test_an_open_round_that_is_removed_leads_to_the_sheet(beto, game, write):
    news = open_page(beto, reverse("correct", args=[game.code, 2])).only("p", id="news")
    write(game, Struck(2))

    answer = beto.get(news.attrs["data-live"])
    assert reverse("sheet", args=[game.code]) == answer.headers["X-Leads"]
    assert "The round was removed" == answer.content.decode()


def test_every_phone_of_the_table_sees_the_change_with_its_next_poll(beto, table, game):
    table.refresh_from_db()
    before = table.revision
    post_flag(beto, game)
    table.refresh_from_db()
    assert before + 1 == table.revision


def test_who_is_nobody_at_the_table_says_nothing_nor_anybody_of_a_hand_that_is_not_there(
    waldo, ana, table, game
):
    assert 403 == post_flag(waldo, game).status_code
    confirm_as_member(User.objects.get(username="waldo"), table.members.get(slug="beto"))
    assert [422, 403] == [
        post_flag(waldo, game, "eva").status_code,
        post_flag(waldo, game, number=1).status_code,
    ]
    assert 0 == Flag.objects.count()


def test_after_twenty_hands_of_a_game_it_is_enough(beto, game):
    Flag.objects.bulk_create(
        Flag(game=game, number=100 + place, player="caro", user=User.objects.get(username="waldo"), after=2)
        for place in range(hand_flags.MAX_FLAGS)
    )
    answer = post_flag(beto, game)
    assert 422 == answer.status_code
    assert (
        "You said that 20 hands in this game are wrong: that's enough." in read_page(answer).only("main").text
    )
