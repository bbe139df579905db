"""nginx and Caddy with the configurations in `docs/` before a real server, and phones that use HTTPS."""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import ssl
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from http.cookiejar import CookieJar
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit

import pytest
from django.http import HttpResponse
from django.test.client import BOUNDARY, MULTIPART_CONTENT, Client, encode_multipart

from tests.reader import Walker
from tests.server_processes import free_port

DOCS = Path(__file__).parents[1] / "docs"
HOST = "cards.example.org"
LOOPBACK = "127.0.0.1"
NO_HEADERS: Mapping[str, str] = MappingProxyType({})
CERTIFICATE, KEY = (f"/etc/letsencrypt/live/{HOST}/{name}.pem" for name in ("fullchain", "privkey"))
NGINX_MAIN = """\
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
worker_processes 1;
worker_rlimit_nofile 8192;
{user}
events {{ worker_connections 4096; }}
http {{
    client_body_temp_path {folder}/bodies;
    proxy_temp_path {folder}/responses;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""
CADDY_OPTIONS = """
{{
	admin off
	http_port {http}
	https_port {https}
	default_bind {loopback}
	local_certs
	skip_install_trust
	storage file_system {folder}/caddy
"""


class Proxy:
    """A running proxy: its ports, and the certificate that its phones trust."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.http, self.https = free_port(), free_port()
        self.certificate = folder / "trusted.pem"

    @property
    def origin(self) -> str:
        return f"https://{HOST}:{self.https}"


@contextmanager
def nginx(folder: Path, port: int) -> Iterator[Proxy]:
    """Run nginx in front of the server at this port during the `with` block."""
    proxy = Proxy(folder)
    key = folder / "key.pem"
    _make_certificate(proxy.certificate, key)
    replacements = {
        "listen 80;": f"listen {LOOPBACK}:{proxy.http};",
        "listen 443 ssl http2;": f"listen {LOOPBACK}:{proxy.https} ssl http2;",
        "    listen [::]:80;\n": "",
        "    listen [::]:443 ssl http2;\n": "",
        CERTIFICATE: str(proxy.certificate),
        KEY: str(key),
        "server 127.0.0.1:8000;": f"server {LOOPBACK}:{port};",
        "/var/log/nginx/error.log": str(folder / "site.log"),
    }
    (folder / "site.conf").write_text(_configuration("nginx.conf", replacements))
    user = "user root;" if os.geteuid() == 0 else ""  # the folder is private to this user
    main = folder / "nginx.conf"
    main.write_text(NGINX_MAIN.format(folder=folder, user=user))
    with _run_proxy(["nginx", "-c", str(main), "-e", str(folder / "nginx.log")], proxy, folder / "nginx.log"):
        yield proxy


@contextmanager
def caddy(folder: Path, port: int) -> Iterator[Proxy]:
    """Run Caddy in front of the server at this port during the `with` block."""
    proxy = Proxy(folder)
    options = CADDY_OPTIONS.format(http=proxy.http, https=proxy.https, loopback=LOOPBACK, folder=folder)
    main = folder / "Caddyfile"
    main.write_text(_configuration("Caddyfile", {"\n{\n": options}))
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(main)]
    with _run_proxy(command, proxy, folder / "caddy.log", SITE=f"{LOOPBACK}:{port}"):
        shutil.copy(folder / "caddy/pki/authorities/local/root.crt", proxy.certificate)
        yield proxy


PROXIES = {"nginx": nginx, "caddy": caddy}


def skip_unless_installed(*programs: str) -> None:
    """Skip the test if one of these programs is missing; with REQUIRE_PROXIES=1, fail it."""
    for program in programs:
        if shutil.which(program) is None:
            if os.environ.get("REQUIRE_PROXIES") == "1":
                pytest.fail(f"{program} is not installed")
            pytest.skip(f"{program} is not installed")


def _configuration(name: str, replacements: Mapping[str, str]) -> str:
    """Return the configuration in `docs/` with the ports and paths of this machine."""
    text = (DOCS / name).read_text(encoding="utf-8")
    for before, after in replacements.items():
        assert 1 == text.count(before), f"docs/{name}: {before!r}"
        text = text.replace(before, after)
    return text


def _make_certificate(certificate: Path, key: Path) -> None:
    request_options = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -batch"
    made = ["-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}"]
    files = ["-out", str(certificate), "-keyout", str(key)]
    subprocess.run(["openssl", *request_options.split(), *made, *files], check=True, capture_output=True)


@contextmanager
def _run_proxy(command: list[str], proxy: Proxy, log_file: Path, **variables: str) -> Iterator[None]:
    """Run the proxy during the `with` block.

    The block begins once both ports answer, because Caddy creates its certificate after it starts to listen.
    """
    environment = {**os.environ, "HOME": str(proxy.folder), "XDG_CONFIG_HOME": str(proxy.folder), **variables}
    with (
        log_file.open("ab") as log,
        subprocess.Popen(command, env=environment, stdout=log, stderr=log) as program,
    ):
        try:
            until = time.monotonic() + 30
            while not (_is_open(proxy.http) and _speaks_tls(proxy.https)):
                assert program.poll() is None, log_file.read_text()
                assert time.monotonic() < until, log_file.read_text()
                time.sleep(0.05)
            yield
        finally:
            program.terminate()


def _is_open(port: int) -> bool:
    with suppress(OSError), socket.create_connection((LOOPBACK, port), timeout=1):
        return True
    return False


def _speaks_tls(port: int) -> bool:
    anything = ssl.create_default_context()
    anything.check_hostname, anything.verify_mode = False, ssl.CERT_NONE
    with (
        suppress(OSError),
        socket.create_connection((LOOPBACK, port), timeout=1) as plain,
        anything.wrap_socket(plain, server_hostname=HOST),
    ):
        return True
    return False


class HttpsPhone:
    """A phone with its own address (in 127.0.0.0/8) that uses the site through a proxy.

    It has the methods of Django's test client that `Walker` needs.
    """

    def __init__(self, proxy: Proxy, address: str, *, language: str = "en") -> None:
        self.proxy, self.address = proxy, address
        self.cookies = CookieJar()
        self._headers = {"Accept-Language": language, "Origin": proxy.origin}
        self._opener = urllib.request.build_opener(
            _PhoneHttpsHandler(self), urllib.request.HTTPCookieProcessor(self.cookies)
        )

    def get(
        self,
        path: str,
        data: Mapping[str, str] | None = None,
        *,
        follow: bool = True,
        headers: Mapping[str, str] = NO_HEADERS,
    ) -> HttpResponse:
        """Return the response to a GET, after all redirects."""
        assert follow, "it follows redirects"
        return self._ask(f"{path}?{urlencode(data)}" if data else path, None, headers)

    def post(self, path: str, data: Mapping[str, Any], *, follow: bool = True) -> HttpResponse:
        """Return the response to a form, which may have files, after all redirects."""
        assert follow, "it follows redirects"
        return self._ask(path, encode_multipart(BOUNDARY, dict(data)), {"Content-Type": MULTIPART_CONTENT})

    @property
    def walker(self) -> Walker:
        return Walker(cast(Client, self))

    def connect(self) -> ssl.SSLSocket:
        """Return a TLS connection from this phone's address."""
        plain = socket.create_connection((LOOPBACK, self.proxy.https), 60, (self.address, 0))
        context = ssl.create_default_context(cafile=str(self.proxy.certificate))
        return context.wrap_socket(plain, server_hostname=HOST)

    def _ask(self, path: str, body: bytes | None, headers: Mapping[str, str]) -> HttpResponse:
        path = _strip_origin(path)
        request = urllib.request.Request(self.proxy.origin + path, body, {**self._headers, **headers})
        try:
            response = self._opener.open(request)
        except HTTPError as refusal:
            response = refusal
        with response:
            answer = HttpResponse(response.read(), status=response.status, headers=dict(response.headers))
        arrived = _strip_origin(response.geturl())
        answer.redirect_chain = [(arrived, 302)] if arrived != path else []  # type: ignore[attr-defined]
        return answer


class _PhoneHttpsHandler(urllib.request.HTTPSHandler):
    def __init__(self, phone: HttpsPhone) -> None:
        super().__init__()
        self._phone = phone

    def https_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(partial(_PhoneConnection, self._phone), req)


class _PhoneConnection(http.client.HTTPConnection):
    """A connection from the phone to the proxy, whatever the host name."""

    def __init__(self, phone: HttpsPhone, host: str, **options: Any) -> None:
        super().__init__(host, **options)
        self._phone = phone

    def connect(self) -> None:
        self.sock = self._phone.connect()


def _strip_origin(address: str) -> str:
    parts = urlsplit(address)
    return parts._replace(scheme="", netloc="").geturl()
