"""Tests of the clients. The path of a test file mirrors the path of its module in
`cometchat_rest`."""
