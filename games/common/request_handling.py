"""Parts of a request, such as its user, numbers and keys, and the refusal of a form that a page shows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, ResolverMatch, get_script_prefix, resolve, reverse
from django.views.decorators.http import require_http_methods

from games.common import locks, network
from games.models import KEY_LENGTH, Table

LONGEST = 18  # digits of a primary key

require_form = require_http_methods(["GET", "HEAD", "POST"])  # a page whose form posts to the page itself


def is_reading(request: HttpRequest) -> bool:
    return request.method in {"GET", "HEAD"}


def note(request: HttpRequest, store: Callable[[], object]) -> bool:
    """Call `store`, which notes something in passing, and return whether it was stored.

    A reading request goes on without it, as in `locks.attempt`.
    """
    if is_reading(request):
        return locks.attempt(store)
    store()
    return True


def parse_pk(text: str) -> int:
    """Return the primary key in this text; 0, which no row has, if the text is not a number."""
    return parse_int(text, most_digits=LONGEST)


def parse_int(text: str, *, most_digits: int) -> int:
    """Return the whole number in this text; 0 if it is not one or has too many digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most_digits else 0


def seen_version(request: HttpRequest) -> int:
    """Return the number of the last event that the user has seen, from the field `after` of a form.

    Return 0 if the field is not a number. The services of a game refuse 0 as stale, because every game has at
    least one event.
    """
    return parse_int(request.POST.get("after", ""), most_digits=8)


def form_key(request: HttpRequest) -> str:
    """Return the idempotency key of a form; "" if the key is missing or invalid."""
    key = request.POST.get("key", "")
    return key if key.isprintable() and len(key) <= KEY_LENGTH else ""


def current_user(request: HttpRequest) -> User:
    """Return the signed-in user. Call this only after the access check, which rules out anonymous users."""
    assert isinstance(request.user, User)
    return request.user


def to_json(value: object) -> str:
    """Return the value as compact JSON, for an HTML attribute that a script reads."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# --- the pages of URLs that a form or a browser sent ------------------------------------------------------------------


def resolve_path(path: str) -> ResolverMatch | None:
    """Return the page at this path of the host; None if there is none.

    In a serverless folder every path begins with the folder's, which `resolve` does not know.
    """
    prefix = get_script_prefix()
    try:
        return resolve(f"/{path.removeprefix(prefix)}") if path.startswith(prefix) else None
    except Resolver404:
        return None


def url_for_phone(request: HttpRequest, page: str, *args: str) -> str:
    """Return the URL of a page to open on another phone, which cannot reach this computer as `localhost`."""
    host = network.reachable_host(request.get_host(), settings.ALLOWED_HOSTS)
    return f"{request.scheme}://{host}{reverse(page, args=args)}"


# The URL names of the pages whose links people share.
SHARED_PAGES = {
    "invitation",
    "sign-in-link",
    "sheet",
    "board",
    "settlement",
    "lobby",
    "table",
    "season",
    "accounts",
}
# Segments with a letter or a digit each, and the punctuation that follows an address in a sentence. Two patterns,
# because one would take quadratic time for a long path, or be possessive, which Python 3.11.2 of Debian 12 gets wrong.
_SEGMENTS = re.compile(r"(?:/[_-]*[a-z\d][\w-]*)*", re.ASCII | re.IGNORECASE)
_PUNCTUATION = re.compile(r"[\W_]*", re.ASCII)


def find_shared_path(path: str) -> str | None:
    """Return the canonical form of this path; None if it is not that of a page whose links people share.

    Its slash may be missing, and punctuation may follow it: a full stop, a bracket, a quote.
    """
    segments = _SEGMENTS.match(path)
    is_whole = segments and _PUNCTUATION.fullmatch(path, segments.end())
    match = resolve_path(f"{segments[0]}/") if segments and is_whole else None
    return (
        reverse(str(match.url_name), kwargs=match.kwargs)
        if match and match.url_name in SHARED_PAGES
        else None
    )


# --- the current table of a session -----------------------------------------------------------------------------------

CURRENT_TABLE = "table"  # session variable: the code of the current table


def remember_table(request: HttpRequest, table: Table) -> None:
    request.session[CURRENT_TABLE] = table.code


def current_code(request: HttpRequest) -> str:
    """Return the code of the current table; "" if no table has been opened yet."""
    code: str = request.session.get(CURRENT_TABLE, "")
    return code


# --- what the last form did -------------------------------------------------------------------------------------------

NOTICE = "act"  # session variable: the page that will say what a form did, the act, and its object


def redirect_with_notice(request: HttpRequest, act: str, page: str, *args: str, of: str = "") -> HttpResponse:
    """Redirect to a page that says once what the form did: `act`, and `of`, the name or id it was about."""
    return flash(request, redirect(page, *args), act, of)


def flash(request: HttpRequest, answer: HttpResponse, act: str, of: str = "") -> HttpResponse:
    """Let the page that this response redirects to say once what the form did. Return the response."""
    request.session[NOTICE] = [answer.headers["Location"], act, of]
    return answer


def pop_notice(request: HttpRequest, *acts: str) -> tuple[str, str]:
    """Return the act and object of the form that led to this page, once; ("", "") if not one of `acts`."""
    page, act, of = request.session.get(NOTICE, ("", "", ""))
    if request.method != "GET" or request.path != page or act not in acts:
        return "", ""
    del request.session[NOTICE]
    return act, of


# --- the refusal of a page --------------------------------------------------------------------------------------------

MISSING, FORBIDDEN = 404, 403
UNPROCESSABLE, CONFLICT, TOO_MANY = 422, 409, 429


@dataclass(frozen=True)
class PageRefusal:
    """A refusal for a page to show: an HTTP status, error messages, and news about a conflict.

    `errors` are messages by form field; the field "" has the message about no field. In a conflict, `news` is
    the message about it, and `recorded` are sentences about the events that others recorded meanwhile.
    """

    status: int
    errors: Mapping[str, str] = field(default_factory=dict)
    news: str = ""
    recorded: tuple[str, ...] = ()

    @property
    def notice(self) -> tuple[str, ...]:
        """The message about a conflict and the sentences about others' events; empty without a conflict."""
        return (self.news, *self.recorded) if self.news else ()

    def without_fields(self, *fields: str) -> PageRefusal:
        """Return the refusal without the messages about these fields, which the page shows at the fields."""
        return replace(
            self, errors={name: sentence for name, sentence in self.errors.items() if name not in fields}
        )


def render_page(
    request: HttpRequest,
    template: str,
    context: Mapping[str, object],
    refusal: PageRefusal | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    """Render a page. A refusal gives it its status, and is `refused` in the template."""
    status = refusal.status if refusal else status
    return render(request, template, {**context, "refused": refusal}, status=status)


def refusal_json(*sentences: str) -> JsonResponse:
    return JsonResponse({"sentences": sentences}, status=UNPROCESSABLE)
