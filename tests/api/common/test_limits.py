"""Every operation needs a permission, and every client has a rate limit."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client
from django.urls import path
from rest_framework.decorators import api_view
from rest_framework.response import Response

from games.api.common.limits import Counting, PerUser
from games.api.urls import urlpatterns as addresses
from tests.api.conftest import answered
from tests.tables import make_user


@api_view(["GET", "POST"])
def silent(request):
    return Response({})


pytestmark = pytest.mark.usefixtures("limited")


def at_most(monkeypatch, throttle, most):
    monkeypatch.setattr(throttle, "limit", replace(throttle.limit, most=most))


urlpatterns = [path("api/silent/", silent), path("api/open/", addresses[2].callback)]


@pytest.mark.parametrize("method", ["get", "post"])
def test_an_endpoint_without_a_permission_class_answers_401(settings, method):
    settings.ROOT_URLCONF = __name__

    answer = answered(getattr(Client(), method)("/api/silent/"))

    assert (401, "unauthenticated") == answer.problem[:2]
    assert "Bearer" == answer.headers["WWW-Authenticate"]


@pytest.mark.django_db
def test_an_endpoint_without_a_permission_class_answers_403_to_a_signed_in_user(settings):
    settings.ROOT_URLCONF = __name__
    client = Client()
    client.force_login(make_user("ana"))

    assert (403, "forbidden") == answered(client.get("/api/silent/")).problem[:2]


@pytest.mark.django_db
def test_the_rate_limit_of_a_user_counts_requests_from_all_addresses(program, monkeypatch):
    at_most(monkeypatch, PerUser, 1)
    program.client.force_login(make_user("ana"))

    assert [200, 429] == [
        program.get("variants/", REMOTE_ADDR=address).status for address in ("192.0.2.1", "192.0.2.2")
    ]


def test_the_operations_that_score_share_a_smaller_rate_limit(program, monkeypatch):
    at_most(monkeypatch, Counting, 2)
    sent = {"variant": "loba_menos", "hand": "5"}

    assert [200, 200, 429, 429, 200] == [
        program.post("hand/", sent).status,
        program.post("hand/", sent).status,
        program.post("hand/", sent).status,
        program.post("score/", {"game": "game loba_menos\nplayers ana beto"}).status,
        program.get("variants/loba_menos/").status,
    ]


def test_a_response_without_a_token_has_no_cors_headers(program):
    answer = program.client.get("/api/v1/variants/", headers={"origin": "https://elsewhere.example"})

    assert [] == [name for name in answer.headers if name.lower().startswith("access-control")]
