"""`manage.py let_in`: prints a sign-in link for a registered user, and says why it prints none."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from games.management import serving
from games.management.copies import copy_database
from games.models import SignInLink
from games.people.deletion import delete_account
from games.people.guests import make_guest
from tests.commands import output_of, refusal_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga():
    return User.objects.create_user("olga", password="tres lobas negras")


@pytest.mark.parametrize("name", ["olga", "Olga"])
def test_it_prints_a_link_that_is_valid_for_an_hour(olga, client, name):
    link, *sentences = output_of("let_in", name, "--site", "http://testserver/").splitlines()
    kept = SignInLink.objects.get()

    assert link.startswith("http://testserver/in/")
    assert 200 == client.get(link).status_code
    assert (olga, timedelta(hours=1)) == (kept.user, kept.expires_at - kept.made_at)
    assert sentences == [
        "This link signs olga in, once, within an hour, on whatever phone opens it: send it to nobody else. It ends "
        "every earlier one."
    ]


@pytest.mark.parametrize(
    ("bind", "hosts", "is_https", "address"),
    [
        ("0.0.0.0", ["localhost", "cards.example.org"], True, "https://cards.example.org"),
        ("0.0.0.0", ["localhost", "*"], True, "http://192.168.1.5:8123"),
        ("0.0.0.0", ["localhost", "cards.example.org"], False, "http://192.168.1.5:8123"),
        ("10.0.0.7", ["localhost"], False, "http://10.0.0.7:8123"),
        ("fd00::7", ["localhost"], False, "http://[fd00::7]:8123"),
        ("127.0.0.1", ["localhost"], False, "http://localhost:8123"),
    ],
)
def test_without_an_address_it_prints_the_one_by_the_settings_or_the_one_served_last(
    olga, settings, monkeypatch, tmp_path, bind, hosts, is_https, address
):
    monkeypatch.setattr(serving, "lan_addresses", lambda: ["192.168.1.5"])
    settings.ALLOWED_HOSTS, settings.SESSION_COOKIE_SECURE, settings.DATA_DIR = hosts, is_https, tmp_path
    serving.note_served(bind, 8123)
    output = output_of("let_in", "olga")

    assert output.startswith(f"{address}/in/")
    assert "If phones reach the site at another address, run this with --site." in output


@pytest.mark.parametrize("note", [None, "", "half a note", "0.0.0.0 eighty"])
def test_where_nothing_was_served_it_asks_for_the_address_and_ends_no_earlier_link(
    olga, settings, tmp_path, note
):
    settings.DATA_DIR = tmp_path
    if note is not None:
        (tmp_path / serving.NAME).write_text(note)

    assert "Nothing was served from here yet, so its address is unknown: give it with --site" in refusal_of(
        "let_in", "olga"
    )
    assert 0 == SignInLink.objects.count()


@pytest.mark.parametrize("name", ["nadie", "", "ol", "guest"])
def test_an_unknown_name_is_refused(olga, name):
    assert refusal_of("let_in", name).startswith(
        f"Nobody signs in here under the name {name}. Guests have no name"
    )
    assert 0 == SignInLink.objects.count()


def test_a_guest_has_no_name_to_sign_in_with(olga):
    guest = make_guest()

    assert "an owner of their table makes a link for their new phone" in refusal_of("let_in", guest.username)


def test_a_deleted_account_is_unknown(olga):
    delete_account(olga)

    assert refusal_of("let_in", olga.username).startswith("Nobody signs in here")


def test_of_names_that_differ_in_capitals_one_is_written_as_it_is(olga):
    User.objects.create_user("Olga", password="tres lobas negras")
    assert "Several users have this name: Olga, olga. Write it with their capitals." == refusal_of(
        "let_in", "OLGA"
    )
    output_of("let_in", "Olga", site="http://testserver")

    assert "Olga" == SignInLink.objects.get().user.username


@pytest.mark.parametrize("site", ["cards.example.org", "ftp://x", "https://", "https://x/page/"])
def test_an_address_that_is_none_is_refused(olga, site):
    with pytest.raises(CommandError, match="is not an address like"):
        call_command("let_in", "olga", "--site", site)


def test_a_refusal_ends_with_status_1(tmp_path):
    copy_database(Path(connection.settings_dict["NAME"]), tmp_path / "db.sqlite3")
    answer = subprocess.run(
        [sys.executable, "manage.py", "let_in", "nadie"],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (1, "", True) == (answer.returncode, answer.stdout, "Nobody signs in here" in answer.stderr)
