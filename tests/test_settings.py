"""The settings read from the environment, and the values they refuse.

`tables/test_settings.py` has the settings of a table.
"""

from __future__ import annotations

import re
import runpy
import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpResponse
from django.urls import path
from django.utils.translation import get_language

from scorekeeper import env

SETTINGS = Path(settings.BASE_DIR) / "scorekeeper" / "settings.py"
NAMES = re.findall(r'env\.(?:get|find)_\w+\(\s*"(\w+)"', SETTINGS.read_text(encoding="utf-8"))
urlpatterns = [path("language/", lambda request: HttpResponse(get_language()))]


@pytest.fixture
def read_settings(monkeypatch, tmp_path):
    """`read_settings(NAME=value, …)` reads the settings with only these environment variables."""
    monkeypatch.setattr("scorekeeper.env.find_spec", lambda package: package)  # `.[dev]` has no psycopg

    def read(**environment):
        for name in NAMES:
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
        for name, written in environment.items():
            monkeypatch.setenv(name, written)
        return runpy.run_path(str(SETTINGS))

    return read


def test_nothing_needs_to_be_set(read_settings, tmp_path):
    read = read_settings()
    assert read["DEBUG"] is False
    assert ["localhost", "127.0.0.1", "[::1]"] == read["ALLOWED_HOSTS"]
    assert tmp_path / "data" / "db.sqlite3" == read["DATABASES"]["default"]["NAME"]


def test_sqlite_waits_its_turn_instead_of_failing(read_settings):
    options = read_settings()["DATABASES"]["default"]["OPTIONS"]
    assert "IMMEDIATE" == options["transaction_mode"]
    assert 2 == options["timeout"]
    assert "journal_mode=WAL; PRAGMA synchronous=FULL" in options["init_command"]
    for environment in ({}, {"DATABASE_URL": "sqlite:////tmp/other.sqlite3"}):
        database = read_settings(**environment)["DATABASES"]["default"]
        assert options == database["OPTIONS"]
        assert ("scorekeeper.sqlite3", None) == (database["ENGINE"], database["CONN_MAX_AGE"])
        assert database["CONN_HEALTH_CHECKS"]  # checks that its file still exists


def test_postgresql_is_one_address_away(read_settings):
    database = read_settings(DATABASE_URL="postgres://ana:secret@db.example.org:5433/cards")["DATABASES"][
        "default"
    ]
    assert "django.db.backends.postgresql" == database["ENGINE"]
    assert ("db.example.org", 5433, "cards") == (database["HOST"], database["PORT"], database["NAME"])
    assert "transaction_mode" not in database.get("OPTIONS", {})


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("DEBUG", "maybe"),
        ("HTTPS", "2"),
        ("ALLOWED_HOSTS", "https://cards.example.org"),
        ("ALLOWED_HOSTS", "cards.example.org:8000"),
        ("ALLOWED_HOSTS", "cards.example.org,"),
        ("DATABASE_URL", "cards.example.org"),
        ("DATABASE_URL", "oracle://cards.example.org/cards"),
        ("DATABASE_URL", "sqlite://"),
        ("DATABASE_URL", "sqlite://:memory:"),
        ("DATABASE_URL", "sqlite:///:memory:"),
        ("DATABASE_URL", "sqlite:///cards.sqlite3"),
        ("DATABASE_URL", "sqlite:///data/cards.sqlite3"),
        ("SECRET_KEY", "hunter2"),
        ("METRICS_TOKEN", "hunter2"),
        ("BACKUP_EVERY", "36"),
        ("BACKUP_EVERY", "1 day"),
        ("BACKUP_EVERY", "-1d"),
        ("ACCESS_LOG", "access.log"),
        ("NEW_TABLES", "friends"),
        ("PORT", "65536"),
        ("TIME_ZONE", "Europe/Atlantis"),
        ("TIME_ZONE", "/etc/localtime"),
        ("TIME_ZONE", "localtime"),
        ("PORT", "http"),
        ("CACHE_URL", "memcached://cache.example.org"),
        ("SITE_URL", "cards.example.org"),
        ("SITE_URL", "https://cards.example.org/table/"),
        ("SITE_URL", "https://ana:secret@cards.example.org"),
        ("TRUSTED_PROXIES", "cards.example.org"),
        ("TRUSTED_PROXIES", "10.0.0.1/8"),
        ("TRUSTED_PROXIES", "10.0.0.1,"),
    ],
)
def test_nonsense_is_refused_by_name(read_settings, name, written):
    with pytest.raises(ImproperlyConfigured, match=rf"^{name} .*allowed"):
        read_settings(**{"HTTPS": "1", name: written})


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("SECRET_KEY", "hunter2"),
        ("DATABASE_URL", "oracle://ana:hunter2@db/cards"),
        ("CACHE_URL", "redis:ana:hunter2@c"),
    ],
)
def test_a_refused_secret_or_address_is_not_repeated(read_settings, name, written):
    with pytest.raises(ImproperlyConfigured) as error:
        read_settings(**{name: written})
    assert "hunter2" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "written", "package"),
    [
        ("DATABASE_URL", "postgres://a:b@db:5432/cards", "psycopg"),
        ("CACHE_URL", "redis://cache:6379/0", "redis"),
        ("METRICS_TOKEN", "m" * 32, "prometheus_client"),
    ],
)
def test_a_missing_package_is_named_with_the_file_that_has_it(
    read_settings, monkeypatch, name, written, package
):
    monkeypatch.setattr("scorekeeper.env.find_spec", lambda _package: None)

    with pytest.raises(
        ImproperlyConfigured, match=rf"{name} needs the package {package}: .*requirements-site\.lock"
    ):
        read_settings(**{name: written})


@pytest.mark.parametrize(("written", "hours"), [("", 48), ("90m", 1.5), ("36h", 36), ("7d", 168), ("0", 0)])
def test_a_duration_has_a_unit(read_settings, written, hours):
    assert timedelta(hours=hours) == read_settings(BACKUP_EVERY=written)["BACKUP_EVERY"]


@pytest.mark.parametrize(("written", "port"), [("", 8000), ("8080", 8080)])
def test_the_port_is_8000_unless_another_is_said(read_settings, written, port):
    assert port == read_settings(PORT=written)["PORT"]


@pytest.mark.parametrize(
    ("written", "zone"), [("", "America/Argentina/Buenos_Aires"), ("Europe/Madrid", "Europe/Madrid")]
)
def test_the_clock_is_that_of_buenos_aires_unless_another_is_said(read_settings, written, zone):
    assert zone == read_settings(TIME_ZONE=written)["TIME_ZONE"]


@pytest.mark.parametrize(("written", "who"), [("", "anyone"), ("Known", "known"), ("nobody", "nobody")])
def test_anyone_opens_a_table_unless_it_is_said_who_may(read_settings, written, who):
    assert who == read_settings(NEW_TABLES=written)["NEW_TABLES"]


def test_cookies_are_secure_only_over_https(read_settings):
    plain, https = read_settings(), read_settings(HTTPS="1")
    assert "SESSION_COOKIE_SECURE" not in plain
    assert "SECURE_PROXY_SSL_HEADER" not in plain
    assert https["SESSION_COOKIE_SECURE"]
    assert https["CSRF_COOKIE_SECURE"]
    assert ("HTTP_X_FORWARDED_PROTO", "https") == https["SECURE_PROXY_SSL_HEADER"]


def test_servers_that_share_a_cache_count_everything_there(read_settings):
    default_caches = read_settings()["CACHES"]
    assert ("FileCache", "LocMemCache") == tuple(
        default_caches[name]["BACKEND"].rpartition(".")[2] for name in ("default", "throttles")
    )
    caches = read_settings(CACHE_URL="redis://cache.example.org:6379/1")["CACHES"]
    assert caches["default"] == caches["throttles"]
    assert "redis://cache.example.org:6379/1" == caches["default"]["LOCATION"]


def test_lists_are_separated_by_commas(read_settings):
    hosts = read_settings(ALLOWED_HOSTS="cards.example.org, .example.com,[fe80::1],*")["ALLOWED_HOSTS"]
    assert ["cards.example.org", ".example.com", "[fe80::1]", "*"] == hosts
    assert [] == read_settings()["TRUSTED_PROXIES"]
    read = read_settings(TRUSTED_PROXIES="10.0.0.0/8, ::1")["TRUSTED_PROXIES"]
    assert ["10.0.0.0/8", "::1/128"] == [str(network) for network in read]


def test_reading_the_settings_makes_neither_a_folder_nor_a_secret(read_settings, tmp_path):
    read = read_settings()

    assert (None, 50) == (read["STORED_SECRET"], len(read["SECRET_KEY"]))
    assert not (tmp_path / "data").exists()


def test_the_first_start_makes_a_secret_that_only_its_owner_reads(read_settings, tmp_path):
    file = tmp_path / "data" / "secret-key"
    env.create_folder("DATA_DIR", file.parent)
    first = env.get_or_create_secret(file, "s" * 50)

    assert (first, first) == (read_settings()["SECRET_KEY"], read_settings()["STORED_SECRET"])
    assert 0o600 == stat.S_IMODE(file.stat().st_mode)
    assert 0o700 == stat.S_IMODE(file.parent.stat().st_mode)


def test_servers_that_start_together_share_one_secret(tmp_path):
    with ThreadPoolExecutor(16) as servers:
        secrets = set(
            servers.map(
                lambda number: env.get_or_create_secret(tmp_path / "secret-key", f"{number}"), range(64)
            )
        )
    assert 1 == len(secrets)


@pytest.mark.parametrize(
    ("phone", "language"),
    [
        *((phone, "es-ar") for phone in ("es-AR", "es-UY", "es-PY", "es-uy,es-419;q=0.9,en;q=0.8", "", "*")),
        *((phone, "es") for phone in ("es", "es-419", "es-MX,es;q=0.9", "es-CO", "es-US", "es-NI")),
        *((phone, "es-es") for phone in ("es-ES", "es-IC,es;q=0.9")),
        ("es-CL,es-419;q=0.9", "es-cl"),
        *((phone, "en") for phone in ("en-GB,en;q=0.9", "pt-BR,en;q=0.5", "pt-BR", "fr,*;q=0.5")),
        ("pt-BR,es-AR;q=0.5", "es-ar"),
        *((phone, "es-es") for phone in ("ca", "ca-ES,es;q=0.9", "gl-ES,en;q=0.8", "eu,es-419;q=0.5")),
        *((phone, "es-es") for phone in ("ca-valencia", "ca-AD,fr;q=0.9", "fr,eu-ES;q=0.8,en;q=0.5")),
        *(("es-MX,ca;q=0.5", "es"), ("en,gl;q=0.5", "en"), ("car,en;q=0.5", "en")),
    ],
)
def test_a_phone_is_spoken_to_as_people_speak_where_it_is_from(client, settings, phone, language):
    settings.ROOT_URLCONF = __name__
    response = client.get("/language/", headers={"accept-language": phone})
    assert language == response.content.decode()
    assert (language, "Cookie, Accept-Language") == (response["Content-Language"], response["Vary"])


@pytest.mark.parametrize(
    ("chosen", "language"),
    [
        *((language, language) for language in ("es-ar", "es", "es-es", "es-cl", "en")),
        *(("es-uy", "es-ar"), ("xx", "es-cl"), ("../es", "es-cl")),
    ],
)
def test_a_language_chosen_by_hand_stays_whatever_the_phone_says(client, settings, chosen, language):
    settings.ROOT_URLCONF = __name__
    client.cookies["django_language"] = chosen
    assert language == client.get("/language/", headers={"accept-language": "es-CL"}).content.decode()


def test_metrics_are_counted_only_where_somebody_may_read_them(read_settings):
    metrics = "scorekeeper.metrics.MetricsMiddleware"

    assert metrics not in read_settings()["MIDDLEWARE"]
    assert metrics in read_settings(METRICS_TOKEN="m" * 32)["MIDDLEWARE"]
