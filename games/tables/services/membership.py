"""The members of a table: adding, renaming, retiring and reactivating them.

Events contain player ids instead of names, so a new name shows in every past game too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.timezone import now

from games.common import event_store, locks, naming, roles
from games.common.bulk import BulkRows
from games.models import ACCOUNT_LENGTH, COLOURS, MOST_MEMBERS, NAME_LENGTH, Game, Member, Table
from games.scoring import corrections
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.scoring.text_line import clean_line
from games.tables.services.roster import People


def update(member: Member, *, name: str, colour: int) -> None:
    """Set a member's name and color, a number from 1 to COLOURS.

    Lock the table. Raise RuleError if the name or color is not valid, or if another person has the name. A
    name of a member who was merged into this one is not taken.
    """
    is_new = name != member.name
    name = naming.clean_name(name, longest=NAME_LENGTH) if is_new else name
    with transaction.atomic():
        table = locks.lock(member.table)
        if is_new:
            naming.check_name_free(name, _taken_names(table, but=member))
        if not 1 <= colour <= COLOURS:
            raise RuleError(_("Choose one of the colors."), field="colour")
        if (member.name, member.colour) != (name, colour):
            member.name, member.colour = name, colour
            member.save(update_fields=["name", "colour"])
            locks.bump_revision(table)
            locks.bump_version(table)


# Called, under the table's lock, with its new version when a member retires or plays again. The accounts, whose
# package this one does not import, are told so.
status_listeners: list[Callable[[Table, int], None]] = []


def _tell_listeners(table: Table) -> None:
    version = locks.bump_version(table)
    for listener in status_listeners:
        listener(table, version)


@transaction.atomic
def reactivate(member: Member) -> Member:
    """Let a retired member play again. A repeated call changes nothing.

    Lock the table. Raise RuleError if it has too many active members.
    """
    locks.lock(member.table)
    member.refresh_from_db()
    if member.retired_at is not None:
        reactivate_all([member])
    return member


def reactivate_all(members: Collection[Member]) -> None:
    """Let these retired members of one table play again, like `reactivate`. The caller holds its lock."""
    if not members:
        return
    table = next(iter(members)).table
    roles.check_active_limit(table, field="", new_count=len(members))
    Member.objects.filter(pk__in=[member.pk for member in members]).update(retired_at=None)
    for member in members:
        member.retired_at = None
    _tell_listeners(table)


def add(table: Table, name: str, *, known: int = MOST_MEMBERS) -> Member:
    """Add a member with a name as typed, like `add_with_stored_name`.

    Also raise RuleError if the name is not valid.
    """
    return add_with_stored_name(table, naming.clean_name(name, longest=NAME_LENGTH), known=known)


@transaction.atomic
def add_with_stored_name(table: Table, name: str, *, known: int = MOST_MEMBERS) -> Member:
    """Add a member with a name that `clean_name` returned, a new player id and the next color.

    `known` is the number of members that the form's page showed. If a member with this name was added since,
    return that member: the second request of a double tap adds nobody. Lock the table. Raise RuleError if
    another member has the name, or if the table is full.
    """
    locks.lock(table)
    members = list(table.members.all())
    for member in members[known:]:
        if naming.names_match(member.name, name) and member in table.members.active():
            return member
    roles.check_active_limit(table)
    slug = naming.slug_for(name, {member.slug for member in members})
    (member,) = build_members(table, members, {slug: name})
    insert_members(table, BulkRows([member]))
    return member


def build_members(table: Table, members: Collection[Member], names: Mapping[str, str]) -> list[Member]:
    """Return new, unsaved members of the table. `names` has their names by player id.

    `members` are the table's existing members. The new ones get the colors that follow theirs.
    """
    return [
        Member(table=table, slug=slug, name=name, colour=place % COLOURS + 1)
        for place, (slug, name) in enumerate(names.items(), start=len(members))
    ]


def insert_members(
    table: Table, new_members: BulkRows[Member], *, by: Callable[[str], str] = naming.unaccented_key
) -> None:
    """Store the new members. The caller holds the table's lock.

    Raise RuleError if the table would have too many members, or if one of the names is taken; `by` is the
    comparison key of `check_name_free`. The limit on active members does not apply, because an old notebook
    also has people who stopped playing.
    """
    roles.check_member_limit(table, new_count=len(new_members.rows))
    names = _taken_names(table)
    for member in new_members.rows:
        naming.check_name_free(member.name, names, by=by)
        names[member.name] = member.name
    if new_members.rows:
        new_members.insert()
        locks.bump_version(table)


def _taken_names(table: Table, *, but: Member | None = None) -> dict[str, str]:
    """Return the taken names of a table, each with the present name of the person who has it.

    A merged member and the one they became are one person. Names of the person `but` are left out.
    """
    members = {member.pk: member for member in table.members.all()}

    def follow_merges(member: Member) -> Member:
        while member.merged_into_id is not None:
            member = members[member.merged_into_id]
        return member

    free = None if but is None else follow_merges(members[but.pk])
    people = [(member.name, follow_merges(member)) for member in members.values()]
    return {name: person.name for name, person in people if person != free}


# --- the holders of accounts ------------------------------------------------------------------------------------------


def set_payment_details(member: Member, text: str) -> Member:
    """Set the text that tells others how to send this member money, such as a bank alias. Lock the table."""
    account = clean_line(text, longest=ACCOUNT_LENGTH, field="account")
    with transaction.atomic():
        locks.lock(member.table)
        member.refresh_from_db()
        if member.account != account:
            member.account = account
            member.save(update_fields=["account"])
            locks.bump_version(member.table)
        return member


def retire(member: Member, *, at: datetime | None = None) -> Member:
    """Retire a member. Their debts stay in the accounts until they are paid. A repeated call changes nothing.

    Lock the table. Raise RuleError if they are playing in an unfinished game or were merged into another
    member, and ConcurrentChange if other writers keep changing the table.
    """

    def write(table: Table, player_slugs: Collection[str]) -> None:
        member.refresh_from_db()
        if member.retired_at is not None:
            return
        if member.merged_into_id is not None:
            raise RuleError(_("{name} was merged with another member of this table.", name=member.name))
        people = People.of(table)
        if member in {people.by_slug[player] for player in player_slugs}:
            raise RuleError(_("{name} is in a game in progress. End it first.", name=member.name))
        member.retired_at = at or now()
        member.save(update_fields=["retired_at"])
        if table.pens.filter(member__in=people.member_pks(member)).end():
            locks.bump_revision(table)
        _tell_listeners(table)

    locks.write_unless_changed(member.table, lambda: _seated_players(member.table), write)
    return member


def _seated_players(table: Table) -> Collection[str]:
    return _players_in(table.games.filter(ended_at=None, discarded_at=None))


def players_since(table: Table, moment: datetime) -> Collection[str]:
    """Return the ids of the players of the games that run, or that have begun since this moment."""
    return _players_in(table.games.filter(Q(ended_at=None) | Q(started_at__gte=moment), discarded_at=None))


def _players_in(games: QuerySet[Game]) -> Collection[str]:
    logs = event_store.load_logs(games.values_list("pk", flat=True))
    return {player for log in logs.values() for player in corrections.players_at_end(log)}
