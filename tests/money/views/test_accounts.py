"""The accounts page: pending payments, debts, balances, movements; and the fewest payments."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from games.models import Access, Role
from games.money.presenters import account_messages
from games.money.services import accounting, payments, starting_balances
from games.play.services import recording
from games.tables.services import membership
from tests.factories import confirm_as_member, get_last_night, load_balances, make_user, new_key
from tests.money.conftest import THURSDAY
from tests.reader import Walker, debt_rows, open_page, parse_whole_number, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

QUERIES, HOUR = 28, timedelta(hours=1)


def address(table, name="accounts"):
    return reverse(name, args=[table.code])


def accounts_page(client, table, query=""):
    return open_page(client, f"{address(table)}{query}")


def balances(page):
    return {
        row.only("span", class_="name").text: parse_whole_number(row.every("b")[0].text)
        for row in page.only("div", id="balances").every("a")
    }


def unpaid_debts(page):
    return [row for row in debt_rows(page) if not row.startswith("✓")]


def test_more_than_eight_debts_stand_by_debtor_the_readers_own_first_and_unfolded(
    client_as, table, pay, monkeypatch
):
    monkeypatch.setattr("games.money.presenters.debt_list.MAX_UNFOLDED", 2)
    for payer, payee, amount in (
        ("ana", "beto", 5),
        ("caro", "beto", 9),
        ("caro", "dani", 8),
        ("ana", "dani", 1),
    ):
        pay(payer, payee, amount)  # so these owe it back
    dani = client_as("dani")
    page = accounts_page(dani, table)
    folds = page.only(id="payments").every("details", class_="fold debtor")

    assert [("D Dani 2 $9", True), ("B Beto 2 $14", False)] == [
        (fold.every("summary")[0].text, "open" in fold.attrs) for fold in folds
    ]
    assert ["Dani → Caro $8", "Dani → Ana $1"] == unpaid_debts(page)
    address_of_debts = folds[1].only(class_="keys").attrs["hx-get"]
    unfolded = accounts_page(dani, table, address_of_debts.removeprefix(address(table)))
    assert {"Dani → Caro $8", "Dani → Ana $1", "Beto → Caro $9", "Beto → Ana $5"} == {*unpaid_debts(unfolded)}


def test_a_payment_of_tonight_and_a_folded_debt_of_the_same_pair_have_ids_of_their_own(
    client_as, table, pay, monkeypatch
):
    monkeypatch.setattr("games.money.presenters.debt_list.MAX_UNFOLDED", 1)
    pay("ana", "beto", 5)
    pay("caro", "beto", 9)
    paid = pay("beto", "caro", 2)
    dani = client_as("dani")
    page, unfolded = accounts_page(dani, table), accounts_page(dani, table, "?debtor=beto")

    assert [f"debt-beto-caro-{paid.pk}"] == paid_row_ids(page)
    assert [f"debt-beto-caro-{paid.pk}"] == paid_row_ids(unfolded)
    assert "debt-beto-caro" in [row.attrs["id"] for row in unfolded.every("div", class_="pay")]


def paid_row_ids(page):
    return [row.attrs["id"] for row in page.every("div", class_="pay done") if "beto-caro" in row.attrs["id"]]


def movement_amounts(page):
    return [row.every("b")[-1].text for row in page.only("div", id="moves").every("a")]


def test_the_text_to_send_has_the_debts_with_aliases_what_was_paid_and_the_balances(
    ana, table, finished, pay
):
    membership.set_payment_details(table.members.get(slug="ana"), "ana.loba.mp")
    pay("dani", "ana", 100)
    text = accounts_page(ana, table).only("textarea", id="message").text

    assert text.startswith("Mesa de los jueves: the accounts Who pays whom · ")
    assert text.endswith(
        " Beto → Ana: $200 · ana.loba.mp Caro → Ana: $100 · ana.loba.mp "
        "✓ Dani → Ana: $100 With these 2 payments everyone is all square. Balances: Ana: +$300 Caro: −$100 Beto: −$200"
    )


def test_the_picture_of_the_accounts_is_named_after_the_day_at_the_table(table, finished):
    picture = account_messages.table_picture(
        accounting.load_accounts(table), table, at=THURSDAY, histories=[]
    )

    assert "mesa-de-los-jueves-2026-11-19.png" == picture["file_name"]


def test_a_debt_ticked_without_a_network_is_queued_as_a_tick_also_while_payments_are_pending(
    client_as, table, owner, finished, pay, confirm_as
):
    payments.dispute(pay("dani", "ana", 100), by=confirm_as(owner, "ana"), objection="no me llegó")
    page = accounts_page(client_as("ana"), table)
    ticks = page.only(id="debts").every("form", method="post")

    assert page.every(id="to-confirm")
    assert {"tick"} == {form.attrs["data-waits"] for form in ticks}


def test_the_latest_movements_are_shown_newest_first_with_a_link_to_all(
    ana, table, owner, finished, pay, share
):
    payments.void(pay("beto", "ana", 30), by=owner)
    share("beto", 40, "ana", "beto")
    for cents in range(1, 5):
        pay("caro", "ana", cents)
    walker = Walker(ana)

    assert ["$4", "$3", "$2", "$1", "$40"] == movement_amounts(walker.open(address(table)))
    page = walker.follow("See all")
    assert ["$4", "$3", "$2", "$1", "$40", "$30", ""] == movement_amounts(page)
    assert "Beto → Ana" in page.only("a", class_="void").text
    night = reverse("night", args=[table.code, get_last_night(table).isoformat()])
    assert "Ana won $400" in page.only("a", href=night).text


def test_starting_balances_are_a_movement_and_are_struck_out_once_taken_back(ana, table, owner):
    entry = starting_balances.record(table, {"ana": 5, "beto": -5}, seen=0, key=new_key(), by=owner)
    row = accounts_page(ana, table).only("div", id="moves").text
    starting_balances.void(table, entry.number, by=owner)
    struck = accounts_page(ana, table).only("div", id="moves").only("a", class_="void").text

    assert row.startswith("Starting balances")
    assert (row, "voided") == tuple(struck.split(" · "))


def test_a_retired_member_with_a_zero_balance_is_folded_away(ana, table, finished, pay):
    pay("dani", "ana", 100)
    membership.retire(table.members.get(slug="dani"))
    page = accounts_page(ana, table)

    assert "Dani" not in balances(page)
    assert "No longer playing" in page.only("main").text


def test_a_member_who_only_watches_ticks_their_own_debts(client_as, table, finished):
    page = accounts_page(client_as("beto"), table)

    assert ["tick-beto-ana"] == [button.attrs["id"] for button in page.every("button", class_="tick")]


def test_the_accounts_page_takes_few_queries(ana, table, owner, finished, pay, django_assert_max_num_queries):
    for _ in range(3):
        pay("beto", "caro", 7, by=make_user(new_key()))
    confirm_as_member(owner, table.members.get(slug="caro"))
    confirm_as_member(make_user("beto_himself"), table.members.get(slug="beto"))
    ana.get(address(table))  # renews the session, once a day
    with django_assert_max_num_queries(QUERIES):
        ana.get(address(table))


def test_the_first_figure_is_the_readers_own_balance(ana, client_as, table, finished):
    for slug, figure in (("beto", "B Beto, you owe $200"), ("ana", "A Ana, you are owed $400")):
        assert figure == accounts_page(client_as(slug), table).only("div", id="balance").text
    assert [] == accounts_page(ana, table).every(id="balance"), "she is not one of the people"


# --- what waits for the reader ----------------------------------------------------------------------------------------


def questions(client, table):
    """Return the questions for this user to answer."""
    sections = accounts_page(client, table).every("section", id="to-confirm")
    return [box.only("a", class_="grow").every("b")[0].text for part in sections for box in part.every("div")]


def test_the_payee_and_a_keeper_are_asked_about_a_claim_and_answer_on_the_page(
    ana, client_as, table, finished, pay, confirm_as
):
    anas, beto = client_as("ana"), confirm_as(make_user("beto_himself"), "beto")
    pay("beto", "ana", 60, by=beto)
    newer = pay("beto", "ana", 140, by=beto)
    pay("caro", "ana", 100)

    assert ["Did Beto pay you $140?", "Did Beto pay you $60?"] == questions(anas, table)
    assert ["Did Beto pay Ana $140?", "Did Beto pay Ana $60?"] == questions(ana, table)
    walker = Walker(anas)
    walker.open(address(table))
    walker.press("Yes")
    newer.refresh_from_db()
    assert newer.counts
    walker.open(address(table))
    walker.press("No")
    assert [] == questions(anas, table)
    assert -60 == load_balances(table)["beto"]


# --- always the fewest payments ---------------------------------------------------------------------------------------


@pytest.fixture
def chain(play):
    """Caro has owed Beto 100 since Thursday a week ago, and Beto owes Ana 100: one payment would do."""
    play("dani", "caro", "ana", "beto", stake=0, days=21)
    play("beto", "caro", days=14)
    play("ana", "beto", days=7)


def test_the_setting_shows_both_lists_and_then_settles_by_fewer_payments(ana, table, chain):
    walker = Walker(ana)
    page = walker.open(address(table))
    before = balances(page)
    assert "Always the fewest payments No" == page.only(id="fewest").every("summary")[0].text
    assert ["until now", "Beto → Ana $100", "Caro → Beto $100", "from now on", "Caro → Ana $100"] == [
        row.text for row in page.only("ul", id="change").every("li")
    ]
    walker.press("Turn on")

    assert ["Caro → Ana $100"] == debt_rows(walker.page)
    assert before == balances(walker.page)
    assert "Always the fewest payments Yes" == walker.page.only(id="fewest").every("summary")[0].text
    walker.press("Turn off")
    assert ["Caro → Ana $100"] == debt_rows(walker.page)
    assert [] == walker.page.every("ul", id="change")


def test_members_read_the_setting_and_only_who_records_for_good_changes_it(client_as, table, chain):
    beto = client_as("beto")
    Access.objects.filter(user__username="user_of_beto").update(role=Role.SCORER, until=now() + HOUR)
    for phone in (client_as("caro"), beto):
        row = accounts_page(phone, table).only(id="fewest")
        assert ("Always the fewest payments No", []) == (row.every("summary")[0].text, row.every("form"))
    assert 403 == beto.post(address(table, "fewest"), {"fewest": "yes", "seen": 2}).status_code
    Access.objects.filter(user__username="user_of_beto").update(until=None)
    assert "Turn on" in accounts_page(beto, table).only(id="fewest").text


def test_an_outdated_preview_gets_409_with_the_present_lists(ana, table, chain, play):
    walker = Walker(ana)
    walker.open(address(table))
    play("ana", "dani")
    walker.press("Turn on")

    assert 409 == walker.status
    assert "Dani → Ana $100" in walker.page.only("ul", id="change").text
    assert ["Not recorded: the accounts have changed. This is how they are now."] == walker.page.notices
    assert ["Beto → Ana $100", "Caro → Beto $100", "Dani → Ana $100"] == sorted(
        debt_rows(accounts_page(ana, table))
    )


def test_a_tick_on_a_result_without_debts_by_now_asks_there_too(ana, owner, table, chain, play):
    """The phone still shows the debts below the result of a game that was deleted meanwhile."""
    game = play("dani", "caro")
    walker = Walker(ana)
    form = walker.open(address(table)).only(id="debt-beto-ana").only("form")
    fields = {field.attrs["name"]: field.attrs["value"] for field in form.every("input")}
    ana.post(address(table, "fewest"), {"fewest": "yes", "seen": accounting.latest_entry_number(table)})
    recording.discard_game(game, by=owner)
    answer = ana.post(address(table, "tick"), {**fields, "page": reverse("settlement", args=[game.code])})

    assert (409, []) == (answer.status_code, read_page(answer).every(id="debts"))
    assert "Was it given to them anyway?" in read_page(answer).only(id="tick-question").text


def test_a_tick_of_a_debt_that_went_to_somebody_else_asks_on_its_page(ana, table, chain):
    walker = Walker(ana)
    page = walker.open(address(table))
    form = page.only(id="debt-beto-ana").only("form")
    fields = {field.attrs["name"]: field.attrs["value"] for field in form.every("input")}
    ana.post(address(table, "fewest"), {"fewest": "yes", "seen": accounting.latest_entry_number(table)})
    answer = ana.post(address(table, "tick"), fields)
    asked = read_page(answer).only(id="tick-question")
    assert 409 == answer.status_code
    assert "Beto no longer owes $100 to Ana. Was it given to them anyway?" in asked.text

    yes = {field.attrs["name"]: field.attrs["value"] for field in asked.every("input")}
    assert 302 == ana.post(address(table, "tick"), yes).status_code
    assert 302 == ana.post(address(table, "tick"), yes).status_code, (
        "a second phone's yes is the same payment"
    )
    assert 1 == table.payments.count()
    assert ["Caro → Beto $100"] == debt_rows(accounts_page(ana, table))[:1]


def test_a_setting_without_an_answer_is_no_answer(ana, table):
    table.always_fewest = True
    table.save()
    response = ana.post(reverse("fewest", args=[table.code]), {"seen": "0"})
    table.refresh_from_db()

    assert (400, True) == (response.status_code, table.always_fewest)
