"""The records of a table in the API: its change feed, exports, the import of tables and of old notebooks."""
