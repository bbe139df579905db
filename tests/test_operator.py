"""Commands of the site's operator: close the site, open a table, block, give an owner, erase, list."""

from __future__ import annotations

import ast
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.utils.timezone import now

from games.files.services import file_writer
from games.management import backups
from games.models import Access, AccountErasure, Device, Member, Role, Table
from games.tables.services import authorization, confirmations, guests, links, operators, tokens, users
from tests.commands import command_error, run_command
from tests.factories import (
    SECRET,
    confirm_as_member,
    grant_access,
    make_table,
    make_user,
    new_key,
    with_new_codes,
)
from tests.reader import read_page
from tests.test_logs import capture_console

pytestmark = pytest.mark.django_db

SENTENCES = {
    "known": "On this site, only people who already play can create tables.",
    "nobody": "On this site, only its operator can create tables.",
}
MAKE_TABLES = ("/new/", "/bring/", "/import/")


@pytest.fixture(autouse=True)
def site(settings):
    settings.SITE_URL = "http://testserver"


@pytest.fixture
def console(monkeypatch):
    return capture_console(monkeypatch, "games.management")


def creation_statuses(phone):
    """Return this phone's status from each address that creates a table, page or API."""
    pages = [phone.get(page).status_code for page in MAKE_TABLES]
    options = {"content_type": "application/json", "headers": {"idempotency-key": new_key()}}
    response = phone.post("/api/v1/tables/", {"name": "Otra"}, **options)
    return [*pages, response.status_code]


# --- a closed site ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("closed", SENTENCES)
def test_on_a_closed_site_a_stranger_reads_who_opens_tables_and_whom_to_ask(client_for, settings, closed):
    settings.NEW_TABLES, settings.OPERATOR_CONTACT = closed, "nora@example.org"
    phone = client_for()
    home = read_page(phone.get("/"))

    assert SENTENCES[closed] in home.text
    assert ["nora@example.org"] == [link.text for link in home.every("a", href="mailto:nora@example.org")]
    for address in MAKE_TABLES:
        assert [] == home.every("a", href=address)
        for answer in (phone.get(address), phone.post(address, {"key": "k", "people": "Ana"})):
            assert 403 == answer.status_code
            assert SENTENCES[closed] in read_page(answer).text
    assert [] == read_page(phone.get("/example/")).every("a", href="/new/")
    assert (0, 0) == (User.objects.count(), Table.objects.count())


def test_without_an_address_of_the_operator_a_stranger_asks_who_sent_them(client_for, settings):
    settings.NEW_TABLES = "known"
    assert "Ask the person who gave you the address of this site." in read_page(client_for().get("/")).text


def test_whoever_plays_or_has_a_password_opens_tables_where_known_people_may(
    client_for, settings, table, olga
):
    settings.NEW_TABLES = "known"
    guest, gone = guests.create(), guests.create()
    grant_access(guest, table)
    grant_access(gone, table, until=now() - timedelta(hours=1))

    assert [200, 200, 200, 201] == creation_statuses(client_for(guest))
    assert [200, 200, 200, 201] == creation_statuses(client_for(olga))
    assert [403, 403, 403, 403] == creation_statuses(client_for(gone))


def test_where_nobody_opens_tables_those_who_play_go_on_and_programs_read_why(
    client_for, settings, owner, table
):
    file = with_new_codes(file_writer.write_table(table))
    settings.NEW_TABLES = "nobody"
    phone = client_for(owner)
    options = {"content_type": "application/json", "headers": {"idempotency-key": new_key()}}

    assert [403, 403, 403, 403] == creation_statuses(phone)
    assert [] == read_page(phone.get("/")).every("a", href="/new/")
    for address, body in (("/api/v1/tables/", {"name": "Otra"}), ("/api/v1/table-files/", file)):
        answer = phone.post(address, body, **options)
        assert (403, "forbidden", SENTENCES["nobody"]) == (
            answer.status_code,
            answer.json()["code"],
            answer.json()["detail"],
        )
    assert 200 == phone.get(f"/t/{table.code}/new/").status_code


def test_the_operator_opens_a_table_on_a_closed_site_by_a_link_for_its_owner(client_for, settings, console):
    settings.NEW_TABLES = "nobody"
    link, sentence = run_command("new_table", "Los Gómez").splitlines()
    table = Table.objects.get()
    phone = client_for()
    invitation = read_page(phone.get(link))
    phone.post(
        link.removeprefix("http://testserver"),
        {"key": invitation.every("input", name="key")[0].attrs["value"]},
    )
    owner = Access.objects.get()

    assert "You'll own this table." in invitation.text
    assert ("Los Gómez", "$", Role.OWNER, None) == (table.name, table.unit, owner.role, owner.raised_by)
    assert f"Who opens this link owns Los Gómez ({table.code}), once, within seven days" in sentence
    assert f"new_table: table {table.code}" in console()
    assert 200 == phone.get(f"/t/{table.code}/new/").status_code
    assert "Amounts" not in command_error("new_table", "x" * 100)


# --- a nuisance -------------------------------------------------------------------------------------------------------


@pytest.fixture
def pepe(table):
    user = User.objects.create_user("pepe", password=SECRET)
    grant_access(user, table, Role.SCORER)
    return user


def test_a_blocked_user_is_a_stranger_everywhere_and_has_their_places_back_once_unblocked(
    client_for, pepe, owner, table, console
):
    phone, program = client_for(pepe), client_for()
    phone.get("/you/")
    _token, secret = tokens.create(pepe, "bot")
    bearer = {"headers": {"authorization": f"Bearer {secret}"}}
    tonight = links.get_or_create_tonight(table, by=owner)
    run_command("block", "Pepe")

    assert 404 == phone.get(f"/t/{table.code}/people/").status_code
    assert 401 == program.get("/api/v1/tables/", **bearer).status_code
    assert not client_for().login(username="pepe", password=SECRET)
    assert 0 == table.links.valid().filter(pk=tonight.pk).count()
    assert ("pepe", True) == (
        users.display_name_or_deleted(User.objects.get(username="pepe")),
        Access.objects.filter(user=pepe).exists(),
    )
    assert "pepe is blocked already." == command_error("block", "pepe")
    assert "pepe is no longer blocked, and signs in again with the password." in run_command(
        "unblock", "pepe"
    )
    assert phone.login(username="pepe", password=SECRET)
    assert (200, 401) == (
        phone.get(f"/t/{table.code}/people/").status_code,
        program.get("/api/v1/tables/", **bearer).status_code,
    )
    assert [f"block: user {pepe.pk}", f"unblock: user {pepe.pk}"] == re.findall(r"\w+: user \d+", console())
    assert "pepe" not in console()


def test_what_a_blocked_phone_holds_is_refused_and_stays_on_it(client_for, pepe, table):
    phone = client_for(pepe)
    body = {"person": users.opaque_id(pepe), "entries": []}
    assert 200 == phone.post("/waiting/", body, content_type="application/json").status_code
    run_command("block", "pepe")

    assert 403 == phone.post("/waiting/", body, content_type="application/json").status_code


def test_a_guest_is_blocked_by_the_name_in_the_list_or_as_the_member_who_they_are(client_for, table, owner):
    watcher, beto, again = guests.create(), guests.create(), guests.create()
    grant_access(watcher, table)
    confirm_as_member(beto, table.members.get(slug="beto"))
    grant_access(again, table, face="beto")
    of = {"table": table.code, "member": "Beto"}
    run_command("block", watcher.username)
    run_command("block", **of)

    assert [(watcher.pk, False), (beto.pk, False), (again.pk, True)] == list(
        User.objects.exclude(pk=owner.pk).order_by("pk").values_list("pk", "is_active")
    )
    assert 404 == client_for(beto).get(f"/t/{table.code}/people/").status_code
    let_in = f"`manage.py let_in --table {table.code} --member Beto` makes a link"
    assert let_in in run_command("unblock", **of)
    assert "An owner adds them on the page of the table's people" in run_command("unblock", watcher.username)
    assert 200 == client_for(beto).get(f"/t/{table.code}/people/").status_code


def test_a_blocked_owners_links_end_and_let_nobody_in(client_for, table, owner):
    _link, token = links.create_personal(table, by=owner, role=Role.OWNER)
    run_command("block", "ana")

    assert 404 == client_for().get(f"/i/{token}/").status_code


# --- another owner ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("named", ["beto-user", "--member Beto"])
def test_a_table_whose_owner_is_gone_gets_a_new_one(table, owner, named, console):
    beto = make_user("beto-user")
    confirm_as_member(beto, table.members.get(slug="beto"))
    run_command("block", "ana")
    output = run_command("make_owner", "--table", table.code, *named.split())

    assert (Role.OWNER, None) == (
        authorization.find_role(beto, table),
        Access.objects.get(user=beto).raised_by,
    )
    assert "is an owner of Mesa de los jueves now, and no other owner can remove them." in output
    assert f"make_owner: user {beto.pk}, table {table.code}" in console()
    assert "is an owner of Mesa de los jueves already." in command_error(
        "make_owner", "--table", table.code, *named.split()
    )


def test_somebody_who_never_was_at_the_table_can_be_its_owner(table, olga):
    run_command("make_owner", "olga", table=table.code)

    assert Role.OWNER == authorization.find_role(olga, table)


# --- erased -----------------------------------------------------------------------------------------------------------


def test_what_the_operator_erased_only_the_operator_brings_back(client_for, table, owner, console):
    phone = client_for(owner)
    run_command("erase", table=table.code)

    assert 404 == phone.get(f"/t/{table.code}/settings/").status_code
    assert 404 == phone.post(f"/t/{table.code}/back/").status_code
    assert "Mesa de los jueves" not in phone.get("/").content.decode()
    assert "erased" in run_command("tables")
    run_command("erase", table=table.code, undo=True)
    assert 200 == phone.get(f"/t/{table.code}/settings/").status_code
    assert "Mesa de los jueves is not erased." == command_error("erase", table=table.code, undo=True)
    assert ["erase", "erase --undo"] == re.findall(r": (erase[ \w-]*): table", console())


def test_a_table_that_its_owner_erased_the_operator_brings_back_within_seven_days(table):
    Table.objects.update(erased_at=now() - timedelta(days=6))
    run_command("erase", table=table.code, undo=True)
    assert Table.objects.get().erased_at is None

    Table.objects.update(erased_at=now() - timedelta(days=8))
    assert "was erased more than 7 days ago" in command_error("erase", table=table.code, undo=True)


def test_a_table_erased_now_is_gone_with_its_records_and_comes_back_from_its_file(
    game, table, owner, tmp_path
):
    file = tmp_path / "table.json"
    file.write_text(file_writer.write_table(table))
    run_command("erase", table=table.code, now=True)
    assert 0 == Table.objects.count()
    run_command("import_table", str(file), owner="ana")

    assert ("Mesa de los jueves", 1) == (Table.objects.get().name, Table.objects.get().games.count())


ONLY_OWNER = "ana is the only owner of Mesa de los jueves ({}): make another one with `manage.py make_owner`"


def test_an_account_erased_now_is_deleted_as_its_user_could_unless_a_table_would_have_no_owner(
    table, owner, console
):
    beto = guests.create()
    confirm_as_member(beto, table.members.get(slug="beto"))

    for options in ({}, {"now": True}):
        assert command_error("erase", user="ana", **options).startswith(ONLY_OWNER.format(table.code))
    run_command("erase", table=table.code, member="Beto", now=True)
    beto.refresh_from_db()
    assert "alguien que borró su cuenta" == users.display_name_or_deleted(beto)
    assert f"erase --now: user {beto.pk}" in console()
    assert command_error("unblock", beto.username).startswith(f"There is no user {beto.username}.")


def test_an_erased_account_is_back_within_seven_days_with_its_access(client_for, table, owner, console):
    beto = User.objects.create_user("beto-user", password=SECRET)
    confirm_as_member(beto, table.members.get(slug="beto"))
    client_for(beto)
    output = run_command("erase", user="beto-user")
    listed = run_command("tables", table.code)
    refusal = command_error("unblock", "beto-user")

    assert "For 7 days `manage.py erase --user beto-user --undo` brings it back." in output
    assert 0 == Device.objects.filter(user=beto).count()
    assert re.search(
        r"^beto-user · .* · erased, until \S+ \S+ `erase --undo` brings them back$", listed, re.M
    )
    assert "beto-user is erased: `manage.py erase --user beto-user --undo` brings them back." == refusal
    assert "beto-user is erased already." == command_error("erase", user="beto-user")
    assert users.with_username("Beto-User").exists()  # the name stays taken
    assert ["beto-user is back, and signs in again with the password.\n", True] == [
        run_command("erase", user="beto-user", undo=True),
        table.members.get(slug="beto").belongs_to(beto),
    ]
    assert "beto-user is not erased." == command_error("erase", user="beto-user", undo=True)
    assert [f"erase: user {beto.pk}", f"erase --undo: user {beto.pk}"] == re.findall(
        r": (erase[ \w-]*: user \d+)", console()
    )


def test_an_erased_account_owns_and_confirms_nothing_meanwhile(table, owner):
    beto = make_user("beto-user")
    confirm_as_member(beto, table.members.get(slug="beto"))
    operators.grant_ownership(table, beto)
    confirm_as_member(owner, table.members.get(slug="ana"))
    run_command("erase", user="ana")

    assert [table] == list(authorization.solely_owned_tables(beto))
    assert not table.members.get(slug="ana").has_phone
    assert command_error("erase", user="beto-user").startswith("beto-user is the only owner of")
    assert None is authorization.find_role(owner, table)
    assert "Ana is back" in run_command("erase", table=table.code, member="Ana", undo=True)
    assert Role.OWNER == authorization.find_role(owner, table)
    assert [] == list(authorization.solely_owned_tables(beto))


def test_an_erased_account_comes_back_whole_although_its_member_has_a_new_phone_by_then(table, owner):
    beto = confirm_as_member(make_user("beto-user"), table.members.get(slug="beto")).user
    run_command("erase", table=table.code, member="Beto")
    guest = grant_access(make_user("guest"), table, face="beto", until=now() + timedelta(hours=9))
    confirmations.confirm(guest, by=owner, member=guest.member)

    assert "Beto is back" in run_command("erase", table=table.code, member="Beto", undo=True)
    assert "beto" == table.accesses.get(user=beto).person.slug


def test_an_erased_account_is_gone_after_seven_days(table, owner):
    beto = make_user("beto-user")
    confirm_as_member(beto, table.members.get(slug="beto"))
    Member.objects.filter(slug="beto").update(account="alias.beto")
    run_command("erase", user="beto-user")
    AccountErasure.objects.update(erased_at=now() - timedelta(days=6))
    assert "0 accounts" in run_command("clean")

    AccountErasure.objects.update(erased_at=now() - timedelta(days=8))
    assert "1 account," in run_command("clean")
    beto.refresh_from_db()
    assert (True, 0, "") == (
        users.is_deleted(beto),
        AccountErasure.objects.count(),
        table.members.get(slug="beto").account,
    )


def test_an_account_that_is_restored_while_clean_runs_stays(pepe, monkeypatch):
    zoe = make_user("zoe")
    for user in (pepe, zoe):
        operators.erase_account(user)
    AccountErasure.objects.update(erased_at=now() - timedelta(days=8))
    delete = operators.delete_account

    def delete_one_and_restore_the_other(user):
        delete(user)
        run_command("erase", user="zoe", undo=True)

    monkeypatch.setattr(operators, "delete_account", delete_one_and_restore_the_other)

    assert (1, []) == operators.purge_accounts()
    zoe.refresh_from_db()
    assert (True, False) == (zoe.is_active, users.is_deleted(zoe))


def test_an_account_that_clean_deletes_before_it_is_restored_is_said_to_be_gone(pepe, monkeypatch):
    run_command("erase", user="pepe")
    restore = operators.restore_account

    def restore_too_late(user):
        AccountErasure.objects.all().delete()
        restore(user)

    monkeypatch.setattr(operators, "restore_account", restore_too_late)

    assert "The account of pepe was deleted meanwhile." == command_error("erase", user="pepe", undo=True)


def test_one_who_was_blocked_is_blocked_again_after_an_erasure_is_undone(pepe):
    operators.block(pepe)
    run_command("erase", user="pepe")

    assert "pepe is back, and still blocked.\n" == run_command("erase", user="pepe", undo=True)
    pepe.refresh_from_db()
    assert operators.is_blocked(pepe)


@pytest.mark.parametrize(("answer", "is_erased"), [("y", True), ("", False), ("n", False)])
def test_on_a_terminal_it_asks_first(pepe, monkeypatch, answer, is_erased):
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda question: answer)
    if is_erased:
        run_command("erase", user="pepe")
    else:
        assert "Nothing was erased." == command_error("erase", user="pepe")

    assert is_erased == AccountErasure.objects.exists()


# --- the list ---------------------------------------------------------------------------------------------------------


def test_the_list_has_each_table_with_owners_people_last_game_and_size(game, table):
    empty = operators.create_table_for_owner(
        {"name": "Vacía", "unit": "$", "language": "es", "timezone": "UTC"}
    )[0]
    Table.objects.filter(pk=empty.pk).update(created_at=now() - timedelta(days=100))
    rows = [line.split(" · ") for line in run_command("tables").splitlines()]

    assert [
        [table.code, "Mesa de los jueves", "ana", "4 people"],
        [empty.code, "Vacía", "no owner", "0 people"],
    ] == [row[:4] for row in rows]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", row[4]) and re.fullmatch(r"\d+ kB", row[5]) for row in rows)
    assert run_command("tables", silent_for="90d").startswith(empty.code)
    assert 1 == len(run_command("tables", silent_for="90d").splitlines())
    assert run_command("tables", biggest=True).startswith(table.code)


def test_a_code_lists_who_is_there_with_the_name_that_other_commands_take(table, owner, pepe):
    guest = guests.create()
    grant_access(guest, table, face="caro")
    confirm_as_member(owner, table.members.get(slug="ana"))
    run_command("block", "pepe")
    rows = [line.split(" · ") for line in run_command("tables", table.code).splitlines()]

    assert [
        ["ana", "Ana", "owner"],
        ["pepe", "no player", "scorer"],
        [guest.username, "says to be Caro", "witness"],
    ] == [row[:3] for row in rows]
    assert ["blocked"] == [row[4] for row in rows if len(row) > 4]


@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        ("block", "Give the name of a user, or --table and --member."),
        (
            "block nadie",
            "There is no user nadie. `manage.py tables CODE` lists the users of a table, guests too.",
        ),
        (
            "make_owner --table CODE --member Caro",
            "No phone is confirmed to be Caro's. `manage.py let_in --table CODE --member Caro` makes a link for one.",
        ),
        (
            "block --table CODE --member Zoe",
            "Nobody is called Zoe at Mesa de los jueves, but: Ana, Beto, Caro, Dani. Who says to be Zoe, unconfirmed: GUEST.",
        ),
        ("block --table nowhere --member Caro", "There is no table with the code nowhere."),
        (
            "block --table ERASED --member Caro",
            "Cerrada is erased: `manage.py erase --table ERASED --undo` brings",
        ),
        ("unblock ana", "ana is not blocked."),
        ("make_owner bea", "Give the --table, and the name of a user or of a --member."),
        ("make_owner --table CODE", "Give the name of a user, or --table and --member."),
        ("make_owner --table CODE bea", "bea is blocked: unblock them first."),
        ("erase", "Give the name of a user, or --table and --member."),
        ("tables nowhere", "There is no table with the code nowhere."),
        ("tables --silent-for long", "--silent-for is 'long', which is not allowed"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(table, command, refusal):
    operators.block(make_user("bea"))
    guest, erased = guests.create(), make_table(make_user("eva"), name="Cerrada")
    grant_access(guest, table)
    Access.objects.filter(user=guest).update(name="Zoe")
    Table.objects.filter(pk=erased.pk).update(erased_at=now())
    known = {"CODE": table.code, "GUEST": guest.username, "ERASED": erased.code}
    for name, real in known.items():
        command = command.replace(name, real)
    message = command_error(*command.split())
    for name, real in known.items():
        message = message.replace(real, name)

    assert message.startswith(refusal)
    assert "\n" not in message


def test_messages_name_the_command_by_which_this_program_is_run():
    """It is `manage.py` or, if the program is installed, `anotador-site` (games/common/program.py)."""
    folder = Path(backups.__file__).parent
    sources = {path: ast.parse(path.read_text(encoding="utf-8")) for path in folder.rglob("*.py")}
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docstrings = {
        ast.get_docstring(node, clean=False)
        for tree in sources.values()
        for node in ast.walk(tree)
        if isinstance(node, documented)
    }
    wrong = [
        f"{path.name}:{node.lineno}"
        for path, tree in sources.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and "manage.py " in str(node.value) and node.value not in docstrings
    ]

    assert ["bundle.py"] == [place.partition(":")[0] for place in wrong]  # there it is the repository's
