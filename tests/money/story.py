"""A table of friends whose money is told in stories: games, expenses and payments on nights in March."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import override

from games.models import Game, Method, Role
from games.money.presenters import explanations
from games.money.presenters.money_history import MoneyHistory
from games.money.services import (
    accounting,
    debt_settlement,
    expense_corrections,
    expenses,
    fewest_payments,
    payments,
    statements,
)
from games.money.services.expenses import Expense
from games.money.services.statements import DateRange
from games.play.services import recording
from games.scoring.events import Corrected, GameStarted
from games.tables.services.roster import People
from tests.factories import (
    build_expense,
    build_round,
    confirm_as_member,
    make_table,
    make_user,
    new_key,
    table_players,
)

FIFTH = datetime(2026, 3, 6, 1, tzinfo=UTC)  # 10 p.m. on Thursday, the 5th
OWN_TOTALS: dict[str, int | str] = {
    "ending": "rounds",
    "rounds": 1,
    "wins": "most",
    "settlement": "own",
    "point_value": 1,
}


class Story:
    """A table of friends who play for euros with cents. The story starts on Thursday the 5th."""

    def __init__(self, owner, time_machine, *names: str) -> None:
        self.owner, self._time = owner, time_machine
        self.table = make_table(owner, people=names)
        self.table.unit, self.table.decimals = "€", 2
        self.table.save()
        self.users: dict[str, User] = {}
        self.at = FIFTH
        time_machine.move_to(self.at)

    def go_to_day(self, day: int) -> None:
        """Continue in the evening of this day of March."""
        self.at = FIFTH + timedelta(days=day - 5)
        self._time.move_to(self.at)

    def _later(self) -> datetime:
        self.at += timedelta(minutes=1)
        self._time.move_to(self.at)
        return self.at

    def member(self, slug: str):
        return self.table.members.get(slug=slug)

    def give_phones(self, *slugs: str) -> None:
        """Confirm a new user as each of these friends, and store it in `users`."""
        for slug in slugs:
            self.users[slug] = make_user(f"user-of-{slug}")
            confirm_as_member(self.users[slug], self.member(slug))

    def game(self, name: str, **nets: int) -> Game:
        """Play a game by points in which the players won or lost these amounts."""
        players = tuple(player for player in table_players(self.table) if player.id in nets)
        start_event = GameStarted("points", tuple({"name": name, **OWN_TOTALS}.items()), players)
        game = recording.start_game(self.table, start_event, key=new_key(), by=self.owner, at=self._later())
        recording.record(game, _totals(nets), after=1, key=new_key(), by=self.owner, at=self._later())
        game.refresh_from_db()
        return game

    def correct(self, game: Game, **nets: int) -> None:
        after, change = game.records.count(), Corrected(2, _totals(nets))
        recording.record(game, change, after=after, key=new_key(), by=self.owner, at=self._later())

    def expense(self, payer: str, amount: int, *sharers: str, note: str = "pizza"):
        expense = build_expense(self.member(payer), amount, [*map(self.member, sharers)], note)
        night = (self.at - timedelta(hours=9)).date()
        return expenses.create(self.table, night, expense, key=new_key(), by=self.owner, at=self._later())

    def content(self, paid: dict[str, int], parts: dict[str, int], note: str = "asado") -> Expense:
        """Return the content of an expense with these payers, shared by these parts."""
        payers, shares = (
            {self.member(slug): number for slug, number in some.items()} for some in (paid, parts)
        )
        amount, people = sum(paid.values()), People.of(self.table)
        borne = expenses.split_by_parts(amount, payers, shares, people)
        return Expense(paid=payers, amount=amount, borne=borne, note=note)

    def share(self, paid: dict[str, int], **parts: int):
        """Record what these people paid tonight for the sharers, by parts."""
        night = (self.at - timedelta(hours=9)).date()
        how = {"key": new_key(), "by": self.owner, "at": self._later()}
        return expenses.create(self.table, night, self.content(paid, parts), **how)

    def propose(self, user: User, paid: dict[str, int], *, note: str = "asado", **parts: int):
        """Let this user propose what these people paid tonight for the sharers, by parts."""
        night, content = (self.at - timedelta(hours=9)).date(), self.content(paid, parts, note)
        how: dict[str, Any] = {"key": new_key(), "by": user, "at": self._later()}
        return expenses.create(self.table, night, content, **how, is_proposal=True)

    def recorrect(self, cost, paid: dict[str, int], *, reason: str = "me equivoqué", **parts: int):
        """Correct an expense to these payers and parts, and return its new version."""
        how = {"key": new_key(), "by": self.owner, "reason": reason, "at": self._later()}
        return expense_corrections.correct(cost, self.content(paid, parts), **how)

    def void(self, cost):
        return expenses.void(cost, by=self.owner, reason="no fue", at=self._later())

    def pay(self, payer: str, payee: str, amount: int, method: Method = Method.CASH):
        ends = self.member(payer), self.member(payee)
        how = {"key": new_key(), "by": self.owner, "role": Role.OWNER, "at": self._later()}
        return payments.create(self.table, *ends, amount, method=method, **how)

    def tick(self, payee: str, **by):
        """Settle the debt to this person."""
        debt = next(
            candidate
            for candidate in accounting.load_accounts(self.table).debts
            if candidate.payee.slug == payee
        )
        ends = debt.payer, debt.payee
        return debt_settlement.settle(self.table, *ends, version=debt.version, claims=debt.claims, **by)

    def turn(self, *, is_on: bool) -> None:
        """Turn *always the fewest payments* on or off."""
        seen = accounting.latest_entry_number(self.table)
        fewest_payments.update(self.table, is_on=is_on, seen=seen, by=self.owner, at=self._later())

    @property
    def balances(self) -> dict[str, int]:
        return dict(accounting.load_accounts(self.table).balances)

    @property
    def debts(self) -> set[tuple[str, str, int]]:
        return {
            (debt.payer.slug, debt.payee.slug, debt.amount)
            for debt in accounting.load_accounts(self.table).debts
        }

    def explanation(self, slug: str):
        people = People.of(self.table)
        member = people.by_slug[slug]
        accounts = accounting.load_accounts(self.table, people)
        history = MoneyHistory.load(member, accounts, self.table)
        with override("es-ar"):
            return explanations.explain(history, accounts, self.table, reader=member)

    def reasons(self, slug: str) -> list[str]:
        return [f"{line.text.split(' · ')[0]} {figure(line.amount)}" for line in self.explanation(slug).lines]

    def why(self, slug: str, reader: str = "") -> dict[str, str]:
        """Return why this person's debts go to their payees, as the reader is told: by `debtor>creditor`."""
        people = People.of(self.table)
        accounts = accounting.load_accounts(self.table, people)
        with override("es-ar"):
            history = MoneyHistory.load(people.by_slug[slug], accounts, self.table)
            sentences = history.payee_sentences(people.by_slug.get(reader))
        return {">".join(ends): bare(sentence.text) for ends, sentence in sentences.items()}

    def payment_sentences(self, slug: str) -> list[str]:
        return [figure(sentence) for sentence in self.explanation(slug).sentences]

    def sums(self, slug: str, time: DateRange):
        people = People.of(self.table)
        member = people.by_slug[slug]
        sums = statements.load_totals(member, people, time)
        return {name: value for name in vars(sums) if (value := getattr(sums, name))} | {"after": sums.after}


def bare(text: str) -> str:
    """Return the text without the marks that isolate names."""
    return text.replace("\u2068", "").replace("\u2069", "")


def figure(text: str) -> str:
    return text.replace("€\xa0", "")


def _totals(nets):
    return build_round(None, closing="played", **nets)
