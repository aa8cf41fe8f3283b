"""The steps of examples/moderation-repo run against the simulator, with the commands of its
workflow."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from cometchat_testing import Simulator

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "moderation-repo"
WORKFLOW = EXAMPLE / ".github" / "workflows" / "moderation.yml"
JOBS: dict[str, dict[str, Any]] = yaml.safe_load(WORKFLOW.read_text("utf-8"))["jobs"]
TRIGGERS = yaml.safe_load(WORKFLOW.read_text("utf-8"))[True]  # YAML 1.1 reads `on` as a boolean
#: The command that installs the packages: all jobs have the same.
(INSTALL,) = {
    step["run"]
    for job in JOBS.values()
    for step in job["steps"]
    if "Install" in step.get("name", "")
}
LIST, FILE = "profanity-list", "lists/profanity-list.txt"

needs_bash = pytest.mark.skipif(
    shutil.which("bash") is None or shutil.which("git") is None,
    reason="the steps need bash and git",
)


class Repository:
    """A copy of the example as a git repository, whose apps are two simulators."""

    def __init__(self, folder: Path, apps: dict[str, Simulator]) -> None:
        self.path = folder / "repository"
        self._folder = folder
        self._keys = {f"secrets.{name.upper()}_KEY": app.api_key for name, app in apps.items()}
        self.summary = folder / "summary.md"
        shutil.copytree(EXAMPLE, self.path)
        profiles = (EXAMPLE / "profiles.toml").read_text("utf-8")
        for name, app in apps.items():
            table = rf'(?<=\[apps\.{name}\]\n)app_id = "\w+"\nregion = "\w+"'
            profiles, count = re.subn(table, f'base_url = "{app.base_url}"', profiles)
            assert count == 1
        (self.path / "profiles.toml").write_text(profiles, "utf-8")
        self.git("init", "--quiet", "--initial-branch=main")
        self.commit("The lists")

    def git(self, *arguments: str) -> None:
        identity = {
            f"GIT_{role}_{what}": "a@example.com"
            for role in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        }
        environment = {
            **os.environ,
            **identity,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
        }
        subprocess.run(
            ["git", *arguments], cwd=self.path, env=environment, check=True, capture_output=True
        )

    def commit(self, message: str) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)

    def pull_request(self, files: dict[str, str | None]) -> None:
        """Check out the merge commit of a pull request with new contents of files; `None`
        deletes a file."""
        self.git("switch", "--quiet", "--create", "change")
        for name, text in files.items():
            if text is None:
                (self.path / name).unlink()
            else:
                (self.path / name).write_text(text, "utf-8")
        self.commit("A change")
        self.git("switch", "--quiet", "main")
        self.git("merge", "--quiet", "--no-ff", "change")
        self.git("switch", "--quiet", "--detach", "main")

    def run(self, job: str) -> dict[str, subprocess.CompletedProcess[str]]:
        """Run the shell steps of a job, as the service does: a step after a failure runs only with
        a condition.

        pip takes as long as all other steps, so one test is enough for the step that installs the
        packages.
        """
        done: dict[str, subprocess.CompletedProcess[str]] = {}
        for step in JOBS[job]["steps"]:
            failed = any(each.returncode for each in done.values())
            if "run" not in step or (failed and "if" not in step) or step["run"] == INSTALL:
                continue
            variables = {name: self._value(text) for name, text in step.get("env", {}).items()}
            done[step["name"]] = self._shell(step["run"], variables)
        return done

    def install(self) -> subprocess.CompletedProcess[str]:
        """Run the step that installs the packages. pip downloads nothing, and names the packages
        that it chose."""
        folder = str(self._folder / "index")
        return self._shell(
            INSTALL,
            {
                "PIP_NO_INDEX": "1",
                "PIP_FIND_LINKS": folder,
                "PIP_DRY_RUN": "1",
                "PIP_IGNORE_INSTALLED": "1",
            },
        )

    def _value(self, text: str) -> str:
        """The value of an expression of the workflow."""
        values = {**self._keys, "inputs.max_removed": ""}
        return re.sub(r"\$\{\{ (.+?) }}", lambda found: values[found[1]], text)

    def _shell(self, script: str, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
        assert "${{" not in script, "an expression in a script lets a pull request run commands"
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("COMETCHAT_")
        }
        environment |= {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self._folder),
            "RUNNER_TEMP": str(self._folder),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            **variables,
        }
        command = [
            shutil.which("bash") or "bash",
            "--noprofile",
            "--norc",
            "-eo",
            "pipefail",
            "-c",
            script,
        ]
        return subprocess.run(
            command,
            cwd=self.path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )


@pytest.fixture
def apps() -> Iterator[dict[str, Simulator]]:
    with Simulator() as shop, Simulator() as forum:
        yield {"shop": shop, "forum": forum}


@pytest.fixture
def repository(tmp_path: Path, apps: dict[str, Simulator]) -> Repository:
    return Repository(tmp_path, apps)


def codes(done: dict[str, subprocess.CompletedProcess[str]]) -> dict[str, int]:
    return {name: each.returncode for name, each in done.items()}


def terms(app: Simulator) -> Any:
    return app.keyword_lists[LIST].get("searchTerms")


def changed(*added: str) -> str:
    return (EXAMPLE / FILE).read_text("utf-8") + "".join(f"{each}\n" for each in added)


def wheel(folder: Path, name: str, version: str, needed: str = "") -> Path:
    """Write a wheel without modules into a folder."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in (
            ("METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needed}"),
            ("WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
            ("RECORD", ""),
        ):
            archive.writestr(f"{name.replace('-', '_')}-{version}.dist-info/{file}", text)
    return path


@needs_bash
@pytest.mark.parametrize(
    "missing", [None, "cometchat_rest", pytest.param("cometchat_desk", marks=pytest.mark.deep)]
)
def test_packages_come_only_from_the_files_of_the_owner(
    repository: Repository, tmp_path: Path, missing: str | None
) -> None:
    """The jobs install the two wheels in `wheels/`, and name a missing one; no index can supply
    the same names."""
    wheel(tmp_path / "index", "cometchat-rest", "99")
    wheel(tmp_path / "index", "cometchat-desk", "99")
    wheel(repository.path / "wheels", "cometchat-rest", "1")
    wheel(repository.path / "wheels", "cometchat-desk", "1", "Requires-Dist: cometchat-rest")
    if missing is None:
        done = repository.install()
        assert done.stdout.splitlines()[-1] == "Would install cometchat-desk-1 cometchat-rest-1"
    else:
        (repository.path / "wheels" / f"{missing}-1-py3-none-any.whl").unlink()
        done = repository.install()
        assert (
            f"'wheels/{missing}-*.whl' looks like a filename, but the file does not exist"
            in done.stderr
        )
    assert (done.returncode == 0) is (missing is None)


def test_pull_requests_of_forks_get_no_secret() -> None:
    """The job for each pull request has no secret and no environment; jobs with keys do not run
    for forks."""
    assert "pull_request_target" not in TRIGGERS
    assert "secrets." not in str(JOBS["review"])
    assert [name for name in JOBS if "environment" not in JOBS[name]] == ["review"]
    own = "github.event.pull_request.head.repo.full_name == github.repository"
    conditions = [JOBS[name]["if"] for name in JOBS.keys() - {"review"}]
    assert [each for each in conditions if own not in each and "'pull_request'" in each] == []
    assert all(job["permissions"] == {"contents": "read"} for job in JOBS.values())


@needs_bash
def test_review(repository: Repository, apps: dict[str, Simulator]) -> None:
    """A pull request is linted, and its summary shows the change; no request is sent."""
    repository.pull_request(
        {
            FILE: changed("phishing"),
            "lists/new-list.txt": "vishing\n",
            "lists/scam-patterns.txt": None,
        }
    )
    assert codes(repository.run("review")) == {"Lint": 0, "Show the change": 0}
    summary = repository.summary.read_text("utf-8")
    assert {"+phishing", "+vishing", "deleted file mode 100644"} <= set(summary.splitlines())
    assert not any(app.requests for app in apps.values())


@needs_bash
def test_review_of_damaged_entries(repository: Repository) -> None:
    """A damaged entry fails the pull request with its line, and the change is still shown."""
    repository.pull_request({FILE: changed("GrÃ¼ÃŸe")})
    done = repository.run("review")
    assert codes(done) == {"Lint": 1, "Show the change": 0}
    assert "lists/profanity-list.txt:7:" in done["Lint"].stdout
    assert "\n+GrÃ¼ÃŸe\n" in repository.summary.read_text("utf-8")


@needs_bash
def test_plan_and_apply(repository: Repository, apps: dict[str, Simulator]) -> None:
    """A pull request of the own repository is planned; after the merge the lists of both apps match
    the files. The keys that the workflow writes are private, and git ignores them."""
    repository.pull_request({FILE: changed("phishing")})
    before = terms(apps["shop"])
    done = repository.run("plan")
    keys = sorted(repository.path.glob("*.key"))
    assert [(each.name, each.stat().st_mode & 0o777) for each in keys] == [
        ("forum.key", 0o600),
        ("shop.key", 0o600),
    ]
    command = ["git", "status", "--porcelain"]
    assert (
        subprocess.run(command, cwd=repository.path, capture_output=True, check=True).stdout == b""
    )
    assert set(codes(done).values()) == {0}
    assert "shop: profanity-list would be updated: 1 added (" in done["Plan"].stdout
    assert "+ phishing" in done["Plan"].stderr
    assert codes(repository.run("status"))["Compare"] == 1
    assert terms(apps["shop"]) == before
    assert {request.method for app in apps.values() for request in app.requests} == {"GET"}

    done = repository.run("apply")
    assert set(codes(done).values()) == {0}, done["Apply"].stderr
    assert [terms(app) for app in apps.values()] == [[*before, "phishing"]] * 2
    assert (repository.path.parent / "journal.sqlite3").is_file()
    assert codes(repository.run("status"))["Compare"] == 0


@pytest.mark.deep
@needs_bash
def test_change_that_removes_too_much(repository: Repository, apps: dict[str, Simulator]) -> None:
    """A file that lost all its entries fails the plan and the update, and no list is changed."""
    repository.pull_request({FILE: "phishing\n"})
    assert codes(repository.run("plan"))["Plan"] == 6
    assert codes(repository.run("apply"))["Apply"] == 6
    assert len(terms(apps["shop"])) == 6


def test_pre_commit_hook(tmp_path: Path) -> None:
    """The hook of the example accepts its lists, and refuses a damaged entry."""
    config = yaml.safe_load((EXAMPLE / ".pre-commit-config.yaml").read_text("utf-8"))
    ((hook,),) = (repository["hooks"] for repository in config["repos"])
    folder = tmp_path / "repository"
    shutil.copytree(EXAMPLE, folder)
    names = [
        each.relative_to(folder).as_posix() for each in sorted(folder.rglob("*")) if each.is_file()
    ]
    files = [name for name in names if re.search(hook["files"], name)]
    assert files == sorted(
        each.relative_to(folder).as_posix() for each in (folder / "lists").iterdir()
    )
    words: list[str] = [*hook["entry"].split(), *files]
    command = [str(Path(sys.executable).parent / words[0]), *words[1:]]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (folder / FILE).write_text(changed("GrÃ¼ÃŸe"), "utf-8")
    assert subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 1
