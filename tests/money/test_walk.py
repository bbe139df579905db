"""Random weeks at a table, compared with a treasurer's own books: every amount agrees wherever it is read."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from django.urls import reverse

from games.common import days
from games.files.presenters import spreadsheets
from games.files.services import audit, file_writer
from games.models import ExpenseState, Game, Member, Method, Payment, Role
from games.money.services import (
    accounting,
    cash_settlement,
    debt_settlement,
    expense_corrections,
    expenses,
    fewest_payments,
    member_merges,
    payments,
    proposals,
)
from games.money.services.expenses import Expense
from games.play.services import recording
from games.scoring.events import Corrected
from games.scoring.ledger import Transfer
from games.scoring.shares import expense_nets
from games.tables.services import roster
from games.tables.services.roster import People
from tests.factories import confirm_as_member, make_table, make_user, new_key, winning_round
from tests.money.conftest import THURSDAY
from tests.money.treasurer import TreasurerBooks, TreasurerGame
from tests.reader import Node, debt_rows, open_page, parse_whole_number
from tests.scoring.test_debts import ORDER

pytestmark = pytest.mark.django_db

NAMES = {slug.capitalize(): slug for slug in ORDER}
MOST_UNDER_WAY = 5  # games whose end was undone; a table has room for few more
PHONES = ("beto", "caro")  # members with phones at the table; the owner is not a member


@pytest.fixture
def table(owner):
    return make_table(owner, people=tuple(NAMES))


class Walk:
    """The people at a table, the treasurer's books, and the moves that change both."""

    def __init__(self, chance: random.Random, table, owner, win_game, client_for) -> None:
        self.chance, self.table, self.owner, self.won = chance, table, owner, win_game
        self.members = {member.slug: member for member in table.members.all()}
        self.users = {slug: make_user(f"user-of-{slug}") for slug in PHONES}
        for slug, user in self.users.items():
            confirm_as_member(user, self.members[slug])
        self.phones = {slug: client_for(user) for slug, user in {**self.users, "": owner}.items()}
        self.books = TreasurerBooks()
        self.people = self.books.people
        self.disputed: dict[int, Transfer] = {}
        self.at, self.last_move = THURSDAY, ""
        self.previous_reasons: dict[str, list[Any]] = {}  # everybody's reasons after the previous step

    @property
    def night(self) -> date:
        return days.night_for(self.at, self.table)

    def by(self, slug: str = "") -> dict[str, Any]:
        """Return a member with a phone, by default the owner, as the arguments of a service."""
        user, role = (self.users[slug], Role.WITNESS) if slug else (self.owner, Role.OWNER)
        return {"by": user, "role": role}

    # --- games --------------------------------------------------------------------------------------------------------

    def play(self) -> None:
        if sum(not game.outcomes for game in self.books.games.values()) > MOST_UNDER_WAY:
            return
        players = self.chance.sample(
            [slug for slug in self.people if slug != "gabi"], self.chance.randint(2, 5)
        )
        stake = self.chance.choice((100, 250, 1000))
        game = self.won(players[0], stake, *players[1:], at=self.at)
        book_game = self.books.games[game.pk] = TreasurerGame(self.night.toordinal(), stake, [tuple(players)])
        self.books.update_game(book_game, {})

    def pick_game(self, is_fit: Callable[[TreasurerGame], bool]) -> Iterator[tuple[Game, TreasurerGame]]:
        """Yield one of the newest games that fit, if there is one. Afterwards, enter its change in the books."""
        fit = [number for number, game in self.books.games.items() if is_fit(game)]
        if fit:
            number = self.chance.choice(fit[-4:])
            book_game = self.books.games[number]
            old = book_game.nets
            yield Game.objects.select_related("table").get(pk=number), book_game
            self.books.update_game(book_game, old)

    def write(self, record: Callable[..., object], game: Game, *events: object) -> None:
        record(game, *events, after=game.records.count(), key=new_key(), by=self.owner)

    def correct(self) -> None:
        """Correct the game: another player won it."""
        for game, book_game in self.pick_game(lambda book_game: book_game.counts):
            winner, *losers = book_game.outcomes[-1]
            book_game.outcomes.append((losers[-1], winner, *losers[:-1]))
            book_game.undone.clear()
            self.write(recording.record, game, Corrected(2, winning_round(*book_game.outcomes[-1])))

    def undo(self) -> None:
        for game, book_game in self.pick_game(lambda book_game: book_game.counts):
            book_game.undone.append(book_game.outcomes.pop())
            self.write(recording.undo, game)

    def redo(self) -> None:
        for game, book_game in self.pick_game(
            lambda book_game: bool(book_game.undone) and not book_game.is_discarded
        ):
            book_game.outcomes.append(book_game.undone.pop())
            self.write(recording.redo, game)

    def discard(self) -> None:
        for game, book_game in self.pick_game(lambda book_game: book_game.counts):
            book_game.is_discarded = True
            recording.discard_game(game)

    def restore(self) -> None:
        for game, book_game in self.pick_game(lambda book_game: book_game.is_discarded):
            book_game.is_discarded = False
            recording.restore_game(game)

    def toggle_spot_payment(self) -> None:
        for game, book_game in self.pick_game(lambda book_game: book_game.counts):
            (cash_settlement.mark_paid if book_game.spot_nets is None else cash_settlement.unmark_paid)(
                game, by=self.owner
            )
            book_game.spot_nets = book_game.winnings if book_game.spot_nets is None else None

    # --- payments -----------------------------------------------------------------------------------------------------

    def tick(self) -> None:
        if not self.books.debts:
            return
        seen = self.chance.choice(accounting.load_accounts(self.table).debts)
        payer, payee = seen.payer.slug, seen.payee.slug
        claims = [
            number
            for number, claim in self.books.claims.items()
            if (claim.payer, claim.payee) == (payer, payee)
        ]
        is_own = payer in PHONES and not claims and self.chance.random() < 0.5
        who = payee if claims else payer if is_own else ""
        how = {"version": seen.version, "claims": seen.claims, **self.by(who)}
        self.enter_payment(debt_settlement.settle(self.table, seen.payer, seen.payee, **how))

    def pay(self) -> None:
        payer, payee = self.chance.sample(self.people, 2)
        is_own = payer in PHONES and self.chance.random() < 0.6
        is_forgiven = not is_own and payee not in PHONES and self.chance.random() < 0.3
        method = Method.FORGIVEN if is_forgiven else Method.CASH
        made = (self.members[payer], self.members[payee], self.chance.choice((70, 100, 1000)))
        how = self.by(payer if is_own else "")
        self.enter_payment(payments.create(self.table, *made, method=method, key=new_key(), **how))

    def current_slug(self, member: Member) -> str:
        return member.slug if member.slug in self.people else "eva"

    def enter_payment(self, payment: Payment) -> None:
        """Enter a payment's present state in the books."""
        made = Transfer(self.current_slug(payment.payer), self.current_slug(payment.payee), payment.amount)
        was_claim = self.books.claims.pop(payment.pk, None) is not None
        self.disputed.pop(payment.pk, None)
        if payment.counts:
            nets = {made.payer: made.amount, made.payee: -made.amount}
            night = days.night_for(payment.made_at, self.table).toordinal()
            self.books.payments[payment.pk] = self.books.add_entry(nets, night)
        elif payment.ended_at is None:
            waiting = self.disputed if payment.disputed_at else self.books.claims
            waiting[payment.pk] = made
        elif was_claim:
            self.books.settle_fewest(self.night.toordinal())

    def answer(self) -> None:
        """Answer an unconfirmed or disputed payment, as its payee or as the owner."""
        waiting = {**self.books.claims, **self.disputed}
        if waiting:
            number = self.chance.choice(sorted(waiting))
            payment = Payment.objects.get(pk=number)
            slug = self.chance.choice(("", waiting[number].payee))
            if slug and number in self.books.claims and self.chance.random() < 0.4:
                self.enter_payment(payments.dispute(payment, by=self.users[slug]))
            else:
                self.enter_payment(payments.confirm(payment, **self.by(slug)))

    def unconfirm(self) -> None:
        """Undo the newest confirmation that the owner made tonight."""
        for number in reversed(self.books.payments):
            payment = Payment.objects.get(pk=number)
            if payments.can_undo_confirmation(payment, self.owner):
                payments.undo_confirmation(payment, by=self.owner)
                entry = self.books.payments.pop(number)
                self.enter_payment(payment)
                self.books.void_entry(entry)
                break

    def dispute(self) -> None:
        numbers = [number for number, entry in self.books.payments.items() if entry.people[1] in PHONES]
        if numbers:
            number = self.chance.choice(numbers)
            entry = self.books.payments.pop(number)
            payments.dispute(Payment.objects.get(pk=number), by=self.users[entry.people[1]])
            self.books.void_entry(entry)
            self.enter_payment(Payment.objects.get(pk=number))

    def take_back(self) -> None:
        if self.books.payments:
            number = self.chance.choice(list(self.books.payments)[-5:])
            payments.void(Payment.objects.get(pk=number), **self.by(), reason="no fue")
            self.books.void_entry(self.books.payments.pop(number))

    # --- costs, and the whole table -----------------------------------------------------------------------------------

    def share(self) -> None:
        payer, *others = self.chance.sample(self.people, self.chance.randint(2, 4))
        is_forgiven = self.chance.random() < 0.3
        sharers = others if is_forgiven or self.chance.random() < 0.5 else [payer, *others]
        part = self.chance.choice((30, 100))
        borne = {self.members[slug]: part for slug in sharers}
        expense = Expense(
            paid={self.members[payer]: part * len(sharers)},
            amount=part * len(sharers),
            borne=borne,
            note="pizza",
            is_forgiven=is_forgiven,
        )
        cost = expenses.create(self.table, self.night, expense, key=new_key(), by=self.owner)
        nets = {payer: cost.amount, **dict.fromkeys(others, 0)}
        for slug in sharers:
            nets[slug] -= part
        self.books.enter_expense(cost.pk, nets, self.night.toordinal())

    def _build_shared(self) -> tuple[Expense, dict[str, int]]:
        """Return an expense of two payers, one of them with a phone, and what it moves."""
        first = self.chance.choice(PHONES)
        second, *sharers = self.chance.sample([slug for slug in self.people if slug != first], 4)
        paid, part = {first: 90, second: 30 * len(sharers) - 90 + 60}, 30
        borne = {**dict.fromkeys(sharers, part), first: 60}
        nets = {**paid, **dict.fromkeys(sharers, 0)}
        for slug, amount in borne.items():
            nets[slug] -= amount
        payers, bearing = ({self.members[slug]: sum for slug, sum in some.items()} for some in (paid, borne))
        return Expense(paid=payers, amount=sum(paid.values()), borne=bearing, note="asado"), nets

    def propose(self) -> None:
        """Let a member propose an expense that several paid, or answer one that waits."""
        waiting = [cost for cost in self.table.costs.all() if cost.state is ExpenseState.WAITS]
        if not waiting or self.chance.random() < 0.4:
            expense, _nets = self._build_shared()
            by = self.users[expense_phone(expense)]
            expenses.create(self.table, self.night, expense, key=new_key(), by=by, is_proposal=True)
            return
        cost = self.chance.choice(waiting)
        if self.chance.random() < 0.3:
            proposals.refuse(cost, by=self.owner)
            return
        proposals.accept(cost, by=self.owner)
        nets = roster.sum_by_current_member(
            expense_nets(cost.paid_by_slug, cost.borne), People.of(self.table).slugs
        )
        self.books.enter_expense(cost.pk, dict(nets), cost.night.toordinal())

    def amend(self) -> None:
        """Correct an expense that no forgiving is, to one that several paid."""
        costs = expenses.load_current([*self.books.costs][-4:], self.table)
        fit = [number for number, cost in costs.items() if not cost.is_forgiven]
        if fit:
            number = self.chance.choice(fit)
            expense, nets = self._build_shared()
            how: dict[str, Any] = {"key": new_key(), "by": self.owner, "reason": "era otra cosa"}
            expense_corrections.correct(costs[number], expense, **how)
            self.books.correct_expense(number, nets)

    def cancel(self) -> None:
        if self.books.costs:
            number = self.chance.choice(list(self.books.costs)[-3:])
            cost = expenses.load_current([number], self.table)[number]
            expenses.void(cost, by=self.owner, reason="no fue")
            self.books.void_expense(number)

    def turn(self) -> None:
        """Turn *always the fewest payments* on or off."""
        self.books.is_fewest = not self.books.is_fewest
        seen = accounting.latest_entry_number(self.table)
        fewest_payments.update(self.table, is_on=self.books.is_fewest, seen=seen, by=self.owner)
        self.books.settle_fewest(self.night.toordinal())

    def sleep(self) -> None:
        self.at += timedelta(days=self.chance.choice((1, 7)))

    def merge(self) -> None:
        """Merge Gabi, who never played, into Eva."""
        gabi, eva = self.members["gabi"], self.members["eva"]
        member_merges.merge(gabi, eva, seen=member_merges.preview(gabi, eva).digest, by=self.owner)
        self.people.remove("gabi")
        self.books.merge("gabi", "eva")
        self.books.settle_fewest(self.night.toordinal())

    def step(self) -> None:
        move = self.chance.choice(
            [self.play] * 5 + [self.tick] * 5 + [self.pay, self.answer, self.sleep, self.correct] * 3
            + [self.undo, self.redo, self.toggle_spot_payment, self.share, self.take_back] * 2
            + [self.discard, self.restore, self.unconfirm, self.dispute, self.cancel, self.turn]
            + [self.propose, self.amend] * 2
        )  # fmt: skip
        self.last_move = move.__name__
        move()

    # --- what is read -------------------------------------------------------------------------------------------------

    def page(self, name: str, *args: object, phone: str = "") -> Node:
        return open_page(self.phones[phone], reverse(name, args=args))

    def check(self) -> None:
        """Compare the accounts page, its text, a person's page, the API and the file with the books."""
        expected = {(debt.payer, debt.payee): debt.amount for debt in self.books.debts}
        balances = {slug: self.books.balances.get(slug, 0) for slug in self.people}
        page = self.page("accounts", self.table.code)
        assert expected == _rows(page), self.last_move
        message = page.only("textarea", id="message").text
        message_debts = re.findall(r"(?<!✓ )\b(\w+) → (\w+): \$ ([\d.,]+)", message)
        assert expected == {
            (NAMES[slug], NAMES[other]): parse_whole_number(amount) for slug, other, amount in message_debts
        }
        answer = self.phones[""].get(reverse("api-accounts", args=[self.table.code])).json()
        assert (expected, balances) == (
            {(debt["payer"], debt["payee"]): debt["amount"] for debt in answer["debts"]},
            answer["balances"],
        )
        self.check_reasons(answer["reasons"], answer["earlier"], balances)
        if self.chance.random() < 1 / 3:
            self.check_entries(balances)
            self.check_person(self.chance.choice(self.people), expected)
            self.check_home(self.chance.choice(PHONES), expected)
            file = json.loads(file_writer.write_table(self.table))
            assert expected == {(debt["debtor"], debt["creditor"]): debt["amount"] for debt in file["debts"]}

    def check_reasons(
        self, reasons: dict[str, list[Any]], earlier: dict[str, int], balances: dict[str, int]
    ) -> None:
        """Check that reasons add up, each is its cause's own effect, and no entry of others changes them."""
        for slug, member_reasons in reasons.items():
            amount = earlier.get(slug, 0) + sum(reason["amount"] for reason in member_reasons)
            assert balances[slug] == amount, (self.last_move, slug)
            for reason in member_reasons:
                assert reason["is_rest"] or reason["amount"] == self.expected_effect(reason["cause"], slug), (
                    reason
                )
            before = self.previous_reasons.get(slug, [])
            if self.last_move != "merge" and balances[slug] == sum(reason["amount"] for reason in before):
                assert _figures(before) == _figures(member_reasons), (self.last_move, slug)
        self.previous_reasons = reasons

    def expected_effect(self, cause: str, slug: str) -> int:
        """Return the amount that a cause moved for this person by the treasurer's books."""
        kind, number = cause.split("/")
        if kind == "game":
            return self.books.games[int(number)].nets.get(slug, 0)
        payments, costs = self.books.payments, self.books.costs
        return (payments[int(number)] if kind == "payment" else costs[int(number)]).nets.get(slug, 0)

    def check_entries(self, balances: dict[str, int]) -> None:
        """Check that each entry's rows of the file add up to 0, and each person's to a balance."""
        _heading, *rows = (list(row) for row in spreadsheets.entry_rows(self.table))
        of_entries, of_people = Counter[Any](), Counter[Any]()
        for *cells, name, amount in rows:
            of_entries[tuple(cells)] += int(str(amount))
            of_people[name] += int(str(amount))
        assert {0} >= {*of_entries.values()}, self.last_move
        assert {slug: amount for slug, amount in balances.items() if amount} == {
            NAMES[name]: amount for name, amount in of_people.items() if amount
        }

    def check_person(self, slug: str, expected: dict[tuple[str, str], int]) -> None:
        page = self.page("account", self.table.code, slug)
        member_debts = {ends: amount for ends, amount in expected.items() if slug in ends}
        assert member_debts == _rows(page)
        amounts = [
            parse_whole_number(tile.every("b", "span", class_="figure")[0].text)
            for tile in page.only(id="entries").every("p", class_="line")
        ]
        amounts += [
            parse_whole_number(cell.every("b")[0].text)
            for cell in page.only(id="entries").every(class_="moved")
        ]
        assert self.books.balances.get(slug, 0) == sum(amounts), (self.last_move, slug)

    def check_home(self, slug: str, expected: dict[tuple[str, str], int]) -> None:
        """Check that the debts on a person's first page are in the list, except those they claim to have
        paid.
        """
        text = self.page("home", phone=slug).only("main").text
        claimed = {(claim.payer, claim.payee) for claim in self.books.claims.values()}
        for (payer, payee), amount in expected.items():
            if payer == slug and (payer, payee) not in claimed:
                assert f"You owe {payee.capitalize()} ${amount:,}" in text, (self.last_move, text)


def expense_phone(expense: Expense) -> str:
    """Return the payer who has a phone."""
    return next(payer.slug for payer in expense.paid if payer.slug in PHONES)


def _figures(reasons: list[Any]) -> list[tuple[str, int]]:
    return [(reason["cause"], reason["amount"]) for reason in reasons]


def _rows(page: Node) -> dict[tuple[str, str], int]:
    """Return the unpaid debts that a page shows."""
    rows = (re.match(r"(\w+) → (\w+) (.+)", row) for row in debt_rows(page))
    return {(NAMES[row[1]], NAMES[row[2]]): parse_whole_number(row[3]) for row in rows if row}


# In the walk of 112 steps a debt is paid and, by the fewest payments, owed anew with the same amount.
STEPS = [
    25,
    *(pytest.param(steps, marks=pytest.mark.long) for steps in (60, 112, 300, 1000)),
]


@pytest.mark.parametrize("steps", STEPS)
def test_everything_that_is_read_agrees_with_the_books_of_a_treasurer(
    table, owner, win_game, client_for, time_machine, monkeypatch, steps
):
    monkeypatch.setattr("games.money.presenters.debt_list.MAX_UNFOLDED", 100)  # a long list has its own tests
    time_machine.move_to(THURSDAY)
    walk = Walk(random.Random(steps), table, owner, win_game, client_for)
    for step in range(steps):
        walk.at += timedelta(minutes=1)
        time_machine.move_to(walk.at)
        if step == steps // 2:
            walk.last_move = "merge"
            walk.merge()
        else:
            walk.step()
        walk.check()

    assert [] == [str(difference) for difference in audit.check_table(table).differences]
    assert accounting.latest_entry_number(table) == table.entries.count()
