"""Every view needs a permission, and every client has a rate limit."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.response import Response

from games.api_urls import urlpatterns as addresses
from games.tables.api.permissions import Counting, PerAddress, PerUser
from tests.api.conftest import answered
from tests.worlds import make_user


@extend_schema(exclude=True)
@api_view(["GET", "POST"])
def silent(request):
    return Response({})


pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("limited")]
urlpatterns = [path("api/silent/", silent)]


def at_most(monkeypatch, throttle, most):
    monkeypatch.setattr(throttle, "limit", replace(throttle.limit, most=most))


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_view_without_a_permission_class_refuses_everybody(settings, method):
    settings.ROOT_URLCONF = __name__
    client = Client()
    nobody = answered(getattr(client, method)("/api/silent/"))
    client.force_login(make_user("ana"))

    assert (401, "unauthenticated", None) == nobody.problem
    assert "Bearer" == nobody.headers["WWW-Authenticate"]
    assert (403, "forbidden", None) == answered(getattr(client, method)("/api/silent/")).problem


def test_a_user_has_a_rate_limit_and_is_told_when_to_ask_again(owning, monkeypatch):
    at_most(monkeypatch, PerUser, 1)
    first, second = owning.get("variants/"), owning.get("variants/")

    assert (200, 429) == (first.status, second.status)
    assert 1 <= int(second.headers["Retry-After"]) <= 60


def test_guesses_of_codes_are_counted_although_they_find_nothing(nobody, monkeypatch):
    at_most(monkeypatch, PerAddress, 2)

    assert [404, 404, 429] == [nobody.get(f"tables/guess{number}/").status for number in range(3)]


def test_the_operations_that_score_share_a_smaller_rate_limit(nobody, monkeypatch):
    at_most(monkeypatch, Counting, 2)
    sent = {"variant": "loba_menos", "hand": "5"}

    assert [200, 200, 429, 429, 200] == [
        *(nobody.post("hand/", sent).status for _time in range(3)),
        nobody.post("score/", {"game": "game loba_menos\nplayers ana beto"}).status,
        nobody.get("variants/loba_menos/").status,
    ]


def test_costly_operations_count_against_a_limit_of_their_own():
    costly = {
        *("api-hand", "api-score", "api-game-preview"),
        *("api-table-file", "api-spreadsheet", "api-table-files"),
    }
    counting = set()
    for page in addresses:
        view = getattr(page.callback, "cls", None)
        options = getattr(page.callback, "initkwargs", {})
        if Counting in options.get("throttle_classes", getattr(view, "throttle_classes", ())):
            counting.add(getattr(page, "name", ""))

    assert costly == counting
