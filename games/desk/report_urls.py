"""The URLs of reports to the operator. The app on a phone has none of them."""

from __future__ import annotations

from django.urls import path

from games.desk.reports import report_invitation, report_table

urlpatterns = [
    path("t/<slug:table_code>/", report_table, name="report-table"),
    path("i/<slug:token>/", report_invitation, name="report-invitation"),
]
