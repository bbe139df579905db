"""The Spanish catalog is complete, and the compiled catalog is up to date."""

from __future__ import annotations

import ast
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils.translation import to_locale
from django.utils.translation.template import templatize

BASE = Path(settings.BASE_DIR)
LOCALES = BASE / "games" / "locale"

SPANISH = [to_locale(code) for code, _name in settings.LANGUAGES if code != "en"]

each = pytest.mark.parametrize("language", SPANISH)

Message = tuple[str, str, str]  # the sentence, its plural and its context, "" for none

SINGLE = {"_", "gettext", "gettext_lazy", "gettext_noop"}
CONTEXT = {"pgettext", "pgettext_lazy"}
PLURAL = {"ngettext", "ngettext_lazy"}

# `translate` takes sentences that were marked elsewhere.
MAY_TRANSLATE_ANYTHING = {"games/common/texts.py"}

LITERAL = r"u?(?:'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\")"
TWO = {"ngettext", "pgettext"}
TEXT_ATTRIBUTES = ("alt", "aria-label", "placeholder", "title")  # attributes that a reader sees or hears
# The parts of a template that show no text of their own.
UNREAD_MARKUP = re.compile(
    r"{% (blocktranslate|comment|block shape)\b.*?{% end\w+ %}|{%.*?%}|{{.*?}}|{#.*?#}|<(style|script)\b.*?</\2>",
    re.DOTALL,
)
UNTRANSLATED_WORDS = {"Anotador", "API"}
MARKED = re.compile(rf"\b([np]?gettext|_)\(\s*({LITERAL})(?:,\s*({LITERAL}))?", re.DOTALL)


def catalogue_path(language: str) -> Path:
    return LOCALES / language / "LC_MESSAGES" / "django.po"


@cache
def catalogue(language: str = "es") -> polib.POFile:
    """Return a Spanish catalog. Only `es` has every sentence."""
    return polib.pofile(str(catalogue_path(language)))


def translations(catalogue: polib.POFile | polib.MOFile) -> dict[Message, list[str]]:
    """Return the translations of each sentence: one text, or one for each plural form."""
    return {
        (entry.msgid, entry.msgid_plural or "", entry.msgctxt or ""): [
            text for _number, text in sorted(entry.msgstr_plural.items())
        ]
        or [entry.msgstr]
        for entry in catalogue
    }


@cache
def translation_calls(source: str) -> list[tuple[ast.Call, int]]:
    """Return each call that marks sentences for translation, and the number of sentences it takes."""
    takes = {**dict.fromkeys(SINGLE, 1), **dict.fromkeys(PLURAL | CONTEXT, 2)}
    return [
        (node, takes[node.func.id])
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in takes
    ]


def python_messages(source: str) -> set[Message]:
    messages = set()
    for call, many in translation_calls(source):
        texts = [argument.value for argument in call.args[:many] if isinstance(argument, ast.Constant)]
        if len(texts) == many and isinstance(call.func, ast.Name):
            messages.add(to_message(call.func.id, *map(str, texts)))
    return messages


def to_message(function: str, first: str, second: str = "") -> Message:
    """Return the message that a call of this function marks with these texts."""
    return (second, "", first) if function in CONTEXT else (first, second, "")


def unreadable_lines(source: str) -> list[int]:
    """Return the lines that mark anything but a string literal, which extraction cannot read."""
    return [
        call.lineno
        for call, many in translation_calls(source)
        if not all(isinstance(argument, ast.Constant) for argument in call.args[:many])
    ]


def template_messages(source: str) -> set[Message]:
    """Return the sentences that a template marks for translation, as Django's own extraction reads them."""
    return {
        to_message(function, ast.literal_eval(first), ast.literal_eval(second) if function in TWO else "")
        for function, first, second in MARKED.findall(templatize(source))
    }


def python_files() -> list[Path]:
    """Return every module that runs on the server."""
    return [*sorted((BASE / "games").rglob("*.py")), *sorted((BASE / "scorekeeper").rglob("*.py"))]


@cache
def all_messages() -> set[Message]:
    messages: set[Message] = set()
    for file in python_files():
        messages |= python_messages(file.read_text(encoding="utf-8"))
    for file in sorted((BASE / "templates").rglob("*.html")):
        messages |= template_messages(file.read_text(encoding="utf-8"))
    return messages


def placeholders(text: str) -> list[str]:
    """Return the placeholders of a sentence: `{name}` and `%(name)s`."""
    return sorted(set(re.findall(r"\{[^{}]*\}|%\([^()]*\)s", text)))


def test_the_catalogue_has_every_marked_sentence_and_no_other():
    marked, known = all_messages(), translations(catalogue()).keys()

    assert ([], []) == (sorted(marked - known), sorted(known - marked))


@each
def test_every_sentence_has_a_translation_and_none_is_fuzzy_or_obsolete(language):
    entries = catalogue(language)

    assert [] == [message for message, texts in translations(entries).items() if not all(texts)]
    assert [] == [entry.msgid for entry in entries if entry.fuzzy or entry.obsolete]
    assert not entries.metadata_is_fuzzy


@each
def test_no_long_sentence_has_a_stray_letter_for_a_translation(language):
    entries = translations(catalogue(language)).items()

    assert [] == [message for message, (text, *_more) in entries if len(message[0]) > max(20, 5 * len(text))]


@each
def test_the_compiled_catalogue_is_up_to_date(language):
    mo_file = polib.mofile(str(catalogue_path(language).with_suffix(".mo")))

    assert translations(catalogue(language)) == translations(mo_file)


@each
def test_a_translation_has_the_placeholders_of_its_sentence(language):
    torn = [
        text
        for (single, plural, _context), texts in translations(catalogue(language)).items()
        for source, text in zip((single, plural), texts, strict=False)
        if placeholders(source) != placeholders(text)
    ]
    assert [] == torn


def test_a_word_with_two_senses_has_a_context_for_each():
    marked = all_messages()
    explained = {single for single, _plural, context in marked if context}

    assert explained
    assert set() == explained & {single for single, _plural, context in marked if not context}


def test_each_sense_of_a_word_is_explained_to_translators():
    assert [] == [entry.msgid for entry in catalogue() if entry.msgctxt and not entry.tcomment]


def test_only_plain_text_is_marked():
    unreadable = [
        f"{file.relative_to(BASE)}:{line}"
        for file in python_files()
        if str(file.relative_to(BASE)) not in MAY_TRANSLATE_ANYTHING
        for line in unreadable_lines(file.read_text(encoding="utf-8"))
    ]
    assert [] == unreadable


class Texts(HTMLParser):
    """The texts of a template that come from no catalog."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [text or "" for name, text in attrs if name in TEXT_ATTRIBUTES]

    def handle_data(self, text: str) -> None:
        self.found.append(text)


def test_every_text_of_a_template_is_marked():
    unmarked = []
    for file in sorted((BASE / "templates").rglob("*.html")):
        html = UNREAD_MARKUP.sub("", file.read_text(encoding="utf-8"))
        texts = Texts()
        texts.feed(html if "<" in html else "")  # others are attributes of the tag that includes them
        text_words = {word for text in texts.found for word in re.findall(r"[^\W\d_]{2,}", text)}
        unmarked += [f"{file.relative_to(BASE)}: {word}" for word in sorted(text_words - UNTRANSLATED_WORDS)]
    assert [] == unmarked
