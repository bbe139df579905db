"""*Un gasto* as one sentence: who paid how much for what, who did not eat, and the taps that it takes."""

from __future__ import annotations

import random
import re

import pytest
from django.utils.timezone import now
from playwright.sync_api import expect

from games.common import days
from games.models import SharedCost, Table
from games.tables.services import membership
from tests.browser.scorer import Scorer
from tests.factories import confirm_as_member, make_user
from tests.reader import parse_whole_number

CLOSER = "#expense .go"
SLUGS = ("ana", "beto", "caro", "dani")


@pytest.fixture
def open_accounts(open_phone, let_in, table):
    """`open_accounts(user)` opens the accounts on a phone of this user, and returns a Scorer."""

    def open_page(user):
        phone = open_phone()
        let_in(phone, user)
        page = phone.new_page()
        page.goto(f"/t/{table.code}/accounts/")
        return Scorer(page)

    return open_page


def enter_pizza(scorer):
    """Enter a pizza of $ 12.000 for all but Dani, paid by the reader."""
    page = scorer.page
    scorer.tap("[popovertarget=expense]:not(.close)")
    page.locator("#expense [name=amount]").fill("12000")
    scorer.tap("#expense .picks button:first-child")
    scorer.tap("#expense .chip:has([data-part]):has-text('Dani')")


@pytest.mark.long
def test_what_each_of_five_bears_is_read_in_one_line_on_a_small_phone(open_accounts, owner, table):
    """An amount broken in two, 17.00 and a 0 below it, reads as another one."""
    membership.add(table, "Eli")
    scorer = open_accounts(owner)
    page = scorer.page
    page.set_viewport_size({"width": 360, "height": 640})
    enter_pizza(scorer)
    for amount, each in (
        ("12000", "$\u00a03.000"),
        ("68000", "$\u00a017.000"),
        ("5000000", "$\u00a01.250.000"),
    ):
        page.locator("#expense [name=amount]").fill(amount)
        borne = page.locator("#expense .chip:has-text('Ana') [data-part]")
        expect(borne).to_have_text(each)
        text, chip = (
            borne.bounding_box(),
            page.locator("#expense .chip:has([data-part])").first.bounding_box(),
        )
        assert (True, True, True) == (
            text["height"] < 20,
            chip["x"] + 1 <= text["x"],
            text["x"] + text["width"] <= chip["x"] + chip["width"] - 1,
        ), (amount, text, chip)


def test_a_pizza_for_all_but_one_takes_four_taps_and_is_read_on_the_closer(open_accounts, owner, table):
    confirm_as_member(owner, table.members.get(slug="ana"))
    scorer = open_accounts(owner)
    page = scorer.page
    enter_pizza(scorer)
    expect(page.locator("#expense [data-note]")).to_have_text("entre 3, $ 4.000 cada persona")
    expect(page.locator("#expense fieldset:has([data-part])")).to_contain_text(
        re.compile(r"Caro\s*\$.4\.000\s*D\s*Dani\s*no")
    )
    expect(page.locator(CLOSER)).to_have_text("Puse $ 12.000 de pizza")
    scorer.tap(CLOSER)
    expect(page.locator("#moves")).to_contain_text("12.000")

    assert {"ana": 4000, "beto": 4000, "caro": 4000} == SharedCost.objects.get().borne
    assert 4 == scorer.taps


@pytest.mark.long
def test_a_proposal_takes_four_taps_and_one_of_a_keeper(open_accounts, owner, table):
    caro = make_user("caro")
    confirm_as_member(caro, table.members.get(slug="caro"))
    member = open_accounts(caro)
    enter_pizza(member)
    member.tap(CLOSER)
    expect(member.page.locator("#moves")).to_contain_text("en espera")
    keeper = open_accounts(owner)
    keeper.tap("#to-confirm .yes")
    expect(keeper.page.locator(".brief")).to_contain_text("Pizza")

    assert SharedCost.objects.get().counts
    assert (4, 1) == (member.taps, keeper.taps)


@pytest.mark.long
def test_what_is_left_over_runs_on_the_cloth_and_a_refusal_stands_above_the_closer(
    open_accounts, owner, table
):
    scorer = open_accounts(owner)
    page = scorer.page
    scorer.tap("[popovertarget=expense]:not(.close)")
    page.locator("#expense [name=amount]").fill("12000")
    scorer.tap("#expense [data-faces=payer] .chip:has-text('Beto')")
    expect(page.locator(CLOSER)).to_have_text("Beto puso $ 12.000")
    scorer.tap("#expense [data-split] summary")
    scorer.tap("#expense label:has([value=amounts])")
    for slug, amount in {"ana": "3000", "beto": "3000", "caro": "2000", "dani": "4500"}.items():
        page.locator(f"#expense [name=share-{slug}]").fill(amount)
    expect(page.locator("#expense [data-note]")).to_have_text("sobran $ 500")
    page.locator(CLOSER).tap()
    expect(page.locator("#expense footer .errors")).to_be_in_viewport()
    expect(page.locator("#expense footer .errors")).to_contain_text("Sobran $ 500.")
    expect(page.locator("#expense [name=share-dani]")).to_have_value("4500")


# --- faces and numbers ------------------------------------------------------------------------------------------------


def face(page, slug):
    """Return what is read under the face of this person, and whether it has its frame."""
    chip = page.locator(f"#expense .chip:has([name=for-{slug}])")
    return chip.locator("[data-part]").inner_text(), chip.locator("input").is_checked()


def open_form(scorer, amount, payer="beto"):
    """Open the form and enter an amount that this person paid."""
    scorer.tap("[popovertarget=expense]:not(.close)")
    scorer.page.locator("#expense [name=amount]").fill(amount)
    choose(scorer, payer)


def choose(scorer, payer):
    scorer.tap(f"#expense [data-faces=payer] .chip:has([value={payer}])")


@pytest.mark.long
def test_a_forgiven_debt_is_shown_as_it_is_recorded(open_accounts, owner, table):
    """Four people, 90, Beto paid: the three others forgive 30 each. With another debtor, Beto forgives too."""
    scorer = open_accounts(owner)
    page = scorer.page
    open_form(scorer, "90")
    expect(page.locator("#expense [data-note]")).to_contain_text("entre 4")
    scorer.tap("#expense details:has([name=forgiven]) summary")
    scorer.tap("#expense [name=forgiven]")
    expect(page.locator("#expense [data-note]")).to_have_text("entre 3, $\u00a030 cada persona")
    assert [("$\u00a030", True), ("no", False)] == [face(page, slug) for slug in ("ana", "beto")]
    choose(scorer, "dani")
    assert [("$\u00a030", True), ("no", False)] == [face(page, slug) for slug in ("beto", "dani")]
    choose(scorer, "beto")
    scorer.tap(CLOSER)
    expect(page.locator("#moves")).to_contain_text("90")

    assert {"ana": 30, "caro": 30, "dani": 30} == SharedCost.objects.get().borne


@pytest.mark.long
def test_a_face_tapped_out_loses_its_share_and_a_share_brings_it_back(open_accounts, owner, table):
    scorer = open_accounts(owner)
    page = scorer.page
    open_form(scorer, "90", payer="ana")
    scorer.tap("#expense [data-split] summary")
    beto = page.locator("#expense [name=share-beto]")
    beto.fill("2")
    assert ("$\u00a036", True) == face(page, "beto")
    scorer.tap("#expense .chip:has([name=for-beto])")
    expect(beto).to_have_value("")
    assert [("no", False), ("$\u00a030", True)] == [face(page, slug) for slug in ("beto", "caro")]
    beto.fill("3")
    assert ("$\u00a045", True) == face(page, "beto")
    beto.fill("0")
    assert ("no", False) == face(page, "beto")
    scorer.tap("#expense .chip:has([name=for-beto])")
    expect(beto).to_have_value("")
    assert ("$\u00a023", True) == face(page, "beto")
    scorer.tap(CLOSER)
    expect(page.locator("#moves")).to_contain_text("90")

    assert {"ana": 22, "beto": 23, "caro": 23, "dani": 22} == SharedCost.objects.get().borne


@pytest.mark.long
def test_who_has_no_amount_is_out_once_amounts_are_typed(open_accounts, owner, table):
    """Amounts for three of four, and the fourth neither keeps the frame nor gets a word that contradicts it."""
    scorer = open_accounts(owner)
    page = scorer.page
    open_form(scorer, "90")
    scorer.tap("#expense [data-split] summary")
    scorer.tap("#expense label:has([value=amounts])")
    assert ("falta", True) == face(page, "dani")
    expect(page.locator("#expense [data-note]")).to_have_text("faltan $\u00a090")
    for slug, amount in {"ana": "40", "beto": "30", "caro": "20"}.items():
        page.locator(f"#expense [name=share-{slug}]").fill(amount)
    assert [("$\u00a020", True), ("no", False)] == [face(page, slug) for slug in ("caro", "dani")]
    scorer.tap("#expense label:has([value=parts])")
    assert page.locator("#expense [name=for-dani]").is_checked()
    scorer.tap("#expense label:has([value=amounts])")
    page.locator("#expense [name=share-caro]").fill("")
    assert ("no", False) == face(page, "caro")
    expect(page.locator("#expense [data-note]")).to_have_text("faltan $\u00a020")
    page.locator("#expense [name=share-caro]").fill("20")
    scorer.tap(CLOSER)
    expect(page.locator("#moves")).to_contain_text("90")

    assert {"ana": 40, "beto": 30, "caro": 20} == SharedCost.objects.get().borne


@pytest.mark.long
def test_what_was_entered_before_the_script_is_shown_as_it_will_be_recorded(open_accounts, owner, table):
    """Amounts of two who are not ticked, and none of Caro, who is; a share of 0, and one that is refused."""
    page, night = open_accounts(owner).page, days.night_for(now(), table).isoformat()
    entered = f"/t/{table.code}/accounts/?night={night}&payer=ana&amount=90"
    page.goto(f"{entered}&split=amounts&share-ana=40&share-beto=50&for-caro=yes")
    assert [("$\u00a040", True), ("$\u00a050", True), ("falta", True), ("no", False)] == [
        face(page, slug) for slug in SLUGS
    ]
    page.goto(f"{entered}&for-ana=yes&for-beto=yes&share-beto=0&share-caro=2")
    assert [("$\u00a090", True), ("no", False), ("no", False), ("no", False)] == [
        face(page, slug) for slug in SLUGS
    ]


@pytest.mark.long
def test_the_odd_cent_stands_under_whose_it_is(open_accounts, owner, table):
    """10.01 among four: a cent more for the first after the payer."""
    Table.objects.update(unit="€", decimals=2)
    scorer = open_accounts(owner)
    page = scorer.page
    open_form(scorer, "10,01")
    assert ["€\u00a02,50", "€\u00a02,50", "€\u00a02,51", "€\u00a02,50"] == [
        face(page, slug)[0] for slug in ("ana", "beto", "caro", "dani")
    ]
    expect(page.locator("#expense [data-note]")).to_have_text("entre 4, unos €\u00a02,50 cada persona")
    scorer.tap(CLOSER)
    expect(page.locator("#moves")).to_contain_text("10,01")

    assert {"ana": 250, "beto": 250, "caro": 251, "dani": 250} == SharedCost.objects.get().borne


# --- what is shown is what is recorded --------------------------------------------------------------------------------

ANSWERED = "() => location.search.includes('shared=') || document.querySelector('#expense footer .errors')"


@pytest.mark.parametrize(
    "seeds", [range(6), pytest.param(range(6, 150), marks=pytest.mark.long)], ids=["some", "many"]
)
def test_what_every_face_shows_is_what_is_recorded(open_accounts, owner, table, seeds):
    """Forms filled in at random, in any order, with changes of mind."""
    scorer, recorded = open_accounts(owner), 0
    page = scorer.page
    for seed in seeds:
        chance = random.Random(seed)
        unit, decimals = chance.choice((("fichas", 0), ("$", 0), ("€", 2)))
        Table.objects.update(unit=unit, decimals=decimals)
        page.goto(f"/t/{table.code}/accounts/")
        FormFiller(scorer, chance, decimals).fill_in()
        faces, count = {slug: face(page, slug) for slug in SLUGS}, SharedCost.objects.count()
        page.locator(CLOSER).tap()
        page.wait_for_function(ANSWERED)
        if SharedCost.objects.count() == count:
            continue
        recorded += 1
        borne = SharedCost.objects.latest("pk").borne
        expected = {slug: (borne.get(slug), slug in borne) for slug in SLUGS}
        assert expected == {
            slug: (None if text == "no" else parse_whole_number(text), is_in)
            for slug, (text, is_in) in faces.items()
        }, seed
    assert recorded >= len(seeds) / 2


class FormFiller:
    """A person who fills in the form of an expense at random, and changes their mind."""

    def __init__(self, scorer, chance, decimals):
        self.scorer, self.chance, self.decimals = scorer, chance, decimals
        self.amount = chance.randint(4, 400)

    def fill_in(self):
        page = self.scorer.page
        self.scorer.tap("[popovertarget=expense]:not(.close)")
        for summary in page.locator("#expense .words summary").all():
            self.scorer.tap(summary)
        acts = (self.choose_payer, self.tap_face, self.type_share, self.choose_split)
        for act in self.chance.choices(acts, k=self.chance.randint(2, 7)):
            act()
        if self.chance.random() < 0.25:
            self.scorer.tap("#expense [name=forgiven]")
        self.type("amount", self.amount)
        self.choose_payer()
        if self.chance.random() < 0.25:
            for slug, part in self.parts(self.chance.sample(SLUGS, 2)):
                self.type(f"paid-{slug}", part)
        if page.locator("#expense [value=amounts]").is_checked():
            for slug in SLUGS:
                page.locator(f"#expense [name=share-{slug}]").fill("")
            for slug, part in self.parts(self.chance.sample(SLUGS, self.chance.randint(1, 4))):
                self.type(f"share-{slug}", part)
        if self.chance.random() < 0.5:
            self.tap_face()

    def choose_payer(self):
        choose(self.scorer, self.chance.choice(SLUGS))

    def tap_face(self):
        self.scorer.tap(f"#expense .chip:has([name=for-{self.chance.choice(SLUGS)}])")

    def type_share(self):
        number = self.chance.choice(("", "0", "1", "2", "3", "12"))
        self.scorer.page.locator(f"#expense [name=share-{self.chance.choice(SLUGS)}]").fill(number)

    def choose_split(self):
        self.scorer.tap(f"#expense label:has([value={self.chance.choice(('parts', 'parts', 'amounts'))}])")

    def type(self, name, coins):
        whole, part = divmod(coins, 10**self.decimals)
        text = f"{whole},{part:0{self.decimals}d}" if self.decimals else str(whole)
        self.scorer.page.locator(f"#expense [name={name}]").fill(text)

    def parts(self, slugs):
        """Divide the amount among these people at random, at least a coin for each."""
        cuts = sorted(self.chance.sample(range(1, self.amount), len(slugs) - 1))
        return [
            (slug, after - before)
            for slug, before, after in zip(slugs, [0, *cuts], [*cuts, self.amount], strict=True)
        ]
