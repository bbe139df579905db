"""Lighthouse on the pages of a table, as on a phone: mobile, throttled, the median of three runs a page.

The pages are served by `manage.py serve`, from a temporary database with the demo table. Lighthouse is not
installed with the project: `npm install lighthouse@12` anywhere, and

    LIGHTHOUSE=/path/to/node_modules/.bin/lighthouse python -m tests.benchmarks.lighthouse
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import sync_playwright

from tests.benchmarks.served import manage, served, settings_in
from tests.browser.chromium import find_chromium

RUNS = 3
CATEGORIES = {"performance": 0.98, "accessibility": 1.0, "best-practices": 1.0, "seo": 1.0}
ALLOWED_TO_FAIL = "is-crawlable"  # pages that search engines may not index
PASSWORD = "siete de oros"

# Run in the project's shell: prints the pages to measure, and a session of the table's owner.
SETUP = """
import json
from django.contrib.auth.models import User
from django.test import Client
from games.models import Game
client = Client()
client.force_login(User.objects.get(username="demo"))
running = Game.objects.filter(ended_at=None, discarded_at=None)[0].code
table = Game.objects.get(code=running).table
member = table.members.order_by("pk")[0].slug
over = Game.objects.exclude(ended_at=None)[0].code
print(json.dumps({
    "cookie": client.cookies["sessionid"].value,
    "paths": {
        "home": "/", "sheet": f"/g/{running}/", "entry": f"/g/{running}/round/", "settlement": f"/g/{over}/settlement/",
        "season": f"/t/{table.code}/season/", "player": f"/t/{table.code}/player/{member}/",
        "accounts": f"/t/{table.code}/accounts/",
    },
}))
"""


def main() -> int:
    """Print each page's scores and goals; return the exit code, 1 if a goal is missed."""
    with tempfile.TemporaryDirectory() as folder:
        settings = settings_in(folder)
        manage(settings, "migrate", "--verbosity", "0")
        manage(settings, "demo", "--password", PASSWORD)
        fixtures = json.loads(manage(settings, "shell", "-v", "0", "-c", SETUP).splitlines()[-1])
        with served(settings) as address, _browser(address, fixtures["cookie"]) as port:
            reached = [
                _report(name, [_audit(f"{address}{path}", port, folder) for _ in range(RUNS)])
                for name, path in fixtures["paths"].items()
            ]
    return 0 if all(reached) else 1


@contextmanager
def _browser(address: str, session: str) -> Iterator[int]:
    """Yield the debugging port of a Chromium that is signed in as the owner.

    The session is a cookie of its profile, because requests of the service worker would not have a header set
    by Lighthouse.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as profile:
        context = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=find_chromium(),
            locale="es-AR",
            args=["--no-sandbox", f"--remote-debugging-port={port}"],
        )
        context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
        yield port
        context.close()


def _audit(url: str, port: int, folder: str) -> dict[str, Any]:
    report = Path(folder) / "report.json"
    command = [
        os.environ.get("LIGHTHOUSE", "lighthouse"), url, "--quiet", "--output=json", f"--output-path={report}",
        f"--port={port}", f"--only-categories={','.join(CATEGORIES)}",
    ]  # fmt: skip
    subprocess.run(command, check=True)
    answer: dict[str, Any] = json.loads(report.read_text())
    return answer


def _report(page: str, audits: list[dict[str, Any]]) -> bool:
    held = True
    for category, goal in CATEGORIES.items():
        score = median(_score(audit, category) for audit in audits)
        held &= score >= goal
        print(f"{page:12} {category:15} {score:.2f} (goal {goal:.2f})", flush=True)
    failed = sorted({name for audit in audits for name in _failed(audit)} - {ALLOWED_TO_FAIL})
    print(f"{page:12} below 1: {', '.join(failed) or 'nothing'}", flush=True)
    return held


def _score(audit: dict[str, Any], category: str) -> float:
    """Return the category's score, without the audit that always fails where search engines are kept out."""
    results = audit["categories"][category]
    audits = audit["audits"]
    weighed = [
        (reference["weight"], audits[reference["id"]]["score"])
        for reference in results["auditRefs"]
        if reference["weight"] and reference["id"] != ALLOWED_TO_FAIL
    ]
    counted = [(weight, score) for weight, score in weighed if score is not None]
    return float(sum(weight * score for weight, score in counted) / sum(weight for weight, _ in counted))


def _failed(audit: dict[str, Any]) -> list[str]:
    audits: dict[str, dict[str, Any]] = audit["audits"]
    names = [
        reference["id"]
        for category in audit["categories"].values()
        for reference in category["auditRefs"]
        if reference["weight"]
    ]
    return [name for name in names if isinstance(score := audits[name]["score"], int | float) and score < 1]


if __name__ == "__main__":
    sys.exit(main())
