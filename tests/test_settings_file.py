"""One file of settings that every command finds, and the user as whom a command goes on."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import stat
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import django
import pytest
import yaml
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from games.management import checks
from scorekeeper import settings_file
from tests.test_settings import NAMES

BASE = Path(settings.BASE_DIR)
HOSTING = (BASE / "docs" / "hosting.md").read_text(encoding="utf-8")
PARTS = ("games", "scorekeeper", "static", "templates", "manage.py")
PACKAGES = Path(django.__file__).parents[1]
NOBODY = pwd.getpwnam("nobody")
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
needs_shared_packages = pytest.mark.skipif(
    not all(folder.stat().st_mode & stat.S_IXOTH for folder in (PACKAGES, *PACKAGES.parents)),
    reason="the installed packages are in a folder that no other user may enter, such as root's home",
)


@pytest.fixture
def environment(monkeypatch):
    """The environment without a setting and with no file named; what a test sets there ends with it."""
    for name in (*NAMES, settings_file.VARIABLE):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "environ", dict(os.environ))
    return os.environ


@pytest.fixture
def write(environment, tmp_path):
    """`write(text)` writes the file `.env` of a checkout and returns it."""

    def write_file(text, mode=0o640):
        file = tmp_path / ".env"
        file.write_text(text, encoding="utf-8")
        file.chmod(mode)
        return file

    return write_file


# --- lines ------------------------------------------------------------------------------------------------------------


def test_the_file_beside_manage_py_sets_what_the_environment_does_not(write, environment, tmp_path):
    environment["PORT"] = "9000"
    file = write("# the site\n\nDATA_DIR=/var/lib/anotador\r\nPORT=8000\nSITE_URL=https://a.example/?b=c \n")

    assert file == settings_file.load(tmp_path)
    assert ("/var/lib/anotador", "9000", "https://a.example/?b=c") == tuple(
        environment[name] for name in ("DATA_DIR", "PORT", "SITE_URL")
    )


def test_the_file_that_anotador_env_names_is_read_instead(write, environment, tmp_path):
    write("PORT=8000")
    other = tmp_path / "other"
    other.write_text("PORT=8001")
    environment["ANOTADOR_ENV"] = str(other)

    assert other == settings_file.load(tmp_path)
    assert "8001" == environment["PORT"]


def test_an_empty_name_reads_no_file(write, environment, tmp_path):
    write("nonsense")
    environment["ANOTADOR_ENV"] = ""

    assert settings_file.load(tmp_path) is None


def test_lines_of_compose_are_passed_over(write, environment, tmp_path):
    write("DOMAIN=cards.example.org\nCOMPOSE_FILE=a:b\nDATABASE_PASSWORD=$x\nCOMMIT=1\n")
    settings_file.load(tmp_path)

    assert not {"DOMAIN", "COMPOSE_FILE", "DATABASE_PASSWORD"} & environment.keys()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("export PORT=hunter2", "is not NAME=value"),
        ("PORT", "is not NAME=value"),
        ("PORT =hunter2", "is not NAME=value"),
        ("DEBUG=hunter2", "is not NAME=value"),
        ("PROT=hunter2", "is not NAME=value"),
        ('SECRET_KEY="hunter2"', "sets SECRET_KEY with a quote"),
        ("SECRET_KEY='hunter2'", "sets SECRET_KEY with a quote"),
        ("SECRET_KEY=hunter2$x", "sets SECRET_KEY with a quote, a $"),
        ("PORT=hunter2 # why", "sets PORT with a quote, a $, a backslash or a comment"),
        ("DATA_DIR=hunter2", "sets DATA_DIR to a relative path"),
        ("STATIC_ROOT=~/hunter2", "sets STATIC_ROOT to a relative path"),
    ],
)
def test_another_line_is_refused_by_its_number_and_never_repeated(write, tmp_path, line, reason):
    file = write(f"# the site\n{line}\n")
    with pytest.raises(ImproperlyConfigured) as refusal:
        settings_file.load(tmp_path)

    assert str(refusal.value).startswith(f"Line 2 of {file} {reason}")
    assert "hunter2" not in str(refusal.value)


def test_the_names_are_those_of_the_settings_and_of_hosting():
    listed = set(re.findall(r"^\| `([A-Z_]+)` \|", HOSTING, re.MULTILINE))

    assert settings_file.NAMES == set(NAMES) - {"DEBUG"}
    assert settings_file.NAMES == listed - {"ANOTADOR_ENV"}


# --- whose file it is -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [0o660, 0o642])
def test_a_file_that_others_may_write_is_refused(write, tmp_path, mode):
    file = write("PORT=8000", mode)
    with pytest.raises(ImproperlyConfigured, match=f"^Others may write {file}. .*chmod go-w {file}$"):
        settings_file.load(tmp_path)


@needs_root
def test_a_file_of_another_user_is_refused(write, tmp_path):
    file = write("PORT=8000")
    os.chown(file, NOBODY.pw_uid, 0)
    with pytest.raises(
        ImproperlyConfigured, match=rf"^{file} belongs to user {NOBODY.pw_uid}, .*: chown root"
    ):
        settings_file.load(tmp_path)


def test_a_link_to_the_file_of_an_earlier_version_is_followed(write, environment, tmp_path):
    linked = tmp_path / "anotador.env"
    write("PORT=8000").rename(linked)
    (tmp_path / ".env").symlink_to(linked)
    settings_file.load(tmp_path)

    assert "8000" == environment["PORT"]


def test_a_file_that_is_named_and_missing_is_refused(environment, tmp_path):
    (tmp_path / ".env").symlink_to(tmp_path / "nowhere")
    with pytest.raises(ImproperlyConfigured, match=r"cannot be read \(No such file or directory\)"):
        settings_file.load(tmp_path)


def test_the_check_names_a_file_that_others_can_read(write, settings):
    settings.SETTINGS_FILE = write("PORT=8000", 0o644)

    assert ["games.W020"] == [message.id for message in checks.check_settings_file()]
    settings.SETTINGS_FILE.chmod(0o640)
    assert [] == checks.check_settings_file()


# --- a checkout -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def public_folder():
    """A folder that other users can read, unlike pytest's own."""
    with TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


@pytest.fixture(scope="module")
def checkout(public_folder):
    """A checkout of the app that others may read."""
    folder = public_folder / "anotador"
    for part in PARTS:
        if (BASE / part).is_dir():
            shutil.copytree(BASE / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(BASE / part, folder / part)
    return folder


@cache
def find_python() -> str:
    """Return a Python that the user nobody can run, too: this one may be in root's own folder."""
    for python in (sys.executable, "/usr/bin/python3"):
        with suppress(OSError):
            if 0 == subprocess.run([python, "-c", "import fcntl"], user=NOBODY.pw_uid).returncode:
                return python
    pytest.skip("nobody can run this Python")


def bare_environment(checkout: Path) -> dict[str, str]:
    """Return an environment without settings, in which Python keeps compiled modules outside of the checkout."""
    compiled = checkout.parent / "compiled"
    compiled.mkdir(exist_ok=True)
    compiled.chmod(0o777)
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": f"{checkout}:{PACKAGES}",
        "PYTHONPYCACHEPREFIX": str(compiled),
    }


def manage(checkout: Path, *args: str, user: int | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command with a bare environment, from a folder that has nothing to do with the checkout."""
    return subprocess.run(
        [find_python(), checkout / "manage.py", *args],
        cwd="/",
        env=bare_environment(checkout),
        text=True,
        capture_output=True,
        user=user,
        group=user,
        extra_groups=None if user is None else [],
    )


def list_files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.long  # commands in processes of their own, two seconds each
def test_commands_in_an_empty_checkout_leave_it_as_it_was(subtests, checkout):
    before = list_files(checkout)
    for args in (
        ("tables",),
        ("backup",),
        ("check", "--deploy", "--database", "default"),
        ("createsuperuser", "--noinput", "--username", "ana", "--email", "a@b.example"),
    ):
        with subtests.test(args[0]):
            ended = manage(checkout, *args)
            assert f"{checkout}/data/db.sqlite3" in ended.stdout + ended.stderr
            assert "Traceback" not in ended.stderr
            assert before == list_files(checkout)


@pytest.fixture
def site(checkout, public_folder):
    """The folder of a site of the user nobody, whose checkout is root's and has its file of settings."""
    folder = public_folder / "site"
    folder.mkdir(mode=0o700)
    os.chown(folder, NOBODY.pw_uid, NOBODY.pw_gid)
    file = checkout / ".env"
    file.write_text(f"DATA_DIR={folder}\n")
    file.chmod(0o640)
    os.chown(file, 0, NOBODY.pw_gid)
    yield folder
    file.unlink()
    shutil.rmtree(folder)


@pytest.mark.slow  # commands in processes of their own, two seconds each
@needs_root
@needs_shared_packages
def test_a_command_of_roots_goes_on_as_the_owner_of_the_site(checkout, site):
    begun = manage(checkout, "migrate", "-v0")
    backed_up = manage(checkout, "backup", "--verify")
    by_itself = manage(checkout, "backup", user=NOBODY.pw_uid)

    assert (0, 0, 0) == tuple(ended.returncode for ended in (begun, backed_up, by_itself))
    assert f"Running as nobody, the owner of {site}.\n" == backed_up.stderr
    assert "" == by_itself.stderr
    assert {NOBODY.pw_uid} == {path.stat().st_uid for path in (site, *site.rglob("*"))}
    assert 2 == len(list(site.glob("backups/backup-*")))
    assert not (checkout / "data").exists()


@needs_root
def test_an_owner_without_a_name_gets_no_home_of_roots(site):
    os.chown(site, 54321, 54321)
    program = f"""
import os, pathlib
from scorekeeper.site_user import become_owner
become_owner(pathlib.Path({str(site)!r}))
print(os.getuid(), os.getgid(), os.getgroups(), os.environ["HOME"])
"""
    ended = subprocess.run(
        [sys.executable, "-c", program],
        cwd=BASE,
        env={**os.environ, "HOME": "/root"},
        text=True,
        capture_output=True,
    )

    assert ("54321 54321 [] /\n", 0) == (ended.stdout, ended.returncode)
    assert f"Running as user 54321, the owner of {site}.\n" == ended.stderr


@pytest.mark.slow  # commands in processes of their own, two seconds each
@needs_root
@needs_shared_packages
def test_another_user_gets_the_line_to_run(checkout, site):
    line = rf"Run: sudo \S+ {checkout}/manage.py tables"
    without_settings = manage(checkout, "tables", user=12345)
    (checkout / ".env").chmod(0o644)
    without_folder = manage(checkout, "tables", user=12345)

    assert re.search(f"user 12345 may not read it. {line}", without_settings.stderr)
    assert re.search(f"{site} belongs to nobody, not to user 12345. {line}", without_folder.stderr)
    assert [] == list_files(site)


# --- programs that no file of settings changes ------------------------------------------------------------------------

IN_A_BROWSER = """
import sys
from scorekeeper.serverless import gateway
gateway.begin({}, sys.argv[1], "/")
"""
BUNDLED = """
import sys, django
django.setup()
from pathlib import Path
from games.management import bundle
print(bundle.create_database(Path(sys.argv[1])))
"""


@pytest.mark.long  # commands in processes of their own, two seconds each
def test_tests_types_and_the_folder_without_a_server_never_see_a_wrong_file(subtests, checkout, tmp_path):
    (checkout / ".env").write_text("nonsense")
    environment = {**bare_environment(checkout), "DJANGO_SETTINGS_MODULE": "tests.settings"}
    shutil.copytree(
        BASE / "tests", checkout / "tests", ignore=lambda _folder, names: {*names} - {"settings.py"}
    )
    try:
        assert f"Line 1 of {checkout}/.env is not NAME=value" in manage(checkout, "tables").stderr
        for program in ("import tests.settings", BUNDLED, IN_A_BROWSER):
            with subtests.test(program):
                command = [find_python(), "-c", program, tmp_path]
                ended = subprocess.run(command, cwd=checkout, env=environment, text=True, capture_output=True)
                assert (0, "") == (ended.returncode, ended.stderr)
    finally:
        (checkout / ".env").unlink()
        shutil.rmtree(checkout / "tests")


def test_the_image_and_ci_read_no_file(subtests):
    for name, line in (
        ("Dockerfile", " ANOTADOR_ENV=\n"),
        (".ci/run", "export ANOTADOR_ENV=  "),
        (".ci/django6", "export ANOTADOR_ENV=  "),
    ):
        with subtests.test(name):
            assert line in (BASE / name).read_text(encoding="utf-8")
    assert "!.env" not in (BASE / ".dockerignore").read_text(encoding="utf-8")


def test_compose_passes_the_file_and_sets_what_the_image_and_caddy_need():
    compose = (BASE / "compose.yaml").read_text(encoding="utf-8")
    own = ("DATA_DIR", "STATIC_ROOT", "PORT", "ALLOWED_HOSTS", "SITE_URL", "HTTPS", "TRUSTED_PROXIES")

    assert "env_file: .env " in compose
    assert [] == [name for name in own if f"\n      {name}: " not in compose]


def test_compose_passes_what_the_shell_sets_of_the_settings_that_it_passed_before():
    environment = yaml.safe_load((BASE / "compose.yaml").read_text(encoding="utf-8"))["services"]["site"][
        "environment"
    ]

    # A name without a value: compose takes it from the shell or from .env, and otherwise leaves it out.
    assert {"NEW_TABLES", "OPERATOR_CONTACT"} == {
        name for name, value in environment.items() if value is None
    }


@pytest.mark.slow  # commands in processes of their own, two seconds each
@needs_root
def test_a_folder_that_another_user_may_write_is_theirs_too(checkout, site):
    (checkout / ".env").chmod(0o644)
    site.chmod(0o777)
    ended = manage(checkout, "tables", user=12345)

    assert [] == re.findall("belongs to nobody|Running as", ended.stderr)
