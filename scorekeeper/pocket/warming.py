"""Preparing the memory of the engine (Python in the browser) for a snapshot.

Later starts of the engine restore its memory from the snapshot.

warm(language, heard)  # loads all templates, renders the pages of an invented table, and forgets the table
wake()                 # call it in each engine that was restored

No copy has been opened when the snapshot is taken, so it has nobody's data.
"""

from __future__ import annotations

import gc
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from scorekeeper.pocket import gateway

if TYPE_CHECKING:  # Django is only imported once `gateway.begin` has set its environment
    from django.contrib.auth.models import User

    from games.models import Table

Heard = Callable[[float], None]  # a function to call with the progress, a number up to 1
EMPTY = "/app/empty.sqlite3"
ORIGIN = "https://example.org"
NAMES = ("A", "B", "C", "D")
# Two games, the first one finished: each has its lines of notation, and the pages to render.
GAMES = (
    (("round a out b=10 c=9 d=8", "stop lowest_wins"), ("", "settlement/")),
    (("round a out b=45 c=9 d=8",), ("", "round/", "correct/2/", "rules/")),
)
OF_A_TABLE = ("", "new/", "games/", "accounts/", "accounts/payments/", "accounts/nights/", "season/")


def warm(language: str, heard: Heard, empty: str = EMPTY) -> None:
    """Load all templates and render the pages of an invented table in this language, then delete the table.

    `empty` is the file of a migrated database without rows. `heard` is called with the progress, a number up
    to 1.
    """
    from django.conf import settings

    file = Path(settings.DATABASES["default"]["NAME"])
    shutil.copyfile(empty, file)
    _load_templates()
    paths = list(_invent_pages(language))
    for number, path in enumerate(paths, 1):
        _open(path, language)
        heard(number / len(paths))
    _forget()
    file.unlink()


def wake() -> None:
    """Seed `random` anew. Otherwise all engines restored from one snapshot would draw the same numbers."""
    random.seed()


def _load_templates() -> None:
    from django.conf import settings
    from django.template.loader import get_template

    folder = Path(settings.BASE_DIR, "templates")
    for file in sorted(folder.rglob("*.html")):
        get_template(file.relative_to(folder).as_posix())


def _invent_pages(language: str) -> Iterator[str]:
    """Store a table with a finished and an unfinished game, and yield the paths of their pages."""
    from games.people.guests import make_guest
    from games.people.members import add_member
    from games.people.tables import open_table
    from scorekeeper.pocket.person import OnePersonMiddleware as Person

    Person.user = user = make_guest()
    table = open_table(user, "-", unit="$", decimals=0, language=language, timezone="UTC")
    for name in NAMES:
        add_member(table, name)
    for lines, pages in GAMES:
        code = _play(table, user, lines)
        yield from (f"/g/{code}/{page}" for page in pages)
    yield from (f"/t/{table.code}/{page}" for page in OF_A_TABLE)
    yield "/"


def _play(table: Table, user: User, lines: tuple[str, ...]) -> str:
    """Record a game with these lines of notation, and return its code."""
    from games.keys import new_key
    from games.play.recording import record, start_game
    from games.scoring.events import GameStarted, Player
    from games.scoring.text.notation import read_line

    seats = tuple(Player(member.slug, member.name) for member in table.members.all())
    game = start_game(table, GameStarted("loba_menos", (("stake", 10),), seats), key=new_key(), by=user)
    for after, line in enumerate(lines, 1):
        record(game, *read_line(line), after=after, key=new_key(), by=user)
    return game.code


def _open(path: str, language: str) -> None:
    from django.core.handlers.wsgi import WSGIRequest

    headers = {"accept-language": language, "cookie": f"django_language={language}"}
    request = WSGIRequest(gateway.environment("GET", path, "", headers, ORIGIN, b""))
    response = gateway.app().get_response(request)
    assert response.status_code == 200, (path, response.status_code)


def _forget() -> None:
    """Clear the user of the invented table and all caches, so that the snapshot has nothing of them."""
    from django.contrib.contenttypes.models import ContentType
    from django.core.cache import caches
    from django.db import connection
    from django.utils import translation

    from games.play import snapshot
    from games.regions import activate_region
    from scorekeeper.pocket.person import OnePersonMiddleware as Person

    Person.user = None
    snapshot.GAMES.clear()
    ContentType.objects.clear_cache()
    for cache in caches.all():
        cache.clear()
    translation.deactivate()
    activate_region("")
    connection.close()
    gc.collect()
