"""Names in a page's text are elements that no browser translates; elsewhere they are bare."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils.translation import override

from games.common import name_marks, naming
from tests.factories import build_round

KEPT = '<bdi translate="no">Rosa</bdi>'


@pytest.fixture
def rosa():
    with name_marks.use_marks():
        return naming.isolate("Rosa")


@pytest.mark.parametrize(
    ("page", "resolved"),
    [
        ("<p>{} went out</p>", f"<p>{KEPT} went out</p>"),
        ("<p>{}, {}</p>", f"<p>{KEPT}, {KEPT}</p>"),
        ('<a title="{} > 3">{}</a>', f'<a title="Rosa > 3">{KEPT}</a>'),
        (
            """<p data-words='{{"a": "{} > {}"}}'>{}</p>""",
            f"""<p data-words='{{"a": "Rosa > Rosa"}}'>{KEPT}</p>""",
        ),
        ("<title>{}</title><p>{}", f"<title>Rosa</title><p>{KEPT}"),
        ("<textarea>a < b {}</textarea>{}", f"<textarea>a < b Rosa</textarea>{KEPT}"),
        ("<option selected>{}</option>", "<option selected>Rosa</option>"),
    ],
)
def test_a_name_in_a_text_is_an_element_and_elsewhere_bare(rosa, page, resolved):
    assert resolved == name_marks.resolve(page.format(*[rosa] * page.count("{}")))


def test_a_name_in_an_attributes_escaped_json_is_bare(rosa):
    assert '<p data-drawn="Rosa">' == name_marks.resolve('<p data-drawn="\\ue000Rosa\\ue001">')


def test_marks_around_more_than_a_text_make_no_element():
    assert "<b>1</b>" == name_marks.resolve(f"{name_marks.BEGIN}<b>1</b>{name_marks.END}")


def test_without_a_page_nothing_is_marked_nor_is_an_empty_name():
    assert "Rosa" == naming.isolate("Rosa")
    with name_marks.use_marks():
        assert ("", "\ue000\u2068לאה\u2069\ue001") == (naming.isolate(""), naming.isolate("לאה"))
        assert naming.isolate("Rosa") == naming.isolate(naming.isolate("Rosa"))


def test_marked_names_are_joined_as_others():
    with name_marks.use_marks(), override("es"):
        assert "Rosa e Iris" == name_marks.remove(naming.join_names(["Rosa", "Iris"]))


def test_polls_files_and_programs_get_bare_names(ana, game, write, table, client_for, owner):
    write(game, build_round("ana", beto=23, caro=40, dani=9))
    answers = [
        ana.get(reverse("live-hands", args=[game.code, "1-1"])),
        ana.get(reverse("export", args=[game.code])),
        ana.get(f"/api/v1/games/{game.code}/"),
        *(ana.get(reverse("download", args=[table.code, what])) for what in ("table", "results", "payments")),
    ]

    assert {200} == {answer.status_code for answer in answers}
    assert "Content-Length" not in answers[0].headers  # the server counts what is sent
    assert [] == [answer for answer in answers if name_marks.are_in(b"".join(answer))]
