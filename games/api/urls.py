"""The addresses of the API; a view, its name here and its test share one name."""

from __future__ import annotations

from django.urls import path, re_path

from games.api.common import reference, schema, unknown
from games.api.play import hand, rules, score, variants

urlpatterns = [
    path("", reference.reference, name="api"),
    path("v1/schema/", schema.schema, name="api-schema"),
    path("v1/variants/", variants.variants, name="api-variants"),
    path("v1/variants/<slug:key>/", variants.variant, name="api-variant"),
    path("v1/rules/", rules.rules, name="api-rules"),
    path("v1/hand/", hand.hand, name="api-hand"),
    path("v1/score/", score.score, name="api-score"),
    re_path("", unknown.Unknown.as_view(), name="api-unknown"),
]
