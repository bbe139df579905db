"""Requests with a token: they act as its maker and need no CSRF token; guessing tokens is rate limited."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import include, path
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import AllowAny
from rest_framework.response import Response

from games.api.common.tokens import WRONG
from games.models import Token
from games.people.tokens import LIVES, make_token, revoke_token
from tests.api.conftest import answered
from tests.tables import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("new_window")]

WHERE = "/api/who/"


@api_view(["GET", "POST"])
@permission_classes([AllowAny])
def who(request):
    return Response([request.user.username, request.auth and request.auth.name])


urlpatterns = [path("api/who/", who), path("api/", include("games.api.urls"))]


@pytest.fixture(autouse=True)
def an_endpoint_that_tells(settings):
    settings.ROOT_URLCONF = __name__
    cache.clear()


@pytest.fixture
def made(owner, table):
    """Return a token of Ana's and its secret."""
    return make_token(owner, "reloj", lasts=LIVES["month"], table=table)


def ask(secret, *, method="get", client=None, scheme="Bearer", **options):
    client = client or Client(headers={"accept-language": "en"}, enforce_csrf_checks=True)
    headers = {} if secret is None else {"authorization": f"{scheme} {secret}"}
    return answered(getattr(client, method)(WHERE, headers=headers, **options))


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
def test_a_request_with_a_token_acts_as_its_maker_without_a_csrf_token(made, method, scheme):
    assert (200, ["ana", "reloj"]) == (
        (answer := ask(made[1], method=method, scheme=scheme)).status,
        answer.body,
    )


def test_a_request_without_a_token_uses_the_session_and_a_token_overrides_it(made, phone_of):
    assert ["", None] == ask(None).body
    assert ["beto", None] == ask(None, client=phone_of(make_user("beto"))).body
    assert ["ana", "reloj"] == ask(made[1], client=phone_of(make_user("caro"))).body


def test_expired_revoked_and_unknown_tokens_get_the_same_401(made, owner, table, time_machine):
    token, secret = made
    revoked, gone = make_token(owner, "viejo", lasts=LIVES["month"])
    revoke_token(revoked)
    answers = [ask(wrong) for wrong in (gone, secret[:-1], "", "anotador_", "ñandú", "x" * 5000, "a b")]
    time_machine.move_to(token.expires_at, tick=False)
    answers.append(ask(secret))

    assert [(401, "unauthenticated")] * 8 == [answer.problem[:2] for answer in answers]
    assert 1 == len({(str(answer.body), answer.headers["WWW-Authenticate"]) for answer in answers})


def test_a_wrong_token_is_refused_even_with_a_valid_session_and_on_public_operations(owner, phone_of):
    assert 401 == ask("anotador_x", client=phone_of(owner)).status
    headers = {"authorization": "Bearer anotador_x"}

    assert 401 == Client().get("/api/v1/variants/", headers=headers).status_code


def test_guesses_of_tokens_are_rate_limited_per_address_and_valid_tokens_are_not(made):
    guesses = [ask(f"anotador_{number}").status for number in range(WRONG.most)]
    waiting = ask("anotador_more")

    assert {401} == set(guesses)
    assert (429, "too_many_requests") == waiting.problem[:2]
    assert 890 < int(waiting.headers["Retry-After"]) <= 900
    assert 200 == ask(made[1]).status
    assert 401 == ask("anotador_x", REMOTE_ADDR="192.0.2.7").status


def test_the_first_use_of_a_token_is_stored_and_a_second_request_writes_nothing(
    made, django_assert_num_queries
):
    ask(made[1])
    assert Token.objects.get().used_on
    with django_assert_num_queries(1):
        ask(made[1])


def test_a_page_ignores_tokens(made, settings):
    settings.ROOT_URLCONF = "scorekeeper.urls"
    page = Client().get("/", headers={"authorization": f"Bearer {made[1]}"})

    assert not page.wsgi_request.user.is_authenticated
