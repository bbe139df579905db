"""The pen: who may ask for it, whose answer gives it and when, what ends it, and attacks on it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.timezone import now

from games.common.locks import ConcurrentChange
from games.common.roles import RoleRequired
from games.models import Access, Pen, PenRequest, Role, Table
from games.scoring.errors import RuleError
from games.tables.services import (
    authorization,
    confirmations,
    links,
    lobby,
    membership,
    operators,
    pens,
    roster,
    takeovers,
    tokens,
)
from games.tables.services.authorization import AccessEnded, Visitor
from tests.factories import confirm_as_member, grant_access, make_user, move_all_tables, start
from tests.tables.conftest import EVENING

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("evening")]


def add_phone(user, member):
    """Return a second user, confirmed for good to be the same member as `user`."""
    second = confirm_as_member(make_user(f"{user.username}-2"), member).user
    Access.objects.filter(user=user).update(confirmed_at=now())
    return second


def holder(table):
    """Return the user who has the table's pen, or None."""
    pen = table.pens.valid().first()
    return None if pen is None else pen.user


def question(table):
    state = pens.PenState.load(table)
    return None if state.request is None else state.request.pk


def ask(table, user):
    pens.ask(table, by=user)
    number = question(table)
    assert number is not None
    return number


# --- who decides ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_yes", [True, False])
def test_one_answer_of_who_records_decides(table, users, is_yes):
    pens.answer(table, ask(table, users["caro"]), is_yes=is_yes, by=users["ana"])

    assert (users["caro"] if is_yes else None, None) == (holder(table), question(table))


def test_the_pen_lasts_until_the_night_ends_and_at_least_two_hours(table, users, time_machine):
    pens.answer(table, ask(table, users["caro"]), is_yes=True, by=users["ana"])
    assert EVENING.replace(day=26, hour=6) == Pen.objects.get().until

    time_machine.move_to(EVENING.replace(day=26, hour=5), tick=False)
    pens.take_back(table, by=users["caro"])
    pens.answer(table, ask(table, users["caro"]), is_yes=True, by=users["ana"])
    assert EVENING.replace(day=26, hour=7) == Pen.objects.valid().get().until
    time_machine.move_to(EVENING.replace(day=26, hour=7), tick=False)
    assert holder(table) is None


def test_from_two_minutes_on_another_member_gives_it_too(table, users, time_machine):
    number = ask(table, users["caro"])
    time_machine.shift(119)
    with pytest.raises(RuleError, match="counts from 22:02 on"):
        pens.answer(table, number, is_yes=True, by=users["dani"])
    time_machine.shift(1)
    pens.answer(table, number, is_yes=True, by=users["dani"])

    assert users["caro"] == holder(table)


def test_where_nobody_else_is_confirmed_five_minutes_of_silence_give_it(table, users, time_machine):
    for slug in ("beto", "dani"):
        lobby.revoke(table.accesses.get(user=users[slug]), by=users["ana"])
    number = ask(table, users["caro"])
    time_machine.shift(299)
    with pytest.raises(RuleError, match="counts from 22:05 on"):
        pens.answer(table, number, is_yes=True, by=users["caro"])
    time_machine.shift(1)
    pens.answer(table, number, is_yes=True, by=users["caro"])

    assert users["caro"] == holder(table)


def test_silence_gives_nothing_where_somebody_else_could_answer(table, users, time_machine):
    number = ask(table, users["caro"])
    time_machine.shift(600)

    with pytest.raises(RoleRequired):
        pens.answer(table, number, is_yes=True, by=users["caro"])


def test_after_a_no_the_same_person_asks_again_in_fifteen_minutes_and_another_at_once(
    table, users, time_machine, members_by_slug
):
    pens.answer(table, ask(table, users["caro"]), is_yes=False, by=users["ana"])
    second_phone = add_phone(users["caro"], members_by_slug["caro"])
    for user in (users["caro"], second_phone):
        with pytest.raises(RuleError, match="again from 22:15 on"):
            pens.ask(table, by=user)
    pens.answer(table, ask(table, users["dani"]), is_yes=False, by=users["ana"])
    time_machine.shift(15 * 60)

    assert ask(table, users["caro"])


@pytest.mark.parametrize("who", ["ana", "caro"])
def test_after_it_was_taken_back_the_same_person_asks_again_in_fifteen_minutes(
    table, users, time_machine, members_by_slug, who
):
    """A person who gave it back may ask at once."""
    second_phone = add_phone(users["caro"], members_by_slug["caro"])
    pens.answer(table, ask(table, users["caro"]), is_yes=True, by=users["ana"])
    pens.take_back(table, by=users[who])
    if who == "ana":
        for user in (users["caro"], second_phone):
            with pytest.raises(RuleError, match="again from 22:15 on"):
                pens.ask(table, by=user)
        time_machine.shift(15 * 60)

    assert ask(table, second_phone)


def test_who_lost_it_by_a_tap_does_not_pass_it_on_either(table, users, time_machine):
    """Two faces of one person gave it to each other in turn, whatever the owner did."""
    number = ask(table, users["caro"])
    time_machine.shift(120)
    pens.answer(table, number, is_yes=True, by=users["dani"])
    pens.take_back(table, by=users["ana"])
    number = ask(table, users["dani"])
    time_machine.shift(120)
    with pytest.raises(RuleError, match="counts from 22:17 on"):
        pens.answer(table, number, is_yes=True, by=users["caro"])
    pens.answer(table, number, is_yes=True, by=users["beto"])

    assert users["dani"] == holder(table)


def test_the_phone_that_answers_its_own_silent_question_records(table, users, time_machine, members_by_slug):
    """The phone that asked has no battery any more."""
    for slug in ("beto", "dani"):
        lobby.revoke(table.accesses.get(user=users[slug]), by=users["ana"])
    number, second_phone = ask(table, users["caro"]), add_phone(users["caro"], members_by_slug["caro"])
    time_machine.shift(300)
    pens.answer(table, number, is_yes=True, by=second_phone)

    assert second_phone == holder(table)


def test_a_question_asked_again_gives_way_five_minutes_after_the_first(table, users, time_machine):
    """Else somebody who takes it back and asks again every few minutes would keep all others from asking."""
    for _again in range(3):
        number = ask(table, users["caro"])
        time_machine.shift(97)
        pens.answer(table, number, is_yes=False, by=users["caro"])
    number = ask(table, users["caro"])
    time_machine.shift(8)
    pens.ask(table, by=users["dani"])
    assert number == question(table)
    time_machine.shift(1)

    others = ask(table, users["dani"])
    assert number != others
    pens.ask(table, by=users["caro"])
    assert others == question(table)


def test_who_asked_may_take_the_question_back_and_ask_again(table, users):
    pens.answer(table, ask(table, users["caro"]), is_yes=False, by=users["caro"])
    assert question(table) is None

    assert ask(table, users["caro"])


def test_a_question_that_nobody_answers_gives_way_to_another_persons_after_five_minutes(
    table, users, time_machine, members_by_slug
):
    """Caro asks, and her phone has no battery any more; Dani must not wait for her."""
    number, second_phone = ask(table, users["caro"]), add_phone(users["caro"], members_by_slug["caro"])
    time_machine.shift(299)
    pens.ask(table, by=users["dani"])
    assert number == question(table)
    time_machine.shift(1)
    pens.ask(table, by=second_phone)
    assert number == question(table)

    assert number != ask(table, users["dani"])
    with pytest.raises(ConcurrentChange):
        pens.answer(table, number, is_yes=True, by=users["ana"])


def test_a_table_has_one_question_and_who_asks_second_may_answer_it(table, users, time_machine):
    number = ask(table, users["caro"])
    pens.ask(table, by=users["dani"])
    assert (number, 1) == (question(table), PenRequest.objects.count())

    time_machine.shift(120)
    pens.answer(table, number, is_yes=True, by=users["dani"])
    assert users["caro"] == holder(table)


def test_a_new_pen_ends_the_one_before_and_who_had_it_may_answer(table, users):
    pens.answer(table, ask(table, users["caro"]), is_yes=True, by=users["ana"])
    pens.answer(table, ask(table, users["dani"]), is_yes=True, by=users["caro"])

    assert (users["dani"], 1) == (holder(table), Pen.objects.valid().count())


@pytest.mark.parametrize("who", ["ana", "caro"])
def test_who_records_takes_it_back_by_one_tap_and_a_second_tap_changes_nothing(table, users, who):
    pens.answer(table, ask(table, users["caro"]), is_yes=True, by=users["ana"])
    revision = Table.objects.get().revision
    for _tap in range(2):
        pens.take_back(table, by=users[who])

    assert (None, revision + 1) == (holder(table), Table.objects.get().revision)


def test_somebody_else_does_not_take_it_back(table, users):
    pens.answer(table, ask(table, users["caro"]), is_yes=True, by=users["ana"])

    with pytest.raises(RoleRequired):
        pens.take_back(table, by=users["dani"])


def test_a_question_and_its_answer_raise_the_revision(table, users):
    before = Table.objects.get().revision
    number = ask(table, users["caro"])
    asked = Table.objects.get().revision
    pens.answer(table, number, is_yes=True, by=users["ana"])

    assert (before + 1, before + 2) == (asked, Table.objects.get().revision)


# --- attacks --------------------------------------------------------------------------------------------------------


def wait_ten_minutes(time_machine):
    time_machine.shift(10 * 60)


def test_two_guests_whom_nobody_confirmed_get_nothing(table, users, time_machine):
    until = now() + timedelta(hours=5)
    one = grant_access(make_user("uno"), table, until=until, face="beto").user
    two = grant_access(make_user("dos"), table, until=until, face="dani").user
    with pytest.raises(RoleRequired):
        pens.ask(table, by=one)

    number = ask(table, users["caro"])
    wait_ten_minutes(time_machine)
    for user in (one, two):
        with pytest.raises(RoleRequired):
            pens.answer(table, number, is_yes=True, by=user)
    assert holder(table) is None


def test_who_is_confirmed_for_tonight_only_neither_asks_nor_answers(table, users, time_machine):
    tonight = grant_access(make_user("hoy"), table, until=now() + timedelta(hours=5), face="beto")
    Access.objects.filter(pk=tonight.pk).update(confirmed_at=now(), confirmed_by=users["ana"])
    with pytest.raises(RoleRequired):
        pens.ask(table, by=tonight.user)

    number = ask(table, users["caro"])
    wait_ten_minutes(time_machine)
    with pytest.raises(RoleRequired):
        pens.answer(table, number, is_yes=True, by=tonight.user)


def test_one_person_with_two_phones_is_one(table, users, time_machine, members_by_slug):
    second_phone = add_phone(users["caro"], members_by_slug["caro"])
    number = ask(table, users["caro"])
    wait_ten_minutes(time_machine)

    with pytest.raises(RoleRequired):
        pens.answer(table, number, is_yes=True, by=second_phone)


def test_two_members_who_are_merged_are_one(table, users, time_machine, members_by_slug):
    members_by_slug["dani"].merged_into = members_by_slug["caro"]
    members_by_slug["dani"].save()
    number = ask(table, users["caro"])
    wait_ten_minutes(time_machine)

    with pytest.raises(RoleRequired):
        pens.answer(table, number, is_yes=True, by=users["dani"])


def test_a_person_with_two_faces_that_somebody_confirmed_gets_it_and_everybody_reads_so(
    table, owner, time_machine, members_by_slug
):
    """A yes is a yes: two confirmed people against nobody's answer. A tap takes the pen back."""
    until = now() + timedelta(hours=5)
    faces = [
        lobby.enter(table, make_user(f"cara-{slug}"), until=until, face=members_by_slug[slug])
        for slug in ("beto", "caro")
    ]
    confirmations.confirm_all(table, by=owner)
    number = ask(table, faces[0].user)
    with pytest.raises(RuleError):
        pens.answer(table, number, is_yes=True, by=faces[1].user)
    time_machine.shift(120)
    pens.answer(table, number, is_yes=True, by=faces[1].user)
    assert faces[0].user == holder(table)

    pens.take_back(table, by=owner)
    assert holder(table) is None


def test_a_person_whose_access_ended_neither_keeps_it_nor_gives_it(table, users, time_machine, owner):
    pens.answer(table, ask(table, users["caro"]), is_yes=True, by=owner)
    lobby.revoke(table.accesses.get(user=users["caro"]), by=owner)
    assert holder(table) is None
    link, _token = links.create_personal(table, by=owner, role=Role.WITNESS)
    links.redeem_personal(link, users["caro"])
    assert holder(table) is None

    number = ask(table, users["beto"])
    lobby.revoke(table.accesses.get(user=users["dani"]), by=owner)
    wait_ten_minutes(time_machine)
    with pytest.raises(AccessEnded):
        pens.answer(table, number, is_yes=True, by=users["dani"])
    lobby.revoke(table.accesses.get(user=users["beto"]), by=owner)
    assert question(table) is None
    with pytest.raises(ConcurrentChange):
        pens.answer(table, number, is_yes=True, by=owner)


def test_an_access_that_ran_out_and_came_back_does_not_bring_it_along(table, users, owner, time_machine):
    pens.answer(table, ask(table, users["caro"]), is_yes=True, by=owner)
    Access.objects.filter(user=users["caro"]).update(until=now() + timedelta(minutes=5))
    time_machine.shift(600)
    assert holder(table) is None
    lobby.enter(table, users["caro"], until=now() + timedelta(hours=5))

    assert holder(table) is None


def test_a_retired_member_neither_keeps_it_nor_asks_nor_answers(
    table, users, owner, time_machine, members_by_slug
):
    pens.answer(table, ask(table, users["caro"]), is_yes=True, by=owner)
    membership.retire(members_by_slug["caro"])
    assert holder(table) is None
    with pytest.raises(RoleRequired):
        pens.ask(table, by=users["caro"])

    number = ask(table, users["beto"])
    wait_ten_minutes(time_machine)
    with pytest.raises(RoleRequired):
        pens.answer(table, number, is_yes=True, by=users["caro"])


def test_who_is_no_longer_that_person_or_is_blocked_loses_it(table, users, owner, subtests):
    ends = {
        "unseated": lambda: confirmations.remove_identity(table.accesses.get(user=users["caro"]), by=owner),
        "blocked": lambda: operators.block(users["dani"]),
    }
    for (name, end), user in zip(ends.items(), (users["caro"], users["dani"]), strict=True):
        with subtests.test(name):
            pens.answer(table, ask(table, user), is_yes=True, by=owner)
            end()
            assert holder(table) is None


def test_who_says_again_who_they_were_does_not_get_it_back(table, users, owner, members_by_slug):
    pens.answer(table, ask(table, users["caro"]), is_yes=True, by=owner)
    confirmations.remove_identity(table.accesses.get(user=users["caro"]), by=owner)
    lobby.claim(table, users["caro"], face=members_by_slug["caro"])

    assert holder(table) is None


@pytest.mark.parametrize("reads_only", [True, False])
def test_a_program_of_who_has_it_does_not_have_it(table, users, owner, game, reads_only):
    pens.answer(table, ask(table, users["caro"]), is_yes=True, by=owner)
    token, _secret = tokens.create(users["caro"], "reloj", table=table, reads_only=reads_only)

    with pytest.raises(RoleRequired):
        authorization.get_game(Visitor(users["caro"], token), game.code, for_recording=True)


def test_a_question_ends_with_its_night(table, users, time_machine):
    number = ask(table, users["caro"])
    time_machine.move_to(EVENING.replace(day=26, hour=12), tick=False)

    for user in (users["ana"], users["dani"], users["caro"]):
        with pytest.raises(ConcurrentChange):
            pens.answer(table, number, is_yes=True, by=user)
    assert ask(table, users["dani"])


def test_a_second_tap_changes_nothing(table, users):
    number = ask(table, users["caro"])
    pens.ask(table, by=users["caro"])
    for _tap in range(2):
        pens.answer(table, number, is_yes=True, by=users["ana"])
    with pytest.raises(ConcurrentChange):
        pens.answer(table, number, is_yes=False, by=users["ana"])

    assert (users["caro"], 1) == (holder(table), Pen.objects.count())


def test_links_heirs_and_new_phones_do_not_get_it(table, users, owner, members_by_slug):
    pens.answer(table, ask(table, users["caro"]), is_yes=True, by=owner)
    link, _token = links.create_personal(table, by=owner, role=Role.WITNESS, member=members_by_slug["caro"])
    new_phone = links.redeem_personal(link, make_user("nueva"))

    assert (Role.WITNESS, None) == (new_phone.role, holder(table))
    heirs = [access.user for access in takeovers.potential_owners(table)]
    assert [users["beto"], users["dani"], new_phone.user] == heirs
    assert not new_phone.has_pen


def test_signing_in_takes_it_along(table, users, owner, olga):
    pens.answer(table, ask(table, users["caro"]), is_yes=True, by=owner)
    move_all_tables(users["caro"], olga)
    assert olga == holder(table)

    pens.ask(table, by=users["dani"])
    move_all_tables(users["dani"], make_user("otra"))
    asked = PenRequest.objects.find_open()
    assert asked is not None
    assert "otra" == asked.user.username


def test_it_opens_games_that_run_or_are_of_tonight(table, users, owner, play, game):
    old, tonights = play("ana", "beto", days=7), play("ana", "beto")
    pens.answer(table, ask(table, users["caro"]), is_yes=True, by=owner)
    caro = Visitor(users["caro"])

    for open_game in (game, tonights):
        assert Role.WITNESS == authorization.get_game(caro, open_game.code, for_recording=True)[1]
    with pytest.raises(RoleRequired):
        authorization.get_game(caro, old.code, for_recording=True)
    with pytest.raises(RoleRequired):
        authorization.get_game(caro, game.code, for_writing=True)


def test_the_roster_knows_nothing_of_it(table, users, owner):
    before = roster.People.of(table).by_slug["caro"].user_ids
    pens.answer(table, ask(table, users["caro"]), is_yes=True, by=owner)

    assert before == roster.People.of(table).by_slug["caro"].user_ids
    assert Role.WITNESS == authorization.find_role(users["caro"], table)
    assert start(table, owner)
