"""A new version of the program, installed while a phone has entries that wait."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.engines.phones import until
from tests.engines.test_stories import ROUNDS, counted, opens_kept_sheet, saves_a_round_and_begins_the_next
from tests.outside import Site

pytestmark = pytest.mark.slow

RELEASED = "app.0123456789ab.css"


def install_another_version(site: Site, static: Path) -> None:
    """Give the stopped site the files of a version whose styles have another name."""
    shutil.copytree(site.static, static)
    manifest = static / "staticfiles.json"
    names = json.loads(manifest.read_text())
    (styles,) = static.glob(names["paths"]["app.css"])
    for file in static.glob(f"{styles.name}*"):
        file.rename(static / file.name.replace(styles.name, RELEASED))
    names["paths"]["app.css"] = RELEASED
    manifest.write_text(json.dumps(names))
    site.static = static


def test_a_new_version_sends_the_round_that_waits_and_keeps_the_next_one_half_entered(phone, site, tmp_path):
    page, sheet = opens_kept_sheet(phone, site)
    site.stop()
    saves_a_round_and_begins_the_next(page)
    counted(page, "7")
    install_another_version(site, tmp_path / "another")
    site.start()
    until(lambda: 1 == len(site.asked(ROUNDS)), lambda: "the round was not sent")

    page.goto(sheet)
    page.until(f"() => Boolean(document.querySelector('link[href$=\"{RELEASED}\"]'))")
    page.goto(f"{sheet}round/")
    page.until("() => document.querySelector('#entry[data-step=hands] [data-seat=ana] b')?.innerText === '7'")
    assert ["caro"] == [line.split()[1] for line in site.asked(ROUNDS)]
