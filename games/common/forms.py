"""The base of all forms: one template for every field, and one way to show a service's refusal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.forms.renderers import TemplatesSetting

from games.common import request_handling, texts
from games.scoring.errors import RuleError


class FormRenderer(TemplatesSetting):
    """A renderer with one template for every field; a field that looks different names its own."""

    field_template_name = "parts/_field.html"


class BaseForm(forms.Form):
    """A form that its service may refuse too.

    `id_suffix` ends the ids of its fields, for a page that shows it several times. `key` and `after` are not
    fields, because they belong to the request.
    """

    use_required_attribute = False
    question = ""  # a question to answer before the service does what was sent
    money: Callable[[int], str] = str  # formats the amounts in a refusal
    error_fields: Mapping[str, str] = {}  # a refusal's field: the field of this form that shows it

    def __init__(self, data: Mapping[str, str] | None = None, *, id_suffix: str = "", **kwargs: Any) -> None:
        super().__init__(data, auto_id=f"%s{id_suffix}", label_suffix="", **kwargs)

    def refuse(self, refusal: RuleError) -> None:
        """Show the service's refusal at the field it names, or above the form."""
        field = self.error_fields.get(refusal.field, refusal.field)
        self.add_error(field if field in self.fields else None, texts.translate(refusal.text, self.money))

    def add_error(self, field: str | None, error: Any) -> None:
        """Add a refusal, and give the focus to the first field that has one."""
        super().add_error(field, error)
        if field in self.fields and not any(
            "autofocus" in other.widget.attrs for other in self.fields.values()
        ):
            self.fields[field].widget.attrs["autofocus"] = True

    @property
    def sentences(self) -> list[str]:
        """All refusals, without the names of their fields."""
        return [str(sentence) for sentences in self.errors.values() for sentence in sentences]

    @property
    def status(self) -> int:
        """The HTTP status of a page that shows this form."""
        return request_handling.UNPROCESSABLE if self.errors or self.question else 200


def line_field(longest: int, label: Any, **kwargs: Any) -> forms.CharField:
    """Return a field for a line of text. The service, not the form, trims and checks it."""
    widget = forms.TextInput(attrs={"maxlength": longest, **kwargs.pop("attrs", {})})
    return forms.CharField(label=label, required=False, strip=False, widget=widget, **kwargs)


def day_field(label: Any, wrong: Any, **kwargs: Any) -> forms.DateField:
    """Return a field for a date; `wrong` is the error for a missing and for an invalid one."""
    return forms.DateField(
        label=label,
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        error_messages={"required": wrong, "invalid": wrong},
        **kwargs,
    )
