"""Bring a moved table back: add to it the new entries in its file from the other place.

The table is found by the identity in the file, and only an owner of the moved table can bring it back. The
hash chains in the file must begin with those stored here, and data without a hash chain must be unchanged
here since the table moved (`apart.py`): then such data is taken from the file, and nothing is recorded twice.
Otherwise the copies went on separately, and nothing is stored. Everything is prepared before the lock is
taken: nothing is recorded at a moved table meanwhile. But an owner may end the move, or somebody may claim a
member. Then ChangedMeanwhile is raised, and nothing is stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet

from games import trail
from games.chain import UNLINKED, cost_links, payment_links
from games.changes import tell_ready, told
from games.locks import ChangedMeanwhile, revise
from games.models import (
    Change,
    ChangeKind,
    CostLink,
    CostShare,
    CostStepKind,
    Flag,
    Game,
    Payment,
    PaymentLink,
    SharedCost,
    StepKind,
    Table,
    TakenFact,
)
from games.money.balances import People
from games.money.booking import WHAT_OF_TURN
from games.money.costs import shares_of
from games.notebook.apart import Chained, Comparison, Links, Row, costs_here, payments_here
from games.notebook.contents import Contents
from games.notebook.linking import free_codes, linked, shared
from games.notebook.recorders import stand_ins_of
from games.notebook.returned_people import ReturnedPeople, ReturnedSeasons
from games.notebook.returned_rows import ReturnedRows
from games.people.moving import end_move_of
from games.people.owners import hold
from games.play.writer import ReadyAdditions, ReadyGames, Whole, change_of
from games.rows import Ready, ReadyUpdates, grouped
from games.scoring.errors import RuleError
from games.scoring.words import _

MOST_COMPARED = 6  # the most tables compared with a file, the moved ones first
OF_A_PAYMENT = (
    *("amount", "method", "note", "made_at", "paid_on", "claimed_at", "accepted_at", "confirmed_at"),
    *("disputed_at", "objection", "cancelled_at"),
)
OF_A_COST = ("payer", "amount", "sharers", "note", "cancelled_at")
OF_A_TABLE = (
    *("name", "language", "timezone", "earlier_zones", "region", "settles_before", "quick_keys"),
    "bases",
)


class WentOnApart(Exception):
    """Raised if this table and its copy went on separately: each has entries that the other lacks."""

    def __init__(self, compared: Comparison) -> None:
        super().__init__(f"{compared.table.code} and its copy went on separately")
        self.table, self.here, self.there = compared.table, compared.only_here, compared.only_there
        self.is_changed_here = compared.is_changed_here
        self.members = list(compared.contents.members.values())


class OwnFile(RuleError):
    """Raised for a file of a moved table that was saved here: the table stays moved."""

    def __init__(self) -> None:
        super().__init__(_("This is the file that was saved here. Choose the file from the other place."))


def bring_back(contents: Contents, *, key: str, by: User) -> Table | None:
    """Add the file's new entries to the moved table that it continues, and return the table.

    Also end the table's mark as moved. Return None if the file continues no moved table. A repeated key adds
    nothing again. Raise WentOnApart if both copies have new entries, OwnFile if the file was saved here, and
    ChangedMeanwhile if the table changed before it was locked.
    """
    mark = sha256(f"{by.pk} {key} {contents.digest}".encode()).hexdigest()
    tables = _copies_of(contents, by)
    known = tables.filter(taken_facts__key=mark).first()
    if known is not None:
        return known
    some, apart = list(tables[:MOST_COMPARED]), None
    if not some:
        return None
    paid, spent = _paid(contents), _spent(contents)
    for table in some:
        payments, costs = Chained(payments_here(table), paid), Chained(costs_here(table), spent)
        compared = Comparison(table, contents, payments, costs)
        is_back = table.moved_at is not None and compared.is_continued
        if is_back and compared.is_of_here:
            raise OwnFile
        if is_back and not compared.is_changed_here:
            return _store(table, compared, mark, by)
        if not is_back and not compared.only_here and not compared.has_news:
            return None  # the file has nothing new for this table, so other tables do not matter
        if is_back or (compared.only_here and compared.only_there):
            apart = apart or WentOnApart(compared)
    if apart is not None:
        raise apart
    return None


def _copies_of(contents: Contents, by: User) -> QuerySet[Table]:
    """Return the user's tables that may be copies of the table in the file, the most recently moved first.

    The user is an owner of each. They have the identity, time of creation and currency of the file's table.
    """
    of_file = contents.table
    same = {name: getattr(of_file, name) for name in ("identity", "created_at", "unit", "decimals")}
    owned = by.grants.owning().values("table")
    tables = Table.objects.filter(pk__in=owned, erased_at=None, suspended_at=None, **same)
    return tables.order_by(F("moved_at").desc(nulls_last=True), "-pk")


def _paid(contents: Contents) -> Sequence[tuple[Payment, Links]]:
    links = payment_links(contents.table, linked(contents), before=UNLINKED)
    return _by_row(contents.payments, ((one.payment, one.hash) for one in links))


def _spent(contents: Contents) -> Sequence[tuple[SharedCost, Links]]:
    links = cost_links(contents.table, shared(contents), before=UNLINKED)
    return _by_row(contents.costs, ((one.cost, one.hash) for one in links))


def _by_row(rows: Sequence[Row], links: Iterable[tuple[Row, str]]) -> Sequence[tuple[Row, Links]]:
    made = grouped((id(row), one) for row, one in links)
    return [(row, made[id(row)]) for row in rows]


def _store(table: Table, compared: Comparison, mark: str, by: User) -> Table:
    try:
        return _Additions(table, compared).store(mark, by)
    except (ChangedMeanwhile, IntegrityError):  # the same request may have run twice
        known = Table.objects.filter(pk=table.pk, taken_facts__key=mark).first()
        if (
            known is None
        ):  # it did not: the table changed, or another game has just taken the code of a new game
            raise ChangedMeanwhile from None
        return known


class _Additions:
    """The entries that only the file has, prepared for storing before any lock is taken."""

    def __init__(self, table: Table, compared: Comparison) -> None:
        contents = compared.contents
        self._table, self._contents = table, contents
        contents.table.pk, contents.table.code = table.pk, table.code
        for user in stand_ins_of(table):
            if user.first_name in contents.recorders:
                contents.recorders[user.first_name].pk = user.pk
        self._people = ReturnedPeople(table, contents)
        self._seasons = ReturnedSeasons(table, contents)
        self._prepare_games(compared)
        steps, cost_steps = contents.steps, contents.cost_steps
        self._payments = ReturnedRows(table, compared.payments, steps, PaymentLink, "payment", OF_A_PAYMENT)
        self._costs = ReturnedRows(table, compared.costs, cost_steps, CostLink, "cost", OF_A_COST)
        self._prepare_rest()
        self._changes = told(self._each_change())

    # --- prepared ---

    def _prepare_games(self, compared: Comparison) -> None:
        """Prepare new games, and later records of games that are stored here.

        A game of the file that has a row here gets the id and the code of that row.
        """
        known: list[tuple[Whole, int]] = []
        new: list[Whole] = []
        self._put: list[tuple[Game, ChangeKind]] = []
        for whole in self._contents.games:
            game, links = compared.games.get(whole.game.key, (None, ()))
            if game is None:
                new.append(whole)
                continue
            whole.game.pk, whole.game.code = game.pk, game.code
            is_put = whole.game.discarded_at != game.discarded_at
            if is_put:
                is_away = whole.game.discarded_at is not None
                self._put.append(
                    (whole.game, ChangeKind.GAME_DISCARDED if is_away else ChangeKind.GAME_RESTORED)
                )
            if is_put or len(links) < len(whole.records):
                known.append((whole, len(links)))
        free_codes([whole.game for whole in new])
        here = {key: len(links) for key, (_game, links) in compared.games.items()}
        self._known = {id(whole.game): here.get(whole.game.key, 0) for whole in self._contents.games}
        self._new = new
        self._additions = ReadyAdditions(known, self._contents.members)
        self._games = ReadyGames(new, self._contents.members)

    def _prepare_rest(self) -> None:
        contents, table = self._contents, self._table
        self._hands = Ready(
            source for source in contents.hand_sources if source.number > self._known.get(id(source.game), 0)
        )
        flagged = {
            (flag.game_id, flag.number, flag.player, flag.flagged_at): flag
            for flag in Flag.objects.filter(game__table=table)
        }
        resolved: list[Flag] = []
        new_flags: list[Flag] = []
        for flag in contents.flags:
            here = flagged.get((flag.game.pk, flag.number, flag.player, flag.flagged_at))
            if here is None:
                new_flags.append(flag)
            elif here.resolved_at != flag.resolved_at:
                flag.pk = here.pk
                resolved.append(flag)
        self._resolved = ReadyUpdates(resolved, ["resolved_at"])
        self._flags = Ready(new_flags)
        self._plans = Ready(contents.plans)
        closed = set(table.closing_notes.values_list("night", "made_at"))
        self._notes = Ready(note for note in contents.notes if (note.night, note.made_at) not in closed)
        self._spellings = Ready(contents.spellings)

    def _each_change(self) -> Iterator[Change]:
        """Yield the unsaved rows of the change feed."""
        yield Change(what=ChangeKind.TABLE_CHANGED)
        yield from self._people.changes()
        yield from self._seasons.changes()
        for records in (self._additions.records.rows, *(whole.records for whole in self._new)):
            yield from map(change_of, records)
        for game, what in self._put:
            yield Change(what=what, game=game)
        flags = (*self._resolved.rows, *self._flags.rows)
        for game in {id(flag.game): flag.game for flag in flags}.values():
            yield Change(what=ChangeKind.FLAGS_CHANGED, game=game)
        for payment in self._payments.rows.rows:
            yield Change(what=ChangeKind.PAYMENT_RECORDED, payment=payment)
        for step in self._payments.steps.rows:
            yield Change(what=WHAT_OF_TURN[StepKind(step.turn)], payment=step.payment)
        for cost in self._costs.rows.rows:
            yield Change(what=ChangeKind.COST_RECORDED, cost=cost)
        for cost_step in self._costs.steps.rows:
            is_amended = cost_step.turn == CostStepKind.AMENDED
            what = ChangeKind.COST_AMENDED if is_amended else ChangeKind.COST_CANCELLED
            yield Change(what=what, cost=cost_step.cost)
        for note in self._notes.rows:
            yield Change(what=ChangeKind.NIGHT_CLOSED, note=note)

    # --- stored ---

    @transaction.atomic
    def store(self, mark: str, by: User) -> Table:
        """Store everything and return the table.

        `mark`, a digest of the user, key and file, is stored too, so that a repeated request finds the table.
        Raise ChangedMeanwhile if the table is no longer marked as moved, or has changed.
        """
        held = hold(self._table, by)
        if held.moved_at is None or held.newest_change != self._table.newest_change:
            raise ChangedMeanwhile  # an owner ended the move, or somebody claimed a member
        User.objects.bulk_create(self._recorders())
        end_move_of(held)
        for name in OF_A_TABLE:
            setattr(held, name, getattr(self._contents.table, name))
        held.save(update_fields=OF_A_TABLE)
        self._people.store(held)
        held.spellings.all().delete()
        self._spellings.insert()
        self._seasons.store(held)
        self._additions.store(held)
        self._games.store(held)
        self._payments.store(held)
        self._costs.store(held)
        _share_again(held)
        self._hands.insert()
        self._flags.insert()
        self._resolved.update()
        held.plans.all().delete()
        self._plans.insert()
        self._notes.insert()
        trail.note(held, trail.places([held]), trail.hand_sources(self._hands.rows))
        TakenFact.objects.create(table=held, key=mark)
        tell_ready(held, self._changes)
        revise(held)
        return held

    def _recorders(self) -> list[User]:
        """Return the unsaved users in the new rows. They stand for people who recorded at the other place."""
        rows: list[tuple[Iterable[Any], Sequence[str]]] = [
            (self._additions.records.rows, ["recorded_by"]),
            ([record for whole in self._new for record in whole.records], ["recorded_by"]),
            (self._hands.rows, ["brought_by"]),
            (self._flags.rows, ["by"]),
            ([*self._payments.rows.rows, *self._costs.rows.rows], ["recorded_by", "cancelled_by"]),
            ([*self._payments.changed.rows, *self._costs.changed.rows], ["cancelled_by"]),
            ([*self._payments.steps.rows, *self._costs.steps.rows], ["by"]),
            (self._notes.rows, ["made_by"]),
            (self._people.changed, ["merged_by"]),
        ]
        named = (
            getattr(row, name)
            for some, names in rows
            for row in some
            for name in names
            if row._meta.get_field(name).is_cached(row)
        )
        new = {id(user): user for user in named if user is not None and user.pk is None}
        return list(new.values())


def _share_again(held: Table) -> None:
    """Replace the shares of all costs: if two members were merged, the shares of older costs change too."""
    people = People.of(held)
    CostShare.objects.filter(cost__table=held).delete()
    costs = held.costs.select_related("payer").order_by("pk")
    CostShare.objects.bulk_create(share for cost in costs for share in shares_of(cost, people))
