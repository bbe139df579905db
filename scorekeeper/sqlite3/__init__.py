"""Django's SQLite, as a site needs it that keeps its connections for days."""
