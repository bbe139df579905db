"""A game from a link that contains it: anybody can read its sheet, and nothing is stored."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game
from games.play.snapshot import Snapshot
from games.scoring.replay import replay
from games.scoring.text.link import write_link
from games.scoring.text.script import play_script
from tests.benchmarks.attacks import hard_rounds
from tests.golden_games import each_golden_game, read_golden
from tests.reader import read_page
from tests.test_rights import stored

pytestmark = pytest.mark.django_db

SHEET = "/shown/sheet/"


def part_of(game: Game) -> str:
    return write_link(Snapshot.read(game).log)


def reader() -> Client:
    """A browser in English without any account."""
    return Client(headers={"accept-language": "en"})


def post(part: object):
    return reader().post(SHEET, {} if part is None else {"part": part})


def lines(page) -> list[list[str]]:
    """Return the rows of the sheet without amounts of money."""
    for fee in page.every("span", class_="fee"):
        fee.inside = []
    rows = [[cell.text for cell in row.every("th", "td")] for row in page.only("table").every("tr")]
    return [row for row in rows if row[0] != "Money"]


def test_the_sheet_from_a_link_equals_the_games_sheet_without_money(ana, finished):
    own = read_page(ana.get(reverse("paper", args=[finished.code])))
    page = read_page(post(part_of(finished)))

    assert "$" not in page.text
    assert lines(own) == lines(page)


@each_golden_game(sampled=12)
def test_a_golden_game_from_a_link_shows_its_totals(path):
    log = play_script(read_golden(path)).log
    state = replay(log)

    page = read_page(post(write_link(log)))

    totals = page.every("tbody", class_="sums")[0].every("b")
    assert [f"{player.total}".replace("-", "−") for player in state.players] == [
        node.text.replace(",", "") for node in totals
    ]


def test_reading_a_link_stores_nothing(finished):
    before = stored()

    response = post(part_of(finished))

    assert (200, before) == (response.status_code, stored())


def test_the_page_from_a_link_does_not_reveal_the_table(finished):
    answer = post(part_of(finished)).content.decode()

    assert not {finished.code, finished.table.code, finished.table.name} & set(answer.split('"'))


@pytest.mark.parametrize("part", ["", "1", "1abc", "9abc", "1" + "A" * 20_000, None])
def test_an_invalid_link_is_refused_with_a_reason(part):
    response = post(part)

    assert 422 == response.status_code
    assert response.json()["sentences"]


def test_a_game_beyond_the_step_budget_is_refused():
    log = hard_rounds(40)

    assert 422 == post(write_link(log)).status_code


def test_a_form_without_a_csrf_token_gets_403(finished):
    strict = Client(enforce_csrf_checks=True)

    response = strict.post(SHEET, {"part": part_of(finished)})

    assert 403 == response.status_code


def test_the_page_introduces_the_app_and_links_to_it():
    page = read_page(reader().get("/shown/"))

    assert "/" == page.every("div", class_="dock")[0].only("a").attrs["href"]
    assert "Anotador keeps the score of your card games" in page.only("main").text
    assert "only a browser with scripts can read it" in page.only("noscript").text


def test_the_page_of_a_game_shows_its_link_with_a_qr_code_and_a_warning(ana, finished):
    page = read_page(ana.get(reverse("game-link", args=[finished.code])))

    assert f"http://testserver/shown/#{part_of(finished)}" == page.only("textarea", id="link").text
    assert "You can’t take it back." in page.only("main").text
    assert 1 == len(page.every("svg"))


def test_the_result_and_the_page_of_other_events_link_to_the_games_link(ana, finished):
    link = reverse("game-link", args=[finished.code])
    pages = [read_page(ana.get(reverse(name, args=[finished.code]))) for name in ("settlement", "more")]

    assert [True, True] == [link in {node.attrs.get("href") for node in page.every("a")} for page in pages]
