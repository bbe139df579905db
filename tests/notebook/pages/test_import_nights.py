"""The page that imports an old notebook: parsed, previewed, and imported once it is confirmed."""

from __future__ import annotations

import random
from datetime import date, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from games.money.balances import balances_of
from games.names import likeness
from games.nights import night_of
from games.notebook.books.audit import check_table
from games.people.regions import change_region
from games.views.notebook import sent
from tests.reader import read_page
from tests.tables import a_key, make_table

pytestmark = pytest.mark.django_db

WIDE = "fecha;Ana;Beto;Tío Raúl\n31/5/2024;300;-200;-100\n7/6/2024;-50;;50\n"


def address(table):
    return reverse("import-nights", args=[table.code])


def look(client, table, text=WIDE, **fields):
    return client.post(address(table), {"text": text, "look": "1", "key": a_key(), **fields})


def hidden(page):
    """Return the hidden fields of the preview's form."""
    form = page.only("form", enctype="multipart/form-data")
    return {field.attrs["name"]: field.attrs.get("value", "") for field in form.every("input", type="hidden")}


def take(client, table, text=WIDE, **fields):
    page = read_page(look(client, table, text, **fields))
    sent = {name: value for name, value in hidden(page).items() if name in ("key", "seen")}
    return client.post(address(table), {"text": text, "take": "1", **sent, **fields})


def test_the_page_shows_an_example_and_only_offers_a_preview(ana, table):
    page = read_page(ana.get(address(table)))
    assert "date;Ana;Beto;Caro" in page.only("pre").text
    assert ["look"] == [button.attrs["name"] for button in page.every("button", class_="btn go")]


def test_the_preview_shows_the_parsed_nights_and_stores_nothing(ana, table):
    response = look(ana, table)
    page = read_page(response)
    assert (200, 0, 4) == (response.status_code, table.games.count(), table.members.count())
    text = page.only("main").text
    assert "2 games, from 31/05/2024 to 07/06/2024" in text
    assert "The numbers were read as: Money won or lost" in text
    assert "New at this table: Tío Raúl" in text
    people = [row.text for row in page.only(id="people").every("li")]
    assert [
        "Ana 2 games · 1 won +$ 250",
        "Tío Raúl new here 2 games · 1 won −$ 50",
        "Beto 1 game · 0 won −$ 200",
    ] == people
    nights = [row.text for row in page.only(id="nights").every("li")]
    assert "1. Ana +$ 300 · 2. Tío Raúl −$ 100 · 3. Beto −$ 200 31/05/2024 · Old notebook" == nights[0]
    assert "Import 2 games" in text


def test_imported_nights_that_were_paid_become_games_without_debts(ana, table):
    response = take(ana, table)
    assert 302 == response.status_code
    assert (2, 5) == (table.games.count(), table.members.count())
    assert {0} == set(balances_of(table).values())
    assert ["2 games were imported"] == read_page(ana.get(response["Location"])).notices


def test_a_file_takes_precedence_over_the_text_field(ana, table):
    file = SimpleUploadedFile("cuaderno.csv", "fecha;Ana;Señora\n31/5/24;12;104\n".encode("cp1252"))
    sent = {"file": file, "text": WIDE, "look": "1", "key": a_key(), "figures": "fewest"}
    page = read_page(ana.post(address(table), sent))
    assert "New at this table: Señora" in page.only("main").text
    assert "fecha;Ana;Señora" in page.only("textarea").text


def test_an_invalid_key_in_the_address_shows_no_confirmation(subtests, ana, table):
    take(ana, table, "fecha;Ana;Beto\n31/5/24;300;-300\n")
    for done in ["%00", "%ED%A0%80", "x" * 5000, "%25", "_"]:
        with subtests.test(done=done):
            page = read_page(ana.get(f"{reverse('import-nights', args=[table.code])}?done={done}"))
            assert "in the notebook now" not in page.only("body").text


def test_the_chosen_options_stay_chosen_in_the_preview(ana, table):
    page = read_page(look(ana, table, figures="most", variant="chinchon", paid="no"))
    assert ["most", "chinchon"] == [page.typed(field) for field in ("figures", "variant")]
    assert "The numbers were read as: Points; the most win" in page.only("main").text


def test_invalid_lines_are_listed_and_the_text_is_kept(ana, table):
    text = "fecha;Ana;Beto\nayer;1;2\n7/6/24;1;dos\n"
    response = look(ana, table, text)
    page = read_page(response)
    assert 422 == response.status_code
    assert [
        "Line 2: “ayer” is not a date. Write it like 31/5/2024.",
        "Line 3: “dos” is not a whole number.",
    ] == page.alerts
    assert "ayer;1;2" in page.only("textarea").text


# --- the order of day and month ---------------------------------------------------------------------------------------

AMBIGUOUS = "fecha;Ana;Beto\n5/6/2024;300;-300\n"
UNAMBIGUOUS = AMBIGUOUS + "5/31/2024;-50;50\n"
DAY_FIRST = AMBIGUOUS + "31/5/2024;-50;50\n"


@pytest.mark.parametrize(
    ("region", "text", "days"),
    [
        ("en-US", UNAMBIGUOUS, ["2024-05-06", "2024-05-31"]),
        ("en-US", AMBIGUOUS, ["2024-05-06"]),
        ("en-GB", DAY_FIRST, ["2024-06-05", "2024-05-31"]),
        ("es-CL", AMBIGUOUS, ["2024-06-05"]),
        ("", DAY_FIRST, ["2024-06-05", "2024-05-31"]),
        ("en-US", "fecha;Ana;Beto\n2024-05-06;300;-300\n", ["2024-05-06"]),
    ],
)
def test_dates_are_read_in_the_order_of_the_tables_region(ana, table, region, text, days):
    change_region(table, region)
    take(ana, table, text)

    games = table.games.order_by("night_number")
    assert sorted(days) == [night_of(game.started_at, table).isoformat() for game in games]


@pytest.mark.parametrize(
    ("region", "text", "remarks"),
    [
        ("en-US", AMBIGUOUS, ["The dates fit both orders. “5/6/2024” was read as Mon, May 6, 2024."]),
        ("en-GB", AMBIGUOUS, ["The dates fit both orders. “5/6/2024” was read as Wed 5 Jun 2024."]),
        ("en-US", UNAMBIGUOUS, []),
        ("en-GB", DAY_FIRST, []),
        ("en-GB", "fecha;Ana;Beto\n5/5/2024;300;-300\n", []),
        ("en-US", "fecha;Ana;Beto\n2024-05-06;300;-300\n", []),
    ],
)
def test_the_preview_says_which_order_was_used_where_all_dates_fit_both(ana, table, region, text, remarks):
    change_region(table, region)
    page = read_page(look(ana, table, text))

    listed = [item.text for item in page.only("ul", class_="said").every("li")]
    assert remarks == [remark for remark in listed if "orders" in remark]


@pytest.mark.parametrize(
    ("region", "date", "example"), [("en-US", "31/5/2024", "5/31/2024"), ("es-AR", "5/31/2024", "31/5/2024")]
)
def test_a_date_in_another_order_is_refused_with_an_example_in_the_tables(ana, table, region, date, example):
    change_region(table, region)
    page = read_page(look(ana, table, f"fecha;Ana;Beto\n{date};300;-300\n"))

    assert [f"Line 2: “{date}” is not a date. Write it like {example}."] == page.alerts
    assert f"{example};300" in read_page(ana.get(address(table))).only("pre").text


def test_only_the_first_twenty_invalid_lines_are_listed(ana, table):
    page = read_page(look(ana, table, "fecha;Ana;Beto\n" + "ayer;1;2\n" * 30))
    assert (21, "… and 10 more.") == (len(page.alerts), page.alerts[-1])


def test_only_the_first_hundred_nights_are_listed(ana, table):
    nights = [f"{date(2020, 1, 1) + timedelta(days=number):%d/%m/%Y};1;-1" for number in range(103)]
    page = read_page(look(ana, table, "\n".join(["fecha;Ana;Beto", *nights])))
    listed = page.only(id="nights")

    assert (101, "… and 3 more.") == (len(listed.every("li")), listed.every("li")[-1].text)


def test_an_empty_text_is_refused(ana, table):
    response = look(ana, table, "  ")
    assert (422, ["Choose a file, or paste the notebook."]) == (
        response.status_code,
        read_page(response).alerts,
    )


def test_a_file_that_is_too_large_is_refused(ana, table, monkeypatch):
    monkeypatch.setattr(sent, "LARGEST", 10)
    file = SimpleUploadedFile("cuaderno.csv", WIDE.encode())
    response = ana.post(address(table), {"file": file, "look": "1", "key": a_key()})
    assert (422, ["This file is too large for a notebook."]) == (
        response.status_code,
        read_page(response).alerts,
    )


def test_text_changed_after_the_preview_gets_409_with_a_new_preview(ana, table):
    sent = hidden(read_page(look(ana, table)))
    changed = WIDE.replace("300;-200", "200;-100")
    response = ana.post(
        address(table), {"text": changed, "take": "1", "key": sent["key"], "seen": sent["seen"]}
    )
    page = read_page(response)
    assert (409, 0) == (response.status_code, table.games.count())
    assert ["The result has changed since you saw it. Nothing was saved; check it again."] == page.notices
    assert "Ana 2 games · 1 won +$ 150" in page.only(id="people").text


def test_an_idempotency_key_used_by_a_payment_is_refused_and_the_text_is_kept(ana, table, pay):
    pay("beto", "ana", 7, key="k:1")

    response = take(ana, table, "fecha;Beto;Ana\n7/6/24;-7;7\n", key="k")

    assert (409, 0) == (response.status_code, table.games.count())
    page = read_page(response)
    assert (
        "The key belongs to an earlier entry with other content. Nothing was recorded; use a new key."
        in page.only("main").text
    )
    assert "7/6/24;-7;7" in page.only("textarea").text


def test_a_notebook_imported_before_has_nothing_new(ana, table):
    take(ana, table)
    page = read_page(look(ana, table))
    assert "Nothing new: all its nights are already here" in page.only("main").text
    assert "Already here, left out: lines 2, 3" in page.only("main").text
    assert [] == page.every("button", name="take")


def test_rows_of_totals_are_left_out_and_listed(ana, table):
    page = read_page(look(ana, table, f"{WIDE}Total;250;-200;-50\n"))
    assert "Only totals, left out: line 4" in page.only("main").text


def test_a_note_that_is_too_long_is_shortened_with_a_remark(ana, table):
    page = read_page(
        look(ana, table, f"fecha;Ana;Beto;nota\n31/5/24;3;-3;{'x' * 201}\n7/6/24;-5;5;{'y' * 200}\n")
    )
    assert "Notes longer than 200 characters, shortened: line 2" in page.only("main").text


def test_a_total_that_does_not_match_its_rows_is_shown_but_does_not_prevent_the_import(ana, table):
    text = f"{WIDE}Total;240;-200;-50\n"
    page = read_page(look(ana, table, text))
    assert "Line 4: The total of Ana says $ 240, but the rows above add up to $ 250." in page.notices
    take(ana, table, text)

    assert 2 == table.games.count()


def test_a_night_that_does_not_add_up_asks_whether_its_numbers_are_money_or_points(ana, table):
    text = "fecha;Ana;Beto;Caro\n31/5/2024;300;-200;-90\n"
    response = look(ana, table, text, variant="chinchon", paid="no")
    page = read_page(response)
    question = "Line 2: These numbers do not add up to zero: say whether they are points or money."
    assert (422, [question]) == (response.status_code, page.alerts)
    assert ["fewest", "most", "money"] == page.allowed("figures")
    assert ("", "chinchon") == (page.typed("figures"), page.typed("variant"))
    assert text.split() == page.only("textarea").text.split()
    assert ["Wins and losses don't add up to zero."] == [
        alert.partition(": ")[2] for alert in read_page(look(ana, table, text, figures="money")).alerts
    ]
    take(ana, table, text, figures="fewest")

    assert [("beto", 1), ("caro", 2), ("ana", 3)] == list(
        table.games.get().results.order_by("place").values_list("member__slug", "place")
    )


def test_the_note_of_a_night_is_stored(ana, table):
    text = 'fecha;Ana;Beto;Nota\n31/5/2024;300;-300;En lo de "Tito"\n7/6/2024;-50;50;\nNota;llovió\n'
    page = read_page(look(ana, table, text))
    nights = [row.text for row in page.only(id="nights").every("li")]
    assert "1. Ana +$ 300 · 2. Beto −$ 300 31/05/2024 · Old notebook · En lo de ”Tito”" == nights[0]
    take(ana, table, text)
    first, second = table.games.order_by("night_number")

    notes = [
        read_page(ana.get(reverse("old-night", args=[game.code]))).only(id="note").text
        for game in (first, second)
    ]
    assert ["En lo de ”Tito”", "llovió"] == notes
    assert 'note "llovió"' in ana.get(reverse("export", args=[second.code])).content.decode()


def test_an_imported_night_offers_no_rematch_and_a_new_game_begins_as_usual(ana, table):
    take(ana, table)
    assert [] == [
        form for form in read_page(ana.get("/")).every("form") if "rematch" in form.attrs.get("action", "")
    ]
    assert 200 == ana.get(reverse("new-game", args=[table.code])).status_code


# --- names that only accents tell apart -------------------------------------------------------------------------------

ACCENTED = "fecha;Ána;Beto\n31/5/2024;300;-300\n"


def answered(client, table, **same):
    """Return the preview after it was sent again with these answers."""
    return read_page(look(client, table, ACCENTED, **same))


def test_a_name_that_differs_from_a_members_only_by_an_accent_needs_an_answer_before_the_import(ana, table):
    page = answered(ana, table)
    (question,) = [box.text for box in page.every("legend") if "Ána" in box.text]
    assert "Is “Ána” Ana?" == question
    assert ["all-same"] == [button.attrs["name"] for button in page.every("button", class_="btn go")]
    response = take(ana, table, ACCENTED)

    assert (422, 0, 4) == (response.status_code, table.games.count(), table.members.count())
    assert ["First match the names to members."] == read_page(response).notices


def test_two_spellings_confirmed_as_one_person_are_one_member(ana, table):
    page = answered(ana, table, **{"same-Ána": "yes"})
    assert "new here" not in page.only("main").text
    assert "yes" == page.typed("same-Ána")
    response = take(ana, table, ACCENTED, **{"same-Ána": "yes", "paid": "no"})

    assert (302, 4) == (response.status_code, table.members.count())
    assert 300 == balances_of(table)["ana"]


def test_two_spellings_declared_as_two_people_are_two_members(ana, table):
    response = take(ana, table, ACCENTED, **{"same-Ána": "no", "paid": "no"})

    assert (302, 5) == (response.status_code, table.members.count())
    assert ("Ána", 300) == (table.members.get(slug="ana_2").name, balances_of(table)["ana_2"])


def test_two_spellings_within_the_notebook_need_an_answer(ana, table):
    text = "fecha;juego;jugador;plata\n31/5/2024;loba;Nelida;10\n;loba;Beto;-10\n7/6/2024;loba;Nélida;5\n;loba;Beto;-5\n"
    page = read_page(look(ana, table, text))
    assert ["Is “Nélida” Nelida?"] == [box.text for box in page.every("legend") if "Is" in box.text]
    take(ana, table, text, **{"same-Nélida": "yes", "paid": "no"})

    assert 15 == balances_of(table)["nelida"]


def test_an_answer_about_a_spelling_is_stored_and_can_be_changed(ana, table):
    take(ana, table, ACCENTED, **{"same-Ána": "yes", "paid": "no"})
    again = ACCENTED.replace("31/5", "7/6")
    page = read_page(look(ana, table, again))
    assert "yes" == page.typed("same-Ána")
    assert [] == [button for button in page.every("button") if button.attrs.get("name") == "all-same"]
    take(ana, table, again, **{"same-Ána": "no", "paid": "no"})

    assert (300, 300) == tuple(balances_of(table)[slug] for slug in ("ana", "ana_2"))
    assert 0 == table.spellings.count()


def test_a_name_can_be_assigned_to_a_member_by_hand(ana, table):
    text = "fecha;La jefa;Beto\n31/5/2024;300;-300\n"
    page = read_page(look(ana, table, text))
    assert "Who is “La jefa”?" in page.only("main").text
    take(ana, table, text, **{"who-La jefa": "Ana", "paid": "no"})

    assert (300, 4) == (balances_of(table)["ana"], table.members.count())
    assert [("La jefa", "ana")] == list(table.spellings.values_list("written", "member__slug"))


NIGHTS = 60
MESSY = {  # eight people, each with three spellings
    "Tío Raúl": ("tio raul", "TíoRaúl"),
    "Ana María": ("Ana Maria", "Anamaría"),
    "Beto": ("BETO", "Veto"),
    "Carolina": ("carolina", "Carolína"),
    "Nélida": ("Nelida", "Nélda"),
    "Graciela": ("GRACIELA", "Grasiela"),
    "Pocho": ("pocho", "Póchó"),
    "El Negro": ("el negro", "ElNegro"),
}


def messy():
    """Return the text of a notebook of sixty nights of eight people, each name in a random spelling."""
    chance, day, lines = random.Random(14), date(2023, 3, 3), ["fecha;juego;jugador;plata"]
    for number in range(NIGHTS):
        amounts = [chance.randint(-20, 20) * 50 for _other in range(7)]
        spelt = [chance.choice((name, *others)) for name, others in MESSY.items()]
        lines += (
            f"{day + timedelta(days=7 * number):%d/%m/%Y};loba;{name};{amount}"
            for name, amount in zip(spelt, (*amounts, -sum(amounts)), strict=True)
        )
    return "\n".join(lines)


def test_a_messy_notebook_of_sixty_nights_becomes_eight_members_in_three_taps(ana, owner):
    table, text = make_table(owner, people=()), messy()
    assert 24 == len({line.split(";")[2] for line in text.splitlines()[1:]})
    page = read_page(look(ana, table, text))  # the first tap
    questions = [box.text for box in page.every("legend") if box.text.startswith("Is “")]
    assert 8 <= len(questions) <= 16 - 5, "capitals alone are nobody's question"
    page = read_page(look(ana, table, text, **{"all-same": "1"}))  # the second tap
    sent = {**page.only("form", class_="sheetform").fields, "text": text}
    response = ana.post(address(table), {**sent, "take": "1"})  # the third tap

    assert 302 == response.status_code
    spelt = {frozenset(map(likeness, (name, *others))) for name, others in MESSY.items()}
    members = [likeness(member.name) for member in table.members.all()]
    assert (8, NIGHTS) == (len(members), table.games.count())
    assert all(any(name in ways for name in members) for ways in spelt)
    assert 0 == sum(balances_of(table).values())
    assert [] == check_table(table).differences


def test_an_answer_changed_since_the_preview_gets_409(ana, table):
    seen = hidden(answered(ana, table, **{"same-Ána": "yes"}))
    sent = {"text": ACCENTED, "take": "1", "key": seen["key"], "seen": seen["seen"], "same-Ána": "no"}
    response = ana.post(address(table), sent)

    assert (409, 0) == (response.status_code, table.games.count())


def test_an_unused_column_is_named(subtests, ana, table):
    for text, remark in [
        ("fecha;Ana;Beto;notas;total\n31/5/2024;300;-300;llovió;0\n", "Not read: “total”"),
        (
            "fecha;jugador;puntos;plata;mozo\n31/5/2024;Ana;3;10;Luis\n31/5/2024;Beto;9;-10;\n",
            "Not read: “mozo”",
        ),
        ("fecha;jugador;puntos;total\n31/5/2024;Ana;3;40\n31/5/2024;Beto;9;50\n", "Not read: “total”"),
        ("fecha;Ana;Beto;;notas\n31/5/2024;300;-300;x;\n", "Not read: column 4"),
        ("fecha;Ana;Beto\n31/5/2024;300;-300;fin\n", "Not read: column 4"),
    ]:
        with subtests.test(remark=remark):
            page = read_page(look(ana, table, text))
            assert remark in [item.text for item in page.only("ul", class_="said").every("li")]


def test_a_fully_used_notebook_has_no_remark_about_columns(ana, table):
    assert "Not read" not in read_page(look(ana, table)).only("main").text
