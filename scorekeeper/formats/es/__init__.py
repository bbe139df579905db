"""Spanish with tú, wherever it is spoken."""
