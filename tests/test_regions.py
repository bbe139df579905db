"""Numbers, money and days as people write them in nine regions, and how a phone's input is read there."""

from __future__ import annotations

from datetime import date

import pytest
import time_machine
from django.test import RequestFactory
from django.utils.formats import date_format
from django.utils.translation import override

from games.common import amounts, days, parsing, regions
from games.models import Table
from tests.reader import read_page

THE_DAY = date(2026, 11, 12)
# The region, the language, and there: a score, an amount, cents, a debt, dollars, a date, a day, and a day in
# words; then the units offered to a new table.
WRITTEN = """
es-AR  es-ar  1.204  $_9.000    $_1.234,50    −$_20    U$S_9.000  12/11/2026  12/11  jue 12 nov 2026    | $ U$S fichas porotos
es-ES  es     1.204  9.000_€    1.234,50_€    −20_€    9.000_U$S  12/11/2026  12/11  jue 12 nov 2026    | € fichas frijoles
es-MX  es     1,204  $9,000     $1,234.50     −$20     U$S_9,000  12/11/2026  12/11  jue 12 nov 2026    | $ fichas frijoles
es-CR  es     1_204  ₡9_000     ₡1_234,50     −₡20     U$S_9_000  12/11/2026  12/11  jue 12 nov 2026    | ₡ fichas frijoles
es-CL  es     1.204  $9.000     $1.234,50     −$20     U$S_9.000  12-11-2026  12-11  jue 12 nov 2026    | $ fichas frijoles
es-PE  es     1,204  S/_9,000   S/_1,234.50   −S/_20   U$S_9,000  12/11/2026  12/11  jue 12 nov 2026    | S/ fichas frijoles
es-PY  es     1.204  Gs._9.000  Gs._1.234,50  −Gs._20  U$S_9.000  12/11/2026  12/11  jue 12 nov 2026    | Gs. U$S fichas frijoles
en-GB  en     1,204  £9,000     £1,234.50     −£20     U$S_9,000  12/11/2026  12/11  Thu 12 Nov 2026    | £ chips beans
en-US  en     1,204  $9,000     $1,234.50     −$20     U$S_9,000  11/12/2026  11/12  Thu, Nov 12, 2026  | $ chips beans
"""


@pytest.mark.parametrize("line", WRITTEN.strip().splitlines())
def test_each_region_has_its_figures_its_money_its_days_and_the_units_it_offers(line):
    row, offered = line.split(" | ")
    region, language, *written = row.strip().split(maxsplit=9)
    regions.activate_region(region)
    unit = regions.local_money()[0][0]
    with override(language), time_machine.travel("2027-01-01T12:00Z", tick=False):
        forms = [
            amounts.points(1204),
            amounts.money(9000, Table(unit=unit)),
            amounts.money(123450, Table(unit=unit, decimals=2)),
            amounts.money(-20, Table(unit=unit)),
            amounts.money(9000, Table(unit="U$S")),
            days.format_numeric_date(THE_DAY),
            date_format(THE_DAY, regions.active_region().day),
            days.format_day(THE_DAY),
        ]
        assert offered.split() == list(amounts.offered_units())

    assert written == [form.replace("\u00a0", "_") for form in forms]


@pytest.mark.parametrize(("language", "debt"), [("es", "−$\u00a06.000"), ("en", "−$6,000")])
def test_without_a_region_the_language_writes_the_amount(language, debt):
    regions.activate_region("")
    with override(language):
        assert debt == amounts.money(-6000, Table(unit="$"))


@pytest.mark.parametrize("region", regions.REGIONS)
def test_a_figure_without_a_unit_stands_alone(region):
    regions.activate_region(region)

    assert "30" == amounts.money(30, Table(unit=""))


@pytest.mark.parametrize("unit", ["fichas", "chips", "porotos"])
@pytest.mark.parametrize("region", regions.REGIONS)
def test_a_word_follows_its_figure_everywhere(region, unit):
    regions.activate_region(region)

    assert f"30\u00a0{unit}" == amounts.money(30, Table(unit=unit))


# --- what is typed ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("region", regions.REGIONS)
@pytest.mark.parametrize("decimals", [0, 2, 3])
def test_an_amount_as_a_region_writes_it_is_read_as_the_same(region, decimals):
    regions.activate_region(region)
    table = Table(unit=regions.local_money()[0][0], decimals=decimals)

    assert [1234567] * 2 == [
        parsing.parse_amount(write(1234567, table), table) for write in (amounts.money, parsing.input_amount)
    ]


@pytest.mark.parametrize(
    ("region", "decimals", "amount_text", "amount"),
    [
        ("es-AR", 0, "1.500", 1500),
        ("es-AR", 2, "1.500", 150000),
        ("es-AR", 2, "1.500,25", 150025),
        ("es-AR", 2, "1,500", None),  # one and a half, with a decimal too many
        ("es-MX", 0, "1,500", 1500),
        ("es-MX", 0, "1.500", None),
        ("es-MX", 2, "1,500.25", 150025),
        ("es-MX", 3, "1.500", 1500),
        ("es-AR", 3, "1.500", 1500000),
        ("es-CR", 0, "1\u00a0500", 1500),
        ("es-CR", 0, "1 500", 1500),
        ("es-CR", 2, "1.500", 150000),  # not a decimal point there: three digits are thousands, as always
        ("es-MX", 2, "1,5", 150),  # a phone's keyboard may have only the other sign
    ],
)
def test_of_three_digits_after_a_sign_the_region_says_what_they_are(region, decimals, amount_text, amount):
    regions.activate_region(region)

    assert amount == parsing.parse_amount(amount_text, Table(unit="$", decimals=decimals))


def test_a_form_is_read_by_the_region_in_which_it_was_typed():
    table = Table(unit="$", decimals=3)
    regions.activate_region("es-MX")

    forms = [{"amount": "1.500"}, {"amount": "1.500", "region": "es-AR"}, {"amount": "1.500", "region": ""}]
    with override("es"):
        assert [1500, 1500000, 1500000] == [
            parsing.parse_amount(fields["amount"], table, parsing.form_region(fields)) for fields in forms
        ]


# --- the reader -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accepted", "language", "region"),
    [
        ("es-AR,es;q=0.9", "es-ar", "es-AR"),
        ("es-mx;q=0.9", "es", "es-MX"),
        ("en-GB,en;q=0.9,es-AR;q=0.5", "en", "en-GB"),
        ("es-UY,es", "es-ar", "es-AR"),
        ("es-CL,es;q=0.9", "es-cl", "es-CL"),
        ("es-ES", "es-es", "es-ES"),
        ("es-419", "es", "es-MX"),
        ("ca", "es-es", "es-ES"),
        ("gl-ES,es-MX;q=0.9", "es-es", "es-ES"),
        ("eu,en;q=0.9", "en", ""),
        ("es-ES", "en", ""),  # in English, 12/11 would be read differently than in Spain
        ("es", "es", ""),
        ("en-AU", "en", ""),
        ("fr-FR", "en", ""),
        ("*", "es-ar", ""),
        ("", "es-ar", ""),
    ],
)
def test_a_phone_names_its_region_with_its_language(accepted, language, region):
    request = RequestFactory().get("/", headers={"accept-language": accepted})
    with override(language):
        assert region == regions.reader_region(request)


# For each phone's first language: how a new table writes a price of half its unit or, without cents, of five.
COUNTRIES = """
es-AR $_5    es-UY $_5    es-CL $5     es-CO $_5     es-CR ₡5      es-PY Gs._5  es-GQ 5_FCFA es-MX $0.50
es-PE S/_0.50 es-BO Bs_0,50 es-VE Bs_0,50 es-GT Q_0.50 es-HN L_0.50 es-NI C$0.50 es-PA B/._0,50 es-DO RD$0.50
es-EC $_0,50 es-SV $0.50  es-PR $_0,50 es-CU $0.50   es-US $0.50   es-PH 0,50_₱ es-ES 0,50_€ es-Latn-GT Q_0.50
en-US $0.50  en-GB £0.50  pt-BR R$_0,50 ca-ES 0,50_€ ca 0,50_€     eu 0,50_€    gl-ES 0,50_€ ca-FR 0,50_€
de-AT $_5    pt-PT $_5    fr-BR $_5    es $_5        en $5         *  $_5
"""


def test_a_new_table_is_offered_the_money_of_the_phones_country_in_every_language_of_the_page(
    subtests, client, db
):
    for spoken, price in zip(*[iter(COUNTRIES.split())] * 2, strict=True):
        page = read_page(client.get("/new/", headers={"accept-language": f"{spoken},es;q=0.5"}))
        unit = page.typed("unit")
        decimals = amounts.default_decimals(unit)
        regions.activate_region(page.typed("region"))
        with subtests.test(spoken), override(page.only("html").attrs["lang"]):
            written = amounts.money(50 if decimals else 5, Table(unit=unit, decimals=decimals))

            assert price == written.replace("\u00a0", "_")


def test_the_country_of_one_phone_is_not_that_of_the_next(client, db):
    units = [
        read_page(client.get("/new/", headers={"accept-language": spoken})).typed("unit")
        for spoken in ("es-GT", "es", "pt-BR", "en")
    ]

    assert ["Q", "$", "R$", "$"] == units


@pytest.mark.parametrize("unit", sorted({units[0] for units, _has_cents in regions.MONEY.values()}))
def test_an_amount_in_each_money_is_read_as_it_is_written(unit):
    table = Table(unit=unit, decimals=2)

    assert 123450 == parsing.parse_amount(amounts.money(123450, table), table)


def test_every_country_of_a_region_has_its_money():
    assert [] == [region for region in regions.REGIONS if region.partition("-")[2] not in regions.MONEY]
