"""The commands of `cometchat-desk keywords`."""
