"""How figures are written where Django's own way would not do."""
