"""The devices where a user is signed in. Unlike ua-parser, it recognizes in-app browsers on Android.

Django's session row has no column for its user. So a `Device` row is stored for a session at its first full
page, and updated once a day. Background requests, which a phone repeats often, write nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.timezone import localdate, now

from games.common import locks
from games.models import MOST_DEVICES, Device

SESSION_VARIABLE = "noted_under"  # session variable: the session key that the device was stored with

# Most browsers also name other browsers in the `User-Agent` header. The order matters: the first match wins.
IN_AN_APP = "In-app"  # the browser of an app, such as a chat that opens links
BROWSERS = {
    IN_AN_APP: r"; wv\)|\bFB(AN|AV|_IAB)/|\bInstagram\b",
    "Edge": r"\bEdg(e|A|iOS)?/",
    "Opera": r"\bOPR/|\bOpera\b",
    "Samsung Internet": r"\bSamsungBrowser/",
    "Firefox": r"\bFirefox/|\bFxiOS/",
    "Chrome": r"\bChrome/|\bCriOS/|\bChromium/",
    "Safari": r"\bSafari/",
}
SYSTEMS = {
    "Android": r"\bAndroid\b",
    "iPhone": r"\biPhone\b",
    "iPad": r"\biPad\b",
    "ChromeOS": r"\bCrOS\b",
    "Windows": r"\bWindows\b",
    "Mac": r"\bMacintosh\b",
    "Linux": r"\bLinux\b",
}


def is_recorded(request: HttpRequest) -> bool:
    key = request.session.session_key
    return key is not None and request.session.get(SESSION_VARIABLE) == key


def record(request: HttpRequest) -> None:
    """Store a device for this session, or update its last day of use. Do nothing without a signed-in user."""
    user = request.user
    if not isinstance(user, User) or str(user.pk) != request.session.get(SESSION_KEY):
        return
    if request.session.session_key is None:
        request.session.create()
    key = str(request.session.session_key)
    browser, system = parse_user_agent(request.headers.get("User-Agent", ""))
    device = Device(user=user, session_key=key, browser=browser, system=system, seen_on=localdate())
    # One statement inserts or updates, because two simultaneous requests may both get here.
    update_fields = ["user", "browser", "system", "seen_on"]
    Device.objects.bulk_create(
        [device], update_conflicts=True, unique_fields=["session_key"], update_fields=update_fields
    )
    request.session[SESSION_VARIABLE] = key


def drop_oldest(user: User) -> None:
    """End the least recently used sessions of a user who is about to exceed `MOST_DEVICES`.

    Lock the user's tables if any session ends. Call this inside a transaction.
    """
    beyond = list(user.devices.values_list("session_key", flat=True)[MOST_DEVICES - 1 :])
    if beyond:
        end_sessions(beyond)
        locks.bump_revisions(user)


@transaction.atomic
def end_sessions(keys: Collection[str]) -> None:
    """End these sessions, and forget their devices. The caller raises the revisions of their users' tables."""
    Session.objects.filter(session_key__in=keys).delete()
    Device.objects.filter(session_key__in=keys).delete()


def list_devices(user: User) -> QuerySet[Device]:
    return user.devices.filter(session_key__in=_live_sessions())


def _live_sessions() -> QuerySet[Session, Any]:
    return Session.objects.filter(expire_date__gt=now()).values("session_key")


@transaction.atomic
def sign_out(device: Device) -> None:
    """End the session of a device. Its next request is anonymous."""
    Session.objects.filter(session_key=device.session_key).delete()
    device.delete()
    locks.bump_revisions(device.user)


def sign_out_everywhere(user: User) -> None:
    """End every session of this user. The caller raises the revisions of their tables."""
    Session.objects.filter(session_key__in=user.devices.values("session_key")).delete()
    user.devices.all().delete()


@transaction.atomic
def sign_out_elsewhere(request: HttpRequest, user: User, *, before: str | None) -> None:
    """End every session of this user except for that of the request.

    The request's session key has just changed, for example with a new password. `before` is its earlier key.
    """
    others = user.devices.exclude(session_key=before)
    Session.objects.filter(session_key__in=others.values("session_key")).delete()
    others.delete()
    locks.bump_revisions(user)
    key = request.session.session_key
    if key is not None and user.devices.filter(session_key=before).update(session_key=key):
        request.session[SESSION_VARIABLE] = key


def delete_current(request: HttpRequest) -> None:
    Device.objects.filter(session_key=request.session.session_key or "").delete()


def delete_expired() -> None:
    Device.objects.exclude(session_key__in=_live_sessions()).delete()


def parse_user_agent(agent: str) -> tuple[str, str]:
    """Return the browser and the operating system named in a `User-Agent` header; "" for an unknown one."""
    return _first_match(BROWSERS, agent), _first_match(SYSTEMS, agent)


def _first_match(known: dict[str, str], agent: str) -> str:
    return next((name for name, sign in known.items() if re.search(sign, agent)), "")
