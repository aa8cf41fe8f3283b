"""`cometchat-desk apps add` and `apps list`: profiles without an editor."""

import json
import os
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from cometchat_testing import Simulator

from ..conftest import CommandLine, Result

posix = pytest.mark.skipif(os.name != "posix", reason="files have no such modes here")

FOLDER = "home/.config/cometchat-desk"


def profiles(cli: CommandLine) -> Path:
    return cli.folder / FOLDER / "profiles.toml"


def content(cli: CommandLine) -> dict[str, object]:
    return tomllib.loads(profiles(cli).read_text("utf-8"))


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def add(cli: CommandLine, simulator: Simulator, name: str, *more: str) -> Result:
    cli.write("my.key", simulator.api_key)
    return cli(
        "apps", "add", name, "--base-url", simulator.base_url, "--api-key-file", "my.key", *more
    )


def test_first_app(bare_cli: CommandLine, simulator: Simulator) -> None:
    """The first app becomes the default app, the check runs, and the next command works without
    options."""
    done = add(bare_cli, simulator, "shop", "--format", "json")
    assert done.code == 0, done
    assert {finding["state"] for finding in json.loads(done.out)} == {"ok"}
    assert done.line == f"Wrote the app shop, the default app, to {profiles(bare_cli)}."
    assert content(bare_cli) == {
        "default": "shop",
        "apps": {
            "shop": {
                "base_url": simulator.base_url,
                "api_key_file": str(bare_cli.folder / "my.key"),
            }
        },
    }
    assert bare_cli("reviewed", "list").code == 0


@posix
def test_typed_settings(
    bare_cli: CommandLine, simulator: Simulator, typed: Callable[..., Result]
) -> None:
    """At a terminal, the address and the key are asked for. The key goes to a file that only the
    user can read."""
    done = typed("shop", texts=f"{simulator.base_url}\n", key=simulator.api_key)
    assert done.code == 0, done
    key_file = bare_cli.folder / FOLDER / "shop.key"
    assert key_file.read_text("utf-8").strip() == simulator.api_key
    assert (mode(key_file), mode(profiles(bare_cli)), mode(key_file.parent)) == (
        0o600,
        0o600,
        0o700,
    )
    assert content(bare_cli)["apps"] == {
        "shop": {"base_url": simulator.base_url, "api_key_file": "shop.key"}
    }
    assert simulator.api_key not in done.out + done.err
    assert str(key_file) in done.err
    assert str(profiles(bare_cli)) in done.err


def test_typed_app_id_and_region(bare_cli: CommandLine, typed: Callable[..., Result]) -> None:
    """An app id is followed by the question for the region; an empty answer means us."""
    assert typed("one", "--no-check", texts="abc\neu\n", key="k").code == 0
    assert typed("two", "--no-check", texts="def\n\n", key="k").code == 0
    apps = content(bare_cli)["apps"]
    assert apps == {
        "one": {"app_id": "abc", "region": "eu", "api_key_file": "one.key"},
        "two": {"app_id": "def", "region": "us", "api_key_file": "two.key"},
    }


def test_remove_app(bare_cli: CommandLine, simulator: Simulator) -> None:
    """`apps remove` removes an app and the key that `apps add` stored; a key file of the user
    stays."""
    path = bare_cli.profiles(
        "# mine\n[apps.forum]\napp_id = 'a'\napi_key_file = 'my.key'\n# next\n"
    )
    stored = bare_cli.write(f"{FOLDER}/shop.key", "4d1f0b7a92c8")
    with path.open("a") as opened:
        opened.write("[apps.shop]\napp_id = 'b'\napi_key_file = 'shop.key'\n")
    assert bare_cli("apps", "remove", "shop").code == 2, "there is no terminal to ask"
    assert stored.exists()
    assert bare_cli("apps", "remove", "shop", "--yes").code == 0
    assert not stored.exists()
    assert content(bare_cli) == {"apps": {"forum": {"app_id": "a", "api_key_file": "my.key"}}}
    assert (
        "my.key with the API key is still there" in bare_cli("apps", "remove", "forum", "--yes").err
    )
    assert path.read_text("utf-8").strip() == "# mine"
    assert add(bare_cli, simulator, "shop").code == 0
    assert content(bare_cli)["default"] == "shop"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (
            ["forum", "--app-id", "x", "--api-key-file", "my.key"],
            2,
            "exists already; choose another name",
        ),
        (["a.b", "--app-id", "x", "--api-key-file", "my.key"], 2, "letters A-Z, digits, hyphens"),
        (["../x", "--app-id", "x", "--api-key-file", "my.key"], 2, "letters A-Z, digits, hyphens"),
        (
            ["4" * 40, "--app-id", "x", "--api-key-file", "my.key"],
            2,
            "NAME holds an API key",
        ),
        (["shop", "--api-key-file", "my.key"], 2, "use --app-id and --region, or --base-url"),
        (["shop", "--app-id", "x"], 2, "use --api-key-file"),
        (["shop", "--app-id", "x", "--region", "mars", "--api-key-file", "my.key"], 3, "--region"),
        (["shop", "--app-id", "x.y", "--api-key-file", "my.key"], 3, "--app-id"),
        (["shop", "--base-url", "x", "--api-key-file", "my.key"], 3, "--base-url"),
        (
            ["shop", "--base-url", "https://x/v3", "--region", "eu", "--api-key-file", "my.key"],
            3,
            "is a complete address",
        ),
        (["shop", "--app-id", "x", "--api-key-file", "no.key"], 3, "no.key"),
        (["shop", "--app-id", "x", "--api-key-file", "bad.key"], 3, "key"),
        (["shop", "--app", "y"], 2, "No such option: --app"),
        (
            ["shop", "--base-url", "127.0.0.1:8080/v3", "--api-key-file", "my.key"],
            3,
            "must be an address",
        ),
        (["taken", "--app-id", "x"], 2, "taken.key exists already"),
    ],
)
def test_refused_apps(bare_cli: CommandLine, arguments: list[str], code: int, words: str) -> None:
    """Invalid settings are refused in one line, and nothing is written."""
    path = bare_cli.profiles("[apps.forum]\napp_id = 'a'\n")
    bare_cli.write("my.key", "4d1f0b7a92c8")
    bare_cli.write("bad.key", "schlüssel")
    bare_cli.write(f"{FOLDER}/taken.key", "mine")
    before = {each: each.read_bytes() for each in path.parent.iterdir()}
    done = bare_cli("apps", "add", *arguments)
    assert (done.code, done.out) == (code, "")
    assert words in done.line
    assert "4" * 40 not in done.line
    assert {each: each.read_bytes() for each in path.parent.iterdir()} == before


def test_empty_answers_write_nothing(bare_cli: CommandLine, typed: Callable[..., Result]) -> None:
    """Without an app id or without a key, nothing is written."""
    assert typed("shop", texts="", key="k").code == 2
    assert typed("shop", texts="abc\neu\n", key="").code == 2
    assert not profiles(bare_cli).parent.exists()


def test_failed_check(bare_cli: CommandLine, simulator: Simulator) -> None:
    """If the check fails, the app is stored, and the exit code is that of the check."""
    simulator.fail("list_roles", status=500, times=None)
    done = add(bare_cli, simulator, "shop")
    assert done.code == 8
    assert "Wrote the app shop" in done.err


def test_refused_key(
    bare_cli: CommandLine, simulator: Simulator, typed: Callable[..., Result]
) -> None:
    """An app whose key the service refuses is not stored, except with --no-check, and can be
    corrected."""
    bare_cli.write("my.key", "0" * 40)
    done = bare_cli(
        "apps", "add", "shop", "--base-url", simulator.base_url, "--api-key-file", "my.key"
    )
    assert (done.code, profiles(bare_cli).exists()) == (4, False)
    assert "the app shop was not stored: correct the key" in done.line
    address, wrong = f"{simulator.base_url}\n", "0" * 40
    assert typed("shop", texts=address, key=wrong).code == 4
    assert not profiles(bare_cli).parent.exists()
    assert typed("shop", "--no-check", texts=address, key=wrong).code == 0
    assert (profiles(bare_cli).parent / "shop.key").exists()
    assert typed("shop", "--replace", texts=address, key=f'"{simulator.api_key}" ').code == 0
    assert bare_cli("reviewed", "list").code == 0


def test_new_key(bare_cli: CommandLine, simulator: Simulator, typed: Callable[..., Result]) -> None:
    """With --replace, Enter keeps the stored address; a key in its place is refused at once, and
    is not stored."""
    assert typed("shop", texts=f"{simulator.base_url}\n", key=simulator.api_key).code == 0
    before = content(bare_cli)
    assert typed("shop", "--replace", texts="\n", key=simulator.api_key).code == 0
    assert content(bare_cli) == before
    done = typed("shop", "--replace", texts=f"{simulator.api_key}\n", key="k")
    assert (done.code, "looks like an API key" in done.line) == (3, True)
    assert "Region" not in done.err
    assert content(bare_cli) == before
    assert typed("two", "--no-check", texts="abc\neu\n", key="k").code == 0
    assert typed("two", "--no-check", "--replace", texts="\n\n", key="k").code == 0
    stored = content(bare_cli)["apps"]
    assert isinstance(stored, dict)
    assert stored["two"] == {"app_id": "abc", "region": "eu", "api_key_file": "two.key"}
    # The stored region is that of the stored app.
    assert typed("two", "--no-check", "--replace", texts="other\n\n", key="k").code == 0
    stored = content(bare_cli)["apps"]
    assert isinstance(stored, dict)
    assert stored["two"]["region"] == "us"


def test_list(bare_cli: CommandLine) -> None:
    """`apps list` shows the name, address and key source of each app, marks the default app, and
    shows no key."""
    path = bare_cli.profiles(
        'default = "shop"\n[apps.shop]\napp_id = "abc"\nregion = "eu"\napi_key = "4d1f0b7a92c8"\n'
        '[apps.clinic]\nbase_url = "https://chat.example.com/v3"\napi_key_file = "clinic.key"\n'
        '[apps.forum]\napp_id = "def"\n[apps.wrong]\napp_id = "x"\nregion = "mars"\n'
        f'[apps.typed]\napp_id = "y"\napi_key_file = "{"5" * 40}"\n'
    )
    done = bare_cli("apps", "list", "--format", "json")
    assert (done.code, done.err) == (0, "")
    shop, clinic, forum, wrong, typed = json.loads(done.out)
    assert shop == {
        "name": "shop",
        "base_url": "https://abc.api-eu.cometchat.io/v3",
        "key": "profiles.toml",
        "default": True,
    }
    assert clinic["key"] == str(path.parent / "clinic.key")
    assert (forum["base_url"], forum["key"]) == (
        "https://def.api-us.cometchat.io/v3",
        "COMETCHAT_API_KEY",
    )
    assert wrong["base_url"] is None
    assert typed["key"].endswith("[redacted]")
    table = bare_cli("apps", "list", "--format", "table").out
    assert "* " in next(line for line in table.splitlines() if "shop" in line)
    assert "file" in table
    as_csv = bare_cli("apps", "list", "--format", "csv").out.splitlines()
    assert as_csv[:2] == [
        ",".join(shop),
        "shop,https://abc.api-eu.cometchat.io/v3,profiles.toml,yes",
    ]
    assert "4d1f0b7a92c8" not in done.out + table
    assert "5" * 40 not in done.out + table


def test_list_of_one_app(bare_cli: CommandLine) -> None:
    """--app selects apps. Options that name an address are refused, because the command would
    ignore them."""
    bare_cli.profiles("[apps.shop]\napp_id = 'a'\n[apps.forum]\napp_id = 'b'\n")
    done = bare_cli("apps", "list", "--app", "forum")
    assert [json.loads(line)["name"] for line in done.out.splitlines()] == ["forum"]
    assert bare_cli("apps", "list", "--app", "form").code == 3
    assert bare_cli("apps", "list", "--region", "eu").code == 2


def test_list_without_apps(bare_cli: CommandLine) -> None:
    """Without profiles, a line says how to add an app."""
    done = bare_cli("apps", "list")
    assert (done.code, done.out) == (0, "")
    assert done.line.endswith("to add an app, run cometchat-desk apps add NAME.")
