#!/usr/bin/python3
"""A window of WebKitGTK as wide as a phone, for WebKitWebDriver: its own MiniBrowser has at least 447 px.

It runs with the system's Python, which has GTK. The driver does not report console errors, so they are
appended to the file COMPLAINTS, one a line.
"""

from __future__ import annotations

import os

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import GLib, Gtk, WebKit2  # noqa: E402

SIZE = 390, 664
LISTEN = """(() => {
  const say = (...parts) => webkit.messageHandlers.complaints.postMessage(parts.map(String).join(" ").slice(0, 400));
  const { error } = console;
  console.error = (...parts) => { say(...parts); error.apply(console, parts); };
  addEventListener("error", ({ message, target }) => say(message || `not loaded: ${target.src || target.href}`), true);
  addEventListener("unhandledrejection", ({ reason }) => say("rejected:", reason, reason?.stack ?? ""));
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    say("CSP:", violatedDirective, blockedURI));
})()"""


class Phone:
    """The windows of one session, without any data of the session before."""

    def __init__(self) -> None:
        data = WebKit2.WebsiteDataManager.new_ephemeral()
        self.context = WebKit2.WebContext.new_with_website_data_manager(data)
        self.context.set_automation_allowed(True)
        self.context.set_preferred_languages(["es-AR"])
        self.context.connect("automation-started", self.begin)

    def begin(self, _context: WebKit2.WebContext, session: WebKit2.AutomationSession) -> None:
        """Identify the application to the driver, and open windows for it."""
        about = WebKit2.ApplicationInfo()
        about.set_name("phone")
        about.set_version(2, 50, 0)
        session.set_application_info(about)
        session.connect("create-web-view", self.open)

    def open(self, _session: WebKit2.AutomationSession) -> WebKit2.WebView:
        """Return a new page in its own window."""
        content = WebKit2.UserContentManager()
        content.register_script_message_handler("complaints")
        content.connect("script-message-received::complaints", note)
        frames, start = WebKit2.UserContentInjectedFrames.ALL_FRAMES, WebKit2.UserScriptInjectionTime.START
        content.add_script(WebKit2.UserScript.new(LISTEN, frames, start, None, None))
        view = WebKit2.WebView(
            web_context=self.context, is_controlled_by_automation=True, user_content_manager=content
        )
        window = Gtk.Window()
        window.set_decorated(False)
        window.set_default_size(*SIZE)
        window.add(view)
        window.show_all()
        view.connect("close", lambda _view: window.destroy())
        return view


def note(_content: WebKit2.UserContentManager, message: WebKit2.JavascriptResult) -> None:
    """Append a console error to the file."""
    with open(os.environ["COMPLAINTS"], "a", encoding="utf-8") as complaints:
        complaints.write(message.get_js_value().to_string().replace("\n", " ") + "\n")


Phone()
GLib.MainLoop().run()
