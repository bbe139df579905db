"""The notebook page: a table's downloads and imports."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Grant, Role
from tests.reader import open_page
from tests.tables import make_user

pytestmark = pytest.mark.django_db


def page_of(client, table, **query):
    return open_page(client, reverse("export-table", args=[table.code]), query)


def test_every_download_is_a_plain_link_that_works(ana, table, finished):
    links = [link for link in page_of(ana, table).every("a") if "/export/" in link.attrs["href"]]
    assert 5 == len(links)
    for link in links:
        assert "false" == link.attrs["hx-boost"]
        assert 200 == ana.get(link.attrs["href"]).status_code


def test_an_owner_has_a_link_to_import_a_notebook_and_a_scorer_has_none(ana, phone_of, table):
    address = reverse("import-nights", args=[table.code])
    user = make_user("sofi")
    Grant.objects.create(user=user, table=table, role=Role.SCORER)
    assert [1, 0] == [
        len(page_of(client, table).every("a", href=address)) for client in (ana, phone_of(user))
    ]


def test_the_page_confirms_an_imported_table(ana, table, finished):
    page = page_of(ana, table, imported=1)
    assert ["The table and its 1 game were imported. You own it: invite the others."] == page.notices


def test_a_witness_gets_403_for_the_notebook(waldo, table):
    assert 403 == waldo.get(reverse("export-table", args=[table.code])).status_code
