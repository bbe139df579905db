"""Attacks and their answers: guessed and reused links, forged forms, headers and redirects."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse
from django.utils.timezone import now

from games.models import Access, Link, Role
from games.tables.services import links
from games.tables.views.login import WRONG_LINK_LIMIT
from tests.factories import make_user
from tests.page_urls import PAGES, page_url
from tests.test_rights import comparable_answer, operations

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_cache")]

OTHER_SITES = ("https://evil.example/", "//evil.example/", "/\\evil.example/", "javascript:alert(1)")


# --- links ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def tokens(table, owner):
    """Invalid tokens by reason. The page behind each must look like the others."""
    revoked, of_revoked = links.create_personal(table, role=Role.OWNER, by=owner)
    used, of_used = links.create_personal(table, role=Role.OWNER, by=owner)
    expired, of_expired = links.create_personal(table, role=Role.OWNER, by=owner)
    links.revoke(revoked, by=owner)
    links.redeem_personal(used, make_user("olga"))
    Link.objects.filter(pk=expired.pk).update(
        made_at=now() - timedelta(days=8), expires_at=now() - timedelta(days=1)
    )
    return {"unknown": "x" * len(of_used), "revoked": of_revoked, "used": of_used, "expired": of_expired}


@pytest.mark.parametrize("method", ["get", "post"])
def test_unknown_used_expired_and_revoked_links_answer_alike(client_for, tokens, method):
    answers = []
    for token in tokens.values():
        answer = getattr(client_for(), method)(
            reverse("invitation", args=[token]), {"watch": "", "key": "k" * 16}
        )
        answers.append(comparable_answer(answer, token))

    assert [404] * 4 == [status for status, _headers, _body in answers]
    assert [answers[0]] * 4 == answers
    assert 2 == Access.objects.count()  # Ana's, and that of the user of the link


@pytest.mark.parametrize("named", [(), ("X-Forwarded-For", "X-Real-IP", "Forwarded", "CF-Connecting-IP")])
def test_guesses_of_links_are_limited_whatever_address_they_claim_and_a_right_link_still_opens(
    client_for, table, owner, named
):
    """No proxy is configured here, so a request's claims about its address are ignored."""
    phone = client_for()
    guesses = [
        phone.get(
            reverse("invitation", args=[f"guess-{number}"]),
            headers=dict.fromkeys(named, f"203.0.113.{number}"),
        ).status_code
        for number in range(WRONG_LINK_LIMIT.most + 1)
    ]
    right = reverse("invitation", args=[links.tonight_token(links.get_or_create_tonight(table, by=owner))])

    assert [404] * WRONG_LINK_LIMIT.most + [429] == guesses
    assert 200 == phone.get(right).status_code


# --- forged forms -----------------------------------------------------------------------------------------------------


def every_address(game, table):
    """Yield every page of the resolver, at a table or not, with its address."""
    for page in get_resolver("games.urls").url_patterns:
        assert isinstance(page, URLPattern)
        known = {"token": 1 if page.name == "revoke-token" else "x", "device": 1, "guest": "x"}
        yield (
            page.name,
            page_url(page.name, game=game, table=table)
            if page.name in PAGES
            else reverse(page.name, kwargs={part: known[part] for part in page.pattern.converters}),
        )


def test_every_form_without_its_token_is_refused(subtests, client_for, table, finished, owner):
    phone = client_for(owner, enforce_csrf_checks=True)
    phone.get("/")
    for name, where in every_address(finished, table):
        with subtests.test(page=name):
            assert 403 == phone.post(where, {"word": "delete", "key": "k" * 16}).status_code


def test_no_page_and_no_empty_form_of_a_stranger_stores_a_session_or_a_user(
    subtests, client_for, table, finished
):
    before = Session.objects.count(), User.objects.count()
    for name, where in every_address(finished, table):
        with subtests.test(page=name):
            client_for().get(where)
            client_for().post(where, {"key": "k" * 16})

            assert before == (Session.objects.count(), User.objects.count())


def test_every_write_of_the_api_in_a_session_without_its_token_is_refused(subtests, table, finished, owner):
    phone = Client(enforce_csrf_checks=True)
    phone.force_login(owner)
    known = {"member": "ana", "other": "beto", "payment": 1, "cost": 1, "night": "2026-11-19", "season": 1}
    known |= {"what": "rounds", "key": "chinchon"}
    for path, method, name in operations():
        if method != "get" and name not in ("hand", "score"):  # they write nothing
            with subtests.test(operation=name):
                code = finished.code if "/games/{" in path else table.code
                where = path.format_map({**known, "code": code})
                send = partial(phone.generic, method.upper(), where, b"{}", "application/json")

                assert 403 == send(headers={"idempotency-key": "k"}).status_code


# --- headers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", OTHER_SITES)
@pytest.mark.parametrize("page", ["login", "logout", "set_language", "set-theme"])
def test_nothing_redirects_to_another_site(client_for, target, page):
    user = make_user("pablo")
    user.set_password("tres lobas negras")
    user.save()
    data = {
        "next": target,
        "username": "pablo",
        "password": "tres lobas negras",
        "language": "es",
        "theme": "dark",
    }
    answer = client_for(user if page == "logout" else None).post(
        f"{reverse(page)}?next={target}", data, headers={"referer": target}
    )

    assert answer.status_code in (200, 204, 302)
    assert not re.search("evil|script", answer.headers.get("Location", ""))


@pytest.mark.parametrize("header", ["host", "x-forwarded-host"])
def test_a_link_never_has_the_host_of_a_forged_header(client_for, table, owner, header, settings):
    settings.ALLOWED_HOSTS = ["cards.example.org"]
    phone = client_for(owner)
    host = {"host": "cards.example.org", header: "evil.example"}
    answer = phone.post(reverse("make-link", args=[table.code]), {"role": Role.WITNESS}, headers=host)

    assert not re.search("(href|value|content)=.[^>]*evil.example", answer.content.decode())
    assert (400 if header == "host" else 200) == answer.status_code
