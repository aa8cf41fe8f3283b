"""A hook of hatchling: writes the bill of materials of the wheel, as PEP 770 describes, in CycloneDX.

The wheel contains no code of other projects. The list names both packages in the wheel, and each dependency with its
licence and with the version in the lock file, which the tests ran with; a user may install another version of the
declared range. The content depends on the sources only, so that every build gives the same bytes.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.requirements import Requirement


class SbomHook(BuildHookInterface[Any]):
    """Adds the list to `.dist-info/sboms/` of a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the list before the build."""
        del version
        self._folder = tempfile.TemporaryDirectory()
        path = Path(self._folder.name, f"{self.metadata.name}.cdx.json")
        path.write_text(json.dumps(self._sbom(), indent=1, ensure_ascii=False), "utf-8")
        build_data["sbom_files"].append(str(path))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete the file; the wheel has a copy."""
        del version, build_data, artifact_path
        self._folder.cleanup()

    def _sbom(self) -> dict[str, Any]:
        core = self.metadata.core
        own = f"pkg:pypi/{core.name}@{self.metadata.version}"
        licence = [{"expression": core.license_expression}]
        names = {"name": core.name, "version": self.metadata.version, "licenses": licence}
        packages = [
            {"type": "library", "bom-ref": name, **names, "name": name, "description": description}
            for name, description in self.config["packages"].items()
        ]
        dependencies = dict(sorted(self._dependencies()))
        seconds = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", 0)))
        return {
            "bomFormat": "CycloneDX",
            "specVersion": "1.7",
            "version": 1,
            "metadata": {
                "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S+00:00", seconds),
                "lifecycles": [{"phase": "build"}],
                "component": {"type": "library", "bom-ref": own, "purl": own, **names, "components": packages},
            },
            "components": list(dependencies.values()),
            "dependencies": [{"ref": own, "dependsOn": list(dependencies)}, *({"ref": name} for name in dependencies)],
        }

    def _dependencies(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield each dependency with its reference; a dependency of an extra is optional."""
        core = self.metadata.core
        lock = Path(self.root, "requirements", "dev.txt").read_text("utf-8")
        versions = dict(re.findall(r"^([\w.-]+)==([^ ;]+)", lock, re.MULTILINE))
        extras = (line for lines in core.optional_dependencies.values() for line in lines)
        for scope, lines in (("optional", extras), ("required", core.dependencies)):
            for requirement in map(Requirement, lines):
                name = requirement.name
                if name != core.name:
                    reference = f"pkg:pypi/{name}@{versions[name]}"
                    yield (
                        reference,
                        {
                            "type": "library",
                            "bom-ref": reference,
                            "name": name,
                            "version": versions[name],
                            "purl": reference,
                            "scope": scope,
                            "isExternal": True,
                            "licenses": [{"expression": self.config["licences"][name]}],
                            "properties": [{"name": "pypi:requires-dist", "value": str(requirement)}],
                        },
                    )
