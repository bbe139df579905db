"""A year of a table (el año), or of one of its members with `?of=`, as a page and as a picture."""

from __future__ import annotations

import json
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.text import slugify
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.models import Member, Table
from games.money.balances import People
from games.names import APP_NAME
from games.nights import FIRST_YEAR, night_of
from games.people.access import table_open_to
from games.season.years import Year, year_of, years_of
from games.shown.season import year as shown
from games.shown.season.year_picture import card_picture_of, picture_of


@dataclass(frozen=True)
class OpenYear:
    """The data of a year page: its table, its year, and the member in the query string if there is one."""

    table: Table
    people: People
    member: Member | None
    year: Year

    @property
    def shown(self) -> shown.YearShown:
        """The year in words and charts."""
        return shown.year_shown(self.year, self.table, self.member)


def open_year(request: HttpRequest, table_code: str, year: int) -> OpenYear:
    """Return the requested year of the table, or of the member in the query string.

    Raise Http404 for a year before 1900 or in the future, an unknown member, or a user without access.
    """
    table, _role = table_open_to(request, table_code)
    if not FIRST_YEAR <= year <= night_of(now(), table).year:
        raise Http404(_("That year is in the future or too long ago."))
    people, slug = People.of(table), request.GET.get("of", "")
    member = people.by_slug.get(slug)
    if slug and member is None:
        raise Http404(_("This table doesn't have that player."))
    return OpenYear(table, people, member, year_of(table, people, year, member))


@require_GET
def year(request: HttpRequest, table_code: str, year: int) -> HttpResponse:
    """Show the year of a table or of a member."""
    year_page = open_year(request, table_code, year)
    page = year_page.shown
    context = {
        "table": year_page.table,
        "member": year_page.member,
        "number": year,
        "year": page,
        "cards": _cards(year_page, page),
        "shares": () if year_page.member else shown.share_rows(year_page.year.shares, year_page.table),
        "years": [
            number for number in reversed(years_of(year_page.table, year_page.people)) if number != year
        ],
        "message": shown.year_message(page),
        "drawn": json.dumps({"address": _picture_address(year_page)}),
        "file_name": f"{slugify(page.title)}.png",
    }
    return render(request, "games/season/year.html", context)


def _cards(year_page: OpenYear, page: shown.YearShown) -> list[dict[str, object]]:
    """Return the cards of the year (one highlight each), with address and file name of their pictures."""
    return [
        {
            "card": card,
            "drawn": json.dumps({"address": _picture_address(year_page, card.key)}),
            "file_name": f"{slugify(page.title)}-{card.key}.png",
        }
        for card in shown.year_cards(page)
    ]


def _picture_address(year_page: OpenYear, card: str = "") -> str:
    """Return the URL of the picture of a year, or of one of its cards."""
    query = {"of": year_page.member.slug if year_page.member else "", "card": card}
    given = urlencode({name: value for name, value in query.items() if value})
    address = reverse("year-picture", args=[year_page.table.code, year_page.year.number])
    return f"{address}?{given}" if given else address


@require_GET
def year_picture(request: HttpRequest, table_code: str, year: int) -> HttpResponse:
    """Return the year, or one of its cards (one highlight each), as an SVG picture, 1080 pixels wide.

    The picture has the same colours in every theme.
    """
    page, key = open_year(request, table_code, year).shown, request.GET.get("card", "")
    context: dict[str, object] = {"year": page, "app_name": APP_NAME}
    if not key:
        context["picture"] = picture_of(page)
        return render(request, "games/season/year.svg", context, content_type="image/svg+xml")
    card = next((card for card in shown.year_cards(page) if card.key == key), None)
    if card is None:
        raise Http404(_("This card doesn't exist."))
    context["picture"] = card_picture_of(page, card)
    return render(request, "games/season/year_card.svg", context, content_type="image/svg+xml")
