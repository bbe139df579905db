"""Settling a night: the owner ticks off each payment, and the night, its games and the accounts agree."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.urls import reverse

from games.models import Method, Payment
from games.money import payments, settling, ticks
from games.money.balances import People, balances_of, read_accounts
from games.money.costs import CostWords, share_cost
from games.money.dues import dues_of
from games.money.settling import PlayedNight, note_night_tick, settlement_of
from games.people.members import add_member
from games.play import recording as services
from games.scoring.ledger import Transfer
from games.scoring.text.notation import read_line
from tests.reader import Walker, open_page, read_page
from tests.tables import a_key, make_user, the_night
from tests.waiting import an_entry, answers_of, sent

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


@pytest.fixture
def night(table, finished):
    """The night of a finished game: Ana +400, Beto -200, Caro and Dani -100."""
    return the_night(table)


def address(table, night, name="settle-night"):
    return reverse(name, args=[table.code, night.isoformat()])


def rows(page):
    """Return each line, with an x if it is paid and a dot if a tap can change that."""
    lines = [
        row
        for row in page.only("div", id="payments").every("div")
        if "pay" in row.attrs.get("class", "").split()
    ]
    return [
        ("x " if "done" in row.attrs["class"] else "")
        + re.sub(r"^\S \S ", "", row.only("summary").text)
        + (" ·" if row.every("form") else "")
        for row in lines
    ]


def due(table):
    """Return the lines left to pay for the last night."""
    settlement = settlement_of(PlayedNight.read(the_night(table), table, People.of(table)))
    return [(line.payer.slug, line.payee.slug, line.amount) for line in settlement.lines]


def test_a_night_of_three_games_is_settled_with_one_tap_for_each_payment(
    ana, table, finished, play, pay, owner
):
    """Old debts: Caro owes Dani 100. Tonight three games, the last with Gus, a guest who will not return.

    Ana +400 −100 +100, Beto −200 +100 −50, Caro −100, Dani −100, Gus −50.
    """
    play("dani", "caro", days=7)
    play("beto", "ana")
    add_member(table, "Gus")
    last = play("ana", "beto", "gus", stake=50)
    night = the_night(table)
    nets = settlement_of(PlayedNight.read(night, table, People.of(table))).nets
    assert {"ana": 400, "beto": -150, "caro": -100, "dani": -100, "gus": -50} == nets

    taps, walker = 0, Walker(ana)
    walker.open(reverse("settlement", args=[last.code]))
    walker.open(walker.page.only("a", id="together").attrs["href"])
    taps += 1
    assert [
        "Beto → Ana $ 150 ·",
        "Caro → Ana $ 100 ·",
        "Dani → Ana $ 100 ·",
        "Gus → Ana $ 50 ·",
    ] == rows(walker.page)
    for payer in ("Gus", "Beto", "Caro", "Dani"):
        walker.press(f"{payer} paid Ana")
        taps += 1
    assert ["x Beto", "x Caro", "x Dani", "x Gus"] == [row.split(" →")[0] for row in rows(walker.page)]
    assert "All paid." in walker.page.only("main").text

    assert 4 + 1 == taps
    assert {"caro": -100, "dani": 100} == {who: net for who, net in balances_of(table).items() if net}
    accounts = open_page(ana, reverse("accounts", args=[table.code]))
    assert ["Caro → Dani: $ 100"] == re.findall(r"\w+ → \w+: \$ \d+", accounts.only("textarea").text)
    for game in (finished, last):
        result = open_page(ana, reverse("settlement", args=[game.code])).only("textarea", id="message").text
        assert "Who pays whom:" not in result
        assert "This game has nothing left to pay." in result


def test_settling_with_older_debts_covers_all_debts_between_the_nights_players(ana, table, play, pay):
    add_member(table, "Eva")
    play("dani", "caro", "eva", days=7)  # Caro and Eva owe Dani 100 each
    play("ana", "caro", "dani")
    night = the_night(table)
    walker = Walker(ana)
    walker.open(address(table, night))
    assert ["Caro → Ana $ 100 ·", "Dani → Ana $ 100 ·"] == rows(walker.page)

    walker.press("With older debts")
    assert ["Caro → Ana $ 200 ·"] == rows(walker.page)
    assert "Eva → Dani $ 100" == walker.page.only("ul", id="absent").text
    walker.press("Caro paid Ana")
    assert {"dani": 100, "eva": -100} == {who: net for who, net in balances_of(table).items() if net}
    assert "All paid." in walker.page.only("main").text


def test_a_shared_cost_is_settled_with_the_night_and_not_with_a_game(ana, table, finished, night, owner, who):
    """Dani, who lost 100, paid 800 for all four: 200 each."""
    pizza = CostWords(who["dani"], 800, tuple(who[slug] for slug in ("ana", "beto", "caro", "dani")), "pizza")
    share_cost(table, night, pizza, key=a_key(), by=owner)
    page = open_page(ana, address(table, night))

    assert {"ana": 200, "beto": -400, "caro": -300, "dani": 500} == balances_of(table)
    assert [("beto", "dani", 400), ("caro", "ana", 200), ("caro", "dani", 100)] == sorted(due(table))
    assert "pizza" in page.only("div", id="nets").text.lower()
    assert ["Beto → Ana: $ 200", "Caro → Ana: $ 100", "Dani → Ana: $ 100"] == re.findall(
        r"\w+ → \w+: \$ \d+",
        open_page(ana, reverse("settlement", args=[finished.code])).only("textarea", id="message").text,
    )
    for payer, payee, amount in due(table):
        settling.tick_night(table, night, Transfer(payer, payee, amount), key=a_key(), by=owner)
    assert {0} == set(balances_of(table).values())


def test_the_choice_to_settle_older_debts_is_saved_and_cannot_change_after_a_tick(
    ana, table, finished, night
):
    walker = Walker(ana)
    walker.open(address(table, night))
    walker.press("With older debts")
    pressed = [
        button.text for button in walker.page.every("button") if button.attrs.get("aria-pressed") == "true"
    ]
    assert ["With older debts"] == pressed
    walker.press("Beto paid Ana")
    walker.press("Tonight alone")

    assert 422 == walker.status
    assert ["Payments of this night are already ticked. To choose again, cancel them first."] == (
        walker.page.alerts
    )
    table.refresh_from_db()
    assert table.settles_before


def test_a_second_tap_takes_a_tick_back(ana, table, finished, night):
    walker = Walker(ana)
    before = rows(walker.open(address(table, night)))
    walker.press("Beto paid Ana")
    assert ["Recorded: Beto → Ana, $ 200"] == walker.page.notices
    walker.press("Beto paid Ana")

    assert ["Taken back: Beto → Ana, $ 200"] == walker.page.notices
    assert before == rows(walker.page)


def test_a_payment_ticked_off_for_a_night_refers_to_that_night(ana, table, finished, night):
    walker = Walker(ana)
    walker.open(address(table, night))
    walker.press("Beto paid Ana")
    (payment,) = Payment.objects.all()

    assert (night, None, Method.CASH) == (payment.night, payment.game, payment.method)


def test_a_double_tap_records_once_and_a_stale_tick_from_another_tab_gets_409(ana, table, finished, night):
    form, _button = open_page(ana, address(table, night)).form_with("Beto paid Ana")
    other, _button = open_page(ana, address(table, night)).form_with("Beto paid Ana")
    for _tap in range(2):
        assert 302 == ana.post(form.attrs["action"], form.fields).status_code
    late = ana.post(other.attrs["action"], other.fields)

    assert 409 == late.status_code
    assert "Not recorded: that is no longer owed. This is owed now." in read_page(late).only("main").text
    assert 1 == Payment.objects.count()


def test_a_correction_after_the_ticks_leaves_the_difference_to_pay(ana, table, finished, night, write):
    walker = Walker(ana)
    walker.open(address(table, night))
    for payer in ("Beto", "Caro", "Dani"):
        walker.press(f"{payer} paid Ana")
    write(finished, *read_line("correct 1 game loba_menos stake=50"))

    assert {"ana": -200, "beto": 100, "caro": 50, "dani": 50} == balances_of(table)
    assert [("ana", "beto", 100), ("ana", "caro", 50), ("ana", "dani", 50)] == due(table)


def test_a_claimed_payment_is_marked_as_reported_and_cannot_be_ticked(
    ana, table, finished, night, pay, claims, who
):
    claims(make_user("ana_herself"), "ana")
    pay("beto", "ana", 200, by=claims(make_user("beto_himself"), "beto"))
    page = open_page(ana, address(table, night))

    assert "Beto → Ana reported as paid $ 200" == rows(page)[0]


def test_settling_an_older_night_redirects_to_its_page_and_without_games_is_a_404(ana, table, finished, play):
    older = play("caro", "ana", days=7)
    day = date.fromordinal(older.night_number)

    assert address(table, day, "night") == ana.get(address(table, day)).url
    assert 404 == ana.get(address(table, date(2020, 1, 1))).status_code


# --- ticks queued on a phone ------------------------------------------------------------------------------------------


@pytest.fixture
def arrives(table, owner, who, night):
    """`arrives("beto", "ana", 200)` records a tick that was queued on a phone."""

    def one(payer, payee, amount, *, ticked_at, key=None):
        return note_night_tick(
            table, night, who[payer], who[payee], amount, key=key or a_key(), by=owner, ticked_at=ticked_at
        )

    return one


def test_the_same_tick_from_two_offline_phones_is_one_payment(arrives, finished):
    first = arrives("beto", "ana", 200, ticked_at=finished.ended_at)

    assert first == arrives("beto", "ana", 200, ticked_at=finished.ended_at)
    assert 1 == Payment.objects.count()


def test_a_payment_for_a_discarded_game_covers_the_same_debt_of_the_game_that_replaces_it(
    ana, table, owner, play
):
    first = play("ana", "beto")
    ticks.tick(first, Transfer("beto", "ana", 100), after=2, key=a_key(), by=owner)
    services.discard_game(first)
    second = play("ana", "beto")

    assert not any(balances_of(table).values())
    assert [] == due(table)
    assert [] == [line.amount for line in dues_of(second, second.state()).lines]


def test_a_tick_made_before_the_last_game_does_not_cover_that_games_debt(table, owner, play):
    play("ana", "beto")
    settling.tick_night(table, the_night(table), Transfer("beto", "ana", 100), key=a_key(), by=owner)
    last = play("beto", "ana")

    assert [("ana", "beto", 100)] == due(table)
    assert [100] == [line.amount for line in dues_of(last, last.state()).to_tick]


def test_a_tick_for_tonight_leaves_last_weeks_debt_open(table, owner, play, write):
    older = play("ana", "beto", days=7)
    play("ana", "beto")
    settling.tick_night(table, the_night(table), Transfer("beto", "ana", 100), key=a_key(), by=owner)

    assert {"ana": 100, "beto": -100} == {who: net for who, net in balances_of(table).items() if net}
    assert [100] == [line.amount for line in dues_of(older, older.state()).to_tick]


def test_the_accounts_and_the_night_show_the_same_debts_after_a_tick(ana, table, finished, night, owner):
    settling.tick_night(table, night, Transfer("beto", "ana", 200), key=a_key(), by=owner)
    left = [(line.payer.slug, line.payee.slug, line.left) for line in read_accounts(table).to_pay]

    assert due(table) == left
    (payment,) = table.payments.all()
    payments.take_back(payment, by=owner)
    assert ("beto", "ana", 200) in due(table)


@pytest.fixture
def send(ana, table, finished, night):
    """`send()` sends a tick that was queued on Ana's phone: Beto paid Ana 200 that night."""
    ticked = {"payer": "beto", "payee": "ana", "amount": "200", "night": night.isoformat()}

    def post(**changes):
        (answer,) = answers_of(sent(ana, an_entry("payment", table=table.code, **{**ticked, **changes})))
        return answer

    return post


def test_a_queued_tick_is_recorded_once_for_its_night(send, night):
    answers = [send(key="mine") for _time in range(2)]

    assert ["done", "done"] == [answer["status"] for answer in answers]
    (payment,) = Payment.objects.all()
    assert (night, Method.CASH, 200) == (payment.night, payment.method, payment.amount)


def test_a_queued_tick_of_another_amount_than_the_debt_is_refused_with_a_sentence(send):
    answer = send(amount="150")

    sentence = "Not recorded: what Beto owed Ana has changed or was paid. Check who pays whom now."
    assert ("refused", [sentence]) == (answer["status"], answer["sentences"])


def test_a_queued_tick_with_an_invalid_night_is_refused(send):
    assert "refused" == send(night="yesterday")["status"]
    assert 0 == Payment.objects.count()
