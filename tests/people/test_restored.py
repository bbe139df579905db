"""A restored backup: everything is restored except access, accounts and tables ended after the backup."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import timedelta
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.db import connection, connections
from django.utils.timezone import localdate, now

from games import tombstones
from games.desk import acts
from games.management.copies import copy_database
from games.management.marker import mark
from games.models import Device, Game, Invite, Member, Record, Removal, Role, Table
from games.money.holders import set_account
from games.people.access import role_at
from games.people.claims import claim, end_claim
from games.people.deletion import OwnsAlone, delete_account
from games.people.devices import sign_out_on
from games.people.erasing import GoneForGood, bring_back, erase
from games.people.guests import bring_along, make_guest
from games.people.invitations import LASTS, accept_invite, find_invite, make_invite, make_new_phone
from games.people.leaving import leave
from games.people.owners import first_owner, hand_over
from games.people.removals import put_out, revoke_invite, undo_removal
from games.people.tokens import LIVES, find_token, make_token, revoke_token
from games.people.users import is_deleted
from games.play.recording import record
from tests.commands import output_of
from tests.databases import At
from tests.tables import a_key, a_round, make_table, make_user, start

pytestmark = pytest.mark.django_db
HELD = {Record: "game__table", Game: "table", Member: "table"}
WHY = "somebody says that the name insults them"
OF_A_PERSON = {"user_id", "claimed_at", "account", "account_salt"}  # fields of a member

_numbers = count(1)


# --- sites ------------------------------------------------------------------------------------------------------------


@contextmanager
def new_database(folder: Path, *, template: str = "template1") -> Iterator[None]:
    """Use an empty database: a file in this folder or, on PostgreSQL, a new one of the same server."""
    if connection.vendor == "sqlite":
        with At(folder / "db.sqlite3"):
            yield
        return
    if not shutil.which("pg_restore"):
        pytest.skip("PostgreSQL's client programs are missing")
    server, name = connections["default"], f"{connection.settings_dict['NAME']}_{next(_numbers)}"
    beside = server.copy()  # outside the transaction of the test
    with beside.cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {name}")
        cursor.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    connections["default"] = type(server)({**server.settings_dict, "NAME": name}, "default")
    try:
        yield
    finally:
        connections["default"].close()
        connections["default"] = server
        with beside.cursor() as cursor:
            cursor.execute(f"DROP DATABASE {name}")
        beside.close()


@pytest.fixture
def site(db, settings, tmp_path):
    """A site of its own, with the tables of the program and no row in them."""
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir(mode=0o700)
    if connection.vendor == "sqlite":
        copy_database(Path(connection.settings_dict["NAME"]), settings.DATA_DIR / "db.sqlite3")
    with new_database(
        settings.DATA_DIR, template="template1" if connection.vendor == "sqlite" else migrated()
    ):
        mark()
        yield settings.DATA_DIR


@cache
def migrated() -> str:
    """Return the name of a migrated database on the same PostgreSQL, which is made once."""
    server, name = connections["default"], f"{connection.settings_dict['NAME']}_migrated"
    with closing(server.copy()) as beside, beside.cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {name}")
        cursor.execute(f"CREATE DATABASE {name}")
    connections["default"] = type(server)({**server.settings_dict, "NAME": name}, "default")
    call_command("migrate", verbosity=0)
    connections["default"].close()
    connections["default"] = server
    return name


@pytest.fixture
def elsewhere(site, settings, tmp_path):
    """`with elsewhere(backup) as printed` restores the backup on another machine, with nothing of this one."""

    @contextmanager
    def restore(backup: Path) -> Iterator[str]:
        here = settings.DATA_DIR
        settings.DATA_DIR = tmp_path / f"new-{next(_numbers)}"
        settings.DATA_DIR.mkdir(mode=0o700)
        with new_database(settings.DATA_DIR):
            yield output_of("restore", str(backup))
        settings.DATA_DIR = here

    return restore


@pytest.fixture
def back_up(site, tmp_path) -> Callable[[], Path]:
    """`back_up()` makes a backup on another disk and returns its path."""

    def make() -> Path:
        output_of("backup", "--to", str(tmp_path / "disk"))
        return Path(max((tmp_path / "disk").glob("backup-*")))

    return make


def registered(name: str) -> User:
    user = make_user(name)
    user.set_password("tres lobas negras")
    user.save()
    return user


def come(table: Table, user: User, role: Role, *, by: User, invite: Invite | None = None) -> User:
    accept_invite(invite or make_invite(table, role, lasts=LASTS["week"], by=by)[0], user)
    return user


def remove(table: Table, user: User, *, by: User) -> Removal:
    return put_out(table.grants.get(user=user), by=by)


def roles(table: Table, *users: User) -> list[Role | None]:
    return [role_at(User.objects.get(pk=user.pk), table) for user in users]


def rows_of(table: Table) -> list[list[dict[str, object]]]:
    """Return the records, games and members of a table, without who the members are."""
    return [
        [
            {name: value for name, value in row.items() if name not in OF_A_PERSON}
            for row in kind._base_manager.filter(**{way: table}).order_by("pk").values()
        ]
        for kind, way in HELD.items()
    ]


def adds_up() -> bool:
    return "Everything adds up." in output_of("check_books")


def signed_in(user: User) -> str:
    """Sign the user in on a device, and return the key of the session."""
    session = SessionStore()
    session.create()
    key = str(session.session_key)
    Device.objects.create(user=user, session_key=key, seen_on=localdate())
    return key


def owners_of(table: Table) -> list[str]:
    return [grant.user.username for grant in table.grants.owning().select_related("user")]


# --- access -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def ana(site):
    return registered("ana")


@pytest.fixture
def operator(site):
    """An operator of the site, who has no table."""
    user = registered("olga")
    user.is_staff = True
    user.save()
    return user


@pytest.fixture
def thursdays(ana):
    """Ana's table with a game and a round of five people."""
    table = make_table(ana, people=("Ana", "Beto", "Caro", "Dani", "Eva"))
    game = start(table, ana)
    a_night = a_round("ana", beto=20, caro=30, dani=5, eva=6)
    record(game, a_night, after=1, key=a_key(), by=ana)
    return table


def test_restoring_an_older_backup_keeps_all_later_endings_and_erasures(ana, thursdays, back_up, elsewhere):
    club, beach = make_table(ana, name="El club"), make_table(ana, name="La playa")
    beto, caro, dani, eva = (
        come(thursdays, registered(name), Role.SCORER, by=ana) for name in ("beto", "caro", "dani", "eva")
    )
    for user in (beto, eva):
        member = thursdays.members.get(slug=user.username)
        set_account(claim(member, user, is_agreed=True), f"alias.de.{user.username}")
    waiting, waiting_link = make_invite(thursdays, Role.SCORER, lasts=LASTS["week"], by=ana)
    watching, watching_link = make_invite(thursdays, Role.WITNESS, lasts=LASTS["week"], by=ana)
    _kept, kept_link = make_invite(thursdays, Role.SCORER, lasts=LASTS["week"], by=ana)
    token, secret = make_token(ana, "Planilla", Role.SCORER, lasts=LIVES["year"])
    _other, kept_secret = make_token(ana, "Tele", Role.WITNESS, lasts=LIVES["year"])
    lost, kept_session = signed_in(ana), signed_in(ana)
    rows = rows_of(thursdays)
    backup = back_up()

    erase(club, name="El club", by=ana)
    erase(beach, name="La playa", by=ana)
    bring_back(beach, by=ana)
    delete_account(beto)
    remove(thursdays, caro, by=ana)
    undo_removal(remove(thursdays, dani, by=ana), by=ana)
    fito = come(thursdays, registered("fito"), Role.SCORER, by=ana, invite=waiting)
    remove(thursdays, fito, by=ana)
    revoke_invite(watching, by=ana)
    revoke_token(token)
    sign_out_on(Device.objects.get(session_key=lost))
    end_claim(thursdays.members.get(slug="eva"), of=eva.pk)
    assert adds_up()

    with elsewhere(backup) as printed:
        assert (
            ": 1 erased tables, 1 deleted accounts, 3 removals, 1 ended claims, 1 revoked tokens, 1 ended sessions."
            in printed
        )
        assert [None, "alias.de.eva"] == [
            thursdays.members.get(slug=slug).account or None for slug in ("beto", "eva")
        ]
        assert is_deleted(User.objects.get(pk=beto.pk))
        assert not User.objects.filter(username="beto").exists()
        assert [None, None, Role.SCORER, Role.SCORER] == roles(thursdays, beto, caro, dani, eva)
        assert [None, None] == [thursdays.members.get(slug=slug).user for slug in ("beto", "eva")]
        assert [False, False, True] == [
            bool(find_invite(link, None)) for link in (waiting_link, watching_link, kept_link)
        ]
        assert [False, True] == [bool(find_token(one)) for one in (secret, kept_secret)]
        assert [False, True] == [SessionStore().exists(key) for key in (lost, kept_session)]
        assert ["La playa", "Mesa de los jueves"] == sorted(
            Table.objects.filter(erased_at=None).values_list("name", flat=True)
        )
        assert rows == rows_of(thursdays)
        assert adds_up()

        bring_back(club, by=ana)  # within seven days an owner still can
        assert [Role.OWNER] == roles(club, ana)
        assert adds_up()


def test_a_backup_of_a_restored_site_does_not_repeat_old_removals(ana, thursdays, back_up, elsewhere):
    caro = come(thursdays, registered("caro"), Role.SCORER, by=ana)
    backup = back_up()
    remove(thursdays, caro, by=ana)

    with elsewhere(backup) as printed:
        assert ": 1 removals." in printed
        come(thursdays, caro, Role.SCORER, by=ana)  # Ana lets Caro in again
        later = back_up()
        with elsewhere(later) as printed_then:
            assert "nothing had come back" in printed_then
            assert [Role.SCORER] == roles(thursdays, caro)
            assert adds_up()


def test_restoring_a_copy_made_before_a_migration_applies_the_sites_tombstones(ana, thursdays, settings):
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL is not copied before a migration")
    call_command("migrate", "sessions", "zero", verbosity=0)
    (copy,) = (settings.DATA_DIR / "copies").iterdir()
    call_command("migrate", verbosity=0)
    erase(thursdays, name=thursdays.name, by=ana)

    assert ": 1 erased tables." in output_of("restore", str(copy), "--overwrite")
    assert Table.objects.get().erased_at


# --- erased tables ----------------------------------------------------------------------------------------------------


def test_a_table_erased_over_seven_days_ago_is_not_restored(ana, thursdays, back_up, elsewhere, time_machine):
    make_table(ana, name="El club")
    backup = back_up()
    time_machine.move_to(now() - timedelta(days=8), tick=True)
    erase(thursdays, name=thursdays.name, by=ana)
    time_machine.move_to(now() + timedelta(days=8), tick=True)

    with elsewhere(backup):
        assert ["El club"] == [table.name for table in Table.objects.all()]
        assert [[], [], []] == rows_of(thursdays)
        assert adds_up()


def test_a_table_erased_before_the_backup_and_restored_after_it_is_accessible(
    ana, thursdays, back_up, elsewhere
):
    erase(thursdays, name=thursdays.name, by=ana)
    backup = back_up()
    bring_back(thursdays, by=ana)

    with elsewhere(backup) as printed:
        assert ": 1 tables brought back." in printed
        assert [Role.OWNER] == roles(thursdays, ana)


def test_after_a_restore_an_owner_still_cannot_restore_a_table_erased_by_an_operator(
    ana, thursdays, operator, back_up, elsewhere
):
    """Restore a backup from before the erasure and one in which an owner had erased the table."""
    open_table = back_up()
    erase(thursdays, name=thursdays.name, by=ana)
    erased = back_up()
    bring_back(thursdays, by=ana)
    acts.erase_table(thursdays, by=operator, reason=WHY)

    for backup in (open_table, erased):
        with elsewhere(backup):
            with pytest.raises(GoneForGood):
                bring_back(thursdays, by=ana)
            acts.bring_table_back(thursdays, by=operator, reason="a mistake")
            assert [Role.OWNER] == roles(thursdays, ana)


def test_after_a_restore_a_table_given_back_by_an_operator_belongs_to_its_owner(
    ana, thursdays, operator, back_up, elsewhere
):
    acts.erase_table(thursdays, by=operator, reason=WHY)
    backup = back_up()
    acts.bring_table_back(thursdays, by=operator, reason="a mistake")

    with elsewhere(backup):
        erase(thursdays, name=thursdays.name, by=ana)
        assert bring_back(thursdays, by=ana).erased_at is None


def test_a_tombstone_does_not_erase_another_table_that_got_the_same_id(ana, thursdays, back_up, elsewhere):
    empty = back_up()
    club = make_table(ana, name="El club")
    erase(club, name="El club", by=ana)

    with elsewhere(empty):
        again = make_table(ana, name="Otra mesa")
        if connection.vendor == "sqlite":
            assert club.pk == again.pk
        later = back_up()
        with elsewhere(later) as printed:
            assert "nothing had come back" in printed
            assert [Role.OWNER] == roles(again, ana)


# --- people -----------------------------------------------------------------------------------------------------------


def test_a_table_handed_over_after_the_backup_has_the_new_owner_after_the_restore(
    ana, thursdays, back_up, elsewhere
):
    nora, olga = (come(thursdays, registered(name), Role.SCORER, by=ana) for name in ("nora", "olga"))
    backup = back_up()
    come(thursdays, nora, Role.OWNER, by=ana)
    come(thursdays, olga, Role.OWNER, by=ana)
    hand_over(thursdays.grants.get(user=nora), by=ana)
    delete_account(ana)
    remove(thursdays, olga, by=nora)

    with elsewhere(backup) as printed:
        assert "no owner" not in printed
        assert ["nora"] == owners_of(thursdays)
        assert [None] == roles(thursdays, olga)
        assert adds_up()


def test_a_table_whose_new_owner_is_missing_from_the_backup_is_reported(ana, thursdays, back_up, elsewhere):
    backup = back_up()
    nora = come(thursdays, registered("nora"), Role.OWNER, by=ana)
    hand_over(thursdays.grants.get(user=nora), by=ana)
    remove(thursdays, ana, by=nora)

    with elsewhere(backup) as printed:
        assert f"The table {thursdays.code} has no owner now" in printed
        assert [None] == roles(thursdays, ana)
        removal = Removal.objects.get()
        assert (False, False) == (removal.made_by.is_active, removal.made_by.has_usable_password())
        assert first_owner(thursdays) is None
        assert adds_up()


def test_a_guest_who_became_a_deleted_user_is_deleted_too(ana, thursdays, back_up, elsewhere):
    guest = come(thursdays, make_guest(), Role.SCORER, by=ana)
    member = claim(thursdays.members.get(slug="beto"), guest, is_agreed=True)
    set_account(member, "alias.de.beto")
    backup = back_up()
    beto = registered("beto")
    bring_along(guest, beto)
    delete_account(beto)

    with elsewhere(backup) as printed:
        assert ": 1 deleted accounts." in printed
        assert [None] == roles(thursdays, guest)
        assert "" == thursdays.members.get(slug="beto").account
        assert adds_up()


def test_a_guest_who_became_a_removed_user_afterwards_keeps_access(ana, thursdays, back_up, elsewhere):
    guest, beto = come(thursdays, make_guest(), Role.SCORER, by=ana), registered("beto")
    come(thursdays, beto, Role.WITNESS, by=ana)
    backup = back_up()
    remove(thursdays, beto, by=ana)
    bring_along(guest, beto)

    with elsewhere(backup):
        assert [Role.SCORER, None] == roles(thursdays, guest, beto)


def test_payment_details_saved_after_an_accounts_deletion_are_kept(ana, thursdays, back_up, elsewhere):
    beto = come(thursdays, registered("beto"), Role.SCORER, by=ana)
    set_account(claim(thursdays.members.get(slug="beto"), beto, is_agreed=True), "alias.de.beto")
    back_up()
    delete_account(beto)
    set_account(thursdays.members.get(slug="beto"), "alias.de.la.mesa")

    with elsewhere(back_up()) as printed:
        assert "nothing had come back" in printed
        assert "alias.de.la.mesa" == thursdays.members.get(slug="beto").account


def test_a_removal_made_before_the_backup_and_undone_after_it_is_undone(ana, thursdays, back_up, elsewhere):
    caro = come(thursdays, registered("caro"), Role.SCORER, by=ana)
    removal = remove(thursdays, caro, by=ana)
    backup = back_up()
    undo_removal(removal, by=ana)

    with elsewhere(backup) as printed:
        assert ": 1 undone removals." in printed
        assert [Role.SCORER] == roles(thursdays, caro)
        assert adds_up()


def test_a_removal_applied_by_the_restore_can_be_undone_by_the_person_who_made_it(
    ana, thursdays, back_up, elsewhere
):
    caro = come(thursdays, registered("caro"), Role.OWNER, by=ana)
    _invite, link = make_invite(thursdays, Role.SCORER, lasts=LASTS["week"], by=caro)
    backup = back_up()
    remove(thursdays, caro, by=ana)

    with elsewhere(backup):
        assert not find_invite(link, None)
        undo_removal(Removal.objects.get(), by=ana)
        assert [Role.OWNER] == roles(thursdays, caro)
        assert find_invite(link, None)
        assert adds_up()


def test_a_person_who_left_stays_without_access_and_their_invitation_works_for_others(
    ana, thursdays, back_up, elsewhere
):
    invite, link = make_invite(thursdays, Role.WITNESS, lasts=LASTS["week"], by=ana)
    eva = come(thursdays, registered("eva"), Role.WITNESS, by=ana, invite=invite)
    claim(thursdays.members.get(slug="eva"), eva, is_agreed=True)
    backup = back_up()
    leave(thursdays, by=eva)

    with elsewhere(backup):
        assert [None] == roles(thursdays, eva)
        assert thursdays.members.get(slug="eva").user is None
        assert find_invite(link, None)
        assert adds_up()


def test_a_replaced_phone_stays_without_access(ana, thursdays, back_up, elsewhere):
    lost = come(thursdays, make_guest(), Role.SCORER, by=ana)
    claim(thursdays.members.get(slug="beto"), lost, is_agreed=True)
    _first, first_link = make_new_phone(thursdays.members.get(slug="beto"), by=ana)
    backup = back_up()
    invite, _link = make_new_phone(thursdays.members.get(slug="beto"), by=ana)
    accept_invite(invite, make_guest())

    with elsewhere(backup) as printed:
        assert ": 1 removals, 1 revoked invitations." in printed
        assert [None] == roles(thursdays, lost)
        assert not find_invite(first_link, None)
        assert adds_up()


# --- acts of operators ------------------------------------------------------------------------------------------------


def test_suspensions_made_after_the_backup_are_applied_until_an_operator_ends_them(
    ana, thursdays, operator, back_up, elsewhere
):
    beto, caro, club = registered("beto"), registered("caro"), make_table(ana, name="El club")
    backup = back_up()
    acts.suspend_user(beto, by=operator, reason=WHY)
    acts.suspend_table(thursdays, by=operator, reason=WHY)
    acts.suspend_user(caro, by=operator, reason=WHY)
    acts.release_user(caro, by=operator, reason="a mistake")
    acts.suspend_table(club, by=operator, reason=WHY)
    acts.release_table(club, by=operator, reason="a mistake")

    with elsewhere(backup) as printed:
        assert ": 2 suspensions." in printed
        assert [False, True] == [User.objects.get(pk=user.pk).is_active for user in (beto, caro)]
        assert [False, True] == [
            Table.objects.get(pk=table.pk).suspended_at is None for table in (thursdays, club)
        ]
        acts.release_user(beto, by=operator, reason="a mistake")
        acts.release_table(thursdays, by=operator, reason="a mistake")


def test_suspensions_in_the_backup_that_were_ended_after_it_are_ended(
    ana, thursdays, operator, back_up, elsewhere
):
    beto = registered("beto")
    acts.suspend_user(beto, by=operator, reason=WHY)
    acts.suspend_table(thursdays, by=operator, reason=WHY)
    backup = back_up()
    acts.release_user(beto, by=operator, reason="a mistake")
    acts.release_table(thursdays, by=operator, reason="a mistake")

    with elsewhere(backup) as printed:
        assert ": 2 ended suspensions." in printed
        assert User.objects.get(pk=beto.pk).is_active
        assert Table.objects.get(pk=thursdays.pk).suspended_at is None


def test_a_suspended_user_who_was_deleted_after_the_backup_is_deleted(operator, back_up, elsewhere):
    beto = registered("beto")
    backup = back_up()
    acts.suspend_user(beto, by=operator, reason=WHY)
    acts.delete_user(beto, by=operator, reason="as they asked")

    with elsewhere(backup):
        gone = User.objects.get(pk=beto.pk)
        assert is_deleted(gone)
        with pytest.raises(acts.Outdated):
            acts.release_user(gone, by=operator, reason="a mistake")


def test_a_dismissed_operator_stays_dismissed_unless_appointed_again(operator, back_up, elsewhere):
    otto = registered("otto")
    for name in ("olga", "otto"):
        output_of("operator", name)
    backup = back_up()
    for name in ("olga", "otto"):
        output_of("operator", name, "--end")
    output_of("operator", "otto")

    with elsewhere(backup) as printed:
        assert ": 1 dismissed operators." in printed
        assert [False, True] == [User.objects.get(pk=user.pk).is_staff for user in (operator, otto)]


# --- tombstones -------------------------------------------------------------------------------------------------------


def test_tombstones_hold_no_names_payment_details_or_secrets(ana, thursdays, back_up, tmp_path, site):
    beto = come(thursdays, registered("beto"), Role.SCORER, by=ana)
    set_account(claim(thursdays.members.get(slug="beto"), beto, is_agreed=True), "alias.de.beto")
    token, secret = make_token(ana, "Planilla", Role.SCORER, lasts=LIVES["year"])
    back_up()
    revoke_token(token)
    delete_account(beto)
    erase(thursdays, name=thursdays.name, by=ana)
    files = [site / tombstones.NAME, tmp_path / "disk" / tombstones.NAME]
    text = files[0].read_text()

    assert [3, 3] == [len(tombstones.lines_of([file])) for file in files]
    assert {0o600} == {file.stat().st_mode & 0o777 for file in files}
    assert [] == [
        word
        for word in ("beto", "alias", "Planilla", "jueves", secret, token.token_hash, thursdays.code)
        if word in text
    ]


def test_an_act_that_is_rolled_back_leaves_no_tombstone(ana, thursdays, back_up, site):
    back_up()
    with pytest.raises(OwnsAlone):
        delete_account(ana)  # the only owner

    assert [] == tombstones.lines_of([site / tombstones.NAME])


def test_tombstones_missing_on_an_unavailable_disk_are_completed_by_the_next_backup(
    ana, thursdays, back_up, tmp_path, caplog, elsewhere
):
    backup = back_up()
    disk = tmp_path / "disk"
    disk.rename(tmp_path / "away")
    erase(thursdays, name=thursdays.name, by=ana)

    assert Table.objects.get().erased_at
    assert f"{disk}/tombstones.jsonl could not be written" in caplog.text
    (tmp_path / "away").rename(disk)
    assert 1 == len(tombstones.missing_in(disk))
    back_up()
    assert 0 == len(tombstones.missing_in(disk))
    with elsewhere(backup) as printed:
        assert ": 1 erased tables." in printed


def test_a_truncated_tombstone_is_reported_and_the_others_are_applied(
    ana, thursdays, back_up, tmp_path, elsewhere
):
    backup = back_up()
    with (tmp_path / "disk" / tombstones.NAME).open("a") as torn:
        torn.write('\n{"act": "erased", "at": "2026-')
    erase(thursdays, name=thursdays.name, by=ana)

    with elsewhere(backup) as printed:
        assert 'cannot be read, and was not applied: {"act": "erased", "at": "2026-\n' in printed
        assert ": 1 erased tables." in printed


def test_concurrently_written_tombstones_do_not_mix_their_lines(site):
    lines = [f"{number:04}-{'x' * 600}" for number in range(400)]
    with ThreadPoolExecutor(8) as pool:  # each write opens the file anew, as another process does
        list(pool.map(lambda line: tombstones.adopt([line]), lines))

    assert lines == sorted(tombstones.lines_of([site / tombstones.NAME]))


def test_the_tombstones_of_several_servers_are_read(ana, thursdays, back_up, tmp_path, site, elsewhere):
    backup = back_up()
    erase(thursdays, name=thursdays.name, by=ana)
    disk = tmp_path / "disk"
    (disk / tombstones.NAME).rename(disk / "tombstones-second.jsonl")

    with elsewhere(backup) as printed:
        assert f"Applied again from {disk}/tombstones-second.jsonl" in printed


def test_a_restore_without_tombstones_warns_that_there_are_none(ana, thursdays, back_up, tmp_path, elsewhere):
    backup = back_up()
    alone = tmp_path / "copied" / backup.name
    shutil.copytree(backup, alone)

    with elsewhere(alone) as printed:
        assert f"There is no list tombstones.jsonl beside {alone}" in printed
