"""Compare a table with the file of a copy of it: does the file continue the history here?

Each game, payment and shared cost is known by its key, and everything recorded here must come first in the file,
entry for entry by the hash chains. What they do not cover must be as in a file from which the other place has the
table: the digest here is looked for among the file's `bases` (`unchained.py`).
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
    """Something that only one of the copies has: of a game the `count` events after the first ones, which both have.

    `whole` is the game in the file; None for a game here.
    """

    what: Game | Payment | SharedCost | Member
    after: int = 0
    count: int = 0
    whole: Whole | None = None

    def log(self) -> Log:
        """Return the events of the game."""
        if self.whole is not None:
            return tuple(event for batch in self.whole.batches for event in batch.events)
        assert isinstance(self.what, Game)
        return self.what.log()


@dataclass(frozen=True)
class Chained(Generic[Row]):
    """The payments or shared costs of the table and of the file, each with its hashes, in the order of the chain.

    Of a row here, only the hashes of its steps are compared: one may follow for a cancellation without a step.
    """

    here: Sequence[tuple[Row, Links]]
    there: Sequence[tuple[Row, Links]]

    def is_continued(self) -> bool:
        """Return whether each row here is in the same place of the file, and has the same steps first."""
        pairs = zip(self.here, self.there, strict=False)
        return len(self.here) <= len(self.there) and all(
            _id_of(row) == _id_of(other) and begins_with(theirs, mine)
            for (row, mine), (other, theirs) in pairs
        )

    def only_here(self) -> Sequence[Alone]:
        """Return the rows here that the file does not have, or not with all of their steps."""
        return _missing(self.here, self.there)

    def only_there(self) -> Sequence[Alone]:
        """Return the rows of the file that are not here, or not with all of their steps."""
        return _missing(self.there, self.here)


def _missing(rows: Sequence[tuple[Row, Links]], others: Sequence[tuple[Row, Links]]) -> Sequence[Alone]:
    known = {_id_of(row): links for row, links in others}
    return [Alone(row) for row, links in rows if not begins_with(known.get(_id_of(row), ()), links)]


def _id_of(row: Payment | SharedCost) -> tuple[str, ...]:
    if isinstance(row, Payment):
        return row.key, row.payer.slug, row.payee.slug
    return (row.key,)


def begins_with(links: Links, first: Links) -> bool:
    """Return whether these hashes begin with the others."""
    return list(links[: len(first)]) == list(first)


@dataclass(frozen=True)
class Comparison:
    """A table and the contents of a file of it. `payments` and `costs` have the hashes of both."""

    table: Table
    contents: Contents
    payments: Chained[Payment]
    costs: Chained[SharedCost]

    @cached_property
    def games(self) -> Mapping[str, tuple[Game, Links]]:
        """The games here with their hashes, by key."""
        rows = EventLink.objects.filter(game__table=self.table).order_by("game", "number")
        links = grouped(rows.values_list("game", "hash"))
        games = self.table.games.order_by("pk")
        return {game.key: (game, links.get(game.pk, [])) for game in games}

    @cached_property
    def only_here(self) -> Sequence[Alone]:
        """The entries that the file lacks; empty if the file continues the history here."""
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
        """The entries that only the file has."""
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
        """The digest of what no chain covers here. Payment details that went with an account count as in the file."""
        file = json.loads(write_table(self.table))
        cleared = cleared_since(self.table)
        for member in file["members"]:
            if member["id"] in cleared and member["id"] in self.contents.members:
                member["account"] = self.contents.members[member["id"]].account
        return digest_of(file)

    @property
    def is_changed_here(self) -> bool:
        """True if something that no chain covers was changed here after the table went to the other place."""
        return self.digest not in (*self.contents.bases, self.contents.unchained)

    @property
    def has_news(self) -> bool:
        """True if something is recorded in the file that is not here. A cancellation here may have no step."""
        payments = self.payments
        steps = sum(len(row.steps.all()) for row, _links in payments.here)
        is_paid = len(payments.here) < len(payments.there) or steps < len(self.contents.steps)
        return is_paid or any(not isinstance(alone.what, Payment) for alone in self.only_there)

    @property
    def is_of_here(self) -> bool:
        """True for a file that was saved here, which brings nothing new."""
        contents, saved_at = self.contents, self.contents.moved_at
        is_same = not self.has_news and (contents.bases, contents.unchained) == (
            self.table.bases,
            self.digest,
        )
        # Where nothing happened at the other place, only the moment of its own move tells its file apart.
        return is_same and (
            saved_at is None or self.table.moved_at is None or saved_at <= self.table.moved_at
        )

    @property
    def is_continued(self) -> bool:
        """True if everything recorded here comes first in the file."""
        return not self.only_here and self.payments.is_continued() and self.costs.is_continued()


def cleared_since(table: Table) -> set[str]:
    """Return the slugs of members whose payment details were removed here since the table moved, with an account."""
    if table.moved_at is None:
        return set()
    changes = table.changes.filter(what=ChangeKind.ACCOUNT_CHANGED, made_at__gte=table.moved_at)
    return set(changes.exclude(member=None).values_list("member__slug", flat=True))


def _links(whole: Whole) -> Links:
    return [link.hash for link in whole.links]


def _rest(games: Iterable[tuple[Game, Links, Links, Whole | None]]) -> Iterable[Alone]:
    """Yield each game of one copy that has events which the other copy lacks, with their number."""
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
