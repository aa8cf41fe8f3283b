"""The commands of `cometchat-desk reviewed`."""
