"""`manage.py tables`: lists the tables of the site, or the people with access to one of them."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError
from django.db.models import Model, OuterRef, QuerySet, Subquery, Sum, TextField
from django.db.models.functions import Cast, Coalesce, Length
from django.utils.timezone import localdate, localtime, now

from games.common import program
from games.management import lookup
from games.management.schema import SiteCommand
from games.models import Access, Entry, Game, Member, Record, Table
from games.tables.services import lobby, operators, users


class Command(SiteCommand):
    help = "List the tables of the site, those played last first; or, with a code, who is at one, guests too."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", nargs="?", help="the code of a table")
        parser.add_argument(
            "--silent-for", metavar="90d", help="only tables at which nobody played for so long"
        )
        parser.add_argument(
            "--biggest", action="store_true", help="those whose records take most space first"
        )

    def handle(self, *, code: str | None, silent_for: str | None, biggest: bool, **options: object) -> None:
        rows = (
            _access_rows(lookup.get_table(code, is_erased=True))
            if code
            else _table_rows(_tables(silent_for, biggest))
        )
        for row in rows:
            self.stdout.write(" · ".join(part for part in row if part))


def _tables(silent_for: str | None, biggest: bool) -> QuerySet[Any]:
    """Return the tables in the order of the list, with their last game and the size of their records."""
    games = Game.objects.filter(table=OuterRef("pk"), discarded_at=None).order_by("-started_at")
    tables = Table.objects.annotate(
        played_at=Coalesce(Subquery(games.values("started_at")[:1]), "created_at"),
        bytes=_letter_count(Record, "game__table", "data") + _letter_count(Entry, "table", "differences"),
    )
    if silent_for:
        try:
            tables = tables.filter(played_at__lt=now() - settings.READ_DURATION("--silent-for", silent_for))
        except ImproperlyConfigured as wrong:
            raise CommandError(str(wrong)) from wrong
    return tables.order_by("-bytes" if biggest else "-played_at", "pk")


def _letter_count(kind: type[Model], way: str, field: str) -> Coalesce:
    """Return an expression for the characters of this field in all of a table's rows of this model."""
    rows = kind._base_manager.filter(**{way: OuterRef("pk")}).order_by().values(way)
    return Coalesce(Subquery(rows.annotate(sum=Sum(Length(Cast(field, TextField())))).values("sum")), 0)


def _table_rows(tables: QuerySet[Any]) -> Iterator[tuple[str, ...]]:
    """Yield a line for each table: code, name, owners, people, last game, size."""
    owners: dict[int, list[str]] = {}
    for access in Access.objects.owners().select_related("user"):
        owners.setdefault(access.table_id, []).append(users.display_name(access.user) or access.user.username)
    people = Counter(Member.objects.active().values_list("table", flat=True))
    for table in tables:
        yield (
            table.code,
            table.name,
            ", ".join(owners.get(table.pk, ["no owner"])),
            f"{people[table.pk]} people",
            f"{localdate(table.played_at)}",
            f"{table.bytes / 1000:.0f} kB",
            "erased" if table.erased_at else "",
        )


def _access_rows(table: Table) -> Iterator[tuple[str, ...]]:
    """Yield a line for each access: the user name for other commands, the member, the role."""
    accesses = [*lobby.valid_accesses(table), *lobby.suspended_accesses(table)]
    if table.erased_at:
        yield (table.name, "erased", f"`{program.NAME} erase --table {table.code} --undo` brings it back")
    elif not accesses:
        yield ("Nobody is here.",)
    for access in accesses:
        person = access.person
        name = access.name or (person and person.name)
        says = f"says to be {name}" if name else " ".join(("no player", access.user.first_name)).rstrip()
        yield (
            access.user.username,
            person.name if person and access.is_confirmed else says,
            access.role,
            f"since {localdate(access.made_at)}",
            _user_state(access.user),
        )


def _user_state(user: User) -> str:
    if row := operators.find_erasure(user):
        return f"erased, until {localtime(row.restorable_until).strftime(settings.LOGGED_AT)} `erase --undo` brings them back"
    return "blocked" if operators.is_blocked(user) else ""
