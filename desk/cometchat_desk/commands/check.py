"""`cometchat-desk check`: check the settings, the connection and the key."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from cometchat_desk.exit_codes import Code
from cometchat_desk.settings.connection import app_targets, find_app
from cometchat_desk.settings.profiles import App
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Column, Record
from cometchat_desk.terminal.output import Format, show

from .command import AllApps, command

_STYLES = {"ok": "green", "note": "yellow", "wrong": "bold red"}

_APP = Column(title="App", value=lambda finding: finding["app"], width=10, style="bold")
_COLUMNS = (
    Column(title="State", value=lambda finding: finding["state"], width=5, styles=_STYLES),
    Column(title="Subject", value=lambda finding: finding["subject"], width=10),
    Column(title="Finding", value=lambda finding: finding["finding"]),
)


@command()
def check(target: Target, all_apps: AllApps = False, *, output_format: Format) -> Code:
    """Check the settings, the connection and the API key. Nothing is changed.

    The command checks the settings, the API key, the proxy, the connection and the access to the
    service. The exit code shows the kind of the problem.

    Examples:
      cometchat-desk check --app shop
      cometchat-desk check --all-apps
    """
    apps = {
        name: partial(find_app, of_app)
        for name, of_app in app_targets(target, all_apps=all_apps).items()
    }
    return check_apps(apps, output_format)


def check_apps(apps: Mapping[str, Callable[[], App]], output_format: Format) -> Code:
    """Show each finding as soon as it is made, and return the highest exit code."""
    # The help of the program loads this module, and not the client.
    from .diagnosis import diagnose

    codes = [Code.DONE]

    def records() -> Iterator[Record]:
        for name, find in apps.items():
            for finding in diagnose(find):
                codes.append(finding.code)
                yield {
                    "app": name or None,
                    "state": finding.state,
                    "subject": finding.subject,
                    "finding": finding.text,
                }

    show(records(), _COLUMNS if len(apps) == 1 else (_APP, *_COLUMNS), output_format)
    return max(codes)
