"""Tools for the maintainers of this repository; users do not install them."""
