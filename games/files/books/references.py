"""Find rows whose foreign key refers to a row that does not exist, as after somebody deleted rows by hand."""

from __future__ import annotations

from collections.abc import Iterator

from django.apps import apps
from django.db.models import Exists, ForeignKey, Model, OuterRef


def dangling_references() -> Iterator[tuple[str, str]]:
    """Yield a row's name, such as "payment 12", and a sentence for each foreign key without a row."""
    for model in apps.get_app_config("games").get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, ForeignKey):
                yield from _dangling(model, field)


def _dangling(model: type[Model], field: ForeignKey[Model, Model]) -> Iterator[tuple[str, str]]:
    target = field.remote_field.model._base_manager.filter(pk=OuterRef(field.attname))
    rows = model._base_manager.filter(**{f"{field.attname}__isnull": False}).exclude(Exists(target))
    for pk, missing in rows.order_by("pk").values_list("pk", field.attname):
        yield f"{model._meta.model_name} {pk}", f"refers to {field.name} {missing}, which is gone"
