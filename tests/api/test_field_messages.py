"""Refusals of fields, in the reader's language although the framework's own catalogs are not loaded."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils.translation import gettext, override
from rest_framework import fields, relations, serializers, validators

from games.common.api import field_messages
from games.models import Table


def _subclasses(kind: type[Any]) -> Iterator[type[Any]]:
    for subclass in type.__subclasses__(kind):
        yield subclass
        yield from _subclasses(subclass)


def _fields(field: serializers.Field) -> Iterator[serializers.Field]:
    yield field
    if child := getattr(field, "child", None):
        yield from _fields(child)
    for inner in getattr(field, "fields", {}).values():
        yield from _fields(inner)


def _api_serializers() -> Iterator[serializers.Field]:
    for kind in set(_subclasses(serializers.BaseSerializer)):
        if kind.__module__.startswith("games.") and (
            hasattr(kind, "Meta") or not issubclass(kind, serializers.ModelSerializer)
        ):
            yield kind()


def test_every_message_of_a_field_of_the_api_is_translated():
    with override("en"):
        messages = {
            str(message)
            for serializer in _api_serializers()
            for field in _fields(serializer)
            for message in field.error_messages.values()
        }
    with override("es"):
        untranslated = {message for message in messages if gettext(message) == message}

    assert set() == untranslated


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"amount": 0}, "Este valor es 1 como mínimo."),
        ({"amount": 10**15}, "Este valor es 999999999999999 como mucho."),
        ({"amount": "20"}, "Va un número entero."),
        ({"method": "oro"}, "“oro” no es una de las opciones."),
        ({"note": "x" * 201}, "Como mucho 200 caracteres."),
        ({"payer": None}, "Este campo no puede ser null."),
    ],
)
def test_a_refused_payment_is_refused_in_spanish(owner_program, table, changed, sentence):
    payment = {"payer": "beto", "payee": "ana", "amount": 20, "method": "cash", **changed}
    answer = owner_program.post(f"tables/{table.code}/payments/", payment, **{"accept-language": "es-AR"})

    assert (400, sentence) == (answer.status, answer.body["detail"])


FROM_1900 = "The day must be from 01/01/1900 to 31/12/2200."


@pytest.mark.parametrize(
    ("method", "path", "body", "sentence"),
    [
        ("get", "games/?from=0001-01-01", {}, FROM_1900),
        ("get", "games/?to=2201-01-01", {}, FROM_1900),
        ("post", "seasons/", {"name": "1800", "first_day": "1800-01-01"}, FROM_1900),
        (
            "post",
            "payments/",
            {"payer": "beto", "payee": "ana", "amount": 20, "method": "cash", "day": "1899-12-31"},
            FROM_1900,
        ),
        *(
            (
                "post",
                "costs/",
                {"payer": "ana", "amount": 9, "night": night},
                "The day must be from 01/01/2000 to 31/12/2200.",
            )
            for night in ("1899-12-31", "1999-12-31", "2201-01-01")
        ),
    ],
)
def test_a_day_out_of_range_is_refused_with_the_days_that_are_taken(
    owner_program, table, method, path, body, sentence
):
    Table.objects.update(region="es-AR")
    ask = getattr(owner_program, method)
    answer = ask(f"tables/{table.code}/{path}", *([body] if body else []))

    assert (400, sentence) == (answer.status, answer.body["detail"])


def test_the_messages_listed_are_the_frameworks():
    framework = "".join(map(inspect.getsource, (fields, relations, serializers, validators)))

    assert [] == [message for message in field_messages.MESSAGES if message not in framework]
