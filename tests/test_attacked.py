"""The benchmark of attacks names every field of every form."""

from __future__ import annotations

import pytest
from django.urls import Resolver404, resolve

from games.tables.links import night_token, show_tonight
from tests.benchmarks.attacked import FORMS
from tests.every_page import PAGES, address
from tests.reader import read_page

pytestmark = pytest.mark.django_db

OF_NOBODY = ("/", "/you/", "/login/", "/new/", "/import/", "/bring/", "/link/")


def named(field: str, among: tuple[str, ...]) -> bool:
    """Return whether this field, or its beginning, is among these."""
    return any(field == one or (one.endswith("-") and field.startswith(one)) for one in among)


def forms_in(client, where):
    """Yield the name of the page and the fields of every form that is posted from this page."""
    response = client.get(where)
    if response.status_code != 200 or "html" not in response.headers["Content-Type"]:
        return
    for form in read_page(response).every("form", method="post"):
        try:
            page = resolve((form.attrs.get("action") or where).partition("?")[0]).url_name
        except Resolver404:
            continue
        for field in form.every("input", "select", "textarea", "button"):
            if field.attrs.get("name", "csrfmiddlewaretoken") != "csrfmiddlewaretoken":
                yield page, field.attrs["name"]


def test_every_field_of_a_form_is_attacked(ana, nobody, owner, table, game, finished):
    tonight = f"/i/{night_token(show_tonight(table, by=owner))}/"
    pages = {address(name, game=one, table=table) for name in PAGES for one in (game, finished)}
    found = {pair for where in {*pages, *OF_NOBODY} for pair in forms_in(ana, where)}
    found |= {pair for where in (*OF_NOBODY, tonight) for pair in forms_in(nobody, where)}

    assert [] == sorted((page, field) for page, field in found if not named(field, FORMS.get(page, ())))
