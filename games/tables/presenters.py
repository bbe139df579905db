"""Labels, sentences and template variables for the pages about a table's people and its settings.

Most are for the lobby (la sala). At the end are those of the settings, and those about the site's operator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.utils.dateformat import format as date_format
from django.utils.timezone import localdate, now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common import amounts, naming, regions, roles, texts
from games.common.naming import Person
from games.models import Access, Device, Member, Role, Table
from games.tables.services import authorization, devices, operators, roster, users
from games.tables.services.lobby import LobbySnapshot
from games.tables.services.setup import CurrencyChange

JUST_NOW = timedelta(seconds=6)  # somewhat longer than the poll interval


@dataclass(frozen=True)
class MemberItem:
    """A member in the lobby, with a label for their phone: theirs, pending, or none."""

    person: Person
    looks: str = ""  # CSS classes of the face: "new" makes it light up for a moment
    label: str = ""


@dataclass(frozen=True)
class ClaimItem:
    """A pending claim: one phone, or several that claim the same member or give the same name.

    `person` is the claimed member. If the name is new at the table, `person` is None and `name` has it.
    """

    sentence: str
    phones: Sequence[Access]
    person: Person | None = None
    name: str = ""
    has_phone: bool = False  # another phone is confirmed to be this member's
    browsers: Sequence[str] = ()  # tell several phones apart; in the order of `phones`
    is_alone: bool = False  # no other phone is confirmed; the member is active

    @property
    def rows(self) -> Iterable[tuple[Access, str]]:
        """The phones, each with its browser; "" if there is only one phone."""
        return zip(self.phones, self.browsers or [""], strict=True)


@dataclass(frozen=True)
class PhoneItem:
    """A phone at the table as owners see it; `may_change` is True if its access can be changed or ended."""

    access: Access
    title: str
    label: str
    is_mine: bool
    may_change: bool


@dataclass(frozen=True)
class LobbyContext:
    faces: Sequence[MemberItem]
    claims: Sequence[ClaimItem]
    others: Sequence[PhoneItem]  # the phones without a member or a name
    to_confirm: int  # the number of claims that *they are all here* confirms


def lobby_context(snapshot: LobbySnapshot, me: User, role: Role) -> LobbyContext:
    """Return the lobby as this user sees it.

    Only owners and scorers see the pending claims and each member's role. Only owners see phones without a
    member.
    """
    phones, writes = snapshot.phones, role in roles.WRITERS
    faceless = [phone for phone in phones if phone.person is None and not phone.name and phone.user != me]
    claims = claim_items(snapshot, me) if writes else ()
    return LobbyContext(
        faces=[_member_item(member, phones, me, shows_roles=writes) for member in snapshot.members],
        claims=claims,
        others=_distinguish([phone_item(phone, me) for phone in faceless]) if role is Role.OWNER else (),
        to_confirm=sum(_is_for_all(claim) for claim in claims),
    )


def _member_item(member: Member, phones: Sequence[Access], me: User, *, shows_roles: bool) -> MemberItem:
    theirs = [phone for phone in phones if phone.person == member]
    if not theirs:
        return MemberItem(roster.to_person(member), label=_("no phone here"))
    confirmed = next((phone for phone in theirs if phone.is_confirmed), None)
    came = max(phone.confirmed_at or phone.made_at for phone in theirs)
    if any(phone.user == me for phone in theirs):
        label = _("this phone")
    elif confirmed is None:
        label = _("unconfirmed")
    else:
        label = _access_label(confirmed) if shows_roles else ""
    state = "asks" if confirmed is None else "here"
    looks = f"{state} new" if came > now() - JUST_NOW else state
    return MemberItem(roster.to_person(member), looks, label)


def claim_items(snapshot: LobbySnapshot, me: User) -> Sequence[ClaimItem]:
    """Return the pending claims for `me` to answer, without their own."""
    return [_with_browsers(claim) for claim in _claim_items(snapshot.phones, me, snapshot.members)]


def _claim_items(phones: Sequence[Access], me: User, members: Sequence[Member]) -> Sequence[ClaimItem]:
    waiting = [phone for phone in phones if phone.confirmed_at is None and phone.user != me]
    claims: list[ClaimItem] = []
    for member in dict.fromkeys(phone.person for phone in waiting if phone.person is not None):
        asking = [phone for phone in waiting if phone.person == member]
        has_phone = any(phone.person == member and phone.is_confirmed for phone in phones)
        person = roster.to_person(member)
        is_alone = not has_phone and member.retired_at is None
        sentence = _claim_sentence(person, asking, has_phone=has_phone)
        claims.append(ClaimItem(sentence, asking, person, is_alone=is_alone, has_phone=has_phone))
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


def _with_browsers(claim: ClaimItem) -> ClaimItem:
    if len(claim.phones) == 1:
        return claim
    known = _browsers(claim.phones)
    return replace(claim, browsers=[known[phone.pk] for phone in claim.phones])


def _distinguish(phones: Sequence[PhoneItem]) -> Sequence[PhoneItem]:
    """Return these phones. If there are several, add their browsers, so that no two have the same label."""
    if len(phones) < 2:
        return phones
    known = _browsers([phone.access for phone in phones])
    return [replace(phone, label=f"{phone.label} · {known[phone.access.pk]}") for phone in phones]


def _browsers(phones: Sequence[Access]) -> Mapping[int, str]:
    """Return each phone's browser by the access's id. Phones with equal browsers are numbered."""
    seen_last_first = Device.objects.filter(user__in=[phone.user_id for phone in phones])
    by_user = {device.user_id: device for device in reversed(seen_last_first)}
    labels = {phone.pk: device_label(by_user.get(phone.user_id)) for phone in phones}
    equal: dict[str, list[int]] = {}
    for pk, browser in labels.items():
        equal.setdefault(browser, []).append(pk)
    return {
        pk: browser if len(equal[browser]) == 1 else f"{browser} ({equal[browser].index(pk) + 1})"
        for pk, browser in labels.items()
    }


def device_label(device: Device | None) -> str:
    if device is None:
        return _("A browser")
    browser = _("an app's own browser") if device.browser == devices.IN_AN_APP else device.browser
    if browser and device.system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": device.system}
    return browser or device.system or _("A browser")


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


def _is_for_all(claim: ClaimItem) -> bool:
    return len(claim.phones) == 1 and claim.is_alone and bool(claim.phones[0].until)


def _access_label(access: Access) -> str:
    labels = {Role.OWNER: _("owner"), Role.SCORER: _("scorekeeper"), Role.WITNESS: _("viewer")}
    return labels[Role(access.role)]


def role_label(access: Access) -> str:
    """Return the role of an access and its limits, such as “records · tonight”."""
    parts = [_access_label(access)]
    if access.member is not None and access.confirmed_by_id == access.user_id:
        parts.append(_("self-confirmed"))
    if access.until is not None:
        parts.append(_("tonight"))
    if access.denied_name_shown:
        parts.append(_("not %(name)s") % {"name": naming.isolate(access.denied_name_shown)})
    return " · ".join(parts)


def phone_item(access: Access, me: User) -> PhoneItem:
    title = users.display_name_or_deleted(access.user) or access.name or _("Someone")
    is_mine = access.user_id == me.pk
    return PhoneItem(access, title, role_label(access), is_mine, authorization.can_change(access, by=me))


def sign_question(change: CurrencyChange) -> str:
    """Return the question to confirm before the currency sign of a table with entries changes."""
    table, there = change.table, Table(unit=change.unit, decimals=change.table.decimals)
    sentence = ngettext(
        "There is %(count)s entry in %(old)s. The same numbers will say %(new)s: %(before)s becomes %(after)s. "
        "Nothing is converted.",
        "There are %(count)s entries in %(old)s. The same numbers will say %(new)s: %(before)s becomes %(after)s. "
        "Nothing is converted.",
        change.entries,
    )
    formatted = {"before": amounts.money(change.amount, table), "after": amounts.money(change.amount, there)}
    return sentence % {"count": change.entries, "old": table.unit, "new": there.unit, **formatted}


EXAMPLE = 9000  # units of money


def region_choices(table: Table) -> Iterator[tuple[str, str]]:
    """Yield the regions that the table may have, each with an amount and a date in its formats.

    A table without a region may stay without one: then each reader's language decides on the formats.
    """
    names = {} if table.region else {"": _("Reader's language")}
    names |= {
        "es-AR": _("Argentina"),
        "es-CL": _("Chile"),
        "es-CR": _("Costa Rica"),
        "es-ES": _("Spain"),
        "en-US": _("United States"),
        "es-MX": _("Mexico"),
        "es-PY": _("Paraguay"),
        "es-PE": _("Peru"),
        "en-GB": _("United Kingdom"),
    }
    for name, label in names.items():
        region, day = regions.region_named(name), date(localdate().year, 12, 31)
        with regions.use_formats(name):
            amount = amounts.money(EXAMPLE * 10**table.decimals, table)
        yield name, f"{label}: {amount} · {date_format(day, region.date)}"


# --- the site ---------------------------------------------------------------------------------------------------------


def operator_contact() -> Mapping[str, str]:
    """Return the address of the site's operator, as text and as a link; both are "" if the site has none."""
    contact = settings.OPERATOR_CONTACT
    is_mail = "@" in contact and "://" not in contact
    return {"contact": contact, "contact_address": f"mailto:{contact}" if is_mail else contact}


def closed_message(user: User | AnonymousUser) -> Mapping[str, str] | None:
    """Return a sentence on who can open tables here, and the operator's address; None if this user can."""
    sentence = operators.creation_refusal(user)
    return None if sentence is None else {"sentence": texts.translate(sentence), **operator_contact()}
