"""The settings of a table: a row for each, the copies, who is in charge, and leaving."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
import time_machine
from django.conf import settings
from django.urls import reverse

from games.common import regions
from games.models import Access, Role, Table
from games.money.services import starting_balances
from tests.factories import confirm_as_member, make_user, new_key
from tests.reader import Walker, open_page, read_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(table):
    return reverse("table-settings", args=[table.code])


@pytest.fixture
def scorer(client_for, table):
    Access.objects.create(user=make_user("tito"), table=table, role=Role.SCORER)
    return client_for(Access.objects.get(role=Role.SCORER).user)


def test_an_owner_changes_one_setting_at_a_time_and_reads_it_in_its_row(subtests, ana, table, address):
    walker = Walker(ana)
    for title, field, value, expected in [
        ("Table name", "table-name", "Los viernes", "Los viernes"),
        ("What you play for", "unit", "chips", "chips, without cents"),
        ("Language for sharing", "language", "en", "English"),
        ("Numbers and days", "region", "es-CL", "Chile: 9.000 chips"),
        ("Time zone", "timezone", "America/Costa_Rica", "Costa Rica"),
        ("We pay on the spot", "on-the-spot", "True", "Yes"),
    ]:
        with subtests.test(title):
            (row,) = [link for link in walker.open(address).every("a") if link.text.startswith(title)]
            before = Table.objects.values().get()
            walker.open(row.attrs["href"])
            page = walker.send("Save", {field: value})

            assert address == walker.address
            assert f"{title} {expected}" in page.only("main").text
            after = Table.objects.values().get()
            differences = {name for name, value in after.items() if (name, value) not in before.items()}
            assert 1 == len(differences - {"revision", "version"})
    assert "Los viernes" in walker.open(reverse("lobby", args=[table.code])).only("h1").text


def test_who_does_not_own_reads_who_does_when_they_came_last_and_when_somebody_may_ask(
    scorer, owner, members_by_slug, address, table
):
    confirm_as_member(owner, members_by_slug["ana"])
    Table.objects.update(created_at=datetime(2026, 1, 1, 20, tzinfo=UTC))
    Access.objects.filter(user=owner).update(opened_on=date(2026, 11, 1))
    with time_machine.travel("2026-11-20T15:00Z", tick=False):
        assert "Owners Ana" in open_page(scorer, address).only("main").text
        text = open_page(scorer, f"{address}in-charge/").only("main").text

    assert "Ana last seen Sun 1 Nov If no owner opens the table by Tue 1 Dec" in text
    assert "manage.py let_in" in text


def test_an_owner_reads_who_is_in_charge_only(ana, address):
    text = open_page(ana, f"{address}in-charge/").only("main").text

    assert ("Owners" in text, "let_in" in text) == (True, False)


def test_the_choices_show_how_each_region_writes_and_include_what_the_table_has(ana, table, address):
    Table.objects.update(timezone="EST5EDT", unit="porotos")
    with time_machine.travel("2026-11-20T01:00Z", tick=False):
        places, tongues, hours = (
            open_page(ana, f"{address}change/{name}/") for name in ("region", "language", "time-zone")
        )
        money = open_page(ana, f"{address}change/money/")

    choices = [option.text for option in places.only("select", name="region").every("option")]
    assert ["Reader's language: 9,000 porotos · 31/12/2026", "Chile: 9.000 porotos · 31-12-2026"] == [
        choices[0],
        choices[2],
    ]
    assert len(regions.REGIONS) + 1 == len(choices)
    assert ("EST5EDT", "porotos", "") == (
        hours.typed("timezone"),
        money.typed("unit"),
        places.typed("region"),
    )
    assert len(settings.LANGUAGES) == len(tongues.only("select", name="language").every("option"))
    zones = [option.attrs["value"] for option in hours.only("select", name="timezone").every("option")]
    assert ["", "EST5EDT", "UTC"] == [
        zone for zone in zones if "/" not in zone
    ]  # places, not rules of clocks


def test_the_settings_and_the_imports_are_for_owners_and_the_copies_for_those_who_see_accounts(
    ana, waldo, scorer, finished, table, address
):
    imports = {
        reverse(name, args=[table.code]) for name in ("import-nights", "bring-file", "opening-balances")
    }

    def visible_settings(client):
        rows = [link.attrs["href"] for link in open_page(client, address).every("a")]
        page = read_page(client.get(f"{address}copies/"))
        links = [link.attrs["href"] for link in page.every("a")]
        copies = [link for link in links if "/export/" in link]
        assert (f"{address}copies/" in rows) == bool(copies)
        return (
            f"{address}change/name/" in rows,
            len(imports.intersection(links)),
            [client.get(link).status_code for link in copies],
        )

    assert (True, 3, [200] * 4) == visible_settings(ana)
    assert (False, 0, [200] * 4) == visible_settings(scorer)
    assert (False, 0, []) == visible_settings(waldo)


def test_leaving_ends_ones_own_access(waldo, table, address):
    phone = Walker(waldo)
    phone.open(address)
    phone.follow("Leave the table")
    phone.press("Leave the table")

    assert ("/", 404) == (phone.address, waldo.get(address).status_code)


def test_the_last_owner_is_told_to_put_somebody_else_in_charge(ana, table, owner, address):
    owner_access = owner.accesses.get()
    response = ana.post(reverse("change-access", args=[table.code, owner_access.pk]), {"act": "end"})

    assert 422 == response.status_code
    for page in (open_page(ana, f"{address}leave/"), read_page(response)):
        assert "Make someone else an owner first." in page.only("main").text


def test_another_sign_is_asked_about_once_where_anything_is_recorded(client_for, table, owner):
    phone, address = (
        client_for(owner, language="es-AR"),
        reverse("change-settings", args=[table.code, "money"]),
    )
    phone.post(address, {"unit": "€"})
    assert "€" == Table.objects.get().unit
    starting_balances.record(table, {"ana": 460, "beto": -460}, seen=0, key=new_key(), by=owner)
    form, _button = open_page(phone, address).form_with("Guardar")
    page = read_page(response := phone.post(address, {**form.fields, "unit": "$"}))
    question = (
        "Hay 1 asiento en €. Los mismos números van a decir $: € 460 pasa a $ 460. No se convierte nada."
    )
    assert (422, question, "€") == (
        response.status_code,
        page.only(id="asked").text,
        Table.objects.get().unit,
    )
    form, _button = page.form_with("Guardar")
    phone.post(address, {**form.fields, "unit": "U$S"})
    assert "€" == Table.objects.get().unit
    phone.post(address, form.fields)

    assert "$" == Table.objects.get().unit
