"""Undoing a yes: what it restores, all or nothing, who may, and what a wrongly confirmed phone keeps."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.timezone import now

from games.common.locks import ConcurrentChange
from games.common.roles import RoleRequired
from games.models import Access, Role, Table
from games.play.services import recording
from games.scoring.errors import RuleError
from games.scoring.events import Player, PlayerJoined
from games.tables.services import (
    authorization,
    confirmation_undo,
    confirmations,
    links,
    lobby,
    membership,
    pens,
)
from tests.factories import (
    confirm_as_member,
    grant_access,
    make_table,
    make_user,
    new_key,
    reload_access,
    start,
)

pytestmark = pytest.mark.django_db


def stored(*accesses):
    """Return the stored fields of these accesses that a yes may change."""
    rows = Access.objects.filter(pk__in=[access.pk for access in accesses]).order_by("pk")
    return list(rows.values("pk", *confirmation_undo.FIELDS))


def undo(yes, *, by):
    confirmation_undo.undo(yes.accesses[0].table, yes.undo_data, by=by)


# --- what it restores -------------------------------------------------------------------------------------


def test_undo_restores_the_ends_the_other_claims_the_retirement_and_the_given_name(
    enter_tonight, table, owner, members_by_slug
):
    membership.retire(members_by_slug["beto"])
    rosa, twin, raul = (
        enter_tonight("rosa", "beto"),
        enter_tonight("twin", "beto"),
        enter_tonight("raul", "caro"),
    )
    rosa.user.first_name = ""
    rosa.user.save()
    before = stored(rosa, twin, raul)
    yes = confirmations.confirm(rosa, by=owner, member=members_by_slug["beto"])
    all_of_them = confirmations.confirm_all(table, by=owner)
    assert before != stored(rosa, twin, raul)
    assert "Beto" == reload_access(rosa).user.first_name

    undo(all_of_them, by=owner)
    undo(yes, by=owner)
    assert before == stored(rosa, twin, raul)
    assert "" == reload_access(rosa).user.first_name
    assert not table.members.active().filter(slug="beto").exists()


def test_undo_of_a_new_phone_gives_the_old_one_back(new_phone, table, owner, members_by_slug):
    old, new = new_phone(Role.OWNER)
    before = stored(old, new)
    yes = confirmations.confirm(new, by=owner, member=members_by_slug["beto"])
    assert (Role.OWNER, False) == (reload_access(new).role, reload_access(old).is_current)

    undo(yes, by=owner)
    assert before == stored(old, new)


@pytest.fixture
def new_phone(table, enter_tonight, owner, members_by_slug):
    """`new_phone(role)` returns Beto's access with this role, and that of Beto's new phone."""

    def make(role):
        old = confirm_as_member(make_user("vieja"), members_by_slug["beto"])
        lobby.set_role(old, role, by=owner)
        return reload_access(old), enter_tonight("nueva", "beto")

    return make


def test_who_was_retired_is_retired_again_whatever_else_was_recorded_since(
    enter_tonight, table, owner, members_by_slug
):
    membership.retire(members_by_slug["beto"])
    yes = confirmations.confirm(enter_tonight("rosa", "beto"), by=owner, member=members_by_slug["beto"])
    membership.add(table, "Olga")
    version = Table.objects.get(pk=table.pk).version

    undo(yes, by=owner)
    assert not table.members.active().filter(slug="beto").exists()
    assert version + 1 == Table.objects.get(pk=table.pk).version


@pytest.mark.parametrize("touch", ["plays", "has another phone"])
def test_who_was_retired_and_came_back_in_another_way_since_stays(
    enter_tonight, table, owner, members_by_slug, play, touch
):
    membership.retire(members_by_slug["beto"])
    rosa = enter_tonight("rosa", "beto")
    yes = confirmations.confirm(rosa, by=owner, member=members_by_slug["beto"])
    if touch == "plays":
        play("ana", "beto")
    else:
        other = grant_access(make_user("otra"), table, face="beto")
        Access.objects.filter(pk=other.pk).update(confirmed_at=now())

    undo(yes, by=owner)
    assert table.members.active().filter(slug="beto").exists()
    assert not reload_access(rosa).is_confirmed


def test_who_was_added_is_taken_out_again(enter_tonight, table, owner):
    phone = enter_tonight("nina", new_name="Nina")
    before, version = stored(phone), Table.objects.get(pk=table.pk).version
    undo(confirmations.confirm(phone, by=owner, member=None), by=owner)

    assert not table.members.filter(name="Nina").exists()
    assert before == stored(phone)
    assert version + 2 == Table.objects.get(pk=table.pk).version  # added, and taken out


@pytest.mark.parametrize("since", ["plays", "played in a deleted game", "joined a game, undone"])
def test_who_was_added_stays_if_anything_was_recorded_since(enter_tonight, table, owner, play, write, since):
    """Records keep naming a player in what was undone or deleted: that must still be read."""
    game, phone = start(table, owner, late_entry="on"), enter_tonight("nora", new_name="Nora")
    yes = confirmations.confirm(phone, by=owner, member=None)
    if since == "joined a game, undone":
        write(game, PlayerJoined(Player("nora", "Nora"), after="ana"))
        recording.undo(game, after=len(game.log()), key=new_key(), by=owner)
    else:
        played = play("ana", "nora")
        if since == "played in a deleted game":
            recording.discard_game(played, by=owner)
    undo(yes, by=owner)
    access = reload_access(phone)

    assert ("Nora", "", False) == (access.member and access.member.name, access.name, access.is_confirmed)


# --- who may, and until when ------------------------------------------------------------------------------


def test_if_one_phone_has_changed_since_nothing_is_undone(enter_tonight, table, owner):
    rosa, raul = enter_tonight("rosa", "beto"), enter_tonight("raul", "caro")
    yes = confirmations.confirm_all(table, by=owner)
    lobby.revoke(reload_access(rosa), by=owner)
    before = stored(rosa, raul)

    with pytest.raises(ConcurrentChange):
        undo(yes, by=owner)
    assert before == stored(rosa, raul)


def test_a_yes_is_undone_within_a_quarter_of_an_hour(enter_tonight, owner, members_by_slug, time_machine):
    time_machine.move_to(now(), tick=False)
    rosa = enter_tonight("rosa", "beto")
    yes = confirmations.confirm(rosa, by=owner, member=members_by_slug["beto"])
    time_machine.shift(timedelta(minutes=15, seconds=1))

    with pytest.raises(RuleError, match="too late"):
        undo(yes, by=owner)
    assert reload_access(rosa).is_confirmed
    time_machine.shift(timedelta(seconds=-1))
    undo(yes, by=owner)
    assert not reload_access(rosa).is_confirmed


def test_a_yes_at_one_table_is_not_undone_at_another(enter_tonight, table, owner, members_by_slug):
    rosa = enter_tonight("rosa", "beto")
    yes = confirmations.confirm(rosa, by=owner, member=members_by_slug["beto"])

    with pytest.raises(ConcurrentChange):
        confirmation_undo.undo(make_table(owner), {**yes.undo_data, "accesses": {}}, by=owner)
    assert reload_access(rosa).is_confirmed


def test_every_answer_and_its_undo_raise_the_revision(enter_tonight, table, owner, members_by_slug, subtests):
    """Phones that show the lobby see it change by that number."""
    beto, rosa, raul = members_by_slug["beto"], enter_tonight("rosa", "beto"), enter_tonight("raul", "caro")
    yes = []
    for name, answer in {
        "a yes": lambda: yes.append(confirmations.confirm(rosa, by=owner, member=beto)),
        "its undo": lambda: undo(yes[0], by=owner),
        "a no": lambda: confirmations.remove_identity(rosa, by=owner),
        "its undo, too": lambda: confirmations.undo_denial(rosa, by=owner),
        "a yes to all": lambda: confirmations.confirm_all(table, by=owner),
        "who is not who they said": lambda: confirmations.remove_identity(raul, by=owner),
        "a claim": lambda: enter_tonight("nora", "caro"),
        "a no to all": lambda: confirmations.deny_all(table, by=owner),
    }.items():
        before = Table.objects.get(pk=table.pk).revision
        answer()
        with subtests.test(name):
            assert before < Table.objects.get(pk=table.pk).revision


@pytest.fixture
def root(table, owner):
    """A second owner, whom the founder made one."""
    root = confirm_as_member(make_user("root"), membership.add(table, "Root"))
    return lobby.set_role(root, Role.OWNER, by=owner)


def test_who_records_no_longer_by_that_role_brings_no_owner_back(
    new_phone, table, owner, members_by_slug, root
):
    """Root confirmed Beto's new phone. Then the founder demoted Root."""
    old, new = new_phone(Role.OWNER)
    Access.objects.filter(pk=old.pk).update(raised_by=root.user)
    yes = confirmations.confirm(new, by=root.user, member=members_by_slug["beto"])
    lobby.set_role(reload_access(root), Role.SCORER, by=owner)

    with pytest.raises(RuleError, match="Beto has a phone here"):
        undo(yes, by=root.user)
    lobby.set_role(reload_access(root), Role.WITNESS, by=owner)
    with pytest.raises(RoleRequired):
        undo(yes, by=root.user)
    assert not reload_access(old).is_current


def test_who_records_only_tonight_undoes_no_yes_for_good(enter_tonight, owner, members_by_slug):
    rosa, sonia = enter_tonight("rosa", "beto"), enter_tonight("sonia", "caro")
    lobby.set_role(sonia, Role.SCORER, by=owner)
    Access.objects.filter(pk=sonia.pk).update(until=now() + timedelta(hours=3))
    yes = confirmations.confirm(rosa, by=owner, member=members_by_slug["beto"])

    with pytest.raises(RuleError, match="only for tonight"):
        undo(yes, by=sonia.user)
    assert reload_access(rosa).is_confirmed


def test_who_was_taken_out_since_does_not_come_back_by_their_old_phone(
    new_phone, table, owner, members_by_slug, root
):
    old, new = new_phone(Role.OWNER)
    Access.objects.filter(pk=old.pk).update(raised_by=root.user)
    yes = confirmations.confirm(new, by=root.user, member=members_by_slug["beto"])
    Access.objects.filter(pk=new.pk).update(raised_by=owner)
    lobby.revoke(reload_access(new), by=owner)

    with pytest.raises(ConcurrentChange):
        undo(yes, by=root.user)
    assert authorization.find_role(old.user, table) is None


# --- what a wrongly confirmed phone keeps ------------------------------------------------------------------


def test_the_links_the_pen_and_the_owners_that_it_made_are_not_its_own_any_more(
    new_phone, table, owner, members_by_slug
):
    old, new = new_phone(Role.OWNER)
    friend = confirm_as_member(make_user("amiga"), members_by_slug["caro"])
    _earlier, kept = links.create_personal(table, by=owner, role=Role.WITNESS)
    yes = confirmations.confirm(new, by=owner, member=members_by_slug["beto"])
    _link, token = links.create_personal(table, by=new.user, role=Role.OWNER)
    lobby.set_role(friend, Role.OWNER, by=new.user)
    undo(yes, by=owner)

    assert (None, True) == (links.find(token, None), links.find(kept, None) is not None)
    lobby.revoke(reload_access(friend), by=owner)
    assert [owner, old.user] == [access.user for access in table.accesses.owners()]


def test_a_link_of_who_claimed_the_same_stays(enter_tonight, table, owner, members_by_slug):
    rosa, twin = enter_tonight("rosa", "beto"), enter_tonight("twin", "beto")
    Access.objects.filter(pk=twin.pk).update(role=Role.OWNER)
    yes = confirmations.confirm(rosa, by=owner, member=members_by_slug["beto"])
    _link, token = links.create_personal(table, by=twin.user, role=Role.WITNESS)
    undo(yes, by=owner)

    assert links.find(token, None) is not None


@pytest.mark.parametrize("answer", ["beside again", "confirmed anew"])
def test_owners_whom_it_made_before_stay_theirs(table, owner, members_by_slug, root, answer):
    """The founder, who only watches now, made both Root and Caro owners. Root may not touch Caro."""
    caro = confirm_as_member(make_user("caro"), members_by_slug["caro"])
    lobby.set_role(caro, Role.OWNER, by=owner)
    founder = confirm_as_member(owner, members_by_slug["ana"])
    lobby.set_role(founder, Role.WITNESS, by=owner)
    if answer == "confirmed anew":
        confirmations.remove_identity(reload_access(founder), by=root.user)
        confirmations.undo_denial(reload_access(founder), by=root.user)
    answered = [reload_access(founder)]
    yes = confirmations.confirm_phones(answered, by=root.user, member=members_by_slug["ana"])
    confirmation_undo.undo(table, yes.undo_data, by=root.user)

    assert owner == reload_access(caro).raised_by
    with pytest.raises(RuleError):
        lobby.revoke(reload_access(caro), by=root.user)


def test_a_second_yes_to_a_phone_changes_nothing(enter_tonight, owner, members_by_slug):
    """The second request of a double tap; what undoes the first one stays."""
    phone = enter_tonight("rosa", "beto")
    yes = confirmations.confirm(phone, by=owner, member=members_by_slug["beto"])
    before = stored(phone)
    again = confirmations.confirm(phone, by=owner, member=members_by_slug["beto"])

    assert ((), before) == (tuple(again.accesses), stored(phone))
    undo(yes, by=owner)
    assert not reload_access(phone).is_confirmed


def test_it_loses_the_pen_that_it_got(table, enter_tonight, owner, members_by_slug):
    rosa = enter_tonight("rosa", "beto")
    yes = confirmations.confirm(rosa, by=owner, member=members_by_slug["beto"])
    pens.store_pen(reload_access(rosa))
    undo(yes, by=owner)

    assert not table.pens.valid().exists()
    confirmations.confirm(reload_access(rosa), by=owner, member=members_by_slug["beto"])
    assert not table.pens.valid().exists()


def test_a_link_that_a_yes_revoked_stays_revoked(new_phone, table, owner, members_by_slug):
    old, new = new_phone(Role.OWNER)
    _link, token = links.create_personal(table, by=old.user, role=Role.SCORER)
    undo(confirmations.confirm(new, by=owner, member=members_by_slug["beto"]), by=owner)

    assert links.find(token, None) is None


def test_a_yes_touches_and_remembers_only_its_own_phones(enter_tonight, table, owner, members_by_slug):
    for number in range(5):
        grant_access(make_user(f"v{number}"), table)
    rosa = enter_tonight("rosa", "beto")
    yes = confirmations.confirm(rosa, by=owner, member=members_by_slug["beto"])

    assert [str(rosa.pk)] == list(yes.undo_data["accesses"])
