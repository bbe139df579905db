"""The message that each form shows without a network: “not recorded”, unless it is in the table of the others.

`tests/browser/test_kept.py` cuts the network and reads the messages.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from tests.reader import read_page

TEMPLATES = Path(settings.BASE_DIR) / "templates"

# The message in #trouble by kind of form. A waiting entry of a game has a place of its own instead.
SENTENCES = {
    "record": "No se anotó: no hay conexión.",
    "open": "Sin conexión: no se pudo abrir.",
    "ask": "Sin conexión: no se ve qué cambiaría.",
    "kept": "Sin conexión: quedó guardado en este celular y se manda solo.",
}
KEPT = {"data-kept", "data-later"}  # the second if the site asks to wait
WAITS, SILENT = "waits", "silent"  # shown by _waiting.html; a preview, which saving requests again

# Every form, and every element with a request of its own, that does not record at once, by template and target.
ACTIONS = {
    "shell_alone.html": "open",  # sends nothing: a script takes the names
    "_debt.html ticked": "kept",
    "_own_money.html action": "kept",
    "_pay.html pay": "kept",
    "reentry.html": WAITS,
    "round.html place.action": WAITS,  # the next round stays queued; a correction does not
    "round.html": SILENT,
    "correction.html asks changes": "ask",
    "new_game.html asks request.path": "ask",
    "games.html games": "open",
}

TAG = re.compile(r"<(\w+)((?:\{%.*?%\}|\{\{.*?\}\}|[^<>])*)>")
TARGET = re.compile(r"""(?:action|hx-post|hx-get)="(?:\{% url '([\w-]+)'[^"]*|\{\{ ([\w.]+) \}\})\"""")


def kind_of(tag: str, attributes: str, inside: str) -> str:
    """Return an element's kind by the rules of `base/page.js`, `offline/facts.js` and `offline/saving.js`."""
    if 'id="consequences"' in attributes:
        return SILENT
    if "_fact.html" in attributes:
        return "kept"
    if tag != "form":
        return "ask"
    if 'method="get"' in attributes:
        return "open"
    return WAITS if 'id="entry"' in attributes or 'name="answer"' in inside else "record"


def actions() -> dict[str, str]:
    """Return what each form of the templates does when the network is lost, by its template and address.

    The kinds are those of `kind_of`. Elements that send a request without a form are included.
    """
    kinds = {}
    for template in sorted(TEMPLATES.rglob("*.html")):
        text = template.read_text(encoding="utf-8")
        for element in TAG.finditer(text):
            tag, attributes = element.groups()
            if tag == "form" or re.search(r"hx-(?:get|post|put|delete)=", attributes):
                target = TARGET.search(attributes)
                kind = kind_of(tag, attributes, text[element.end() :].partition("</form>")[0])
                asks = "asks" if kind == "ask" else ""
                where = (target[1] or target[2]) if target else ""
                kinds[" ".join(part for part in (template.name, asks, where) if part)] = kind
    return kinds


def test_every_form_that_does_not_record_at_once_is_listed_with_what_is_said_without_a_network():
    assert ACTIONS == {place: kind for place, kind in actions().items() if kind != "record"}


@pytest.mark.django_db
def test_every_page_holds_the_sentences(phone_of):
    messages = read_page(phone_of(language="es-AR").get("/")).only("p", id="trouble").attrs

    assert SENTENCES == {kind: messages[f"data-{kind}"] for kind in SENTENCES}
    assert "No llegó respuesta: quizás no se anotó. Mirá antes de repetirlo." == messages["data-unheard"]
    assert not [text for kind, text in messages.items() if "guardado" in text and kind not in KEPT]
