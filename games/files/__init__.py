"""Import and export: a table's file, old notebooks, and the audit of stored data."""
