"""Reopening the season closed last."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from games.season.seasons import close_season
from tests.reader import read_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def three(table, time_machine):
    """Three seasons, the last two begun in July and October."""
    time_machine.move_to("2026-11-20T01:00Z", tick=False)
    table.seasons.update(name="2026", starts_on=date(2026, 3, 1))
    winter = close_season(table.seasons.get(), last_day=date(2026, 6, 30), next_name="Invierno")
    close_season(winter, last_day=date(2026, 9, 30), next_name="Primavera")
    return list(table.seasons.all())


def test_reopening_a_season_that_was_not_closed_last_is_refused_with_the_reason(ana, table, three):
    response = ana.post(reverse("reopen-season", args=[table.code]), {"season": str(three[0].pk)})

    assert 422 == response.status_code
    assert ["Only the last closed season can be reopened."] == read_page(response).alerts
    assert 3 == table.seasons.count()
