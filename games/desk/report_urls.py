"""The URLs of reports, which only the site has."""

from __future__ import annotations

from django.urls import path

from games.desk.reports import report_invitation, report_table

urlpatterns = [
    path("t/<slug:table_code>/", report_table, name="report-table"),
    path("i/<slug:token>/", report_invitation, name="report-invitation"),
]
