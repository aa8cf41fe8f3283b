"""What is published: the archives, their changelog, and the tests of the wheels."""
