"""Merging a member into another, with a preview, and undoing the merge if nothing has happened since."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils.timezone import now

from games.files.services import audit, file_reader, file_writer, table_import
from games.models import MOST_ACTIVE, Member, Method
from games.money.services import accounting, expenses, member_merges, payments
from games.money.services.entry_history import EntryHistory
from games.play.services import recording
from games.scoring.errors import RuleError
from games.scoring.text.notation import parse_line
from games.tables.services import confirmations, membership
from games.tables.services.roster import People
from tests.factories import (
    build_round,
    debt_texts,
    grant_access,
    load_balances,
    loba_start,
    make_user,
    new_key,
    without_codes,
)

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def merge(member, into, **how):
    how = {"seen": member_merges.preview(member, into).digest, "by": make_user(new_key()), **how}
    return member_merges.merge(member, into, **how)


def money_state(table):
    """Return all balances and debts, and the state of each payment."""
    paid = list(table.payments.order_by("pk").values("ended_at", "confirmed_at", "disputed_at"))
    return load_balances(table), debt_texts(table), paid


# --- merged -----------------------------------------------------------------------------------------------------------


def test_a_merge_makes_the_debts_of_two_one_persons_and_ends_payments_between_them(
    table, members_by_slug, play, pay, anita
):
    play("ana", "beto", "caro")
    play("dani", "anita", "caro")
    pay("beto", "ana", 30)
    payment = payments.create(
        table, anita, members_by_slug["ana"], 40, method=Method.CASH, key=new_key(), by=make_user("x")
    )
    before = load_balances(table)
    merge(anita, members_by_slug["ana"])

    assert {"ana": 130, "beto": -70, "caro": -200, "dani": 200, "anita": -60} == before
    assert {"ana": 70, "beto": -70, "caro": -200, "dani": 200} == load_balances(table)
    people = People.of(table)
    history = EntryHistory.load([members_by_slug["ana"]], people)
    assert [200, -100, -30] == [effect.amount for effect in history.effects("ana")]
    payment.refresh_from_db()
    assert "ended" == payment.state
    assert [] == audit.check_table(table).differences


def test_a_member_merged_twice_in_a_row_appears_everywhere_as_the_last_one(
    table, members_by_slug, play, anita, ana
):
    play("beto", "anita")
    third = membership.add(table, "Anuska")
    merge(anita, third)
    merge(third, members_by_slug["ana"])

    assert {"ana": -100, "beto": 100, "caro": 0, "dani": 0} == load_balances(table)
    assert ["Ana"] * 3 == [People.of(table).by_slug[slug].name for slug in ("ana", "anita", "anuska")]
    assert b"Anita" not in ana.get(f"/g/{table.games.get().code}/").content


# --- refused ----------------------------------------------------------------------------------------------------------


def test_merging_members_who_played_the_same_game_is_refused_with_those_games(
    table, members_by_slug, play, anita
):
    game = play("ana", "anita")
    recording.discard_game(game)
    before = money_state(table)
    with pytest.raises(RuleError, match="Both played in the same game"):
        merge(anita, members_by_slug["ana"])

    assert game == member_merges.preview(anita, members_by_slug["ana"]).shared_game, (
        "one taken away can come back"
    )
    assert before == money_state(table)


def test_members_of_whom_one_took_over_the_others_seat_can_be_merged(table, members_by_slug, owner, anita):
    """Anita's name was chosen by mistake. The seat was handed over to Ana, who played."""
    start_event = loba_start(table, stake=100)
    seats = tuple(player for player in start_event.players if player.id in ("beto", "anita"))
    game = recording.start_game(table, replace(start_event, players=seats), key=new_key(), by=owner)
    recording.record(game, *parse_line('replace anita by ana="Ana"'), after=1, key=new_key(), by=owner)
    merge(anita, members_by_slug["ana"])

    assert {"beto", "ana"} == {player.id for player in game.state().players}


def test_merging_two_whose_phones_are_confirmed_for_tonight_is_refused(table, members_by_slug, owner, anita):
    until = now() + timedelta(hours=3)
    for name, slug in (("x", "ana"), ("y", "anita")):
        grant_access(make_user(name), table, face=slug, until=until)
    seen = member_merges.preview(anita, members_by_slug["ana"]).digest
    confirmations.confirm_all(table, by=owner)

    with pytest.raises(RuleError, match="Anita and Ana have two phones"):
        merge(anita, members_by_slug["ana"], seen=seen)


def test_merging_into_a_retired_member_is_refused_but_not_the_other_way_round(table, members_by_slug, anita):
    membership.retire(anita)
    with pytest.raises(RuleError, match="Anita no longer plays: merge in the other direction"):
        merge(members_by_slug["ana"], anita)
    merge(anita, members_by_slug["ana"])

    assert [] == audit.check_table(table).differences


def test_a_merged_member_cannot_join_a_game_in_which_they_already_sit(table, members_by_slug, anita, owner):
    start_event = loba_start(table, late_entry="on")
    seats = tuple(player for player in start_event.players if player.id in ("beto", "anita"))
    game = recording.start_game(table, replace(start_event, players=seats), key=new_key(), by=owner)
    merge(anita, members_by_slug["ana"])
    with pytest.raises(RuleError, match="are the same member"):
        recording.record(game, *parse_line('join ana="Ana"'), after=1, key=new_key(), by=owner)
    recording.record(game, build_round("beto", anita=101), after=1, key=new_key(), by=owner)

    assert [] == audit.check_table(table).differences


# --- merges undone ----------------------------------------------------------------------------------------------------


def test_undoing_a_merge_restores_balances_debts_and_payments(
    table, members_by_slug, play, owner, anita, confirm_as
):
    confirm_as(owner, "ana")
    play("ana", "beto", "caro")
    play("dani", "anita")
    _plain, confirmed, disputed, taken_back = (
        payments.create(
            table, anita, members_by_slug["ana"], 10 + number, method=Method.CASH, key=new_key(), by=owner
        )
        for number in range(4)
    )
    for payment in (confirmed, disputed):
        payments.dispute(payment, by=owner, objection="no")
    payments.confirm(confirmed, by=owner)
    payments.void(taken_back, by=owner)
    before = money_state(table)
    merge(anita, members_by_slug["ana"])
    assert before != money_state(table)
    member_merges.unmerge(anita, by=owner)

    assert before == money_state(table)
    assert [] == audit.check_table(table).differences


def test_a_merge_is_not_undone_where_no_seat_is_left(table, members_by_slug, anita, owner):
    merge(anita, members_by_slug["ana"])
    Member.objects.bulk_create(
        Member(table=table, slug=f"n{number}", name=f"N{number}", colour=1)
        for number in range(MOST_ACTIVE - 4)
    )
    with pytest.raises(RuleError, match="people can play at a table"):
        member_merges.unmerge(anita, by=owner)


def test_the_phone_of_a_merged_member_is_the_persons_until_the_merge_is_undone(
    table, members_by_slug, anita, confirm_as
):
    user, ana = confirm_as(make_user("x"), "anita"), members_by_slug["ana"]
    merge(anita, ana)
    assert [True, True] == [People.of(table).by_slug[slug].belongs_to(user) for slug in ("ana", "anita")]

    member_merges.unmerge(anita, by=user)
    assert [False, True] == [People.of(table).by_slug[slug].belongs_to(user) for slug in ("ana", "anita")]


def actions_after_merge(table, owner, who, play, pay):
    """Return actions that may follow a merge, by name, each with the refusal to undo the merge or None."""
    return {
        "a game": (lambda: play("ana", "caro"), "one of their games was changed"),
        "a payment": (lambda: pay("ana", "beto", 5), "one of their payments"),
        "an expense taken back": (
            lambda: expenses.void(table.costs.get(), by=owner),
            "money of theirs",
        ),
        "a word": (
            lambda: payments.void(table.payments.get(amount=7), by=owner),
            "one of their payments",
        ),
        "a game taken away": (
            lambda: recording.discard_game(table.games.get(results__member=who["dani"])),
            "money of theirs",
        ),
        "somebody they owe": (
            lambda: merge(who["dani"], membership.add(table, "Daniela")),
            "another member with a debt",
        ),
        "a twin": (lambda: merge(membership.add(table, "Anuska"), who["ana"]), "Another member was merged"),
        "a game of others": (lambda: play("beto", "caro"), None),
        "a payment of others": (lambda: pay("caro", "beto", 5), None),
        "a name": (lambda: membership.add(table, "Zulema"), None),
        "their own name": (lambda: rename(who["ana"], "ANITA"), "Both would be called Anita"),
    }


def test_a_merge_cannot_be_undone_after_changes_of_the_merged_member(
    subtests, table, owner, anita, members_by_slug, play, pay, share
):
    play("ana", "beto")
    play("dani", "anita")
    pay("beto", "ana", 7)
    share("ana", 10, "anita", "beto")
    merge(anita, members_by_slug["ana"])
    for name, (happen, refusal) in actions_after_merge(table, owner, members_by_slug, play, pay).items():
        with subtests.test(name), transaction.atomic():
            happen()
            reason = member_merges.unmerge_refusal(anita)
            assert (refusal or "None") in str(reason)
            if refusal:
                with pytest.raises(RuleError):
                    member_merges.unmerge(anita, by=owner)
            else:
                assert member_merges.unmerge(anita, by=owner).merged_into is None
            transaction.set_rollback(True)
        anita.refresh_from_db()


def rename(member, name):
    member.refresh_from_db()
    membership.update(member, name=name, colour=member.colour)


def test_the_file_of_a_person_with_the_name_of_a_merged_member_can_be_imported(
    table, members_by_slug, owner, anita
):
    merge(anita, members_by_slug["ana"])
    rename(members_by_slug["ana"], "Anita")
    copy = table_import.create_table(
        file_reader.read_table(file_writer.write_table(table).encode()), key=new_key(), by=owner, again=True
    )

    assert {("ana", "Anita"), ("anita", "Anita")} <= set(copy.members.values_list("slug", "name"))


@pytest.mark.parametrize(
    ("current_name", "new_name", "refusal"),
    [
        ("Ana", "ANITA", "Anita was merged with Ana and keeps the name. Choose another name."),
        ("Anita", "anita", "This table already has a member called Anita. Choose another name."),
        ("Ana", "ana", "This table already has a member called Ana. Choose another name."),
    ],
)
def test_nobody_new_may_have_the_name_of_a_merged_member_and_the_refusal_says_whose_it_is(
    table, members_by_slug, anita, current_name, new_name, refusal
):
    merge(anita, members_by_slug["ana"])
    rename(members_by_slug["ana"], current_name)
    beto = table.members.get(slug="beto")
    for attempt in (lambda: membership.add(table, new_name), lambda: rename(beto, new_name)):
        with pytest.raises(RuleError) as error:
            attempt()
        assert refusal == str(error.value.text)


def test_a_repeated_merge_or_undo_changes_nothing(table, members_by_slug, play, anita, owner):
    play("ana", "beto")
    seen = member_merges.preview(anita, members_by_slug["ana"]).digest
    for _tap in range(2):
        member_merges.merge(anita, members_by_slug["ana"], seen=seen, by=owner)
    entries = accounting.latest_entry_number(table)
    member_merges.merge(table.members.get(slug="anita"), members_by_slug["ana"], seen=seen, by=owner)
    assert entries == accounting.latest_entry_number(table)
    for _tap in range(2):
        member_merges.unmerge(anita, by=owner)
    assert [] == audit.check_table(table).differences


# --- exports ----------------------------------------------------------------------------------------------------------


def test_an_exported_merge_can_be_undone_after_the_import(table, members_by_slug, play, owner, anita):
    play("ana", "beto")
    payments.create(table, anita, members_by_slug["ana"], 40, method=Method.CASH, key=new_key(), by=owner)
    before = load_balances(table)
    merge(anita, members_by_slug["ana"])
    text = file_writer.write_table(table)
    again = table_import.create_table(
        file_reader.read_table(text.encode()), key=new_key(), by=make_user("nora")
    )

    assert without_codes(text) == without_codes(file_writer.write_table(again))
    assert [] == audit.check_table(again).differences
    member_merges.unmerge(again.members.get(slug="anita"), by=owner)
    assert before == load_balances(again)
