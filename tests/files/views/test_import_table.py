"""The page that imports a table from a file.

The whole file is checked, and nothing of an invalid one is stored. The importing user owns the new table. A
table that already exists here is imported again only on request.
"""

from __future__ import annotations

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from games.files.services import file_writer, table_import
from games.models import Role, Table
from games.play.services import recording
from games.tables.services import authorization
from tests.factories import make_table, make_user, new_key, start, without_codes
from tests.reader import read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("new_window")]

ADDRESS = "/import/"


def post_file(client, text, *, key=None, **others):
    file = SimpleUploadedFile("mesa.json", text if isinstance(text, bytes) else text.encode())
    return client.post(ADDRESS, {"file": file, "key": key or new_key(), **others})


def test_a_visitor_imports_a_table_and_owns_it(nobody, table, finished, owner):
    recording.discard_game(start(table, owner))
    text = file_writer.write_table(table)
    response = post_file(nobody, text)
    again = Table.objects.exclude(pk=table.pk).get()
    assert reverse("table-settings", args=[again.code]) == response["Location"]
    page = read_page(nobody.get(response["Location"]))
    assert [True] == [notice.startswith("The table and its 1 game were imported.") for notice in page.notices]
    assert reverse("home") == page.link("Go to the game")
    assert authorization.find_role(again.accesses.get().user, again) is Role.OWNER
    assert without_codes(text) == without_codes(file_writer.write_table(again))


def test_a_double_tap_imports_one_table_and_another_users_import_with_the_same_key_is_another(
    nobody, ana, table, finished
):
    key = new_key()
    text = file_writer.write_table(table)
    first, second = post_file(nobody, text, key=key), post_file(nobody, text, key=key)
    assert first["Location"] == second["Location"]
    post_file(ana, file_writer.write_table(make_table(make_user("sara"))), key=key)
    assert 4 == Table.objects.count()


# --- a table that is here already -------------------------------------------------------------------------------------


def reimport_fields(response):
    """Return the fields that the button to import a table again sends."""
    (button,) = [button for button in read_page(response).only("form").buttons if "name" in button.attrs]
    assert "Import it anyway" == button.text
    return {button.attrs["name"]: button.attrs["value"]}


def test_a_table_that_is_here_already_is_named_and_imported_again_once_this_is_confirmed_for_the_file(
    ana, owner, table, finished
):
    text = file_writer.write_table(table)
    response = post_file(ana, text)
    page, again = read_page(response), reimport_fields(response)
    assert (409, 1) == (response.status_code, Table.objects.count())
    assert "You already have “Mesa de los jueves”." in page.alerts
    assert reverse("lobby", args=[table.code]) == page.link(table.name)
    assert reverse("bring-file", args=[table.code]) == page.link("Import what's new")
    response = post_file(ana, text.replace(table.name, "Otra"), **again)
    assert (409, 1) == (response.status_code, Table.objects.count())
    assert again != reimport_fields(response)

    assert 302 == post_file(ana, text, **again).status_code
    assert [table.name, f"{table.name} (2)"] == list(
        Table.objects.filter(accesses__user=owner).order_by("pk").values_list("name", flat=True)
    )


def test_an_invalid_file_is_refused_with_a_reason_and_creates_no_guest(nobody, table, finished):
    whole = json.loads(file_writer.write_table(table))
    whole["games"][0]["batches"][1]["events"][0]["data"]["closer"] = "dani"
    response = post_file(nobody, json.dumps(whole))
    assert 422 == response.status_code
    assert "sessionid" not in response.cookies
    (alert,) = read_page(response).alerts
    assert re.search(r"Game 1: Loba de Menos, \d\d/\d\d/\d{4}: event 2 does not fit", alert)
    assert 1 == Table.objects.count()


def test_imports_are_rate_limited(ana, table):
    for _time in range(table_import.IMPORT_LIMIT.most):
        post_file(ana, "{}")
    response = post_file(ana, file_writer.write_table(table))
    assert (429, 1) == (response.status_code, Table.objects.count())
    assert ["Too many files. Wait 15 minutes."] == read_page(response).alerts[-1:]


def test_a_file_whose_ledger_does_not_add_up_is_refused(ana, table, finished):
    """Ana won; the file was changed so that Beto did, while its ledger still pays Ana."""
    whole = json.loads(file_writer.write_table(table))
    hands = whole["games"][0]["batches"][-1]["events"][0]["data"]
    hands["closer"], hands["hands"] = "beto", [["ana", "101"], *hands["hands"][1:]]
    response = post_file(ana, json.dumps(whole), again="whatever")
    assert (422, 1) == (response.status_code, Table.objects.count())
    assert "doesn't match its games and payments" in read_page(response).alerts[0]
