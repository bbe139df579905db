"""A table's journal, read by hledger: it is valid and has the accounts page's balances."""

from __future__ import annotations

import csv
import os
import random
import shutil
import subprocess
from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from django.utils.translation import override

from games.models import Method, Payment
from games.money.balances import balances_of, to_settle
from games.money.costs import CostWords, cancel_cost, share_cost
from games.money.payments import cancel, pay
from games.notebook.carrying import NewTable, carry_over, preview_carry_over
from games.play import recording as services
from games.shown.notebook.journal import write_journal
from tests.full_tables import FullTable, fill
from tests.tables import a_key, a_round, make_table, make_user, start

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture(scope="session")
def hledger(tmp_path_factory):
    """`hledger(journal, "check")` runs hledger on a journal and returns its output; hledger must succeed."""
    program = shutil.which("hledger")
    if program is None:
        if os.environ.get("REQUIRE_HLEDGER") == "1":
            pytest.fail("hledger is not installed")
        pytest.skip("hledger is not installed")
    file = tmp_path_factory.mktemp("journal") / "table.journal"

    def run(journal: str, *command: str) -> str:
        file.write_text(journal, encoding="utf-8")
        environment = {"LANG": "C.UTF-8", "PATH": os.environ["PATH"]}
        done = subprocess.run(
            [program, "--file", file, *command], capture_output=True, text=True, encoding="utf-8", env=environment, check=False
        )  # fmt: skip
        assert (0, "") == (done.returncode, done.stderr)
        return done.stdout

    return run


def balances_by(hledger, journal, table):
    """Return the balances that hledger computes, in the table's smallest unit."""
    written = hledger(journal, "balance", "--empty", "--flat", "--no-total", "--output-format", "csv")
    rows = list(csv.reader(written.splitlines()))[1:]
    return {
        account.removeprefix("members:"): int(
            Decimal(amount.replace(table.unit, "").replace('"', "")) * 10**table.decimals
        )
        for account, amount in rows
    }


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2, 3))])
def test_hledger_accepts_the_journal_and_computes_the_balances_of_the_accounts(hledger, seed):
    table = fill(FullTable(random.Random(seed), make_user(), decimals=seed % 4))
    journal = write_journal(table)
    hledger(journal, "check", "--strict")
    balances = balances_by(hledger, journal, table)
    assert any(balances.values())
    assert balances_of(table) == balances


UNITS = ("$", "fichas", "US$", "porotos; 3", "a b", "%", "0", "@", "=")
NAMES = ("O'Brien; x", "date:2020-99-99", "[2020/99/99]", "Ana  María", "type:Z", "|", "👨‍👩‍👧", "=x", "Zoe")


@pytest.mark.parametrize(("unit", "name"), list(zip(UNITS, NAMES, strict=True)))
def test_hledger_accepts_unusual_names_and_units(hledger, unit, name):
    owner = make_user()
    table = make_table(owner, people=(name, "Beto"), name="Mesa ; date:x")
    table.unit = unit
    table.save(update_fields=["unit"])
    one, beto = table.members.all()
    game = start(table, owner, stake=100, reentries=0)
    services.record(game, a_round(one.slug, beto=120), after=1, key=a_key(), by=owner)
    pay(table, beto, one, 30, method=Method.CASH, key=a_key(), by=owner, note="date: mañana [2020/99/99]; x")
    journal = write_journal(table)
    hledger(journal, "check", "--strict")
    assert f"members:{one.slug}  0 " in journal


def test_a_cancelled_payment_is_a_comment_in_the_journal(hledger):
    owner = make_user()
    table = make_table(owner)
    ana, beto, *_others = table.members.all()
    pay(table, ana, beto, 30, method=Method.CASH, key=a_key(), by=owner)
    pay(table, ana, beto, 50, method=Method.CASH, key=a_key(), by=owner)
    Payment.objects.filter(amount=30).update(cancelled_at=table.created_at)
    journal = write_journal(table)
    assert ';     members:ana  30 "$"' in journal
    assert {"ana": 50, "beto": -50, "caro": 0, "dani": 0} == balances_by(hledger, journal, table)


def test_a_shared_cost_is_posted_once_and_a_cancelled_one_is_a_comment(hledger):
    owner = make_user()
    table = make_table(owner)
    ana, beto, caro, _dani = table.members.all()
    game = start(table, owner)
    night, words = date.fromordinal(game.night_number), CostWords(beto, 100, (ana, caro), "pizza; a medias")
    cancel_cost(share_cost(table, night, words, key=a_key(), by=owner), by=owner)
    share_cost(table, night, replace(words, amount=10001), key=a_key(), by=owner)
    with override("en"):
        journal = write_journal(table)

    assert f"{night} Shared cost\n    ; pizza, a medias\n    members:beto  10001" in journal
    assert ';     members:ana  -50 "$"' in journal
    assert {"ana": -5000, "beto": 10001, "caro": -5001, "dani": 0} == balances_by(hledger, journal, table)


def test_write_offs_and_opening_payments_have_their_own_titles(hledger):
    owner = make_user()
    table = make_table(owner)
    ana, beto, *_others = table.members.all()
    pay(table, ana, beto, 50, method=Method.CASH, key=a_key(), by=owner)
    pay(table, beto, ana, 20, method=Method.WRITE_OFF, key=a_key(), by=owner)
    wanted = NewTable("Dólares", "US$", 2, Fraction(10))
    new = carry_over(table, wanted, seen=preview_carry_over(table, wanted).seen, key=a_key(), by=owner)
    for one in (table, new):
        hledger(write_journal(one), "check", "--strict")

    def heads(one):
        with override("es-ar"):
            return [line[11:] for line in write_journal(one).splitlines() if "→" in line]

    assert ["Pago Ana → Beto", "Perdonado Beto → Ana", "Saldo anterior Beto → Ana"] == heads(table)
    assert ["Saldo anterior Ana → Beto"] == heads(new)


@pytest.mark.slow
def test_hledger_computes_the_balances_of_the_old_and_the_new_table_after_a_carry_over(hledger):
    table = fill(FullTable(random.Random(0), make_user()))
    table.games.filter(ended_at=None).update(discarded_at=table.created_at)
    for waiting in to_settle(table):
        cancel(waiting, by=waiting.recorded_by)
    wanted = NewTable("Dólares", "US$", 2, Fraction(1450))
    owner = table.grants.get(role="owner").user
    new = carry_over(table, wanted, seen=preview_carry_over(table, wanted).seen, key=a_key(), by=owner)
    for one in (table, new):
        journal = write_journal(one)
        hledger(journal, "check", "--strict")
        assert balances_of(one) == balances_by(hledger, journal, one)
    assert not any(balances_of(table).values())
    assert any(balances_of(new).values())


def test_the_journal_of_a_table_without_money_is_valid(hledger):
    hledger(write_journal(make_table(make_user())), "check", "--strict")


def test_hledger_detects_a_changed_amount_by_the_final_balances(hledger):
    owner = make_user()
    table = make_table(owner)
    ana, beto, *_others = table.members.all()
    pay(table, ana, beto, 50, method=Method.CASH, key=a_key(), by=owner)
    journal = (
        write_journal(table)
        .replace('members:ana  50 "$"', 'members:ana  60 "$"')
        .replace('members:beto  -50 "$"', 'members:beto  -60 "$"')
    )
    with pytest.raises(AssertionError):
        hledger(journal, "check")
