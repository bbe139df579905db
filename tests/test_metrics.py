"""Metrics for operators: who reads them, what they count, what no label holds, and several processes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError
from django.test import Client
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from scorekeeper import env, metric_series, metrics
from tests.factories import make_table, make_user
from tests.server_processes import Site

TOKEN = "a-token-that-only-the-operator-knows"
READER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def client(db, settings) -> Iterator[Client]:
    """A client of a site with METRICS_TOKEN, whose middleware is loaded anew."""
    settings.METRICS_TOKEN = TOKEN
    settings.MIDDLEWARE = ["scorekeeper.metrics.MetricsMiddleware", *settings.MIDDLEWARE]
    cache.delete(metric_series.COUNTED)
    yield Client(raise_request_exception=False)
    cache.delete(metric_series.COUNTED)


def read_samples(text: str) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """Return the value of each sample by its name and its labels."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def read_metrics(client: Client) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    return read_samples(client.get("/metrics", headers=READER).content.decode())


def count(samples: dict[Any, float], **labels: str) -> float:
    return samples.get(("anotador_request_seconds_count", frozenset(labels.items())), 0)


# --- who reads them -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "authorization",
    [
        "",
        "Bearer",
        "Bearer ",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        f"Basic {TOKEN}",
        TOKEN,
        "Bearer ñ",
    ],
)
def test_without_the_token_there_is_nothing(client, authorization):
    given = {"Authorization": authorization} if authorization else {}
    answer, unknown = (client.get(path, headers=given) for path in ("/metrics", "/nothing-here"))

    assert (404, 404) == (answer.status_code, unknown.status_code)
    assert answer.headers["Content-Type"] == unknown.headers["Content-Type"]
    assert 404 == client.get(f"/metrics?token={TOKEN}").status_code
    assert 404 == client.get("/metrics/", headers=READER).status_code
    assert 404 == client.post("/metrics", headers=READER).status_code


@pytest.mark.parametrize("token", ["", TOKEN])
def test_a_site_without_the_setting_has_none(db, token):
    assert 404 == Client().get("/metrics", headers={"Authorization": f"Bearer {token}"}).status_code


def test_the_token_reads_them_also_past_https_and_the_name_of_the_host(client, settings):
    settings.SECURE_SSL_REDIRECT, settings.ALLOWED_HOSTS = True, ["cards.example.org"]
    answer = client.get("/metrics", headers={"Host": "10.0.0.7:8000", **READER})

    assert (200, "no-store") == (answer.status_code, answer.headers["Cache-Control"])
    assert answer.headers["Content-Type"].startswith("application/openmetrics-text")
    assert answer.content.endswith(b"# EOF\n")


def test_a_short_token_is_refused(monkeypatch):
    monkeypatch.setenv("METRICS_TOKEN", "hunter2")
    with pytest.raises(ImproperlyConfigured, match="METRICS_TOKEN is too short"):
        env.get_metrics_token("METRICS_TOKEN")
    monkeypatch.setenv("METRICS_TOKEN", TOKEN)
    assert TOKEN == env.get_metrics_token("METRICS_TOKEN")


# --- what they count ----------------------------------------------------------------------------------------


def test_each_request_is_counted_by_url_method_and_status(client):
    for method, path, times in (
        ("get", "/", 3),
        ("get", "/login/", 1),
        ("post", "/login/", 2),
        ("head", "/", 1),
    ):
        for _time in range(times):
            getattr(client, method)(path)
    client.get("/t/nothing/")
    client.get("/no/such/page")
    client.get("/healthz")
    client.generic("BREW", "/")
    samples = read_metrics(client)

    assert 3 == count(samples, url="home", method="GET", status="2xx")
    assert 1 == count(samples, url="home", method="HEAD", status="2xx")
    assert 1 == count(samples, url="login", method="GET", status="2xx")
    assert 2 == sum(count(samples, url="login", method="POST", status=status) for status in ("2xx", "4xx"))
    assert 1 == count(samples, url="table", method="GET", status="4xx")
    assert 1 == count(samples, url="none", method="GET", status="4xx")
    assert 1 == count(samples, url="healthz", method="GET", status="2xx")
    assert 1 == sum(
        value
        for (name, labels), value in samples.items()
        if name == "anotador_request_seconds_count" and ("method", "other") in labels
    )


def test_a_request_is_in_each_bucket_that_it_fits(client, monkeypatch):
    clock = iter([0.0, 0.2])
    monkeypatch.setattr(metrics, "perf_counter", lambda: next(clock, 9.0))
    client.get("/healthz")
    labels = {"url": "healthz", "method": "GET", "status": "2xx"}
    samples = read_metrics(client)
    buckets = {
        limit: samples["anotador_request_seconds_bucket", frozenset({**labels, "le": limit}.items())]
        for limit in ("0.1", "0.25", "+Inf")
    }

    assert {"0.1": 0, "0.25": 1, "+Inf": 1} == buckets
    assert pytest.approx(0.2) == samples["anotador_request_seconds_sum", frozenset(labels.items())]


def test_no_label_has_what_a_visitor_or_a_table_chose(client):
    table = make_table(make_user("Graciela"), people=("Zulema", "Beto"))
    for path in (
        f"/t/{table.code}/",
        f"/t/{table.code}/accounts/of/zulema/",
        "/i/a-secret-token/",
        "/zulema",
    ):
        client.get(path)
        client.generic("ZULEMA", path)
    text = client.get("/metrics", headers=READER).content.decode()

    assert "table" in text
    assert [] == re.findall(rf"(?i){table.code}|zulema|graciela|secret", text)


def test_tables_and_games_are_counted_at_most_once_a_minute(client, django_assert_num_queries):
    make_table(make_user(), people=("Ana", "Beto"))
    with django_assert_num_queries(2):
        first = read_metrics(client)
    make_table(make_user("another"), people=("Ana", "Beto"))
    with django_assert_num_queries(0):
        second = read_metrics(client)
    cache.delete(metric_series.COUNTED)
    third = read_metrics(client)

    assert [1, 1, 2] == [samples["anotador_tables", frozenset()] for samples in (first, second, third)]
    assert 60 == metric_series.COUNTED_SECONDS


def test_a_database_that_fails_leaves_its_numbers_out(client, monkeypatch):
    def fail(*_arguments: object) -> None:
        raise OperationalError("gone")

    monkeypatch.setattr(cache, "get", fail)
    samples = read_metrics(client)

    assert [] == [name for name, _labels in samples if name in ("anotador_tables", "anotador_games")]
    assert [1.0] == [value for (name, _labels), value in samples.items() if name == "anotador_release_info"]


# --- several processes --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_workers_of_a_server_are_added_up(tmp_path):
    site = Site(
        tmp_path / "data", tmp_path / "static", variables={"METRICS_TOKEN": TOKEN}, options=("--workers", "3")
    )
    site.folder.mkdir(mode=0o700)
    address = f"http://127.0.0.1:{site.port}"
    reader = Request(f"{address}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    site.start()
    try:
        for _time in range(60):
            urlopen(f"{address}/healthz").close()
        seen = set()
        for _time in range(10):
            with urlopen(reader) as answer:
                samples = read_samples(answer.read().decode())
            seen.add(count(samples, url="healthz", method="GET", status="2xx"))
        with pytest.raises(HTTPError, match="404"):
            urlopen(f"{address}/metrics")
    finally:
        site.stop()

    assert {60} == seen
