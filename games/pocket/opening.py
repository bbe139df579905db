"""The fact (unsent change) of a table that was opened on a phone without a network.

The site opens the table only once. The table keeps the code that it has on the phone, unless another table
has that code. The key of the fact is the key of the form that opened the table and started its first game.
The phone may have sent this form to the site before, without getting an answer in time. Then the site finds
the table that it opened by this key. `parts` are the fields of the fact.
"""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.timezone import now

from games.keys import check_code, check_key
from games.models import (
    DECIMALS,
    KEY_LENGTH,
    REGION_LENGTH,
    TABLE_NAME_LENGTH,
    UNIT_LENGTH,
    Game,
    Role,
    Table,
    TakenFact,
)
from games.notebook.fields import Fields
from games.notebook.writing import moment_in_text
from games.people.tables import open_table, secret_code
from games.play.moments import clamped
from games.pocket.payments import Fact

OPENED = "table"
OF_A_TABLE = ("name", "unit", "decimals", "language", "timezone", "region")
LONGEST_LANGUAGE, LONGEST_ZONE = 12, 64
LONGEST_AWAY = timedelta(days=366)  # the most between the opening of a table on a phone and the sync


class OpenedElsewhere(Exception):
    """Raised for a table that the site has already, but that this user may not open."""


def opening_of(table: Table) -> Fact:
    """Return the fact of a table that was opened on this phone."""
    fields = {name: getattr(table, name) for name in OF_A_TABLE}
    key = table.games.order_by("pk")[0].key
    return {"kind": OPENED, "table": table.code, "key": key, **fields, "at": moment_in_text(table.created_at)}


def read_opening(parts: Fields) -> dict[str, Any]:
    """Return the fields of the new table by name, from its fact. Raise Unreadable if one cannot be read."""
    return {
        "name": parts.name("name", longest=TABLE_NAME_LENGTH),
        "unit": parts.name("unit", longest=UNIT_LENGTH),
        "decimals": parts.whole("decimals", least=0, most=DECIMALS),
        "language": parts.text("language", longest=LONGEST_LANGUAGE),
        "timezone": parts.text("timezone", longest=LONGEST_ZONE),
        "region": parts.text("region", longest=REGION_LENGTH),
    }


def open_once(code: str, parts: Fields, *, by: User, is_brought: bool) -> Table:
    """Open the table of this fact, or return the one that was opened for it before.

    `code` is the table's code on the phone. If another person brought the fact in a file (`is_brought`), do
    not look for a table that `by` opened at the site by a form with the same key. Raise RuleError for the
    reasons for which the form of a new table is refused, TooManyTables included.
    """
    key, fields = parts.text("key", longest=KEY_LENGTH), read_opening(parts)
    check_code(code)
    check_key(key)
    try:
        return _open(code, key, fields, parts, by=by, is_brought=is_brought)
    except IntegrityError:  # another request has just opened a table with this code
        return _open(code, key, fields, parts, by=by, is_brought=is_brought)


@transaction.atomic
def _open(code: str, key: str, fields: dict[str, Any], parts: Fields, *, by: User, is_brought: bool) -> Table:
    # A second request waits for the first one's table.
    User.objects.select_for_update(no_key=True).get(pk=by.pk)
    known = opened_before(code, key) or (None if is_brought else _opened_online(key, by))
    if known is not None:
        return known
    is_taken = Table.objects.filter(code=code).exists()
    at = clamped(parts.moment("at"), earliest=now() - LONGEST_AWAY)
    table = open_table(by, **fields, code=_code_instead(code, key) if is_taken else code, at=at)
    TakenFact.objects.create(table=table, key=_digest_of(key))
    return table


def opened_before(code: str, key: str) -> Table | None:
    """Return the table that was opened for the fact with this code and key, or None."""
    codes = (code, _code_instead(code, key))
    return Table.objects.filter(code__in=codes, taken_facts__key=_digest_of(key)).first()


def _opened_online(key: str, user: User) -> Table | None:
    """Return the table that the form with this key opened at the site itself, or None."""
    owned = user.grants.standing().filter(role=Role.OWNER).values("table")
    game = Game.objects.filter(table__in=owned, key=key).select_related("table").first()
    return game.table if game is not None else None


def _code_instead(code: str, key: str) -> str:
    """Return the code that a table gets if another table has the code that it had on the phone."""
    return secret_code(f"instead of {code} {key}")


def _digest_of(key: str) -> str:
    return sha256(f"{OPENED} {key}".encode()).hexdigest()
