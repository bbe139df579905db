"""Base classes and helpers of the API.

The package has serializers, request bodies, problems, rate limits, and the OpenAPI schema.
"""
