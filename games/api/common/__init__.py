"""The base of every wing of the API: serializers, bodies, problems, limits, the description."""
