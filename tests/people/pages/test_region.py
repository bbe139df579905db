"""The page of a table's region, the region of a new table, and amounts typed in each region's notation."""

from __future__ import annotations

import pytest
import time_machine
from django.urls import reverse

from games.models import Payment, Table
from games.people.members import add_member
from games.people.regions import change_region
from games.people.tables import open_table
from games.regions import REGIONS
from tests.keeper import Keeper
from tests.reader import Walker, open_page, read_page
from tests.tables import a_key, start

pytestmark = pytest.mark.django_db

GAME = {"variant": "loba_menos", "new-1": "Ana", "new-2": "Beto", "option-stake": "100"}
BROUGHT = {"table-name": "Mesa", "people": "Ana, Beto", "unit": "$", "what": "nothing"}


@pytest.fixture
def region(table):
    return reverse("region", args=[table.code])


def settings_of(phone, table):
    return open_page(phone, reverse("table-settings", args=[table.code]))


def link_to(address, page):
    return [link.text for link in page.every("a") if link.attrs.get("href") == address]


def test_an_owner_changes_the_region_beside_the_time_zone(ana, table, region):
    with time_machine.travel("2026-11-20T01:00Z", tick=False):
        assert ["Numbers and days By each reader's language: $ 9,000 · 31/12/2026"] == link_to(
            region, settings_of(ana, table)
        )
        page = open_page(ana, region)
        assert "" == page.typed("region")
        response = ana.post(region, {"region": "es-CL"})
        assert (302, reverse("table-settings", args=[table.code])) == (response.status_code, response.url)

        assert ["Numbers and days Chile: $9.000 · 31-12-2026"] == link_to(region, settings_of(ana, table))
        page = open_page(ana, region)
    assert "es-CL" == page.typed("region")
    assert len(REGIONS) == len(page.every("option"))  # "by each reader's language" is no longer offered


def test_a_witness_has_no_link_to_the_region(waldo, table, region):
    assert [] == link_to(region, settings_of(waldo, table))


def test_an_unknown_region_is_refused_beside_its_field(ana, region):
    response = ana.post(region, {"region": "xx-XX"})

    sentence = "The region “xx-XX” is not available."
    assert (422, sentence) == (response.status_code, read_page(response).said_at("region"))
    assert "" == Table.objects.get().region


# --- the phone that makes a table -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("page", "typed"), [("new-table", GAME), ("bring", BROUGHT)])
@pytest.mark.parametrize(
    ("language", "region"),
    [("es-MX", "es-MX"), ("en-GB", "en-GB"), ("es-UY", "es-AR"), ("es", ""), ("fr", "")],
)
def test_a_new_table_gets_the_region_of_the_phones_language(phone_of, owner, page, typed, language, region):
    phone_of(owner, language=language).post(reverse(page), {**typed, "key": a_key()})

    assert region == Table.objects.latest("pk").region


@pytest.mark.parametrize(
    ("language", "unit"), [("es-ES", "€"), ("es-PE", "S/"), ("en-GB", "£"), ("es-AR", "$")]
)
def test_the_form_of_a_new_table_proposes_the_regions_currency(phone_of, owner, language, unit):
    page = open_page(phone_of(owner, language=language), reverse("new-table"))

    assert unit == page.typed("unit")


# --- pages ------------------------------------------------------------------------------------------------------------


def test_a_tables_pages_use_the_tables_region_and_the_home_page_the_readers(phone_of, owner, game, pay):
    change_region(game.table, "es-ES")
    pay("beto", "ana", 9000)
    phone = phone_of(owner, language="en-US")

    accounts = open_page(phone, reverse("payments", args=[game.table.code]))
    assert "9.000 $" in accounts.only("main").text
    assert ".," == accounts.only("main").attrs["data-figures"]
    assert ",." == open_page(phone, "/").only("main").attrs["data-figures"]


# The region, the unit, and typed there: an amount, one with cents, and a score. A _ is a no-break space.
TYPED = """
es-AR  $    1.500      1.234,50     1.204
es-ES  €    1.500_€    1.234,50_€   1.204
es-MX  $    $1,500     $1,234.50    1,204
es-CR  ₡    ₡1_500     ₡1_234,50    1_204
es-CL  $    $1.500     $1.234,50    1.204
es-PE  S/   S/_1,500   S/_1,234.50  1,204
es-PY  Gs.  Gs._1.500  1.234,50     1.204
en-GB  £    £1,500     £1,234.50    1,204
en-US  $    $1,500     1,234.50     1,204
"""


def test_amounts_and_scores_are_parsed_in_the_notation_of_each_region(page_of, ana, owner):
    for line in TYPED.strip().splitlines():
        with page_of(line):
            region, unit, whole, cents, score = (part.replace("_", "\u00a0") for part in line.split())
            tables = [
                open_table(
                    owner, "Mesa", unit=unit, decimals=decimals, language="es", timezone="UTC", region=region
                )
                for decimals in (0, 2)
            ]
            for table, typed, amount in zip(tables, (whole, cents), (1500, 123450), strict=True):
                payer, payee = (add_member(table, name).slug for name in ("Ana", "Beto"))
                fields = {"payer": payer, "payee": payee, "amount": typed, "method": "cash", "key": a_key()}
                ana.post(reverse("pay", args=[table.code]), {**fields, "sure": f"{payer} {payee} {amount}"})
            assert [1500, 123450] == list(Payment.objects.order_by("pk").values_list("amount", flat=True))

            game = start(tables[0], owner, variant="points", name="Generala")
            Keeper(Walker(ana), game.code).plays("nobody", "played", {"ana": score, "beto": "3"})
            assert {"ana": 1204, "beto": 3} == {player.id: player.total for player in game.state().players}
