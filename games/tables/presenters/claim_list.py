"""The pending claims of a table, with the answers that a reader may give or who gives them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common import naming, roles
from games.common.naming import Person
from games.models import Access, Device, Member, Pen, Role, Table, Vouch
from games.tables.presenters import phone_labels
from games.tables.services import authorization, confirmations, phone_changes, roster, takeovers, users
from games.tables.services.lobby import LobbySnapshot


@dataclass(frozen=True)
class ClaimRow:
    """A phone of a claim, with its browser if there are several, and the answers that its reader may give.

    `question` is the claim's sentence with the browser. `may_lend` and `may_vouch` are about an owner's new
    phone (`phone_changes`).
    """

    phone: Access
    question: str
    browser: str = ""
    may_confirm: bool = False
    may_deny: bool = False
    may_lend: bool = False
    may_vouch: bool = False


@dataclass(frozen=True)
class ClaimItem:
    """A pending claim: one phone, or several that claim the same member or give the same name.

    `person` is the claimed member. If the name is new at the table, `person` is None and `name` has it.
    `answered_by` says who may confirm the claim if its reader may not, or what the reader's answer does.
    """

    sentence: str
    phones: Sequence[Access]
    person: Person | None = None
    name: str = ""
    has_phone: bool = False  # another phone is confirmed to be this member's
    rows: Sequence[ClaimRow] = ()  # in the order of `phones`
    may_confirm: bool = False  # all the phones
    answered_by: str = ""


def claim_items(snapshot: LobbySnapshot, me: User) -> Sequence[ClaimItem]:
    """Return the pending claims for `me` to answer, without their own."""
    mine = snapshot.of(me)
    if mine is None:
        return ()
    claims = _claim_items(snapshot.phones, me, snapshot.members)
    return [_with_answers(claim, snapshot.phones, mine) for claim in claims]


def new_phone_items(snapshot: LobbySnapshot, me: User) -> Sequence[ClaimItem]:
    """Return the claims about an owner's new phone that `me` may answer: first of all on every page."""
    mine = snapshot.of(me)
    if mine is None or (mine.role not in roles.WRITERS and not mine.is_lasting):
        return ()
    return [
        claim
        for claim in claim_items(snapshot, me)
        if phone_changes.find_owner_phones(claim.phones[0], snapshot.phones)
        and (claim.may_confirm or any(row.may_lend or row.may_vouch for row in claim.rows))
    ]


def _claim_items(phones: Sequence[Access], me: User, members: Sequence[Member]) -> Sequence[ClaimItem]:
    waiting = [phone for phone in phones if phone.confirmed_at is None and phone.user != me]
    claims: list[ClaimItem] = []
    for member in dict.fromkeys(phone.person for phone in waiting if phone.person is not None):
        asking = [phone for phone in waiting if phone.person == member]
        has_phone = any(phone.person == member and phone.is_confirmed for phone in phones)
        person = roster.to_person(member)
        sentence = _claim_sentence(person, asking, has_phone=has_phone)
        claims.append(ClaimItem(sentence, asking, person, has_phone=has_phone))
    new: dict[str, list[Access]] = {}
    for phone in waiting:
        if phone.name:
            new.setdefault(naming.unaccented_key(phone.name), []).append(phone)
    known = {naming.confusable_key(member.name): member.name for member in members}
    return [*claims, *(_new_name_item(asking, known) for asking in new.values())]


def _new_name_item(phones: Sequence[Access], known: Mapping[str, str]) -> ClaimItem:
    name = phones[0].name
    names = {
        "name": naming.isolate(name),
        "other": naming.isolate(known.get(naming.confusable_key(name), "")),
    }
    if names["other"]:
        sentence = _("%(name)s is new here, and looks like %(other)s")
    elif len(phones) > 1:
        sentence = _("%(name)s, from two browsers?")
    else:
        sentence = _("%(name)s is new here")
    return ClaimItem(sentence % names, phones, name=name)


def _with_answers(claim: ClaimItem, phones: Sequence[Access], mine: Access) -> ClaimItem:
    """Return the claim with the answers that the user of the access `mine` may give, or with who may."""
    earlier = _confirmed_phones(claim.phones[0], phones)
    browsers = phone_labels.browser_labels(claim.phones) if len(claim.phones) > 1 else {}
    records = mine.role in roles.WRITERS
    is_owners = bool(phone_changes.find_owner_phones(claim.phones[0], phones))
    vouched, lent = _given_answers(claim, mine) if is_owners else (frozenset(), frozenset())
    rows = [
        ClaimRow(
            phone,
            f"{claim.sentence} {browsers.get(phone.pk, '')}".rstrip(),
            browsers.get(phone.pk, ""),
            may_confirm=records and confirmations.can_confirm([phone], earlier, mine),
            may_deny=records and authorization.can_change(phone, by=mine.user),
            may_lend=is_owners and phone.user_id not in lent and phone_changes.can_lend(phone, phones, mine),
            may_vouch=is_owners and phone.pk not in vouched and phone_changes.can_vouch(phone, phones, mine),
        )
        for phone in claim.phones
    ]
    may_confirm = all(row.may_confirm for row in rows)
    answered_by = "" if any(row.may_confirm for row in rows) else _consequence(rows, claim.phones[0], phones)
    return replace(claim, rows=rows, may_confirm=may_confirm, answered_by=answered_by)


def _given_answers(claim: ClaimItem, mine: Access) -> tuple[Collection[int], Collection[int]]:
    """Return the accesses of an owner's new phone that the reader has vouched for, and the users with the pen."""
    vouches = Vouch.objects.filter(access__in=claim.phones, user=mine.user_id)
    pens = Pen.objects.valid().filter(table=mine.table_id)
    return set(vouches.values_list("access", flat=True)), set(pens.values_list("user", flat=True))


def _confirmed_phones(claim: Access, phones: Sequence[Access]) -> Sequence[Access]:
    """Return the phones that are confirmed to be the claimed member's."""
    return [phone for phone in phones if claim.person and phone.person == claim.person and phone.is_confirmed]


MOST_ANSWERERS = 3  # people named who may answer a claim


def _answerer_names(claim: Access, phones: Sequence[Access]) -> Sequence[str]:
    """Return the names of the users who may confirm this claim, owners first."""
    earlier = _confirmed_phones(claim, phones)
    writers = [phone for phone in phones if phone.role in roles.WRITERS and phone.user_id != claim.user_id]
    writers.sort(key=lambda phone: phone.role != Role.OWNER)
    names = [
        phone.person.name if phone.person and phone.is_confirmed else users.display_name(phone.user)
        for phone in writers
        if confirmations.can_confirm([claim], earlier, phone)
    ]
    return list(dict.fromkeys(filter(None, names)))[:MOST_ANSWERERS]


def _consequence(rows: Sequence[ClaimRow], claim: Access, phones: Sequence[Access]) -> str:
    """Return what the reader's yes does about an owner's new phone, or who answers a claim."""
    if any(row.may_lend for row in rows):
        return _("For tonight they record; the old phone stays as it is.")
    if any(row.may_vouch for row in rows):
        return _(
            "If two people say so, the table is theirs again in seven days, unless the old phone is used."
        )
    return _answer_sentence(claim, phones)


def _answer_sentence(claim: Access, phones: Sequence[Access]) -> str:
    names = naming.join_alternatives(_answerer_names(claim, phones))
    return _("%(names)s answers that") % {"names": names} if names else _("An owner answers that")


def recovery_context(mine: Access, phones: Sequence[Access]) -> Mapping[str, object]:
    """Return the ways back for an owner whose new phone this is, those that exist first; {} for anybody else."""
    owner_phones = phone_changes.find_owner_phones(mine, phones)
    if not owner_phones:
        return {}
    owners = [phone.user for phone in owner_phones]
    since = mine.vouched_at
    return {
        "has_password": any(owner.has_usable_password() for owner in owners),
        "has_devices": Device.objects.filter(user__in=owners).count() > len(owners),
        "vouchers": takeovers.count_vouchers(mine),
        "owns_from": since and since + takeovers.TAKEOVER_DELAY,
    }


def waiting_context(table: Table, mine: Access) -> Mapping[str, str]:
    """Return who the user of this access claims to be, and who has to confirm it; empty if nobody has to."""
    if not mine.is_pending:
        return {}
    if mine.member_id is None and not mine.name:
        name = naming.isolate(mine.denied_name_shown)
        return {"title": _("Not confirmed as %(name)s") % {"name": name}, "detail": _("Tap to ask again")}
    snapshot = LobbySnapshot(table)
    claim = next((phone for phone in snapshot.phones if phone.user_id == mine.user_id), mine)
    names = _answerer_names(claim, snapshot.phones)
    name = claim.person.name if claim.person else claim.name
    detail = ngettext("%(names)s has to say yes", "%(names)s have to say yes", len(names))
    return {
        "title": _("You're %(name)s tonight") % {"name": naming.isolate(name)},
        "detail": detail % {"names": naming.join_alternatives(names)}
        if names
        else _("An owner has to say yes"),
    }


def _claim_sentence(person: Person, asking: Sequence[Access], *, has_phone: bool) -> str:
    names = {"name": naming.isolate(person.name)}
    if len(asking) > 1:
        return _("%(name)s, from two browsers?") % names
    if has_phone:
        return _("Does %(name)s have a new phone?") % names
    names["who"] = naming.isolate(users.display_name_or_deleted(asking[0].user))
    if names["who"] and names["who"] != names["name"]:
        return _("“%(who)s” says they are %(name)s") % names
    return _("A phone says it's %(name)s") % names
