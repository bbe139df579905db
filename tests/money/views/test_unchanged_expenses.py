"""An expense whose form is opened and saved as it stands moves nothing, however it was shared."""

from __future__ import annotations

import random
from datetime import date

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils.timezone import now

from games.common import days, regions
from games.files.services import audit, file_reader, file_writer, ledger_proof, table_import
from games.models import SharedCost
from games.money.services import expenses, member_merges
from games.money.services.expenses import Expense
from games.tables.services import membership
from games.tables.services.roster import People
from tests.factories import confirm_as_member, debt_texts, load_balances, make_table, make_user, new_key
from tests.reader import open_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

UNITS = (("fichas", 0), ("$", 0), ("€", 2), ("KD", 3))
NAMES = ("Ana", "Beto", "Caro", "Dani", "Eva", "Fede")
SOME, ALL = range(10), range(10, 2000)


def address(cost, name="cost"):
    return reverse(name, args=[cost.table.code, cost.pk])


def sums(cost):
    """Return what each member paid and what each bears, by slug, with merged members added up."""
    expense = Expense.of(cost, People.of(cost.table))
    return [{member.slug: part for member, part in some.items()} for some in (expense.paid, expense.borne)]


def accounts(table):
    return load_balances(table), debt_texts(table)


def newest(table):
    return table.costs.latest("pk")


def save(phone, page_address, button="Save", **changes):
    """Open a form and send it as it stands, apart from these changes. Return the status of the response."""
    form, _button = open_page(phone, page_address).form_with(button)
    fields = {name.replace("_", "-"): value for name, value in changes.items()}
    return phone.post(form.attrs["action"], {**form.fields, **fields, "key": new_key()}).status_code


@pytest.mark.parametrize(
    "seeds", [SOME, pytest.param(ALL, marks=pytest.mark.long)], ids=["some", "two thousand"]
)
def test_an_expense_opened_and_saved_moves_nothing(ana, owner, seeds):
    for seed in seeds:
        with transaction.atomic():
            check_expense(ana, owner, random.Random(seed), seed)
            transaction.set_rollback(True)


def check_expense(ana, owner, chance, seed):
    """Record a random expense by its form, merge and retire some people, and save its forms unchanged."""
    table = make_table(owner, people=NAMES[: chance.randint(2, len(NAMES))])
    table.unit, table.decimals = chance.choice(UNITS)
    table.region = chance.choice(("", "es-ES", "es-MX"))
    table.always_fewest = chance.random() < 0.3
    table.save()
    record_random(ana, table, chance)
    if has_changed := chance.random() < 0.5:
        change_people(table, chance, owner)
    cost, before = newest(table), accounts(table)

    assert 302 == save(ana, address(cost, "correct-cost")), seed
    assert (cost, before) == (newest(table), accounts(table)), seed
    assert 302 == save(ana, address(cost, "correct-cost"), note="otra nota"), seed
    corrected = newest(table)
    assert ("otra nota", sums(cost), before) == (corrected.note, sums(corrected), accounts(table)), seed

    assert [] == audit.check_table(table).differences, seed
    ledger_proof.check_ledger(file_reader.read_table(file_writer.write_table(table).encode()))
    if chance.random() < 0.5:
        return
    expenses.void(corrected, by=owner)
    again = open_page(ana, address(corrected)).link("Record again")
    status = save(ana, again, "Record the expense")
    if status == 302:
        assert (sums(cost), before[0]) == (sums(newest(table)), load_balances(table)), seed
    else:  # people who became one made it an expense that nobody can enter
        assert (422, True, corrected) == (status, has_changed, newest(table)), seed


def record_random(ana, table, chance):
    """Send random forms to the accounts until one is recorded: some move nothing and are refused."""
    region = regions.region_named(table.region) if table.region else regions.active_region()
    slugs, night = [member.slug for member in table.members.all()], days.night_for(now(), table)

    def text(coins):
        whole, part = divmod(coins, 10**table.decimals)
        return f"{whole}{region.decimal}{part:0{table.decimals}d}" if table.decimals else str(whole)

    while not table.costs.exists():
        typed = {"night": night.isoformat(), "region": region.name, "key": new_key()}
        ana.post(reverse("share-cost", args=[table.code]), typed | random_fields(chance, slugs, text))


def random_fields(chance, slugs, text):
    """Return the fields of an expense of some of these people. Most amounts are small: odd coins matter."""
    amount = chance.choice((chance.randint(1, 30), chance.randint(31, 5000), chance.randint(5001, 10**9)))
    payer, sharers = chance.choice(slugs), chance.sample(slugs, chance.randint(1, len(slugs)))
    way = chance.choice(("equal", "shares", "amounts", "almost equal", "forgiven"))
    if way == "forgiven" or sharers == [payer]:
        sharers = slugs
    typed = {"payer": payer, "amount": text(amount), **{f"for-{slug}": "yes" for slug in sharers}}
    match way:
        case "forgiven":
            return {**typed, "forgiven": "on"}
        case "shares":
            some = chance.sample(sharers, chance.randint(1, len(sharers)))
            typed |= {f"share-{slug}": str(chance.choice((1, 1, 2, 3, 99))) for slug in some}
        case "amounts":
            parts = random_parts(chance, amount, sharers)
            typed |= {"split": "amounts", **{f"share-{slug}": text(part) for slug, part in parts}}
        case "almost equal":
            low, odd = divmod(amount, len(sharers))
            parts = [(slug, low + (place < odd)) for place, slug in enumerate(sharers)]
            typed |= {"split": "amounts", **{f"share-{slug}": text(part) for slug, part in parts}}
    if chance.random() < 0.3:
        paid = random_parts(chance, amount, chance.sample(slugs, 2))
        typed |= {f"paid-{slug}": text(part) for slug, part in paid}
    return typed


def random_parts(chance, amount, people):
    """Divide the amount among these people. A part may be 0."""
    cuts = sorted(chance.randint(0, amount) for _person in people[1:])
    return [
        (slug, after - before)
        for slug, before, after in zip(people, [0, *cuts], [*cuts, amount], strict=True)
    ]


def change_people(table, chance, owner):
    """Retire one member and merge another into a third, as far as there are so many."""
    members = chance.sample([*table.members.all()], min(3, table.members.count()))
    membership.retire(members[0])
    if len(members) == 3:
        merged, into = members[1:]
        member_merges.merge(merged, into, seen=member_merges.preview(merged, into).digest, by=owner)


def test_a_correction_of_the_note_moves_nothing_where_amounts_are_almost_equal(ana, table, subtests):
    """5.01 and 5.00 of a bill in euros; three and two chips of five."""
    everyday = {"payer": "ana", "night": days.night_for(now(), table).isoformat(), "split": "amounts"}
    for unit, decimals, amount, shares in (("€", 2, "10.01", ("5.01", "5.00")), ("fichas", 0, "5", "32")):
        with subtests.test(unit), transaction.atomic():
            table.unit, table.decimals = unit, decimals
            table.save()
            typed = {"amount": amount, "share-ana": shares[0], "share-beto": shares[1], "key": new_key()}
            ana.post(reverse("share-cost", args=[table.code]), {**everyday, **typed})
            cost, before = SharedCost.objects.get(), accounts(table)
            assert before[0]["beto"] < 0
            correct = address(cost, "correct-cost")
            assert 302 == save(ana, correct, note="la pizza")
            assert (before, "la pizza") == (accounts(table), newest(table).note)
            transaction.set_rollback(True)


def test_a_proposal_accepted_with_another_note_counts_as_it_was_proposed(ana, table):
    caro, beto = (table.members.get(slug=slug) for slug in ("caro", "beto"))
    proposer = make_user("caro")
    confirm_as_member(proposer, caro)
    expense = Expense(paid={caro: 5}, amount=5, borne={beto: 2, caro: 3})
    night = days.night_for(now(), table)
    cost = expenses.create(table, night, expense, key=new_key(), by=proposer, is_proposal=True)
    correct = address(cost, "correct-cost")

    assert 302 == save(ana, correct, note="la pizza")
    assert [{"caro": 5}, {"beto": 2, "caro": 3}] == sums(newest(table))
    assert -2 == load_balances(table)["beto"]


def test_who_retired_stays_the_payer_of_an_expense_they_do_not_share(ana, table, share):
    cost = share("dani", 90, "ana", "beto", night=date(2026, 11, 1))
    membership.retire(table.members.get(slug="dani"))
    correct = address(cost, "correct-cost")

    assert "dani" == open_page(ana, correct).typed("payer")
    assert 302 == save(ana, correct, note="la pizza")
    assert [{"dani": 90}, {"ana": 45, "beto": 45}] == sums(newest(table))


def test_the_note_of_a_forgiven_debt_is_corrected_after_two_who_forgave_became_one(ana, table, owner, share):
    caro, dani = (table.members.get(slug=slug) for slug in ("caro", "dani"))
    cost = share("beto", 90, "ana", "caro", "dani", night=date(2026, 11, 1), is_forgiven=True)
    member_merges.merge(dani, caro, seen=member_merges.preview(dani, caro).digest, by=owner)
    before, correct = accounts(table), address(cost, "correct-cost")

    assert 302 == save(ana, correct, note="la de marzo")
    assert [{"beto": 90}, {"ana": 30, "caro": 60}] == sums(newest(table))
    assert (before, "la de marzo") == (accounts(table), newest(table).note)
    other = {"amount": "60", "share_ana": "20", "share_caro": "40"}
    assert 422 == save(ana, address(newest(table), "correct-cost"), **other), "a debt, in equal shares"


def test_an_expense_of_two_who_became_one_keeps_its_figures_and_its_place_in_the_tables_file(
    ana, table, owner, share
):
    """Caro paid for Dani, a second entry of the same person: nothing is left to move."""
    cost = share("caro", 90, "dani", night=date(2026, 11, 1))
    caro, dani = (table.members.get(slug=slug) for slug in ("caro", "dani"))
    member_merges.merge(dani, caro, seen=member_merges.preview(dani, caro).digest, by=owner)

    assert 302 == save(ana, address(cost, "correct-cost"), note="la pizza")
    assert ("la pizza", {"dani": 90}) == (newest(table).note, newest(table).borne)
    assert [] == audit.check_table(table).differences
    copy = table_import.create_table(
        file_reader.read_table(file_writer.write_table(table).encode()), key=new_key(), by=make_user("nora")
    )
    assert ["pizza", "la pizza"] == [row.note for row in copy.costs.order_by("pk")]
