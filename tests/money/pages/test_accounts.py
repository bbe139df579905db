"""The accounts page: who pays whom, balances with their causes, and undoing a new payment."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.urls import reverse
from django.utils.timezone import now

from games.models import Grant, Member, Method, Payment, Role
from games.money import holders, payments, ticks
from games.money.balances import read_accounts
from games.notebook.opening import StartingBalance, open_balances
from games.people.members import add_member
from games.play import recording as services
from games.scoring.events import RoundPlayed
from games.scoring.rounds import Hand, RoundEntry
from tests.reader import Walker, open_page, read_page, whole_number
from tests.tables import a_key, loba, make_user

pytestmark = pytest.mark.django_db

QUERIES = 14


def address(table):
    return reverse("accounts", args=[table.code])


def shown(client, table, query=""):
    return open_page(client, f"{address(table)}{query}")


def figure_of(node):
    return whole_number(next(part.text for part in node.every() if "figure" in part.attrs.get("class", "")))


def balances(page):
    """Return the balance shown for each name."""
    return {
        row.only("span", class_="name").text: figure_of(row)
        for row in page.only("div", id="balances").every("a")
    }


def plan(page):
    """Return the lines of the plan as they are shown, each with its causes."""
    return {
        fold.only("summary").text: [
            (row.only("dt").text, whole_number(row.only("dd").text)) for row in fold.every("div")
        ]
        for fold in page.only("div", id="plan").every("details")
    }


def test_all_balances_are_shown_highest_first_and_add_up_to_zero(ana, table, finished):
    page = shown(ana, table)

    assert [("Ana", 400), ("Caro", -100), ("Dani", -100), ("Beto", -200)] == list(balances(page).items())
    assert "They add up to $ 0" in page.only("main").text


def test_a_new_table_owes_nothing(ana, table):
    page = shown(ana, table)

    assert {"Ana": 0, "Beto": 0, "Caro": 0, "Dani": 0} == balances(page)
    assert "Nobody owes anything." in page.only("div", id="plan").text


def test_every_line_of_the_plan_unfolds_its_causes(ana, table, finished, pay):
    pay("beto", "ana", 50)
    page = shown(ana, table)

    assert {
        "B A Beto → Ana remaining of $ 200 $ 150": [
            ("1 game", -200),
            ("Paid", 50),
            ("Beto owes", 150),
            ("Ana is owed", 350),
        ],
        "C A Caro → Ana $ 100": [("1 game", -100), ("Caro owes", 100), ("Ana is owed", 350)],
        "D A Dani → Ana $ 100": [("1 game", -100), ("Dani owes", 100), ("Ana is owed", 350)],
    } == plan(page)
    assert "This is the smallest possible number of payments." in page.only("main").text


def test_a_new_result_keeps_the_plans_other_lines_and_its_removal_restores_the_plan(ana, table, owner):
    def duel(winner: str, loser: str, stake: int):
        begun = loba(table, stake=stake)
        begun = replace(begun, players=tuple(one for one in begun.players if one.id in (winner, loser)))
        game = services.start_game(table, begun, key=a_key(), by=owner)
        over = RoundPlayed(RoundEntry(winner, "out", ((loser, Hand(points=101)),)))
        services.record(game, over, after=1, key=a_key(), by=owner)
        return game

    duel("ana", "beto", 100)
    duel("caro", "dani", 100)
    before = plan(shown(ana, table))
    game = duel("caro", "beto", 50)
    page = shown(ana, table)

    assert ["B A Beto → Ana $ 100", "B C Beto → Caro $ 50", "D C Dani → Caro $ 100"] == list(plan(page))
    assert "One payment more than necessary" in page.only("main").text
    services.discard_game(game)
    page = shown(ana, table)
    assert list(before) == list(plan(page)) == ["B A Beto → Ana $ 100", "D C Dani → Caro $ 100"]
    assert "This is the smallest possible number of payments." in page.only("main").text


def test_a_paid_line_of_the_plan_is_listed_last_as_settled(ana, table, finished, pay):
    pay("beto", "ana", 200)
    lines = shown(ana, table).only("div", id="plan").every("div", class_="card owes")

    assert ["Caro", "Dani", "Beto"] == [line.every("b")[0].text for line in lines]
    assert "settled" in lines[-1].text
    assert [] == lines[-1].every("a", class_="btn")


def test_a_line_settled_without_a_payment_says_forgiven_or_brought_forward(ana, table, owner, finished, pay):
    pay("beto", "ana", 200, method=Method.FORGIVEN)
    pay("caro", "ana", 60)
    accounts = read_accounts(table)
    settled = [StartingBalance(-balance, slug) for slug, balance in accounts.balances.items() if balance]
    open_balances(table, settled, seen=accounts.seen, key=a_key(), by=owner)
    lines = shown(ana, table).only("div", id="plan").every("div", class_="card owes")

    assert {"Beto": "forgiven", "Caro": "balance brought forward", "Dani": "balance brought forward"} == {
        line.every("b")[0].text: line.every("b")[-1].text for line in lines
    }


def test_the_button_of_a_line_opens_a_prefilled_payment_form(ana, table, finished):
    walker = Walker(ana)
    walker.open(address(table))
    walker.follow("Mark paid: Beto → Ana")

    assert ("beto", "ana", "200", "cash") == tuple(
        walker.page.typed(field) for field in ("payer", "payee", "amount", "method")
    )


def test_the_plan_and_the_text_to_send_show_the_payees_payment_details(ana, table, finished):
    holders.set_account(table.members.get(slug="ana"), "ana.loba.mp")
    page = shown(ana, table)

    assert 3 == page.only("div", id="plan").text.count("ana.loba.mp")
    assert "Beto → Ana: $ 200 (ana.loba.mp)" in page.only("textarea").text


def test_a_payment_just_recorded_can_be_undone_with_one_tap(ana, table, finished, pay):
    payment = pay("beto", "ana", 200)
    walker = Walker(ana)
    walker.open(f"{address(table)}?done={payment.pk}")
    assert ["Recorded: Beto → Ana, $ 200"] == walker.page.notices
    walker.press("Undo")

    payment.refresh_from_db()
    assert payment.ended_at is not None


def test_an_address_with_an_invalid_payment_shows_no_notice(subtests, ana, table, finished):
    for done in ["x", "999", "-1", "9" * 30, "٣"]:
        with subtests.test(done=done):
            assert [] == shown(ana, table, f"?done={done}").notices


def test_only_the_last_five_payments_are_shown_newest_first(ana, table, owner, finished, pay):
    payments.take_back(pay("beto", "ana", 30), by=owner)
    for cents in range(1, 6):
        pay("caro", "ana", cents)
    rows = shown(ana, table).only("div", id="payments").every("a", class_="tile")

    assert [5, 4, 3, 2, 1] == [figure_of(row) for row in rows]


def test_a_retired_member_with_a_zero_balance_is_hidden_from_the_balances(ana, table, owner, finished):
    add_member(table, "Eva")
    holders.retire(table.members.get(slug="eva"), key=a_key(), by=owner)
    page = shown(ana, table)

    assert "Eva" not in balances(page)
    assert "No longer playing" in page.only("main").text


def test_a_member_with_a_witness_grant_reads_the_accounts_and_records_only_their_payments(
    waldo, table, finished
):
    assert 403 == waldo.get(address(table)).status_code
    Member.objects.filter(slug="beto").update(user=waldo.session["_auth_user_id"], claimed_at=now())
    page = shown(waldo, table)

    assert [] == page.every("form")
    assert ["Mark paid", "Record a payment"] == [
        link.text for link in page.every("a") if "/pay/" in link.attrs["href"]
    ]


def test_a_witness_reads_why_the_accounts_are_closed_to_them(waldo, table):
    page = read_page(waldo.get(address(table)))

    assert "Only scorekeepers and members can open the accounts." == page.only("h1").text


# --- tasks of the user who opens the page -----------------------------------------------------------------------------


def waiting(client, table):
    """Return the headings of the tasks that wait for this user, each with its links."""
    tasks = ("to-confirm", "claims")
    sections = [box for box in shown(client, table).every("section") if box.attrs.get("id") in tasks]
    return {box.only("h2").text: [line.attrs["href"] for line in box.every("a")] for box in sections}


@pytest.fixture
def anas(phone_as):
    """Return the phone of a witness who has claimed the member Ana."""
    return phone_as("ana")


@pytest.fixture
def betos(claims):
    """Return the user who is Beto and watches."""
    return claims(make_user("beto_himself"), "beto")


def test_the_payee_sees_the_claims_that_await_their_confirmation(anas, table, betos, finished, pay):
    newer, older = [pay("beto", "ana", amount, by=betos) for amount in (60, 140)][::-1]
    pay("caro", "ana", 100)

    assert {
        "2 payments to confirm": [
            reverse("payment", args=[table.code, payment.pk]) for payment in (newer, older)
        ]
    } == waiting(anas, table)


def test_payments_that_need_no_confirmation_are_not_listed_as_tasks(anas, table, owner, finished, pay):
    payments.take_back(pay("beto", "ana", 1), by=owner)
    payments.dispute(pay("beto", "ana", 2), by=table.members.get(slug="ana").user)
    pay("beto", "ana", 3)
    ticks.pay_on_the_spot(finished, after=6, key=a_key(), by=owner)

    assert {} == waiting(anas, table)


def test_of_many_payments_to_confirm_only_five_are_shown_under_the_total_number(
    anas, table, finished, betos, pay
):
    for _ in range(7):
        pay("beto", "ana", 10, by=betos)

    ((heading, lines),) = waiting(anas, table).items()
    assert ("7 payments to confirm", 5) == (heading, len(lines))


def test_a_claim_paid_to_a_merged_member_awaits_the_answer_of_the_member_merged_into(
    anas, table, finished, betos, pay
):
    add_member(table, "Anita")
    Member.objects.filter(slug="anita").update(merged_into=table.members.get(slug="ana"))
    claim = pay("beto", "ana", 5, by=betos)
    Payment.objects.filter(pk=claim.pk).update(payee=table.members.get(slug="anita"))

    assert ["1 payment to confirm"] == list(waiting(anas, table))


def test_an_owner_sees_the_claims_that_await_confirmation(ana, phone_of, table, finished):
    beto = make_user("beto_himself")
    beto.first_name = "Beto P."
    beto.save()
    Member.objects.filter(slug="beto").update(user=beto)
    claims_page = reverse("claims", args=[table.code])
    section = shown(ana, table).only("section", id="claims")

    assert "“Beto P.” says: I am Beto" == section.only("a").text
    assert claims_page == section.only("a").attrs["href"]
    Member.objects.filter(slug="beto").update(claimed_at=now())
    assert {} == waiting(ana, table)


def test_a_scorer_does_not_see_claims_to_confirm(phone_of, table, finished):
    user = make_user("eva")
    Grant.objects.create(user=user, table=table, role=Role.SCORER)
    Member.objects.filter(slug="beto").update(user=make_user("beto_himself"))

    assert {} == waiting(phone_of(user), table)


def test_the_accounts_page_takes_at_most_fourteen_queries(
    ana, table, owner, finished, pay, django_assert_max_num_queries
):
    for _ in range(3):
        pay("beto", "caro", 7, by=make_user(a_key()))
    table.members.filter(slug="caro").update(user=owner, claimed_at=now())
    table.members.filter(slug="beto").update(user=make_user("beto_himself"))
    ana.get(address(table))  # renews the session, once a day
    with django_assert_max_num_queries(QUERIES):
        ana.get(address(table))


def test_amounts_in_spanish_have_a_dot_between_thousands(phone_of, owner, table, finished, pay):
    pay("beto", "ana", 1500)
    page = shown(phone_of(owner, language="es-AR"), table)

    assert "$ 1.100" in page.only("main").text
