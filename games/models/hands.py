"""Hands that players send from their own phones, and the source of each hand that was recorded from one."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.timezone import now

from games.models.limits import HAND_LENGTH, KEY_LENGTH
from games.models.play import Final, Game


class Offer(models.Model):
    """An offered hand (Mi mano): a player's own hand in the round being played, as it was sent last.

    It is temporary and records nothing: it fills the scorer's form. `hand` is the text for the field of that
    form. `closing` is the way in which this player says they closed the round; "" if they did not. `after`
    is the number of the last event that the phone had seen.
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


class HandSource(Final):
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
