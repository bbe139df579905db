"""The contents of a table's file as unsaved rows, and the names of the users who recorded.

The users themselves are not exported.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User

from games import models
from games.common.json_reader import InvalidFile, JsonObjectReader
from games.play.services.writer import NewGame
from games.scoring.i18n import _
from games.scoring.text_line import shorten
from games.tables.services import users

MOST_RECORDERS = 500


@dataclass
class FileContents:
    """The unsaved rows read so far. Each row comes after the rows that it refers to."""

    table: models.Table
    digest: str  # a hash of the file
    members: dict[str, models.Member] = field(default_factory=dict)
    current_slugs: Mapping[str, str] = field(default_factory=dict)  # by slug, that of the member they are now
    seasons: list[models.Season] = field(default_factory=list)
    recorders: dict[str, User] = field(default_factory=dict)
    games: list[NewGame] = field(default_factory=list)
    hand_sources: list[models.HandSource] = field(default_factory=list)
    payments: list[models.Payment] = field(default_factory=list)
    costs: list[models.SharedCost] = field(default_factory=list)
    entries: list[models.Entry] = field(default_factory=list)
    debts: list[models.Debt] = field(default_factory=list)
    unique: set[tuple[str, ...]] = field(default_factory=set)  # the codes and keys so far, each with its kind

    @cached_property
    def member_places(self) -> Mapping[str, int]:
        """The place of each member in the list of members, by slug, once all members are read."""
        return {slug: place for place, slug in enumerate(self.members)}

    def get_member(self, slug: object) -> models.Member:
        """Return the member with this slug. Raise InvalidFile if there is none."""
        if not isinstance(slug, str) or slug not in self.members:
            raise InvalidFile(_("There is no member “{id}”.", id=str(slug)[:40]))
        return self.members[slug]

    def get_recorder(self, fields: JsonObjectReader, name: str) -> User:
        """Return an unsaved stand-in for the user named in this field, the same one for the same name."""
        person_name = fields.text(name, longest=NAME_LENGTH)
        if person_name not in self.recorders:
            if len(self.recorders) == MOST_RECORDERS:
                raise InvalidFile(_("More than {most} people recorded entries.", most=MOST_RECORDERS))
            self.recorders[person_name] = build_stand_in(person_name)
        return self.recorders[person_name]

    def game_code(self, text: str) -> str:
        """Return `text` if it has the form of a game's code; otherwise, as for "", return a new code.

        Raise InvalidFile if an earlier game of the file has the same code.
        """
        if not models.is_code(text):
            return models.new_code()
        if self.is_repeated("code", text):
            raise InvalidFile(_("Two games have the code “{code}”.", code=text))
        return text

    def is_repeated(self, *value: str) -> bool:
        """Return whether this code or key occurred before, and remember it. Its first parts name its kind."""
        before = len(self.unique)
        self.unique.add(value)
        return before == len(self.unique)

    def check_unused_key(self, key: str, *of: str) -> str:
        """Return the key. Raise InvalidFile if something else of this kind has it."""
        if self.is_repeated(*of, key):
            raise InvalidFile(_("The key “{key}” appears twice.", key=key))
        return key


NAME_LENGTH = 150
STAND_IN_PREFIX = "recorder-"  # the user names of stand-ins begin with this
# Longer names are cut to this length, which leaves room for a number after the name.
LONGEST_RECORDER_NAME = 140


class RecorderNames:
    """The names that a table's file uses for the users who recorded at the table.

    Each user has a different name. It depends on the names given before: if the users come in the same order,
    they always get the same names.
    """

    def __init__(self, table: models.Table) -> None:
        self._member_names = dict(table.accesses.lasting().values_list("user", "member__name"))
        self._names: dict[int, str] = {}

    def name(self, user_pk: int) -> str:
        if user_pk not in self._names:
            self._names[user_pk] = self._unique_name(self._member_names.get(user_pk) or _user_name(user_pk))
        return self._names[user_pk]

    def name_or_none(self, user_pk: int | None) -> str | None:
        return None if user_pk is None else self.name(user_pk)

    def _unique_name(self, name: str) -> str:
        name, used_names, count = shorten(name, LONGEST_RECORDER_NAME), set(self._names.values()), 1
        free = name
        while free in used_names:
            count += 1
            free = f"{name} {count}"
        return free


def build_stand_in(name: str) -> User:
    """Return an unsaved user for a person with this name on another site. Nobody can sign in as this user."""
    return User(
        username=f"{STAND_IN_PREFIX}{secrets.token_hex(8)}",
        first_name=name,
        password=make_password(None),
        is_active=False,
    )


def _user_name(user_pk: int) -> str:
    return users.display_name(User.objects.get(pk=user_pk)) or users.NAMELESS_PREFIX
