"""Filters and tags for points, money, days and typed rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from django import template
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.template import Context
from django.templatetags.tz import do_timezone
from django.utils.html import format_html

from games.common import amounts, days, parsing, regions, roles
from games.models import Role, Table
from games.money.services import accounting, proposals
from games.play.presenters import round_form
from games.tables.services import authorization
from games.tables.services.roster import People

register = template.Library()


@register.filter
def money(amount: int, table: Table) -> str:
    """Return the amount, in the table's smallest coin, as text with its unit, such as `$ 1.000`."""
    return amounts.money(amount, table)


register.filter("ordinal", amounts.ordinal)


@register.filter
def money_pattern(table: Table) -> str:
    """Return the pattern that scripts use to format the table's money, such as `$ {amount}`."""
    return regions.active_region().amount("{amount}", table.unit)


@register.filter
def local(moment: datetime, table: Table) -> object:
    """Return the moment in the table's time zone, as a datetime that later filters do not convert again."""
    return do_timezone(moment, days.to_table_time(moment, table).tzinfo)


@register.filter(expects_localtime=True)
def day(moment: date) -> str:
    """Return the day with its weekday, and the year if it is not this one, such as `mar 24 nov`."""
    return days.format_day(moment)


@register.filter(expects_localtime=True)
def day_and_time(moment: datetime) -> str:
    return f"{days.format_day(moment)}, {moment:%H:%M}"


@register.filter
def join_signs(sentence: str) -> str:
    """Return the sentence with word joiners, so that no line breaks between a sign and its amount."""
    return amounts.join_signs(sentence)


@register.filter
def get(mapping: Mapping[str, object], key: str) -> object:
    """Return the value of a key, "" if it is missing. In a template, the key can be a variable."""
    return mapping.get(key, "")


@register.simple_tag
def pending_payment_count(
    table: Table, user: User, role: Role | None, people: People | None, *, counted: int | None
) -> int:
    """Return the number of payments and expenses in the accounts that this reader should answer or see.

    `counted`, `role` and `people` are what the page knows already; whatever is None is queried.
    """
    if isinstance(counted, int):
        return counted
    keeps, people = (
        (role or authorization.find_role(user, table)) in roles.WRITERS,
        people or People.of(table),
    )
    waiting = accounting.pending_payments(user, table, people, is_scorer=keeps)
    me = people.find_for_user(user)
    count = (waiting | accounting.payments_with_news(me, people) if me else waiting).count()
    return count + proposals.list_open(table, people, me, is_scorer=keeps).count()


@register.simple_tag
def region_for_scripts() -> str:
    """Return the HTML attributes that tell scripts how the active region writes numbers and days."""
    region = regions.active_region()
    return format_html('data-figures="{}" data-day="{}"', region.group + region.decimal, region.day)


@register.simple_tag(takes_context=True)
def region_field(context: Context) -> str:
    """Return a hidden form field with the region in whose number format the form's amounts are typed.

    It is the active region or, if a form is shown as it was sent, the region that was sent.
    """
    request = context.get("request")
    data = (request.POST or request.GET) if isinstance(request, HttpRequest) else {}
    return format_html(
        '<input type="hidden" name="{}" value="{}">', parsing.REGION, parsing.form_region(data).name
    )


@register.simple_tag(takes_context=True)
def unrecorded_hands(context: Context) -> Sequence[tuple[str, str]]:
    """Return the hands of a round that was posted to this page but not recorded; empty if there is none.

    Each is a pair: the player's id, and the text typed for the hand.
    """
    request = context.get("request")
    return round_form.unrecorded_hands(request.POST) if isinstance(request, HttpRequest) else ()
