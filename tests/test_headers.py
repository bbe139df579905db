"""The headers of every response: the policy, no caching, and an id; behind HTTPS also secure cookies and
HSTS.

Error pages show the id in the reader's language, and the log has the cause under that id.
"""

from __future__ import annotations

import re
from contextlib import closing

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import path, reverse

from games.tables.services import guests
from scorekeeper.middleware import POLICY
from scorekeeper.urls import handler500 as handler500  # of the pages below too
from tests.factories import SECRET, make_table
from tests.reader import fields, read_page
from tests.test_logs import capture_console

SITE_HEADERS = {
    "Content-Security-Policy": "default-src 'self' 'wasm-unsafe-eval'",
    "Cache-Control": "public, max-age=60",
}
on_these_pages = pytest.mark.usefixtures("module_urlconf")


def _break(*_request):
    raise RuntimeError("broken on purpose")


urlpatterns = [
    path("page/", lambda request: HttpResponse("page")),
    path("own/", lambda request: HttpResponse("own", headers=SITE_HEADERS)),
    path("broken/", _break),
    path("login/", lambda request: HttpResponse("login"), name="login"),
]


def ask(address, language="en"):
    return Client(raise_request_exception=False, headers={"accept-language": language}).get(address)


# --- the policy and caching -------------------------------------------------------------------------------------------


@on_these_pages
@pytest.mark.parametrize(("address", "status"), [("/page/", 200), ("/no-such-page/", 404), ("/broken/", 500)])
def test_pages_and_failures_carry_the_policy_and_are_kept_nowhere(address, status):
    response = ask(address)
    assert (status, POLICY) == (response.status_code, response["Content-Security-Policy"])
    assert "private, no-store" == response["Cache-Control"]
    assert ("DENY", "same-origin", "nosniff") == tuple(
        response[name] for name in ("X-Frame-Options", "Referrer-Policy", "X-Content-Type-Options")
    )


@on_these_pages
def test_an_answer_with_headers_of_its_own_keeps_them():
    answer = ask("/own/")
    assert SITE_HEADERS == {name: answer[name] for name in SITE_HEADERS}


def test_nothing_is_allowed_inside_a_page_or_from_elsewhere():
    directives = dict(directive.split(" ", 1) for directive in POLICY.split("; "))
    assert ("'none'", "'self'", "'self'") == tuple(
        directives[name] for name in ("default-src", "script-src", "style-src")
    )
    assert {"'self'", "'none'", "data:"} == set(" ".join(directives.values()).split())


# --- the mark of the site ---------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "status", "headers"),
    [
        ("/", 200, {}),
        ("/network/", 302, {}),
        ("/t/nosuchtable/", 404, {}),
        ("/static/app.css", 200, {}),
        ("/sw.js", 200, {}),
        ("/token/", 200, {}),
        ("/healthz", 200, {}),
        ("/", 400, {"host": "elsewhere.example.org"}),
        ("/" + "a" * 10_000, 414, {}),
        ("/api/v1/variants/", 200, {"origin": "https://elsewhere.example.org"}),
    ],
)
def test_every_answer_has_the_header_by_which_phones_know_the_site(settings, address, status, headers):
    settings.WHITENOISE_USE_FINDERS = True
    with closing(Client(headers=headers).get(address)) as answer:
        assert (status, settings.RELEASE) == (answer.status_code, answer.headers.get("X-Anotador"))


@pytest.mark.django_db
def test_a_preflight_and_a_form_without_its_token_have_that_header_too(settings):
    preflight = Client().options("/api/v1/score/", headers={"access-control-request-method": "POST"})
    refusal = Client(enforce_csrf_checks=True).post("/logout/")

    assert [204, 403] == [answer.status_code for answer in (preflight, refusal)]
    assert [settings.RELEASE] * 2 == [answer["X-Anotador"] for answer in (preflight, refusal)]


@on_these_pages
def test_an_error_has_that_header_wherever_it_was_raised(monkeypatch, settings):
    assert settings.RELEASE == ask("/broken/")["X-Anotador"]
    monkeypatch.setattr("scorekeeper.proxies.TrustedProxiesMiddleware.__call__", _break)
    assert (500, settings.RELEASE) == ((answer := ask("/page/")).status_code, answer["X-Anotador"])


# --- the id -----------------------------------------------------------------------------------------------------------


@on_these_pages
def test_what_somebody_reads_from_the_page_of_an_error_is_found_in_the_log(monkeypatch):
    written = capture_console(monkeypatch)
    answer = ask("/broken/")
    number = answer["X-Request-ID"]

    assert re.fullmatch(r"[0-9a-f]{8}", number)
    assert (
        f"For the site's operator: this error is number {number} in the log."
        in read_page(answer).only("main").text
    )
    (line,) = [line for line in written().splitlines() if f" {number} ERROR " in line]
    assert "Internal Server Error: /broken/" in line


@on_these_pages
def test_it_is_said_so_too_where_it_broke_before_anybody_asked_for_the_language(monkeypatch):
    ask("/page/", "es-AR")  # leaves Spanish active in this thread
    monkeypatch.setattr("scorekeeper.middleware.LanguageMiddleware.process_request", _break)

    assert "For the site's operator: this error is number" in read_page(ask("/broken/")).only("main").text


# --- behind HTTPS -----------------------------------------------------------------------------------------------------


@pytest.fixture
def phone(settings):
    """A phone behind an HTTPS proxy, at a site with the settings of `HTTPS=1`."""
    settings.SECURE_SSL_REDIRECT = True
    settings.WHITENOISE_USE_FINDERS = True  # instead of a collected folder
    settings.SECURE_HSTS_SECONDS = 60
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    for kind in ("SESSION", "CSRF", "LANGUAGE"):
        setattr(settings, f"{kind}_COOKIE_SECURE", True)
    return Client(headers={"x-forwarded-proto": "https"})


@pytest.mark.django_db
def test_every_cookie_stays_behind_https_and_the_session_from_scripts_and_other_sites(phone, olga):
    guest = guests.create()
    make_table(guest)
    phone.force_login(guest)
    phone.get(reverse("login"))
    phone.post(reverse("set-theme"), {"theme": "dark"})
    phone.post(reverse("set_language"), {"language": "en"})
    phone.post(reverse("login"), fields(username="olga", password=SECRET))

    assert [True, True] == [phone.cookies[name]["httponly"] for name in ("sessionid", "parked")]
    assert ["Lax"] * 3 == [phone.cookies[name]["samesite"] for name in ("sessionid", "csrftoken", "parked")]
    cookie_names = {"sessionid", "csrftoken", "parked", "theme", "django_language"}
    assert dict.fromkeys(cookie_names, True) == {
        name: bool(cookie["secure"]) for name, cookie in phone.cookies.items()
    }


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/", 200),
        ("/no-such-page/", 404),
        ("/static/app.css", 200),
        ("/sw.js", 200),
        ("/manifest.webmanifest", 200),
        ("/api/v1/variants/", 200),
        ("/api/v1/tables/nosuchtable/", 404),
        ("/api/", 200),
    ],
)
def test_every_kind_of_answer_is_kept_to_https_and_taken_for_what_it_says(phone, address, status):
    with closing(phone.get(address)) as answer:
        headers = tuple(
            answer.headers.get(name) for name in ("Strict-Transport-Security", "X-Content-Type-Options")
        )
    assert (status, "max-age=60", "nosniff") == (answer.status_code, *headers)
