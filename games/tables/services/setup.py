"""Creating a table (mesa), a group of people who play together, and changing its settings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from importlib import resources
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, Max, OuterRef
from django.utils.crypto import salted_hmac
from django.utils.timezone import localdate, now

from games.common import days, event_store, locks, naming, regions
from games.common.bulk import BulkRows
from games.common.locks import IdempotencyKeyReused
from games.models import (
    ALPHABET,
    CODE_LENGTH,
    DECIMALS,
    MOST_ACTIVE,
    NAME_LENGTH,
    TABLE_NAME_LENGTH,
    TABLES_A_DAY,
    UNIT_LENGTH,
    Access,
    Game,
    Role,
    Season,
    Table,
    new_code,
    new_identity,
)
from games.scoring.errors import RuleError
from games.scoring.i18n import Text, _
from games.scoring.validation import MAX_STEPS
from games.tables.services import membership

A_DAY = timedelta(days=1)


@transaction.atomic
def create_table(user: User, parts: dict[str, Any], *, key: str = "", at: datetime | None = None) -> Table:
    """Create a table with its first season, owned by `user`.

    `parts` are its fields, from `clean_fields`. `key` is an idempotency key: a second call with it returns
    the table of the first one. Raise IdempotencyKeyReused if the fields differ or the user no longer owns
    that table, and RuleError if the user has created too many tables within a day. With a key, lock the
    user's row.
    """
    opened_at = at or now()
    code = _code_for_form_key(key, user) if key else new_code()
    known = _find_created_before(code, user) if key else None
    if known is not None:
        if any(getattr(known, part) != value for part, value in parts.items()):
            raise IdempotencyKeyReused
        return known
    _check_creation_rate(user)
    table = build_table(parts, code=code, at=opened_at)
    Access.objects.create(user=user, table=table, role=Role.OWNER, opened_on=localdate())
    return table


def build_table(parts: dict[str, Any], *, code: str = "", at: datetime | None = None) -> Table:
    """Create a table with its first season and without an owner. Call this inside a transaction."""
    opened_at = at or now()
    table = Table.objects.create(
        code=code or new_code(), identity=new_identity(), created_at=opened_at, **parts
    )
    tonight = days.night_for(opened_at, table)
    Season.objects.create(table=table, name=str(tonight.year), starts_on=tonight)
    return table


def _check_creation_rate(user: User) -> None:
    """Raise RuleError if this user has created too many tables within a day.

    The creator and the time are those of the table's first access.
    """
    earlier = Access.objects.filter(table=OuterRef("table"), pk__lt=OuterRef("pk"))
    first = Access.objects.filter(~Exists(earlier), user=user, role=Role.OWNER, made_at__gt=now() - A_DAY)
    if first.count() >= TABLES_A_DAY:
        raise RuleError(_("At most {most} tables can be created in a day.", most=TABLES_A_DAY), field="name")


def find_by_form_key(key: str, user: User) -> Table | None:
    """Return the table that this user created with this key, or None if there is none that they still own."""
    owned = user.accesses.valid().filter(role=Role.OWNER).values("table")
    return Table.objects.filter(code=_code_for_form_key(key, user), pk__in=owned).first()


def _code_for_form_key(key: str, user: User) -> str:
    locks.check_key(key)
    return secret_code(f"{user.pk} {key}")


SALT = "games.tables.tables"  # never changed: the codes of form keys depend on it


def secret_code(text: str) -> str:
    """Return a table code derived from this text by an HMAC with the site's secret."""
    digest = salted_hmac(SALT, text, algorithm="sha256").digest()
    number = int.from_bytes(digest, "big")
    return "".join(ALPHABET[number // len(ALPHABET) ** place % len(ALPHABET)] for place in range(CODE_LENGTH))


def _find_created_before(code: str, user: User) -> Table | None:
    """Return the table that has this code, which is derived from the user and a key; None if there is none.

    Lock the user's row. Raise IdempotencyKeyReused if the user no longer owns the table.
    """
    # The second of two simultaneous requests waits here, and then finds the table of the first.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    table = Table.objects.filter(code=code).first()
    if table is not None and not user.accesses.valid().filter(table=table, role=Role.OWNER).exists():
        raise IdempotencyKeyReused
    return table


def current_game(table: Table) -> Game | None:
    """Return the game to show first: the unfinished game with the latest event, otherwise the newest game."""
    games = table.games.filter(discarded_at=None)
    playing = games.filter(ended_at=None).annotate(touched_at=Max("records__recorded_at"))
    return playing.order_by("-touched_at", "-pk").first() or games.first()


# --- open a table without a game, with its first members --------------------------------------------------------------


TOO_MANY_PEOPLE = _("At most {most} people can play at a table.", most=MOST_ACTIVE)


def clean_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of a new table's members as they are stored.

    Raise RuleError for the field `people` if there are too many names, or if one is invalid or given twice.
    """
    if len(names) > MOST_ACTIVE:
        raise RuleError(TOO_MANY_PEOPLE, field="people")
    people: list[str] = []
    for name in names:
        try:
            person = naming.clean_name(name, longest=NAME_LENGTH)
            naming.check_name_free(person, {name: name for name in people})
        except RuleError as refusal:
            refusal.field = "people"
            raise
        people.append(person)
    return tuple(people)


def split_names(text: str) -> list[str]:
    """Return the names in the text, separated by line breaks, commas or semicolons."""
    return [name.strip() for name in re.split(r"[\n,;]", text) if name.strip()]


def default_name(people: Sequence[str]) -> str:
    """Return a name for a table: the names of these people joined by commas, as many as fit.

    Return "" if one of them is not a valid name.
    """
    try:
        names = [naming.clean_name(name, longest=NAME_LENGTH) for name in people]
    except RuleError:
        return ""
    while names and len(", ".join(names)) > TABLE_NAME_LENGTH:
        names.pop()
    return ", ".join(names)


@transaction.atomic
def create_with_members(user: User, parts: dict[str, Any], people: Sequence[str], *, key: str) -> Table:
    """Create a table with these members, owned by `user`.

    `parts` are the fields of the table, from `clean_fields`. `key` is an idempotency key, as in
    `create_table`: also raise IdempotencyKeyReused if the existing table lacks one of `people`.
    """
    table = locks.lock(create_table(user, parts, key=key))
    members = list(table.members.all())
    known = {naming.casefold_key(member.name) for member in members}
    missing = [name for name in people if naming.casefold_key(name) not in known]
    if members and missing:
        raise IdempotencyKeyReused
    if missing:
        slugs: dict[str, str] = {}
        for name in missing:
            slugs[naming.slug_for(name, slugs)] = name
        membership.insert_members(table, BulkRows(membership.build_members(table, (), slugs)))
    return table


AMOUNTS_RECORDED = _(
    "This table already has amounts, so its smallest coin can't change. For a different one, "
    "create a new table with starting balances."
)


def clean_fields(
    name: str, *, unit: str, decimals: int, language: str, timezone: str, region: str = ""
) -> dict[str, Any]:
    """Return the fields of a new table, by name, as they are stored. Raise RuleError if one is invalid.

    `unit` is the sign of its money, e.g. "$", and `decimals` the number of decimals of its amounts. Without a
    region, the reader's language decides on the formats of numbers and days.
    """
    return _clean(
        {
            "name": name,
            "unit": unit,
            "decimals": decimals,
            "language": language,
            "timezone": timezone,
            "region": region,
        }
    )


class CurrencyChange(Exception):
    """The currency sign of a table with ledger entries is about to change, which the user has to confirm.

    `entries` is their number, and `amount` is one of them, as an example.
    """

    def __init__(self, table: Table, unit: str, entries: int, amount: int) -> None:
        super().__init__(unit)
        self.table, self.unit, self.entries, self.amount = table, unit, entries, amount


def change_settings(table: Table, *, confirmed: str = "", **changes: str | int | bool) -> None:
    """Change these fields of the table, or none if one is invalid: then raise RuleError for the first.

    A new currency sign at a table with ledger entries has to be `confirmed`: otherwise raise CurrencyChange.
    Numbers are not converted: amounts are stored in the smallest coin, so `decimals` cannot change once an
    amount is recorded. Past games keep their nights. Lock the table; raise ConcurrentChange if it changes
    each time that this is tried.
    """
    read = _clean({name: value for name, value in changes.items() if value != getattr(table, name)})

    def write(locked: Table, coin_stays: Text | None) -> None:
        new_values = {name: value for name, value in read.items() if value != getattr(locked, name)}
        if "decimals" in new_values and coin_stays is not None:
            raise RuleError(coin_stays, field="decimals")
        if new_values.get("unit", confirmed) != confirmed and locked.entries.exists():
            raise CurrencyChange(
                locked, new_values["unit"], locked.entries.count(), _largest_recent_amount(locked)
            )
        for name, value in new_values.items():
            setattr(locked, name, value)
            setattr(table, name, value)
        if new_values:
            locked.save(update_fields=list(new_values))
            locks.bump_revision(locked)
            locks.bump_version(locked)

    locks.write_unless_changed(
        table, lambda: decimals_locked_reason(table) if "decimals" in read else None, write
    )


def _largest_recent_amount(table: Table) -> int:
    """Return the largest amount of the newest ledger entry that moved money; 0 if none did."""
    differences = table.entries.order_by("-number").values_list("differences", flat=True)
    return next((max(some.values()) for some in differences.iterator() if any(some.values())), 0)


def decimals_locked_reason(table: Table) -> Text | None:
    """Return why the smallest coin cannot change: an amount is recorded. None if it can."""
    rows = (table.entries, table.payments, table.costs)
    is_recorded = any(some.exists() for some in rows) or _is_played_for_money(table)
    return AMOUNTS_RECORDED if is_recorded else None


def zone_or_default(zone: str) -> str:
    return zone if zone in time_zones() else settings.TIME_ZONE


@cache
def time_zones() -> frozenset[str]:
    """Return the names of the time zones that every installation has: those of the package tzdata.

    A computer may list more, such as Debian's `localtime`, which means another zone on another computer.
    """
    return frozenset(resources.files("tzdata").joinpath("zones").read_text("utf-8").split())


def check_locale(language: str, timezone: str, region: str = "") -> None:
    _clean({"language": language, "timezone": timezone, "region": region})


def _clean(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: READ[name](value) for name, value in fields.items()}


def _clean_decimals(decimals: int | None) -> int:
    if decimals is None or not 0 <= decimals <= DECIMALS:
        raise RuleError(_("Amounts may have 0 to {most} decimals.", most=DECIMALS), field="decimals")
    return decimals


def _clean_language(language: str) -> str:
    if language not in dict(settings.LANGUAGES):
        raise RuleError(_("The language “{language}” is not available.", language=language), field="language")
    return language


def _clean_zone(zone: str) -> str:
    if zone not in time_zones():
        raise RuleError(_("The time zone “{timezone}” doesn't exist.", timezone=zone), field="timezone")
    return zone


def _clean_region(region: str) -> str:
    if region and region not in regions.REGIONS:
        raise RuleError(_("The region “{region}” is not available.", region=region), field="region")
    return region


READ: Mapping[str, Callable[[Any], Any]] = {
    "name": lambda name: naming.clean_name(name, longest=TABLE_NAME_LENGTH),
    "unit": lambda unit: naming.clean_name(unit, longest=UNIT_LENGTH, field="unit"),
    "decimals": _clean_decimals,
    "language": _clean_language,
    "timezone": _clean_zone,
    "region": _clean_region,
    "pays_on_the_spot": bool,
}


def _is_played_for_money(table: Table) -> bool:
    """Return whether any game of the table, even a discarded one, is or may be for money.

    A game may be for money if it cannot be replayed within the step budget.
    """
    games = list(table.games.values_list("pk", flat=True))
    for part in (games[:1], games[1:]):  # the newest game alone is enough at most tables
        states = event_store.load_states(part, most=MAX_STEPS)
        if any((state := states.get(game)) is None or state.rules.money for game in part):
            return True
    return False
