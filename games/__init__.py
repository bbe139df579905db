"""The site's Django application."""
