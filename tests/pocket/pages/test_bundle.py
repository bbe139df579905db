"""The bundle as a phone requests it, and the pages that offer it; nothing is offered without a bundle."""

from __future__ import annotations

import json
import re

import pytest

from games.pocket import bundle
from scorekeeper.middleware import POLICY
from tests.pocket.bundles import served_from
from tests.reader import read_page

pytestmark = pytest.mark.django_db

PLACES = (
    "/pocket/bundle/",
    "/pocket/bundle/worker.js",
    "/pocket/bundle/shell/",
    "/pocket/bundle/abc/app.tar",
)


@pytest.fixture
def carried(tmp_path):
    """A site with a bundle of one file."""
    folder = tmp_path / "carried" / "abc"
    folder.mkdir(parents=True)
    (folder / "app.tar").write_bytes(b"whole")
    (folder / "app.tar.br").write_bytes(b"squeezed")
    file = {"name": "app.tar", "place": "abc", "size": 5, "travels": 7_100_000}
    index = {"sources": bundle.sources(), "files": {"app.tar": file}}
    (folder.parent / bundle.INDEX).write_text(json.dumps(index))
    with served_from(tmp_path):
        yield


def offers(page) -> list[str]:
    """Return the offers of the bundle on the page, as its script finds them."""
    return [node.attrs["data-size"] for node in read_page(page).every("div") if "data-pocket" in node.attrs]


def test_home_and_the_table_settings_offer_the_bundle_to_users_of_their_own_phone(
    carried, ana, table, nobody
):
    offer = ["Download 7 MB once; your tables then open without a connection"]

    assert [offer, offer] == [offers(ana.get(address)) for address in ("/", f"/t/{table.code}/settings/")]
    assert [] == offers(nobody.get("/"))
    ana.cookies["lent"] = "to somebody"
    assert [] == offers(ana.get("/"))


def test_a_table_that_is_too_large_is_not_offered_the_bundle(carried, ana, game, monkeypatch):
    monkeypatch.setattr("games.views.common.context.MOST_GAMES", 0)

    assert [] == offers(ana.get(f"/t/{game.table.code}/"))


def test_without_a_bundle_none_is_offered_served_or_loaded(ana, table):
    page = ana.get("/").content.decode()

    assert "pocket" not in page
    assert "pocket" not in ana.get(f"/t/{table.code}/settings/").content.decode()
    assert "pocket" not in ana.get("/sw.js").content.decode()
    assert [404] * len(PLACES) == [ana.get(place).status_code for place in PLACES]


def test_the_service_worker_loads_the_handover_script_but_does_not_cache_the_bundle(carried, ana):
    files, scripts = ana.get("/sw.js").content.decode().splitlines()

    assert "pocket" not in files
    assert ["box", "outbox", "older", "handing", "worker"] == re.findall(r"(\w+)\.js", scripts)


def test_the_index_lists_all_files_to_download(carried, nobody):
    index = nobody.get("/pocket/bundle/").json()
    sizes = {file["address"]: file["size"] for file in index["files"]}

    assert 5 == sizes["/pocket/bundle/abc/app.tar"]
    assert {index["worker"], index["shell"], "/offline/", "/static/app.css", "/static/pocket/lead.js"} <= set(
        sizes
    )
    assert [200] == list({nobody.get(address).status_code for address in sizes if "/pocket/" in address[:8]})


def test_bundle_files_are_immutable_and_compressed(carried, nobody):
    squeezed = nobody.get(PLACES[-1], headers={"accept-encoding": "gzip, br"})
    whole = nobody.get(PLACES[-1])

    assert (b"squeezed", "br") == (squeezed.content, squeezed["Content-Encoding"])
    assert (b"whole", False) == (whole.content, "Content-Encoding" in whole)
    assert {"public, max-age=31536000, immutable"} == {
        answer["Cache-Control"] for answer in (squeezed, whole)
    }
    assert 404 == nobody.get("/pocket/bundle/abd/app.tar").status_code


def test_only_the_worker_may_compile_webassembly(carried, nobody):
    policies = {place: nobody.get(place)["Content-Security-Policy"] for place in ("/", *PLACES)}

    assert ["/pocket/bundle/worker.js"] == [place for place, policy in policies.items() if "wasm" in policy]
    assert POLICY == policies["/pocket/bundle/shell/"]
    assert "'self' 'wasm-unsafe-eval'" in policies["/pocket/bundle/worker.js"]


def test_the_worker_has_its_file_addresses_and_the_shell_the_worker_and_release(carried, nobody):
    script = nobody.get("/pocket/bundle/worker.js").content.decode()
    shell = read_page(nobody.get("/pocket/bundle/shell/")).only("html").attrs

    assert '{"app.tar": "/pocket/bundle/abc/app.tar"}' in script
    assert f"/pocket/bundle/worker.js?{bundle.release()}" == shell["data-worker"]
    assert bundle.release() == shell["data-release"]
