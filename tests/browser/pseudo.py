"""A pseudo-locale: every message longer, accented and in brackets, so that text outside of them was never translated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import django
import polib
from django.conf import settings
from django.test import override_settings
from playwright.sync_api import Page

OURS = Path(settings.BASE_DIR, "games")
DJANGOS = Path(django.__file__).parent
CATALOGUES = (OURS / "locale", DJANGOS / "conf" / "locale", DJANGOS / "contrib" / "auth" / "locale")
ACCENTED = str.maketrans("aeiouncAEIOUNC", "áéíóúñçÁÉÍÓÚÑÇ")
KEPT = re.compile(r"(\{[^{}]*\}|%\([^()]*\)[sd]|%%|<[^<>]*>|&\w+;|\$[A-Z]+|/\S+|https?\S*)")
WORD = re.compile(r"[A-Za-z]{4,}")
# Lists the visible texts outside of brackets, block by block: one message may be spread over inline elements.
OUTSIDE = """() => {
    const blocks = new Map();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        const parent = text.parentElement;
        if (!text.data.trim() || !parent.checkVisibility({ visibilityProperty: true })) continue;
        if (parent.closest("script, style, template, code, pre, svg, textarea, [lang], .name, bdi, [data-cards]")) continue;
        let block = parent;
        while (/^(inline|contents)/.test(getComputedStyle(block).display)) block = block.parentElement;
        blocks.set(block, (blocks.get(block) ?? "") + text.data);
    }
    return [...blocks.values()].map((text) => {
        let depth = 0;
        return [...text].filter((letter) => {
            if (letter === "[") depth += 1;
            if (letter === "]") depth = Math.max(depth - 1, 0);
            return !depth && letter !== "]";
        }).join("").trim();
    }).filter(Boolean);
}"""


def pseudo(text: str) -> str:
    """Return the text longer, accented and in brackets; its placeholders and tags stay."""
    if len(text) == 1:  # a letter of a code
        return text
    parts = [part if KEPT.fullmatch(part) else _longer(part) for part in KEPT.split(text)]
    return f"[{''.join(parts)}]"


def _longer(text: str) -> str:
    return WORD.sub(lambda word: word[0] + word[0][-1], text).translate(ACCENTED)


@contextmanager
def pseudo_english(folder: Path) -> Iterator[None]:
    """Show the pseudo-locale to readers of English, from a catalogue that is compiled in this folder."""
    file = folder / "en" / "LC_MESSAGES" / "django.mo"
    file.parent.mkdir(parents=True)
    whole = polib.POFile()
    whole.metadata = {
        "Content-Type": "text/plain; charset=UTF-8",
        "Plural-Forms": "nplurals=2; plural=(n != 1);",
    }
    known = set()
    for catalogue in CATALOGUES:
        for entry in polib.pofile(str(catalogue / "es" / "LC_MESSAGES" / "django.po")):
            key = (entry.msgctxt, entry.msgid)
            if key in known or entry.obsolete:
                continue
            known.add(key)
            if entry.msgid_plural:
                entry.msgstr_plural = {0: pseudo(entry.msgid), 1: pseudo(entry.msgid_plural)}
            else:
                entry.msgstr = pseudo(entry.msgid)
            whole.append(entry)
    whole.save_as_mofile(str(file))
    with override_settings(LOCALE_PATHS=[folder, *settings.LOCALE_PATHS]):
        yield


def untranslated(page: Page, names: Sequence[str]) -> list[str]:
    """Return the visible texts outside of brackets that have a word which is none of these names."""
    known = {word for name in names for word in re.findall(r"\w+", name)}
    texts: list[str] = page.evaluate(OUTSIDE)
    return [text for text in texts if set(re.findall(r"[^\W\d_]{2,}", text)) - known]
