"""The apps of a user: their profiles, keys and clients."""
