"""A proxy that lets a test cut a phone's network, because a browser's offline switch misses service workers.

network = Network(live_server.url)
network.cut()           # nothing gets through
network.drop_answers()  # requests arrive, answers get lost
network.restore()
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from urllib.parse import urlsplit

CHUNK = 65536
SILENCE = 0.2  # seconds until an unanswered phone is disconnected

# Console errors about a script whose response ended within its headers, before its content type.
HALF_ANSWERED = r'MIME type of ""|disallowed MIME type \(“”\)'
# Console errors of a page that cannot reach the site. The browser fetches the service worker's script again
# after each page, even while the network is cut: before an answer, or in the middle of it.
NETWORK_ERRORS = (
    r"ERR_|htmx:sendError|htmx:afterRequest|htmx:timeout|Failed to fetch"
    r"|error occurred when fetching the script|script does not have a MIME type"
    rf"|{HALF_ANSWERED}"
)


class Network:
    """A TCP proxy to `address`; `url` is the address that the phone uses."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        assert parts.hostname is not None
        assert parts.port is not None
        self._site = (parts.hostname, parts.port)
        self._is_cut = self._is_deaf = False
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self.port = self._listen(0)

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    def cut(self) -> None:
        """Drop all connections and refuse new ones."""
        if not self._is_cut:
            self._is_cut = True
            self._listener.shutdown(socket.SHUT_RDWR)  # ends the blocking accept
            self._listener.close()
        self._close_connections()

    def drop_answers(self) -> None:
        """Deliver requests from now on, but drop their answers."""
        self._is_deaf = True
        self._close_connections()

    def restore(self) -> None:
        self._is_deaf = False
        self._close_connections()
        if self._is_cut:
            self._is_cut = False
            self._listen(self.port)

    def close(self) -> None:
        self.cut()
        for thread in self._threads:
            thread.join()

    def _listen(self, port: int) -> int:
        self._listener = socket.create_server(("127.0.0.1", port))
        self._start_thread(self._accept, self._listener)
        bound_port: int = self._listener.getsockname()[1]
        return bound_port

    def _start_thread(self, work, *args) -> None:
        thread = threading.Thread(target=work, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _close_connections(self) -> None:
        for end in list(self._open):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):  # the network was cut
            while True:
                phone, _ = listener.accept()
                self._start_thread(self._forward, phone)

    def _forward(self, phone: socket.socket) -> None:
        with phone, socket.create_connection(self._site) as site:
            self._open |= {phone, site}
            if not self._is_cut:  # it may have been cut while this connection was being made
                sending = threading.Thread(target=self._copy_stream, args=(phone, site), daemon=True)
                sending.start()
                self._copy_stream(site, phone, answers=True)
                sending.join()
            self._open -= {phone, site}

    def _copy_stream(self, source: socket.socket, goal: socket.socket, *, answers: bool = False) -> None:
        with contextlib.suppress(OSError):
            while chunk := source.recv(CHUNK):
                if answers and self._is_deaf:
                    time.sleep(SILENCE)
                    break
                goal.sendall(chunk)
        for end in (source, goal):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
