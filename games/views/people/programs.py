"""Tokens for other programs: users make and revoke tokens that act for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.keys import KeyReused, new_key
from games.models import Role, Table, Token
from games.people import tokens
from games.people.guests import tables_open_to
from games.scoring.errors import RuleError
from games.shown.common.sentences import translate
from games.shown.people.programs import (
    EVERY_TABLE,
    life_choices,
    may_choices,
    narrowing_choices,
    programs_of,
    table_choices,
    where_in_words,
)
from games.views.common.recording import CONFLICT, UNPROCESSABLE, sent_key
from games.views.people.members import NOTHING_WRONG


@dataclass(frozen=True)
class Made:
    """A new token with its secret, which is shown only once."""

    token: Token
    secret: str


@require_http_methods(["GET", "HEAD", "POST"])
def programs(request: HttpRequest) -> HttpResponse:
    """List the user's tokens and make a new token."""
    if not isinstance(request.user, User):
        return redirect("login")
    if request.method != "POST":
        return _show(request, request.user)
    role, lasts = request.POST.get("role", ""), request.POST.get("lasts", "")
    table, wrong = _table(request, request.user)
    errors = {"table": wrong} if wrong else {}
    if role not in set(Role):
        errors["role"] = _("Choose what the program may do.")
    if lasts not in tokens.LIVES:
        errors["lasts"] = _("Choose how long it lasts.")
    if errors:
        return _show(request, request.user, errors=errors)
    return _make(request, request.user, table)


@require_http_methods(["GET", "HEAD", "POST"])
def revoke_token(request: HttpRequest, token: int) -> HttpResponse:
    """Ask for confirmation, then revoke a token."""
    if not isinstance(request.user, User):
        return redirect("login")
    the_token = get_object_or_404(request.user.tokens.select_related("table"), pk=token)
    if request.method != "POST":
        where = where_in_words(the_token)
        return render(request, "games/people/revoke_token.html", {"token": the_token, "where": where})
    tokens.revoke_token(the_token)
    return redirect("programs")


def _make(request: HttpRequest, user: User, table: Table | None) -> HttpResponse:
    """Make the token and show its secret. If the form was sent twice, say that the token exists already."""
    sent = request.POST
    name, role, life = sent.get("name", ""), Role(sent["role"]), tokens.LIVES[sent["lasts"]]
    try:
        made = tokens.make_token(
            *(user, name, role),
            lasts=life,
            table=table,
            key=sent_key(request),
            reads_money="no_money" not in sent,
            records="no_recording" not in sent,
        )
    except tokens.MadeAlready as known:
        return _show(request, user, again=known.token)
    except KeyReused:
        errors = {
            "": _(
                "The key belongs to an earlier entry with other content. Nothing was recorded; use a new key."
            )
        }
        return _show(request, user, errors=errors, refused=CONFLICT)
    except RuleError as refusal:
        return _show(request, user, errors={refusal.field: translate(refusal.text)})
    return _show(request, user, Made(*made))


def _table(request: HttpRequest, user: User) -> tuple[Table | None, str]:
    """Return the table for which the token is valid, as the form says, and an error message.

    The table is None if the token is for all tables of the user. The message is "" without an error.
    """
    sent = request.POST.get("table", "")
    if sent == EVERY_TABLE:
        return None, ""
    table = tables_open_to(user).filter(code=sent).first()
    return table, "" if table else _("Choose a table, or all.")


def _show(
    request: HttpRequest,
    user: User,
    made: Made | None = None,
    *,
    again: Token | None = None,
    errors: Mapping[str, str] = NOTHING_WRONG,
    refused: int = UNPROCESSABLE,
) -> HttpResponse:
    sent = request.POST if errors else {}
    context = {
        "made": made,
        "again": again,
        "programs": programs_of(user),
        "tables": table_choices(tables_open_to(user), sent.get("table", "")),
        "may": may_choices(sent.get("role", "")),
        "narrowing": narrowing_choices(sent),
        "lasts": life_choices(sent.get("lasts", "month")),
        "name": sent.get("name", ""),
        "key": new_key(),
        "errors": errors,
        "general": errors.get("", ""),
    }
    return render(request, "games/people/programs.html", context, status=refused if errors else 200)
