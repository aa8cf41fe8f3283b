"""Tests of the package for users: names, wheel, cost, README and site."""
