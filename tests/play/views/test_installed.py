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


def png_size(address):
    path = finders.find(address.removeprefix("/static/"))
    assert path is not None
    with open(path, "rb") as file:
        head = file.read(24)
    assert b"\x89PNG\r\n\x1a\n" == head[:8]
    return struct.unpack(">II", head[16:])


def test_the_manifest_is_in_the_readers_language(client_for):
    english = client_for().get("/manifest.webmanifest")
    spanish = client_for(language="es-AR").get("/manifest.webmanifest")

    assert ("application/manifest+json", "no-cache") == (english["Content-Type"], english["Cache-Control"])
    assert ("en", "Anotador") == (english.json()["lang"], english.json()["name"])
    assert ("es-ar", "Anotador") == (spanish.json()["lang"], spanish.json()["name"])
    assert ("standalone", "/") == (english.json()["display"], english.json()["start_url"])


def test_every_icon_has_its_declared_size_and_one_is_maskable(nobody):
    icons = nobody.get("/manifest.webmanifest").json()["icons"]
    pictures = {icon["sizes"]: png_size(icon["src"]) for icon in icons if icon["type"] == "image/png"}

    assert {"192x192": (192, 192), "512x512": (512, 512)} == pictures
    assert ["any", "any", "any", "maskable"] == [icon["purpose"] for icon in icons]


def test_every_page_links_the_manifest_and_a_touch_icon(nobody):
    head = {node.attrs["rel"]: node.attrs for node in read_page(nobody.get("/login/")).every("link")}

    assert "/manifest.webmanifest" == head["manifest"]["href"]
    assert "use-credentials" == head["manifest"]["crossorigin"]  # the language is stored in a cookie
    assert (180, 180) == png_size(head["apple-touch-icon"]["href"])


def parse_worker(response):
    """Return the service worker's list of files and the scripts that it loads."""
    text = response.content.decode()
    files = re.search(r"FILES = (\[.*\]);", text)
    assert files is not None
    return json.loads(files[1]), re.findall(r'"([^"]+\.js)"', text.splitlines()[1])


def test_the_service_worker_is_revalidated_and_loads_its_script(nobody):
    response = nobody.get("/sw.js")

    assert ("text/javascript", "no-cache") == (response["Content-Type"], response["Cache-Control"])
    assert ["/static/worker.js"] == parse_worker(response)[1]


def test_the_service_worker_caches_every_file_that_a_page_loads(nobody):
    page = read_page(nobody.get("/"))
    loaded = [node.attrs["src"] for node in page.every("script")]
    loaded += [
        node.attrs["href"] for node in page.every("link") if node.attrs["rel"] in ("stylesheet", "icon")
    ]

    assert set(loaded) <= set(parse_worker(nobody.get("/sw.js"))[0])
    for address in parse_worker(nobody.get("/sw.js"))[0]:
        assert finders.find(address.removeprefix("/static/"))


def test_the_service_worker_differs_by_language(nobody, client_for):
    texts = [nobody.get("/sw.js").content, nobody.get("/sw.js").content]
    # Its offline pages are in the reader's language, so another language must replace the cached pages.
    texts += [client_for(language=language).get("/sw.js").content for language in ("es-AR", "es-MX")]

    assert [True, False, False] == [text == other for text, other in pairwise(texts)]


def test_the_offline_page_has_no_users_data(ana, nobody):
    response = ana.get("/offline/")
    page = read_page(response)

    assert nobody.get("/offline/").content == response.content
    assert "data-person" not in page.only("main").attrs
    assert ("No connection", "Try again") == (page.only("h1").text, page.every("a")[-1].text)
