"""The e-mail addresses of accounts: entered by the user, confirmed by a link, replaced and removed.

An address is *pending* until the user opens the link that is mailed to it. No response reveals whether
another account has an address. Only a mail to the address itself does.
"""

from __future__ import annotations

import secrets
from datetime import datetime

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.db.models.functions import Lower
from django.utils.encoding import punycode
from django.utils.timezone import now

from games import tombstones
from games.models import ADDRESS_LENGTH, Address, MailKind
from games.people.invitations import TOKEN_BYTES, hash_of
from games.people.outgoing import drop_links_that_wait, is_waiting, queue
from games.people.sign_in_links import LASTS, drop_links
from games.tombstones import Act


class ConfirmationGone(Exception):
    """Raised for a confirmation link that is too old or replaced, or whose address another user confirmed."""


def as_stored(written: str) -> str:
    """Return the address with its domain converted to ASCII (punycode) and to lower case.

    Raise ValueError if the address cannot be written in ASCII, or is too long.
    """
    local, _at, domain = written.rpartition("@")
    address = f"{local}@{punycode(domain).lower()}"
    if not address.isascii() or len(address) > ADDRESS_LENGTH:
        raise ValueError(written)
    return address


def address_of(user: User) -> Address:
    """Return the stored address of the user or, if they have none, a new empty row that is not saved."""
    return Address.objects.filter(user=user).first() or Address(user=user)


def user_at(address: str) -> User | None:
    """Return the user who confirmed this address and can sign in with a password, or None."""
    row = _confirmed(address).select_related("user").first()
    user = row.user if row else None
    return user if user is not None and user.is_active and user.has_usable_password() else None


def _confirmed(address: str) -> QuerySet[Address]:
    folded = Address.objects.alias(folded=Lower("confirmed"))
    return folded.filter(folded=address.lower()).exclude(confirmed="")


@transaction.atomic
def ask_to_confirm(user: User, address: str) -> None:
    """Queue a mail with a link that confirms this address as the user's. Earlier links end."""
    pending = {"pending": address, "token_hash": "", "expires_at": None}
    Address.objects.update_or_create(user=user, defaults=pending)
    queue(MailKind.CONFIRM, address, user)


def may_still_confirm(row: Address) -> bool:
    """Return whether the link for the pending address still waits to be mailed, or is still valid.

    Whether another user has confirmed the address makes no difference, so the result does not reveal that.
    """
    if row.expires_at is not None:
        return row.expires_at > now()
    return is_waiting(MailKind.CONFIRM, row.pending, row.user)


def is_taken(user: User, address: str) -> bool:
    """Return whether another user has confirmed this address."""
    return _confirmed(address).exclude(user=user).exists()


def make_confirmation(user: User, address: str) -> str | None:
    """Make a link that confirms this pending address of the user, and return its token. An earlier link ends.

    Return None if `address` is no longer the user's pending address.
    """
    token = secrets.token_urlsafe(TOKEN_BYTES)
    waiting = Address.objects.filter(user=user, pending=address)
    made = waiting.update(token_hash=hash_of(token), expires_at=now() + LASTS)
    return token if made else None


def find_confirmation(token: str) -> Address | None:
    """Return the address that the link with this token confirms or has confirmed.

    Return None if the link is not valid.
    """
    addresses = Address.objects.select_related("user").filter(token_hash=hash_of(token))
    return addresses.filter(expires_at__gt=now(), user__is_active=True).first()


@transaction.atomic
def confirm(token: str) -> Address:
    """Confirm the address of this link, and return it. A second call with the same token changes nothing.

    If it replaces another confirmed address, a mail to the old one says so, and the user's sign-in links end.
    Raise ConfirmationGone if the link is not valid or another user has confirmed the address meanwhile.
    """
    Address.objects.select_for_update(no_key=True).filter(token_hash=hash_of(token)).first()
    row = find_confirmation(token)
    if row is None:
        raise ConfirmationGone
    if not row.pending:
        return row
    former, row.confirmed, row.pending, row.confirmed_at = row.confirmed, row.pending, "", now()
    try:
        with transaction.atomic():
            row.save(update_fields=["confirmed", "confirmed_at", "pending"])
    except IntegrityError as error:
        raise ConfirmationGone from error
    if former and former.lower() != row.confirmed.lower():
        queue(MailKind.REPLACED, former, row.user)
        tombstones.note(Act.ADDRESS_GONE, at=row.confirmed_at, user=row.user)
        drop_links(row.user)
    return row


@transaction.atomic
def remove_address(user: User) -> None:
    """Remove the user's address.

    If the address was confirmed, queue a last mail to it that says so, and end the user's sign-in links: they
    may have been mailed to it.
    """
    former = address_of(user).confirmed
    drop_address(user)
    tombstones.note(Act.ADDRESS_GONE, user=user)
    if former:
        queue(MailKind.REMOVED, former, user)
        drop_links(user)


@transaction.atomic
def drop_address_again(user: User, *, at: datetime) -> bool:
    """Delete an address again that a restored backup brought back, and the user's sign-in links with it.

    `at` is the moment at which the address was removed. An address that was confirmed at that moment or later
    stays. Return whether an address was deleted.
    """
    row = address_of(user)
    if row.pk is None or (row.confirmed_at is not None and row.confirmed_at >= at):
        return False
    drop_address(user)
    drop_links(user)
    return True


def drop_address(user: User) -> None:
    """Delete the user's address, and the queued mails with links for the user. Send no mail about it."""
    drop_links_that_wait(user, address_of(user).confirmed)
    Address.objects.filter(user=user).delete()
