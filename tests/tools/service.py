"""The description that the tests of the tools use, and a ledger whose entries have no
differences."""

import shutil
from pathlib import Path

import yaml
from attrs import asdict

from tools.contract.deviations import Deviation, places
from tools.description import ROOT, Document, read

DESCRIPTION = Path(__file__).with_name("service.yaml")
SERVICE: Document = read(DESCRIPTION)
LEDGER = {
    name: Deviation(
        id=name,
        theirs="This.",
        ours="That.",
        evidence="Seen.",
        confidence="low",
    )
    for name in places(SERVICE)
}


def tools_with_service(folder: Path) -> Path:
    """Copy the tools, the description and the ledger into a folder, where the tools are started."""
    shutil.copytree(ROOT / "tools", folder / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(DESCRIPTION, folder / "openapi.yaml")
    (folder / "contract").mkdir()
    entries = [
        {key: value for key, value in asdict(each).items() if value} for each in LEDGER.values()
    ]
    (folder / "contract" / "deviations.yaml").write_text(yaml.safe_dump(entries), "utf-8")
    return folder
