"""The region of a table, in which its numbers, money and days are written. Owners change it."""

from __future__ import annotations

from django.db import transaction

from games.locks import lock, raise_version, revise
from games.models import Table
from games.regions import REGIONS
from games.scoring.errors import RuleError
from games.scoring.words import _


def check_region(region: str) -> None:
    """Raise RuleError unless there is a region of this name.

    "" is allowed: without a region, the reader's language decides.
    """
    if region and region not in REGIONS:
        raise RuleError(_("The region “{region}” is not available.", region=region), field="region")


@transaction.atomic
def change_region(table: Table, region: str) -> None:
    """Change the region of the table.

    Forms that were open before still name the earlier region, and their amounts are read by it.
    """
    check_region(region)
    locked = lock(table)
    if locked.region == region:
        return
    locked.region = table.region = region
    locked.save(update_fields=["region"])
    revise(locked)
    raise_version(locked)
