"""Tags for every page, such as the back link, the htmx configuration and the path of the home page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from urllib.parse import quote

from django import template
from django.template import Context
from django.templatetags.static import static
from django.urls import get_script_prefix, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games.common import request_handling, site_header
from games.play.presenters import script_messages
from games.scoring.rule_types import FirstTo, Rules

HTMX = {
    "includeIndicatorStyles": False,  # the content security policy forbids inline styles
    "attributesToSettle": ["class", "width", "height"],  # not style, which browser extensions set
    "defaultSettleDelay": 0,
    "timeout": 15_000,
    "allowEval": False,
    "allowScriptTags": False,
    "historyCacheSize": 0,
    "refreshOnHistoryMiss": True,
    "scrollIntoViewOnBoost": False,
    "responseHandling": [
        {"code": "204", "swap": False},
        {"code": "304", "swap": False},
        {"code": "[23]..", "swap": True},
        {"code": "(403|404|409|422|429)", "swap": True},  # a refusal is a page too, and htmx must show it
        {"code": "...", "swap": False, "error": True},
    ],
}

register = template.Library()


@register.simple_tag
def htmx_config() -> str:
    """Return the configuration of htmx as JSON, for an HTML attribute."""
    return json.dumps(HTMX, separators=(",", ":"))


@register.simple_tag
def release_headers() -> str:
    """Return the header that tells the site a page's release, as JSON for an HTML attribute."""
    return json.dumps(dict([site_header.field()]))


@register.simple_tag
def back_link(label: str, url_name: str, *args: object, icon: str = "back") -> str:
    """Return the link at the start of a page's header: an icon, with `label` as its name for screen readers.

    It leads to the URL name `url_name` with the arguments `args`. `icon` is "back" or "close".
    """
    return format_html(
        '<a class="icon" href="{}" aria-label="{}"><i class="i i-{}"></i></a>',
        reverse(url_name, args=args),
        label,
        icon,
    )


@register.simple_tag(takes_context=True)
def back_path(context: Context) -> str:
    """Return the path of this page, or of the page whose form was sent, quoted for the query of a URL."""
    request = context["request"]
    form_page = request.htmx.current_url_abs_path if request.htmx else ""
    return quote(form_page if request.method == "POST" and form_page else request.path)


@register.simple_tag
def heading(title: str, detail: str) -> str:
    """Return the HTML of a title with a detail in small print below it, for a tile or a menu item."""
    return format_html('<span class="grow">{} <span class="sub">{}</span></span>', title, detail)


@register.filter
def for_scripts(messages: Mapping[str, str]) -> SafeString:
    """Return an HTML attribute with these sentences as JSON."""
    return mark_safe(f"data-words='{single_quoted(request_handling.to_json(messages))}'")


@register.filter
def single_quoted(json_text: str) -> SafeString:
    """Escape JSON for an attribute in single quotes, which saves escaping JSON's own quotes."""
    return mark_safe(json_text.replace("&", "&amp;").replace("'", "&#39;").replace("<", "&lt;"))


@register.simple_tag
def page_messages(is_alone: object) -> SafeString:
    """Return the sentences of every page for scripts; `is_alone` if the phone runs the app without a site."""
    return _page_messages(get_language(), is_alone=bool(is_alone))


@cache
def _page_messages(_language: str | None, *, is_alone: bool) -> SafeString:
    return for_scripts(script_messages.page_messages(is_alone=is_alone))


@register.simple_tag
def queue_messages(rules: Rules, is_bar: object) -> SafeString:
    """Return the sentences for scripts about a game's queued entries, in a bar or on the pages of its pad."""
    return _queue_messages(get_language(), has_target=isinstance(rules.ending, FirstTo), is_bar=bool(is_bar))


@cache
def _queue_messages(_language: str | None, *, has_target: bool, is_bar: bool) -> SafeString:
    return for_scripts(script_messages.queue_messages(has_target=has_target, is_bar=is_bar))


@register.simple_tag
def root() -> str:
    """Return the path of the home page: "/", or the path where a phone runs the app without a server.

    Error pages use it, because looking up a URL could fail again.
    """
    return get_script_prefix()


@register.simple_tag
def static_if_collected(name: str) -> str:
    """Return the URL of a static file, or "" if `collectstatic` was never run.

    Error pages use it: there `static` would raise, and cause a second error.
    """
    try:
        return static(name)
    except ValueError:  # no entry in the manifest
        return ""
