"""A client that a public generator makes from the description plays a night against a running server.

The generator is installed into a folder of its own; the test is skipped where that fails.
"""

from __future__ import annotations

import subprocess
import venv
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest
from django.core.management import call_command
from django.http import HttpResponse

from games.api.common.schema import openapi
from tests.benchmarks.served import served, settings_in
from tests.reader import Walker

GENERATOR = "openapi-python-client==0.29.1"
NEEDED = ("httpx", "attrs", "python-dateutil")  # packages that the generated code imports
NIGHT = Path(__file__).with_name("generated_night.py")

pytestmark = pytest.mark.long


class Network:
    """An HTTP client for a `Walker` over a real network: it follows redirects and keeps its cookies."""

    def __init__(self, address: str) -> None:
        self.address, self.jar = address, CookieJar()
        self.opener = build_opener(HTTPCookieProcessor(self.jar))

    def get(self, path: str, sent: dict[str, str] | None = None, **_how: object) -> HttpResponse:
        """Return the response to a GET of this path."""
        return self._ask(Request(f"{self.address}{path}{'?' + urlencode(sent) if sent else ''}"))

    def post(self, path: str, sent: dict[str, str], **_how: object) -> HttpResponse:
        """Return the response to this form, after redirects."""
        return self._ask(Request(f"{self.address}{path}", urlencode(sent).encode()))

    def _ask(self, request: Request) -> HttpResponse:
        request.add_header("Accept-Language", "en")
        with self.opener.open(request, timeout=30) as answered:
            page = HttpResponse(answered.read(), status=answered.status)
            page.redirect_chain = [(urlsplit(answered.url).path, 302)]  # type: ignore[attr-defined]
            return page

    def cookie(self, name: str) -> str:
        """Return the value of a stored cookie."""
        return next(cookie.value or "" for cookie in self.jar if cookie.name == name)


@pytest.fixture(scope="module")
def generator(tmp_path_factory):
    """The path of a Python interpreter with the generator and the packages that the generated code needs."""
    folder = tmp_path_factory.mktemp("generator")
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    installed = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", GENERATOR, *NEEDED], capture_output=True, text=True
    )
    if installed.returncode:
        pytest.skip(f"{GENERATOR} cannot be installed here: {installed.stderr[-300:]}")
    return python


@pytest.fixture(scope="module")
def generated(generator, tmp_path_factory):
    """The folder of the generated client, in which no operation is missing."""
    folder = tmp_path_factory.mktemp("generated")
    with (folder / "openapi.yaml").open("w", encoding="utf-8") as description:
        call_command("openapi", stdout=description)
    (folder / "config.yaml").write_text("post_hooks: []\n", encoding="utf-8")
    made = subprocess.run(
        [
            *(
                generator.with_name("openapi-python-client"),
                "generate",
                "--fail-on-warning",
                "--meta",
                "none",
            ),
            *("--path", folder / "openapi.yaml", "--output-path", folder / "anotador_client"),
            *("--config", folder / "config.yaml"),
        ],
        capture_output=True,
        text=True,
    )
    assert (0, "") == (made.returncode, made.stderr), made.stdout
    return folder


def test_the_generated_client_has_every_operation(generated):
    described = openapi()["paths"].values()
    operations = sorted(operation["operationId"] for path in described for operation in path.values())
    modules = (generated / "anotador_client" / "api").glob("*/*.py")

    assert operations == sorted(path.stem for path in modules if path.stem != "__init__")


def test_the_generated_client_plays_a_night(generator, generated, tmp_path):
    where = settings_in(str(tmp_path))
    where.pop("DATABASE_URL", None)
    with served(where) as address:
        phone = Network(address)
        token = the_token_ana_makes(Walker(phone))  # type: ignore[arg-type]
        held = (token, phone.cookie("sessionid"), phone.cookie("csrftoken"))
        night = subprocess.run(
            [generator, NIGHT, address, *held],
            env={"PYTHONPATH": str(generated)},
            capture_output=True,
            text=True,
            timeout=120,
        )

    assert 0 == night.returncode, night.stderr


def the_token_ana_makes(walker):
    """Make a token for all tables on the pages and return its secret.

    The walker opens a table first, because that makes it a guest, and only a user can have tokens.
    """
    walker.open("/new/")
    walker.press("Deal", new_1="Ana", new_2="Beto")
    walker.open("/programs/")
    page = walker.press("Make the token", name="un programa", table="all", role="owner", lasts="day")
    return page.only("textarea").text
