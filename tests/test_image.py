"""The image of `Dockerfile`, built and run: a night behind Caddy continues in the container that replaces the
first one.

It needs podman, runc, Caddy and, unless the base image is already on this machine, mmdebstrap to build it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.scoring import __version__
from tests.proxy_servers import HOST, HttpsPhone, caddy, skip_unless_installed
from tests.server_processes import free_port
from tests.test_behind_a_proxy import open_table, record

pytestmark = pytest.mark.long

BASE = Path(__file__).parents[1]
DEBIAN = "debian:bookworm-slim"
NUMBER = "games/scoring/__init__.py"
NEWER = "99.0.0"
# The limits are this user's own, because raising them may be forbidden, as in a container.
RUN = ("--runtime", "runc", "run", "--ulimit", "nofile=4096:4096", "--ulimit", "nproc=1000:1000")
BEHIND_CADDY = {"HTTPS": "1", "ALLOWED_HOSTS": HOST, "TRUSTED_PROXIES": "10.0.0.0/8,127.0.0.1"}


def podman(*args: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["podman", *map(str, args)], capture_output=True, text=True)


def check_output(ended: subprocess.CompletedProcess[str]) -> str:
    """Return the output of a process. Assert that it succeeded."""
    assert 0 == ended.returncode, ended.stdout + ended.stderr
    return ended.stdout.strip()


@pytest.fixture(scope="module")
def images(tmp_path_factory) -> dict[str, str]:
    """The names of the image of this version and of a newer one, which differs only by its number."""
    skip_unless_installed("podman", "runc", "caddy", "openssl")
    if podman("image", "exists", DEBIAN).returncode:
        skip_unless_installed("mmdebstrap")
        archive = tmp_path_factory.mktemp("debian") / "root.tar"
        subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", "bookworm", archive], check=True)
        check_output(podman("import", archive, f"docker.io/library/{DEBIAN}"))
    later = tmp_path_factory.mktemp("later") / "source"
    left_out = shutil.ignore_patterns(".git", ".venv", "*_cache", "node_modules", "data", "tests")
    shutil.copytree(BASE, later, ignore=left_out)
    number = later / NUMBER
    number.write_text(number.read_text(encoding="utf-8").replace(__version__, NEWER), encoding="utf-8")
    return {"this": build(BASE, "test-anotador"), "newer": build(later, "test-anotador-newer")}


def build(source: Path, name: str) -> str:
    # If pip uses a proxy with its own certificate here, so does the build.
    trusted = os.environ.get("PIP_CERT")
    through = ("--volume", f"{trusted}:/trusted.pem:ro", "--env", "PIP_CERT=/trusted.pem") if trusted else ()
    kind = ("--isolation", "chroot", "--pull=never", "--format", "docker")
    base = ("--build-arg", f"DEBIAN={DEBIAN}")  # the one that is on this machine, whatever digest is pinned
    check_output(podman("build", *base, *kind, *through, "--tag", f"localhost/{name}", source))
    return f"localhost/{name}"


class Container:
    """A running container with the data in `volume`, at a port of this machine."""

    def __init__(self, image: str, volume: str, port: int) -> None:
        variables = [word for name, value in BEHIND_CADDY.items() for word in ("--env", f"{name}={value}")]
        place = ("--detach", "--volume", f"{volume}:/data", "--publish", f"127.0.0.1:{port}:8000")
        self.name = check_output(podman(*RUN, *place, *variables, image))

    def wait(self) -> None:
        """Wait until its health check succeeds."""
        until = time.monotonic() + 90
        while podman("healthcheck", "run", self.name).returncode:
            assert time.monotonic() < until, podman("logs", self.name)
            time.sleep(0.5)

    def manage(self, *args: str) -> str:
        """Run a `manage.py` command in it that must succeed, and return its output."""
        return check_output(podman("--runtime", "runc", "exec", self.name, "python", "manage.py", *args))

    def end(self) -> int:
        """Stop and remove it. Return the exit code of the server."""
        check_output(podman("stop", "--time", "20", self.name))
        code = int(check_output(podman("wait", self.name)))
        check_output(podman("rm", self.name))
        return code


@pytest.fixture
def volume() -> Iterator[str]:
    name = check_output(podman("volume", "create"))
    yield name
    podman("volume", "rm", "--force", name)  # with its containers


def test_a_night_goes_on_in_the_newer_container(images, volume, tmp_path):
    port = free_port()
    first = Container(images["this"], volume, port)
    first.wait()
    with caddy(tmp_path, port) as proxy:
        phone = HttpsPhone(proxy, "127.0.0.5")
        owner, sheet = open_table(phone)
        record(owner, sheet)
        verified = first.manage("backup", "--verify", "--keep", "2")
        wrong = first.manage("check", "--deploy", "--database", "default", "--fail-level", "WARNING")
        assert 0 == first.end()

        second = Container(images["newer"], volume, port)
        second.wait()
        owner.open(sheet)
        before = {"7", "9"} <= {cell.text for cell in owner.page.every("td", "b", "span")}
        record(owner, sheet)
        after = {"14", "18"} <= {cell.text for cell in owner.page.every("td", "b", "span")}
        page_text = owner.open("/you/").only("main").text
        proved = second.manage("check_books")
        who = check_output(podman("--runtime", "runc", "exec", second.name, "id", "-u"))
        assert 0 == second.end()

    assert "It was restored into a scratch place, where everything adds up." in verified
    assert wrong.startswith("System check identified no issues")
    assert (True, True) == (before, after)
    assert page_text.endswith(f"Anotador {NEWER}")
    assert re.search(r"\b1 games?\b", proved), proved
    assert "10001" == who
