"""What the maintainers of this repository run; no part of what users install."""
