"""The effect of importing a table's file, or the nights of a notebook, into an existing table.

This module reads from the database and writes nothing. A payment that the importing user could not record
is skipped, and so is an expense that forgives their own debt.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import date, datetime
from hashlib import sha256
from typing import Any, TypeVar

from django.contrib.auth.models import User

from games.common import bulk, days, event_store, naming
from games.common.event_store import Content
from games.files.services import game_reader, import_size, member_matching
from games.files.services.file_contents import FileContents
from games.files.services.member_matching import MatchQuestion
from games.models import (
    Entry,
    ExpenseState,
    Game,
    Member,
    Method,
    Payment,
    PaymentState,
    Record,
    Role,
    SharedCost,
    Table,
    new_code,
)
from games.money.services import cash_settlement, payments, starting_balances
from games.play.services.writer import Batch, NewGame
from games.scoring import shares
from games.scoring.errors import RuleError
from games.scoring.events import NightImported, Player
from games.scoring.i18n import MoneyParam, Text, _
from games.scoring.replay import replay
from games.scoring.text.codec import Data, from_data, with_players
from games.tables.services import membership, roster
from games.tables.services.roster import People

Money = TypeVar("Money", Payment, SharedCost)

DIFFERS = _("It's different here.")
UNANSWERED = (ExpenseState.WAITS, ExpenseState.REFUSED)
NAMED_TWICE = _("Someone is named twice.")


@dataclass
class ImportPreview:
    """The effect of importing a file. While questions are open, only these are known.

    `continued_games` are existing games, with the events that only the file has. `known_count` counts rows
    that the table has, `ended_count` those discarded or voided in the file, and `skipped` names differences.
    """

    digest: str
    questions: Sequence[MatchQuestion]
    newcomers: list[Member] = field(default_factory=list)
    games: list[NewGame] = field(default_factory=list)
    continued_games: list[NewGame] = field(default_factory=list)
    payments: list[Payment] = field(default_factory=list)
    costs: list[SharedCost] = field(default_factory=list)
    openings: list[Entry] = field(default_factory=list)
    known_count: int = 0
    ended_count: int = 0
    skipped: list[Text] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        return any(not question.answer for question in self.questions)

    @property
    def count(self) -> int:
        """The number of rows that are new or change."""
        return len((*self.games, *self.continued_games, *self.payments, *self.costs, *self.openings))

    @property
    def expense_count(self) -> int:
        """The number of expenses, without their earlier versions."""
        return sum(cost.replaced_at is None for cost in self.costs)

    @property
    def claims(self) -> list[Payment]:
        """The payments that count once they are confirmed."""
        return [row for row in self.payments if row.state is PaymentState.CLAIMED]

    @property
    def preview_digest(self) -> str:
        """A digest of the whole preview. Any change of the preview changes it."""
        parts = [
            [(question.slug, question.answer) for question in self.questions],
            [(whole.game.key, whole.batches[0].after) for whole in (*self.games, *self.continued_games)],
            [[row.key for row in self.payments], [row.key for row in self.costs]],
            [entry.key for entry in self.openings],
            [member.name for member in self.newcomers],
        ]
        if self.claims:  # without any, forms from before an update keep their digests
            parts.append([row.key for row in self.claims])
        return sha256(json.dumps([self.digest, parts]).encode()).hexdigest()[:16]


def build(
    table: Table, contents: FileContents, answers: Mapping[str, str], *, by: User, at: datetime
) -> ImportPreview:
    """Return the effect of importing the file into the table as this owner at this moment.

    `answers` are the members here (or NEW_MEMBER) for people of the file, by their slugs there. Raise
    RuleError if the file is in another unit of money, or has too many new rows.
    """
    theirs, ours = contents.table.unit, table.unit
    if (theirs, contents.table.decimals) != (ours, table.decimals):
        raise RuleError(_("This file counts in {theirs}, this table in {ours}.", theirs=theirs, ours=ours))
    table_people = People.of(table)
    players, questions = member_matching.match_members(table, contents, table_people, answers)
    preview = ImportPreview(contents.digest, questions)
    if not preview.is_open:
        _PreviewBuilder(table, contents, table_people, players, preview, by=by, at=at).read()
    import_size.check(preview.count)
    return preview


class _PreviewBuilder:
    """A reader that compares the rows of a file with those of the table, one after the other."""

    def __init__(
        self,
        table: Table,
        contents: FileContents,
        table_people: People,
        players: Mapping[str, Player],
        preview: ImportPreview,
        *,
        by: User,
        at: datetime,
    ) -> None:
        self._table, self._contents = table, contents
        self._table_people, self._preview = table_people, preview
        self._by, self._at = by, at
        self._players, self._confirmations = players, roster.first_confirmations(table, table_people)
        self._ids = {slug: player.id for slug, player in players.items()}
        self._table_players = {
            slug: Player(member.slug, member.name) for slug, member in table_people.by_slug.items()
        }
        new = {player.id: player.name for player in players.values() if player.id not in table_people.by_slug}
        self._new_members = membership.build_members(table, table_people.members, new)
        self._members = {**table_people.by_slug, **{member.slug: member for member in self._new_members}}

    def read(self) -> None:
        """Add the rows to the preview, and the new members who occur in them."""
        self._read_games()
        self._read_payments()
        self._read_costs()
        self._read_openings()
        preview = self._preview
        games = [*preview.games, *preview.continued_games]
        named = member_matching.member_slugs(games, preview.payments, preview.costs, preview.openings)
        preview.newcomers = [member for member in self._new_members if member.slug in named]

    def _skip(self, where: Text, problem: Text = DIFFERS) -> None:
        self._preview.skipped.append(_("{where}: {problem}", where=where, problem=problem))

    # --- games --------------------------------------------------------------------------------------------------------

    def _read_games(self) -> None:
        known = {game.key: game for game in self._table.games.all()}
        theirs = [whole for whole in self._contents.games if whole.game.discarded_at is None]
        self._preview.ended_count += len(self._contents.games) - len(theirs)
        games = [known[whole.game.key] for whole in theirs if whole.game.key in known]
        records = Record.objects.filter(game__in=games).order_by("game", "number")
        rows = bulk.group_values(
            (game, (kind, with_players(kind, data, self._table_players)))
            for game, kind, data in records.values_list("game", "kind", "data")
        )
        nights = self._count_notebook_nights(but=games)
        seasons = list(self._table.seasons.all())
        for number, whole in enumerate(theirs, start=1):
            day = date.fromordinal(whole.game.night_number)
            name = game_reader.game_description(whole.batches[0].events[0], day)
            existing_game = known.get(whole.game.key)
            named = member_matching.game_slugs(whole)
            if len({self._ids[slug] for slug in named}) < len(named):
                self._skip(name, NAMED_TWICE)
                continue
            imported_game = self._convert_game(whole, existing_game or self._build_game(whole.game, number))
            night = imported_game.game.night_number, _notebook_key(imported_game)
            if existing_game is not None:
                self._compare_game(imported_game, rows[existing_game.pk], name)
            elif nights[night]:
                nights[night] -= 1
                self._preview.known_count += 1
            else:
                imported_game.game.season = days.season_among(seasons, day)
                self._preview.games.append(imported_game)

    def _count_notebook_nights(self, *, but: Sequence[Game]) -> Counter[tuple[int, str]]:
        """Return how often the table has each night of a notebook, apart from these games.

        Such a night is recognized by its day, people and figures, whatever its key: two copies of a table may
        have it from the same notebook.
        """
        nights = Record.objects.filter(game__table=self._table, kind=NightImported.kind)
        counting = nights.filter(game__discarded_at=None).exclude(game__in=but)
        rows = counting.values_list("game__night_number", "data")
        return Counter(
            (number, _night_key(with_players(NightImported.kind, data, self._table_players)))
            for number, data in rows
        )

    def _build_game(self, row: Game, number: int) -> Game:
        """Return the row of a new game; `number` makes the key of a game without one."""
        game = copy(row)
        game.code, game.started_at = new_code(), min(row.started_at, self._at)
        game.key = row.key or f"{self._at.isoformat()} {number}"
        if row.spot_nets is not None:
            cash_settlement.set_mark(
                game, roster.sum_by_current_member(row.spot_nets, self._ids), by=self._by, at=self._at
            )
        return game

    def _convert_game(self, whole: NewGame, game: Game) -> NewGame:
        """Return a game of the file with the people of this table, recorded by the importing user."""
        game.table = self._table
        batches = [
            Batch(
                batch.after,
                tuple(
                    from_data(kind, with_players(kind, data, self._players))
                    for kind, data in event_store.event_contents(batch.events)
                ),
                *(batch.key or game.key, min(batch.at, self._at), self._by, self._at),
            )
            for batch in whole.batches
        ]
        is_alike = all(slug == self._ids[slug] for slug in member_matching.game_slugs(whole))
        state = whole.state if is_alike else replay([event for batch in batches for event in batch.events])
        return NewGame(game, batches, state)

    def _compare_game(self, theirs: NewGame, existing_events: Sequence[Content], name: Text) -> None:
        """Note whether the existing game has all of the file's events, lacks some, or differs."""
        there = event_store.event_contents(event for batch in theirs.batches for event in batch.events)
        rest = [batch for batch in theirs.batches if batch.after >= len(existing_events)]
        if existing_events[: len(there)] != there[: len(existing_events)]:
            self._skip(name)
        elif len(there) <= len(existing_events):
            self._preview.known_count += 1
        elif theirs.game.discarded_at is None and rest and rest[0].after == len(existing_events):
            self._preview.continued_games.append(NewGame(theirs.game, rest, theirs.state))
        else:
            self._skip(name)

    # --- money --------------------------------------------------------------------------------------------------------

    def _read_payments(self) -> None:
        known = {(row.key, *self._table_people.slug_pair(row)): row for row in self._table.payments.all()}
        for row in self._contents.payments:
            payer, payee = (self._members[self._ids[end.slug]] for end in (row.payer, row.payee))
            existing_payment = known.get((row.key, payer.slug, payee.slug))
            is_same = existing_payment is None or (existing_payment.amount, existing_payment.paid_on) == (
                row.amount,
                row.paid_on,
            )
            where = row_label(row.amount, payer, payee)
            if self._is_new(row, existing_payment, where, is_same=is_same):
                try:
                    if payer == payee:
                        raise RuleError(NAMED_TWICE)
                    payments.check_can_record(payer, payee, Method(row.method), by=self._by, role=Role.OWNER)
                except RuleError as refusal:
                    self._skip(where, refusal.text)
                else:
                    self._preview.payments.append(self._convert_payment(row, payer, payee))

    def _convert_payment(self, row: Payment, payer: Member, payee: Member) -> Payment:
        """Return a payment of the file for this table."""
        payment = self._convert_row(row, payer=payer, payee=payee)
        if payments.must_be_confirmed(payment, self._confirmations.get(payee.pk), by=self._by):
            payment.is_claim, payment.confirmed_at = True, None
        payment.confirmed_by = self._by if payment.confirmed_at else None
        payment.disputed_by = self._by if payment.disputed_at else None
        return payment

    def _read_costs(self) -> None:
        stored = list(self._table.costs.select_related("payer"))
        current = {row.first_pk: row for row in stored if row.replaced_at is None}
        known = {row.key: current[row.first_pk] for row in stored}
        expenses = bulk.group_values((id(row.first or row), row) for row in self._contents.costs)
        for versions in expenses.values():
            (row,) = (version for version in versions if version.replaced_at is None)
            paid, borne = self._expense_sums(row, self._ids)
            payer = self._members[shares.main_payer(paid, self._members)]
            existing_cost = next((known[version.key] for version in versions if version.key in known), None)
            where, is_same = row_label(row.amount, payer), True
            if existing_cost is not None:
                sums = self._expense_sums(existing_cost, self._table_people.slugs)
                is_same = (existing_cost.night, *sums) == (row.night, paid, borne)
                is_same = is_same and not (row.counts and existing_cost.state in UNANSWERED)
            elif row.state is ExpenseState.WAITS:
                self._skip(where, _("It waits for a yes there."))
                continue
            if not self._is_new(row, existing_cost, where, is_same=is_same):
                continue
            if row.is_forgiven and payer.belongs_to(self._by):
                self._skip(where, _("You can't forgive your own debt."))
            elif not any(shares.expense_nets(paid, borne).values()):  # two of the file are one member here
                self._skip(where, NAMED_TWICE)
            else:
                self._preview.costs += self._convert_versions(versions)

    def _expense_sums(self, row: SharedCost, slugs: Mapping[str, str]) -> list[dict[str, int]]:
        """Return what each person paid and bears of an expense. `slugs` are those of its members here."""
        return [dict(roster.sum_by_current_member(some, slugs)) for some in (row.paid_by_slug, row.borne)]

    def _convert_versions(self, versions: Sequence[SharedCost]) -> list[SharedCost]:
        """Return all versions of an expense of the file for this table."""
        new: dict[int, SharedCost] = {}
        for row in versions:
            paid, borne = self._expense_sums(row, self._ids)
            payer = self._members[shares.main_payer(paid, self._members)]
            ends = {"payer": payer, "paid": paid if len(paid) > 1 else {}, "borne": borne}
            new[id(row)] = version = self._convert_row(row, **ends)
            version.first, version.replaces = new.get(id(row.first)), new.get(id(row.replaces))
            version.replaced_by = self._by if row.replaced_at else None
            version.is_proposal, version.proposer = False, None
            version.accepted_at = version.accepted_by = None
        return [*new.values()]

    def _convert_row(self, row: Money, **ends: Any) -> Money:
        new_row = copy(row)
        ends |= {"table": self._table, "arrived_at": self._at, "recorded_by": self._by}
        for name, value in ends.items():
            setattr(new_row, name, value)
        return new_row

    def _is_new(
        self,
        there: Payment | SharedCost,
        existing_row: Payment | SharedCost | None,
        where: Text,
        *,
        is_same: bool,
    ) -> bool:
        """Return whether this payment or expense is valid and new here; if not, count it or note why."""
        is_ended = there.ended_at is not None or there.state is ExpenseState.REFUSED
        if existing_row is None:
            self._preview.ended_count += is_ended
            return not is_ended
        if is_same and (there.ended_at is None or existing_row.ended_at is not None):
            self._preview.known_count += 1
        else:
            self._skip(where)
        return False

    def _read_openings(self) -> None:
        current_slugs, stored = self._table_people.slugs, list(self._table.entries.exclude(key=None))
        used_keys = {entry.key for entry in stored}
        reverted = set(self._table.arrivals.exclude(ended_at=None).values_list("at", flat=True))
        known = {
            starting_balances.original_key(entry): roster.sum_by_current_member(
                entry.differences, current_slugs
            )
            for entry in stored
            if entry.at not in reverted
        }
        for entry in starting_balances.exclude_voided(self._contents.entries):
            differences = roster.sum_by_current_member(entry.differences, self._ids)
            existing_differences = known.get(starting_balances.original_key(entry))
            key = starting_balances.find_free_key(entry, used_keys)
            if existing_differences == differences:
                self._preview.known_count += 1
            elif existing_differences is not None or key is None:
                self._skip(_("Starting balances"))
            else:
                opening = copy(entry)
                opening.key, opening.differences = key, dict(differences)
                self._preview.openings.append(opening)


def _notebook_key(whole: NewGame) -> str:
    """Return a key that tells apart the notebook nights of a day; "" for a game that was played here."""
    (kind, data), *_rest = event_store.event_contents(whole.batches[0].events)
    return _night_key(data) if kind == NightImported.kind else ""


def _night_key(night: Data) -> str:
    return json.dumps([night["variant"], *(sorted(night[name]) for name in ("places", "totals", "nets"))])


def row_label(amount: int, *people: Member) -> Text:
    """Return a label for a payment or an expense: its people and its amount."""
    names = " → ".join(naming.isolate(member.name) for member in people)
    return Text("{names}, {amount}", {"names": names, "amount": MoneyParam(amount)})
