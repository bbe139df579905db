"""Where somebody is signed in, and how that ends from elsewhere.

A session row says of nobody whose it is. So with the first whole page of a session, and once a day from then on, a
device is noted beside it; what a phone asks for by itself, again and again, writes nothing.
"""

from __future__ import annotations

import re

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.timezone import localdate, now

from games.locks import revise_tables_of
from games.models import MOST_DEVICES, Device

NOTED = "noted_under"  # in a session: the key under which its device was noted

# What browsers call themselves: the first that is found, since most say that they are others too.
BROWSERS = {
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


def is_noted(request: HttpRequest) -> bool:
    """Whether this session is on the list already."""
    key = request.session.session_key
    return key is not None and request.session.get(NOTED) == key


def note_device(request: HttpRequest) -> None:
    """Puts this session on the list of who is signed in, or says there that it was seen today."""
    user = request.user
    if not isinstance(user, User) or str(user.pk) != request.session.get(SESSION_KEY):
        return
    if request.session.session_key is None:
        request.session.create()
    key = str(request.session.session_key)
    browser, system = told_by(request.headers.get("User-Agent", ""))
    device = Device(user=user, session_key=key, browser=browser, system=system, seen_on=localdate())
    # In one statement: two pages asked for at once both come here.
    kept = ["user", "browser", "system", "seen_on"]
    Device.objects.bulk_create(
        [device], update_conflicts=True, unique_fields=["session_key"], update_fields=kept
    )
    request.session[NOTED] = key


def make_room_for_one(user: User) -> None:
    """Ends sessions of who is about to sign in once more on as many devices as one person may, the longest unseen first."""
    beyond = list(user.devices.values_list("session_key", flat=True)[MOST_DEVICES - 1 :])
    if beyond:
        Session.objects.filter(session_key__in=beyond).delete()
        user.devices.filter(session_key__in=beyond).delete()


def devices_of(user: User) -> QuerySet[Device]:
    """Where this user is signed in, what was seen last at the front."""
    return user.devices.filter(_alive())


def _alive() -> Q:
    """That the session of a device has not ended."""
    return Q(session_key__in=Session.objects.filter(expire_date__gt=now()).values("session_key"))


@transaction.atomic
def sign_out_on(device: Device) -> None:
    """Ends the session of a device: its next request is nobody's."""
    Session.objects.filter(session_key=device.session_key).delete()
    device.delete()
    revise_tables_of(device.user)


@transaction.atomic
def sign_out_elsewhere(request: HttpRequest, user: User, *, before: str | None) -> None:
    """Ends every session of this user but the one that asks, which had another key `before`."""
    others = user.devices.exclude(session_key=before)
    Session.objects.filter(session_key__in=others.values("session_key")).delete()
    others.delete()
    revise_tables_of(user)
    key = request.session.session_key
    if key is not None and user.devices.filter(session_key=before).update(session_key=key):
        request.session[NOTED] = key


def forget_device(request: HttpRequest) -> None:
    """Takes this session off the list, since it is about to end."""
    Device.objects.filter(session_key=request.session.session_key or "").delete()


@transaction.atomic
def end_watching(user: User) -> None:
    """Has every phone of this user asked anew who it is: a copy of a cookie whose session is over learns nothing."""
    revise_tables_of(user)


def forget_the_dead(user: User) -> None:
    """Takes off the list what has ended by itself or on its own phone."""
    user.devices.exclude(pk__in=devices_of(user).values("pk")).delete()


def forget_all_the_dead() -> None:
    """Takes off every list what has ended: a guest, who never signs in, would leave it there for good."""
    Device.objects.exclude(_alive()).delete()


def told_by(agent: str) -> tuple[str, str]:
    """The kind of browser and its system, by what it says of itself; "" for what is none we know."""
    return _first(BROWSERS, agent), _first(SYSTEMS, agent)


def _first(known: dict[str, str], said: str) -> str:
    return next((name for name, sign in known.items() if re.search(sign, said)), "")
