"""A folder without a server, served by nginx, on each engine: a game, the host down, and the table's file.

`browser/test_folder.py` has the folder in Chromium.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from games.files.services import audit, file_reader, table_import
from tests.engines.phones import Page, until
from tests.factories import make_user
from tests.proxy_servers import LOOPBACK, skip_unless_installed
from tests.server_processes import free_port
from tests.serverless_app import POST

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]

BOOT = 240.0  # seconds; a busy machine is slow, not wrong
MAIN = """\
daemon off;
pid {made}/nginx.pid;
{user}
events {{ }}
http {{
    include /etc/nginx/mime.types;
    access_log off;
    client_body_temp_path {made}/bodies;
    proxy_temp_path {made}/responses;
    fastcgi_temp_path {made}/fastcgi;
    uwsgi_temp_path {made}/uwsgi;
    scgi_temp_path {made}/scgi;
    server {{
        listen {address};
        location /anotador/ {{
            alias {folder}/;
            include {folder}/nginx.conf.txt;
        }}
    }}
}}
"""
HANDS = {"closer": "ana", "closing": "out"}
BRING = """async ([path, text]) => {
  const page = new DOMParser().parseFromString(await (await fetch(path)).text(), "text/html");
  const form = page.querySelector("form:has([type=file])");
  const body = new FormData(form);
  body.set(form.querySelector("[type=file]").name, new File([text], "table.json"));
  return (await fetch(path, { method: "POST", body })).url;
}"""


@contextmanager
def nginx(folder: Path, made: Path) -> Iterator[str]:
    """Serve the folder under /anotador/ during the `with` block."""
    port = free_port()
    user = "user root;" if os.geteuid() == 0 else ""
    configuration = made / "nginx.conf"
    configuration.write_text(MAIN.format(made=made, folder=folder, address=f"{LOOPBACK}:{port}", user=user))
    with subprocess.Popen(["nginx", "-c", str(configuration), "-e", str(made / "nginx.log")]) as server:
        address = f"http://localhost:{port}/anotador/"
        for _try in range(100):
            with suppress(OSError), urllib.request.urlopen(address):
                break
            time.sleep(0.1)
        try:
            yield address
        finally:
            server.terminate()


def wait_for_text(page: Page, text: str) -> None:
    until(lambda: text in " ".join(page.texts("main")), lambda: str(page.texts("main")), patience=BOOT)


def wait_for_element(page: Page, selector: str) -> None:
    script = "(selector) => Boolean(document.querySelector(selector))"
    until(lambda: page.run(script, selector), lambda: selector, patience=BOOT)


def wait_for_path(page: Page, pattern: str) -> str:
    """Wait until the page's path matches, and return it."""
    path = "() => location.pathname"
    until(lambda: re.fullmatch(pattern, page.run(path)), lambda: str(page.run(path)), patience=BOOT)
    return str(page.run(path))


def test_the_folder_app_works_without_its_host_and_its_file_can_be_imported_here_and_at_a_site(
    phone, folder_app, tmp_path
):
    skip_unless_installed("nginx")
    with nginx(folder_app / "cards", tmp_path) as address:
        page = phone.open(address.removesuffix("/anotador/"))
        page.goto("/anotador/")
        page.write("[name=people]", "Ana, Beto, Caro")
        page.tap("form:not([hidden]) button.go")
        wait_for_element(page, "[data-chips]")
        page.tap(".dock .go")
        game = wait_for_path(page, "/anotador/g/[^/]+/")
        for path, beto, caro in (("round", 105, 8), ("correct/2", 45, 9), ("round", 12, 3)):
            fields = {**HANDS, "hand-beto": str(beto), "hand-caro": str(caro)}
            assert "recorded" == page.run(POST, [f"{game}{path}/", fields])
    page.goto(game)  # the host is down
    wait_for_text(page, "57")
    page.goto("/anotador/")
    wait_for_text(page, "Ana, Beto, Caro")
    saving = (
        "() => fetch(document.querySelector('[data-saving]').dataset.saving).then((answer) => answer.text())"
    )
    text = page.run(saving)

    restored = table_import.create_table(
        file_reader.read_table(text.encode()), key="brought", by=make_user("ana"), again=False
    )
    assert [] == audit.check_table(restored).differences

    phone.begin()  # a new phone, or one whose browser storage was wiped
    with nginx(folder_app / "cards", tmp_path) as address:
        page = phone.open(address.removesuffix("/anotador/"))
        page.goto("/anotador/")
        page.tap("form:not([hidden]) button.go")
        wait_for_element(page, "a[href$='/bring/']")
        page.run(BRING, ["/anotador/import/", text])
        page.goto("/anotador/")
        wait_for_text(page, "Ana, Beto, Caro")


def test_a_site_that_is_gone_leads_to_the_folder_that_was_downloaded(phone, site_with_folder):
    page = phone.open(f"http://localhost:{site_with_folder.port}")
    page.goto("/new/?shown=&new-1=Ana&new-2=Beto&table-name=La+cabaña")
    page.tap(".dock .go")
    wait_for_path(page, "/g/[^/]+/")
    assert page.goto_under_worker("/")
    page.tap("[data-download] button")
    wait_for_element(page, "[data-download] button[hidden]")
    site_with_folder.kill()
    page.goto("/t/unknown/settings/")
    wait_for_element(page, "#solo:not([hidden])")
    page.tap("#solo")
    wait_for_element(page, "[name=table-name][value='La cabaña']")
    page.tap(".dock .go")
    wait_for_path(page, "/solo/g/[^/]+/")
