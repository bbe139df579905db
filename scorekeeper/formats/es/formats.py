"""Number formats as in `es_AR`, so that all users of a table see the same numbers.

Otherwise Mexican formats would separate thousands with a comma.
"""

from __future__ import annotations

THOUSAND_SEPARATOR = "."
