"""Merging a member into another, with a preview, and undoing the merge if nothing happened since."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils.timezone import now

from games.files.services import audit, file_reader, file_writer, table_import
from games.models import MOST_ACTIVE, Member, Method
from games.money.services import accounting, expenses, member_merges, payments, statements
from games.play.services import recording
from games.scoring.errors import RuleError
from games.scoring.text.notation import parse_line
from games.tables.services import confirmations, membership
from games.tables.services.roster import People
from tests.worlds import a_key, a_round, balances_of, debts_of, let_in_as, loba, make_user, without_codes

pytestmark = pytest.mark.django_db


def merge(member, into, **how):
    how = {"seen": member_merges.preview(member, into).digest, "by": make_user(a_key()), **how}
    return member_merges.merge(member, into, **how)


def everything(table):
    """Return all balances and debts, and the state of each payment."""
    paid = list(table.payments.order_by("pk").values("ended_at", "confirmed_at", "disputed_at"))
    return balances_of(table), debts_of(table), paid


# --- merged -----------------------------------------------------------------------------------------------------------


def test_a_merge_makes_the_debts_of_two_one_persons_and_ends_payments_between_them(
    table, who, play, pay, anita
):
    play("ana", "beto", "caro")
    play("dani", "anita", "caro")
    pay("beto", "ana", 30)
    between = payments.create(
        table, anita, who["ana"], 40, method=Method.CASH, key=a_key(), by=make_user("x")
    )
    before = balances_of(table)
    merge(anita, who["ana"])

    assert {"ana": 130, "beto": -70, "caro": -200, "dani": 200, "anita": -60} == before
    assert {"ana": 70, "beto": -70, "caro": -200, "dani": 200} == balances_of(table)
    assert [200, -100, -30] == [
        one.amount for one in statements.load_member_effects(who["ana"], People.of(table))
    ]
    between.refresh_from_db()
    assert "ended" == between.state
    assert [] == audit.check_table(table).differences


def test_a_member_merged_twice_in_a_row_appears_everywhere_as_the_last_one(table, who, play, anita, ana):
    play("beto", "anita")
    third = membership.add(table, "Anuska")
    merge(anita, third)
    merge(third, who["ana"])

    assert {"ana": -100, "beto": 100, "caro": 0, "dani": 0} == balances_of(table)
    assert ["Ana"] * 3 == [People.of(table).by_slug[slug].name for slug in ("ana", "anita", "anuska")]
    assert b"Anita" not in ana.get(f"/g/{table.games.get().code}/").content


# --- refused ----------------------------------------------------------------------------------------------------------


def test_merging_members_who_played_the_same_game_is_refused_with_those_games(table, who, owner, play, anita):
    over = play("ana", "anita")
    recording.discard_game(over)
    before = everything(table)
    with pytest.raises(RuleError, match="Both played in the same game"):
        merge(anita, who["ana"])

    assert over == member_merges.preview(anita, who["ana"]).shared_game, "one taken away can come back"
    assert before == everything(table)


def test_members_of_whom_one_took_over_the_others_seat_can_be_merged(table, who, owner, anita):
    """Anita's name was chosen by mistake; the seat was handed over to Ana, who played."""
    begun = loba(table, stake=100)
    seats = tuple(player for player in begun.players if player.id in ("beto", "anita"))
    game = recording.start_game(table, replace(begun, players=seats), key=a_key(), by=owner)
    recording.record(game, *parse_line('replace anita by ana="Ana"'), after=1, key=a_key(), by=owner)
    merge(anita, who["ana"])

    assert {"beto", "ana"} == {player.id for player in game.state().players}


def test_merging_two_whose_phones_are_confirmed_for_tonight_is_refused(table, who, owner, anita):
    until = now() + timedelta(hours=3)
    for name, slug in (("x", "ana"), ("y", "anita")):
        let_in_as(make_user(name), table, face=slug, until=until)
    seen = member_merges.preview(anita, who["ana"]).digest
    confirmations.confirm_all(table, by=owner)

    with pytest.raises(RuleError, match="Anita and Ana have two phones"):
        merge(anita, who["ana"], seen=seen)


def test_merging_into_a_retired_member_is_refused_but_not_the_other_way_round(table, who, anita):
    membership.retire(anita)
    with pytest.raises(RuleError, match="Anita no longer plays: merge in the other direction"):
        merge(who["ana"], anita)
    merge(anita, who["ana"])

    assert [] == audit.check_table(table).differences


def test_a_merged_member_cannot_join_a_game_in_which_they_already_sit(table, who, play, anita, owner):
    begun = loba(table, late_entry="on")
    seats = tuple(player for player in begun.players if player.id in ("beto", "anita"))
    game = recording.start_game(table, replace(begun, players=seats), key=a_key(), by=owner)
    merge(anita, who["ana"])
    with pytest.raises(RuleError, match="are the same member"):
        recording.record(game, *parse_line('join ana="Ana"'), after=1, key=a_key(), by=owner)
    recording.record(game, a_round("beto", anita=101), after=1, key=a_key(), by=owner)

    assert [] == audit.check_table(table).differences


# --- merges undone ----------------------------------------------------------------------------------------------------


def test_undoing_a_merge_restores_balances_debts_and_payments(table, who, play, pay, owner, anita, claims):
    claims(owner, "ana")
    play("ana", "beto", "caro")
    play("dani", "anita")
    _plain, confirmed, disputed, taken_back = (
        payments.create(table, anita, who["ana"], 10 + number, method=Method.CASH, key=a_key(), by=owner)
        for number in range(4)
    )
    for payment in (confirmed, disputed):
        payments.dispute(payment, by=owner, objection="no")
    payments.confirm(confirmed, by=owner)
    payments.void(taken_back, by=owner)
    before = everything(table)
    merge(anita, who["ana"])
    assert before != everything(table)
    member_merges.unmerge(anita, by=owner)

    assert before == everything(table)
    assert [] == audit.check_table(table).differences


def test_a_merge_is_not_undone_where_no_seat_is_left(table, who, anita, owner):
    merge(anita, who["ana"])
    Member.objects.bulk_create(
        Member(table=table, slug=f"n{number}", name=f"N{number}", colour=1)
        for number in range(MOST_ACTIVE - 4)
    )
    with pytest.raises(RuleError, match="people can play at a table"):
        member_merges.unmerge(anita, by=owner)


def test_the_phone_of_a_merged_member_is_the_persons_until_the_merge_is_undone(table, who, anita, claims):
    user, ana = claims(make_user("x"), "anita"), who["ana"]
    merge(anita, ana)
    assert [True, True] == [People.of(table).by_slug[slug].belongs_to(user) for slug in ("ana", "anita")]

    member_merges.unmerge(anita, by=user)
    assert [False, True] == [People.of(table).by_slug[slug].belongs_to(user) for slug in ("ana", "anita")]


def came(table, owner, who, play, pay):
    """Return actions that may follow a merge by name, each with the refusal to undo the merge or None."""
    return {
        "a game": (lambda: play("ana", "caro"), "one of their games was changed"),
        "a payment": (lambda: pay("ana", "beto", 5), "a payment of theirs"),
        "an expense taken back": (
            lambda: expenses.void(table.costs.get(), by=owner),
            "money of theirs",
        ),
        "a word": (
            lambda: payments.void(table.payments.get(amount=7), by=owner),
            "a payment of theirs",
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
    subtests, table, owner, anita, who, play, pay, share
):
    play("ana", "beto")
    play("dani", "anita")
    pay("beto", "ana", 7)
    share("ana", 10, "anita", "beto")
    merge(anita, who["ana"])
    for name, (happen, why) in came(table, owner, who, play, pay).items():
        with subtests.test(name), transaction.atomic():
            happen()
            reason = member_merges.unmerge_refusal(anita)
            assert (why or "None") in str(reason)
            if why:
                with pytest.raises(RuleError):
                    member_merges.unmerge(anita, by=owner)
            else:
                assert member_merges.unmerge(anita, by=owner).merged_into is None
            transaction.set_rollback(True)
        anita.refresh_from_db()


def rename(member, name):
    member.refresh_from_db()
    membership.update(member, name=name, colour=member.colour)


def test_the_file_of_a_person_with_the_name_of_a_merged_member_can_be_imported(table, who, owner, anita):
    merge(anita, who["ana"])
    rename(who["ana"], "Anita")
    copy = table_import.create_table(
        file_reader.read_table(file_writer.write_table(table).encode()), key=a_key(), by=owner, again=True
    )

    assert {("ana", "Anita"), ("anita", "Anita")} <= set(copy.members.values_list("slug", "name"))


@pytest.mark.parametrize(
    ("present", "typed", "refusal"),
    [
        ("Ana", "ANITA", "Anita was merged with Ana and keeps the name. Choose another name."),
        ("Anita", "anita", "This table already has a member called Anita. Choose another name."),
        ("Ana", "ana", "This table already has a member called Ana. Choose another name."),
    ],
)
def test_nobody_new_may_have_the_name_of_a_merged_member_and_the_refusal_says_whose_it_is(
    table, who, anita, present, typed, refusal
):
    merge(anita, who["ana"])
    rename(who["ana"], present)
    beto = table.members.get(slug="beto")
    for attempt in (lambda: membership.add(table, typed), lambda: rename(beto, typed)):
        with pytest.raises(RuleError) as refused:
            attempt()
        assert refusal == str(refused.value.text)


def test_a_repeated_merge_or_undo_changes_nothing(table, who, play, anita, owner):
    play("ana", "beto")
    seen = member_merges.preview(anita, who["ana"]).digest
    for _tap in range(2):
        member_merges.merge(anita, who["ana"], seen=seen, by=owner)
    entries = accounting.latest_entry_number(table)
    member_merges.merge(table.members.get(slug="anita"), who["ana"], seen=seen, by=owner)
    assert entries == accounting.latest_entry_number(table)
    for _tap in range(2):
        member_merges.unmerge(anita, by=owner)
    assert [] == audit.check_table(table).differences


# --- exports ----------------------------------------------------------------------------------------------------------


def test_an_exported_merge_can_be_undone_after_the_import(table, who, play, owner, anita):
    play("ana", "beto")
    payments.create(table, anita, who["ana"], 40, method=Method.CASH, key=a_key(), by=owner)
    before = balances_of(table)
    merge(anita, who["ana"])
    text = file_writer.write_table(table)
    again = table_import.create_table(
        file_reader.read_table(text.encode()), key=a_key(), by=make_user("nora")
    )

    assert without_codes(text) == without_codes(file_writer.write_table(again))
    assert [] == audit.check_table(again).differences
    member_merges.unmerge(again.members.get(slug="anita"), by=owner)
    assert before == balances_of(again)
