"""Tonight's result leads on: to the rematch, to the sheet of an undone end, to the first page."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Game
from games.money.services import payments
from games.play.services import recording
from games.tables.services import membership
from tests.factories import build_round, new_key, start
from tests.reader import PollingClient, open_page, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english", "fresh_cache")]


def poll_target(phone):
    """Poll once. Return the status, and the address that the phone is told to open."""
    answer = phone.poll()
    return answer.status_code, answer.headers.get("X-Leads", "")


@pytest.fixture
def game(table, owner, write):
    game = start(table, owner)
    write(game, build_round("ana", beto=101, caro=101, dani=101))
    game.refresh_from_db()
    return game


@pytest.fixture
def result(waldo, game):
    return PollingClient(waldo, reverse("settlement", args=[game.code]))


def test_the_rematch_leads_every_result_and_board_of_tonight_to_its_own(waldo, result, game, table, owner):
    board = PollingClient(waldo, reverse("board", args=[game.code]))
    assert [(204, "")] * 2 == [poll_target(result), poll_target(board)]

    rematch = start(table, owner)
    assert (200, reverse("sheet", args=[rematch.code])) == poll_target(result)
    assert (200, reverse("board", args=[rematch.code])) == poll_target(board)


def test_other_news_of_the_table_cost_a_board_one_full_answer_and_then_a_query(
    waldo, game, table, django_assert_num_queries
):
    board = PollingClient(waldo, reverse("board", args=[game.code]))
    membership.add(table, "Eva")
    before = board.live
    assert (204, "") == poll_target(board)
    assert before != board.live
    with django_assert_num_queries(1):
        assert (204, "") == poll_target(board)


def test_a_payment_of_another_phone_is_shown_on_the_result(ana, table, owner, write):
    game = start(table, owner, stake=100)
    write(game, build_round("ana", beto=101, caro=101, dani=101))
    result = PollingClient(ana, reverse("settlement", args=[game.code]))
    beto, payee = (table.members.get(slug=slug) for slug in ("beto", "ana"))
    payments.create(table, beto, payee, 100, key=new_key(), by=owner)
    answer = ana.get(result.live, headers={"X-Ticket": result.ticket}, follow=True)

    assert 200 == answer.status_code
    assert "2 of 3 left" in read_page(answer).only("section", id="debts").text


def test_an_undone_end_leads_back_to_the_sheet_and_a_discarded_game_to_the_first_page(result, game, owner):
    after = game.records.count()
    recording.undo(game, after=after, key=new_key(), by=owner)
    assert (200, reverse("sheet", args=[game.code])) == poll_target(result)
    recording.discard_game(game, by=owner)
    assert (200, reverse("home")) == poll_target(result)


@pytest.mark.parametrize("page", ["sheet", "board"])
def test_a_discarded_game_leads_to_the_next_one_or_back_when_it_is_restored(waldo, ana, table, owner, page):
    game = start(table, owner)
    recording.discard_game(game, by=owner)
    watching = PollingClient(waldo, reverse(page, args=[game.code]))
    assert (204, "") == poll_target(watching)
    recording.restore_game(game, by=owner)
    assert (200, reverse(page, args=[game.code])) == poll_target(watching)

    recording.discard_game(game, by=owner)
    watching = PollingClient(waldo, reverse(page, args=[game.code]))
    next_game = start(table, owner)
    assert (200, reverse(page, args=[next_game.code])) == poll_target(watching)
    restore = reverse("restore", args=[game.code])
    assert [] == open_page(ana, reverse("sheet", args=[game.code])).every("form", action=restore)


def test_whoever_comes_back_to_a_result_stays_there(waldo, game, table, owner):
    start(table, owner)
    assert [] == open_page(waldo, reverse("settlement", args=[game.code])).every(id="news")


def test_a_result_of_another_night_follows_nothing(waldo, game):
    Game.objects.update(night_number=game.night_number - 1)
    assert [] == open_page(waldo, reverse("settlement", args=[game.code])).every(id="news")
