"""The reader of all rows of a table's file except its games: table, members, seasons, money and ledger.

The database checks that the columns of a payment or an expense fit together when they are stored. `value` is
always the JSON object to read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from games import models
from games.common import json_reader
from games.common.json_reader import InvalidFile, JsonObjectReader
from games.files.services import file_schema
from games.files.services.file_contents import FileContents
from games.scoring.i18n import _
from games.scoring.shares import expense_nets, expense_shares
from games.scoring.step_budget import spend_steps
from games.scoring.text.notation import parse_id
from games.seasons.services import season_setup
from games.tables.services import setup


def read_table_row(value: object) -> FileContents:
    """Return contents with the unsaved table. Its code is not in the file: the import creates a new one.

    A table without an identity in the file gets a new one too.
    """
    table = models.Table()
    contents = FileContents(table, "")
    for column, part in file_schema.read_row(value, file_schema.TABLE, contents).items():
        setattr(table, column, part)
    if table.identity and not models.is_code(table.identity, length=models.IDENTITY_LENGTH):
        raise InvalidFile(_("“{id}” is not a table id.", id=table.identity))
    if table.timezone == "localtime":  # Debian's name of its own zone, taken by earlier versions
        table.timezone = settings.TIME_ZONE
    setup.check_locale(table.language, table.timezone, table.region)
    table.identity = table.identity or models.new_identity()
    return contents


def read_member(value: Any, contents: FileContents) -> None:
    """Add one member to the contents, without merges (`read_merges`). Raise InvalidFile if it is invalid."""
    member = models.Member(table=contents.table, **file_schema.read_row(value, file_schema.PERSON, contents))
    slug = parse_id(member.slug)
    if slug in contents.members:
        raise InvalidFile(_("Two members have the id “{id}”.", id=slug))
    contents.members[slug] = member


def read_merges(values: list[Mapping[str, Any]], contents: FileContents) -> None:
    """Set `merged_into` of each merged member. Raise InvalidFile if the merges form a circle.

    `values` are the JSON objects of all members, in the order of `contents.members`.
    """
    for value, member in zip(values, contents.members.values(), strict=True):
        fields = JsonObjectReader(value)
        into, merged_at = fields.part("merged_into"), fields.moment_or_none("merged_at")
        member.merged_into = None if into is None else contents.get_member(into)
        if len({into is None, merged_at is None, fields.part("merged_by") is None}) > 1:
            raise InvalidFile(_("The merge of “{id}” lacks its target or its time.", id=member.slug))
        if into is not None:
            member.merged_at, member.merged_by = merged_at, contents.get_recorder(fields, "merged_by")
    contents.current_slugs = _resolve_merges(contents.members)


def _resolve_merges(members: Mapping[str, models.Member]) -> dict[str, str]:
    """Return the slug of the member that each member is now. Raise InvalidFile if merges form a circle."""
    current_slugs: dict[str, str] = {}
    for member in members.values():
        chain, end = {member.slug}, member
        while end.merged_into is not None and end.slug not in current_slugs:
            end = end.merged_into
            if end.slug in chain:
                raise InvalidFile(_("The merges of member “{id}” go in a circle.", id=member.slug))
            chain.add(end.slug)
        current_slugs |= dict.fromkeys(chain, current_slugs.get(end.slug, end.slug))
    return current_slugs


def read_season(value: Any, contents: FileContents) -> None:
    """Add one season to the contents. Raise InvalidFile unless it begins after the season before it."""
    season = models.Season(table=contents.table, **file_schema.read_row(value, file_schema.SEASON, contents))
    season.order = season.order and season_setup.parse_order(season.order)
    if contents.seasons and season.starts_on <= contents.seasons[-1].starts_on:
        raise InvalidFile(_("It must start after the previous season."))
    contents.seasons.append(season)


def read_payment(value: Any, contents: FileContents) -> None:
    payment = models.Payment(
        table=contents.table, **file_schema.read_row(value, file_schema.PAYMENT, contents)
    )
    if payment.method not in METHODS:
        raise InvalidFile(_("“{method}” is not a payment method.", method=payment.method))
    contents.payments.append(payment)


def read_cost(value: Any, contents: FileContents) -> None:
    """Add one expense to the contents. Raise InvalidFile if it is invalid."""
    spend_steps(EXPENSE_STEPS)
    if isinstance(value, dict) and "sharers" in value:
        value = _with_shares(value, contents)
    cost = models.SharedCost(table=contents.table, **file_schema.read_row(value, file_schema.COST, contents))
    contents.check_unused_key(cost.key, "cost")
    borne = JsonObjectReader(cost.borne, contents.members)
    parts = [borne.whole(slug, least=0, most=cost.amount) for slug in cost.borne]
    paid = JsonObjectReader(cost.paid, contents.members)
    payments = [paid.whole(slug, least=1, most=cost.amount) for slug in cost.paid]
    if cost.paid and (cost.payer.slug not in cost.paid or sum(payments) != cost.amount or cost.is_forgiven):
        raise InvalidFile(_("What several paid for an expense must add up to its amount."))
    if sum(parts) != cost.amount or not any(expense_nets(cost.paid_by_slug, cost.borne).values()):
        raise InvalidFile(
            _("The shares of an expense must add up to its amount, and can't be the payer's alone.")
        )
    cost.is_proposal = cost.proposer is not None
    if cost.replaces is not None:
        cost.first = cost.replaces.first or cost.replaces
        if (cost.night, cost.is_forgiven) != (cost.first.night, cost.first.is_forgiven):
            raise InvalidFile(_("A correction of an expense can't change its night or what it is."))
    if cost.ended_at is None and cost.replaced_at is None:
        cost.reason = ""
    contents.costs.append(cost)


def check_versions(contents: FileContents) -> None:
    """Raise InvalidFile unless each expense has exactly one version that is not replaced."""
    current = [id(cost.first or cost) for cost in contents.costs if cost.replaced_at is None]
    if sorted(current) != sorted(id(cost) for cost in contents.costs if cost.first is None):
        raise InvalidFile(_("Of the versions of an expense, one counts."))


def _with_shares(value: dict[str, Any], contents: FileContents) -> dict[str, Any]:
    """Return an expense of a file of version 1.0, which names equal sharers, with everybody's share."""
    fields = JsonObjectReader(value, FIELDS_WITH_SHARERS)
    payer = contents.get_member(fields.part("payer"))
    amount = file_schema.COST["amount"].read(fields, "amount", contents)
    sharers = fields.read_list("sharers", most=models.MOST_MEMBERS)
    spend_steps(SHARING_STEPS + SHARER_STEPS * len(sharers))
    parts = {contents.get_member(slug).slug: 1 for slug in sharers}
    seats = sorted({payer.slug, *parts}, key=contents.member_places.__getitem__)
    other_fields = {name: part for name, part in value.items() if name != "sharers"}
    return {
        **other_fields,
        "borne": expense_shares(amount, {payer.slug: amount}, parts, seats) if parts else {},
    }


EntryKind = models.EntryKind
KINDS_BY_CAUSE: Mapping[str, set[models.EntryKind]] = {  # the kinds of entries that name a row of this kind
    "game": {
        EntryKind.ENDED,
        EntryKind.CORRECTED,
        EntryKind.REOPENED,
        EntryKind.DISCARDED,
        EntryKind.RESTORED,
        EntryKind.ON_THE_SPOT,
    },
    "payment": {EntryKind.PAID, EntryKind.UNPAID},
    "cost": {EntryKind.SHARED, EntryKind.CORRECTED, EntryKind.UNSHARED},
    "member": {EntryKind.MERGED, EntryKind.PARTED},
}
KINDS = frozenset(EntryKind)
METHODS = frozenset(models.Method)
FIELDS_WITH_SHARERS = frozenset(file_schema.COST.keys() - {"borne"} | {"sharers"})
# Files from before 1.1 have `since`, which is not used any more.
DEBT_FIELDS = frozenset(("debtor", "creditor", "amount", "version", "since"))
# The measured steps of an expense besides those of a row, and of sharing it out.
EXPENSE_STEPS, SHARING_STEPS, SHARER_STEPS = 40, 200, 4
LINE_FORM = _("A line needs a payer, a payee and an amount.")
MOST_LINES = 2000
LARGEST_DEBT = 10**17


def read_entry(value: Any, contents: FileContents) -> None:
    """Add one ledger entry to the contents. Raise InvalidFile if it is invalid or does not add up to zero."""
    entry = models.Entry(table=contents.table, **file_schema.read_row(value, file_schema.ENTRY, contents))
    if entry.cost is not None and entry.cost.first is not None:
        raise InvalidFile(_("An entry names the first version of its expense."))
    number = len(contents.entries) + 1
    if entry.number != number:
        raise InvalidFile(_("It should be number {number}.", number=number))
    if entry.kind not in KINDS:
        raise InvalidFile(_("“{kind}” is not a kind of entry.", kind=entry.kind))
    fields = JsonObjectReader(value, file_schema.ENTRY)
    read_differences(fields, "differences", contents)
    possible = {name for name, kinds in KINDS_BY_CAUSE.items() if entry.kind in kinds}
    named = {name for name in KINDS_BY_CAUSE if getattr(entry, name) is not None}
    if not (named <= possible and len(named) == min(1, len(possible))):
        raise InvalidFile(_("An entry of the kind “{kind}” has another cause.", kind=entry.kind))
    if entry.kind == EntryKind.UNOPENED and not re.fullmatch(r"back [0-9]{1,9}", entry.key or ""):
        raise InvalidFile(_("It should name the balances it voids."))
    if entry.key is not None:
        contents.check_unused_key(entry.key, "entry")
    for name in ("before", "after"):
        _check_debt_lines(fields, name, entry.differences)
    contents.entries.append(entry)


def read_debt(value: Any, contents: FileContents) -> None:
    """Add one debt to the contents. Raise InvalidFile if it is invalid."""
    fields = JsonObjectReader(value, DEBT_FIELDS)
    debtor = contents.get_member(fields.part("debtor"))
    creditor = contents.get_member(fields.part("creditor"))
    amount, newest = fields.whole("amount", least=1, most=LARGEST_DEBT), len(contents.entries)
    places = contents.member_places
    is_as_joined = places[creditor.slug] < places[debtor.slug]
    contents.debts.append(
        models.Debt(
            table=contents.table,
            one=creditor if is_as_joined else debtor,
            other=debtor if is_as_joined else creditor,
            amount=amount if is_as_joined else -amount,
            version=fields.whole("version", least=1, most=newest),
        )
    )


def read_differences(fields: JsonObjectReader, name: str, contents: FileContents) -> dict[str, int]:
    """Return the amounts by slug in the field `name`. Raise InvalidFile unless they add up to zero."""
    value = fields.part(name)
    named = JsonObjectReader(value)
    differences = {}
    for slug in value:
        differences[contents.get_member(slug).slug] = named.whole(
            slug, least=-LARGEST_DEBT, most=LARGEST_DEBT
        )
    if sum(differences.values()):
        raise InvalidFile(_("“{name}” does not add up to zero.", name=name))
    return differences


def _check_debt_lines(fields: JsonObjectReader, name: str, people: Mapping[str, int]) -> None:
    """Raise InvalidFile unless the field has debts as they are stored.

    Each is a list of the debtor's slug, the creditor's slug and the amount.
    """
    for line in fields.read_list(name, most=MOST_LINES):
        if not isinstance(line, list) or len(line) != 3:
            raise InvalidFile(LINE_FORM)
        debtor, creditor, amount = line
        if not isinstance(debtor, str) or not isinstance(creditor, str):
            raise InvalidFile(LINE_FORM)
        if debtor == creditor or debtor not in people or creditor not in people:
            raise InvalidFile(_("A debt in an entry is between two of its people."))
        json_reader.read_whole("amount", amount, least=1, most=LARGEST_DEBT)
