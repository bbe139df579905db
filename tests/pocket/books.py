"""A phone's books for the tests: a file with a migrated, empty database, and the pages rendered from a copy."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import URLPattern, reverse

from games.management.copies import copy_database
from games.models import Game, Grant, Role, Table
from games.people.claims import claim
from games.people.guests import make_guest
from games.people.invitations import accept_invite, make_new_phone
from games.people.leaving import leave
from games.people.users import mark_of
from games.pocket.rooms import READ, WRITE
from games.pocket.unpacking import unpack
from games.urls import urlpatterns
from tests.databases import At
from tests.full_tables import FullTable, fill
from tests.tables import become, let_in_as, make_user

# Form keys and tokens differ on each page, and a ticket is for one session.
MASKED = re.compile(
    r'(?<=name="csrfmiddlewaretoken" value=")[^"]*|(?<="X-CSRFToken": ")[^"]*'
    r'|(?<=name="key" value=")[^"]*|(?<=data-ticket=")[^"]*'
)
PASSWORD = "tres lobas negras"
PAGES = {page.name: page for page in urlpatterns if isinstance(page, URLPattern)}


def a_full_table(owner: User, *, nights: int = 1, games: int = 2) -> Table:
    """Return a table of `owner` with rows of every kind, some of them twice."""
    return fill(FullTable(random.Random(7), owner), nights=nights, games=games)


def readers_of(table: Table, owner: User) -> dict[str, User]:
    """Return readers of the table by role. Another user has left it, one claims to be a member, and one has a new phone."""
    scorer = table.members.get(slug="beto").user
    assert scorer is not None
    let_in_as(scorer, table, Role.SCORER)
    member = table.members.active().exclude(user=scorer).filter(user=None)[0]
    readers = {"owner": owner, "scorer": scorer, "witness": let_in(table, Role.WITNESS, "waldo")}
    readers["member who watches"] = let_in(table, Role.WITNESS, "mara")
    become(readers["member who watches"], member)
    claim(table.members.active().filter(user=None)[0], readers["witness"], is_agreed=False)
    leave(table, by=let_in(table, Role.WITNESS, "lola"))
    _replace_a_phone(table, owner)
    return readers


def _replace_a_phone(table: Table, owner: User) -> None:
    """Let a new phone take the place of a member's lost one."""
    member = table.members.active().filter(user=None)[0]
    claim(member, let_in(table, Role.SCORER, "nora"), is_agreed=True)
    accept_invite(make_new_phone(member, by=owner)[0], make_guest())


def let_in(table: Table, role: Role, name: str) -> User:
    """Return a new user with a name and a password, in this role."""
    user = make_user(f"{name}-elsewhere")
    user.first_name, user.email = name.capitalize(), f"{name}@example.org"
    user.set_password(PASSWORD)
    user.save()
    Grant.objects.create(user=user, table=table, role=role)
    return user


def prepared(folder: Path) -> Path:
    """Return the file of a phone's empty books."""
    file = folder / "phone.sqlite3"
    copy_database(Path(connection.settings_dict["NAME"]), file)
    return file


def addresses(table: Table) -> Iterator[tuple[str, str]]:
    """Yield name and address of every page that a phone opens by itself, for all rows of the table."""
    members = [member.slug for member in table.members.all()]
    games = list(table.games.all())
    known: dict[str, list[Any]] = {
        "table_code": [table.code],
        "code": [game.code for game in games],
        "member": members[:2],
        "other": members[2:3],
        "number": [payment.pk for payment in table.payments.all()] or [1],
        "season": [season.pk for season in table.seasons.all()],
        "year": sorted({game.started_at.year for game in games}),
        "day": sorted({_night(game) for game in games}),
        "version": [0],
        "after": [1],
    }
    for name in sorted(READ | WRITE):
        parts = list(PAGES[name].pattern.converters)
        for values in product(*(known[part] for part in parts)):
            yield name, reverse(name, kwargs=dict(zip(parts, values, strict=True)))


def _night(game: Game) -> str:
    return date.fromordinal(game.night_number).isoformat()


Seen = dict[str, tuple]


def shown_to(user: User, places: list[str], language: str = "es-AR") -> Seen:
    """Return the pages at these addresses as shown to this user, without the parts that differ on each request."""
    phone = Client(headers={"accept-language": language})
    phone.force_login(user)
    phone.get("/")
    return {place: _seen(phone.get(place), mark_of(user)) for place in places}


def _seen(response, mark: str) -> tuple:
    body = MASKED.sub("-", response.content.decode()).replace(mark, "MARK")
    kept = {name: value for name, value in response.headers.items() if name in ("Location", "Content-Type")}
    return response.status_code, kept, body


def shown_on_the_phone(file: Path, copy: dict, places: list[str], language: str = "es-AR") -> Seen:
    """Return the same pages from a phone that has only this copy."""
    with At(file):
        return shown_to(unpack(json.loads(json.dumps(copy))), places, language)
