"""A benchmark of recording a payment with *always the fewest payments* on, beside the same accounts with it off.

    python -m tests.benchmarks.fewest_payments [--people 8] [--payments 150]

Both tables get the same random payments. Then turns of both alternate; it prints the medians of the CPU time
and of the changed debts of one payment. Everything is stored in a temporary folder.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from random import Random
from statistics import median
from typing import Any

import django
from django.core.management import call_command

TURNS = 60
MOST = 1.15  # times the CPU time without the setting


def main() -> None:
    """Record the same payments at both tables in turns, and print what one payment takes."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--people", type=int, default=8)
    options.add_argument("--payments", type=int, default=150)
    chosen = options.parse_args()
    os.environ |= {"DJANGO_SETTINGS_MODULE": "tests.settings_without_limits", "ALLOWED_HOSTS": "testserver"}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATA_DIR"] = folder
        django.setup()
        call_command("migrate", verbosity=0)
        raise SystemExit(not _measure(chosen.people, chosen.payments))


def _measure(people: int, count: int) -> bool:
    from games.money.services import accounting, fewest_payments
    from tests.benchmarks.goals import report
    from tests.factories import make_table, make_user

    user, names = make_user("owner"), [f"Friend {number}" for number in range(people)]
    tables = [make_table(user, people=tuple(names)) for _table in "12"]
    chances = [Random(85), Random(85)]
    for table, chance in zip(tables, chances, strict=True):
        for _payment in range(count):
            _pay(table, chance, user)
    seen = accounting.latest_entry_number(tables[1])
    fewest_payments.update(tables[1], is_on=True, seen=seen, by=user)
    seconds: list[list[float]] = [[], []]
    changes: list[list[int]] = [[], []]
    for turn in range(TURNS):
        for place in (0, 1) if turn % 2 else (1, 0):
            began = time.process_time()
            _pay(tables[place], chances[place], user)
            seconds[place].append(time.process_time() - began)
            entry = tables[place].entries.latest("number")
            before, after = ({tuple(line) for line in lines} for lines in (entry.before, entry.after))
            changes[place].append(len(before ^ after))
    off, on = map(median, seconds)
    debts = " and ".join(str(len(accounting.load_accounts(table).debts)) for table in tables)
    figure = f"{1000 * off:.1f} ms off, {1000 * on:.1f} ms on, {on / off:.2f} ×; {debts} debts; " + (
        f"{median(changes[0]):.0f} and {median(changes[1]):.0f} of their lines changed"
    )
    report("a payment with the setting on", figure, met=on <= MOST * off)
    return on <= MOST * off


def _pay(table: Any, chance: Random, user: Any) -> None:
    from games.money.services import payments
    from tests.factories import new_key

    payer, payee = chance.sample(list(table.members.order_by("pk")), 2)
    payments.create(table, payer, payee, chance.randint(1, 5000), key=new_key(), by=user)


if __name__ == "__main__":
    main()
