"""The WSGI application. `manage.py serve` calls it through `rsgi.py`; other servers can call it directly."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")

application = get_wsgi_application()
