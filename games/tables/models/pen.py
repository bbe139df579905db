"""The pen (la lapicera): the right to record for one night, and the questions about it (*Caro quiere anotar*).

It is no role: accesses, links, tokens and files know nothing of it. Both rows keep their moments, and what time
allows is computed from them at each tap.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import F, Q
from django.utils.timezone import now

from games.tables.models.access import Access
from games.tables.models.people import Member, Table


class PenRequestQuerySet(models.QuerySet["PenRequest"]):
    def open(self) -> PenRequestQuerySet:
        return self.filter(answered_at=None, until__gt=now())


class PenRequest(models.Model):
    """The question whether a user, who is this member, may record. A table has one at a time.

    It is open until `answered_at`, and until `until` at the latest. `is_given` is true if the answer was yes.
    `answered_by` is null if nobody answered: the user was alone, or the question lapsed.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="pen_requests")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="pen_requests")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="pen_requests")
    asked_at = models.DateTimeField(default=now)
    until = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    is_given = models.BooleanField(default=False)

    objects = PenRequestQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(answered_at=None), name="pen_request_one_open_a_table"
            ),
            models.CheckConstraint(condition=Q(until__gt=F("asked_at")), name="pen_request_ends_after_it"),
            models.CheckConstraint(
                condition=Q(answered_at__isnull=False) | Q(answered_by=None, is_given=False),
                name="pen_request_says_when_answered",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.member}: {self.asked_at}"


class PenQuerySet(models.QuerySet["Pen"]):
    def valid(self) -> PenQuerySet:
        """Filter to pens that are not ended, of users who have kept their access as the same member.

        They are confirmed for good, or it was lent to the new phone of an owner whose claim is still pending.
        """
        kept = Access.objects.valid().filter(
            Q(until=None) | Q(confirmed_at=None),
            user=models.OuterRef("user"),
            table=models.OuterRef("table"),
            member=models.OuterRef("member"),
            made_at__lte=models.OuterRef("since"),
        )
        return self.filter(models.Exists(kept), ended_at=None, until__gt=now(), user__is_active=True)

    def find_valid(self) -> Pen | None:
        """Return the valid pen among these. Where none is open, as at most tables, the query is a short one."""
        return self.valid().first() if self.filter(ended_at=None).exists() else None

    def end(self, *, by: User | None = None) -> int:
        """End the open pens among these, and return their number."""
        return self.filter(ended_at=None).update(ended_at=now(), ended_by=by)


class Pen(models.Model):
    """The right of a user, who is this member, to record at a table, from `since` until the night ends.

    A table has one at a time. `ended_by` is who took it back.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="pens")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="pens")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="pens")
    since = models.DateTimeField(default=now)
    until = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = PenQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(ended_at=None), name="pen_one_open_a_table"
            ),
            models.CheckConstraint(condition=Q(until__gt=F("since")), name="pen_ends_after_it_begins"),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=False) | Q(ended_by=None), name="pen_says_when_ended"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.member}: {self.since}"
