"""The form of a season."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.common.forms import BaseForm, day_field, line_field
from games.models import SEASON_NAME_LENGTH, Season
from games.seasons import presenters


class SeasonForm(BaseForm):
    """A season (None for a new one): its name, its first day and the order of its standings."""

    name = line_field(SEASON_NAME_LENGTH, _("Name"))
    first_day = day_field(_("First day"), _("Choose a day."))
    order = forms.ChoiceField(
        label=_("How the standings are sorted"),
        choices=presenters.order_choices,
        required=False,
        error_messages={"invalid_choice": _("Choose what the standings are sorted by.")},
    )

    def __init__(self, season: Season | None, **kwargs: Any) -> None:
        self.season = season
        super().__init__(id_suffix=f"-{season.pk}" if season else "", **kwargs)
