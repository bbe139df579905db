"""Django's SQLite backend, adapted to connections that stay open for days."""
