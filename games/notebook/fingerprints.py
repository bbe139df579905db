"""Fingerprints: short digests of a table's data, which two people can compare.

A fingerprint is made from the hash chains, so it is the same on every phone, and in a table imported from its
file. This module reads from the database and writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from itertools import groupby, takewhile

from django.db.models import OuterRef, Subquery

from games.chain import UNLINKED, canonical, in_letters
from games.models import ClosingNote, CostLink, EventLink, PaymentLink, Record, Table
from games.notebook.writing import moment_in_text

LETTERS, TOGETHER = 9, 3


def fingerprint_of(table: Table) -> str:
    """Return a fingerprint of the table's present events, payments and shared costs.

    It also depends on which games are discarded.
    """
    newest = EventLink.objects.filter(game=OuterRef("pk")).order_by("-number").values("hash")[:1]
    games = table.games.order_by().values_list(Subquery(newest), "discarded_at")
    last = PaymentLink.objects.filter(payment=OuterRef("pk")).order_by("-number").values("hash")[:1]
    payments = table.payments.order_by("pk").values_list(Subquery(last), flat=True)
    newest_of_cost = CostLink.objects.filter(cost=OuterRef("pk")).order_by("-number").values("hash")[:1]
    costs = [
        link or UNLINKED
        for link in table.costs.order_by("pk").values_list(Subquery(newest_of_cost), flat=True)
    ]
    return _in_letters(
        {
            "games": sorted([link or UNLINKED, discarded_at is None] for link, discarded_at in games),
            "payments": [link or UNLINKED for link in payments],
            # Left out without costs, so that tables of earlier releases keep their fingerprint.
            **({"costs": costs} if costs else {}),
        }
    )


def fingerprint_of_note(note: ClosingNote) -> str:
    """Return a fingerprint of a closed night, as of the moment at which the night was closed.

    It covers the note, the night's games, and all payments and shared costs of the table at that moment.
    Later corrections only extend the hash chains, so this fingerprint never changes.
    """
    paid = PaymentLink.objects.filter(table=note.table_id, number=0, payment__recorded_at__lte=note.made_at)
    shared = CostLink.objects.filter(table=note.table_id, number=0, cost__recorded_at__lte=note.made_at)
    newest_cost = shared.order_by("-cost_id").values_list("hash", flat=True).first()
    return _in_letters(
        {
            "night": note.night.isoformat(),
            **({} if note.as_of == note.made_at else {"as_of": moment_in_text(note.as_of)}),
            "balances": note.balances,
            "lines": note.lines,
            "text": note.text,
            "games": sorted(_links_by_then(note)),
            "payments": paid.order_by("-payment_id").values_list("hash", flat=True).first() or UNLINKED,
            **({"costs": newest_cost} if newest_cost else {}),
        }
    )


def _links_by_then(note: ClosingNote) -> Iterable[str]:
    """Return the newest hash that each game of the night had when the night was closed.

    Games recorded later are left out.
    """
    of_night = {"game__table": note.table_id, "game__night_number": note.night.toordinal()}
    records = (
        Record.objects.filter(**of_night).order_by("game_id", "number").values_list("game", "recorded_at")
    )
    counts = {
        game: sum(1 for _row in takewhile(lambda row: row[1] <= note.made_at, rows))
        for game, rows in groupby(records, key=lambda row: row[0])
    }
    links = EventLink.objects.filter(**of_night).order_by().values_list("game", "number", "hash")
    return [hash for game, number, hash in links if counts.get(game) == number]


def _in_letters(content: object) -> str:
    """Return a digest of the content as nine letters and digits in groups of three."""
    return in_letters(sha256(canonical(content).encode()).hexdigest(), letters=LETTERS, together=TOGETHER)
