"""The rate limits of requests: of pages, of polls and of the API, all per minute.

Requests for pages are counted per signed-in user, else per client address: those of anonymous clients never
use up a user's allowance. The numbers are far above what a table needs, and low enough that one client cannot
occupy a processor. A phone that polls each second sends 60 requests, so eight phones at one address, all
signed out, send 480 and open pages besides. A phone sends up to 200 entries that waited in one form. An
import is one form. On the page for entering
cards, each change of a hand may send a form.
"""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import AnonymousUser, User

from games.network import client_key
from games.people.tries import Requests

MINUTE: Final = 60

PAGES = Requests("pages", 1200, MINUTE)  # pages and parts of pages read, by user
FORMS = Requests("forms", 300, MINUTE)  # forms sent, by user
PAGES_HERE = Requests("pages-here", 1200, MINUTE)  # pages read by anonymous clients, by address
# Forms sent by anonymous clients, by address. They are fewer, because checking a password is slow.
FORMS_HERE = Requests("forms-here", 120, MINUTE)

# Polls that a ticket answers, by session, in the memory of each process: asking a shared cache would take
# longer than the poll itself.
POLLS = Requests("polls", 1200, MINUTE, store="polls")

API_USER = Requests("user", 240, MINUTE)
API_ADDRESS = Requests("address", 240, MINUTE)
API_COUNTING = Requests("counting", 60, MINUTE)  # scoring games and hands: one may take a second


def page_limit(user: User | AnonymousUser, address: str, *, is_reading: bool) -> tuple[Requests, str]:
    """Return the rate limit for a request, and the key of the client under which the limit counts it.

    The key is made from the user's id or, for an anonymous user, from `address`, the client's IP address.
    `is_reading` is True for a page and False for a sent form.
    """
    if user.is_authenticated:
        return PAGES if is_reading else FORMS, str(user.pk)
    return PAGES_HERE if is_reading else FORMS_HERE, client_key(address)
