"""Finds the description that the client is generated from."""

from pathlib import Path


def openapi() -> Path:
    """Return the path of `openapi.yaml`, the description that this version of the client is
    generated from.

    A wheel holds the file inside the package. In a checkout it is the file at the top of the
    repository.

    Raises:
        FileNotFoundError: the package was installed without its file.
    """
    package = Path(__file__).parents[1]
    for place in (package / "openapi.yaml", package.parents[1] / "openapi.yaml"):
        if place.is_file():
            return place
    raise FileNotFoundError(f"openapi.yaml is missing in {package}; install cometchat-rest again")
