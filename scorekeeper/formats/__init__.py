"""Number formats that replace Django's own formats for a language."""
