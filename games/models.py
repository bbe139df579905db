"""What is stored: tables, their people, and the append-only records every game is replayed from."""

from __future__ import annotations

import secrets
from enum import StrEnum
from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.timezone import now

from games.scoring.codec import from_data
from games.scoring.events import Event
from games.scoring.replay import replay
from games.scoring.state import GameState

# Nothing that reads like something else: a code is also read aloud across a table.
ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"
CODE_LENGTH = 11  # 30 ** 11 is over 53 bits

COLOURS = 8
NAME_LENGTH = 20
TABLE_NAME_LENGTH = 60
UNIT_LENGTH = 12
DECIMALS = 3
KEY_LENGTH = 64
NOTE_LENGTH = 200


def new_code() -> str:
    """A code nobody can guess."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


class Role(StrEnum):
    """What a grant lets its user do at a table."""

    OWNER = "owner"
    SCORER = "scorer"
    WITNESS = "witness"


class RecordIsFinal(Exception):
    """Somebody tried to change or remove what was recorded."""


class Table(models.Model):
    """A table (mesa): the people who play together, and the money they play for."""

    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    name = models.CharField(max_length=TABLE_NAME_LENGTH)
    unit = models.CharField(max_length=UNIT_LENGTH, default="$")
    decimals = models.PositiveSmallIntegerField(default=0)
    language = models.CharField(max_length=12)
    timezone = models.CharField(max_length=64)
    revision = models.PositiveIntegerField(
        default=0
    )  # raised by whatever a watching phone shows besides events
    created_at = models.DateTimeField(default=now)
    erased_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="table_is_named"),
            models.CheckConstraint(condition=~Q(unit=""), name="table_has_a_unit"),
            models.CheckConstraint(
                condition=Q(decimals__gte=0, decimals__lte=DECIMALS), name="table_decimals_up_to_three"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class MemberQuerySet(models.QuerySet["Member"]):
    """Members, and those of them who play on."""

    def active(self) -> MemberQuerySet:
        """Who may sit down: neither retired nor merged into somebody else."""
        return self.filter(merged_into=None, retired_at=None)


class Member(models.Model):
    """Somebody who plays at a table; the slug is the player id inside events and never changes."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="members")
    slug = models.CharField(max_length=40)
    name = models.CharField(max_length=NAME_LENGTH)
    colour = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="members"
    )
    claimed_at = models.DateTimeField(null=True, blank=True)
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="merged"
    )
    retired_at = models.DateTimeField(null=True, blank=True)

    objects = MemberQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["table", "slug"], name="member_slug_once_a_table"),
            models.CheckConstraint(condition=~Q(slug__in=["", "nobody"]), name="member_slug_is_somebody"),
            models.CheckConstraint(condition=~Q(name=""), name="member_is_named"),
            models.CheckConstraint(
                condition=Q(colour__gte=1, colour__lte=COLOURS), name="member_colour_one_to_eight"
            ),
            models.CheckConstraint(
                condition=Q(merged_into__isnull=True) | ~Q(merged_into=F("pk")),
                name="member_not_merged_into_self",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Season(models.Model):
    """A season (temporada) of a table; the one without an end takes the games begun now."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="seasons")
    name = models.CharField(max_length=60)
    starts_on = models.DateField()
    ends_on = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ["starts_on", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(ends_on__isnull=True), name="season_one_open_a_table"
            ),
            models.CheckConstraint(
                condition=Q(ends_on__isnull=True) | Q(ends_on__gte=F("starts_on")),
                name="season_ends_after_it_starts",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Game(models.Model):
    """A game (partida): its records are the truth; variant, started_at and ended_at only repeat what they say."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="games")
    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="games")
    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    key = models.CharField(max_length=KEY_LENGTH)
    discarded_at = models.DateTimeField(null=True, blank=True)
    variant = models.CharField(max_length=32)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-started_at", "-pk"]
        indexes = [models.Index(fields=["table", "-started_at"], name="game_by_table_and_start")]
        constraints = [
            models.UniqueConstraint(fields=["table", "key"], name="game_key_once_a_table"),
            models.CheckConstraint(condition=~Q(key=""), name="game_has_a_key"),
        ]

    def __str__(self) -> str:
        return f"{self.variant} {self.code}"

    def log(self) -> tuple[Event, ...]:
        """Everything recorded, oldest first; an event's number is its place, from 1."""
        return tuple(from_data(kind, data) for kind, data in self.records.values_list("kind", "data"))

    def state(self) -> GameState:
        """Where the game stands."""
        return replay(self.log())


class RecordQuerySet(models.QuerySet["Record"]):
    """Records to read and to add; whatever would change or remove one is refused."""

    def update(self, **kwargs: Any) -> NoReturn:
        raise RecordIsFinal("a record is never changed")

    def bulk_update(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RecordIsFinal("a record is never changed")

    def delete(self) -> NoReturn:
        raise RecordIsFinal("a record is never deleted")


class Record(models.Model):
    """One event as it was recorded; the first of a batch holds the batch's key."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="records")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=40)
    data = models.JSONField()
    key = models.CharField(max_length=KEY_LENGTH, null=True, blank=True)  # noqa: DJ001  (unique where it is not null)
    recorded_at = models.DateTimeField()
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="records"
    )

    objects = RecordQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="record_number_once_a_game"),
            models.UniqueConstraint(fields=["game", "key"], name="record_key_once_a_game"),
            models.CheckConstraint(condition=Q(number__gte=1), name="record_numbers_from_one"),
            models.CheckConstraint(condition=Q(key__isnull=True) | ~Q(key=""), name="record_key_not_blank"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.kind}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise RecordIsFinal("a record is never changed")
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RecordIsFinal("a record is never deleted")


class Result(models.Model):
    """What a finished game gave one member; made from the records, and made anew whenever they change it."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="results")
    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="results")
    place = models.PositiveSmallIntegerField(
        null=True, blank=True
    )  # null: refunded, so it counts in no standings
    points = models.PositiveSmallIntegerField()  # placing points: the players strictly behind
    net = models.BigIntegerField()
    won = models.BooleanField()
    reentries = models.PositiveSmallIntegerField()
    rounds_won = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["game", "place", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["game", "member"], name="result_once_a_member"),
            models.CheckConstraint(
                condition=Q(place__isnull=True) | Q(place__gte=1), name="result_places_from_one"
            ),
            models.CheckConstraint(condition=Q(won=False) | Q(place=1), name="result_winners_are_first"),
        ]

    def __str__(self) -> str:
        return f"{self.member}: {self.place}"


class Flag(models.Model):
    """*That is not my hand*: somebody doubts a player's hand in event `number`. No event, so it never moves a log."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="flags")
    number = models.PositiveIntegerField()
    player = models.CharField(max_length=40)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="flags")
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)
    flagged_at = models.DateTimeField(default=now)
    resolved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["flagged_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "number", "player", "by"],
                condition=Q(resolved_at__isnull=True),
                name="flag_open_once_a_hand_and_user",
            ),
            models.CheckConstraint(condition=Q(number__gte=2), name="flag_never_on_the_start"),
            models.CheckConstraint(condition=~Q(player=""), name="flag_on_somebodys_hand"),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.number}"


class InviteQuerySet(models.QuerySet["Invite"]):
    """Invitations, and those of them that still let somebody in."""

    def standing(self) -> InviteQuerySet:
        """Neither revoked, nor used up, nor past their end."""
        return self.filter(revoked_at=None, used_at=None, expires_at__gt=now())


class Invite(models.Model):
    """A link that gives a role at a table to whoever accepts it; only the hash of its token is kept.

    One that lets somebody write is used up by the first who accepts it, one to watch when somebody who came in by it
    is put out.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="invites")
    role = models.CharField(max_length=10)
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invites")
    made_at = models.DateTimeField(default=now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = InviteQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(role__in=[str(role) for role in Role]), name="invite_role_is_known"
            ),
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("made_at")), name="invite_ends_after_it_is_made"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.role}"


class GrantQuerySet(models.QuerySet["Grant"]):
    """Grants, and those of them that have not ended."""

    def standing(self) -> GrantQuerySet:
        """The grants that let somebody in now."""
        return self.filter(Q(expires_at__isnull=True) | Q(expires_at__gt=now()))


class Grant(models.Model):
    """What a user may do at a table, and until when."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="grants")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="grants")
    role = models.CharField(max_length=10)
    invite = models.ForeignKey(
        Invite, on_delete=models.SET_NULL, null=True, blank=True, related_name="grants"
    )
    made_at = models.DateTimeField(default=now)
    expires_at = models.DateTimeField(null=True, blank=True)

    objects = GrantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "table"], name="grant_once_a_user_and_table"),
            models.CheckConstraint(
                condition=Q(role__in=[str(role) for role in Role]), name="grant_role_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.role}"
