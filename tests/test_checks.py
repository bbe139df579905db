"""`manage.py check`: every problem of an installation at once, with an id and a hint."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection

from games.management import site_folder
from games.models import Table
from tests.commands import command_error
from tests.factories import make_table, make_user

DAILY = {"deploy": True, "databases": ["default"], "fail_level": "WARNING"}
# A browser test that ran before in this process sets DJANGO_ALLOW_ASYNC_UNSAFE, and Django warns about it.
NOT_OURS = {"async.E001"}


@pytest.fixture
def healthy_site(home, settings):
    """Set up a site without problems."""
    settings.SECRET_KEY = "s" * 50
    (home / "secret-key").write_text(settings.SECRET_KEY)
    (home / "secret-key").chmod(0o600)
    site_folder.record_backup()
    return home


def problems() -> dict[str, str]:
    """Return the text of each problem that is not silenced, by its id."""
    messages = run_checks(include_deployment_checks=True, databases=["default"])
    return {
        str(message.id): str(message.msg)
        for message in messages
        if not message.is_silenced() and message.id not in NOT_OURS
    }


def test_with_a_sound_site_nothing_is_wrong(healthy_site):
    assert {} == problems()


def test_all_that_is_wrong_is_said_at_once(healthy_site, settings, monkeypatch):
    settings.DEBUG, settings.ALLOWED_HOSTS, settings.SECRET_KEY = True, ["*"], "t" * 50
    healthy_site.chmod(0o755)
    monkeypatch.setattr(site_folder, "free_space", lambda folder: 5_000_000)
    site_folder.marker_file().unlink()
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER games_record_no_update")

    with pytest.raises(SystemCheckError) as refusal:
        call_command("check", **DAILY)

    looked_for = [
        "(games.W002) ALLOWED_HOSTS lets any host name through.",
        f"HINT: Run: chmod go= {healthy_site}",
        f"(games.W005) SECRET_KEY is set, and {healthy_site}/secret-key holds another secret.",
        f"(games.W006) The disk of {healthy_site} has 5.0 MB left.",
        "database-made is missing",
        "(games.E012) The database lets records be changed: games_record_no_update is gone.",
        "(security.W018) You should not have DEBUG set to True in deployment.",
    ]
    assert looked_for == [part for part in looked_for if part in str(refusal.value)]


BEHIND_A_PROXY = {
    "SITE_URL": "https://cards.example.org:8443",
    "HTTPS": True,
    "ALLOWED_HOSTS": [".example.org"],
    "TRUSTED_PROXIES": ["127.0.0.1"],
}


@pytest.mark.parametrize(
    ("changes", "missing"),
    [
        ({}, set()),
        ({"ALLOWED_HOSTS": ["example.com"]}, {"games.W017"}),
        ({"HTTPS": False}, {"games.W018"}),
        ({"SITE_URL": "http://cards.example.org"}, {"games.W018"}),
        ({"TRUSTED_PROXIES": []}, {"games.W019"}),
        ({"SITE_URL": "", "TRUSTED_PROXIES": []}, {"games.W019"}),
        ({"SITE_URL": "http://cards.example.org", "HTTPS": False, "TRUSTED_PROXIES": []}, set()),
        ({"SITE_URL": "", "HTTPS": False, "TRUSTED_PROXIES": []}, set()),
    ],
)
def test_a_sites_address_is_compared_with_the_settings_of_its_proxy(healthy_site, settings, changes, missing):
    for name, value in {**BEHIND_A_PROXY, **changes}.items():
        setattr(settings, name, value)
    assert missing == problems().keys()


def test_a_lost_an_older_and_a_damaged_database_are_named_and_hide_nothing(healthy_site, settings):
    settings.ALLOWED_HOSTS = ["*"]
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'sessions'")
    assert {"games.W002", "games.W010"} == problems().keys()

    connection.close()
    (healthy_site / "db.sqlite3").write_bytes(b"no database at all" * 1000)
    assert f"{healthy_site}/db.sqlite3 cannot be asked: file is not a database." == problems()["games.E007"]

    connection.close()
    (healthy_site / "db.sqlite3").unlink()
    assert {"games.W002", "games.E008"} == problems().keys()

    site_folder.marker_file().unlink()
    assert f"There is no database at {healthy_site}/db.sqlite3 yet." == problems()["games.W009"]


def test_a_last_backup_older_than_backup_every_is_named(healthy_site, settings, time_machine):
    settings.BACKUP_EVERY = timedelta(hours=36)
    time_machine.move_to("2026-11-20 03:00:00+00:00", tick=False)
    site_folder.record_backup()
    time_machine.move_to("2026-11-21 15:00:00+00:00", tick=False)
    assert {} == problems()

    time_machine.move_to("2026-11-21 15:00:01+00:00", tick=False)
    sentence = "The last backup is of 2026-11-20 00:00:00-0300, which is longer ago than BACKUP_EVERY."
    assert {"games.W015": sentence} == problems()

    site_folder.last_backup_file().unlink()
    assert {"games.W015": "There is no backup yet."} == problems()

    settings.BACKUP_EVERY = timedelta()
    assert {} == problems()


def test_a_table_whose_time_zone_not_every_computer_has_is_named(healthy_site):
    table = make_table(make_user("ana"), name="Los jueves")
    Table.objects.filter(pk=table.pk).update(timezone="localtime")

    sentence = (
        f"The table Los jueves ({table.code}) has the time zone 'localtime', which not every computer has."
    )
    assert {"games.W021": sentence} == problems()


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("ALTER TABLE games_token DROP COLUMN reads_only", "games_token lacks reads_only"),
        ("ALTER TABLE games_token ADD COLUMN more integer", "games_token has more"),
        ("DROP INDEX game_by_table_and_start", "games_game lacks game_by_table_and_start"),
        ("CREATE INDEX slow ON games_debt (amount)", "games_debt has slow"),
    ],
)
def test_a_database_of_another_shape_is_refused_by_check_and_serve(healthy_site, statement, what):
    with connection.cursor() as cursor:
        cursor.execute(statement)

    sentence = (
        f"{healthy_site}/db.sqlite3 does not fit this program, although its migrations do ({what}): serve it with the program "
        "that made it, or bring a backup back with `manage.py restore`."
    )
    assert {"games.E014": sentence} == problems()
    assert sentence == command_error("serve", "--port", "47301")
