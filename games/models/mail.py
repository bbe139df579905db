"""E-mail addresses of accounts, and mails that wait to be sent."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.timezone import now

from games.models.limits import ADDRESS_LENGTH


class Address(models.Model):
    """A user's e-mail address, to which a link is sent if they forget the password.

    `confirmed` is the address in use, "" if there is none. `pending` is an address that was not confirmed yet
    and is not used, "" if there is none. Only the hash of the token in the confirming link is stored. An
    address can be confirmed for one account only, ignoring case. `confirmed_at` is null also for an address
    that was confirmed before this column existed.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mail_address"
    )
    confirmed = models.CharField(max_length=ADDRESS_LENGTH, blank=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    pending = models.CharField(max_length=ADDRESS_LENGTH, blank=True)
    token_hash = models.CharField(max_length=64, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Lower("confirmed"), condition=~Q(confirmed=""), name="address_confirmed_once"
            ),
            models.UniqueConstraint(
                fields=["token_hash"], condition=~Q(token_hash=""), name="address_token_once"
            ),
        ]

    def __str__(self) -> str:
        return self.confirmed or self.pending


class MailKind(models.TextChoices):
    """A kind of mail, which decides its text."""

    CONFIRM = "confirm"  # a link that confirms the address
    RESET = "reset"  # a link for a new password
    REPLACED = "replaced"  # to the former address: the account has another one
    REMOVED = "removed"  # to the former address: the account has none any more


class Mail(models.Model):
    """An outgoing mail that waits to be sent. The row is deleted once the mail is sent.

    The text is made only when the mail is sent, so no link is stored here. `user` is null for a link for a
    new password: the user of the address, if there is one, is looked up when the mail is sent. A process
    that sends the mail first moves `due_at` ahead, so that no other process sends it too.
    """

    kind = models.CharField(max_length=10)
    address = models.CharField(max_length=ADDRESS_LENGTH)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="mails"
    )
    language = models.CharField(max_length=12)
    made_at = models.DateTimeField(default=now)
    due_at = models.DateTimeField(default=now, db_index=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["due_at", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=MailKind.values), name="mail_kind_is_known"),
            models.CheckConstraint(
                condition=Q(kind=MailKind.RESET, user=None) | ~Q(kind=MailKind.RESET) & ~Q(user=None),
                name="mail_is_of_somebody_unless_a_reset",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
