"""`manage.py serve`: it sets everything up, prints the addresses to open, and becomes the server."""

from __future__ import annotations

import errno
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import weakref
from contextlib import nullcontext
from io import StringIO
from multiprocessing import connection
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import CommandError, call_command
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from games.common import network
from games.management import http_server, schema, site_folder, stop_signals, worker_pool
from games.management.commands import clean, serve
from games.management.commands.migrate import preparation_lock
from tests.server_processes import BASE, Site, free_port
from tests.test_logs import TOKEN

LAN = ["192.0.2.7", "198.51.100.7"]


@pytest.fixture
def commands_run():
    """The names of the commands run before the server starts."""
    return []


@pytest.fixture
def run_serve(monkeypatch, commands_run, settings, tmp_path):
    """`run_serve(*arguments)` runs the command up to the first request, and returns the server's options."""
    settings.STATIC_ROOT = settings.DATA_DIR = tmp_path
    settings.ALLOWED_HOSTS = list(settings.ALLOWED_HOSTS)
    monkeypatch.setattr("games.common.network.lan_addresses", lambda: LAN)
    monkeypatch.setattr(
        site_folder, "lock_marker", lambda **_how: nullcontext(True)
    )  # no `migrate` created the marker
    monkeypatch.setattr(schema, "check_schema", lambda: commands_run.append("shape"))
    monkeypatch.setattr(clean.Command, "handle", lambda _command: commands_run.append("clean"))
    monkeypatch.setattr(serve, "call_command", lambda name, **options: commands_run.append(name))
    monkeypatch.setattr(sys, "setswitchinterval", lambda _seconds: None)
    options: dict[str, object] = {}

    def listening(_application, **given):
        names = [listener.getsockname() for listener in given["sockets"]]
        options.update(given, hosts=[name[0] for name in names], port=names[0][1])
        return SimpleNamespace(run=lambda: None)

    monkeypatch.setattr("waitress.server.create_server", listening)

    def start(*arguments):
        call_command("serve", "--port", str(free_port()), *arguments)
        return options

    return start


def test_the_database_is_ready_before_the_server_starts_and_files_are_collected_again_if_one_changed(
    run_serve, commands_run, settings, tmp_path
):
    added = tmp_path / "added"
    added.mkdir()
    settings.STATICFILES_DIRS = [*settings.STATICFILES_DIRS, added]
    again = []
    for change in (None, None, "seven", "seven", "eight"):
        if change:
            (added / "of_coins.css").write_text(change)
        finders.get_finder.cache_clear()  # type: ignore[attr-defined]
        commands_run.clear()
        run_serve()
        again.append("collectstatic" in commands_run)
        assert ["migrate", "shape", "clean"] == commands_run[:3]
    finders.get_finder.cache_clear()  # type: ignore[attr-defined]

    assert [True, False, True, False, True] == again


@pytest.fixture
def commands_of_a_start(home, monkeypatch, settings):
    """`commands_of_a_start()` prepares the site in `home`, and returns the commands that were called."""
    settings.ALLOWED_HOSTS, settings.STORED_SECRET = list(settings.ALLOWED_HOSTS), "a secret of this site"
    monkeypatch.setattr(serve, "is_collected", lambda: True)
    commands_called: list[str] = []
    monkeypatch.setattr(serve, "call_command", lambda name, **options: commands_called.append(name))

    def prepare() -> list[str]:
        commands_called.clear()
        serve.Command(stdout=StringIO())._prepare("127.0.0.1")
        return commands_called

    return prepare


def test_a_start_on_a_migrated_database_does_not_migrate_it_again(commands_of_a_start):
    assert [] == commands_of_a_start()


def test_a_start_without_its_key_migrates(commands_of_a_start, settings):
    settings.STORED_SECRET = None
    assert ["migrate"] == commands_of_a_start()


def test_a_start_without_its_marker_migrates(commands_of_a_start):
    site_folder.marker_file().unlink()
    assert ["migrate"] == commands_of_a_start()


def test_a_start_on_an_earlier_database_migrates(commands_of_a_start):
    recorded = MigrationRecorder(connections["default"]).migration_qs.filter(app="games")
    recorded.filter(name=max(recorded.values_list("name", flat=True))).delete()
    assert ["migrate"] == commands_of_a_start()


def test_a_start_on_a_newer_database_is_refused(commands_of_a_start):
    MigrationRecorder(connections["default"]).record_applied("games", "9999_later")
    with pytest.raises(CommandError, match="made by a newer version"):
        commands_of_a_start()


def test_every_phone_in_the_network_is_told_where_to_look(run_serve, capsys):
    port = run_serve()["port"]
    printed = capsys.readouterr().out
    assert f"http://localhost:{port}/" in printed
    assert all(f"http://{address}:{port}/" in printed for address in LAN)
    assert serve.terminal_code(f"http://{LAN[0]}:{port}/") in printed


def test_the_server_runs_threads_and_keeps_two_thousand_connections_longer_than_a_poll(run_serve):
    options = run_serve()
    assert (8, True) == (options["threads"], 30 < options["channel_timeout"])
    assert 2_000 < options["connection_limit"]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert soft in (hard, 2 * http_server.CONNECTIONS)
    assert {"localhost", "127.0.0.1", *LAN, *network.host_names()} <= set(settings.ALLOWED_HOSTS)


def test_bound_to_every_ipv6_address_it_listens_at_the_ipv4_addresses_that_it_prints_too(monkeypatch):
    monkeypatch.setattr(sys, "setswitchinterval", lambda _seconds: None)
    port = free_port()
    with serve.bind_sockets("::", port) as sockets:
        server = http_server.create_server(sockets)
        for address in ("127.0.0.1", "::1"):
            socket.create_connection((address, port), timeout=5).close()
        server.close()


def test_bound_to_this_computer_no_phone_is_invited(run_serve, capsys):
    options = run_serve("--bind", "127.0.0.1")
    printed = capsys.readouterr().out
    assert ["127.0.0.1"] == options["hosts"]
    assert "Only this computer" in printed
    assert not any(address in printed for address in LAN)


def test_a_site_with_an_address_of_its_own_names_that_alone(run_serve, capsys, settings):
    settings.SITE_URL = "https://cards.example.org"
    run_serve()
    assert capsys.readouterr().out.endswith("\nThe address of the site: https://cards.example.org/\n")
    run_serve()
    where = "The address of the site: https://cards.example.org/"
    assert f"{settings.RELEASE}\n{where}\n" == capsys.readouterr().out


def test_a_taken_port_is_refused_before_anything_is_done(run_serve, commands_run):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(CommandError, match=rf"Port {port} is taken .* --port {port + 1}"):
            call_command("serve", "--port", str(port))
    assert [] == commands_run


def test_a_port_of_roots_is_refused_with_another_one(monkeypatch):
    def refuse(*_args):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    sentence = "This user may not open port 80. Choose one above 1023: serve --port 8000"
    with pytest.raises(CommandError, match=f"^{sentence}$"), serve.bind_sockets("0.0.0.0", 80):
        pass


@pytest.mark.parametrize(("arguments", "port"), [([], 8123), (["--port", "8124"], 8124)])
def test_the_port_is_that_of_the_settings_unless_another_is_given(settings, arguments, port):
    settings.PORT = 8123
    parser = serve.Command().create_parser("manage.py", "serve")
    assert port == parser.parse_args(arguments).port


@pytest.mark.parametrize(
    "arguments",
    [("--port", "0"), ("--port", "65536"), ("--port", "two"), ("--workers", "0"), ("--workers", "65")],
)
def test_numbers_out_of_range_are_refused(run_serve, arguments):
    with pytest.raises(CommandError, match="is not a whole number from 1 to"):
        call_command("serve", *arguments)


@pytest.mark.slow
def test_it_really_serves_without_a_token_in_its_log_and_stops_at_one_signal(tmp_path):
    site = Site(tmp_path / "data", static=tmp_path / "static", variables={"ACCESS_LOG": "1"})
    site.folder.mkdir(mode=0o700)
    site.start()
    assert 404 == site.request("GET", f"/i/{TOKEN}/?x={TOKEN}")[0]
    site.stop()

    assert site.server is not None
    assert 0 == site.server.returncode
    printed = (tmp_path / f"server-{site.port}.log").read_text()
    assert f"http://localhost:{site.port}/" in printed
    assert re.search(r"GET /i/<slug:token>/ 404 \d", printed)
    assert not re.search(f"Traceback|Error|{TOKEN}", printed), printed
    assert (site.static / "staticfiles.json").exists()
    with socket.socket() as trial:
        assert 0 != trial.connect_ex(("127.0.0.1", site.port))


def test_two_servers_that_start_at_once_on_one_folder_prepare_it_one_after_the_other(tmp_path):
    done: list[str] = []

    def prepares(name):
        with preparation_lock(tmp_path, done.append):
            done.append(name)

    with preparation_lock(tmp_path, done.append):
        other = Thread(target=prepares, args=["the other"])
        other.start()
        while not done:
            sleep(0.01)
        done.append("this one")
    other.join()

    assert [
        "Another program is preparing the site. Waiting until it is done.",
        "this one",
        "the other",
    ] == done


def test_files_whose_collecting_was_cut_short_are_collected_again(run_serve, commands_run, monkeypatch):
    run_serve()
    assert serve.is_collected()

    serve.mark_uncollected()

    assert not serve.is_collected()


# --- several processes ------------------------------------------------------------------------------------------------

WORKERS = 2


@pytest.fixture
def multi_worker_site(prepared_site, tmp_path):
    site = Site(
        shutil.copytree(prepared_site / "data", tmp_path / "data"),
        prepared_site / "static",
        options=["--workers", str(WORKERS)],
    )
    site.start()
    yield site
    site.kill()


def children(site: Site) -> set[int]:
    """Return the process ids of the workers."""
    pids = Path(f"/proc/{site.pid}/task/{site.pid}/children").read_text(encoding="ascii")
    return {int(pid) for pid in pids.split()}


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() != b""  # empty once it has ended
    except FileNotFoundError:
        return False


def is_free(site: Site) -> bool:
    """Return whether another server could open the port."""
    try:
        with serve.bind_sockets("127.0.0.1", site.port):
            return True
    except CommandError:
        return False


def wait_until(holds, seconds=2.0):
    """Return whether it holds within this many seconds."""
    until = monotonic() + seconds
    while monotonic() < until:
        if holds():
            return True
        sleep(0.02)
    return False


@pytest.mark.slow
@pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="reads the children of a process as Linux lists them"
)
def test_a_killed_worker_is_replaced_a_signal_stops_them_all_and_none_outlives_the_parent(multi_worker_site):
    for _time in range(2):  # a third that dies so soon would end the server
        before = children(multi_worker_site)
        assert WORKERS == len(before)
        killed = min(before)
        sleep(worker_pool.LEAST_LIFETIME / 4)
        os.kill(killed, signal.SIGKILL)
        assert wait_until(
            lambda before=before: len(children(multi_worker_site) - before) == 1, 2 + worker_pool.PAUSE
        )
        assert 200 == multi_worker_site.request("GET", "/login/")[0]

    multi_worker_site.stop()
    assert multi_worker_site.server is not None
    assert (0, True) == (multi_worker_site.server.returncode, is_free(multi_worker_site))
    multi_worker_site.start()
    os.kill(multi_worker_site.pid, signal.SIGKILL)
    assert wait_until(lambda: is_free(multi_worker_site))


@pytest.mark.slow
@pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="reads the children of a process as Linux lists them"
)
def test_a_worker_that_hangs_keeps_no_other_one_alive_when_the_parent_is_gone(multi_worker_site):
    earlier, later = sorted(children(multi_worker_site))
    os.kill(later, signal.SIGSTOP)
    os.kill(multi_worker_site.pid, signal.SIGKILL)

    assert wait_until(lambda: not is_running(earlier))


SIGNALLED_WHILE_FORKED = """
import os, signal
from games.management import stop_signals, worker_pool
def serve():
    with stop_signals.stop_socket() as stop:
        stop.recv(1)
os.register_at_fork(after_in_child=lambda: os.kill(os.getpid(), signal.SIGTERM))
worker_pool.PAUSE = 0
worker_pool.run(1, serve, print)
"""


def test_a_signal_that_arrives_while_a_worker_is_forked_ends_it():
    ended = subprocess.run(
        [sys.executable, "-c", SIGNALLED_WHILE_FORKED], cwd=BASE, text=True, capture_output=True, timeout=30
    )
    assert 3 == ended.stdout.count("ended with 0")
    assert "3 workers in a row ended as soon as they started" in ended.stderr


def test_a_signal_that_arrives_in_a_finalizer_is_not_lost():
    """An exception would be: Python ignores it there."""
    with stop_signals.stop_socket() as stop:
        weakref.finalize(set(), os.kill, os.getpid(), signal.SIGTERM)
        assert [stop] == connection.wait([stop], 5)


def test_three_workers_in_a_row_that_end_at_once_end_the_server(monkeypatch):
    """The child processes end before they touch anything of the test."""
    monkeypatch.setattr(worker_pool, "PAUSE", 0)
    messages: list[str] = []
    with pytest.raises(CommandError, match="3 workers in a row ended as soon as they started"):
        worker_pool.run(1, lambda: os._exit(7), messages.append)
    assert 3 == len(messages)
    assert all("ended with 7" in line for line in messages)
