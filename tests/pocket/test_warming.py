"""An engine warmed for a snapshot: it has forgotten the invented table and answers like any other engine."""

from __future__ import annotations

import json
import random
import subprocess
import sys

import pytest
from django.conf import settings

from games.pocket.copying import copy_for
from scorekeeper.pocket import warming
from tests.pocket.books import MASKED

pytestmark = pytest.mark.django_db

ENGINE = """
import json, shutil, sys
from pathlib import Path
from scorekeeper.pocket import gateway, warming
folder, (copy, is_warmed, paths) = Path(sys.argv[1]), json.load(sys.stdin)
file, empty, heard = folder / "db.sqlite3", folder / "phone.sqlite3", []
file.unlink(missing_ok=True)
gateway.begin({}, str(folder))
if is_warmed:
    warming.warm("en", heard.append, str(empty))
from django.core.cache import caches
from django.db import connection
from games.play.snapshot import GAMES
from games.regions import current_region
from scorekeeper.pocket.person import OnePersonMiddleware as Person
left = [file.exists(), connection.connection, Person.user, len(GAMES._games), current_region().name]
left += [len(cache._cache) for cache in caches.all()]
shutil.copy(empty, file)
gateway.hold(gateway.unpack(json.dumps(copy)))
headers = {"accept-language": "en", "cookie": "csrftoken=of-the-site"}
pages = [gateway.serve("GET", path, "", headers, "https://example.org")[2].decode() for path in paths]
print(json.dumps([heard, left, pages]))
"""


def engine_of(empty, copy, *paths, is_warmed):
    """Return the progress that an engine reported, what it kept of the invented table, and its pages."""
    ended = subprocess.run(
        [sys.executable, "-c", ENGINE, str(empty.parent)],
        input=json.dumps([copy, is_warmed, paths]),
        text=True,
        capture_output=True,
        cwd=settings.BASE_DIR,
        check=False,
    )
    assert 0 == ended.returncode, ended.stderr
    heard, left, pages = json.loads(ended.stdout)
    return heard, left, [MASKED.sub("-", page) for page in pages]


@pytest.mark.slow
def test_a_warmed_engine_keeps_no_data_and_renders_like_a_cold_one(empty, owner, table, running, over):
    paths = ["/", f"/t/{table.code}/", *(f"/g/{game.code}/" for game in (running, over))]
    copy = copy_for(owner)

    heard, left, pages = engine_of(empty, copy, *paths, is_warmed=True)
    _heard, never_had, expected = engine_of(empty, copy, *paths, is_warmed=False)

    assert (never_had, expected) == (left, pages)
    assert (sorted(heard), 1.0) == (heard, heard[-1])


def test_two_engines_from_one_snapshot_have_different_random_numbers():
    snapshot, numbers = random.getstate(), set()
    for _engine in range(2):
        random.setstate(snapshot)
        warming.wake()
        numbers.add(random.random())
    random.setstate(snapshot)

    assert 2 == len(numbers)
