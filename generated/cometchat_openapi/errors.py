"""No errors live here: whoever sends a call raises its own."""
