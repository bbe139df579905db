"""A year of Thursdays: few debts stand, they add up, and nobody's debts change through what others do."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from games.money import payments
from games.money.balances import Owed, balances_of, read_accounts
from games.money.merging import merge, preview_merge, unmerge
from games.money.simplifying import simplified
from games.notebook.books.audit import check_table
from games.people.members import add_member
from games.play import recording
from games.scoring.events import Corrected
from games.scoring.ledger import transfers
from tests.tables import a_key, loba, make_table, make_user, seated, won_by

pytestmark = pytest.mark.django_db

PEOPLE = ("Ana", "Beto", "Caro", "Dani", "Eva", "Fede", "Gabi", "Hugo")
FIRST_THURSDAY = datetime(2025, 11, 21, 1, tzinfo=UTC)  # ten in the evening of the 20th in Buenos Aires
NIGHTS = 40


class Year:
    """Thursdays of three to six of eight people, and now and then a guest who comes once."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.owner = make_user("olga")
        self.table = make_table(self.owner, people=PEOPLE)
        self.at = FIRST_THURSDAY
        self.guests: list[str] = []
        self.stand: list[int] = []  # after each night: how many debts stand
        self.fewest: list[int] = []  # and how many the fewest payments would be

    def live(self, nights: int) -> None:
        for number in range(nights):
            self.spend(number)
            accounts = read_accounts(self.table)
            self.stand.append(len(accounts.to_pay))
            self.fewest.append(len(transfers(balances_of(self.table))))
            self.at += timedelta(days=7)

    def spend(self, number: int) -> None:
        """Play one to three games, correct one in seven, and pay three quarters of what those present owe."""
        here = self.chance.sample([name.lower() for name in PEOPLE], self.chance.randint(3, 6))
        if number % 8 == 5:
            here.append(add_member(self.table, f"Visita {number}").slug)
            self.guests.append(here[-1])
        for _game in range(self.chance.randint(1, 3)):
            self.play(here)
        for debt in read_accounts(self.table).to_pay:
            if {debt.payer.slug, debt.payee.slug} <= set(here) and self.chance.random() < 0.75:
                self.tick(debt)

    def play(self, here: list[str]) -> None:
        winner, *losers = self.chance.sample(here, len(here))
        self.at += timedelta(minutes=20)
        players = tuple(player for player in seated(self.table) if player.id in here)
        begun = replace(
            loba(self.table, stake=self.chance.choice((100, 250, 1000)), packs=3), players=players
        )
        game = recording.start_game(self.table, begun, key=a_key(), by=self.owner, at=self.at)
        self.moves(here, lambda: self.record(game, 1, won_by(winner, *losers)))
        if self.chance.random() < 1 / 7:
            right, *others = self.chance.sample(here, len(here))
            corrected = Corrected(2, won_by(right, *others))
            self.moves(here, lambda: self.record(game, 2, corrected))

    def record(self, game, after, event) -> None:
        recording.record(game, event, after=after, key=a_key(), by=self.owner, at=self.at)

    def tick(self, debt: Owed) -> None:
        self.moves(
            [debt.payer.slug, debt.payee.slug],
            lambda: payments.tick(
                self.table, debt.payer, debt.payee, version=debt.version, claims=0, by=self.owner, at=self.at
            ),
        )

    def moves(self, people: list[str], act: Callable[[], object]) -> None:
        """Do this, and assert that only debts among these people changed."""
        before = self.debts()
        act()
        assert all({payer, payee} <= set(people) for payer, payee, _amount in before ^ self.debts())

    def debts(self) -> set[tuple[str, str, int]]:
        return {(one.payer.slug, one.payee.slug, one.amount) for one in read_accounts(self.table).to_pay}


@pytest.mark.slow
def test_in_a_year_few_debts_stand_and_each_changes_only_through_its_own_people():
    year = Year(seed=23)
    year.live(NIGHTS)
    stand, fewest = sum(year.stand) / NIGHTS, sum(year.fewest) / NIGHTS

    assert [] == check_table(year.table).differences
    assert stand <= 1.5 * fewest, f"{stand:.2f} debts stand, {fewest:.2f} would be enough"
    assert simplified(year.table).saves <= year.stand[-1] - year.fewest[-1]
    member, into = (year.table.members.get(slug=slug) for slug in year.guests[:2])
    before = year.debts()
    merge(member, into, seen=preview_merge(member, into).seen, by=year.owner)
    unmerge(member, by=year.owner)
    assert before == year.debts()
    print(f"{stand:.2f} debts stand, {fewest:.2f} would be enough; at most {max(year.stand)}")
