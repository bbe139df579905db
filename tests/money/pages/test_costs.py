"""The pages of shared costs: the form of a night, the cost, and where it shows."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from games.models import Role, SharedCost
from games.money.balances import balances_of
from games.money.costs import CostWords, share_cost
from games.notebook.books.audit import check_table
from games.people.members import add_member
from tests.reader import Walker, open_page, read_page
from tests.tables import a_key, let_in_as, make_user, the_night

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


def address(table, name="share-cost"):
    night = the_night(table)
    return reverse(name, args=[table.code, night.isoformat()])


def page_of(cost, name="cost"):
    return reverse(name, args=[cost.table.code, cost.pk])


@pytest.fixture
def pizza(table, owner, play, who):
    """Ana won 300 from three others; then Beto paid 10,001 for Ana, Beto and Caro."""
    play("ana", "beto", "caro", "dani")
    night = the_night(table)
    sharers = (who["ana"], who["beto"], who["caro"])
    return share_cost(table, night, CostWords(who["beto"], 10001, sharers, "pizza"), key=a_key(), by=owner)


def test_a_shared_cost_is_recorded_taken_back_and_entered_again(ana, table, play):
    """Four play, Eva does not: Beto pays a pizza for three of them, first 10,001, then 9,000."""
    add_member(table, "Eva")
    play("ana", "beto", "caro", "dani")
    season = reverse("season", args=[table.code])
    before = open_page(ana, season).only("main").text
    walker = Walker(ana)
    walker.open(address(table, "night"))
    walker.follow("Shared cost")
    form, _button = walker.page.form_with("Record it")
    assert {"for-ana", "for-beto", "for-caro", "for-dani"} == {name for name in form.fields if "for-" in name}

    typed = {"payer": "beto", "amount": "10.001", "note": "pizza"}
    three = {f"for-{slug}": "yes" for slug in ("ana", "beto", "caro")}
    looked = read_page(ana.post(address(table), {**typed, **three, "look": "yes", "key": a_key()}))
    assert "Parts : Caro $ 3,334 · Ana $ 3,334 · Beto $ 3,333" in looked.only("div", id="effect").text
    assert "Beto +$ 6,568 · Caro −$ 3,434 · Ana −$ 3,034" in looked.only("div", id="effect").text
    assert not SharedCost.objects.exists()

    walker.page = looked
    walker.press("Record it")
    assert {"ana": -3034, "beto": 6568, "caro": -3434, "dani": -100, "eva": 0} == balances_of(table)
    assert ["Recorded"] == walker.page.notices

    walker.press("Take it back")
    assert {"ana": 300, "beto": -100, "caro": -100, "dani": -100, "eva": 0} == balances_of(table)
    assert "It stays visible but no longer counts." in walker.page.only("main").text
    walker.follow("Record it again")
    walker.press("Record it", amount="9000")
    assert {"ana": -2700, "beto": 5900, "caro": -3100, "dani": -100, "eva": 0} == balances_of(table)
    assert before == open_page(ana, season).only("main").text
    assert [] == list(check_table(table).differences)


def test_a_debt_is_forgiven_among_all_by_one_tick(ana, table, play):
    play("ana", "dani", stake=100)
    play("beto", "caro", stake=60)
    walker = Walker(ana)
    walker.open(address(table))
    walker.press("Record it", payer="dani", amount="20", forgiven="yes", for_caro="yes", for_dani="yes")

    assert {"ana": 93, "beto": 53, "caro": -66, "dani": -80} == balances_of(table)
    assert "Dani is forgiven $ 20" in walker.page.only("main").text


def test_who_did_not_record_a_cost_says_why_they_take_it_back(phone_of, table, pizza):
    otto = make_user("otto")
    let_in_as(otto, table, Role.SCORER)
    walker = Walker(phone_of(otto))
    walker.open(page_of(pizza))
    walker.press("Take it back")
    assert (422, "Say why you take it back.") == (
        walker.status,
        walker.page.only("span", id="reason-error").text,
    )

    walker.press("Take it back", reason="pagó la casa")
    assert ": pagó la casa It stays visible" in walker.page.only("main").text
    assert 300 == balances_of(table)["ana"]


def test_a_cost_just_recorded_is_undone_with_one_tap(ana, table, pizza):
    walker = Walker(ana)
    walker.open(f"{page_of(pizza)}?done=recorded")
    walker.press("Undo")

    pizza.refresh_from_db()
    assert (False, 300) == (pizza.counts, balances_of(table)["ana"])


def test_a_nights_page_text_and_picture_show_its_shared_costs(ana, table, owner, pizza, who):
    share_cost(table, pizza.night, CostWords(who["ana"], 4, (who["beto"],)), key=a_key(), by=owner)
    page = open_page(ana, address(table, "night"))
    (button,) = (button for button in page.every("button") if "data-picture" in button.attrs)
    lines = [
        "pizza: Beto put in $ 10,001 · Caro $ 3,334, Ana $ 3,334, Beto $ 3,333",
        "Shared cost: Ana put in $ 4 · Beto $ 4",
    ]

    assert [
        f"{line.replace(':', '', 1)} {amount}"
        for line, amount in zip(lines, ("$ 10,001", "$ 4"), strict=True)
    ] == [tile.text for tile in page.only("div", id="costs").every("a")]
    assert " ".join(lines) in page.only("textarea", id="message").text
    assert lines == [note.replace("\u00a0", " ") for note in json.loads(button.attrs["data-drawn"])["notes"]]


def test_a_statement_and_the_accounts_show_a_cost_and_link_to_it(ana, table, pizza):
    for name, slug, part in (
        ("account", ["beto"], "+$ 6,668"),
        ("account", ["ana"], "−$ 3,334"),
        ("accounts", [], "$ 10,001"),
    ):
        page = open_page(ana, reverse(name, args=[table.code, *slug]))
        (row,) = [row for row in page.every("a", href=page_of(pizza)) if "tile" in row.attrs.get("class", "")]

        assert row.text.startswith("pizza")
        assert part in row.text


# --- refusals ---------------------------------------------------------------------------------------------------------

TYPED = {"payer": "beto", "amount": "10.001", "note": "pizza", "for-ana": "yes"}


def test_an_invalid_cost_is_refused_beside_its_field_and_keeps_the_typed_values(subtests, ana, table, play):
    play("ana", "beto")
    cases: list[tuple[dict[str, str], str, str]] = [
        ({"amount": "x"}, "amount", "Enter the amount paid, such as $ 1,500."),
        ({"amount": "9999999999999999"}, "amount", "A cost must be more than zero"),
        ({"payer": "zoe"}, "payer", "Choose who paid."),
        ({"payer": "ana"}, "sharers", "Choose at least one person besides the payer."),
        ({"for-ana": ""}, "sharers", "Choose for whom it was paid."),
        ({"note": "x" * 201}, "note", "200"),
    ]
    for typed, field, sentence in cases:
        with subtests.test(typed=typed):
            sent = {"key": a_key(), **{name: text for name, text in {**TYPED, **typed}.items() if text}}
            page = read_page(response := ana.post(address(table), sent))

            assert 422 == response.status_code
            assert sentence in page.only("span", id=f"{field}-error").text
            assert (sent["amount"], sent["note"]) == tuple(
                page.only("input", name=name).attrs["value"] for name in ("amount", "note")
            )
            form, _button = page.form_with("Record it")
            assert sent.keys() & {"for-ana"} == {name for name in form.fields if name.startswith("for-")}
            assert not SharedCost.objects.exists()


def test_the_form_for_a_day_before_the_table_in_the_future_or_unknown_is_a_404(subtests, ana, table):
    for day in ["2020-01-01", "2090-01-01", "yesterday", "2026-13-01"]:
        with subtests.test(day=day):
            assert 404 == ana.get(reverse("share-cost", args=[table.code, day])).status_code


def test_an_unknown_cost_is_a_404(ana, table, pizza):
    assert 404 == ana.get(reverse("cost", args=[table.code, pizza.pk + 1])).status_code
    assert 404 == ana.get(reverse("cost", args=[table.code, 10**19])).status_code
