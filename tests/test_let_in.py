"""`manage.py let_in`: prints a link for a registered user or a member, or the reason why it prints none."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils.timezone import now

from games.models import Link, Role
from games.tables.services import authorization, erasure, guests, operators
from tests.commands import command_error, run_command
from tests.factories import SECRET, confirm_as_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def site(settings):
    settings.SITE_URL = "http://testserver"


@pytest.mark.parametrize("name", ["olga", "Olga"])
def test_it_prints_a_link_that_is_valid_for_an_hour(olga, client, name):
    link, *sentences = run_command("let_in", name).splitlines()
    link_row = Link.objects.get()

    assert link.startswith("http://testserver/in/")
    assert 200 == client.get(link).status_code
    assert (olga, None) == (link_row.user, link_row.made_by)
    assert timedelta(minutes=59) < link_row.expires_at - link_row.made_at <= timedelta(hours=1)
    assert sentences == [
        "This link signs olga in, once, within an hour, on whatever phone opens it: send it to nobody else. It ends "
        "every earlier one."
    ]


@pytest.mark.parametrize(
    ("addresses", "address"),
    [(["192.168.1.5", "10.0.0.7"], "http://192.168.1.5:8000"), ([], "http://localhost:8000")],
)
def test_without_an_address_in_the_settings_it_is_this_machines(
    olga, settings, monkeypatch, addresses, address
):
    monkeypatch.setattr("games.common.network.lan_addresses", lambda: addresses)
    settings.SITE_URL = ""
    output = run_command("let_in", "olga")

    assert output.startswith(f"{address}/in/")
    assert output.endswith(
        "If phones reach the site at another address, or at another port than 8000, open the part from / on there, or "
        "set SITE_URL to that address.\n"
    )


def test_of_names_that_differ_in_capitals_one_is_written_as_it_is(olga):
    User.objects.create_user("Olga", password=SECRET)
    assert "Several users have this name: Olga, olga. Write it with their capitals." == command_error(
        "let_in", "OLGA"
    )
    run_command("let_in", "Olga")

    assert "Olga" == Link.objects.values_list("user__username", flat=True).get()


@pytest.mark.parametrize("role", Role)
def test_a_member_without_their_phone_comes_in_by_a_personal_link_with_what_they_had(table, client_for, role):
    access = confirm_as_member(make_user("perdido"), table.members.get(slug="beto"))
    table.accesses.filter(pk=access.pk).update(role=role)
    link, *sentences = run_command("let_in", "--table", table.code, "--member", " beto ").splitlines()
    phone = client_for(guests.create())
    link_row = Link.objects.get(member__slug="beto")

    assert link_row.made_by is None
    assert timedelta(days=6, hours=23) < link_row.expires_at - link_row.made_at <= timedelta(days=7)
    assert [f"By this link a phone comes in at {table.name} as Beto"] == [
        sentence.partition(", who")[0] for sentence in sentences
    ]
    assert phone.post(link.removeprefix("http://testserver"), {"key": ""}).status_code == 302
    assert [None, role] == [
        authorization.find_role(user, table) for user in (access.user, phone.get("/").wsgi_request.user)
    ]


NOBODY = "Nobody signs in here under the name {}. Guests have no name"
MISSING = "Give the name of a user, or --table and --member."


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        *((name, NOBODY.format(name)) for name in ("nadie", "ol", "guest", "GONE")),
        ("GUEST", NOBODY.format("GUEST")),
        ("bea", "bea is blocked: `manage.py unblock bea` first."),
        *((arguments, MISSING) for arguments in ("", "olga --table x", "--member Beto")),
        ("--table CODE --member Caro", "Nobody is called Caro"),
    ],
)
def test_a_refusal_says_what_is_missing_and_makes_no_link(olga, table, arguments, refusal):
    table.members.filter(slug="caro").update(retired_at=now())
    gone = User.objects.create_user("gone", password=SECRET)
    operators.block(User.objects.create_user("bea", password=SECRET))
    erasure.delete_account(gone)
    known = {"CODE": table.code, "GONE": gone.username, "GUEST": guests.create().username}
    given = [known.get(word, word) for word in arguments.split()]
    for name, real in known.items():
        refusal = refusal.replace(name, real)
    assert command_error("let_in", *given).startswith(refusal)
    assert 0 == Link.objects.count()
