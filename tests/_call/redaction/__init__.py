"""Tests of redaction: each secret is a recognisable canary, and nothing may show it."""
