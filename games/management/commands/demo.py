"""`manage.py demo`: imports a table of six friends with games on past Thursdays and an unfinished one."""

from __future__ import annotations

import json
import re
import secrets
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from django.utils.timezone import now

from games.common import days, locks, schema_version
from games.files.services import file_reader, table_import
from games.management.commands import let_in
from games.management.schema import SiteCommand
from games.models import CLAIMED, Access, Member, Payment, Role, Table
from games.tables.services import guests

FILE = Path(__file__).parents[1] / "demo.json"
LAST_NIGHT = date(2026, 11, 19)  # the last night in the file
USERNAME = "demo"
FIRST_GAME = "demo-1"  # its key in the file; a guest who signs in as demo may bring other tables along
MOMENT = re.compile(r'"(\d{4}-\d\d-\d\dT[^"]*)"')
FIRST_MOMENT = datetime.min.replace(tzinfo=UTC)
DAY = re.compile(r'"(\d{4}-\d\d-\d\d)"')


class Command(SiteCommand):
    help = "Fill a table with six friends, some Thursdays of Loba de Menos and a game in progress."

    def handle(self, *args: object, **options: object) -> None:
        password = secrets.token_urlsafe(9)
        with transaction.atomic():
            owner = _owner(password)
            table = Table.objects.filter(accesses__user=owner, games__key=FIRST_GAME, erased_at=None).first()
            if table is not None:
                self.stdout.write(f"{table.name} is there already, at {_address(table)}: nothing was added.")
            else:
                table = fill_table(owner, at=now())
                games = f"{table.games.count()} games, one of them under way"
                self.stdout.write(f"{table.name}, at {_address(table)}, has {games}.")
        self.stdout.write(
            f"Sign in at {let_in.site_address()}{reverse('login')} as {USERNAME} with the password {password}"
        )


def _address(table: Table) -> str:
    return f"{let_in.site_address()}{reverse('table', args=[table.code])}"


def _owner(password: str) -> User:
    """Return the demo user, created if missing, with this password."""
    user, _is_new = User.objects.get_or_create(username=USERNAME)
    user.set_password(password)
    user.save()
    return user


def fill_table(owner: User, *, at: datetime) -> Table:
    """Import the table with its last night on a recent Thursday, and its unfinished game played until `at`."""
    contents = file_reader.read_table(json.dumps(_load_file(at)).encode())
    contents.seasons[0].name = str(contents.seasons[0].starts_on.year)
    table = table_import.create_table(contents, key=locks.new_form_key(), by=owner)
    claim = Payment.objects.get(CLAIMED, table=table)
    _grant_access(claim.recorded_by, claim.payer, owner, at)
    _grant_access(guests.create(), claim.payee, owner, at)
    return table


def _load_file(at: datetime) -> dict[str, object]:
    """Return the file with later dates: whole weeks later for past nights, so that they stay Thursdays.

    The game in progress is of the night of `at`: what would have happened before that night began is moved to its
    beginning.
    """
    file = json.loads(FILE.read_text(encoding="utf-8"))
    *played, running = file["games"]
    there = Table(timezone=file["table"]["timezone"])
    today, tonight = days.to_table_time(at, there).date(), days.night_for(at, there)
    weeks = (today - timedelta(days=2) - LAST_NIGHT) // timedelta(weeks=1)
    until = at - datetime.fromisoformat(running["batches"][-1]["at"])
    later = _shift_dates({**file, "games": played}, timedelta(weeks=weeks))
    night_start = days.night_bounds(tonight, there)[0]
    games = [*later["games"], _shift_dates(running, until, not_before=night_start) | {"night": str(tonight)}]
    return {**later, "shape": schema_version.SHAPE, "games": games}


def _shift_dates(value: Any, shift: timedelta, not_before: datetime = FIRST_MOMENT) -> Any:
    """Return the value with all its moments and days later by `shift`, and no moment earlier than `not_before`."""

    def shift_moment(match: re.Match[str]) -> str:
        return f'"{max(datetime.fromisoformat(match[1]) + shift, not_before).astimezone(UTC).isoformat()}"'

    text = MOMENT.sub(shift_moment, json.dumps(value))
    return json.loads(DAY.sub(lambda match: f'"{date.fromisoformat(match[1]) + shift}"', text))


def _grant_access(user: User, member: Member, owner: User, at: datetime) -> None:
    """Let this user read as the member, so that the phone shows the member's unconfirmed payment."""
    # Stand-ins for the people of a file cannot sign in.
    User.objects.filter(pk=user.pk).update(is_active=True)
    Access.objects.create(
        user=user,
        table=member.table,
        role=Role.WITNESS,
        made_at=at,
        member=member,
        confirmed_at=at,
        confirmed_by=owner,
    )
