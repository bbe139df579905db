"""The pen: who may ask for it, whose answer gives it and when, what ends it, and attacks on it."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils.timezone import now

from games.common.locks import ConcurrentChange
from games.common.roles import RoleRequired
from games.models import Access, Pen, PenRequest, Role, Table
from games.scoring.errors import RuleError
from games.tables.services import (
    authorization,
    confirmations,
    guests,
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
from tests.factories import confirm_as_member, grant_access, make_user, start

pytestmark = pytest.mark.django_db

EVENING = datetime(2026, 11, 25, 22, tzinfo=ZoneInfo("America/Argentina/Buenos_Aires"))


@pytest.fixture(autouse=True)
def evening(time_machine):
    """Ten in the evening. `time_machine.shift` moves the clock on."""
    time_machine.move_to(EVENING, tick=False)


@pytest.fixture
def people(table, owner, members_by_slug):
    """The owner as Ana, and Beto, Caro and Dani, who are confirmed for good and only watch."""
    confirm_as_member(owner, members_by_slug["ana"])
    names = ("beto", "caro", "dani")
    known = {slug: confirm_as_member(make_user(f"user_{slug}"), members_by_slug[slug]).user for slug in names}
    return {"ana": owner, **known}


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
def test_one_answer_of_who_records_decides(table, people, is_yes):
    pens.answer(table, ask(table, people["caro"]), is_yes=is_yes, by=people["ana"])

    assert (people["caro"] if is_yes else None, None) == (holder(table), question(table))


def test_the_pen_lasts_until_the_night_ends_and_at_least_two_hours(table, people, time_machine):
    pens.answer(table, ask(table, people["caro"]), is_yes=True, by=people["ana"])
    assert EVENING.replace(day=26, hour=6) == Pen.objects.get().until

    time_machine.move_to(EVENING.replace(day=26, hour=5), tick=False)
    pens.take_back(table, by=people["caro"])
    pens.answer(table, ask(table, people["caro"]), is_yes=True, by=people["ana"])
    assert EVENING.replace(day=26, hour=7) == Pen.objects.valid().get().until
    time_machine.move_to(EVENING.replace(day=26, hour=7), tick=False)
    assert holder(table) is None


def test_from_two_minutes_on_another_member_gives_it_too(table, people, time_machine):
    number = ask(table, people["caro"])
    time_machine.shift(119)
    with pytest.raises(RuleError, match="counts from 22:02 on"):
        pens.answer(table, number, is_yes=True, by=people["dani"])
    time_machine.shift(1)
    pens.answer(table, number, is_yes=True, by=people["dani"])

    assert people["caro"] == holder(table)


def test_where_nobody_else_is_confirmed_five_minutes_of_silence_give_it(
    table, people, time_machine, members_by_slug
):
    for slug in ("beto", "dani"):
        lobby.revoke(table.accesses.get(user=people[slug]), by=people["ana"])
    number = ask(table, people["caro"])
    time_machine.shift(299)
    with pytest.raises(RuleError, match="counts from 22:05 on"):
        pens.answer(table, number, is_yes=True, by=people["caro"])
    time_machine.shift(1)
    pens.answer(table, number, is_yes=True, by=people["caro"])

    assert people["caro"] == holder(table)


def test_silence_gives_nothing_where_somebody_else_could_answer(table, people, time_machine):
    number = ask(table, people["caro"])
    time_machine.shift(600)

    with pytest.raises(RoleRequired):
        pens.answer(table, number, is_yes=True, by=people["caro"])


def test_after_a_no_the_same_person_asks_again_in_fifteen_minutes_and_another_at_once(
    table, people, time_machine, members_by_slug
):
    pens.answer(table, ask(table, people["caro"]), is_yes=False, by=people["ana"])
    second_phone = add_phone(people["caro"], members_by_slug["caro"])
    for user in (people["caro"], second_phone):
        with pytest.raises(RuleError, match="again from 22:15 on"):
            pens.ask(table, by=user)
    pens.answer(table, ask(table, people["dani"]), is_yes=False, by=people["ana"])
    time_machine.shift(15 * 60)

    assert ask(table, people["caro"])


@pytest.mark.parametrize("who", ["ana", "caro"])
def test_after_it_was_taken_back_the_same_person_asks_again_in_fifteen_minutes(
    table, people, time_machine, members_by_slug, who
):
    """A person who gave it back may ask at once."""
    second_phone = add_phone(people["caro"], members_by_slug["caro"])
    pens.answer(table, ask(table, people["caro"]), is_yes=True, by=people["ana"])
    pens.take_back(table, by=people[who])
    if who == "ana":
        for user in (people["caro"], second_phone):
            with pytest.raises(RuleError, match="again from 22:15 on"):
                pens.ask(table, by=user)
        time_machine.shift(15 * 60)

    assert ask(table, second_phone)


def test_who_lost_it_by_a_tap_does_not_pass_it_on_either(table, people, time_machine):
    """Two faces of one person gave it to each other in turn, whatever the owner did."""
    number = ask(table, people["caro"])
    time_machine.shift(120)
    pens.answer(table, number, is_yes=True, by=people["dani"])
    pens.take_back(table, by=people["ana"])
    number = ask(table, people["dani"])
    time_machine.shift(120)
    with pytest.raises(RuleError, match="counts from 22:17 on"):
        pens.answer(table, number, is_yes=True, by=people["caro"])
    pens.answer(table, number, is_yes=True, by=people["beto"])

    assert people["dani"] == holder(table)


def test_the_phone_that_answers_its_own_silent_question_records(table, people, time_machine, members_by_slug):
    """The phone that asked has no battery any more."""
    for slug in ("beto", "dani"):
        lobby.revoke(table.accesses.get(user=people[slug]), by=people["ana"])
    number, second_phone = ask(table, people["caro"]), add_phone(people["caro"], members_by_slug["caro"])
    time_machine.shift(300)
    pens.answer(table, number, is_yes=True, by=second_phone)

    assert second_phone == holder(table)


def test_a_question_asked_again_gives_way_five_minutes_after_the_first(table, people, time_machine):
    """Else somebody who takes it back and asks again every few minutes would keep all others from asking."""
    for _again in range(3):
        number = ask(table, people["caro"])
        time_machine.shift(97)
        pens.answer(table, number, is_yes=False, by=people["caro"])
    number = ask(table, people["caro"])
    time_machine.shift(8)
    pens.ask(table, by=people["dani"])
    assert number == question(table)
    time_machine.shift(1)

    others = ask(table, people["dani"])
    assert number != others
    pens.ask(table, by=people["caro"])
    assert others == question(table)


def test_who_asked_may_take_the_question_back_and_ask_again(table, people):
    pens.answer(table, ask(table, people["caro"]), is_yes=False, by=people["caro"])
    assert question(table) is None

    assert ask(table, people["caro"])


def test_a_question_that_nobody_answers_gives_way_to_another_persons_after_five_minutes(
    table, people, time_machine, members_by_slug
):
    """Caro asks, and her phone has no battery any more; Dani must not wait for her."""
    number, second_phone = ask(table, people["caro"]), add_phone(people["caro"], members_by_slug["caro"])
    time_machine.shift(299)
    pens.ask(table, by=people["dani"])
    assert number == question(table)
    time_machine.shift(1)
    pens.ask(table, by=second_phone)
    assert number == question(table)

    assert number != ask(table, people["dani"])
    with pytest.raises(ConcurrentChange):
        pens.answer(table, number, is_yes=True, by=people["ana"])


def test_a_table_has_one_question_and_who_asks_second_may_answer_it(table, people, time_machine):
    number = ask(table, people["caro"])
    pens.ask(table, by=people["dani"])
    assert (number, 1) == (question(table), PenRequest.objects.count())

    time_machine.shift(120)
    pens.answer(table, number, is_yes=True, by=people["dani"])
    assert people["caro"] == holder(table)


def test_a_new_pen_ends_the_one_before_and_who_had_it_may_answer(table, people):
    pens.answer(table, ask(table, people["caro"]), is_yes=True, by=people["ana"])
    pens.answer(table, ask(table, people["dani"]), is_yes=True, by=people["caro"])

    assert (people["dani"], 1) == (holder(table), Pen.objects.valid().count())


@pytest.mark.parametrize("who", ["ana", "caro"])
def test_who_records_takes_it_back_by_one_tap_and_a_second_tap_changes_nothing(table, people, who):
    pens.answer(table, ask(table, people["caro"]), is_yes=True, by=people["ana"])
    revision = Table.objects.get().revision
    for _tap in range(2):
        pens.take_back(table, by=people[who])

    assert (None, revision + 1) == (holder(table), Table.objects.get().revision)


def test_somebody_else_does_not_take_it_back(table, people):
    pens.answer(table, ask(table, people["caro"]), is_yes=True, by=people["ana"])

    with pytest.raises(RoleRequired):
        pens.take_back(table, by=people["dani"])


def test_a_question_and_its_answer_raise_the_revision(table, people):
    before = Table.objects.get().revision
    number = ask(table, people["caro"])
    asked = Table.objects.get().revision
    pens.answer(table, number, is_yes=True, by=people["ana"])

    assert (before + 1, before + 2) == (asked, Table.objects.get().revision)


# --- attacks --------------------------------------------------------------------------------------------------------


@pytest.fixture
def silent_owner(people):
    """The owner, who answers nothing."""
    return people["ana"]


def grown_up(time_machine):
    time_machine.shift(10 * 60)


def test_two_guests_whom_nobody_confirmed_get_nothing(table, silent_owner, people, time_machine):
    until = now() + timedelta(hours=5)
    one = grant_access(make_user("uno"), table, until=until, face="beto").user
    two = grant_access(make_user("dos"), table, until=until, face="dani").user
    with pytest.raises(RoleRequired):
        pens.ask(table, by=one)

    number = ask(table, people["caro"])
    grown_up(time_machine)
    for user in (one, two):
        with pytest.raises(RoleRequired):
            pens.answer(table, number, is_yes=True, by=user)
    assert holder(table) is None


def test_who_is_confirmed_for_tonight_only_neither_asks_nor_answers(table, people, time_machine):
    tonight = grant_access(make_user("hoy"), table, until=now() + timedelta(hours=5), face="beto")
    Access.objects.filter(pk=tonight.pk).update(confirmed_at=now(), confirmed_by=people["ana"])
    with pytest.raises(RoleRequired):
        pens.ask(table, by=tonight.user)

    number = ask(table, people["caro"])
    grown_up(time_machine)
    with pytest.raises(RoleRequired):
        pens.answer(table, number, is_yes=True, by=tonight.user)


def test_one_person_with_two_phones_is_one(table, people, time_machine, members_by_slug):
    second_phone = add_phone(people["caro"], members_by_slug["caro"])
    number = ask(table, people["caro"])
    grown_up(time_machine)

    with pytest.raises(RoleRequired):
        pens.answer(table, number, is_yes=True, by=second_phone)


def test_two_members_who_are_merged_are_one(table, people, time_machine, members_by_slug):
    members_by_slug["dani"].merged_into = members_by_slug["caro"]
    members_by_slug["dani"].save()
    number = ask(table, people["caro"])
    grown_up(time_machine)

    with pytest.raises(RoleRequired):
        pens.answer(table, number, is_yes=True, by=people["dani"])


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


def test_a_person_whose_access_ended_neither_keeps_it_nor_gives_it(table, people, time_machine, owner):
    pens.answer(table, ask(table, people["caro"]), is_yes=True, by=owner)
    lobby.revoke(table.accesses.get(user=people["caro"]), by=owner)
    assert holder(table) is None
    link, _token = links.create_personal(table, by=owner, role=Role.WITNESS)
    links.redeem_personal(link, people["caro"])
    assert holder(table) is None

    number = ask(table, people["beto"])
    lobby.revoke(table.accesses.get(user=people["dani"]), by=owner)
    grown_up(time_machine)
    with pytest.raises(AccessEnded):
        pens.answer(table, number, is_yes=True, by=people["dani"])
    lobby.revoke(table.accesses.get(user=people["beto"]), by=owner)
    assert question(table) is None
    with pytest.raises(ConcurrentChange):
        pens.answer(table, number, is_yes=True, by=owner)


def test_an_access_that_ran_out_and_came_back_does_not_bring_it_along(table, people, owner, time_machine):
    pens.answer(table, ask(table, people["caro"]), is_yes=True, by=owner)
    Access.objects.filter(user=people["caro"]).update(until=now() + timedelta(minutes=5))
    time_machine.shift(600)
    assert holder(table) is None
    lobby.enter(table, people["caro"], until=now() + timedelta(hours=5))

    assert holder(table) is None


def test_a_retired_member_neither_keeps_it_nor_asks_nor_answers(
    table, people, owner, time_machine, members_by_slug
):
    pens.answer(table, ask(table, people["caro"]), is_yes=True, by=owner)
    membership.retire(members_by_slug["caro"])
    assert holder(table) is None
    with pytest.raises(RoleRequired):
        pens.ask(table, by=people["caro"])

    number = ask(table, people["beto"])
    grown_up(time_machine)
    with pytest.raises(RoleRequired):
        pens.answer(table, number, is_yes=True, by=people["caro"])


def test_who_is_no_longer_that_person_or_is_blocked_loses_it(table, people, owner, subtests):
    ends = {
        "unseated": lambda: confirmations.remove_identity(table.accesses.get(user=people["caro"]), by=owner),
        "blocked": lambda: operators.block(people["dani"]),
    }
    for (name, end), user in zip(ends.items(), (people["caro"], people["dani"]), strict=True):
        with subtests.test(name):
            pens.answer(table, ask(table, user), is_yes=True, by=owner)
            end()
            assert holder(table) is None


def test_who_says_again_who_they_were_does_not_get_it_back(table, people, owner, members_by_slug):
    pens.answer(table, ask(table, people["caro"]), is_yes=True, by=owner)
    confirmations.remove_identity(table.accesses.get(user=people["caro"]), by=owner)
    lobby.claim(table, people["caro"], face=members_by_slug["caro"])

    assert holder(table) is None


@pytest.mark.parametrize("reads_only", [True, False])
def test_a_program_of_who_has_it_does_not_have_it(table, people, owner, game, reads_only):
    pens.answer(table, ask(table, people["caro"]), is_yes=True, by=owner)
    token, _secret = tokens.create(people["caro"], "reloj", table=table, reads_only=reads_only)

    with pytest.raises(RoleRequired):
        authorization.get_game(Visitor(people["caro"], token), game.code, for_recording=True)


def test_a_question_ends_with_its_night(table, people, time_machine):
    number = ask(table, people["caro"])
    time_machine.move_to(EVENING.replace(day=26, hour=12), tick=False)

    for user in (people["ana"], people["dani"], people["caro"]):
        with pytest.raises(ConcurrentChange):
            pens.answer(table, number, is_yes=True, by=user)
    assert ask(table, people["dani"])


def test_a_second_tap_changes_nothing(table, people):
    number = ask(table, people["caro"])
    pens.ask(table, by=people["caro"])
    for _tap in range(2):
        pens.answer(table, number, is_yes=True, by=people["ana"])
    with pytest.raises(ConcurrentChange):
        pens.answer(table, number, is_yes=False, by=people["ana"])

    assert (people["caro"], 1) == (holder(table), Pen.objects.count())


def test_links_heirs_and_new_phones_do_not_get_it(table, people, owner, members_by_slug):
    pens.answer(table, ask(table, people["caro"]), is_yes=True, by=owner)
    link, _token = links.create_personal(table, by=owner, role=Role.WITNESS, member=members_by_slug["caro"])
    new_phone = links.redeem_personal(link, make_user("nueva"))

    assert (Role.WITNESS, None) == (new_phone.role, holder(table))
    heirs = [access.user for access in takeovers.potential_owners(table)]
    assert [people["beto"], people["dani"], new_phone.user] == heirs
    assert not Visitor(new_phone.user).pens.exists()


def test_signing_in_takes_it_along(table, people, owner, olga):
    pens.answer(table, ask(table, people["caro"]), is_yes=True, by=owner)
    guests.merge_into_user(people["caro"], olga)
    assert olga == holder(table)

    pens.ask(table, by=people["dani"])
    guests.merge_into_user(people["dani"], make_user("otra"))
    assert "otra" == PenRequest.objects.open().get().user.username


def test_it_opens_games_that_run_or_are_of_tonight(table, people, owner, play, game, time_machine):
    old, tonights = play("ana", "beto", days=7), play("ana", "beto")
    pens.answer(table, ask(table, people["caro"]), is_yes=True, by=owner)
    caro = Visitor(people["caro"])

    for open_game in (game, tonights):
        assert Role.WITNESS == authorization.get_game(caro, open_game.code, for_recording=True)[1]
    for code in (old.code,):
        with pytest.raises(RoleRequired):
            authorization.get_game(caro, code, for_recording=True)
    with pytest.raises(RoleRequired):
        authorization.get_game(caro, game.code, for_writing=True)


def test_the_roster_knows_nothing_of_it(table, people, owner):
    before = roster.People.of(table).by_slug["caro"].user_ids
    pens.answer(table, ask(table, people["caro"]), is_yes=True, by=owner)

    assert before == roster.People.of(table).by_slug["caro"].user_ids
    assert Role.WITNESS == authorization.find_role(people["caro"], table)
    assert start(table, owner)
