"""The pen: who may ask for it, whose answer gives it and when, what ends it, and attacks on it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
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
    takeovers,
    tokens,
)
from games.tables.services.authorization import AccessEnded, Visitor
from tests.factories import confirm_as_member, grant_access, make_user, move_all_tables
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


def test_one_answer_of_who_records_decides_and_each_step_is_news_once(table, users):
    """A second tap on anything changes nothing. Who has the pen may give it to somebody else."""
    before = Table.objects.get().revision

    def news():
        return Table.objects.get().revision - before

    number = ask(table, users["caro"])
    for slug in ("caro", "dani"):
        pens.ask(table, by=users[slug])
    assert (number, 1, 1) == (question(table), PenRequest.objects.count(), news())
    for _tap in range(2):
        pens.answer(table, number, is_yes=True, by=users["ana"])
    with pytest.raises(ConcurrentChange):
        pens.answer(table, number, is_yes=False, by=users["ana"])
    assert (users["caro"], None, 2) == (holder(table), question(table), news())

    pens.answer(table, ask(table, users["dani"]), is_yes=False, by=users["caro"])
    assert (users["caro"], None, 4) == (holder(table), question(table), news())
    pens.answer(table, ask(table, users["beto"]), is_yes=True, by=users["caro"])
    assert (users["beto"], 1, 6) == (holder(table), Pen.objects.valid().count(), news())

    with pytest.raises(RoleRequired):
        pens.take_back(table, by=users["dani"])
    for _tap in range(2):
        pens.take_back(table, by=users["ana"])
    assert (None, 7) == (holder(table), news())


def test_who_records_with_the_pen_alone_does_not_answer_their_own_question(table, users, members_by_slug):
    """Their other phone asked before this one got the pen."""
    number = ask(table, users["caro"])
    second_phone = add_phone(users["caro"], members_by_slug["caro"])
    pens.store_pen(table.accesses.get(user=second_phone))

    with pytest.raises(RoleRequired):
        pens.answer(table, number, is_yes=True, by=second_phone)


def test_who_records_and_is_no_member_is_named_by_their_own_name(table, users):
    scorer, guest_user = (grant_access(make_user(name), table, Role.SCORER).user for name in ("rita", "g"))
    User.objects.filter(pk=scorer.pk).update(first_name="Rita")
    state = pens.PenState.load(table)

    assert ("Rita", "") == tuple(
        state.find_name(User.objects.get(pk=user.pk)) for user in (scorer, guest_user)
    )


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


@pytest.mark.parametrize("has_second", [False, True])
def test_where_nobody_else_is_confirmed_five_minutes_of_silence_give_it_to_the_phone_that_answers(
    table, users, time_machine, members_by_slug, has_second
):
    """The phone that asked may have no battery any more."""
    for slug in ("beto", "dani"):
        lobby.revoke(table.accesses.get(user=users[slug]), by=users["ana"])
    number = ask(table, users["caro"])
    phone = add_phone(users["caro"], members_by_slug["caro"]) if has_second else users["caro"]
    time_machine.shift(299)
    with pytest.raises(RuleError, match="counts from 22:05 on"):
        pens.answer(table, number, is_yes=True, by=phone)
    time_machine.shift(1)
    pens.answer(table, number, is_yes=True, by=phone)

    assert phone == holder(table)


def refuse(table, number, users):
    pens.answer(table, number, is_yes=False, by=users["ana"])


def give_and_take_back(table, number, users):
    pens.answer(table, number, is_yes=True, by=users["ana"])
    pens.take_back(table, by=users["ana"])


@pytest.mark.parametrize("end", [refuse, give_and_take_back])
def test_after_a_no_the_same_person_asks_again_in_fifteen_minutes_and_another_at_once(
    table, users, time_machine, members_by_slug, end
):
    end(table, ask(table, users["caro"]), users)
    second_phone = add_phone(users["caro"], members_by_slug["caro"])
    for user in (users["caro"], second_phone):
        with pytest.raises(RuleError, match="again from 22:15 on"):
            pens.ask(table, by=user)
    pens.answer(table, ask(table, users["dani"]), is_yes=False, by=users["ana"])
    time_machine.shift(15 * 60)

    assert ask(table, users["caro"])


def test_who_gave_it_back_or_took_the_question_back_asks_again_at_once(table, users):
    pens.answer(table, ask(table, users["caro"]), is_yes=False, by=users["caro"])
    assert question(table) is None
    pens.answer(table, ask(table, users["caro"]), is_yes=True, by=users["ana"])
    pens.take_back(table, by=users["caro"])
    assert holder(table) is None

    assert ask(table, users["caro"])


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


# --- attacks --------------------------------------------------------------------------------------------------------


def guest(table, **who):
    return grant_access(make_user("hoy"), table, until=now() + timedelta(hours=5), face="beto", **who)


def confirmed_tonight(table, by):
    Access.objects.filter(pk=guest(table).pk).update(confirmed_at=now(), confirmed_by=by)


def merge_dani(members):
    members["dani"].merged_into = members["caro"]
    members["dani"].save()


# Who has no answer to Caro's question even after ten minutes, how they come to that, and whether they may ask.
VOICELESS = {
    "Caro herself, where others could answer": ("user_caro", lambda *_: None, True),
    "her second phone": (
        "user_caro-2",
        lambda _t, users, members: add_phone(users["caro"], members["caro"]),
        True,
    ),
    "a member merged into her": ("user_dani", lambda _t, _u, members: merge_dani(members), True),
    "a guest whom nobody confirmed": ("hoy", lambda table, *_: guest(table), False),
    "somebody confirmed for tonight": (
        "hoy",
        lambda table, users, _m: confirmed_tonight(table, users["ana"]),
        False,
    ),
    "a retired member": ("user_dani", lambda _t, _u, members: membership.retire(members["dani"]), False),
}


@pytest.mark.parametrize("who", VOICELESS)
def test_who_has_no_voice_gives_nothing_by_waiting(table, users, time_machine, members_by_slug, who):
    name, come, may_ask = VOICELESS[who]
    come(table, users, members_by_slug)
    user = User.objects.get(username=name)
    if not may_ask:
        with pytest.raises(RoleRequired):
            pens.ask(table, by=user)
    number = ask(table, users["caro"])
    time_machine.shift(10 * 60)

    with pytest.raises(RoleRequired):
        pens.answer(table, number, is_yes=True, by=user)
    assert holder(table) is None


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


def come_by_a_link(table, user, members, owner):
    link, _token = links.create_personal(table, by=owner, role=Role.WITNESS)
    links.redeem_personal(link, user)


def expire(access, owner):
    Access.objects.filter(pk=access.pk).update(until=now() - timedelta(seconds=1))


def enter_tonight(table, user, members, owner):
    lobby.enter(table, user, until=now() + timedelta(hours=5))


def say_again(table, user, members, owner):
    lobby.claim(table, user, face=members["caro"])


# What ends the pen, and a way back to the table that does not bring it back.
ENDS = {
    "sent away": (lambda access, owner: lobby.revoke(access, by=owner), come_by_a_link),
    "ran out": (expire, enter_tonight),
    "no longer Caro": (lambda access, owner: confirmations.remove_identity(access, by=owner), say_again),
    "retired": (lambda access, owner: membership.retire(access.member), None),
    "blocked": (lambda access, owner: operators.block(access.user), None),
}


@pytest.mark.parametrize("how", ENDS)
def test_whose_access_ends_loses_it_for_good(table, users, owner, members_by_slug, how):
    end, come_back = ENDS[how]
    pens.answer(table, ask(table, users["caro"]), is_yes=True, by=owner)
    end(table.accesses.select_related("user", "member", "table").get(user=users["caro"]), owner)
    assert holder(table) is None
    if come_back:
        come_back(table, users["caro"], members_by_slug, owner)

    assert holder(table) is None


def test_a_question_ends_with_its_askers_access_and_who_was_sent_away_answers_none(
    table, users, time_machine, owner
):
    number = ask(table, users["beto"])
    lobby.revoke(table.accesses.get(user=users["dani"]), by=owner)
    time_machine.shift(10 * 60)
    with pytest.raises(AccessEnded):
        pens.answer(table, number, is_yes=True, by=users["dani"])
    lobby.revoke(table.accesses.get(user=users["beto"]), by=owner)
    assert question(table) is None

    with pytest.raises(ConcurrentChange):
        pens.answer(table, number, is_yes=True, by=owner)


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
    asked = PenRequest.objects.open().first()
    assert asked is not None
    assert "otra" == asked.user.username


def test_it_opens_games_that_run_or_are_of_tonight(table, users, owner, play, game):
    old, tonights = play("ana", "beto", days=7), play("ana", "beto")
    pens.answer(table, ask(table, users["caro"]), is_yes=True, by=owner)
    caro = Visitor(users["caro"])
    assert Role.WITNESS == authorization.find_role(users["caro"], table)

    for open_game in (game, tonights):
        assert Role.WITNESS == authorization.get_game(caro, open_game.code, for_recording=True)[1]
    with pytest.raises(RoleRequired):
        authorization.get_game(caro, old.code, for_recording=True)
    with pytest.raises(RoleRequired):
        authorization.get_game(caro, game.code, for_writing=True)
