"""The settings of the app in a folder without a site.

They are the settings on a phone, except for some changes: the database in a folder is the only copy of the
data, while a phone has a copy of the site's.
"""

from __future__ import annotations

import os
from typing import Any

from scorekeeper.pocket.settings import *  # noqa: F403

IS_A_FOLDER = True
IS_A_PHONE = False  # so that arrival times and the audit trail are stored, which a site does for a phone
ROOT_URLCONF = "scorekeeper.alone.urls"
FORCE_SCRIPT_NAME = os.environ["FOLDER"].rstrip("/") or None  # the folder's path on its host
MIDDLEWARE = [
    name.replace("pocket.person.OnePerson", "alone.person.OnlyPerson")
    for name in MIDDLEWARE  # noqa: F405
    if name != "scorekeeper.pocket.marking.MarkingMiddleware"
]
_options: Any = TEMPLATES[0]["OPTIONS"]  # noqa: F405
_options["context_processors"] = [
    "scorekeeper.alone.person.variables" if name.startswith("scorekeeper.pocket.person.") else name
    for name in _options["context_processors"]
]
# A migration briefly drops a table to which the trigger of another table refers (games/guards.py).
DATABASES["default"]["OPTIONS"]["init_command"] += " PRAGMA legacy_alter_table=ON;"  # noqa: F405
