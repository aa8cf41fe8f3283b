"""The errors of calls, each with its app."""

from cometchat_testing import Simulator

from .conftest import CommandLine, app

LIST = "profanity-list"


def test_app_in_the_error_of_a_call(cli: CommandLine, simulator: Simulator) -> None:
    """The error of a call begins with the name and the address of the app."""
    cli.profiles(app("shop", simulator))
    simulator.fail("list_reviewed_messages", status=500, times=None)
    line = cli("reviewed", "list", "--app", "shop").line
    assert line.startswith(
        f"cometchat-desk: shop ({simulator.base_url}): the request for reviewed messages"
    )
    line = cli("reviewed", "list").line
    assert line.startswith(
        f"cometchat-desk: the app at {simulator.base_url}: the request for reviewed messages"
    )


def test_region_in_the_error_of_a_call(bare_cli: CommandLine) -> None:
    """The error of a call to a hosted app shows its identifier and region, not the whole
    address."""
    bare_cli.profiles('[apps.shop]\napp_id = "abc"\nregion = "eu"\napi_key = "k"\n')
    bare_cli.env.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    done = bare_cli("reviewed", "list", "--app", "shop")
    assert done.code == 9
    assert done.line.startswith(
        "cometchat-desk: shop (https://abc.api-eu.cometchat.io/v3): the request for reviewed messages"
    )
    bare_cli.env.setenv("COMETCHAT_API_KEY", "k")
    done = bare_cli("reviewed", "list", "--app-id", "abc", "--region", "in")
    assert done.line.startswith(
        "cometchat-desk: the app at https://abc.api-in.cometchat.io/v3: the request for reviewed messages"
    )


def test_errors_of_several_apps(cli: CommandLine, simulator: Simulator) -> None:
    """With several apps, each line names its app, and a refused key names the check for this
    app."""
    cli.profiles(app("shop", simulator) + app("closed", simulator, key="0" * 40))
    cli.write("list.txt", "spam\n")
    done = cli(
        "keywords", "apply", "--dry-run", LIST, "list.txt", "--all-apps", "--max-removed", "100%"
    )
    assert done.code == 4
    line = done.err.splitlines()[-1]
    assert line.startswith(f"cometchat-desk: {LIST} in closed ({simulator.base_url}): ")
    assert line.endswith("run cometchat-desk check with the same options.")
