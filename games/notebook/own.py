"""A user's own data as one JSON text.

For a table to which the user no longer has access, the text only has the user's own actions, and nothing that
may have changed since: for a payment, the content that the user recorded, without later amendments and
states.

A step is an act in the history of a payment or shared cost, such as a confirmation or an amendment. A `Part`
is one JSON object of the text.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, Max, Min, Q

from games.models import (
    CostStep,
    CostStepKind,
    Face,
    Flag,
    HandSource,
    Invite,
    Member,
    Newcomer,
    Payment,
    PaymentStep,
    Record,
    SharedCost,
    SignInLink,
)
from games.money.booking import wording_of
from games.notebook.writing import moment_in_text, one_moment
from games.people.access import accounts_seen_by, members_who_are
from games.people.devices import devices_of
from games.people.guests import tables_open_to

FORMAT, VERSION = "anotador-person", 1

Part = Mapping[str, Any]


def write_own(user: User) -> str:
    """Return all of the user's data as of one moment, without secrets such as tokens."""
    with one_moment():
        return json.dumps(_whole(user), ensure_ascii=False, indent=1) + "\n"


def _whole(user: User) -> Part:
    return {
        "format": FORMAT,
        "version": VERSION,
        "account": _account(user),
        "tables": list(_tables(user)),
        "members": list(_members(user)),
        "merged": list(_merged(user)),
        "invitations": list(_invitations(user)),
        "faces": list(_faces(user)),
        "new_phones": list(_new_phones(user)),
        "sign_in_links": list(_sign_in_links(user)),
        "devices": list(_devices(user)),
        "tokens": list(_tokens(user)),
        "recorded": list(_recorded(user)),
        "hands": list(_hands(user)),
        "payments": list(_payments(user)),
        "payment_steps": list(_payment_steps(user)),
        "costs": list(_costs(user)),
        "cost_steps": list(_cost_steps(user)),
        "closing_notes": list(_closing_notes(user)),
        "doubts": list(_doubts(user)),
        "removals": list(_removals(user)),
    }


def _account(user: User) -> Part:
    return {
        "name": user.username,
        "called": user.first_name,
        "has_password": user.has_usable_password(),
        "since": moment_in_text(user.date_joined),
        "signed_in_last": moment_in_text(user.last_login),
    }


def _still_open(user: User) -> Collection[int]:
    return set(tables_open_to(user).values_list("pk", flat=True))


def _tables(user: User) -> Iterable[Part]:
    names = dict(tables_open_to(user).values_list("pk", "name"))
    for grant in user.grants.select_related("table").order_by("pk"):
        yield {
            "code": grant.table.code,
            "name": names.get(grant.table_id),
            "role": grant.role,
            "since": moment_in_text(grant.made_at),
            "until": moment_in_text(grant.expires_at),
            "removed": grant.removal_id is not None,
        }


def _members(user: User) -> Iterable[Part]:
    """Yield the members that this user claims to be, confirmed or not."""
    still = _still_open(user)
    for member in user.members.select_related("table").order_by("pk"):
        is_open = member.table_id in still
        yield {
            "table": member.table.code,
            "id": member.slug,
            "name": member.name if is_open else None,
            "account": member.account if is_open else None,
            "agreed_at": moment_in_text(member.claimed_at) if is_open else None,
        }


def _merged(user: User) -> Iterable[Part]:
    """Yield the members that this user merged into another member, without naming that other member."""
    still = _still_open(user)
    for member in Member.objects.filter(merged_by=user).select_related("table").order_by("pk"):
        yield {
            "table": member.table.code,
            "id": member.slug,
            "merged_at": moment_in_text(member.merged_at) if member.table_id in still else None,
        }


def _invitations(user: User) -> Iterable[Part]:
    still = _still_open(user)
    for invite in user.invites.select_related("table").order_by("pk"):
        yield {
            "table": invite.table.code,
            "role": invite.role,
            "made_at": moment_in_text(invite.made_at),
            "until": moment_in_text(invite.expires_at),
            **(_ended(invite) if invite.table_id in still else {}),
        }


def _ended(invite: Invite) -> Part:
    return {
        "used_at": moment_in_text(invite.used_at),
        "revoked_at": moment_in_text(invite.revoked_at),
    }


def _faces(user: User) -> Iterable[Part]:
    """Yield the faces that this user tapped or agreed to in the last nights, and the new names they gave.

    By tapping a face, users say which member they are tonight. A user who is no member yet gives a new name.
    """
    still = _still_open(user)
    for kind in (Face, Newcomer):
        of_user = Q(user=user) | Q(agreed_by=user) if kind is Face else Q(user=user)
        for row in kind.objects.filter(of_user).select_related("table"):
            name = row.member.name if isinstance(row, Face) else row.name
            yield {
                "table": row.table.code,
                "name": name if row.table_id in still or isinstance(row, Newcomer) else None,
                "night": row.night.isoformat(),
            }


def _new_phones(user: User) -> Iterable[Part]:
    """Yield the invitations by which a new phone takes this user's place, or this user took another's."""
    still = _still_open(user)
    invites = Invite.objects.filter(Q(replaces=user) | Q(used_by=user)).select_related("table", "member")
    for invite in invites.order_by("pk"):
        is_yours, is_open = invite.used_by_id == user.pk, invite.table_id in still
        yield {
            "table": invite.table.code,
            "member": invite.member.slug if is_open and invite.member else None,
            "used_at": moment_in_text(invite.used_at) if is_open or is_yours else None,
            "yours": is_yours,
        }


def _sign_in_links(user: User) -> Iterable[Part]:
    """Yield the newest sign-in links of this user.

    These are one for a lost password, and one made by each device for the app on its home screen.
    """
    for link in SignInLink.objects.filter(user=user).order_by("pk"):
        yield {
            "made_at": moment_in_text(link.made_at),
            "until": moment_in_text(link.expires_at),
            "used_at": moment_in_text(link.used_at),
            "for_home_screen": link.device_id is not None,
        }


def _devices(user: User) -> Iterable[Part]:
    for device in devices_of(user):
        yield {
            "browser": device.browser,
            "system": device.system,
            "since": moment_in_text(device.since),
            "seen_on": device.seen_on.isoformat(),
        }


def _tokens(user: User) -> Iterable[Part]:
    for token in user.tokens.select_related("table").order_by("pk"):
        yield {
            "name": token.name,
            "table": None if token.table is None else token.table.code,
            "role": token.role,
            "made_at": moment_in_text(token.made_at),
            "until": moment_in_text(token.expires_at),
            "used_on": None if token.used_on is None else token.used_on.isoformat(),
            "revoked_at": moment_in_text(token.revoked_at),
        }


def _recorded(user: User) -> Iterable[Part]:
    """Yield the games in which this user recorded events, with the number and the moments of the events.

    The events themselves are not the user's data.
    """
    games = Record.objects.filter(recorded_by=user).order_by("game").values("game__code", "game__table__code")
    spans = games.annotate(entries=Count("pk"), first=Min("recorded_at"), last=Max("recorded_at"))
    for span in spans:
        yield {
            "table": span["game__table__code"],
            "game": span["game__code"],
            "entries": span["entries"],
            "first": moment_in_text(span["first"]),
            "last": moment_in_text(span["last"]),
        }


def _payments(user: User) -> Iterable[Part]:
    """Yield the payments that this user recorded or cancelled.

    Also yield the payments of the members that this user is, at tables whose accounts the user may read.
    """
    seen = accounts_seen_by(user, user.grants.standing().filter(table__erased_at=None))
    me = members_who_are(user).filter(table__in=seen).values("pk")
    theirs = Q(recorded_by=user) | Q(cancelled_by=user)
    payments = Payment.objects.filter(theirs | Q(payer__in=me) | Q(payee__in=me)).prefetch_related("steps")
    for payment in payments.select_related("table", "payer", "payee").order_by("pk"):
        # If this user cancelled the payment, its state has not changed since, so the user knows it.
        is_known = payment.table_id in seen or payment.cancelled_by_id == user.pk
        yield {
            **_words(payment, payment if is_known else wording_of(payment)),
            "recorded_at": moment_in_text(payment.recorded_at),
            "claimed_at": moment_in_text(payment.claimed_at),
            **(_became(payment) if is_known else {}),
            "recorded_by_you": payment.recorded_by_id == user.pk,
            "cancelled_by_you": payment.cancelled_by_id == user.pk,
        }


def _words(payment: Payment, kept: Payment | PaymentStep) -> Part:
    """Return the payment's payer and payee, and its content as in `kept`, a version that the user knows."""
    return {
        "table": payment.table.code,
        "payer": payment.payer.slug,
        "payee": payment.payee.slug,
        "amount": kept.amount,
        "decimals": payment.table.decimals,
        "method": kept.method,
        "note": kept.note,
        "made_at": moment_in_text(kept.made_at),
        "paid_on": None if kept.paid_on is None else kept.paid_on.isoformat(),
    }


def _became(payment: Payment) -> Part:
    return {
        "accepted_at": moment_in_text(payment.accepted_at),
        "confirmed_at": moment_in_text(payment.confirmed_at),
        "disputed_at": moment_in_text(payment.disputed_at),
        "objection": payment.objection,
        "cancelled_at": moment_in_text(payment.cancelled_at),
    }


def _payment_steps(user: User) -> Iterable[Part]:
    """Yield this user's steps in the histories of payments, each with the payment's content after it."""
    steps = user.payment_steps.select_related("payment__table", "payment__payer", "payment__payee")
    for step in steps.prefetch_related("payment__steps").order_by("pk"):
        yield {
            "turn": step.turn,
            "text": step.text,
            "at": moment_in_text(step.at),
            "payment": _words(step.payment, wording_of(step.payment, after=step)),
        }


def _costs(user: User) -> Iterable[Part]:
    """Yield the shared costs that this user recorded or cancelled.

    Also yield the costs that this user, as a member, paid or shares, at tables whose accounts the user may
    read.
    """
    seen = accounts_seen_by(user, user.grants.standing().filter(table__erased_at=None))
    me = members_who_are(user).filter(table__in=seen).values("pk")
    theirs = Q(recorded_by=user) | Q(cancelled_by=user) | Q(payer__in=me) | Q(shares__member__in=me)
    costs = SharedCost.objects.filter(theirs).select_related("table", "payer").order_by("pk").distinct()
    for cost in costs.prefetch_related("steps__payer"):
        is_known = cost.table_id in seen or cost.cancelled_by_id == user.pk
        yield {
            **_cost_words(cost, cost if is_known else _cost_after(cost, None)),
            "made_at": moment_in_text(cost.made_at),
            "recorded_at": moment_in_text(cost.recorded_at),
            **({"cancelled_at": moment_in_text(cost.cancelled_at)} if is_known else {}),
            "recorded_by_you": cost.recorded_by_id == user.pk,
            "cancelled_by_you": cost.cancelled_by_id == user.pk,
        }


def _cost_words(cost: SharedCost, kept: SharedCost | CostStep) -> Part:
    """Return the night of a shared cost, and its content as in `kept`, a version that the user knows."""
    assert kept.payer is not None, "only an amendment's step has content"
    return {
        "table": cost.table.code,
        "night": cost.night.isoformat(),
        "payer": kept.payer.slug,
        "amount": kept.amount,
        "decimals": cost.table.decimals,
        "sharers": kept.sharers,
        "note": kept.note,
    }


def _cost_after(cost: SharedCost, step: CostStep | None) -> SharedCost | CostStep:
    """Return the row that has a cost's content after this step or, for None, its first content."""
    since = step.pk if step else 0
    amended = (one for one in cost.steps.all() if one.turn == CostStepKind.AMENDED and one.pk > since)
    return next(amended, cost)


def _cost_steps(user: User) -> Iterable[Part]:
    """Yield this user's steps in the histories of shared costs, each with the cost's content after it."""
    steps = user.cost_steps.select_related("cost__table", "cost__payer").prefetch_related(
        "cost__steps__payer"
    )
    for step in steps.order_by("pk"):
        yield {
            "turn": step.turn,
            "text": step.text,
            "at": moment_in_text(step.at),
            "cost": _cost_words(step.cost, _cost_after(step.cost, step)),
        }


def _closing_notes(user: User) -> Iterable[Part]:
    """Yield the closing notes that this user made, without the balances, which are everybody's data."""
    for note in user.closing_notes.select_related("table").order_by("pk"):
        yield {
            "table": note.table.code,
            "night": note.night.isoformat(),
            "text": note.text,
            "as_of": moment_in_text(note.as_of),
            "made_at": moment_in_text(note.made_at),
        }


def _doubts(user: User) -> Iterable[Part]:
    still = _still_open(user)
    for flag in Flag.objects.filter(by=user).select_related("game__table").order_by("pk"):
        is_open = flag.game.table_id in still
        yield {
            "table": flag.game.table.code,
            "game": flag.game.code,
            "number": flag.number,
            "player": flag.player,
            "note": flag.note,
            "flagged_at": moment_in_text(flag.flagged_at),
            **({"resolved_at": moment_in_text(flag.resolved_at)} if is_open else {}),
        }


def _hands(user: User) -> Iterable[Part]:
    """Yield the hands that this user sent from their own phone: the unrecorded ones, then the recorded."""
    for offer in user.offers.select_related("game").order_by("pk"):
        yield {
            "game": offer.game.code,
            "round": offer.round_number,
            "closing": offer.closing,
            "hand": offer.hand,
            "sent_at": moment_in_text(offer.offered_at),
        }
    for source in HandSource.objects.filter(brought_by=user).select_related("game").order_by("pk"):
        yield {
            "game": source.game.code,
            "event": source.number,
            "player": source.player,
            "was_changed": source.is_changed,
        }


def _removals(user: User) -> Iterable[Part]:
    """Yield the acts by which this user removed a user, left a table or revoked an invitation.

    The removed user is not named.
    """
    for removal in user.removals.select_related("table").order_by("pk"):
        yield {
            "table": removal.table.code,
            "revoked_an_invitation": removal.invite_id is not None,
            "made_at": moment_in_text(removal.made_at),
            "undone_at": moment_in_text(removal.undone_at),
        }
