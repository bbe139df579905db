"""Starting balances: earlier debts, recorded without the games that caused them."""

from __future__ import annotations

import pytest

from games.keys import KeyReused
from games.models import MOST_ACTIVE, MOST_MONEY, Change, ChangeKind, Member, Method
from games.money import payments
from games.money.balances import StaleAccounts, accounts_of, balances_of, read_accounts
from games.money.booking import TakenBack
from games.names import Alike
from games.notebook.books.audit import check_table
from games.notebook.opening import StartingBalance, has_opening, open_balances
from games.scoring.errors import RuleError
from tests.tables import a_key, make_table

pytestmark = pytest.mark.django_db

FIVE = (("ana", 12_000), ("beto", -4_000), ("caro", -8_000))


def balances(*pairs):
    return [StartingBalance(amount, slug=slug) for slug, amount in pairs]


@pytest.fixture
def begin(table, owner):
    """`begin(balances)` records starting balances as the owner saw the accounts, and returns the payments."""

    def begun(wanted, *, key="", seen="", **more):
        seen = seen or read_accounts(table).seen
        return open_balances(table, wanted, seen=seen, key=key or a_key(), by=owner, **more)

    return begun


def test_starting_balances_are_opening_payments(table, begin):
    begin(balances(*FIVE))

    assert {"ana": 12_000, "beto": -4_000, "caro": -8_000, "dani": 0} == balances_of(table)
    assert {(Method.OPENING, "saldo anterior")} == set(table.payments.values_list("method", "note"))
    assert 12_000 == accounts_of(table)["ana"].carried
    assert has_opening(table)
    assert [] == check_table(table).differences


def test_starting_balances_are_added_to_the_balances_of_games(table, play, begin):
    play("ana", "beto")
    begin(balances(("ana", -30), ("beto", 30)))

    assert {"ana": 70, "beto": -70, "caro": 0, "dani": 0} == balances_of(table)


def test_cancelling_the_opening_payments_restores_the_accounts(table, begin, owner):
    for payment in begin(balances(*FIVE)):
        payments.take_back(payment, by=owner)

    assert not any(balances_of(table).values())
    assert not has_opening(table)


def test_new_people_become_members(owner):
    table = make_table(owner, people=())
    wanted = [StartingBalance(500, name="Ana"), StartingBalance(-500, name=" Tío  Raúl ")]
    open_balances(table, wanted, seen=read_accounts(table).seen, key=a_key(), by=owner)

    assert ["Ana", "Tío Raúl"] == list(table.members.values_list("name", flat=True))
    assert {"ana": 500, "tio_raul": -500} == balances_of(table)
    kinds = Change.objects.filter(table=table).values_list("what", flat=True)
    assert [ChangeKind.MEMBER_ADDED] * 2 + [ChangeKind.PAYMENT_RECORDED] == list(kinds)


def test_a_repeated_request_records_payments_and_members_once(table, begin):
    wanted, key = [*balances(("ana", 500)), StartingBalance(-500, name="Eva")], a_key()

    assert begin(wanted, key=key) == begin(wanted, key=key)
    assert (1, 5) == (table.payments.count(), table.members.count())


def test_an_idempotency_key_reused_with_other_balances_is_refused(begin):
    key = a_key()
    begin(balances(("ana", 5), ("beto", -5)), key=key)
    with pytest.raises(KeyReused):
        begin(balances(("ana", 6), ("beto", -6)), key=key)
    with pytest.raises(KeyReused):
        begin([*balances(("ana", 5)), StartingBalance(-5, name="Eva")], key=key)


def test_cancelled_balances_are_not_recorded_again_under_their_key(begin, owner):
    key = a_key()
    (payment,) = begin(balances(("ana", 5), ("beto", -5)), key=key)
    payments.take_back(payment, by=owner)
    with pytest.raises(TakenBack):
        begin(balances(("ana", 5), ("beto", -5)), key=key)


def test_the_second_of_two_tabs_is_refused_as_stale(table, begin):
    seen = read_accounts(table).seen
    begin(balances(*FIVE), seen=seen)
    with pytest.raises(StaleAccounts):
        begin(balances(*FIVE), seen=seen)

    assert 12_000 == balances_of(table)["ana"]


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
    assert (0, 4) == (table.payments.count(), table.members.count())


def test_a_name_that_differs_from_a_members_only_by_an_accent_needs_a_confirmation(table, begin):
    wanted = [*balances(("beto", 5)), StartingBalance(-5, name="Ána")]
    with pytest.raises(Alike):
        begin(wanted)
    begin(wanted, apart=["Ána"])

    assert -5 == balances_of(table)["ana_2"]


def test_more_people_than_a_table_can_seat_are_refused(table, begin):
    Member.objects.bulk_create(
        Member(table=table, slug=f"n{number}", name=f"N{number}", colour=1)
        for number in range(MOST_ACTIVE - 5)
    )
    begin([*balances(("ana", 5)), StartingBalance(-5, name="Eva")])
    with pytest.raises(RuleError, match="people can play at a table"):
        begin([*balances(("ana", 5)), StartingBalance(-5, name="Zoe")])
