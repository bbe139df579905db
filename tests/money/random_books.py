"""Random books: the ledger of a table without a database, with many acts one after another."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from games.models import Entry, EntryKind, Game, Member, Payment, SharedCost, Table
from games.money.services import entry_rows
from games.money.services.accounting import OwedDebt
from games.money.services.balance_causes import BalancePart
from games.money.services.entry_history import EntryHistory, LedgerRow
from games.money.services.ledgers import Ledger
from games.scoring.debts import Debts
from games.scoring.ledger import Transfer
from games.tables.services.roster import People

FIRST_NIGHT = date(2026, 3, 5)
VOIDED_AT = datetime(2026, 3, 6, tzinfo=UTC)


class BookLedger(Ledger):
    """A ledger whose entries stay in memory. Each act is closed as if it were stored."""

    def __init__(self, table: Table, people: People, *, is_fewest: bool) -> None:
        super().__init__(table, at=datetime(2026, 3, 5, 23, tzinfo=UTC), people=people)
        self.is_fewest = is_fewest
        self.stored: list[Entry] = []

    def _load(self) -> None:
        """Begin without debts."""

    def _latest_stored_night(self) -> date | None:
        return max((entry.night for entry in self.stored), default=None)

    def close(self) -> list[Entry]:
        """End an act: return its entries, which later acts find as stored ones."""
        self.finish()
        entries, self._entries = self._entries, []
        for entry in entries:
            self.stored.append(entry)
            cause = entry_rows.entry_cause(entry)
            if cause is not None:
                self._entries_by_cause.setdefault(cause, []).append(entry)
        self._last_alteration = max((row.version for row in self._debt_rows.values()), default=0)
        return entries

    @property
    def claims(self) -> list[Transfer]:
        return self._claims

    @property
    def first_nights(self) -> dict[str, int]:
        return self._first_nights


@dataclass
class Act:
    """One act: the debts before and after it, and its entries."""

    before: Debts
    after: Debts
    entries: list[Entry]


class Books:
    """A table of five to eight people whose history is random. `balances` are added up beside the ledger."""

    def __init__(self, chance: random.Random, monkeypatch: Any, *, is_fewest: bool) -> None:
        monkeypatch.setattr(
            "games.money.services.accounting.load_setting_and_version", lambda _table: (False, 0)
        )
        self.chance, names = (
            chance,
            ["ana", "beto", "caro", "dani", "eva", "fede", "gabi", "hugo"][: chance.randint(5, 8)],
        )
        self.table = Table(pk=1, timezone="UTC", language="es-ar", identity="x")
        members = [
            Member(pk=pk, slug=name, name=name.capitalize(), table=self.table, colour=1)
            for pk, name in enumerate(names, start=1)
        ]
        self.people, self.slugs = People(tuple(members)), names
        self.ledger = BookLedger(self.table, self.people, is_fewest=is_fewest)
        self.balances: Counter[str] = Counter()
        self.night, self._pk = FIRST_NIGHT, 0
        self.games: list[tuple[Game, dict[str, int]]] = []
        self.rows: list[Payment | SharedCost] = []
        self.proposals: list[SharedCost] = []

    # --- acts ---------------------------------------------------------------------------------------------------------

    def step(self) -> Act:
        before = self.ledger.debts
        self.chance.choice(
            [self.play] * 4
            + [self.share, self.pay, self.correct, self.void, self.sleep, self.amend, self.answer]
        )()
        return Act(before, self.ledger.debts, self.ledger.close())

    def sleep(self) -> None:
        self.night += timedelta(days=7)

    def _next_pk(self) -> int:
        self._pk += 1
        return self._pk

    def _nets(self, players: list[str]) -> dict[str, int]:
        losses = {slug: -self.chance.choice((0, 100, 150, 400)) for slug in players[1:]}
        return {players[0]: -sum(losses.values()), **losses}

    def _some(self, least: int) -> list[str]:
        return self.chance.sample(self.slugs, self.chance.randint(least, min(5, len(self.slugs))))

    def play(self) -> None:
        nets, game = self._nets(self._some(2)), Game(pk=self._next_pk(), night_number=self.night.toordinal())
        self._change(game, {}, nets)
        self.games.append((game, nets))
        self.ledger.include_unsaved([(slug, game.night_number) for slug in nets], [])

    def correct(self) -> None:
        """Correct a game, or undo its end."""
        if self.games:
            place = self.chance.randrange(max(0, len(self.games) - 3), len(self.games))
            game, old = self.games[place]
            players = self.chance.sample(sorted(old), len(old))
            new = self._nets(players) if players and self.chance.random() < 0.6 else {}
            self._change(game, old, new)
            self.games[place] = game, new or dict.fromkeys(old, 0)

    def _change(self, game: Game, old: Mapping[str, int], new: Mapping[str, int]) -> None:
        kind = EntryKind.CORRECTED if old else EntryKind.ENDED
        self.ledger.change_game(game, kind, new)
        self.balances.update(new)
        self.balances.subtract(old)

    def share(self) -> None:
        """Enter an expense of one or two payers, or propose one."""
        cost = self.build_expense()
        cost.is_proposal = self.chance.random() < 0.3
        if cost.is_proposal:
            self.ledger.change(cost)
            self.proposals.append(cost)
        else:
            self._enter(cost)

    def build_expense(self, chance: random.Random | None = None) -> SharedCost:
        """Return an expense of random people that counts."""
        chance = chance or self.chance
        first, second, *others = chance.sample(self.slugs, chance.randint(3, 5))
        sharers, part = chance.choice(([second, *others], [first, *others], others)), chance.choice((30, 100))
        amount = part * len(sharers)
        several = {first: amount - 10, second: 10} if chance.random() < 0.5 else {}
        cost = SharedCost(pk=self._next_pk(), night=self.night, amount=amount, paid=several)
        cost.payer, cost.borne = self.people.by_slug[first], dict.fromkeys(sharers, part)
        return cost

    def amend(self) -> None:
        """Correct an expense, or put back what it was corrected from."""
        costs = [row for row in self.rows if isinstance(row, SharedCost)]
        if costs:
            cost = self.chance.choice(costs[-3:])
            former = cost.replaces
            if former is not None and self.chance.random() < 0.3:
                self.replace(cost, former)
            else:
                self.replace(cost, self.build_expense())

    def replace(self, cost: SharedCost, by: SharedCost) -> None:
        """Enter another version of an expense in place of this one."""
        by.replaced_at = None
        if by.pk != cost.first_pk and by.first is None:
            by.first, by.replaces, by.night = cost.first or cost, cost, cost.night
        cost.replaced_at = VOIDED_AT
        self._move(cost, sign=-1)
        self.ledger.change(by)
        self._move(by)
        self.rows[self.rows.index(cost)] = by

    def answer(self) -> None:
        """Accept a proposal, or undo that."""
        accepted = [row for row in self.rows if isinstance(row, SharedCost) and row.accepted_at]
        if accepted and self.chance.random() < 0.3:
            cost = self.chance.choice(accepted)
            cost.accepted_at = None
            self.rows.remove(cost)
            self.proposals.append(cost)
            self._enter(cost, sign=-1)
        elif self.proposals:
            cost = self.proposals.pop()
            cost.accepted_at = VOIDED_AT
            self._enter(cost)

    def pay(self) -> None:
        if self.ledger.debts and self.chance.random() < 0.8:
            debt = self.chance.choice(self.ledger.debts)
            payer, payee = debt.payer, debt.payee
            amount = self.chance.choice((debt.amount, debt.amount // 2 or 1))
        else:
            payer, payee, amount = *self._some(2)[:2], 70
        payment = Payment(pk=self._next_pk(), amount=amount, paid_on=self.night)
        payment.payer, payment.payee = self.people.by_slug[payer], self.people.by_slug[payee]
        self._enter(payment)

    def _enter(self, row: Payment | SharedCost, sign: int = 1) -> None:
        self.ledger.change(row)
        self._move(row, sign)
        if sign == 1:
            self.rows.append(row)

    def _move(self, row: Payment | SharedCost, sign: int = 1) -> None:
        paid = row.paid_by_slug if isinstance(row, SharedCost) else {row.payer.slug: row.amount}
        moved = row.borne if isinstance(row, SharedCost) else {row.payee.slug: row.amount}
        for slug, amount in paid.items():
            self.balances[slug] += sign * amount
        for slug, amount in moved.items():
            self.balances[slug] -= sign * amount

    def void(self) -> None:
        if self.rows:
            row = self.rows.pop(self.chance.randrange(max(0, len(self.rows) - 3), len(self.rows)))
            row.ended_at = VOIDED_AT
            self._enter(row, sign=-1)

    # --- what is read -------------------------------------------------------------------------------------------------

    @property
    def debts(self) -> list[OwedDebt]:
        member = self.people.by_slug
        return [
            OwedDebt(member[debt.payer], member[debt.payee], debt.amount, 0) for debt in self.ledger.debts
        ]

    @property
    def ledger_rows(self) -> list[LedgerRow]:
        return [
            LedgerRow(
                entry.number,
                entry.night,
                entry_rows.entry_cause(entry) if any(entry.differences.values()) else None,
                BalancePart.GAME,
                entry.differences,
                json.dumps(entry.before),
                json.dumps(entry.after),
            )
            for entry in self.ledger.stored
        ]

    @property
    def history(self) -> EntryHistory:
        return EntryHistory(self.ledger_rows, self.people)

    def merge_two(self) -> People:
        """Return the people as they would be if two random ones were merged. The ledger does not change."""
        gone, into = self.chance.sample(self.people.members, 2)
        members = [copy(member) for member in self.people.members]
        for member in members:
            if member.pk == gone.pk:
                member.merged_into_id = into.pk
        return People(tuple(members))
