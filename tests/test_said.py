"""The message that each form shows without a network, as a table of all forms: a new form must choose one.

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

# Every form, and every element with a request of its own, by template and target.
ACTIONS = {
    "shell_alone.html": "open",  # sends nothing: a script takes the names
    "429.html address": "record",  # its own page: sends again what was refused
    "_debt.html ticked": "kept",
    "_own_money.html action": "kept",
    "_pay.html pay": "kept",
    "reentry.html": WAITS,
    "round.html place.action": WAITS,  # the next round stays queued; a correction does not
    "round.html": SILENT,
    "correction.html asks changes": "ask",
    "new_game.html asks request.path": "ask",
    "_games.html asks request.path": "ask",
    "games.html games": "open",
    **dict.fromkeys(
        (
            "_asked.html asked.row.href",
            "_debt.html payment",
            "_changed_phone.html",
            "_faces.html change-access",
            "_heir.html take-over",
            "_knock.html change-access",
            "_links.html make-link",
            "_links.html lobby",
            "_links.html end-link",
            "_me.html change-access",
            "_member_form.html",
            "_member_phone.html change-access",
            "_member_phone.html make-link",
            "_phone.html change-access",
            "_way_out.html change-access",
            "_who_are_you.html",
            "lobby.html confirm-all",
            "lobby.html lobby",
            "_of_player.html deal",
            "_of_player.html leave",
            "round.html correct",
            "sheet.html lobby",
            "member.html account",
            "sit_down.html",
            "_only_watch.html",
            "account.html account",
            "discard.html discard",
            "correct_rules.html",
            "correction.html changes",
            "bring.html bring",
            "_password_form.html credentials",
            "_delete_account.html delete-account",
            "_devices.html end-device",
            "_devices.html link-for-phone",
            "erased.html bring-table-back",
            "event.html",
            "yours.html logout",
            "_now.html rematch",
            "home.html take-advice",
            "begun.html rematch",
            "_brought.html",
            "bring_file.html bring-file",
            "_look.html set-theme",
            "_look.html set_language",
            "_invited.html link",
            "import_nights.html import-nights",
            "import_table.html",
            "invitation.html",
            "login.html",
            "_merge.html merge-member",
            "_order.html season",
            "more.html adjust",
            "_programs.html make-token",
            "_programs.html revoke-token",
            "more.html deal",
            "more.html discard",
            "more.html join",
            "more.html leave",
            "more.html replace",
            "more.html stop",
            "new_game.html",
            "old_night.html discard",
            "opening_balances.html opening-balances",
            "_merged.html part-member",
            "movement.html action",
            "_seasons.html change-season",
            "_seasons.html begin-season",
            "_seasons.html drop-season",
            "_settings.html change-settings",
            "_way_out.html erase-table",
            "seats.html",
            "settlement.html rematch",
            "_recorded.html redo-last",
            "_recorded.html undo-last",
            "_undo.html action",
            "_expense.html share-cost",
            "_simplify.html simplify",
            "_spot.html spot",
            "sign_in_link.html",
            "_somebody_new.html add-member",
        ),
        "record",
    ),
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


def test_of_every_action_it_is_known_what_is_said_without_a_network():
    assert dict(sorted(ACTIONS.items())) == dict(sorted(actions().items()))


@pytest.mark.django_db
def test_every_page_holds_the_sentences(phone_of):
    messages = read_page(phone_of(language="es-AR").get("/")).only("p", id="trouble").attrs

    assert SENTENCES == {kind: messages[f"data-{kind}"] for kind in SENTENCES}
    assert "No llegó respuesta: quizás no se anotó. Mirá antes de repetirlo." == messages["data-unheard"]
    assert not [text for kind, text in messages.items() if "guardado" in text and kind not in KEPT]
