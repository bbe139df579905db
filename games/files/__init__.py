"""Import and export: a table's file, old notebooks, a change of currency, and the check of stored data."""
