"""A finished game on its pages, compared with the command line's reading of its exported text."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.scorer import Scorer, plain, seated_order

PROJECT = Path(__file__).resolve().parents[2]
GONE = ("out", "left")


@dataclass(frozen=True)
class Settled:
    """The result of a game by names: totals, players who are out, net amounts, and payments."""

    totals: dict[str, int]
    gone: set[str]
    nets: dict[str, int]
    payments: list[tuple[str, str, int]]


def shown(scorer: Scorer) -> Settled:
    """Return the result that the settlement and the sheet show. Start at the settlement, end at the sheet."""
    page = scorer.page
    expect(page.locator("#standings")).to_be_visible()
    nets, payments = shown_nets(page), shown_payments(page)
    scorer.goes_back()
    expect(page.locator(".score")).to_be_visible()
    figures = page.locator(".score .total").evaluate_all("all => all.map(total => total.firstChild.data)")
    gone = page.locator(".score .who.gone").evaluate_all("heads => heads.map(head => head.title)")
    totals = dict(zip(seated_order(page), map(amount, figures), strict=True))
    return Settled(totals, set(gone), nets, payments)


def exported(scorer: Scorer, path: Path) -> dict:
    """Export the game's text into this file and return what `games.scoring play --json` reads from it."""
    page = scorer.page
    scorer.tap("a.icon[href$='/more/']")
    with page.expect_download() as download:
        scorer.tap("a[href$='/export/']")
    download.value.save_as(path)
    command = [sys.executable, "-m", "games.scoring", "play", "--json", str(path)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    played: dict = json.loads(done.stdout)
    return played


def settled_as(played: dict) -> Settled:
    """Return the command line's JSON as a result."""
    players = {player["id"]: player for player in played["players"]}
    return Settled(
        totals={player["name"]: player["total"] for player in players.values()},
        gone={player["name"] for player in players.values() if player["seat"] in GONE},
        nets={player["name"]: player["net"] for player in players.values()},
        payments=[
            (players[paid["from"]]["name"], players[paid["to"]]["name"], paid["amount"])
            for paid in played["transfers"]
        ],
    )


def pages_match_their_text(scorer: Scorer, folder: Path) -> Settled:
    """Check that the pages show the result of their exported text, and return it. Start at the settlement."""
    seen = shown(scorer)
    assert settled_as(exported(scorer, folder / "night.game")) == seen
    return seen


def shown_nets(page: Page) -> dict[str, int]:
    """Return what everybody won or lost as the settlement shows it; all zero in a game without money."""
    standings = page.locator("#standings > *")
    names = standings.locator(".name").all_inner_texts()
    figures = standings.locator(".figure").all_inner_texts() or ["0"] * len(names)
    return {name: amount(figure) for name, figure in zip(names, figures, strict=True)}


def shown_payments(page: Page) -> list[tuple[str, str, int]]:
    """Return the payments that the settlement shows: payer, payee, amount."""
    rows = page.locator("#payments .pay").all()
    ends = [re.sub("[\u2066-\u2069]", "", row.locator(".pair").get_attribute("title") or "") for row in rows]
    amounts = [amount(row.locator(".figure").inner_text()) for row in rows]
    named = [line.partition(" → ") for line in ends]
    return [(payer, payee, paid) for (payer, _arrow, payee), paid in zip(named, amounts, strict=True)]


def amount(text: str) -> int:
    """Return the number in `+$ 3.500`."""
    figure = int(re.sub(r"\D", "", text))
    return -figure if plain(text).startswith("−") else figure
