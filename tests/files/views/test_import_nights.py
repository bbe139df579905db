"""The page that imports an old notebook: parsed, previewed, and imported once confirmed; and its nights."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import URLPattern, reverse
from django.utils.timezone import now

from games.files.services import audit
from games.files.views import notebook
from games.tables.services import setup, users
from games.urls import urlpatterns
from tests.factories import load_balances, make_table, make_user, new_key, start
from tests.reader import read_page

pytestmark = pytest.mark.django_db

WIDE = "fecha;Ana;Beto;Tío Raúl\n31/5/2024;300;-200;-100\n7/6/2024;-50;;50\n"


def address(table):
    return reverse("import-nights", args=[table.code])


def post_preview(client, table, text=WIDE, **fields):
    return client.post(address(table), {"text": text, "look": "1", "key": new_key(), **fields})


def hidden_inputs(page):
    form = page.only("form", enctype="multipart/form-data")
    return {field.attrs["name"]: field.attrs.get("value", "") for field in form.every("input", type="hidden")}


def post_import(client, table, text=WIDE, **fields):
    page = read_page(post_preview(client, table, text, **fields))
    form_fields = {name: value for name, value in hidden_inputs(page).items() if name in ("key", "seen")}
    return client.post(address(table), {"text": text, "take": "1", **form_fields, **fields})


def test_the_preview_shows_the_parsed_nights_and_stores_nothing(ana, table):
    response = post_preview(ana, table)
    page = read_page(response)
    assert (200, 0, 4) == (response.status_code, table.games.count(), table.members.count())
    text = page.only("main").text
    assert "2 games, from 31/05/2024 to 07/06/2024" in text
    assert "New at this table: Tío Raúl" in text
    assert "Who is Tío Raúl here?" in text
    people = [row.text for row in page.only(id="people").every("li")]
    assert [
        "Ana 2 games · 1 won +$250",
        "Tío Raúl new here 2 games · 1 won −$50",
        "Beto 1 game · 0 won −$200",
    ] == people
    nights = [row.text for row in page.only(id="nights").every("li")]
    assert "1. Ana +$300 · 2. Tío Raúl −$100 · 3. Beto −$200 31/05/2024 · Old notebook" == nights[0]
    assert ["take"] == [button.attrs["name"] for button in page.every("button", class_="btn go")]


def test_imported_nights_that_were_paid_become_games_without_debts(ana, table):
    response = post_import(ana, table)
    assert 302 == response.status_code
    assert (2, 5) == (table.games.count(), table.members.count())
    assert {0} == set(load_balances(table).values())
    page = read_page(ana.get(response["Location"]))
    assert ["Everything was imported."] == page.notices
    ana.post(address(table), {"undo": page.only("button", name="remove").attrs["value"]})
    assert 0 == table.games.filter(discarded_at=None).count()


def test_a_file_takes_precedence_over_the_text_field(ana, table):
    file = SimpleUploadedFile("cuaderno.csv", "fecha;Ana;Señora\n31/5/24;12;104\n".encode("cp1252"))
    data = {"file": file, "text": WIDE, "look": "1", "key": new_key(), "figures": "fewest"}
    page = read_page(ana.post(address(table), data))
    assert "New at this table: Señora" in page.only("main").text
    assert "fecha;Ana;Señora" in page.only("textarea").text


def test_an_unknown_import_is_not_taken_back(subtests, ana, table):
    post_import(ana, table, "fecha;Ana;Beto\n31/5/24;300;-300\n")
    other_arrival = make_table(make_user("otra")).arrivals.create(at=now(), games=1, payments=0, expenses=0)
    for number in ["", "x", "9" * 30, other_arrival.pk]:
        for act in ("undo", "remove"):
            with subtests.test(act=act, number=number):
                assert 404 == ana.post(address(table), {act: number}).status_code
    assert 1 == table.games.filter(discarded_at=None).count()


def test_the_chosen_options_stay_chosen_in_the_preview(ana, table):
    page = read_page(post_preview(ana, table, figures="most", variant="chinchon", paid="no"))
    assert ["most", "chinchon"] == [page.typed(field) for field in ("figures", "variant")]


@pytest.mark.parametrize(
    ("region", "date", "example"),
    [("en-US", "31/5/2024", "05/31/2024"), ("es-AR", "5/31/2024", "31/05/2024")],
)
def test_a_date_in_another_order_is_refused_with_an_example_in_the_tables(ana, table, region, date, example):
    setup.change_settings(table, region=region)
    page = read_page(post_preview(ana, table, f"fecha;Ana;Beto\n{date};300;-300\n"))

    assert [f"Line 2: “{date}” is not a date. Write it like {example}."] == page.alerts
    assert f"{example};300" in read_page(ana.get(address(table))).only("pre").text


def test_only_the_first_twenty_invalid_lines_are_listed(ana, table):
    page = read_page(post_preview(ana, table, "fecha;Ana;Beto\n" + "ayer;1;2\n" * 30))
    assert (21, "… and perhaps more.") == (len(page.alerts), page.alerts[-1])
    assert "ayer;1;2" in page.only("textarea").text


def test_a_notebook_that_is_empty_too_large_or_no_text_is_refused(ana, table, monkeypatch):
    monkeypatch.setattr(notebook, "LARGEST", 10)
    file = SimpleUploadedFile("cuaderno.csv", WIDE.encode())
    for field, value, sentence in [
        ("text", "  ", "Choose a file, or paste the notebook."),
        ("file", file, "This file is too large for a notebook."),
        (
            "file",
            SimpleUploadedFile("cuaderno.xlsx", b"PK\3\4xl/"),
            "This is a spreadsheet's own file: save it as CSV first, and import it as “An old notebook”.",
        ),
    ]:
        response = ana.post(address(table), {"look": "1", "key": new_key(), field: value})
        page = read_page(response)
        assert (422, [sentence]) == (response.status_code, page.alerts)
        assert "date;Ana;Beto;Caro" in page.only("pre").text  # the expected format


# --- the page of an imported night; every other page of that game redirects to it or gets 404 ---------------------------

MONEY = "fecha;Ana;Beto\n31/5/24;300;-300\n"


@pytest.fixture
def night(ana, table):
    """A night in which Ana won 300 from Beto."""
    post_import(ana, table, MONEY, variant="loba_menos")
    return table.games.get()


def test_the_page_shows_the_noted_results(ana, night):
    page = read_page(ana.get(reverse("old-night", args=[night.code])))
    assert "Ana wins Loba de Menos · Fri 31 May 2024" == page.only("h1").text
    assert ["A 1. Ana +$300", "B 2. Beto −$300"] == [row.text for row in page.only(id="placed").every("li")]
    assert "The money was paid that night." in page.only("main").text


def test_a_night_of_points_shows_no_money(ana, table):
    post_import(ana, table, "fecha;Ana;Beto\n31/5/24;12;104\n", figures="fewest")
    page = read_page(ana.get(reverse("old-night", args=[table.games.get().code])))
    assert ["A 1. Ana 12 points", "B 2. Beto 104 points"] == [
        row.text for row in page.only(id="placed").every("li")
    ]


@pytest.mark.parametrize("name", ["sheet", "settlement"])
def test_the_sheet_and_the_result_redirect_to_the_page_of_the_night(ana, night, name):
    response = ana.get(reverse(name, args=[night.code]))
    assert reverse("old-night", args=[night.code]) == response["Location"]


def test_a_new_game_is_not_prefilled_with_the_rules_of_an_old_night(ana, table, owner, night):
    start(table, owner, variant="chinchon", stake=300)
    table.games.exclude(pk=night.pk).update(started_at=night.started_at - timedelta(days=1))
    page = read_page(ana.get(reverse("new-game", args=[table.code])))

    assert ["chinchon"] == [
        field.attrs["value"] for field in page.every("input", name="variant") if "checked" in field.attrs
    ]


def test_every_page_of_an_old_night_works_redirects_or_gets_404(ana, owner, night):
    data = {"after": "1", "key": "k", "change": "strike 1", "person": users.opaque_id(owner)}
    pages = [
        page for page in urlpatterns if isinstance(page, URLPattern) and "code" in page.pattern.converters
    ]
    available_pages = {"sheet", "settlement", "live-result", "old-night", "discard", "restore", "export"}
    for page in pages:
        known = {"code": night.code, "number": 1, "version": "0-0", "after": 1}
        where = reverse(page.name, kwargs={key: known[key] for key in page.pattern.converters})
        answers = {
            ana.get(where).status_code,
            ana.post(where, data).status_code,
        }
        assert answers <= ({200, 204, 302, 405} if page.name in available_pages else {404, 405, 302}), (
            page.name
        )
        assert 1 == night.records.count()


def test_a_night_paid_on_the_spot_is_discarded_and_restored_without_debts(ana, table, night):
    for name in ("discard", "discard", "restore", "restore", "discard"):
        ana.post(reverse(name, args=[night.code]))
        assert {0} == set(load_balances(table).values())
        assert [] == audit.check_table(table).differences
