"""The pending claims of a table, with the answers that a reader may give or who gives them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common import bulk, naming, roles, texts
from games.common.naming import Person
from games.models import MOST_ACTIVE, MOST_MEMBERS, Access, Device, Pen, Role, Table, Vouch
from games.tables.presenters import phone_labels
from games.tables.services import authorization, confirmations, lobby, phone_changes, roster, users, vouches
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
    confirmed: Sequence[Access] = ()  # the phones that are confirmed to be this member's already
    rows: Sequence[ClaimRow] = ()  # in the order of `phones`
    may_confirm_all: bool = False  # all these phones by one form, beside those that are confirmed already
    answered_by: str = ""


def claim_items(snapshot: LobbySnapshot, me: User, *, only_owners: bool = False) -> Sequence[ClaimItem]:
    """Return the pending claims for `me` to answer, without their own.

    With `only_owners`, return only those about an owner's new phone.
    """
    mine = snapshot.of(me)
    if mine is None:
        return ()
    claims = _claim_items(snapshot, me)
    if only_owners:
        claims = [claim for claim in claims if vouches.find_owner_phones(claim.phones[0], claim.confirmed)]
    if not claims:
        return ()
    reader = _Reader.load(snapshot, mine, claims)
    return [reader.add_answers(claim) for claim in claims]


def new_phone_items(snapshot: LobbySnapshot, me: User) -> Sequence[ClaimItem]:
    """Return the claims about an owner's new phone that `me` may answer: first of all on every page."""
    mine = snapshot.of(me)
    if mine is None or (mine.role not in roles.WRITERS and not mine.is_lasting):
        return ()
    return [
        claim
        for claim in claim_items(snapshot, me, only_owners=True)
        if any(row.may_confirm or row.may_lend or row.may_vouch for row in claim.rows)
    ]


def _claim_items(snapshot: LobbySnapshot, me: User) -> Sequence[ClaimItem]:
    waiting = [phone for phone in snapshot.phones if phone.confirmed_at is None and phone.user != me]
    confirmed = bulk.group_values((phone.person, phone) for phone in snapshot.phones if phone.is_confirmed)
    by_member = bulk.group_values((phone.person, phone) for phone in waiting if phone.person is not None)
    claims = [_member_item(asking, confirmed.get(member, ())) for member, asking in by_member.items()]
    by_name = bulk.group_values((naming.unaccented_key(phone.name), phone) for phone in waiting if phone.name)
    known = {naming.confusable_key(member.name): member.name for member in snapshot.members}
    return [*claims, *(_new_name_item(asking, known) for asking in by_name.values())]


def _member_item(asking: Sequence[Access], confirmed: Sequence[Access]) -> ClaimItem:
    member = asking[0].person
    assert member is not None
    person = roster.to_person(member)
    sentence = _claim_sentence(person, asking, has_phone=bool(confirmed))
    return ClaimItem(sentence, asking, person, confirmed=confirmed)


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


@dataclass(frozen=True)
class _Reader:
    """The reader of the claims, with their earlier answers.

    `vouched` are the accesses that they vouch for, and `lent` the users with the pen. `new_member_refusal` says
    why no new member fits at the table, and `return_refusal` why nobody comes back; "" if they may.
    """

    mine: Access
    phones: Sequence[Access]
    vouched: Collection[int]
    lent: Collection[int]
    new_member_refusal: str
    return_refusal: str

    @classmethod
    def load(cls, snapshot: LobbySnapshot, mine: Access, claims: Sequence[ClaimItem]) -> _Reader:
        rows = [phone.pk for claim in claims if claim.confirmed for phone in claim.phones]
        given = Vouch.objects.filter(access__in=rows, user=mine.user_id).values_list("access", flat=True)
        pens = Pen.objects.valid().filter(table=mine.table_id).values_list("user", flat=True)
        return_refusal = texts.translate(roles.IS_FULL) if len(snapshot.members) >= MOST_ACTIVE else ""
        holds_all = len(snapshot.people.members) >= MOST_MEMBERS
        return cls(
            mine,
            snapshot.phones,
            set(given) if rows else (),
            set(pens) if rows else (),
            texts.translate(roles.HOLDS_NO_MORE) if holds_all else return_refusal,
            return_refusal,
        )

    def add_answers(self, claim: ClaimItem) -> ClaimItem:
        """Return the claim with the answers that this reader may give, or with who may."""
        browsers = phone_labels.browser_labels(claim.phones) if len(claim.phones) > 1 else {}
        refusal = self._refusal(claim)
        rows = [self._row(claim, phone, browsers.get(phone.pk, ""), refusal) for phone in claim.phones]
        may_confirm_all = (
            (len(rows) > 1 or bool(claim.confirmed))
            and len(rows) <= confirmations.MOST_PHONES
            and all(row.may_confirm for row in rows)
        )
        answered_by = (
            "" if any(row.may_confirm for row in rows) else refusal or self._consequence(claim, rows)
        )
        return replace(
            claim,
            rows=rows,
            may_confirm_all=may_confirm_all,
            answered_by=answered_by,
        )

    def _refusal(self, claim: ClaimItem) -> str:
        """Return why the table has no room for this person; "" if it has."""
        member = claim.phones[0].person
        if member is None:
            return self.new_member_refusal
        return self.return_refusal if member.retired_at is not None else ""

    def _row(self, claim: ClaimItem, phone: Access, browser: str, refusal: str) -> ClaimRow:
        mine, confirmed = self.mine, claim.confirmed
        records = mine.role in roles.WRITERS
        return ClaimRow(
            phone,
            f"{claim.sentence} {browser}".rstrip(),
            browser,
            may_confirm=records and not refusal and authorization.can_confirm([phone], confirmed, mine),
            may_deny=records and authorization.can_change(phone, by=mine.user),
            may_lend=phone.user_id not in self.lent and phone_changes.can_lend(phone, confirmed, mine),
            may_vouch=phone.pk not in self.vouched and phone_changes.can_vouch(phone, confirmed, mine),
        )

    def _consequence(self, claim: ClaimItem, rows: Sequence[ClaimRow]) -> str:
        """Return what the reader's yes does about an owner's new phone, or who answers a claim."""
        if any(row.may_lend for row in rows):
            return _("For tonight they record; the old phone stays as it is.")
        if any(row.may_vouch for row in rows):
            return _(
                "If two people say so, the table is theirs again in seven days, unless the old phone is used."
            )
        names = naming.join_alternatives(_answerer_names(claim.phones[0], claim.confirmed, self.phones))
        return _("%(names)s answers that") % {"names": names} if names else _("An owner answers that")


MOST_ANSWERERS = 3  # people named who may answer a claim


def _answerer_names(claim: Access, confirmed: Sequence[Access], phones: Iterable[Access]) -> Sequence[str]:
    """Return the names of those of these users who may confirm this claim, owners first."""
    writers = [phone for phone in phones if phone.role in roles.WRITERS and phone.user_id != claim.user_id]
    writers.sort(key=lambda phone: phone.role != Role.OWNER)
    names = [
        phone.person.name if phone.person and phone.is_confirmed else users.display_name(phone.user)
        for phone in writers
        if authorization.can_confirm([claim], confirmed, phone)
    ]
    return list(dict.fromkeys(filter(None, names)))[:MOST_ANSWERERS]


def recovery_context(mine: Access, phones: Sequence[Access]) -> Mapping[str, object]:
    """Return the ways back for an owner whose new phone this is, those that exist first; {} for anybody else."""
    owner_phones = vouches.find_owner_phones(mine, phones)
    if not owner_phones:
        return {}
    owners = [phone.user for phone in owner_phones]
    return {
        "has_password": any(owner.has_usable_password() for owner in owners),
        "has_devices": Device.objects.filter(user__in=owners).count() > len(owners),
        "vouchers": len(vouches.moments(mine, phones)),
        "owns_from": vouches.owns_from(mine, phones),
    }


def waiting_context(table: Table, mine: Access) -> Mapping[str, str]:
    """Return who the user of this access claims to be, and who has to confirm it; empty if nobody has to."""
    if not mine.is_pending:
        return {}
    if mine.member_id is None and not mine.name:
        name = naming.isolate(mine.denied_name_shown)
        return {"title": _("Not confirmed as %(name)s") % {"name": name}, "detail": _("Tap to ask again")}
    confirmed = lobby.member_phones(table, mine.member) if mine.member else ()
    claim = lobby.valid_accesses(table).get(user=mine.user_id)
    writers = lobby.valid_accesses(table).filter(role__in=roles.WRITERS)
    names = _answerer_names(claim, confirmed, list(writers))
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
