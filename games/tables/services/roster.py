"""The members of a table by id and by slug, each merged member resolved to the one they became (`People`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, TypeAlias

from django.contrib.auth.models import User

from games.common import naming
from games.common.naming import Person
from games.models import Access, Member, Payment, Table
from games.scoring.ledger import Transfer

Ends: TypeAlias = tuple[str, str]  # the slugs of a payer and a payee, or of a debtor and a creditor


class MemberUsers:
    """The users who are confirmed for good to be members of some tables. They are loaded at the first use."""

    def __init__(self, people: Mapping[int, People]) -> None:
        self._people = people

    def of(self, member: Member) -> Collection[int]:
        """Return the ids of this present member's users; none for a merged member."""
        return frozenset(self._users.get(member.pk, ()))

    @cached_property
    def _users(self) -> Mapping[int, Collection[int]]:
        users: dict[int, list[int]] = {}
        for access in Access.objects.lasting().filter(table__in=self._people):
            person = self._people[access.table_id].by_pk.get(access.member_id or 0)
            if person is not None:  # otherwise added after the members were loaded
                users.setdefault(person.pk, []).append(access.user_id)
        return users


def first_confirmations(table: Table, people: People) -> Mapping[int, datetime]:
    """Return when each present member was first confirmed for good, by the member's id.

    A phone whose access has ended counts too, until the member is confirmed on another one: that forgets it.
    """
    confirmed = table.accesses.filter(until=None, member__isnull=False, confirmed_at__isnull=False)
    moments: dict[int, datetime] = {}
    for pk, moment in confirmed.order_by("-confirmed_at").values_list("member", "confirmed_at"):
        person = people.by_pk.get(pk or 0)
        if person is not None and moment is not None:  # otherwise added after the members were loaded
            moments[person.pk] = moment
    return moments


@dataclass(frozen=True)
class People:
    """The members of a table in the order they joined.

    A *present* member is one that is not merged; a merged member resolves to the present member they became.
    A *slug* is the id of a member in events and entries, such as `ana`.
    """

    members: tuple[Member, ...]

    @classmethod
    def of(cls, table: Table) -> People:
        """Load all members of the table, including retired and merged ones."""
        return cls.of_each([table])[table.pk]

    @classmethod
    def of_each(cls, tables: Iterable[Table]) -> dict[int, People]:
        """Load all members of these tables in one query. Return them by the table's id.

        The users of all these members are loaded in a second query, when `Member.user_ids` is first read.
        """
        by_pk = {table.pk: table for table in tables}
        of_table: dict[int, list[Member]] = {pk: [] for pk in by_pk}
        for member in Member.objects.filter(table__in=by_pk):
            member.table = by_pk[member.table_id]
            of_table[member.table_id].append(member)
        people = {pk: cls(tuple(members)) for pk, members in of_table.items()}
        for pk, table in by_pk.items():
            table.face_letters = naming.avatar_letters(
                {member.pk: member.name for member in people[pk].current_members}
            )
        phones = MemberUsers(people)
        for members in of_table.values():
            for member in members:
                member.load_user_ids = phones.of
        return people

    @cached_property
    def by_slug(self) -> Mapping[str, Member]:
        """The present member for each member's slug. A member who is not stored yet is present."""
        return {member.slug: self.by_pk.get(member.pk, member) for member in self.members}

    @cached_property
    def slugs(self) -> Mapping[str, str]:
        return {slug: member.slug for slug, member in self.by_slug.items()}

    @cached_property
    def seats(self) -> Mapping[str, int]:
        """The places of all members in the order of joining, by slug."""
        return {member.slug: seat for seat, member in enumerate(self.members)}

    @cached_property
    def by_pk(self) -> Mapping[int, Member]:
        rows = {member.pk: member for member in self.members if member.pk}
        members = dict(rows)
        for pk in members:
            while (merged_into := members[pk].merged_into_id) is not None:
                members[pk] = rows[merged_into]
        return members

    @cached_property
    def current_members(self) -> tuple[Member, ...]:
        return tuple(member for member in self.members if member.merged_into_id is None)

    def find_for_user(self, user: User) -> Member | None:
        """Return the present member with this user, who is confirmed for good; None if there is none."""
        return next((member for member in self.current_members if member.belongs_to(user)), None)

    def member_pks(self, member: Member) -> list[int]:
        return [pk for pk, current in self.by_pk.items() if current == member]

    def slug_pair(self, payment: Payment) -> tuple[str, str]:
        """Return the slugs of the present members who are the payer and the payee."""
        return self.by_pk[payment.payer_id].slug, self.by_pk[payment.payee_id].slug

    def read_lines(self, lines: Sequence[Sequence[Any]]) -> tuple[Transfer, ...]:
        """Return stored debts as transfers between present members.

        A stored debt is [debtor's slug, creditor's slug, amount]. The debts of members who were merged later
        are netted.
        """
        net_debts = Counter[Ends]()
        for debtor, creditor, amount in lines:
            ends = self.by_slug[debtor].slug, self.by_slug[creditor].slug
            net_debts[ends] += amount
            net_debts[ends[::-1]] -= amount
        return tuple(Transfer(*ends, amount) for ends, amount in net_debts.items() if amount > 0)


def sum_by_current_member(nets: Mapping[str, int], current_slugs: Mapping[str, str]) -> Counter[str]:
    """Return the sums by present member. `current_slugs` is `People.slugs`."""
    by_person = Counter[str]()
    for slug, net in nets.items():
        by_person[current_slugs[slug]] += net
    return by_person


# --- the members of a table as shown on pages -------------------------------------------------------------------------


def persons_at(table: Table) -> Mapping[str, Person]:
    """Return all members of the table, including merged ones, each as a `Person`, by slug."""
    return to_persons(People.of(table))


def to_persons(members: People) -> Mapping[str, Person]:
    """Return these members of one table, each as a `Person`, by slug.

    A merged member has the name of the member they became.
    """
    return {member.slug: to_person_as(member, members.by_pk[member.pk]) for member in members.members}


def to_person_as(member: Member, current: Member) -> Person:
    """Return the member as a `Person` with the name and face of the present member `current`."""
    return Person(member.slug, current.name, member.colour, _face_letters(member.table).get(current.pk, ""))


def _face_letters(table: Table) -> Mapping[int, str]:
    if table.face_letters is None:
        table.face_letters = naming.avatar_letters(
            dict(table.members.filter(merged_into=None).values_list("pk", "name"))
        )
    return table.face_letters


def to_person(member: Member) -> Person:
    return to_person_as(member, member)
