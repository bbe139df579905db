"""The preview that a chat shows of a shared link: a title, a sentence and a picture, about nobody."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from django.contrib.sessions.models import Session
from django.contrib.staticfiles import finders
from django.urls import reverse

from games.models import Role
from games.tables.services import links
from tests.factories import database_rows
from tests.reader import read_page

pytestmark = pytest.mark.django_db

WORDS = "Keeps score of your card games and works out who pays whom."
PALABRAS = "Lleva los puntos cuando se juega a las cartas entre amigos, y dice quién le paga a quién."


@pytest.fixture
def link_urls(table, owner, finished):
    """The links that a stranger may be sent, by kind."""
    made: dict[str, str] = {role: links.create_personal(table, role=role, by=owner)[1] for role in Role}
    beto = table.members.get(slug="beto")
    made["new phone"] = links.create_personal(table, role=Role.WITNESS, member=beto, by=owner)[1]
    made["tonight"] = links.tonight_token(links.get_or_create_tonight(table, by=owner))
    return {
        **{name: reverse("invitation", args=[token]) for name, token in made.items()},
        "sign-in": reverse("sign-in-link", args=[links.create_sign_in(owner)]),
        "first page": "/",
        "unknown": "/no-such-page/",
        "unknown invitation": reverse("invitation", args=["nothing"]),
        "sheet": reverse("sheet", args=[finished.code]),
        "lobby": reverse("lobby", args=[table.code]),
        "accounts": reverse("accounts", args=[table.code]),
    }


def parse_preview(response):
    """Return the content of each `og:` element of the page, by property."""
    metas = read_page(response).every("meta")
    named = [(meta.attrs.get("property", ""), meta.attrs.get("content", "")) for meta in metas]
    return {name.removeprefix("og:"): content for name, content in named if name.startswith("og:")}


IN_SPANISH = {
    **dict.fromkeys((*Role, "new phone"), "Una invitación"),
    "tonight": "Te invitan a la mesa · esta noche",
}


def test_each_link_is_shown_with_a_title_a_sentence_and_a_picture_about_nobody_and_works_after_it(
    subtests, settings, client_for, link_urls, table, owner
):
    """An invitation in the table's language, every other link in the reader's."""
    settings.ALLOWED_HOSTS = ["cards.example.org"]
    table.language = "es-es"
    table.save()
    names = [*table.members.values_list("name", flat=True), table.name, owner.username]
    headers = {"host": "cards.example.org", "user-agent": "WhatsApp/2.23.20.0"}
    before = database_rows(), Session.objects.count()
    for name, link in link_urls.items():
        with subtests.test(str(name)):
            response = client_for().get(link, secure=True, headers=headers)
            preview = parse_preview(response)
            text = f"{preview['title']} {preview['description']}"
            picture = urlsplit(preview["image"])

            assert {"title", "description", "image"} == set(preview)
            assert (PALABRAS if name in IN_SPANISH else WORDS) == preview["description"]
            assert IN_SPANISH.get(name, preview["title"]) == preview["title"] != ""
            assert [] == [word for word in names if word.casefold() in text.casefold()]
            assert not any(letter.isdigit() for letter in text)
            assert ("https", "cards.example.org") == (picture.scheme, picture.netloc)
            assert finders.find(picture.path.removeprefix("/static/"))
            assert set() == set(response.cookies) - {"csrftoken"}
    assert before == (database_rows(), Session.objects.count())
    for name in (*Role, "new phone", "sign-in"):
        with subtests.test(f"{name} accepted"):
            accepted = client_for().post(
                link_urls[name], {"key": "a" * 8}, headers={"host": "cards.example.org"}
            )
            assert 302 == accepted.status_code
