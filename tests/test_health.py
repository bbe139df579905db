"""Health checks for a load balancer: one for a live server, one for a server that can serve pages."""

from __future__ import annotations

import errno
import json
import re
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from django.conf import settings
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder

from scorekeeper import health

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_health_cache(monkeypatch):
    monkeypatch.setattr(health, "CACHE_SECONDS", 0)


def fetch(client, path):
    response = client.get(path, headers={"host": "10.1.2.3:8000"})  # probes use the machine's address
    return response.status_code, response.content.decode().strip()


def test_a_server_that_can_serve_says_so_under_any_name_and_without_https(client, settings):
    settings.SECURE_SSL_REDIRECT = True

    assert (200, f"alive: {settings.RELEASE}") == fetch(client, "/healthz")
    assert (200, "ready") == fetch(client, "/readyz")
    assert {} == client.cookies


def test_without_its_database_it_lives_and_is_not_ready(client, monkeypatch, settings):
    def gone(*_args):
        raise OperationalError("connection refused")

    monkeypatch.setattr(connection, "cursor", gone)

    assert (503, "the database does not answer") == fetch(client, "/readyz")
    assert (200, f"alive: {settings.RELEASE}") == fetch(client, "/healthz")


def test_before_a_migration_it_is_not_ready(client):
    MigrationRecorder.Migration.objects.filter(app="games").order_by("-pk")[0].delete()

    assert (503, "the database waits for migrations") == fetch(client, "/readyz")


def test_on_a_full_disk_nobody_is_sent_to_it(client, monkeypatch, settings):
    if "sqlite" not in settings.DATABASES["default"]["ENGINE"]:
        pytest.skip("the database's own machine has to say so")
    monkeypatch.setattr(health, "LEAST_SPACE", 10**18)

    assert (503, "the disk is full") == fetch(client, "/readyz")


def test_without_its_cache_it_is_ready_and_says_so(client, monkeypatch):
    def gone(*_args, **_options):
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr("django.core.cache.backends.filebased.FileBasedCache.get", gone)

    assert (200, "ready, without its cache") == fetch(client, "/readyz")


def test_strangers_who_ask_all_the_time_cost_little(client, monkeypatch):
    monkeypatch.setattr(health, "CACHE_SECONDS", 60)
    faults = iter(["", "the disk is full"])
    monkeypatch.setattr(health, "readiness_problem", lambda: next(faults))

    assert [(200, "ready")] * 5 == [fetch(client, "/readyz") for _ in range(5)]


def test_the_images_check_asks_the_port_that_the_server_reads():
    dockerfile = (settings.BASE_DIR / "Dockerfile").read_text(encoding="utf-8")
    command = json.loads(re.findall(r"^HEALTHCHECK .* CMD (\[.*\])$", dockerfile, re.MULTILINE)[0])
    paths = []

    class Ready(BaseHTTPRequestHandler):
        def do_GET(self):
            paths.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_args):
            pass

    with HTTPServer(("127.0.0.1", 0), Ready) as server:
        Thread(target=server.handle_request).start()
        subprocess.run([sys.executable, *command[1:]], check=True, env={"PORT": str(server.server_port)})

    assert ["/readyz"] == paths
