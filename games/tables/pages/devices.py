"""The devices on which a user is signed in, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.timezone import localdate, localtime
from django.utils.translation import gettext as _

from games.common.days import day_in_words
from games.models import Device


@dataclass(frozen=True)
class DeviceShown:
    """A device: its name, the day it signed in, and when it was last seen."""

    device: Device
    name: str
    since: str
    seen: str
    is_this: bool


def devices_shown(devices: Iterable[Device], *, this: str | None) -> Sequence[DeviceShown]:
    """Return these devices, first the one that the user is using now.

    `this` is the session key of that one; None if no session is in use.
    """
    rows = [
        DeviceShown(
            device=device,
            name=device_in_words(device),
            since=_("since %(day)s") % {"day": day_in_words(localtime(device.since).date())},
            seen=_seen(device),
            is_this=device.session_key == this,
        )
        for device in devices
    ]
    return sorted(rows, key=lambda row: not row.is_this)


def device_in_words(device: Device) -> str:
    """Return the browser and the operating system of a device in words."""
    if device.browser and device.system:
        return _("%(browser)s on %(system)s") % {"browser": device.browser, "system": device.system}
    return device.browser or device.system or _("A browser")


def _seen(device: Device) -> str:
    if device.seen_on >= localdate():
        return _("seen today")
    return _("seen last %(day)s") % {"day": day_in_words(device.seen_on)}
