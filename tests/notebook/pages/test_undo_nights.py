"""An import of an old notebook undone with one tap."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.money.balances import balances_of
from tests.notebook.pages.test_import_nights import take
from tests.reader import read_page

pytestmark = pytest.mark.django_db


def test_undo_discards_the_games_of_one_import(ana, table, finished):
    before = balances_of(table)
    page = read_page(ana.get(take(ana, table, paid="no")["Location"]))
    form = page.only("form", action=reverse("undo-nights", args=[table.code]))
    key = form.only("input", name="key").attrs["value"]
    response = ana.post(form.attrs["action"], {"key": key})
    assert reverse("import-nights", args=[table.code]) == response["Location"]
    assert {**before, "tio_raul": 0} == balances_of(table)
    assert 1 == table.games.filter(discarded_at=None).count()


def test_an_unknown_key_discards_nothing(ana, table):
    take(ana, table)
    address = reverse("undo-nights", args=[table.code])
    assert [302, 422] == [ana.post(address, {"key": key}).status_code for key in ("other", "")]
    assert 2 == table.games.filter(discarded_at=None).count()
