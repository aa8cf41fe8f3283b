"""One call, from its arguments to its result; nothing here opens a socket."""
