"""The phones at a table, with labels for their browsers, roles and limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from games.common import bulk, naming
from games.models import Access, Device, Member, Role
from games.tables.services import authorization, devices, users
from games.tables.services.lobby import LobbySnapshot


@dataclass(frozen=True)
class PhoneItem:
    """A phone at the table as owners see it; `may_change` is True if its access can be changed or ended.

    `may_confirm` is True if it is confirmed for tonight and the reader may confirm it for good.
    """

    access: Access
    title: str
    label: str
    is_mine: bool
    may_change: bool
    may_confirm: bool = False
    is_last_owner: bool = False


def distinguish(phones: Sequence[PhoneItem]) -> Sequence[PhoneItem]:
    """Return these phones. If there are several, add their browsers, so that no two have the same label."""
    if len(phones) < 2:
        return phones
    known = browser_labels([phone.access for phone in phones])
    return [replace(phone, label=f"{phone.label} · {known[phone.access.pk]}") for phone in phones]


def browser_labels(phones: Sequence[Access]) -> Mapping[int, str]:
    """Return each phone's browser by the access's id. Phones with equal browsers are numbered."""
    seen_last_first = Device.objects.filter(user__in=[phone.user_id for phone in phones])
    by_user = {device.user_id: device for device in reversed(seen_last_first)}
    labels = {phone.pk: device_label(by_user.get(phone.user_id)) for phone in phones}
    equal = bulk.group_values((browser, pk) for pk, browser in labels.items())
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


def access_label(access: Access) -> str:
    labels = {Role.OWNER: _("owner"), Role.SCORER: _("scorekeeper"), Role.WITNESS: _("viewer")}
    return labels[Role(access.role)]


def role_label(access: Access) -> str:
    """Return the role of an access and its limits, such as “records · tonight”."""
    parts = [access_label(access)]
    if access.member is not None and access.confirmed_by_id == access.user_id:
        parts.append(_("self-confirmed"))
    if access.until is not None:
        parts.append(_("tonight"))
    if access.denied_name_shown:
        parts.append(_("not %(name)s") % {"name": naming.isolate(access.denied_name_shown)})
    return " · ".join(parts)


def phone_item(access: Access, me: User) -> PhoneItem:
    title = users.display_name_or_deleted(access.user) or access.name or _("Someone")
    return PhoneItem(
        access,
        title,
        role_label(access),
        is_mine=access.user_id == me.pk,
        may_change=authorization.can_change(access, by=me),
        is_last_owner=authorization.is_last_owner(access),
    )


def member_phone_items(snapshot: LobbySnapshot, member: Member, me: User) -> Sequence[PhoneItem]:
    """Return the phones that are confirmed to be this member's, as `me` sees them."""
    mine = snapshot.of(me)
    phones = [phone for phone in snapshot.phones if phone.person == member and phone.is_confirmed]
    items = []
    for phone in phones:
        others = [other for other in phones if other != phone]
        is_open = phone.until is not None and mine is not None and mine.until is None
        may_confirm = is_open and mine is not None and authorization.can_confirm([phone], others, mine)
        items.append(replace(phone_item(phone, me), may_confirm=may_confirm))
    return items
