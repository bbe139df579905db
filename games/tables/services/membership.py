"""The names and colours of members.

Records contain player ids instead of names, so a new name shows in every past game too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime

from django.db import transaction
from django.utils.timezone import now

from games.common import event_store, locks, naming, roles
from games.common.bulk import BulkRows
from games.models import ACCOUNT_LENGTH, COLOURS, MOST_MEMBERS, NAME_LENGTH, Member, Table
from games.scoring.errors import RuleError
from games.scoring.events import players_at_end
from games.scoring.i18n import _
from games.scoring.text_line import clean_line
from games.tables.services.roster import People


def update(member: Member, *, name: str, colour: int) -> None:
    """Set a member's name and colour, a number from 1 to COLOURS. Raise RuleError if one is not valid.

    A name that another person has is refused; the names of members who were merged into this one are free to
    them.
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


@transaction.atomic
def reactivate(member: Member) -> Member:
    """Let a retired member play again. Raise RuleError if the table has too many active members."""
    locks.lock(member.table)
    member.refresh_from_db()
    if member.retired_at is not None:
        roles.check_active_limit(member.table, field="")
        member.retired_at = None
        member.save(update_fields=["retired_at"])
        locks.bump_version(member.table)
    return member


def add(table: Table, name: str, *, known: int = MOST_MEMBERS) -> Member:
    """Add a member with this name, as somebody typed it. `known` and RuleError are those of `add_with_stored_name`."""
    return add_with_stored_name(table, naming.clean_name(name, longest=NAME_LENGTH), known=known)


@transaction.atomic
def add_with_stored_name(table: Table, name: str, *, known: int = MOST_MEMBERS) -> Member:
    """Add a member with a name that `clean_name` returned, a new player id and the next colour.

    `known` is how many members the table had when its reader asked: one of this name who was added since is
    returned, as after a second tap. Raise RuleError if another member has the name or the table is full.
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
    """Return new members of the table, which are not saved yet. `names` has their names by player id.

    `members` are the members that the table has: the new ones get the colours that follow theirs.
    """
    return [
        Member(table=table, slug=slug, name=name, colour=place % COLOURS + 1)
        for place, (slug, name) in enumerate(names.items(), start=len(members))
    ]


def insert_members(
    table: Table, new_members: BulkRows[Member], *, by: Callable[[str], str] = naming.unaccented_key
) -> None:
    """Store the new members in `new_members`, rows prepared for insertion. The caller holds the table's lock.

    Raise RuleError if the table would have too many members, or if another member has one of the names
    (`check_name_free`, which has `by`). More members may be stored than may be active, because an old notebook also
    has people who stopped playing.
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

    A member who was merged into another is the same person as the other. Leave out the names of the person
    `but`.
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
    """Set the text that tells others how to send this member money, such as a bank alias.

    An empty text removes it.
    """
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
    """Let a member play no more. What they owe and are owed stays in the accounts until it is paid.

    Raise RuleError if they play in a game under way, or were merged into another member.
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
        locks.bump_version(table)

    locks.write_unless_changed(member.table, lambda: _seated_players(member.table), write)
    return member


def _seated_players(table: Table) -> Collection[str]:
    """Return the slugs of everybody who plays in an unfinished game."""
    running = table.games.filter(ended_at=None, discarded_at=None)
    logs = event_store.load_logs(running.values_list("pk", flat=True))
    return {player for log in logs.values() for player in players_at_end(log)}
