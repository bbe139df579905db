"""A table's accounts as a plain text accounting journal, so that hledger and similar tools can check them.

A transaction is a line with the day and a title, then a line for each member whose balance it changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from operator import itemgetter

from django.utils.translation import gettext as _

from games.models import Result, Table
from games.money.balances import People, balances_of
from games.money.costs import nets_of_cost_row
from games.nights import local
from games.notebook.writing import one_moment
from games.shown.common.played import title_in_words
from games.shown.money.accounts import payment_kind

Postings = Mapping[str, int]

# Characters in a note to which hledger would give a meaning, and their replacements.
_HARMLESS = str.maketrans({":": "·", ";": ",", "|": "/", "[": "(", "]": ")"})


def write_journal(table: Table) -> str:
    """Return the journal as text.

    It has a transaction for each game, payment and shared cost that counts. It ends with a balance assertion
    for each member, which hledger checks.
    """
    with one_moment():
        return "".join(f"{line}\n" for line in _lines(table))


def _lines(table: Table) -> Iterator[str]:
    people, amount = People.of(table), _Amount(table)
    yield f"; {_harmless(table.name)}"
    yield "decimal-mark ."
    yield f"commodity {amount.example}"
    for member in people.own:
        yield f"account {_account(member.slug)}  ; {_harmless(member.name)}"
    entries = [
        *_games(table, people, amount),
        *_payments(table, people, amount),
        *_costs(table, people, amount),
    ]
    for _day, lines in sorted(entries, key=itemgetter(0)):
        yield ""
        yield from lines
    if entries:
        yield ""
        yield f"{max(day for day, _lines in entries)} {_('Balances')}"
        for slug, balance in balances_of(table, people).items():
            yield f"    {_account(slug)}  {amount(0)} = {amount(balance)}"


class _Amount:
    """A formatter for a table's amounts: sign, decimals, and the unit in quotes, since it may be any word."""

    def __init__(self, table: Table) -> None:
        self._decimals, self._unit = table.decimals, _harmless(table.unit)

    def __call__(self, amount: int) -> str:
        whole, part = divmod(abs(amount), 10**self._decimals)
        figure = f"{whole}.{part:0{self._decimals}d}" if self._decimals else str(whole)
        return f'{"-" if amount < 0 else ""}{figure} "{self._unit}"'

    @property
    def example(self) -> str:
        """An example amount that shows the number of decimals."""
        return f'1000.{"0" * self._decimals} "{self._unit}"'


def _account(slug: str) -> str:
    return f"members:{slug}"


def _harmless(text: str) -> str:
    return " ".join(text.translate(_HARMLESS).split())


def _games(table: Table, people: People, amount: _Amount) -> Iterator[tuple[date, list[str]]]:
    """Yield the day and the lines of a transaction for each game that moved money.

    The day is the one on which the game's night began.
    """
    results = Result.objects.filter(game__table=table).exclude(net=0)
    rows = results.values_list(
        "game", "game__code", "game__variant", "night_number", "member", "net"
    ).order_by("game__started_at", "game", "pk")
    heads: dict[int, tuple[date, str]] = {}
    postings: dict[int, dict[str, int]] = {}
    for game, code, title, night, member, net in rows:
        day = date.fromordinal(night)
        heads[game] = day, f"{day} ({code}) {_harmless(title_in_words(title))}"
        own = postings.setdefault(game, {})
        slug = people.by_pk[member].slug
        own[slug] = own.get(slug, 0) + net
    for game, (day, head) in heads.items():
        yield day, [head, *_posted(postings[game], amount)]


def _payments(table: Table, people: People, amount: _Amount) -> Iterator[tuple[date, list[str]]]:
    """Yield the day and the lines of a transaction for each payment.

    The lines of a payment that does not count are comments. The first line names the kind of payment, because
    in a write-off or a carried-over balance no money moved.
    """
    for payment in table.payments.order_by("made_at", "pk"):
        payer, payee = people.by_pk[payment.payer_id], people.by_pk[payment.payee_id]
        day = payment.paid_on or local(payment.made_at, table).date()
        if payer == payee:
            continue  # payer and payee were merged into one member, so nothing moved between them
        head = f"{day} {payment_kind(payment)} {_harmless(payer.name)} → {_harmless(payee.name)}"
        note = [f"    ; {_harmless(payment.note)}"] if payment.note else []
        lines = [head, *note, *_posted({payer.slug: payment.amount, payee.slug: -payment.amount}, amount)]
        yield day, lines if payment.counts else [f"; {line}" for line in lines]


def _costs(table: Table, people: People, amount: _Amount) -> Iterator[tuple[date, list[str]]]:
    """Yield the day and the lines of a transaction for each shared cost. The day is that of its night.

    The lines of a cancelled cost are comments.
    """
    for cost in table.costs.order_by("made_at", "pk"):
        head = f"{cost.night} {_('Shared cost')}"
        note = [f"    ; {_harmless(cost.note)}"] if cost.note else []
        nets = {member.slug: net for member, net in nets_of_cost_row(cost, people).items()}
        lines = [head, *note, *_posted(nets, amount)]
        yield cost.night, lines if cost.counts else [f"; {line}" for line in lines]


def _posted(postings: Postings, amount: _Amount) -> list[str]:
    return [f"    {_account(slug)}  {amount(moved)}" for slug, moved in postings.items()]
