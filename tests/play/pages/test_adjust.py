"""A penalty or a gift: points outside any round, with a reason."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Record
from tests.reader import fields, read_page
from tests.tables import a_key

pytestmark = pytest.mark.django_db


def _address(game):
    return reverse("adjust", args=[game.code])


def _payload(game, **changes):
    return fields(**{
        "after": len(game.log()), "key": a_key(),
        "penalty_player": "dani", "points": "10", "reason": "se paró", **changes,
    })  # fmt: skip


def refused(client, game, *, status=422, **changes):
    """Send a penalty that is refused; return the page, with its fold open and all values still in the form."""
    before, payload = Record.objects.count(), _payload(game, **changes)
    response = client.post(_address(game), payload)
    page = read_page(response)

    assert (status, before) == (response.status_code, Record.objects.count())
    assert "open" in page.only("details", id="penalty").attrs
    for name in ("points", "reason"):
        assert payload[name].split() == page.typed(name).split()
    return page


@pytest.mark.parametrize(
    ("typed", "points"), [("10", 10), ("+10", 10), ("-10", -10), ("−10", -10), (" 5 ", 5), ("0", 0)]
)
def test_a_penalty_adds_or_subtracts_points(ana, game, typed, points):
    response = ana.post(_address(game), _payload(game, points=typed))

    assert f"/g/{game.code}/" == response.url
    assert points == game.state().player("dani").total


def test_the_sheet_shows_a_penalty_with_its_reason_escaped(ana, game):
    response = ana.post(_address(game), _payload(game, reason="<b>se paró</b>"))

    assert ["Dani +10: <b>se paró</b>"] == read_page(ana.get(response.url)).last


@pytest.mark.parametrize(("points", "reason"), [("10", "Dani +10: penalty"), ("-5", "Dani −5: gift")])
def test_a_penalty_without_a_reason_is_called_penalty_or_gift(ana, game, points, reason):
    response = ana.post(_address(game), _payload(game, points=points, reason=" "))

    assert [reason] == read_page(ana.get(response.url)).last


def test_an_empty_penalty_form_shows_all_its_errors_at_once(ana, game):
    page = refused(ana, game, **{"penalty-player": "", "points": "", "reason": ""})

    assert [
        "Choose a player.",
        "Write a number of points, such as 10 or -5.",
    ] == [page.said_at(field) for field in ("penalty-player", "points")]


def test_a_penalty_that_makes_a_player_bust_leads_to_the_re_entry_page(ana, game):
    assert reverse("reentry", args=[game.code]) == ana.post(_address(game), _payload(game, points="101")).url


def test_an_invalid_penalty_is_refused_at_its_field(subtests, ana, game):
    for field, value, sentence in [
        ("reason", "a" * 201, "At most 200 characters fit here."),
        ("penalty_player", "", "Choose a player."),
        ("penalty_player", "zed", "zed is not at this table."),
        ("points", "", "Write a number of points, such as 10 or -5."),
        ("points", "1" * 30, "Write a number of points, such as 10 or -5."),
        ("points", "100001", "A penalty is at most 100,000 points."),
    ]:
        with subtests.test(field=field, value=value):
            page = refused(ana, game, **{field: value})

            assert sentence == page.said_at(field.replace("_", "-"))
            assert [] == page.alerts
