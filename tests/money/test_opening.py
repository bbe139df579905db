"""Starting balances: earlier debts, recorded as one entry without the games that caused them."""

from __future__ import annotations

import pytest

from games.common.locks import KeyReused
from games.files.audit import check_table
from games.models import MOST_ACTIVE, MOST_MONEY, Member
from games.money.balances import newest_entry
from games.money.booking import TakenBack
from games.money.opening import StartingBalance, open_balances, openings_of, take_balances_back
from games.scoring.errors import RuleError
from tests.worlds import a_key, balances_of

pytestmark = pytest.mark.django_db

FIVE = (("ana", 12_000), ("beto", -4_000), ("caro", -8_000))


def balances(*pairs):
    return [StartingBalance(amount, slug=slug) for slug, amount in pairs]


@pytest.fixture
def begin(table, owner):
    """`begin(balances)` records starting balances as the owner saw the accounts, and returns the entry."""

    def begun(wanted, *, key="", seen=None, **more):
        seen = newest_entry(table) if seen is None else seen
        return open_balances(table, wanted, seen=seen, key=key or a_key(), by=owner, **more)

    return begun


def test_starting_balances_are_taken_back_once(table, play, begin, owner):
    play("ana", "beto")
    entry = begin(balances(*FIVE))
    take_balances_back(table, entry.number, by=owner)

    assert {"ana": 100, "beto": -100, "caro": 0, "dani": 0} == balances_of(table)
    assert not openings_of(table).exists()
    assert [] == check_table(table).differences
    with pytest.raises(RuleError, match="taken back already"):
        take_balances_back(table, entry.number, by=owner)


def test_a_repeated_request_records_balances_and_members_once(table, begin):
    wanted, key = [*balances(("ana", 500)), StartingBalance(-500, name="Eva")], a_key()

    assert begin(wanted, key=key) == begin(wanted, key=key)
    assert (1, 5) == (openings_of(table).count(), table.members.count())


def test_an_idempotency_key_reused_with_other_balances_is_refused(begin):
    key = a_key()
    begin(balances(("ana", 5), ("beto", -5)), key=key)
    with pytest.raises(KeyReused):
        begin(balances(("ana", 6), ("beto", -6)), key=key)
    with pytest.raises(KeyReused):
        begin([*balances(("ana", 5)), StartingBalance(-5, name="Eva")], key=key)


def test_balances_taken_back_are_not_recorded_again_under_their_key(table, begin, owner):
    wanted, key = balances(("ana", 5), ("beto", -5)), a_key()
    take_balances_back(table, begin(wanted, key=key).number, by=owner)
    with pytest.raises(TakenBack):
        begin(wanted, key=key)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (balances(("ana", 300), ("beto", -200)), "Amounts owed and debts must be equal. They differ by 100."),
        (balances(("ana", 0), ("beto", 0)), "Enter at least one balance."),
        ([], "Enter at least one balance."),
        (balances(("ana", 5), ("ana", -5)), "A person is named twice."),
        (balances(("ana", 5), ("zoe", -5)), "No member has this id."),
        (balances(("ana", MOST_MONEY + 1), ("beto", -MOST_MONEY - 1)), f"A balance is at most {MOST_MONEY}."),
        ([*balances(("ana", 5)), StartingBalance(-5, name=" ")], "Enter a name."),
        (
            [*balances(("ana", 5)), StartingBalance(-5, name="BETO")],
            "This table already has a member called Beto. Choose another name.",
        ),
    ],
)
def test_invalid_balances_are_refused_and_store_nothing(table, begin, wanted, message):
    with pytest.raises(RuleError) as refusal:
        begin(wanted)

    assert message == str(refusal.value.text)
    assert (0, 4) == (openings_of(table).count(), table.members.count())


def test_more_people_than_a_table_can_seat_are_refused(table, begin):
    Member.objects.bulk_create(
        Member(table=table, slug=f"n{number}", name=f"N{number}", colour=1)
        for number in range(MOST_ACTIVE - 5)
    )
    begin([*balances(("ana", 5)), StartingBalance(-5, name="Eva")])
    with pytest.raises(RuleError, match="people can play at a table"):
        begin([*balances(("ana", 5)), StartingBalance(-5, name="Zoe")])
