"""Finds `openapi.yaml`, in the wheel and in a checkout."""

from pathlib import Path


def openapi() -> Path:
    """Return the path of `openapi.yaml`, the description that this version of the client is
    generated from.

    In a wheel it is in the package `cometchat_testing`. In a checkout it is at the top of the
    repository.

    Raises:
        FileNotFoundError: the package was installed without its file.
    """
    package = Path(__file__).parent
    checkout = package.parents[1]
    for folder in (package, checkout):
        path = folder / "openapi.yaml"
        if path.is_file():
            return path
    raise FileNotFoundError(f"openapi.yaml is missing in {package}; install cometchat-rest again")
