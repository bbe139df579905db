"""Over the rate limit of requests: a round is queued on the phone, another form keeps its values.

`api/test_limits.py` has the limits of the API; `test_limits.py` has the limits of pages and addresses.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from games.common import rate_limits
from games.files.services import file_writer
from games.models import Table
from tests.browser.offline_steps import PANEL, enter, queued_texts
from tests.browser.scorer import until
from tests.concurrency import two_at_work
from tests.factories import make_table, make_user

TOO_MANY_REQUESTS = "status of 429|htmx:responseError|htmx:afterRequest|Response Status Error Code 429"


@pytest.fixture
def set_limit(rate_limited, monkeypatch, forgive):
    """`set_limit("FORMS", 2)` sets this limit to two requests a minute."""
    forgive(TOO_MANY_REQUESTS)
    return lambda name, most: monkeypatch.setattr(
        rate_limits, name, replace(getattr(rate_limits, name), most=most)
    )


def test_a_rate_limited_round_is_queued_and_recorded_once_afterwards(set_limit, scorer, started_game):
    set_limit("FORMS", 0)
    scorer.page.goto(f"/g/{started_game.code}/round/")
    enter(scorer, "ana", 45, 9, 8)

    assert 1 == len(queued_texts(scorer.page))
    scorer.page.wait_for_timeout(4000)  # the phone has retried meanwhile
    assert (1, 1) == (len(queued_texts(scorer.page)), len(started_game.log()))
    set_limit("FORMS", 300)
    until(scorer.page, lambda: len(started_game.log()) == 2)
    expect(scorer.page.locator(PANEL)).to_be_hidden()


@pytest.mark.long
def test_a_rate_limited_form_that_cannot_be_queued_keeps_its_values(set_limit, page, signed_in, table):
    page.goto(f"/t/{table.code}/people/")
    page.locator("[name=name]").last.fill("Tía Ñata")
    set_limit("FORMS", 0)
    page.locator("[name=name]").last.press("Enter")

    expect(page.locator("#trouble")).to_contain_text("No se anotó nada. Esperá ")
    assert "Tía Ñata" == page.locator("[name=name]").last.input_value()
    set_limit("FORMS", 300)
    page.locator("[name=name]").last.press("Enter")
    until(page, lambda: table.members.filter(name="Tía Ñata").exists())


@pytest.mark.long
def test_a_file_stays_chosen_while_others_import_theirs(page, signed_in, forgive):
    forgive(TOO_MANY_REQUESTS)
    text = file_writer.write_table(make_table(make_user("sara"), name="La cabaña"))
    page.goto("/import/")
    page.locator("[name=file]").set_input_files(
        {"name": "mesa.json", "mimeType": "application/json", "buffer": text.encode()}
    )
    with two_at_work():
        page.get_by_role("button", name="Traerla").tap()
        expect(page.locator("#trouble")).to_have_text(
            "El anotador está ocupado con otras mesas. No se anotó nada. Probá de nuevo en unos segundos."
        )
    assert 1 == page.locator("[name=file]").evaluate("field => field.files.length")

    page.get_by_role("button", name="Traerla").tap()
    until(page, lambda: 2 == Table.objects.filter(name="La cabaña").count())
