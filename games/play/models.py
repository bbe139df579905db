"""Games, the append-only records from which their states are replayed, and their results."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.timezone import now

from games.scoring.events import Event
from games.scoring.replay import replay
from games.scoring.state import GameState
from games.scoring.text.codec import from_data
from games.seasons.models import Season
from games.tables.models.limits import HAND_LENGTH, KEY_LENGTH, VARIANT_LENGTH, new_code
from games.tables.models.people import Member, Table

_Row = TypeVar("_Row", bound=models.Model)


def variant_filter(key: str) -> Q:
    """Return a filter for the games or results of the variant (card game) with this key.

    It filters by the field `variant`, whose value is a title: the key alone, or the key, a colon and the name
    of a game.
    """
    return Q(variant=key) | Q(variant__startswith=f"{key}:")


class Game(models.Model):
    """A game (partida). Its fields about what was played, such as `pot`, are derived from its records.

    `variant` is the title (`GameState.title`): the variant's key and, for a game that the app does not know,
    a colon and the game's name. `night_number` is the `date.toordinal` of the game's night.
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
    pot = models.BigIntegerField(default=0)  # the amount that was paid out
    # the number of rounds; null if no round decided the game, or if the variant has a fixed number of rounds
    decided_in = models.PositiveSmallIntegerField(null=True, blank=True)
    # the mark *paid on the spot* (se pagó en la mesa): everybody's net by slug, its time, and its user
    spot_nets = models.JSONField(null=True, blank=True)
    spot_at = models.DateTimeField(null=True, blank=True)
    spot_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

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
        """Return the game's events, oldest first. An event's number is its position, counted from 1."""
        return tuple(from_data(kind, data) for kind, data in self.records.values_list("kind", "data"))

    def state(self) -> GameState:
        return replay(self.log())


class ImmutableRecordError(Exception):
    """A record is never changed or deleted."""


class ImmutableQuerySet(models.QuerySet[_Row]):
    """A queryset that refuses to change or delete rows."""

    def update(self, **kwargs: Any) -> NoReturn:
        raise ImmutableRecordError("a record is never changed")

    def bulk_update(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise ImmutableRecordError("a record is never changed")

    def delete(self) -> NoReturn:
        raise ImmutableRecordError("a record is never deleted")


class ImmutableModel(models.Model):
    """A row that is never changed or deleted: `games/common/triggers.py` makes the database refuse it too."""

    objects = ImmutableQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise ImmutableRecordError("a record is never changed")
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise ImmutableRecordError("a record is never deleted")


class Record(ImmutableModel):
    """One event as it was recorded.

    In a batch (events that were recorded together), only the first record has the idempotency key.

    A phone or program that was offline reports `recorded_at` itself; `arrived_at` is the time when the site
    got the event. `version` is the table's with this write; programs use it to follow the table.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="records")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=40)
    data = models.JSONField()
    key = models.CharField(max_length=KEY_LENGTH, null=True, blank=True)  # noqa: DJ001  (unique where it is not null)
    recorded_at = models.DateTimeField()
    arrived_at = models.DateTimeField(default=now)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="records"
    )
    version = models.PositiveBigIntegerField(null=True, blank=True)  # null in rows older than 1.1

    class Meta:
        ordering = ["number"]
        indexes = [models.Index(fields=["game", "version"], name="record_by_game_and_version")]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="record_number_once_a_game"),
            models.UniqueConstraint(fields=["game", "key"], name="record_key_once_a_game"),
            models.CheckConstraint(condition=Q(number__gte=1), name="record_numbers_from_one"),
            models.CheckConstraint(condition=Q(key__isnull=True) | ~Q(key=""), name="record_key_not_blank"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.kind}"


class Result(models.Model):
    """A member's result in a finished game, derived from the game's records and rebuilt when they change it.

    `variant` and `night_number` repeat the game's fields, so that statistics need no join.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="results")
    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="results")
    # null if the stake was refunded: then the game counts in no standings
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    points = models.PositiveSmallIntegerField()  # the number of players placed behind this one
    net = models.BigIntegerField()
    won = models.BooleanField()
    reentries = models.PositiveSmallIntegerField()
    rounds_won = models.PositiveSmallIntegerField()
    # the final score; null if an old notebook has none
    total = models.IntegerField(null=True, blank=True)
    in_one_go = models.PositiveSmallIntegerField()  # rounds closed in one go
    # the most rounds in a row that the player survived close to going bust
    survived = models.PositiveSmallIntegerField()
    variant = models.CharField(max_length=VARIANT_LENGTH)
    night_number = models.IntegerField()

    class Meta:
        ordering = ["game", "place", "pk"]
        indexes = [
            models.Index(
                fields=[
                    "member",
                    "night_number",
                    "game",
                    "variant",
                    "place",
                    "points",
                    "won",
                    "net",
                    "total",
                    "in_one_go",
                    "survived",
                    "reentries",
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


class Offer(models.Model):
    """An offered hand (Mi mano): a player's own hand in the current round, as it was last sent.

    It is temporary and records nothing: it fills the scorer's form. `hand` is the text for that form's field.
    `closing` is the key of the closing if this player says that they closed the round, and "" otherwise.
    `after` is the number of the last event that the phone had seen.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="offers")
    player = models.CharField(max_length=40)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="offers")
    round_number = models.PositiveIntegerField()
    after = models.PositiveIntegerField()
    closing = models.CharField(max_length=KEY_LENGTH, blank=True)
    hand = models.CharField(max_length=HAND_LENGTH, blank=True)
    offered_at = models.DateTimeField(default=now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["game", "player", "user"], name="offer_once_a_player_and_user"),
            models.CheckConstraint(condition=~Q(closing="", hand=""), name="offer_has_a_hand_or_closing"),
            models.CheckConstraint(condition=~Q(player=""), name="offer_of_somebody"),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.player}"


class Flag(models.Model):
    """A hand of a recorded round that a user says is wrong (está mal). It changes no score.

    `number` is the number of the round's event, and `after` that of the last event at the time: a later
    correction of the round answers the flag.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="flags")
    number = models.PositiveIntegerField()
    player = models.CharField(max_length=40)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="flags")
    after = models.PositiveIntegerField()
    raised_at = models.DateTimeField(default=now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "number", "player", "user"], name="flag_once_a_hand_and_user"
            ),
            models.CheckConstraint(condition=~Q(player=""), name="flag_on_somebodys_hand"),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.number} {self.player}"


class HandSource(ImmutableModel):
    """The source of a player's hand in a recorded round: the user whose phone sent it (`brought_by`).

    `number` is the number of the round's event. `is_changed` is true if the recorded hand differs from the
    one sent. A hand that the scorer entered without an offer has no row.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="hand_sources")
    number = models.PositiveIntegerField()
    player = models.CharField(max_length=40)
    brought_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="brought_hands"
    )
    is_changed = models.BooleanField()

    class Meta:
        ordering = ["number", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number", "player"], name="hand_source_once_a_hand"),
            models.CheckConstraint(condition=Q(number__gte=2), name="hand_source_never_of_the_start"),
            models.CheckConstraint(condition=~Q(player=""), name="hand_source_of_somebodys_hand"),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.number} {self.player}"
