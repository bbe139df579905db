"""Django's admin for operators: a 404 for everybody else, no secrets, nothing to change.

`browser/test_admin.py` has the admin with its scripts.
"""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.urls import URLPattern, reverse

from games.admin import MODEL_FIELDS, site
from games.models import Device, Role
from games.tables.services import erasure, guests, links, membership, tokens
from scorekeeper.middleware import POLICY
from tests.factories import database_rows
from tests.reader import read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_cache")]

ALIAS, PASSWORD = "ALIAS.SECRETO.ANA", "tres lobas negras"


@pytest.fixture
def operator():
    return User.objects.create_user("olga", password=PASSWORD, is_staff=True)


@pytest.fixture
def admin(client_for, operator):
    return client_for(operator)


@pytest.fixture
def secrets(table, owner, finished, pay, client_for):
    """Fill the site with games, money and every kind of secret, and return the secrets."""
    client_for(owner).get("/")
    membership.set_payment_details(table.members.get(slug="ana"), ALIAS)
    pay("beto", "ana", 137)
    personal, of_personal = links.create_personal(table, role=Role.SCORER, by=owner)
    token, of_token = tokens.create(owner, "reloj", table=table)
    of_link = links.create_sign_in(owner)
    return [
        *(
            ALIAS,
            "137",
            of_personal,
            of_token,
            of_link,
            owner.password,
            personal.token_hash,
            token.token_hash,
        ),
        owner.sign_in_links.get().token_hash,
        *Session.objects.values_list("session_key", flat=True),
        *Device.objects.values_list("session_key", flat=True),
    ]


def addresses():
    """Return every address of the admin, including a row of each list and some addresses that are closed."""
    rows = [
        reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)
        for model in MODEL_FIELDS
        for row in [model._default_manager.all()[0]]
        for page, args in (
            *(("changelist", ()), ("add", ())),
            *((page, (row.pk,)) for page in ("change", "delete", "history")),
        )
    ]
    admin_pages = [
        reverse(f"admin:{url.name}")
        for url in site.get_urls()
        if isinstance(url, URLPattern) and url.name and not url.pattern.converters and url.name != "app_list"
    ]
    closed = ("login/", "autocomplete/", "r/1/1/", "games/", "auth/", "games/record/", "games/token/", "x/")
    return [*admin_pages, *rows, *(f"/admin/{name}" for name in closed)]


def linked_pages(phone):
    """Return every page of the admin that can be reached by links, by address."""
    pages, waiting = {}, ["/admin/"]
    while waiting:
        address = waiting.pop()
        if address in pages:
            continue
        answer = phone.get(address)
        assert (address, 200) == (address, answer.status_code)
        pages[address] = answer
        addresses = [link.attrs.get("href", "") for link in read_page(answer).every("a")]
        waiting += [link for link in addresses if link.startswith("/admin/") and "password" not in link]
    return pages


@pytest.mark.parametrize("method", ["get", "post"])
def test_it_answers_everybody_but_operators_as_an_unknown_address(
    subtests, client_for, owner, nobody, secrets, method
):
    """A stranger, an owner, a guest, a deleted account marked as staff, and an inactive operator."""
    guest, deleted, idle = (
        guests.create(),
        *(User.objects.create_user(name, password="x") for name in ("l", "i")),
    )
    User.objects.filter(pk__in=(guest.pk, deleted.pk, idle.pk)).update(is_staff=True)
    phones = [nobody, *map(client_for, (owner, guest, deleted, idle))]
    erasure.delete_account(deleted)
    User.objects.filter(pk=idle.pk).update(is_active=False)
    for phone in phones:
        phone.handler.enforce_csrf_checks = True
        unknown = getattr(phone, method)("/adnim/games/")
        for address in addresses():
            with subtests.test(address):
                answer = getattr(phone, method)(address)

                assert (404, comparable_body(unknown)) == (answer.status_code, comparable_body(answer))


def comparable_body(answer):
    """Return the page without what differs in each response, and without the link back to its own address."""
    return re.sub(
        r'"X-CSRFToken": "\w+|\?next=[^"]*|csrfmiddlewaretoken" value="\w+|data-\w+="[^"]*"',
        "",
        answer.content.decode(),
    )


def test_no_page_shows_a_secret_or_an_amount_and_each_keeps_the_content_security_policy(admin, secrets):
    pages = linked_pages(admin)

    assert {
        reverse(f"admin:{m._meta.app_label}_{m._meta.model_name}_changelist") for m in MODEL_FIELDS
    } <= set(pages)
    for address, page in pages.items():
        body = re.sub(r'csrfmiddlewaretoken" value="\w+|href="[^"]*"|\d\d:\d\d', "", page.content.decode())
        assert (address, []) == (address, [secret for secret in secrets if secret in body])
        assert POLICY == page.headers["Content-Security-Policy"]
        assert "no-store" in page.headers["Cache-Control"]
        assert not re.search(r"<style|<script(?![^>]* src=)|\sstyle=|\son\w+=", page.content.decode())


def test_nothing_can_be_changed(subtests, admin, secrets):
    admin.get("/admin/")  # records the device
    before = database_rows()
    for address in addresses():
        if not address.startswith("/admin/logout/"):
            with subtests.test(address):
                form = {"name": "x", "username": "x", "action": "delete_selected", "_selected_action": "1"}

                assert admin.post(address, form).status_code in (200, 302, 403, 404, 405)
                assert before == database_rows()


@pytest.mark.parametrize(
    "probe",
    [
        "auth/user/?password__startswith=a",
        "auth/user/?sign_in_links__token_hash__startswith=a",
        "games/member/?account__startswith=A",
        "games/member/?accesses__user__password__startswith=a",
        "games/table/?links__token_hash__startswith=a",
        "games/game/?pot__gt=1",
    ],
)
def test_a_list_refuses_to_be_filtered_by_a_field_that_it_does_not_show(admin, secrets, probe):
    assert 400 == admin.get(f"/admin/{probe}").status_code


def test_djangos_command_makes_an_operator(client_for, monkeypatch):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", username="pablo", email="", interactive=False, verbosity=0)

    assert 200 == client_for(User.objects.get(username="pablo")).get("/admin/").status_code
