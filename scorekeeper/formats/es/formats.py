"""Number formats as in `es_AR`, so that everybody at a table reads the same figures.

Mexico would otherwise separate thousands with a comma.
"""

from __future__ import annotations

THOUSAND_SEPARATOR = "."
