"""Merge two members who are one person, and separate them again. Past games keep showing the names they had.

Their rows and ids stay as they are; their debts become those of one person.

A merge can be undone only while its debts are as it left them and nothing later concerns the merged person:
no event of their games, no payment or expense of theirs, no change to one, and no merge of a third member
into them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from hashlib import sha256
from operator import or_

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils.timezone import now

from games.common import days, locks, naming, roles
from games.common.event_store import EventLog
from games.models import EntryKind, Game, Member, Payment, Record, Table
from games.money.services import accounting
from games.money.services.accounting import StaleAccounts
from games.money.services.ledgers import Ledger
from games.scoring.debts import Debts
from games.scoring.errors import RuleError, ScoringError
from games.scoring.i18n import Text, _
from games.scoring.replay import replay
from games.tables.services import lobby
from games.tables.services.roster import People


@dataclass(frozen=True)
class MergePreview:
    """The effect of merging one member into another.

    `before` are the balances of both members, `after` is their joint balance. `debts` are all debts now, by
    slugs, and `debts_after` those after the merge. `payments_between` are the payments between the two, which
    a merge ends. `shared_game` is the newest game that both played in. `refusal` is the reason why the merge
    is impossible, None if it is possible.
    """

    member: Member
    into: Member
    before: tuple[int, int]
    after: int
    debts: Debts
    debts_after: Debts
    payments_between: Sequence[Payment]
    shared_game: Game | None
    refusal: Text | None

    @property
    def digest(self) -> str:
        """A digest of the effect; any change in the effect changes it."""
        fields = [
            [self.member.slug, self.into.slug, *self.before],
            [[line.payer, line.payee, line.amount] for line in (*self.debts, *self.debts_after)],
            [payment.pk for payment in self.payments_between],
        ]
        return sha256(json.dumps(fields).encode()).hexdigest()[:16]


def preview(member: Member, into: Member) -> MergePreview:
    """Return the effect of merging `member` into `into`.

    Raise RuleError unless these are two members of one table and neither is merged already.
    """
    table, people = member.table, People.of(member.table)
    if member == into:
        raise RuleError(_("Choose two people."), field="into")
    if not {member, into} <= set(people.current_members):
        raise RuleError(_("One of them is already merged with another member."), field="into")
    ledger = Ledger(table, at=now(), people=people)
    debts, balances = ledger.debts, accounting.total_balances(people, ledger.debts)
    before = balances[member.slug], balances[into.slug]
    ledger.merge(member, into, night=days.night_for(ledger.at, table))
    ledger.finish()
    shared_game = _find_shared_game(table, _person_slugs(people, member), _person_slugs(people, into))
    return MergePreview(
        member=member,
        into=into,
        before=before,
        after=sum(before),
        debts=debts,
        debts_after=ledger.debts,
        payments_between=list(
            _payments_between(people, member, into).select_related("payer", "payee").order_by("pk")
        ),
        shared_game=shared_game,
        refusal=_merge_refusal(member, into, shared_game),
    )


MERGE_FIELDS = ("merged_into", "merged_at", "merged_by")


def merge(member: Member, into: Member, *, seen: str, by: User, at: datetime | None = None) -> Member:
    """Merge a member into another, who then owns the games and payments of both.

    Repeating the call changes nothing. Lock the table, and retry if somebody writes meanwhile: raise
    ConcurrentChange if all attempts fail. Raise RuleError if the two cannot be merged, and StaleAccounts if
    the effect no longer has the digest `seen`.
    """
    table = member.table
    if table.members.filter(pk=member.pk, merged_into=into).exists():  # an earlier tap merged them
        return member

    def compute() -> MergePreview:
        member.refresh_from_db()
        into.refresh_from_db()
        return preview(member, into)

    def write(_locked: Table, effect: MergePreview) -> None:
        refusal = effect.refusal or _phones_refusal(member, into)  # a new phone does not bump the version
        if refusal is not None:
            raise RuleError(refusal, field="into")
        if effect.digest != seen:
            raise StaleAccounts
        _store_merge(member, into, effect.payments_between, by=by, at=at or now())

    locks.write_unless_changed(table, compute, write)
    return member


def _store_merge(
    member: Member, into: Member, payments: Sequence[Payment], *, by: User, at: datetime
) -> None:
    table = member.table
    ledger = Ledger(table, at=at, by=by)
    ledger.merge(member, into, night=days.night_for(at, table))
    ledger.store(locks.bump_version(table))
    counted = Payment.objects.filter(pk__in=[payment.pk for payment in payments])
    counted.update(ended_at=at, ended_by=by)
    member.merged_into, member.merged_at, member.merged_by = into, at, by
    member.save(update_fields=MERGE_FIELDS)
    locks.bump_revision(table)


@transaction.atomic
def unmerge(member: Member, *, by: User) -> Member:
    """Undo a merge and restore the payments that it ended. Repeating the call changes nothing.

    Lock the table. Raise RuleError if the merge can no longer be undone.
    """
    table = locks.lock(member.table)
    member.refresh_from_db()
    if member.merged_into is None:  # an earlier tap undid the merge
        return member
    refusal = unmerge_refusal(member)
    if refusal is not None:
        raise RuleError(refusal)
    if member.retired_at is None:
        roles.check_active_limit(table, field="")
    into, merged_at, parted_at = member.merged_into, member.merged_at, now()
    assert merged_at is not None
    rows = People.of(table).member_pks(into)
    payments = table.payments.filter(payer__in=rows, payee__in=rows, ended_at=merged_at)
    merged = member.entries.get(kind=EntryKind.MERGED, at=merged_at)
    payments.update(ended_at=None, ended_by=None)
    Member.objects.filter(pk=member.pk).update(**dict.fromkeys(MERGE_FIELDS))
    ledger = Ledger(table, at=parted_at, by=by)  # reads the two members apart
    if not ledger.split(merged, night=days.night_for(parted_at, table), member=member):
        raise RuleError(_("Can't be undone: one of their debts has changed since."))
    ledger.store(locks.bump_version(table))
    member.refresh_from_db(fields=MERGE_FIELDS)
    locks.bump_revision(table)
    return member


def unmerge_refusal(member: Member) -> Text | None:
    """Return the reason why this merge cannot be undone, None if it can. The debts are not checked."""
    table, since, people = member.table, member.merged_at, People.of(member.table)
    person = people.by_pk[member.pk]
    rows = people.member_pks(person)
    if person.pk != member.merged_into_id or table.members.filter(pk__in=rows, merged_at__gt=since).exists():
        return _("Another member was merged with them since. Undo that first.")
    if any(naming.names_match(member.name, other.name) for other in people.current_members):
        return _("Both would be called {name}: choose another name first.", name=member.name)
    paid = table.payments.filter(Q(payer__in=rows) | Q(payee__in=rows))
    changes = ("recorded_at", "confirmed_at", "disputed_at", "ended_at")
    if paid.filter(reduce(or_, (Q(**{f"{change}__gt": since}) for change in changes))).exists():
        return _("Can't be undone: one of their payments was recorded or changed since.")
    games = Record.objects.filter(game__table=table, recorded_at__gt=since).order_by().values("game")
    if _games_naming(table.games.filter(pk__in=games), _person_slugs(people, person)).exists():
        return _("Can't be undone: one of their games was changed since.")
    merged = member.entries.filter(kind=EntryKind.MERGED).latest("number")
    later = table.entries.filter(number__gt=merged.number).values_list("differences", flat=True)
    if any(differences.get(slug) for differences in later for slug in _person_slugs(people, person)):
        return _("Can't be undone: money of theirs was recorded or changed since.")
    if any(
        merged_slug != member.slug and people.by_slug[merged_slug].slug != merged_slug
        for merged_slug in merged.differences
    ):
        return _("Can't be undone: another member with a debt of theirs was merged since.")
    return None


# --- refusals ---------------------------------------------------------------------------------------------------------


def _merge_refusal(member: Member, into: Member, shared_game: Game | None) -> Text | None:
    if into.retired_at is not None and member.retired_at is None:
        return _("{name} no longer plays: merge in the other direction.", name=into.name)
    return _phones_refusal(member, into) or (
        _("Both played in the same game, so they are two people.") if shared_game else None
    )


def _phones_refusal(member: Member, into: Member) -> Text | None:
    """Return a refusal if both members have a phone, even if only for tonight; None otherwise."""
    if lobby.member_phones(member.table, member) and lobby.member_phones(member.table, into):
        names = {"name": member.name, "other": into.name}
        return _("{name} and {other} have two phones. Revoke access for one first.", **names)
    return None


def _person_slugs(people: People, member: Member) -> frozenset[str]:
    """Return the slugs that events may have for this person: their own and those of merged members."""
    rows = set(people.member_pks(member))
    return frozenset(candidate.slug for candidate in people.members if candidate.pk in rows)


def _payments_between(people: People, member: Member, into: Member) -> QuerySet[Payment]:
    member_pks, other = people.member_pks(member), people.member_pks(into)
    both = Q(payer__in=member_pks, payee__in=other) | Q(payer__in=other, payee__in=member_pks)
    return member.table.payments.filter(both, ended_at=None)


# --- shared games -----------------------------------------------------------------------------------------------------


def _find_shared_game(table: Table, member_slugs: Collection[str], other: Collection[str]) -> Game | None:
    """Return the newest game, discarded or not, that seated both people at the same time."""
    newest = _games_naming(_games_naming(table.games.all(), member_slugs), other).order_by(
        "-started_at", "-pk"
    )
    return next((game for game in newest if _were_seated_together(game, member_slugs, other)), None)


def _games_naming(games: QuerySet[Game], slugs: Collection[str]) -> QuerySet[Game]:
    """Return those of the games whose events name one of these players, by searching the JSON text."""
    named = Q()
    for slug in slugs:
        named |= Q(text__contains=f'"{slug}"')
    records = Record.objects.filter(game__in=games).annotate(text=Cast("data", TextField())).filter(named)
    return games.filter(pk__in=records.order_by().values("game"))


def _were_seated_together(game: Game, member_slugs: Collection[str], other: Collection[str]) -> bool:
    """Return whether both people were ever seated at the same time; True if the log cannot be replayed."""
    try:
        return any({*member_slugs} & seats and {*other} & seats for seats in _seated_players(game))
    except ScoringError:
        return True


def _seated_players(game: Game) -> Iterator[set[str]]:
    """Yield the slugs of the seated players after each batch of events, newest batch first."""
    book = EventLog.load(game)
    for batch in reversed(book.batches()):
        yield {player.id for player in replay(book.log[: batch[-1]]).players}
