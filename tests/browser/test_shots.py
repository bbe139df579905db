"""Pictures of every screen: `SHOTS=/tmp/shots .venv/bin/pytest tests/browser/test_shots.py -m slow`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.browser.gallery import hang

SIZES = ((360, 740), (390, 844))
SIDEWAYS = (740, 360)
THEMES = ("light", "dark")


@pytest.mark.skipif("SHOTS" not in os.environ, reason="SHOTS names no folder to put the pictures into")
@pytest.mark.parametrize("crowded", [False, True], ids=["usual", "crowded"])
def test_every_screen_is_photographed(open_phone, owner, let_in, forgive, crowded):
    forgive("status of 404|status of 503")
    folder = Path(os.environ["SHOTS"]) / ("crowded" if crowded else "usual")
    folder.mkdir(parents=True, exist_ok=True)
    stranger, friend = (open_phone(reduced_motion="reduce") for _phone in range(2))
    let_in(friend, owner)
    pages = {True: stranger.new_page(), False: friend.new_page()}
    for number, screen in enumerate(hang(owner, crowded=crowded)):
        page = pages[screen.is_strangers]
        page.set_viewport_size({"width": SIZES[-1][0], "height": SIZES[-1][1]})
        screen.show(page)
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            for width, height in (*SIZES, SIDEWAYS):
                page.set_viewport_size({"width": width, "height": height})
                page.screenshot(path=folder / f"{number:02}-{screen.name}-{width}-{theme}.png")
