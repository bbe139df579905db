"""The example: a finished game that everybody can look at, without an account and a database row."""

from __future__ import annotations

import pytest

from games.models import Table
from tests.reader import read_page

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("region", "pays"), [("en", "Beto → Ana $ 4,000"), ("es-AR", "Beto → Ana $ 4.000")])
def test_a_stranger_sees_who_won_and_who_pays_whom(nobody, region, pays, django_assert_num_queries):
    with django_assert_num_queries(0):
        page = read_page(nobody.get("/example/", headers={"Accept-Language": region}))

    assert "Ana" in page.only("h1").text
    assert pays in page.only("section", id="debts").text
    assert 4 == len(page.only("div", id="sheet").every("th", role="columnheader")) - 1
    assert "/new/" == page.link("Start playing" if region == "en" else "Empezar a jugar")
    assert not Table.objects.exists()
