"""Empty: the client that sends a call defines its own errors."""
