"""Tables (mesas) opened: people who play together."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from games.models import (
    DECIMALS,
    TABLE_NAME_LENGTH,
    UNIT_LENGTH,
    Grant,
    Role,
    Season,
    Table,
)
from games.names import read_name
from games.scoring.errors import RuleError
from games.scoring.words import _


@transaction.atomic
def open_table(
    user: User,
    name: str,
    *,
    unit: str,
    decimals: int,
    language: str,
    timezone: str,
    at: datetime | None = None,
) -> Table:
    """A new table with its first season; `user` owns it."""
    if not 0 <= decimals <= DECIMALS:
        raise RuleError(_("Amounts have from 0 to {most} decimals.", most=DECIMALS), field="decimals")
    check_place(language, timezone)
    opened_at = at or now()
    table = Table.objects.create(
        name=read_name(name, longest=TABLE_NAME_LENGTH),
        unit=read_name(unit, longest=UNIT_LENGTH, field="unit"),
        decimals=decimals,
        language=language,
        timezone=timezone,
        created_at=opened_at,
    )
    today = opened_at.astimezone(ZoneInfo(timezone)).date()
    Season.objects.create(table=table, name=str(today.year), starts_on=today)
    Grant.objects.create(user=user, table=table, role=Role.OWNER)
    return table


def check_place(language: str, timezone: str) -> None:
    """RuleError unless the app speaks this language and knows this time zone."""
    if language not in dict(settings.LANGUAGES):
        raise RuleError(_("There is no language “{language}” here.", language=language), field="language")
    if timezone not in available_timezones():
        raise RuleError(_("There is no time zone “{timezone}”.", timezone=timezone), field="timezone")
