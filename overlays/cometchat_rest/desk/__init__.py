"""Safe content for keyword lists: lint, additions and removals, a journal of updates, folders of lists.

It needs the extra `desk`, which the extra `cli` includes.
"""
