"""Check that the ledger in a table's file adds up: its entries, and the debts to which they led."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NoReturn

from django.db.models import Model

from games.common.fields import Unreadable
from games.files.contents import Contents
from games.files.folding import Cause, Left, Moved, as_now, entered, fold, owed_to, same, unlike
from games.models import Entry, EntryKind
from games.scoring.ledger import nets
from games.scoring.shares import nets_of_cost
from games.scoring.words import Text, _

PLACES = {"game": _("Game {number}"), "payment": _("Payment {number}"), "cost": _("Shared cost {number}")}


def check_ledger(contents: Contents) -> None:
    """Raise Unreadable at the first line that does not add up.

    The entries must say what the games, payments and shared costs move, and lead to the debts; the debts must
    add up to the balances. A file for which this is not so was edited by somebody. The site's operator can
    still import it with `manage.py import_table`, and mend it with `check_books --repair`.
    """
    now = {slug: member.now.slug for slug, member in contents.members.items()}
    moved = dict(_moved(contents, now))
    places = {id(row): cause for cause, row in _causes(contents).items()}
    by_entries, balances = entered(contents.entries, now, lambda entry: places.get(id(_row(entry))))
    for kind, number in unlike(moved, by_entries):
        _refuse(Text(PLACES[kind].template, {"number": number}))
    merges = {(id(entry.member), entry.at) for entry in contents.entries if entry.kind == EntryKind.MERGED}
    if any((id(one), one.merged_at) not in merges for one in contents.members.values() if one.merged_at):
        _refuse(_("A merge without its entry"))
    left = fold(contents.entries)
    for number, debt in enumerate(contents.debts, start=1):
        if Left.of(debt, debt.one.slug, debt.other.slug) not in left:
            _refuse(_("Debt {number}", number=number))
    pairs = {frozenset((debt.one.slug, debt.other.slug)) for debt in contents.debts}
    if not len(contents.debts) == len(pairs) == len(left) or not same(owed_to(left), balances):
        _refuse(_("Debts"))


def _refuse(where: Text) -> NoReturn:
    problem = _(
        "In this file, who pays whom doesn't match its games and payments. Nothing "
        "was imported. The site's operator can still import it."
    )
    raise Unreadable(_("{where}: {problem}", where=where, problem=problem))


def _causes(contents: Contents) -> dict[Cause, Model]:
    """Return the rows that move money by their kind and position in the file."""
    games = [whole.game for whole in contents.games]
    rows: dict[str, Sequence[Model]] = {"game": games, "payment": contents.payments, "cost": contents.costs}
    return {(kind, number): row for kind, some in rows.items() for number, row in enumerate(some, start=1)}


def _row(entry: Entry) -> Model | None:
    return entry.game or entry.payment or entry.cost


def _moved(contents: Contents, now: dict[str, str]) -> Moved:
    """Return what each game, payment and shared cost of the file moves, by slug."""
    moved: dict[Cause, Counter[str]] = {}
    for number, whole in enumerate(contents.games, start=1):
        if whole.state.is_over and whole.game.discarded_at is None:
            of_game = moved["game", number] = as_now(nets(whole.state), now)
            of_game.subtract(as_now(whole.game.spot_nets or {}, now))
    for number, payment in enumerate(contents.payments, start=1):
        if payment.counts:
            paid = {payment.payer.slug: payment.amount, payment.payee.slug: -payment.amount}
            moved["payment", number] = as_now(paid, now)
    seats = list(contents.members)
    for number, cost in enumerate(contents.costs, start=1):
        if cost.counts:
            shared = nets_of_cost(cost.amount, cost.payer.slug, cost.sharers, seats)
            moved["cost", number] = as_now(shared, now)
    return moved
