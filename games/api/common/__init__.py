"""What every wing of the API shares: bodies, problems, limits, the description of it all."""
