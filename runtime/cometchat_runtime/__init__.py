"""What any generated client needs: one call, its errors, its options and its transports."""
