"""Erasing a table: typing its name, what its people see afterwards, and restoring it."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils.timezone import now

from games.models import Role, Table
from games.tables.services import links
from tests.factories import grant_access, make_user
from tests.reader import Walker, read_page

pytestmark = pytest.mark.django_db


def test_an_owner_erases_a_table_and_another_owner_restores_it(ana, client_for, waldo, table, finished):
    """Ana types the name; Waldo's page is gone; Beto, also an owner, restores it."""
    beto = make_user("beto")
    grant_access(beto, table, Role.OWNER)
    anas, betos = Walker(ana), Walker(client_for(beto))
    invitation = reverse(
        "invitation", args=[links.tonight_token(links.get_or_create_tonight(table, by=beto))]
    )
    anas.open(reverse("table-settings", args=[table.code]))
    page = anas.follow("Delete the table")
    assert "1 game with its rounds, results and payments" in page.text
    assert "the operator's backups aren't deleted" in page.text
    page = anas.press("Delete the table", **{"erased-name": "  mesa de  LOS jueves "})
    assert "This table will be deleted for good on" in page.notices[0]

    sheet = reverse("sheet", args=[finished.code])
    assert 404 == waldo.get(sheet).status_code
    assert 404 == waldo.get(invitation).status_code
    assert table.name not in waldo.get("/").content.decode()
    assert table.name not in waldo.get(sheet).content.decode()
    gone = betos.client.get(sheet)
    assert (404, "Restore it") == (gone.status_code, read_page(gone).only("button").text)
    (tile,) = [link for link in betos.open("/").every("a") if "gone for good on" in link.text]
    betos.open(tile.attrs["href"])
    assert table.name in betos.press("Restore it").only("h1").text
    assert [200, 200] == [waldo.get(page).status_code for page in (sheet, invitation)]


def test_hands_typed_for_an_erased_table_are_still_shown_to_the_owner(ana, game):
    Table.objects.update(erased_at=now())
    page = read_page(
        ana.post(
            f"/g/{game.code}/round/", {"closer": "ana", "closing": "out", "hand-beto": "K 7", "after": "1"}
        )
    )

    assert "K 7" in page.only("dl").text
