"""Output on a terminal: tables, prompts, progress, and texts that are safe to show."""
