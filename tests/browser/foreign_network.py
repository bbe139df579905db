"""A proxy that answers in the site's place, as a captive portal, a company's proxy or a browser check does.

network = ForeignNetwork(live_server.url)
network.answer("page")  # every request gets a page of the network's own
network.answer("page", but=("/static/",))  # except those for files
network.restore()
"""

from __future__ import annotations

import http.client
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlsplit

PAGE = b"<!doctype html><html><body><main id=main>Welcome to the hotel. Sign in.</main></body></html>"
HTML, JSON = "text/html; charset=utf-8", "application/json"
ELSEWHERE = "http://portal.example/sign-in"
# The answers that are the network's own: a status, the fields of the head and the body.
FOREIGN: dict[str, tuple[int, dict[str, str], bytes]] = {
    "page": (200, {"Content-Type": HTML}, PAGE),
    "forbidden": (403, {"Content-Type": HTML}, PAGE),
    "redirect": (302, {"Location": ELSEWHERE}, b""),
    "sign-in": (511, {"Content-Type": HTML}, PAGE),
    "json": (200, {"Content-Type": JSON}, b'{"ok": true}'),
    "empty": (204, {}, b""),
}
CUT, STRIPPED = (
    "cut",
    "stripped",
)  # the site's answers, cut in the middle, or without our fields in their heads
WAYS = (*FOREIGN, CUT, STRIPPED)
PROGRAM = ("/sw.js", "/static/", "/offline/")  # the paths of a release's files
BETWEEN_TWO = {"connection", "keep-alive", "transfer-encoding", "content-length"}
OUR_FIELDS = ("x-", "hx-")


class ForeignNetwork:
    """An HTTP proxy to `address`; `url` is the address that the phone uses."""

    def __init__(self, address: str) -> None:
        network = self
        self.site = urlsplit(address)
        self.way = ""
        self.passed: tuple[str, ...] = ()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_request(self) -> None:
                network.handle(self)

            do_GET = do_POST = do_HEAD = handle_request

            def log_message(self, *_line: object) -> None:
                """Write nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://localhost:{self._server.server_port}"

    def answer(self, way: str, *, but: tuple[str, ...] = ()) -> None:
        """Answer in one of `WAYS` from now on, but not requests for paths with these beginnings."""
        self.way, self.passed = way, but

    def restore(self) -> None:
        self.answer("")

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def handle(self, phone: BaseHTTPRequestHandler) -> None:
        way = "" if phone.path.startswith(self.passed) else self.way  # it may change while the site answers
        content = phone.rfile.read(int(phone.headers.get("Content-Length") or 0))
        if way in FOREIGN:
            return _send(phone, *FOREIGN[way])
        status, fields, body = self._ask(phone, content)
        if way == STRIPPED:
            fields = [(name, text) for name, text in fields if not name.lower().startswith(OUR_FIELDS)]
        return _send(phone, status, fields, body, is_cut=way == CUT)

    def _ask(self, phone: BaseHTTPRequestHandler, content: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        connection = http.client.HTTPConnection(str(self.site.hostname), self.site.port or 80, timeout=60)
        try:
            connection.request(phone.command, phone.path, content or None, dict(phone.headers))
            response = connection.getresponse()
            fields = [pair for pair in response.getheaders() if pair[0].lower() not in BETWEEN_TWO]
            return response.status, fields, response.read()
        finally:
            connection.close()


def _send(
    phone: BaseHTTPRequestHandler,
    status: int,
    fields: dict[str, str] | list[tuple[str, str]],
    body: bytes,
    *,
    is_cut: bool = False,
) -> None:
    phone.send_response_only(status)
    for name, text in fields.items() if isinstance(fields, dict) else fields:
        phone.send_header(name, text)
    is_bodiless = status in (204, 304) or phone.command == "HEAD"
    if not is_bodiless or phone.command == "HEAD":
        phone.send_header("Content-Length", str(len(body)))
    if is_cut:
        phone.send_header("Connection", "close")
    phone.end_headers()
    if is_bodiless:
        return
    phone.wfile.write(body[: len(body) // 2] if is_cut else body)
    phone.close_connection = phone.close_connection or is_cut
