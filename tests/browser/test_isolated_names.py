"""A payment between an Arabic and a Hebrew name: the payer stands before the arrow, on every page that has one."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Method
from games.money import payments
from tests.browser.nights import play
from tests.worlds import a_key, make_table, start, the_night

LAYLA, DAVID = "ليلى", "דוד"

# The distances from the left of payer, arrow and payee, for each arrow; without the payer on another line.
PLACES = """() => {
    const found = [];
    const isName = (text) => /ليلى|דוד/.exec(text);
    const rect = (node, start, length) => {
        const range = document.createRange();
        range.setStart(node, start);
        range.setEnd(node, start + length);
        return range.getBoundingClientRect();
    };
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    const parts = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node.parentElement.closest("textarea, .vh")) continue;
        for (const { 0: text, index } of node.data.matchAll(/ليلى|דוד|→/g))
            parts.push({ text, at: rect(node, index, text.length) });
    }
    parts.forEach(({ text, at }, place) => {
        const [before, after] = [parts[place - 1], parts[place + 1]];
        if (text !== "→" || !at.width || !after || !isName(after.text)) return;
        const isBeside = (part) => part && isName(part.text) && Math.abs(part.at.top - at.top) < 8;
        const beside = [before, after].map((part) => (isBeside(part) ? part.at.left : null));
        found.push([beside[0], at.left, beside[1]].filter((left) => left !== null));
    });
    return found;
}"""


@pytest.fixture
def table(owner):
    table = make_table(owner)
    for slug, name in (("ana", LAYLA), ("beto", DAVID)):
        table.members.filter(slug=slug).update(name=name)
    return table


@pytest.mark.parametrize("page_name", ["night", "accounts"])
def test_the_payer_stands_before_the_arrow(page, phone, owner, let_in, table, page_name):
    game = start(table, owner, variant="loba_mas", point_value=10)
    play(game, owner, "round ana out ana=155 beto=-20 caro=130 dani=130")
    beto, ana = table.members.get(slug="beto"), table.members.get(slug="ana")
    payments.pay(table, beto, ana, 70, method=Method.CASH, key=a_key(), by=owner)
    let_in(phone, owner)
    day = the_night(table).isoformat()
    args = {"night": [table.code, day]}
    page.goto(reverse(page_name, args=args.get(page_name, [table.code])))
    arrows = page.evaluate(PLACES)

    assert arrows
    assert [] == [places for places in arrows if places != sorted(places)]
