"""Compare a table with a file that another copy of it wrote: does the file continue the history here?

The other copy is at another site or in a folder, called the other place. Games, payments and shared costs are
matched by their keys, and the hash chains in the file must begin with those stored here. Data without a hash
chain (settings, members, …) must be unchanged here since the other place imported the table. The `bases` in
the file (`unchained.py`) are digests of such data in the files from which its table was imported: the digest
of the data here must be one of them, or that of the file itself.

A step is a later change of a payment or shared cost, such as a confirmation or an amendment. An event, a
payment, a cost and a step have one hash each.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeAlias, TypeVar

from games.models import (
    ChangeKind,
    CostLink,
    EventLink,
    Game,
    Member,
    Payment,
    PaymentLink,
    SharedCost,
    Table,
)
from games.notebook.contents import Contents
from games.notebook.unchained import digest_of
from games.notebook.writing import write_table
from games.play.writer import Whole
from games.rows import grouped
from games.scoring.events import Log

Links: TypeAlias = Sequence[str]  # the hashes of a game's events, or of a payment and its steps
Row = TypeVar("Row", Payment, SharedCost)


@dataclass(frozen=True)
class Alone:
    """An entry (a member, game, payment or shared cost) that the other copy lacks or has only in part.

    The entry is the row `what`. For a game, both copies have the first `after` events, and only this copy has
    the `count` events after them. `whole` is the game with its events as read from the file; it is None for a
    game stored here, and for other entries.
    """

    what: Game | Payment | SharedCost | Member
    after: int = 0
    count: int = 0
    whole: Whole | None = None

    def log(self) -> Log:
        """Return all events of this entry's game, also those that both copies have."""
        if self.whole is not None:
            return tuple(event for batch in self.whole.batches for event in batch.events)
        assert isinstance(self.what, Game)
        return self.what.log()


@dataclass(frozen=True)
class Chained(Generic[Row]):
    """The payments or shared costs stored here and in the file, each with its hashes, in the chain's order.

    A payment or cost has its own hash first, then those of its steps. A cancellation of a payment here may
    have a hash without a step: such a hash is not compared.
    """

    here: Sequence[tuple[Row, Links]]
    there: Sequence[tuple[Row, Links]]

    def is_continued(self) -> bool:
        """Return whether the list of rows in the file begins with the rows stored here, in the same order.

        The hashes of a row in the file must begin with those of the row here; hashes of new steps may follow.
        """
        pairs = zip(self.here, self.there, strict=False)
        return len(self.here) <= len(self.there) and all(
            _id_of(row) == _id_of(other) and begins_with(theirs, mine)
            for (row, mine), (other, theirs) in pairs
        )

    def only_here(self) -> Sequence[Alone]:
        """Return the rows stored here that the file lacks, or that it has without some of their steps."""
        return _missing(self.here, self.there)

    def only_there(self) -> Sequence[Alone]:
        """Return the rows of the file that are not stored here, or are here without some of their steps."""
        return _missing(self.there, self.here)


def _missing(rows: Sequence[tuple[Row, Links]], others: Sequence[tuple[Row, Links]]) -> Sequence[Alone]:
    known = {_id_of(row): links for row, links in others}
    return [Alone(row) for row, links in rows if not begins_with(known.get(_id_of(row), ()), links)]


def _id_of(row: Payment | SharedCost) -> tuple[str, ...]:
    if isinstance(row, Payment):
        return row.key, row.payer.slug, row.payee.slug
    return (row.key,)


def begins_with(links: Links, first: Links) -> bool:
    """Return whether the list of hashes `links` begins with all hashes of the list `first`."""
    return list(links[: len(first)]) == list(first)


@dataclass(frozen=True)
class Comparison:
    """A table stored here, the contents of the other copy's file, and the payments and costs of both."""

    table: Table
    contents: Contents
    payments: Chained[Payment]
    costs: Chained[SharedCost]

    @cached_property
    def games(self) -> Mapping[str, tuple[Game, Links]]:
        """The games stored here, each with the hashes of its events, by the game's key."""
        rows = EventLink.objects.filter(game__table=self.table).order_by("game", "number")
        links = grouped(rows.values_list("game", "hash"))
        games = self.table.games.order_by("pk")
        return {game.key: (game, links.get(game.pk, [])) for game in games}

    @cached_property
    def only_here(self) -> Sequence[Alone]:
        """The entries here that the file lacks or has only in part; none if it continues the history here."""
        wholes = {whole.game.key: whole for whole in self.contents.games}
        members = self.table.members.exclude(slug__in=self.contents.members).order_by("pk")
        games = self.games
        return [
            *(Alone(member) for member in members),
            *(Alone(game, 0, len(links)) for key, (game, links) in games.items() if key not in wholes),
            *_rest(
                (game, links, _links(wholes[key]), None)
                for key, (game, links) in games.items()
                if key in wholes
            ),
            *self.payments.only_here(),
            *self.costs.only_here(),
        ]

    @cached_property
    def only_there(self) -> Sequence[Alone]:
        """The games, payments and shared costs that are not stored here, or not with all events and steps."""
        games = self.games
        wholes = self.contents.games
        return [
            *_rest(
                (
                    whole.game,
                    _links(whole),
                    games[whole.game.key][1] if whole.game.key in games else (),
                    whole,
                )
                for whole in wholes
            ),
            *self.payments.only_there(),
            *self.costs.only_there(),
        ]

    @cached_property
    def digest(self) -> str:
        """The digest of the data here that no hash chain covers (`unchained.py`).

        The payment details of a member (e.g. a bank alias) may have been deleted with a user's account since
        the move. Then the digest uses those in the file instead.
        """
        file = json.loads(write_table(self.table))
        cleared = cleared_since(self.table)
        for member in file["members"]:
            if member["id"] in cleared and member["id"] in self.contents.members:
                member["account"] = self.contents.members[member["id"]].account
        return digest_of(file)

    @property
    def is_changed_here(self) -> bool:
        """True if data without a hash chain was changed here after the table went to the other place."""
        return self.digest not in (*self.contents.bases, self.contents.unchained)

    @property
    def has_news(self) -> bool:
        """True if the file has records that are not here.

        Payments are compared by the number of their steps, not by hashes: a cancellation here may have a hash
        but no step.
        """
        payments = self.payments
        steps = sum(len(row.steps.all()) for row, _links in payments.here)
        is_paid = len(payments.here) < len(payments.there) or steps < len(self.contents.steps)
        return is_paid or any(not isinstance(alone.what, Payment) for alone in self.only_there)

    @property
    def is_of_here(self) -> bool:
        """True if the file was saved here and not at the other place, so that it brings nothing new."""
        contents, saved_at = self.contents, self.contents.moved_at
        is_same = not self.has_news and (contents.bases, contents.unchained) == (
            self.table.bases,
            self.digest,
        )
        # If nothing was recorded at the other place, its file differs from one saved here only in the moment
        # of the move away from there.
        return is_same and (
            saved_at is None or self.table.moved_at is None or saved_at <= self.table.moved_at
        )

    @property
    def is_continued(self) -> bool:
        """True if the file has all that is recorded here, unaltered and in order, and perhaps more."""
        return not self.only_here and self.payments.is_continued() and self.costs.is_continued()


def cleared_since(table: Table) -> set[str]:
    """Return the slugs of members whose payment details were deleted since the table moved.

    Payment details (e.g. a bank alias) are deleted with a user's account.
    """
    if table.moved_at is None:
        return set()
    changes = table.changes.filter(what=ChangeKind.ACCOUNT_CHANGED, made_at__gte=table.moved_at)
    return set(changes.exclude(member=None).values_list("member__slug", flat=True))


def _links(whole: Whole) -> Links:
    return [link.hash for link in whole.links]


def _rest(games: Iterable[tuple[Game, Links, Links, Whole | None]]) -> Iterable[Alone]:
    """Yield an `Alone` for each game of one copy with events that the other copy lacks.

    Each item of `games` is a game, its hashes, its hashes in the other copy, and the value of `Alone.whole`.
    """
    for game, links, others, whole in games:
        pairs = zip(links, others, strict=False)
        common = next((place for place, (one, other) in enumerate(pairs) if one != other), None)
        common = min(len(links), len(others)) if common is None else common
        if common < len(links):
            yield Alone(game, common, len(links) - common, whole)


def payments_here(table: Table) -> Sequence[tuple[Payment, Links]]:
    """Return the table's payments with the hashes of each payment and of its steps."""
    rows = table.payments.select_related("payer", "payee").prefetch_related("steps").order_by("pk")
    links = PaymentLink.objects.filter(table=table).order_by("number")
    made = grouped(links.values_list("payment", "hash"))
    return [(row, made.get(row.pk, [])[: 1 + len(row.steps.all())]) for row in rows]


def costs_here(table: Table) -> Sequence[tuple[SharedCost, Links]]:
    """Return the table's shared costs with the hashes of each cost and of its steps."""
    rows = table.costs.select_related("payer").prefetch_related("steps").order_by("pk")
    links = CostLink.objects.filter(table=table).order_by("number")
    made = grouped(links.values_list("cost", "hash"))
    return [(row, made.get(row.pk, [])) for row in rows]
