"""A refused expense comes back exactly as it was sent, with everything filled in otherwise than its defaults."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import SharedCost
from tests.factories import get_last_night, make_user, new_key
from tests.reader import open_page, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

# Beto and Dani paid for Ana alone by shares; or Caro for amounts that differ, which three forgive.
FILLED = [
    {"for-ana": "yes", "paid-beto": "6000", "paid-dani": "4000", "share-ana": "7", "split": "parts"},
    {"payer": "caro", "for-beto": "yes", "share-beto": "3", "share-dani": "x9", "split": "amounts"},
    {
        "payer": "dani",
        "for-ana": "yes",
        "for-beto": "yes",
        "share-ana": "2",
        "split": "parts",
        "forgiven": "on",
    },
    {"split": "parts", "note": "taxi"},
]
ALL_FIELDS = {
    *("amount", "note", "payer", "split", "forgiven", "night", "reason"),
    *(f"{kind}-{slug}" for kind in ("for", "share", "paid") for slug in ("ana", "beto", "caro", "dani")),
}


@pytest.mark.parametrize("typed", FILLED)
@pytest.mark.parametrize("name", ["share-cost", "correct-cost"])
def test_a_refused_expense_comes_back_as_it_was_sent(ana, table, pizza, typed, name):
    SharedCost.objects.update(recorded_by=make_user("otto"))  # so that a reason is asked
    is_new = name == "share-cost"
    own = {"night": "2020-02-03"} if is_new else {"reason": "porque sí"}
    data = {"amount": "10.001,5", "note": "asado", **own, **typed}
    address = reverse(name, args=[table.code, *([] if is_new else [pizza.pk])])
    refused = ana.post(address, {**data, "key": new_key()})
    form, _button = read_page(refused).form_with("Record the expense" if is_new else "Save")

    assert 422 == refused.status_code
    sent = {field: value for field, value in form.fields.items() if field in ALL_FIELDS and value}
    assert data == {**sent, **({"forgiven": "on"} if "forgiven" in sent else {})}


def test_an_expense_begins_with_all_who_played_and_who_fills_it_in_as_the_payer(
    ana, caro_phone, table, finished
):
    everybody = {f"for-{slug}" for slug in ("ana", "beto", "caro", "dani")}
    for phone, payer in ((ana, None), (caro_phone, "caro")):
        page = open_page(phone, reverse("accounts", args=[table.code]))
        form, _button = page.form_with("Record the expense")
        assert everybody == {
            field for field, value in form.fields.items() if field.startswith("for-") and value
        }
        assert payer == form.fields.get("payer")
    assert str(get_last_night(table)) == form.fields["night"]


@pytest.fixture
def caro_phone(confirm_as, client_for):
    return client_for(confirm_as(make_user("caro"), "caro"))
