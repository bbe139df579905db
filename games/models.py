"""What is stored: tables, their people, and the append-only records every game is replayed from."""

from __future__ import annotations

import secrets
from enum import StrEnum
from typing import Any, NoReturn

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import models
from django.db.models import F, Q
from django.utils.timezone import now

from games.scoring.events import Event
from games.scoring.replay import replay
from games.scoring.state import GameState
from games.scoring.text.codec import from_data

# Nothing that reads like something else: a code is also read aloud across a table.
ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"
CODE_LENGTH = 11  # 30 ** 11 is over 53 bits

COLOURS = 8
NAME_LENGTH = 20
TABLE_NAME_LENGTH = 60
SEASON_NAME_LENGTH = 60
UNIT_LENGTH = 12
DECIMALS = 3
KEY_LENGTH = 64
VARIANT_LENGTH = 32
NOTE_LENGTH = 200
ACCOUNT_LENGTH = 80
MOST_MONEY = 10**15 - 1  # of one payment, or one player in one game: thousands of them can be added up


def new_code() -> str:
    """A code nobody can guess."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


class Role(StrEnum):
    """What a grant lets its user do at a table."""

    OWNER = "owner"
    SCORER = "scorer"
    WITNESS = "witness"


class Method(StrEnum):
    """How somebody paid; what is written off was forgiven, and no money moved."""

    CASH = "cash"
    TRANSFER = "transfer"
    WRITE_OFF = "write_off"


class Because(StrEnum):
    """What changed who pays whom."""

    ENDED = "ended"
    CORRECTED = "corrected"
    REOPENED = "reopened"
    DISCARDED = "discarded"
    RESTORED = "restored"
    PAID = "paid"
    CANCELLED = "cancelled"
    DISPUTED = "disputed"
    CONFIRMED = "confirmed"
    MERGED = "merged"
    IMPORTED = "imported"
    REPAIRED = "repaired"


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
    account = models.CharField(
        max_length=ACCOUNT_LENGTH, blank=True
    )  # where to send money: an alias, a number, any words
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

    def is_of(self, user: User | AnonymousUser) -> bool:
        """Whether an owner accepted that this user is this member."""
        return self.claimed_at is not None and self.user_id is not None and self.user_id == user.pk


class Season(models.Model):
    """A season (temporada) of a table; the one without an end takes the games begun now."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="seasons")
    name = models.CharField(max_length=SEASON_NAME_LENGTH)
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
    """A game (partida): its records are the truth; the fields from `variant` on only repeat what they say.

    `night_number` is the day its night began, as `date.toordinal` counts: every database divides whole numbers alike.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="games")
    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="games")
    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    key = models.CharField(max_length=KEY_LENGTH)
    discarded_at = models.DateTimeField(null=True, blank=True)
    variant = models.CharField(max_length=VARIANT_LENGTH)
    started_at = models.DateTimeField()
    night_number = models.IntegerField()
    ended_at = models.DateTimeField(null=True, blank=True)
    pot = models.BigIntegerField(default=0)  # what its winners found in it
    decided_in = models.PositiveSmallIntegerField(
        null=True, blank=True
    )  # rounds; null where no round decided it, or every such game has as many

    class Meta:
        ordering = ["-started_at", "-pk"]
        indexes = [
            models.Index(fields=["table", "-started_at"], name="game_by_table_and_start"),
            models.Index(
                fields=["table", "discarded_at", "night_number", "variant", "ended_at", "pot", "decided_in"],
                name="game_by_table_and_night",
            ),
        ]
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
    """What a finished game gave one member; made from the records, and made anew whenever they change it.

    `variant` and `night_number` repeat the game's, so that ten thousand games are added up from one index.
    """

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
    total = models.IntegerField(
        null=True, blank=True
    )  # the points written down; null where an old notebook has none
    in_one_go = models.PositiveSmallIntegerField()  # rounds closed like that
    survived = models.PositiveSmallIntegerField()  # rounds in a row, close to being out
    variant = models.CharField(max_length=VARIANT_LENGTH)
    night_number = models.IntegerField()

    class Meta:
        ordering = ["game", "place", "pk"]
        indexes = [
            models.Index(
                fields=[
                    *("member", "night_number", "game", "variant", "place", "points", "won", "net"),
                    *("total", "in_one_go", "survived", "reentries"),
                ],
                name="result_by_member_and_night",
            ),
            models.Index(fields=["game", "member", "place", "won", "net"], name="result_by_game"),
        ]
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


class Removal(models.Model):
    """Somebody put out of a table, or an invitation revoked: by it what ended then comes back, and nothing else.

    The grants that ended point to it, and so do the invitations that ended with their makers; `invite` is the one that
    was revoked, none where somebody was put out.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="removals")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="removals")
    made_at = models.DateTimeField(default=now)
    undone_at = models.DateTimeField(null=True, blank=True)
    invite = models.ForeignKey(
        "Invite", on_delete=models.CASCADE, null=True, blank=True, related_name="revocations"
    )

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.table}: {self.made_at}"


class InviteQuerySet(models.QuerySet["Invite"]):
    """Invitations, and those of them that still let somebody in."""

    def standing(self) -> InviteQuerySet:
        """Neither ended, nor used up, nor past their end, and made by somebody who owns the table still."""
        makers = Grant.objects.standing().filter(
            table=models.OuterRef("table"), user=models.OuterRef("made_by"), role=Role.OWNER
        )
        open_still = self.filter(revoked_at=None, removal=None, used_at=None, expires_at__gt=now())
        return open_still.filter(models.Exists(makers))


class Invite(models.Model):
    """A link that gives a role at a table to whoever accepts it; only the hash of its token is kept.

    One that lets somebody write is used up by the first who accepts it. One that `is_spare` is its maker's own: who
    opens it on another phone goes ahead of the phone that made it. `revoked_at` says that an owner revoked it,
    `removal` that it ended with somebody who was put out.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="invites")
    role = models.CharField(max_length=10)
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invites")
    made_at = models.DateTimeField(default=now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    removal = models.ForeignKey(
        Removal, on_delete=models.CASCADE, null=True, blank=True, related_name="invites"
    )
    is_spare = models.BooleanField(default=False)

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
            models.CheckConstraint(
                condition=Q(is_spare=False) | Q(role=str(Role.OWNER)), name="invite_spare_is_an_owners"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.role}"


class GrantQuerySet(models.QuerySet["Grant"]):
    """Grants, and those of them that have not ended."""

    def standing(self) -> GrantQuerySet:
        """The grants that let somebody in now."""
        return self.filter(Q(expires_at__isnull=True) | Q(expires_at__gt=now()), removal=None)

    def owning(self) -> GrantQuerySet:
        """The grants of those who own a table now, the first owner at the front."""
        return self.standing().filter(role=Role.OWNER).order_by("ranks_from", "pk")


class Grant(models.Model):
    """What a user may do at a table, and until when.

    Owners stand in the order of `ranks_from`, which is when they came in until the table is handed over. A grant that a
    `removal` ended stays, so that undoing it brings back the same.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="grants")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="grants")
    role = models.CharField(max_length=10)
    invite = models.ForeignKey(
        Invite, on_delete=models.SET_NULL, null=True, blank=True, related_name="grants"
    )
    made_at = models.DateTimeField(default=now)
    ranks_from = models.DateTimeField(default=now)
    expires_at = models.DateTimeField(null=True, blank=True)
    removal = models.ForeignKey(
        Removal, on_delete=models.CASCADE, null=True, blank=True, related_name="grants"
    )

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


class PaymentQuerySet(models.QuerySet["Payment"]):
    """Payments, and those of them that move balances."""

    def counting(self) -> PaymentQuerySet:
        """Neither cancelled nor disputed; whether the payee confirmed makes no difference."""
        return self.filter(cancelled_at=None, disputed_at=None)


class Payment(models.Model):
    """Money that went from one member to another: a fact of the table, which no game's correction touches."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="payments")
    payer = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="payments_made")
    payee = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="payments_taken")
    amount = models.BigIntegerField()
    method = models.CharField(max_length=10)
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)
    game = models.ForeignKey(
        Game, on_delete=models.PROTECT, null=True, blank=True, related_name="payments"
    )  # the game it was paid for, on the spot
    key = models.CharField(max_length=KEY_LENGTH)  # shared by what was recorded together
    made_at = models.DateTimeField()
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="payments"
    )
    confirmed_at = models.DateTimeField(null=True, blank=True)
    disputed_at = models.DateTimeField(null=True, blank=True)
    objection = models.CharField(max_length=NOTE_LENGTH, blank=True)  # what the payee says against it
    cancelled_at = models.DateTimeField(null=True, blank=True)
    cancelled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    objects = PaymentQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]
        indexes = [models.Index(fields=["table", "-made_at"], name="payment_by_table_and_time")]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "key", "payer", "payee"], name="payment_key_once_a_pair"
            ),
            models.CheckConstraint(condition=Q(amount__gt=0), name="payment_is_of_something"),
            models.CheckConstraint(condition=~Q(payer=F("payee")), name="payment_between_two"),
            models.CheckConstraint(condition=~Q(key=""), name="payment_has_a_key"),
            models.CheckConstraint(
                condition=Q(method__in=[str(method) for method in Method]), name="payment_method_is_known"
            ),
            models.CheckConstraint(
                condition=Q(confirmed_at__isnull=True)
                | Q(disputed_at__isnull=True, cancelled_at__isnull=True),
                name="payment_confirmed_is_neither_disputed_nor_cancelled",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.payer} → {self.payee}: {self.amount}"

    @property
    def counts(self) -> bool:
        """Whether it moves balances."""
        return self.cancelled_at is None and self.disputed_at is None


class Plan(models.Model):
    """Who pays whom, as it stood from here on until something but a payment along it moved a balance.

    `lines` and `before`, what was still to be paid until then, are lists of [payer, payee, amount] with slugs.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="plans")
    lines = models.JSONField()
    before = models.JSONField()
    because = models.CharField(max_length=10)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, blank=True, related_name="plans")
    number = models.PositiveIntegerField(null=True, blank=True)  # the first event of what was recorded then
    payment = models.ForeignKey(
        Payment, on_delete=models.PROTECT, null=True, blank=True, related_name="plans"
    )
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(because__in=[str(because) for because in Because]), name="plan_reason_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.because}"


class ClosingNote(models.Model):
    """What everybody saw when a night was closed: the balances by slug, and who was still to pay whom."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="closing_notes")
    night = models.DateField()
    balances = models.JSONField()
    lines = models.JSONField()
    text = models.CharField(max_length=NOTE_LENGTH, blank=True)
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="closing_notes"
    )

    class Meta:
        ordering = ["-night", "-made_at", "-pk"]
        indexes = [models.Index(fields=["table", "-night"], name="note_by_table_and_night")]

    def __str__(self) -> str:
        return f"{self.table}: {self.night}"
