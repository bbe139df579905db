"""The result of tonight leads on: to the rematch, to the sheet of an undone end, to the first page."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Game
from games.play.recording import discard_game, undo
from games.tables.members import add_member
from tests.reader import open_page
from tests.worlds import a_key, a_round, start

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english", "fresh_cache")]


class Following:
    """A phone that shows the result, or the board of a finished game, and polls as `live.js` does."""

    def __init__(self, client, address):
        self.client = client
        self.news = next(iter(open_page(client, address).every(id="news")), None)
        if self.news is not None:
            self.live, self.ticket = self.news.attrs["data-live"], self.news.attrs["data-ticket"]

    def look(self):
        """Poll once. Return the status, and where the phone is led."""
        answer = self.client.get(self.live, headers={"X-Ticket": self.ticket})
        self.live = answer.headers.get("X-Live", self.live)
        self.ticket = answer.headers.get("X-Ticket", self.ticket)
        return answer.status_code, answer.headers.get("X-Leads", "")


@pytest.fixture
def game(table, owner, write):
    game = start(table, owner)
    write(game, a_round("ana", beto=101, caro=101, dani=101))
    game.refresh_from_db()
    return game


@pytest.fixture
def result(waldo, game):
    return Following(waldo, reverse("settlement", args=[game.code]))


def test_the_rematch_leads_every_result_and_board_of_tonight_to_its_own(waldo, result, game, table, owner):
    board = Following(waldo, reverse("board", args=[game.code]))
    assert [(204, "")] * 2 == [result.look(), board.look()]

    rematch = start(table, owner)
    assert (200, reverse("sheet", args=[rematch.code])) == result.look()
    assert (200, reverse("board", args=[rematch.code])) == board.look()


def test_other_news_of_the_table_cost_one_full_answer_and_then_a_query(
    result, table, django_assert_num_queries
):
    add_member(table, "Eva")
    before = result.live
    assert (204, "") == result.look()
    assert before != result.live
    with django_assert_num_queries(1):
        assert (204, "") == result.look()


def test_an_undone_end_leads_back_to_the_sheet_and_a_discarded_game_to_the_first_page(result, game, owner):
    after = game.records.count()
    undo(game, after=after, key=a_key(), by=owner)
    assert (200, reverse("sheet", args=[game.code])) == result.look()
    discard_game(game, by=owner)
    assert (200, reverse("home")) == result.look()


def test_whoever_comes_back_to_a_result_stays_there(waldo, game, table, owner):
    start(table, owner)
    assert Following(waldo, reverse("settlement", args=[game.code])).news is None


def test_a_result_of_another_night_follows_nothing(waldo, game):
    Game.objects.update(night_number=game.night_number - 1)
    assert Following(waldo, reverse("settlement", args=[game.code])).news is None
