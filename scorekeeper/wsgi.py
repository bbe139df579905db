"""The WSGI application, for whoever serves the project that way; `manage.py serve` puts `rsgi.py` before it."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")

application = get_wsgi_application()
