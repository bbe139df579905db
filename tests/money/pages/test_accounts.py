"""The accounts page: who pays whom, balances with their causes, and undoing a new payment."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse
from django.utils.timezone import now

from games.models import Grant, Member, Method, Role
from games.money import holders, payments, ticks
from games.notebook.carrying import NewTable, carry_over, preview_carry_over
from games.people.members import add_member
from games.play import recording as services
from games.scoring.events import Corrected, RoundPlayed, Struck
from games.scoring.rounds import Hand, RoundEntry
from tests.reader import Walker, open_page, read_page, whole_number
from tests.tables import a_key, a_round, loba, make_table, make_user, start

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


def test_everybodys_balance_is_shown_the_highest_first_and_they_add_up_to_nothing(ana, table, finished):
    page = shown(ana, table)

    assert [("Ana", 400), ("Caro", -100), ("Dani", -100), ("Beto", -200)] == list(balances(page).items())
    assert "They add up to $ 0" in page.only("main").text


def test_a_new_table_owes_nothing(ana, table):
    page = shown(ana, table)

    assert {"Ana": 0, "Beto": 0, "Caro": 0, "Dani": 0} == balances(page)
    assert "Nobody owes anything." in page.only("div", id="plan").text


def test_every_line_of_the_plan_opens_to_its_causes(ana, table, finished, pay):
    pay("beto", "ana", 50)
    page = shown(ana, table)

    assert {
        "Beto → Ana remaining of $ 200 $ 150": [
            ("1 game", -200),
            ("Paid", 50),
            ("Beto owes", 150),
            ("Ana is owed", 350),
        ],
        "Caro → Ana $ 100": [("1 game", -100), ("Caro owes", 100), ("Ana is owed", 350)],
        "Dani → Ana $ 100": [("1 game", -100), ("Dani owes", 100), ("Ana is owed", 350)],
    } == plan(page)
    assert "This is the smallest possible number of payments." in page.only("main").text


def test_another_result_leaves_what_the_others_pay_and_taken_back_it_brings_the_plan_back(ana, table, owner):
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

    assert ["Beto → Ana $ 100", "Beto → Caro $ 50", "Dani → Caro $ 100"] == list(plan(page))
    assert "One payment more than necessary" in page.only("main").text
    services.discard_game(game)
    page = shown(ana, table)
    assert list(before) == list(plan(page)) == ["Beto → Ana $ 100", "Dani → Caro $ 100"]
    assert "This is the smallest possible number of payments." in page.only("main").text


def test_a_line_that_is_paid_stands_as_paid_at_the_end(ana, table, finished, pay):
    pay("beto", "ana", 200)
    lines = shown(ana, table).only("div", id="plan").every("div", class_="owes")

    assert ["Caro", "Dani", "Beto"] == [line.every("b")[0].text for line in lines]
    assert "settled" in lines[-1].text
    assert [] == lines[-1].every("a", class_="btn")


def test_a_line_that_nobody_paid_says_what_became_of_it(ana, table, owner, finished, pay):
    pay("beto", "ana", 200, method=Method.WRITE_OFF)
    pay("caro", "ana", 60)
    wanted = NewTable("Dólares", "US$", 2, Fraction(10))
    carry_over(table, wanted, seen=preview_carry_over(table, wanted).seen, key=a_key(), by=owner)
    lines = shown(ana, table).only("div", id="plan").every("div", class_="owes")

    assert {"Beto": "written off", "Caro": "balance brought forward", "Dani": "balance brought forward"} == {
        line.every("b")[0].text: line.every("b")[-1].text for line in lines
    }


def test_the_button_of_a_line_leads_to_a_form_that_is_filled_in(ana, table, finished):
    walker = Walker(ana)
    walker.open(address(table))
    walker.follow("Beto paid Ana")

    assert ("beto", "ana", "200", "cash") == tuple(
        walker.page.typed(field) for field in ("payer", "payee", "amount", "method")
    )


def test_the_aliases_stand_where_the_money_goes(ana, table, finished):
    holders.set_account(table.members.get(slug="ana"), "ana.loba.mp")
    page = shown(ana, table)

    assert 3 == page.only("div", id="plan").text.count("ana.loba.mp")
    assert "Beto → Ana: $ 200 (ana.loba.mp)" in page.only("textarea").text


def test_a_correction_that_changed_the_plan_is_named_with_the_lines_it_changed(ana, table, owner, finished):
    last_round = a_round("beto", ana=80, dani=71)
    services.record(finished, Corrected(6, last_round), after=6, key=a_key(), by=owner)
    services.record(finished, a_round("beto", ana=50), after=7, key=a_key(), by=owner)
    services.record(
        finished, Corrected(6, a_round("ana", beto=50, dani=20)), Struck(8), after=8, key=a_key(), by=owner
    )
    page = shown(ana, table)

    fold = page.only("details", id="change")
    assert "Loba de Menos" in fold.text
    assert "Corrected: round 3" in fold.text
    assert reverse("plan-changes", args=[table.code]) == fold.link("All changes")


def test_the_result_of_a_game_is_where_a_change_leads(ana, table, finished):
    fold = shown(ana, table).only("details", id="change")

    assert "The game ended: Loba de Menos" in fold.text
    assert "Beto → Ana $ 0 → $ 200" in fold.text
    assert reverse("settlement", args=[finished.code]) == fold.link("Look at it")


def test_a_payment_just_noted_can_be_taken_back_with_a_tap(ana, table, finished, pay):
    payment = pay("beto", "ana", 200)
    walker = Walker(ana)
    walker.open(f"{address(table)}?done={payment.pk}")
    assert ["Recorded: Beto → Ana, $ 200"] == walker.page.notices
    walker.press("Undo")

    payment.refresh_from_db()
    assert payment.cancelled_at is not None


@pytest.mark.parametrize("done", ["x", "999", "-1", "9" * 30, "٣"])
def test_an_address_that_says_nothing_noted_offers_nothing(ana, table, finished, done):
    assert [] == shown(ana, table, f"?done={done}").notices


def test_the_last_payments_are_shown_with_what_became_of_them(ana, table, owner, finished, pay):
    payments.cancel(pay("beto", "ana", 30), by=owner)
    for cents in range(1, 6):
        pay("caro", "ana", cents)
    rows = shown(ana, table).only("div", id="payments").every("a", class_="tile")

    assert [5, 4, 3, 2, 1] == [figure_of(row) for row in rows]


def test_the_last_night_says_whether_it_was_closed_and_still_holds(ana, table, owner, finished, close):
    assert "not closed" in shown(ana, table).only("main").text
    close()
    assert "not closed" not in shown(ana, table).only("main").text
    services.discard_game(finished)
    start(table, owner)

    assert "changed since it was closed · close it again" in shown(ana, table).only("main").text


def test_who_retired_even_is_out_of_sight(ana, table, owner, finished):
    add_member(table, "Eva")
    holders.retire(table.members.get(slug="eva"), key=a_key(), by=owner)
    page = shown(ana, table)

    assert "Eva" not in balances(page)
    assert "No longer playing" in page.only("main").text


def test_a_member_reads_and_may_only_write_what_they_paid(waldo, table, finished):
    assert 403 == waldo.get(address(table)).status_code
    Member.objects.filter(slug="beto").update(user=waldo.session["_auth_user_id"], claimed_at=now())
    page = shown(waldo, table)

    assert [] == page.every("form")
    assert ["I paid", "Report a payment"] == [
        link.text for link in page.every("a") if "/pay/" in link.attrs["href"]
    ]


def test_a_witness_is_told_why_they_see_no_accounts(waldo, table):
    page = read_page(waldo.get(address(table)))

    assert "Only scorekeepers and members can open the accounts." == page.only("h1").text


# --- what waits for whoever looks -------------------------------------------------------------------------------------


def waiting(client, table):
    """Return the headings of what waits for the user's answer, and the links below each."""
    sections = [box for box in shown(client, table).every("section") if "hidden" not in box.attrs]
    return {box.only("h2").text: [line.attrs["href"] for line in box.every("a")] for box in sections}


@pytest.fixture
def anas(phone_as):
    """The phone of a witness who is the member Ana."""
    return phone_as("ana")


def test_the_payee_sees_which_payments_wait_for_her_word(anas, table, owner, finished, pay):
    newer, older = [pay(payer, "ana", 100) for payer in ("beto", "caro")][::-1]
    pay("ana", "dani", 5)

    assert {
        "2 payments to confirm": [
            reverse("payment", args=[table.code, payment.pk]) for payment in (newer, older)
        ]
    } == waiting(anas, table)


def test_what_has_no_need_of_her_word_does_not_wait(anas, table, owner, finished, pay):
    payments.cancel(pay("beto", "ana", 1), by=owner)
    payments.dispute(pay("beto", "ana", 2), by=table.members.get(slug="ana").user)
    pay("beto", "ana", 3, method=Method.WRITE_OFF)
    pay("beto", "ana", 4, by=table.members.get(slug="ana").user)
    ticks.pay_on_the_spot(finished, after=6, key=a_key(), by=owner)

    assert {} == waiting(anas, table)


def test_of_many_that_wait_the_newest_are_shown(anas, table, finished, pay):
    for _ in range(7):
        pay("beto", "ana", 10)

    ((heading, lines),) = waiting(anas, table).items()
    assert ("7 payments to confirm", 5) == (heading, len(lines))


def test_what_was_paid_to_who_turned_out_to_be_her_waits_too(anas, table, finished, pay):
    add_member(table, "Anita")
    anita = table.members.get(slug="anita")
    payments.pay(
        table, table.members.get(slug="beto"), anita, 5, method=Method.CASH, key=a_key(), by=make_user()
    )
    Member.objects.filter(pk=anita.pk).update(merged_into=table.members.get(slug="ana"))

    assert ["1 payment to confirm"] == list(waiting(anas, table))


def test_nobody_is_told_of_what_waits_for_another(ana, waldo, table, finished, pay, claims):
    claims(waldo.session["_auth_user_id"], "beto")
    Member.objects.filter(slug="ana").update(user=make_user("ana_herself"))  # no owner has confirmed that yet
    pay("beto", "ana", 100)

    assert [] == [heading for heading in waiting(ana, table) if "payment" in heading]
    assert {} == waiting(waldo, table)


def test_an_owner_is_told_who_claims_which_member(ana, phone_of, table, finished):
    beto = make_user("beto_himself")
    beto.first_name = "Beto P."
    beto.save()
    Member.objects.filter(slug="beto").update(user=beto)
    claims_page = reverse("claims", args=[table.code])
    section = shown(ana, table).only("section", id="claims")

    assert "Beto P. says: I am Beto" == section.only("a").text
    assert claims_page == section.only("a").attrs["href"]
    Member.objects.filter(slug="beto").update(claimed_at=now())
    assert {} == waiting(ana, table)


def test_whoever_only_records_is_not_asked_who_is_who(phone_of, table, finished):
    user = make_user("eva")
    Grant.objects.create(user=user, table=table, role=Role.SCORER)
    Member.objects.filter(slug="beto").update(user=make_user("beto_himself"))

    assert {} == waiting(phone_of(user), table)


def test_hostile_names_do_no_harm(phone_of, db):
    owner = make_user("olga")
    table = make_table(owner, people=("<script>", "A&B=1", "#x"), name="</textarea><b>")
    members = list(table.members.all())
    holders.set_account(members[0], "<b>&alias")
    payments.pay(table, members[1], members[0], 5, method=Method.CASH, note="<i>", key=a_key(), by=owner)
    page = shown(phone_of(owner), table)

    assert "</textarea><b>" in page.only("textarea").text
    (link,) = [link for link in page.every("a") if "wa.me" in link.attrs["href"]]
    assert "A&B=1" in parse_qs(urlsplit(link.attrs["href"]).query)["text"][0]


def test_the_page_asks_the_database_fourteen_times_however_much_there_is(
    ana, table, owner, finished, pay, close, django_assert_max_num_queries
):
    for _ in range(3):
        pay("beto", "caro", 7, by=make_user(a_key()))
    close()
    table.members.filter(slug="caro").update(user=owner, claimed_at=now())
    table.members.filter(slug="beto").update(user=make_user("beto_himself"))
    ana.get(address(table))  # renews the session, once a day
    with django_assert_max_num_queries(QUERIES):
        ana.get(address(table))


def test_the_accounts_speak_spanish_figures(phone_of, owner, table, finished, pay):
    pay("beto", "ana", 1500)
    page = shown(phone_of(owner, language="es-AR"), table)

    assert "$ 1.100" in page.only("main").text
