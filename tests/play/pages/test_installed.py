"""The installed app: its manifest, its icons and its service worker."""

from __future__ import annotations

import json
import re
import struct
from itertools import pairwise

import pytest
from django.contrib.staticfiles import finders

from tests.reader import read_page

pytestmark = pytest.mark.django_db


def size_of(address):
    """Return the width and the height of a PNG among the static files."""
    path = finders.find(address.removeprefix("/static/"))
    assert path is not None
    with open(path, "rb") as file:
        head = file.read(24)
    assert b"\x89PNG\r\n\x1a\n" == head[:8]
    return struct.unpack(">II", head[16:])


def test_the_manifest_is_in_the_readers_language(phone_of):
    english = phone_of().get("/manifest.webmanifest")
    spanish = phone_of(language="es-AR").get("/manifest.webmanifest")
    theirs = phone_of(language="es-CL").get("/manifest.webmanifest")

    assert ("application/manifest+json", "no-cache") == (english["Content-Type"], english["Cache-Control"])
    assert ("en", "Anotador") == (english.json()["lang"], english.json()["name"])
    assert ("es-ar", "Anotador") == (spanish.json()["lang"], spanish.json()["name"])
    assert ("es-cl", "Anotador") == (theirs.json()["lang"], theirs.json()["name"])
    assert ("standalone", "/") == (english.json()["display"], english.json()["start_url"])


def test_every_icon_is_there_in_its_size_and_one_may_be_cut_round(nobody):
    icons = nobody.get("/manifest.webmanifest").json()["icons"]
    pictures = {icon["sizes"]: size_of(icon["src"]) for icon in icons if icon["type"] == "image/png"}

    assert {"192x192": (192, 192), "512x512": (512, 512)} == pictures
    assert ["any", "any", "any", "maskable"] == [icon["purpose"] for icon in icons]


def test_every_page_names_the_manifest_and_an_icon_for_the_home_screen(nobody):
    head = {node.attrs["rel"]: node.attrs for node in read_page(nobody.get("/login/")).every("link")}

    assert "/manifest.webmanifest" == head["manifest"]["href"]
    assert "use-credentials" == head["manifest"]["crossorigin"]  # the language is in a cookie
    assert (180, 180) == size_of(head["apple-touch-icon"]["href"])


def told(response):
    """Return the first lines of the service worker: its files, then the scripts it loads."""
    text = response.content.decode()
    files = re.search(r"FILES = (\[.*\]);", text)
    assert files is not None
    return json.loads(files[1]), re.findall(r'"([^"]+\.js)"', text.splitlines()[1])


def test_the_service_worker_is_asked_for_anew_and_rules_the_whole_site(nobody):
    response = nobody.get("/sw.js")

    assert ("text/javascript", "no-cache") == (response["Content-Type"], response["Cache-Control"])
    scripts = [f"/static/offline/{name}.js" for name in ("box", "outbox", "older", "worker")]
    assert scripts == told(response)[1]


def test_it_keeps_every_file_a_page_loads(nobody):
    page = read_page(nobody.get("/"))
    loaded = [node.attrs["src"] for node in page.every("script")]
    loaded += [
        node.attrs["href"] for node in page.every("link") if node.attrs["rel"] in ("stylesheet", "icon")
    ]

    assert set(loaded) <= set(told(nobody.get("/sw.js"))[0])
    for address in told(nobody.get("/sw.js"))[0]:
        assert finders.find(address.removeprefix("/static/"))


def test_another_release_is_another_worker(nobody, phone_of):
    texts = [nobody.get("/sw.js").content, nobody.get("/sw.js").content]
    # Whose pages for dead spots are Spanish, each its own: pages kept in another language are let go of.
    texts += [phone_of(language=language).get("/sw.js").content for language in ("es-AR", "es-MX")]

    assert [True, False, False] == [one == other for one, other in pairwise(texts)]


def test_the_page_for_dead_spots_is_nobodys(ana, nobody):
    shown = ana.get("/offline/")
    page = read_page(shown)

    assert nobody.get("/offline/").content == shown.content
    assert "data-person" not in page.only("main").attrs
    assert ("No connection", "Try again") == (page.only("h1").text, page.every("a")[-1].text)
