"""The site's operator, and who can create tables on the site."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User

from games.common import texts
from games.tables.services import operators


def operator_contact() -> Mapping[str, str]:
    """Return the address of the site's operator, as text and as a link; both are "" if the site has none."""
    contact = settings.OPERATOR_CONTACT
    is_mail = "@" in contact and "://" not in contact
    return {"contact": contact, "contact_address": f"mailto:{contact}" if is_mail else contact}


def closed_message(user: User | AnonymousUser) -> Mapping[str, str] | None:
    """Return a sentence on who can open tables here, and the operator's address; None if this user can."""
    sentence = operators.creation_refusal(user)
    return None if sentence is None else {"sentence": texts.translate(sentence), **operator_contact()}
