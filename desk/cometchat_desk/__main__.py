"""The command line `cometchat-desk`."""

import sys


def main() -> None:
    """Run the command that the arguments of this process name, then exit with its exit code."""
    try:
        from .app import run
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(run())


if __name__ == "__main__":
    main()
