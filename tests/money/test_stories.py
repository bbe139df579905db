"""Stories of a table's money: each person's reasons, whom they pay, their nights and statements.

`engines/test_stories.py` has nights on Firefox and WebKit.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from itertools import groupby

import pytest
from django.urls import reverse
from django.utils.translation import override

from games.files.presenters import spreadsheets
from games.models import Method, Role
from games.money.presenters import payment_news
from games.money.services import (
    accounting,
    cash_settlement,
    night_summary,
    payments,
    starting_balances,
    statements,
)
from games.money.services.statements import DateRange
from games.play.services import recording
from games.scoring.errors import RuleError
from games.tables.services.roster import People
from tests.factories import new_key
from tests.money.story import figure
from tests.reader import open_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def pizza(story):
    """Ana and Caro lost to Beto. Then Caro paid a pizza for all three."""
    story = story("Ana", "Beto", "Caro")
    story.game("Loba", ana=-210, beto=420, caro=-210)
    story.expense("caro", 750, "ana", "beto", "caro")
    return story


def test_after_netting_everybody_reads_their_own_share_of_the_pizza(pizza):
    assert {("ana", "caro", 290), ("ana", "beto", 170)} == pizza.debts
    assert ["Loba que ganó Beto −2,10", "pizza, puso Caro −2,50"] == pizza.reasons("ana")
    assert ["Loba que ganaste +4,20", "pizza, puso Caro −2,50"] == pizza.reasons("beto")
    assert ["Loba que ganó Beto −2,10", "pizza, pusiste +5,00"] == pizza.reasons("caro")
    assert ["Se lo pagás a Caro (2,90) y Beto (1,70)."] == pizza.payment_sentences("ana")


def test_a_game_that_is_corrected_after_being_even_tells_what_changed(story):
    story = story("Ana", "Beto", "Caro")
    loba = story.game("Loba", ana=-210, beto=420, caro=-210)
    story.pay("ana", "beto", 210)
    assert [] == story.reasons("ana")
    story.go_to_day(12)
    story.game("Chinchón", ana=-100, beto=100)
    story.correct(loba, ana=-300, beto=510, caro=-210)

    corrected = "Loba que ganó Beto, lo corregido después −0,90"
    assert [corrected, "Chinchón que ganó Beto −1,00"] == story.reasons("ana")
    won = ["Loba que ganaste +5,10", "Pago de Ana −2,10", "Chinchón que ganaste +1,00"]
    assert won == story.reasons("beto")
    assert ["Loba que ganó Beto −2,10"] == story.reasons("caro")
    story.correct(loba, ana=-210, beto=420, caro=-210)
    assert ["Chinchón que ganó Beto −1,00"] == story.reasons("ana")
    won = ["Loba que ganaste +4,20", "Pago de Ana −2,10", "Chinchón que ganaste +1,00"]
    assert won == story.reasons("beto")


def test_an_end_that_is_undone_and_comes_again_leaves_the_reasons_as_they_were(story):
    story = story("Ana", "Beto")
    loba = story.game("Loba", ana=-500, beto=500)
    story.game("Chinchón", ana=-100, beto=100)
    story.pay("ana", "beto", 600)
    story.go_to_day(12)
    story.game("Carioca", ana=-50, beto=50)
    assert ["Carioca que ganó Beto −0,50"] == story.reasons("ana")

    recording.undo(loba, after=2, key=new_key(), by=story.owner)
    assert [
        "Chinchón que ganó Beto −1,00",
        "Pago a Beto +6,00",
        "Carioca que ganó Beto −0,50",
    ] == story.reasons("ana")
    recording.redo(loba, after=3, key=new_key(), by=story.owner)
    assert ["Carioca que ganó Beto −0,50"] == story.reasons("ana")


def test_the_fewest_payments_change_whom_to_pay_and_no_reason(story):
    story = story("Ana", "Beto", "Caro")
    story.game("Loba", beto=100, caro=-100)
    story.go_to_day(12)
    story.game("Chinchón", ana=100, beto=-100)
    before = [story.reasons(slug) for slug in ("ana", "beto", "caro")]
    story.go_to_day(19)
    story.turn(is_on=True)

    assert {("caro", "ana", 100)} == story.debts
    assert [["Chinchón que ganaste +1,00"], [], ["Loba que ganó Beto −1,00"]] == before
    assert before == [story.reasons(slug) for slug in ("ana", "beto", "caro")]
    assert ["Se lo pagás a Ana (1,00)."] == story.payment_sentences("caro")


def test_whoever_is_even_in_all_reads_from_whom_they_get_it_and_whom_they_pay(story):
    story = story("Ana", "Beto", "Caro")
    story.game("Loba", ana=500, caro=-500)
    story.go_to_day(12)
    story.game("Chinchón", ana=-500, beto=500)
    assert [] == story.reasons("ana")
    assert ["Lo cobrás de Caro (5,00) y pagás a Beto (5,00)."] == story.payment_sentences("ana")
    story.go_to_day(19)
    story.game("Carioca", ana=400, caro=-400)

    assert ["Carioca que ganaste +4,00"] == story.reasons("ana")
    assert ["Lo cobrás de Caro (9,00) y pagás a Beto (5,00)."] == story.payment_sentences("ana")


# --- one night --------------------------------------------------------------------------------------------------------

COLUMNS = ("net", "expenses", "on_the_spot", "payments", "left")


@pytest.fixture
def night(story):
    """A night with two games, one of them paid in cash, a pizza and a payment, after starting balances."""
    story = story("Ana", "Beto", "Caro", "Dani")
    story.go_to_day(1)
    story.table.refresh_from_db()
    starting_balances.record(story.table, {"ana": -300, "caro": 300}, seen=0, key=new_key(), by=story.owner)
    story.go_to_day(5)
    story.loba = story.game("Loba", ana=200, beto=-100, caro=-100)
    story.chinchon = story.game("Chinchón", ana=-60, beto=120, caro=-60)
    cash_settlement.mark_paid(story.chinchon, by=story.owner)
    story.expense("ana", 1000, "ana", "beto", "caro", "dani")
    story.pay("caro", "ana", 200)
    return story


def night_rows(story):
    evening = night_summary.summarize(date(2026, 3, 5), story.table, People.of(story.table))
    return [(row.member.slug, *(getattr(row, name) for name in COLUMNS)) for row in evening.attendees]


NIGHT = [
    ("ana", 140, 750, 60, -200, 750),
    ("beto", 20, -250, -120, 0, -350),
    ("caro", -160, -250, 60, 200, -150),
    ("dani", 0, -250, 0, 0, -250),
]


def test_a_night_is_won_by_its_games_and_tells_all_that_it_moved(night):
    assert NIGHT == night_rows(night)
    assert {"ana": 450, "beto": -350, "caro": 150, "dani": -250} == dict(
        accounting.load_accounts(night.table).balances
    )
    assert {("beto", "ana", 350), ("dani", "ana", 250), ("ana", "caro", 150)} == night.debts


def test_of_two_with_the_same_sum_who_won_more_games_leads_the_night(story):
    story = story("Ana", "Beto")
    story.game("Loba", ana=100, beto=-100)
    for _game in range(2):
        story.game("Loba", ana=-50, beto=50)

    assert [("beto", 0, 0, 0, 0, 0), ("ana", 0, 0, 0, 0, 0)] == night_rows(story)


@pytest.mark.usefixtures("in_english")
def test_page_text_and_first_page_tell_the_night_with_the_same_figures(night, client_for):
    phone = client_for(night.owner)
    night.owner.accesses.exclude(table=night.table).delete()
    page = open_page(phone, reverse("night", args=[night.table.code, "2026-03-05"]))
    home = open_page(phone, reverse("home"))
    rows = [
        "A Ana 2 games · 1 won · expenses +€7.50 · paid on the spot +€0.60 · payments −€2.00 · balance +€7.50 +€1.40",
        "B Beto 2 games · 1 won · expenses −€2.50 · paid on the spot −€1.20 · balance −€3.50 +€0.20",
        "C Caro 2 games · expenses −€2.50 · paid on the spot +€0.60 · payments +€2.00 · balance −€1.50 −€1.60",
        "D Dani expenses −€2.50 · balance −€2.50",
    ]

    assert rows == [row.text for row in page.only(id="there").every("a")]
    assert rows == [row.text for row in home.only(id="tonight").every("a")][1:]
    assert "Ana is up €1.40" in home.only(id="tonight").every("a")[0].text
    assert "Including earlier debts" in page.only("section", id="debts").text
    message = page.only("textarea", id="message").text
    assert "Ana · 2 partidas · 1 ganada · gastos +€ 7,50 · en la mesa +€ 0,60 · pagos −€ 2,00" in message
    assert "Dani · gastos −€ 2,50 · queda −€ 2,50" in message


def test_a_night_has_the_same_payments_and_figures_after_the_table_moved_to_another_time_zone(night):
    thursday = date(2026, 3, 5)
    before = [payment.amount for payment in night_summary.list_payments(thursday, night.table)]
    night.table.timezone = "Asia/Tokyo"
    night.table.save()

    assert [200] == before
    assert before == [payment.amount for payment in night_summary.list_payments(thursday, night.table)]
    assert NIGHT == night_rows(night)


# --- a time -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def march(night):
    """After that night Ana forgave Dani a debt, and the first game was corrected."""
    night.go_to_day(6)
    night.pay("dani", "ana", 100, Method.FORGIVEN)
    night.go_to_day(7)
    night.correct(night.loba, ana=-100, beto=-100, caro=200)
    return night


def test_a_month_tells_what_was_paid_won_and_lost_in_it(march):
    assert {("ana", "caro", 450), ("beto", "ana", 350), ("dani", "ana", 150)} == march.debts
    assert [
        "Saldos anteriores +3,00",
        "Loba que ganaste +2,00",
        "pizza, puso Ana −2,50",
        "Pago a Ana +2,00",
    ] == march.reasons("caro")
    in_march = statements.month_range(date(2026, 3, 5))

    assert {
        "opening": 300,
        "games": 140,
        "expenses": -250,
        "on_the_spot": 60,
        "paid": 200,
        "after": 450,
    } == march.sums("caro", in_march)
    assert {
        "opening": -300,
        "games": -160,
        "expenses": 750,
        "on_the_spot": 60,
        "got": -200,
        "forgave": -100,
        "after": 50,
    } == march.sums("ana", in_march)


def test_a_year_reaches_from_its_first_night_to_its_last():
    year = DateRange(date(2026, 1, 1), date(2026, 12, 31))

    assert year == statements.year_range(date(2026, 3, 5))


def test_a_time_begins_with_the_balance_before_it(march):
    after = DateRange(date(2026, 3, 6), date(2026, 3, 31))

    assert {"before": 150, "forgave": -100, "after": 50} == march.sums("ana", after)
    assert {"after": 0} == march.sums("ana", statements.month_range(date(2026, 2, 1)))


def test_a_long_month_begins_on_its_page_with_the_balance_before_all_of_it(story, client_for):
    story = story("Ana", "Beto")
    story.game("Loba", ana=-200, beto=200)
    story.go_to_day(32)
    for _ in range(32):
        story.pay("ana", "beto", 1)
    address = reverse("account", args=[story.table.code, "ana"])
    phone = client_for(story.owner, language="es-AR")
    april = open_page(phone, f"{address}?from=2026-04-01&to=2026-04-30")
    february = open_page(phone, f"{address}?from=2026-02-01&to=2026-02-28")

    assert "Antes −€ 2,00 Pagó +€ 0,32 Después −€ 1,68" == april.only(id="sums").text
    assert "Antes € 0,00 Después € 0,00" == february.only(id="sums").text
    assert "En este tiempo no hay nada anotado." == february.only(id="entries").text


# --- the file of the entries ------------------------------------------------------------------------------------------


def ledger_rows(story):
    """Return the rows of the file after its heading, without the codes of games and who recorded."""
    with override("es-ar"):
        heading, *rows = ([str(cell) for cell in row] for row in spreadsheets.entry_rows(story.table))
    named = ["Nº", "Fecha", "Anotado", "Qué", "Detalle", "Código", "Quién", "Persona", "Monto"]
    assert named == heading
    return [[*row[:5], *row[7:]] for row in rows]


def test_the_file_of_entries_has_a_row_for_each_entry_and_person_and_adds_up(march):
    rows = ledger_rows(march)
    entries = [
        [
            *cells,
            {name: amount for *_cells, name, amount in some},
        ]
        for cells, some in groupby(rows, key=lambda row: row[:5])
    ]

    fifth = ["2026-03-05", "2026-03-05"]
    assert [
        ["1", "2026-03-01", "2026-03-01", "Saldos anteriores", "", {"Ana": "-3,00", "Caro": "3,00"}],
        ["2", *fifth, "Partida", "Loba", {"Ana": "2,00", "Beto": "-1,00", "Caro": "-1,00"}],
        ["3", *fifth, "Partida", "Chinchón", {"Ana": "-0,60", "Beto": "1,20", "Caro": "-0,60"}],
        ["4", *fifth, "En la mesa", "Chinchón", {"Ana": "0,60", "Beto": "-1,20", "Caro": "0,60"}],
        [
            *("5", *fifth, "Gasto compartido", "pizza"),
            {"Ana": "7,50", "Beto": "-2,50", "Caro": "-2,50", "Dani": "-2,50"},
        ],
        ["6", *fifth, "Pago", "en efectivo", {"Ana": "-2,00", "Caro": "2,00"}],
        ["7", "2026-03-06", "2026-03-06", "Perdonado", "", {"Ana": "-1,00", "Dani": "1,00"}],
        ["8", "2026-03-05", "2026-03-07", "Corrección", "Loba", {"Ana": "-3,00", "Caro": "3,00"}],
    ] == entries
    of_entries, of_people = Counter[str](), Counter[str]()
    for number, *_cells, name, amount in rows:
        of_entries[number] += round(float(amount.replace(",", ".")) * 100)
        of_people[name.lower()] += round(float(amount.replace(",", ".")) * 100)
    assert {0} == {*of_entries.values()}
    assert dict(accounting.load_accounts(march.table).balances) == dict(of_people)


def test_a_game_that_is_paid_on_the_table_by_habit_has_rows_without_a_number(story):
    story = story("Ana", "Beto", "Caro", "Dani")
    story.game("Loba", ana=200, beto=-200)
    story.table.pays_on_the_spot = True
    story.table.save()
    story.game("Chinchón", ana=-100, beto=100)
    story.pay("beto", "ana", 200)

    assert [
        *(["1", "Partida", "Ana", "2,00"], ["1", "Partida", "Beto", "-2,00"]),
        *(["", "Partida", "Ana", "-1,00"], ["", "Partida", "Beto", "1,00"]),
        *(["", "En la mesa", "Ana", "1,00"], ["", "En la mesa", "Beto", "-1,00"]),
        *(["2", "Pago", "Ana", "-2,00"], ["2", "Pago", "Beto", "2,00"]),
    ] == [[row[0], row[3], *row[5:]] for row in ledger_rows(story)]


# --- a game that was paid on the table, and a claim -------------------------------------------------------------------


def test_a_game_paid_on_the_table_and_then_corrected_tells_only_what_is_left_of_it(story):
    story = story("Ana", "Beto")
    loba = story.game("Loba", ana=-200, beto=200)
    cash_settlement.mark_paid(loba, by=story.owner)
    assert [] == story.reasons("ana")
    story.correct(loba, ana=-300, beto=300)

    assert ["Loba que ganó Beto, aparte de lo pagado en la mesa −1,00"] == story.reasons("ana")
    assert [("beto", 300, 0, -200, 0, 100), ("ana", -300, 0, 200, 0, -100)] == night_rows(story)


def test_nobody_is_asked_twice_for_what_they_say_they_paid(story_with_claim):
    assert ["Loba que ganó Beto −2,10", "pizza, puso Caro −2,50"] == story_with_claim.reasons("ana")
    assert [
        "Caro todavía no dijo si le llegaron 2,90.",
        "Se lo pagás a Beto (1,70).",
    ] == story_with_claim.payment_sentences("ana")
    assert ["Todavía no dijiste si te llegaron 2,90 de Ana."] == story_with_claim.payment_sentences("caro")


# --- a payment that did not arrive, and how it was paid ---------------------------------------------------------------


@pytest.fixture
def story_with_claim(pizza):
    """Ana and Caro have phones, and Ana says that the debt to Caro is paid."""
    pizza.give_phones("ana", "caro")
    pizza.claim = pizza.tick("caro", by=pizza.users["ana"], role=Role.WITNESS)
    return pizza


def payment_notices(story, slug):
    """Return the notices about this person's payments, in list order."""
    people = People.of(story.table)
    with override("es-ar"):
        return [
            figure(item.text)
            for item in payment_news.payment_notices(people.by_slug[slug], people, story.table)
        ]


def test_a_payer_reads_that_a_claim_did_not_arrive_until_they_have_seen_it(story_with_claim):
    assert [] == payment_notices(story_with_claim, "ana")
    payments.dispute(story_with_claim.claim, by=story_with_claim.users["caro"])
    assert ["Caro dice que no le llegaron 2,90"] == payment_notices(story_with_claim, "ana")
    payments.mark_seen(story_with_claim.claim, by=story_with_claim.users["caro"])
    assert 1 == len(payment_notices(story_with_claim, "ana")), "only the payer can have seen it"
    payments.mark_seen(story_with_claim.claim, by=story_with_claim.users["ana"])

    assert [] == payment_notices(story_with_claim, "ana") == payment_notices(story_with_claim, "caro")


def test_a_claim_that_did_not_arrive_is_no_news_once_its_payer_paid_again(story_with_claim):
    payments.dispute(story_with_claim.claim, by=story_with_claim.users["caro"])
    assert ["Caro dice que no le llegaron 2,90"] == payment_notices(story_with_claim, "ana")
    again = story_with_claim.pay("ana", "caro", 290)
    assert [] == payment_notices(story_with_claim, "ana")

    payments.void(again, by=story_with_claim.owner, role=Role.OWNER, reason="no fue")
    assert "Caro dice que no le llegaron 2,90" in payment_notices(story_with_claim, "ana")


def test_what_a_payer_ended_themselves_or_a_week_ago_is_no_news(story_with_claim):
    payments.void(story_with_claim.claim, by=story_with_claim.users["ana"], role=Role.WITNESS)
    assert [] == payment_notices(story_with_claim, "ana")
    other = story_with_claim.pay("ana", "caro", 70)
    payments.dispute(other, by=story_with_claim.users["caro"], objection="no lo veo")
    story_with_claim.go_to_day(20)

    assert ["Caro dice que no le llegaron 0,70"] == payment_notices(story_with_claim, "ana"), (
        "a dispute that is open stays"
    )
    payments.void(other, by=story_with_claim.owner, role=Role.OWNER, reason="no fue")
    assert ["Se anuló tu pago de 0,70 a Caro"] == payment_notices(story_with_claim, "ana")
    story_with_claim.go_to_day(28)
    assert [] == payment_notices(story_with_claim, "ana")


def test_a_payer_reads_the_outcome_of_a_second_dispute_too(story_with_claim):
    payment, caro = story_with_claim.pay("ana", "caro", 70), story_with_claim.users["caro"]
    for _dispute in range(2):
        payments.dispute(payment, by=caro)
        payments.confirm(payment, by=story_with_claim.owner)
        assert ["Tu pago de 0,70 a Caro al final cuenta"] == payment_notices(story_with_claim, "ana")
        payments.mark_seen(payment, by=story_with_claim.users["ana"])
        assert [] == payment_notices(story_with_claim, "ana")


def test_a_payer_grants_a_dispute_of_a_payment_that_somebody_else_recorded(story_with_claim, client_for):
    payment = story_with_claim.pay("ana", "caro", 70)
    payments.dispute(payment, by=story_with_claim.users["caro"])
    phone = client_for(story_with_claim.users["ana"], language="es-AR")
    page = open_page(phone, reverse("accounts", args=[story_with_claim.table.code]))
    section = page.only(id="to-confirm")
    assert "Caro dice que no le llegaron € 0,70" in section.text
    (share,) = (button for button in section.every("button") if "data-share" in button.attrs)
    assert "Ana → Caro: € 0,70" in page.only(id=share.attrs["data-share"]).text
    address = reverse("payment", args=[story_with_claim.table.code, payment.pk])
    back = reverse("accounts", args=[story_with_claim.table.code])
    assert 302 == phone.post(address, {"act": "take-back", "page": back}).status_code
    payment.refresh_from_db()

    assert "ended" == payment.state
    assert [] == payment_notices(story_with_claim, "ana")


def test_a_payee_who_denied_a_payment_says_by_one_tap_that_it_arrived(story_with_claim, client_for):
    payment = story_with_claim.pay("ana", "caro", 70)
    payments.dispute(payment, by=story_with_claim.users["caro"])
    phone = client_for(story_with_claim.users["caro"], language="es-AR")
    page = open_page(phone, reverse("accounts", args=[story_with_claim.table.code]))

    assert "Dijiste que no te llegaron € 0,70 de Ana" in page.only(id="to-confirm").text
    assert "Ya llegó" in page.only(id="to-confirm").text


def test_a_tick_is_made_as_the_last_payment_of_the_two_was_and_can_be_changed_that_night(pizza):
    pizza.pay("ana", "caro", 10, Method.TRANSFER)
    ticked = pizza.tick("caro", by=pizza.owner, role=Role.OWNER)
    assert Method.TRANSFER == ticked.method
    payments.change_method(ticked, Method.CASH, "en la mesa", by=pizza.owner)
    ticked.refresh_from_db()
    assert (Method.CASH, "en la mesa") == (ticked.method, ticked.note)

    pizza.go_to_day(7)
    with pytest.raises(RuleError):
        payments.change_method(ticked, Method.TRANSFER, by=pizza.owner)
    with pytest.raises(RuleError):
        payments.change_method(pizza.pay("caro", "ana", 5), Method.FORGIVEN, by=pizza.owner)
