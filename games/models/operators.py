"""The log of the acts of a site's operators, and the reports of tables that people send to the operators."""

from __future__ import annotations

from enum import StrEnum

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.timezone import now

from games.models.limits import ACT_ABOUT_LENGTH, ACT_LENGTH, REASON_LENGTH, REPORT_LENGTH
from games.models.people import Table


class Act(StrEnum):
    """A kind of act of an operator that is logged, such as suspending a table."""

    TABLE_SUSPENDED = "table_suspended"
    TABLE_RELEASED = "table_released"
    TABLE_ERASED = "table_erased"
    TABLE_BACK = "table_back"
    USER_SUSPENDED = "user_suspended"
    USER_RELEASED = "user_released"
    SESSIONS_ENDED = "sessions_ended"
    LET_IN = "let_in"  # a sign-in link was made for a user
    USER_DELETED = "user_deleted"
    TOKEN_REVOKED = "token_revoked"
    ADDRESS_RELEASED = "address_released"
    REPORT_CLOSED = "report_closed"


class OperatorAct(models.Model):
    """An entry in the log of operators' acts: who did what, when and why.

    The entry outlives its table, so it has the table's code instead of a foreign key. `about` says what the
    act dealt with: the name of a token, the kind of a rate limit or the id of a report. It is never a
    client's address.
    """

    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="acts_made"
    )
    made_at = models.DateTimeField(default=now)
    what = models.CharField(max_length=ACT_LENGTH)
    table_code = models.CharField(max_length=16, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="acts_about"
    )
    about = models.CharField(max_length=ACT_ABOUT_LENGTH, blank=True)
    reason = models.CharField(max_length=REASON_LENGTH)

    class Meta:
        ordering = ["-made_at", "-pk"]
        indexes = [models.Index(fields=["table_code"], name="act_of_a_table")]
        constraints = [
            models.CheckConstraint(condition=Q(what__in=[str(act) for act in Act]), name="act_is_known"),
            models.CheckConstraint(condition=~Q(reason=""), name="act_has_a_reason"),
        ]

    def __str__(self) -> str:
        return self.what


class Report(models.Model):
    """A report of a table to the operator, by a user who watches the table or by anybody with an invitation.

    It is anonymous: neither the user nor the client's address is stored.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="reports")
    text = models.CharField(max_length=REPORT_LENGTH)
    # True if the sender had an invitation, False if the sender watched the table
    is_invited = models.BooleanField()
    made_at = models.DateTimeField(default=now)
    closed_at = models.DateTimeField(null=True, blank=True)
    note = models.CharField(max_length=REASON_LENGTH, blank=True)  # the note of the operator who closed it

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="report_says_something")]

    def __str__(self) -> str:
        return str(self.table)
