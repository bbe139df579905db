"""The notebook stays yours: a table written out whole and read in again, and the nights of an old notebook."""
