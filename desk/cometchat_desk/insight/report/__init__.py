"""A report about reviewed messages: one HTML file that loads nothing from any network."""
