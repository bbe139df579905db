"""Corrected and proposed expenses of a file that is imported into an existing table, and their reversal."""

from __future__ import annotations

import pytest
from django.utils.timezone import now

from games.common import days
from games.files.services import audit, imports
from games.money.services import expense_corrections, expenses
from tests.factories import build_expense, confirm_as_member, make_user, new_key
from tests.files.test_imports import (
    export_text,
    get_owner,
    import_file,
    nonzero_balances,
    preview_file,
    skipped_texts,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def corrected(cabin):
    """Dani pays 400 for all four, and then it was Ana who paid 300 for three."""
    beto, ana, caro, dani = cabin.members.order_by("pk")
    how = {"key": new_key(), "by": get_owner(cabin)}
    night = days.night_for(now(), cabin)
    wrong = expenses.create(cabin, night, build_expense(dani, 400, (ana, beto, caro, dani)), **how)
    right = build_expense(ana, 300, (ana, beto, caro))
    return expense_corrections.correct(wrong, right, key=new_key(), by=get_owner(cabin))


def test_a_corrected_expense_is_imported_once_and_reverted_with_all_its_versions(home, cabin, corrected):
    for _time in range(2):
        import_file(home, export_text(cabin))
    assert {"ana": 200, "beto": -100, "caro": -100} == nonzero_balances(home)
    assert ["replaced", "counts"] == [cost.state for cost in home.costs.order_by("pk")]
    assert [0, 1] == [arrival.expenses for arrival in home.arrivals.all()]
    assert [] == audit.check_table(home).differences

    imports.revert(home.arrivals.get(expenses=1), by=get_owner(home))
    assert {} == nonzero_balances(home)
    import_file(home, export_text(cabin))
    assert {"ana": 200, "beto": -100, "caro": -100} == nonzero_balances(home)
    assert [] == audit.check_table(home).differences


def test_an_expense_corrected_here_since_is_named_as_different(home, cabin, corrected):
    import_file(home, export_text(cabin))
    here = home.costs.get(replaced_at=None)
    dani, beto = (home.members.get(slug=slug) for slug in ("dani", "beto"))
    expense_corrections.correct(here, build_expense(dani, 90, (beto,)), key=new_key(), by=get_owner(home))

    assert ["Ana, 300: It's different here."] == skipped_texts(preview_file(home, export_text(cabin)))


def test_a_proposal_in_the_file_is_not_imported(home, cabin):
    ana = cabin.members.get(slug="ana")
    user = make_user("proposer")
    confirm_as_member(user, ana)
    night, pizza = (
        days.night_for(now(), cabin),
        build_expense(ana, 300, (ana, cabin.members.get(slug="beto"))),
    )
    expenses.create(cabin, night, pizza, key=new_key(), by=user, is_proposal=True)
    preview = preview_file(home, export_text(cabin))

    assert (0, ["Ana, 300: It waits for a yes there."]) == (preview.count, skipped_texts(preview))
