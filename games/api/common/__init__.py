"""Base classes and helpers of the API:

serializers, request bodies, problems, rate limits, the OpenAPI schema.
"""
