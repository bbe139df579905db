"""Payments or shared costs in a moved table's file, with new ones and new steps prepared for storing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic

from games import trail
from games.chain import insert
from games.models import CostLink, PaymentLink, Table
from games.notebook.apart import Chained, Row
from games.rows import AT_ONCE, Ready, ReadyUpdates, grouped

# By the model of the links: the functions that describe rows, links and steps for the audit trail.
TRAILS: Mapping[type[Any], Sequence[Callable[[Any], Any]]] = {
    PaymentLink: (trail.payments, trail.payment_links, trail.steps),
    CostLink: (trail.costs, trail.cost_links, trail.cost_steps),
}


class ReturnedRows(Generic[Row]):
    """Payments or shared costs of the file, with their steps and hash-chain links.

    A payment or cost that has a row here gets the id of that row. `kind` is the model of the links. `of` is
    the name of the foreign key by which links and steps refer to the payment or cost. `names` are the fields
    of a payment or cost that a step may change.
    """

    def __init__(
        self,
        table: Table,
        chained: Chained[Row],
        steps: Iterable[Any],
        kind: type[PaymentLink | CostLink],
        of: str,
        names: Sequence[str],
    ) -> None:
        self._kind = kind
        steps_of = grouped((id(getattr(step, of)), step) for step in steps)
        changed: list[Row] = []
        new_steps: list[Any] = []
        for (row, _links), (other, _links_there) in zip(chained.here, chained.there, strict=False):
            other.pk = row.pk
            new_steps += steps_of.get(id(other), [])[len(row.steps.all()) :]
            if other.cancelled_at == row.cancelled_at:
                other.cancelled_by_id = row.cancelled_by_id
            if any(getattr(other, name) != getattr(row, name) for name in names):
                changed.append(other)
        new = [row for row, _links in chained.there[len(chained.here) :]]
        new_steps += [step for row in new for step in steps_of.get(id(row), [])]
        self.changed: ReadyUpdates[Any] = ReadyUpdates(changed, (*names, "cancelled_by"))
        self.rows: Ready[Any] = Ready(new)
        self.steps: Ready[Any] = Ready(new_steps)
        here = {
            (row, number): (pk, made)
            for row, number, pk, made in kind._default_manager.filter(table=table).values_list(
                of, "number", "pk", "hash"
            )
        }
        links = [
            kind(table=table, number=number, hash=made, **{of: row})
            for row, links_there in chained.there
            for number, made in enumerate(links_there)
            if here.get((row.pk, number), (0, ""))[1] != made
        ]
        # A cancellation without a step has a link too. A step that was recorded later takes its number.
        places = [(getattr(one, of).pk, one.number) for one in links]
        self._replaced = [here[place][0] for place in places if place in here]
        self._links: Ready[Any] = Ready(links)

    def store(self, held: Table) -> None:
        """Store all that is new or changed, and note it in the audit trail of the locked table `held`."""
        self.changed.update()
        self.rows.insert()
        self.steps.insert()
        for start in range(0, len(self._replaced), AT_ONCE):
            self._kind._default_manager.filter(pk__in=self._replaced[start : start + AT_ONCE]).delete()
        insert(self._links)
        notes = TRAILS[self._kind]
        some = self.rows.rows, self._links.rows, self.steps.rows
        trail.note(held, *(note(rows) for note, rows in zip(notes, some, strict=True)))
