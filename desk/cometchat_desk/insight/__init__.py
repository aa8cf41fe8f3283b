"""Questions to exported reviewed messages: explain, statistics, try a list, a report. It needs
the extra `insight`."""
