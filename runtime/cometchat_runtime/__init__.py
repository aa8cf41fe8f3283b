"""The part of a client that is the same for every description: one call, its errors, its options
and its transports. It knows nothing of a service."""
