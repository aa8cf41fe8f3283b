"""The commands of `cometchat-desk`, one module for each group or large command."""
