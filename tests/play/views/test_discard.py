"""Discarding a game that was started by mistake; the home page offers to restore it."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils.timezone import now

from games.common import days
from games.models import Game, Record, Result
from games.scoring.events import Corrected
from tests.factories import build_round, end_season
from tests.reader import Walker, read_page

pytestmark = pytest.mark.django_db


def _address(game):
    return reverse("discard", args=[game.code])


def test_a_discarded_game_can_be_restored_from_the_home_page(ana, finished):
    response = ana.post(_address(finished), {"confirm": "6"})
    page = read_page(ana.get(response.url))

    assert Game.objects.get().discarded_at is not None
    assert (0, 6) == (Result.objects.count(), Record.objects.count())
    form, _button = page.form_with("Undo")
    ana.post(form.attrs["action"], form.fields)
    assert (None, 4) == (Game.objects.get().discarded_at, Result.objects.count())


def test_a_finished_game_is_discarded_only_after_its_effects_were_shown(ana, table, finished):
    end_season(table, last_day=days.night_for(now(), table), next_name="Verano")
    walker = Walker(ana)
    walker.open(reverse("more", args=[finished.code]))
    page = walker.press("Started by mistake: delete the game")

    assert "Ana wins" in page.only("main").text
    assert [
        "Ana, balance +$400 → $0",
        "Beto, balance −$200 → $0",
        "Caro, balance −$100 → $0",
        "Dani, balance −$100 → $0",
        "Beto → Ana $200 → $0",
        "Caro → Ana $100 → $0",
        "Dani → Ana $100 → $0",
    ] == [row.text[2:] for row in page.only("ul", id="what-changes").every("li")]
    effect = page.only("div", class_="body").only("p", class_="notice")
    assert "This changes the standings" in effect.text
    assert Game.objects.get().discarded_at is None
    walker.press("Delete it")
    assert Game.objects.get().discarded_at is not None


def test_a_game_corrected_meanwhile_is_not_discarded_before_the_effects_are_shown_again(ana, finished, write):
    page = read_page(ana.post(_address(finished)))
    form, _button = page.form_with("Delete it")
    write(finished, Corrected(6, build_round("ana", beto=51, dani=20)))
    response = ana.post(form.attrs["action"], form.fields)

    assert read_page(response).form_with("Delete it")
    assert Game.objects.get().discarded_at is None
