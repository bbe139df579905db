"""Creating a table from a notebook, from balances or with its people alone: nothing is stored before the last key.

`browser/test_bring.py` has what scripts do while a notebook is typed.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from games.models import MOST_ACTIVE, Access, Entry, Game, Role, Table
from games.tables.services import setup
from tests.factories import load_balances, new_key
from tests.reader import Walker, read_page

pytestmark = pytest.mark.django_db

ADDRESS = "/bring/"


def payload(**changes):
    """Return the form's fields for a table of Ana and Beto that imports nothing."""
    usual = {
        "key": new_key(), "people": "Ana\nBeto", "table-name": "", "unit": "$", "decimals": "0", "what": "nothing",
    }  # fmt: skip
    return {**usual, **changes}


NIGHTS = "date;Ana;Beto;Caro\n31/5/2024;300;-200;-100\n7/6/2024;-50;;50\n"


def stored():
    return (Table.objects.count(), User.objects.count(), Game.objects.count(), Entry.objects.count())


def test_an_organizer_writes_who_owes_whom_and_stores_nothing_before_the_last_key(nobody):
    walker = Walker(nobody)
    walker.open("/")
    walker.follow("Import earlier games")
    walker.open(walker.page.only("a", href="/bring/?what=balances").attrs["href"])
    data = {"text": "Ana -3000\nBeto: 3,000", "decimals": "2", "table-name": "Los jueves"}
    page = walker.send("Read it first", data)
    assert ["A Ana owes $3,000.00", "B Beto is owed $3,000.00"] == [
        row.text for row in page.only(id="reads").every("li")
    ]
    assert (0, 0, 0, 0) == stored()

    walker.send("Create the table", data)
    table = Table.objects.get()
    assert reverse("accounts", args=[table.code]) == walker.address
    assert ("Los jueves", "$", 2) == (table.name, table.unit, table.decimals)
    assert {"ana": -300_000, "beto": 300_000} == load_balances(table)
    access = Access.objects.get()
    assert (Role.OWNER, False) == (access.role, access.user.has_usable_password())


@pytest.mark.parametrize(("paid", "balances"), [("yes", {}), ("no", {"ana": 250, "beto": -200, "caro": -50})])
def test_a_notebook_is_read_first_and_imported_with_its_table_by_the_same_key(nobody, paid, balances):
    walker = Walker(nobody)
    walker.open(f"{ADDRESS}?what=notebook")
    data = {"text": NIGHTS, "paid": paid, "people": "Dani"}
    page = walker.send("Read it first", data)
    assert 2 == len(page.only("ul", id="nights").every("li"))
    assert "Ana 2 games · 1 won +$250" in page.only("ul", id="totals").text
    assert (0, 0, 0, 0) == stored()

    walker.send("Create the table", data)
    table = Table.objects.get()
    assert reverse("import-nights", args=[table.code]) == walker.address
    assert "Dani, Ana, Beto, Caro" == table.name
    assert {"Ana", "Beto", "Caro", "Dani"} == set(table.members.values_list("name", flat=True))
    assert 2 == table.games.count()
    assert balances == {slug: sum for slug, sum in load_balances(table).items() if sum}


def on_cloth(page):
    """Return the letters and colors of the faces under the heading."""
    return [(face.text, face.attrs["data-colour"]) for face in page.only(id="read-people").every(class_="av")]


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        (NIGHTS, "This is how it reads Step 2 of 2 · 2 nights · 4 people"),
        (
            NIGHTS.replace("-50", "-60"),
            "This is how it reads Step 2 of 2 · 4 people",
        ),  # a line that does not add up
    ],
)
def test_the_people_of_the_notebook_stand_on_the_cloth_with_the_faces_that_they_get(nobody, text, heading):
    fields = payload(what="notebook", text=text, people="Bruno", look="typed")
    page = read_page(nobody.post(ADDRESS, fields))
    assert heading == page.only("h1").text
    assert [("Br", "1"), ("A", "2"), ("Be", "3"), ("C", "4")] == on_cloth(page)

    walker = Walker(nobody)
    walker.open(f"{ADDRESS}?what=notebook")
    walker.send("Read it first", {"text": NIGHTS, "people": "Bruno"})
    walker.send("Create the table", {"text": NIGHTS, "people": "Bruno"})
    assert [("Bruno", 1), ("Ana", 2), ("Beto", 3), ("Caro", 4)] == list(
        Table.objects.get().members.order_by("colour").values_list("name", "colour")
    )


@pytest.mark.parametrize(("variant", "game"), [("", ""), ("loba_menos", " · Loba de Menos")])
def test_each_night_says_who_won_and_how_much_and_when(nobody, variant, game):
    fields = {"what": "notebook", "people": "", "look": "typed", "variant": variant}
    page = read_page(nobody.post(ADDRESS, payload(text=f"{NIGHTS}14/6/2024;20;20;-40\n", **fields)))
    assert [
        f"A Ana wins Fri 31 May 2024{game} +$300",
        f"C Caro wins Fri 7 Jun 2024{game} +$50",
        f"A Ana and Beto share the win Fri 14 Jun 2024{game} +$20",
    ] == [row.text for row in page.only("ul", id="nights").every("li")]


def test_many_people_are_counted_after_the_first_twelve(nobody):
    lines = "\n".join(["Zoe 20", *(f"Guest{number:02} -1" for number in range(20))])
    page = read_page(nobody.post(ADDRESS, payload(what="balances", text=lines, people="", look="typed")))
    assert (12, True) == (len(on_cloth(page)), page.only(id="read-people").text.endswith("+9"))


def test_an_empty_page_has_no_cloth_and_a_name_given_twice_draws_no_faces(nobody):
    empty = read_page(nobody.get(f"{ADDRESS}?what=notebook"))
    twice = payload(what="balances", text="Ana -3\nBeto 3", people="Ana\nAna", look="typed")
    for page in (empty, read_page(nobody.post(ADDRESS, twice))):
        assert ([], True) == (on_cloth(page), "hidden" in page.only(id="read-people").attrs)


def test_a_text_that_was_changed_after_it_was_read_is_read_again(nobody):
    walker = Walker(nobody)
    walker.open(f"{ADDRESS}?what=balances")
    walker.send("Read it first", {"text": "Ana -3000\nBeto 3000"})
    page = walker.send("Create the table", {"text": "Ana -4000\nBeto 4000"})
    assert "Ana owes $4,000" in page.only(id="reads").text
    assert (0, 0, 0, 0) == stored()


@pytest.mark.parametrize(
    ("what", "text", "problem"),
    [
        ("notebook", "", "Choose a file, or paste the notebook."),
        ("notebook", NIGHTS.replace("300", "400"), "Line 2: "),
        ("balances", "", "Write who owes, and who is owed."),
        ("balances", "Ana\nBeto 3", "Line 1: Write a name and an amount, such as Ana -3000."),
        ("balances", "Ana -3\nana 3", "Line 2: "),
        ("balances", "Ana -3\nBeto 2", "Amounts owed to people are $1 short"),
    ],
)
def test_what_cannot_be_read_says_its_line_and_stores_nothing(nobody, what, text, problem):
    response = nobody.post(ADDRESS, payload(what=what, text=text, people=""))
    page = read_page(response)
    assert 422 == response.status_code
    assert problem in page.only(id="reads").text
    assert text.split() == page.typed("text").split()
    assert (0, 0, 0, 0) == stored()


def test_while_one_types_the_page_is_no_refusal(nobody):
    response = nobody.post(ADDRESS, payload(what="balances", text="Ana -3\nBeto 2", people="", look="typed"))
    assert 200 == response.status_code
    assert "Amounts owed" in read_page(response).only(id="reads").text


@pytest.mark.parametrize(("what", "text"), [("notebook", NIGHTS), ("balances", "Ana -3\nBeto 3")])
def test_a_double_tap_imports_once(ana, what, text):
    data = payload(what=what, text=text, people="")
    data["seen"] = read_page(ana.post(ADDRESS, data)).only("input", name="seen").attrs["value"]
    assert [302, 302] == [ana.post(ADDRESS, data).status_code for _tap in range(2)]
    table = Table.objects.get()
    assert (2 if what == "notebook" else 0) == table.games.count()
    assert what == "notebook" or 1 == table.entries.count()


def test_another_notebook_under_the_key_of_an_imported_one_is_refused(ana):
    data = payload(what="notebook", text=NIGHTS, people="")
    for text in (NIGHTS, NIGHTS.replace("7/6/2024", "14/6/2024")):
        data["text"] = text
        data["seen"] = read_page(ana.post(ADDRESS, data)).only("input", name="seen").attrs["value"]
        response = ana.post(ADDRESS, data)
    assert (409, 2) == (response.status_code, Table.objects.get().games.count())
    assert "This form already created a table, before your last change." in read_page(response).alerts


def test_an_uploaded_notebook_stays_in_the_form_that_shows_it(nobody):
    file = SimpleUploadedFile("nights.csv", NIGHTS.encode())
    page = read_page(nobody.post(ADDRESS, payload(what="notebook", people="", file=file)))
    assert NIGHTS.split() == page.only("textarea", name="text").text.split()


def test_long_lines_and_many_are_refused_before_they_are_read(nobody):
    # The pattern of a line alone would take minutes for the first.
    long_line, many = (
        "a" + " " * 5000 + "b",
        "\n".join(f"Ana {number} 0" for number in range(MOST_ACTIVE + 1)),
    )
    pages = [
        read_page(nobody.post(ADDRESS, payload(what="balances", people="", text=text)))
        for text in (long_line, many)
    ]
    assert "Write a name and an amount" in pages[0].text
    assert f"At most {MOST_ACTIVE} people can play at a table." in pages[1].text


@pytest.mark.parametrize("what", ["nothing", ""])
def test_a_table_with_its_people_and_nothing_else_is_made_at_once(ana, what):
    response = ana.post(ADDRESS, payload(what=what, people="Ana, Beto; Caro\n\nDani"))
    table = Table.objects.get()

    assert (302, reverse("lobby", args=[table.code])) == (response.status_code, response.url)
    assert ["Ana", "Beto", "Caro", "Dani"] == list(table.members.values_list("name", flat=True))
    assert "Ana, Beto, Caro, Dani" == table.name


def test_an_invalid_field_is_refused_and_the_typed_values_are_kept(subtests, nobody):
    for changes, field, message in [
        (
            {"people": "Ana\nana"},
            "people",
            "This table already has a member called Ana. Choose another name.",
        ),
        ({"people": "x" * 21}, "people", "At most 20 characters fit here."),
        (
            {"people": "\n".join(f"N{number}" for number in range(MOST_ACTIVE + 1))},
            "people",
            f"At most {MOST_ACTIVE} people can play at a table.",
        ),
        ({"table-name": "x" * 61}, "table-name", "At most 60 characters fit here."),
        ({"unit": ""}, "unit", "Enter a name."),
    ]:
        with subtests.test(changes=changes):
            data = payload(**changes)
            response = nobody.post(ADDRESS, data)
            page = read_page(response)

            assert (422, message) == (response.status_code, page.said_at(field))
            assert (data["people"].split(), data["table-name"]) == (
                page.typed("people").split(),
                page.typed("table-name"),
            )
            assert (0, 0) == (Table.objects.count(), User.objects.count())


def test_a_repeated_form_opens_one_table_and_other_people_under_its_key_are_refused(ana):
    data = payload()
    assert [302, 302] == [ana.post(ADDRESS, data).status_code for _time in range(2)]
    changes = {"people": "Ana\nZoe", "table-name": "Ana, Beto"}
    response = ana.post(ADDRESS, {**data, **changes})
    page, table = read_page(response), Table.objects.get()

    assert (409, ["This form already created a table, before your last change."]) == (
        response.status_code,
        page.alerts,
    )
    assert reverse("lobby", args=[table.code]) == page.link("Ana, Beto")
    again = ana.post(ADDRESS, page.only("form", class_="sheetform").fields)
    assert (409, 1, 2) == (again.status_code, Table.objects.count(), table.members.count())


def test_the_number_of_tables_opened_in_a_day_is_limited(ana, monkeypatch):
    monkeypatch.setattr(setup, "TABLES_A_DAY", 1)
    ana.post(ADDRESS, payload())
    page = read_page(ana.post(ADDRESS, payload()))

    assert "At most 1 tables can be created in a day." == page.said_at("table-name")
