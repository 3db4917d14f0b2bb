"""The bill of materials of a wheel, in the form CycloneDX 1.6 (ECMA-424).

The bill lists the packages of `requirements.lock` with versions, licences and all accepted hashes, and the npm
packages with code in the built pages. Equal lock files and pages give equal bytes: the bill has no time and no
random number. The build of a wheel reads this file by its path, so only the standard library is imported.
"""

from __future__ import annotations

import base64
import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

PACKED = Path("api", "console", "built", ".vite", "packages.json")
"""The file with the npm packages in the pages, by their keys in `package-lock.json`. Vite writes the file."""

_LOCKED = re.compile(r"^([a-z0-9.-]+)==(\S+)[^\n]*\n((?:    --hash=.*\n)+)((?:    #.*\n)*)", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_NEEDED_BY = re.compile(r"^    # (?:via |  )(\S+)", re.MULTILINE)
_REQUIRED = re.compile(r"[A-Za-z0-9._-]+")

Component = dict[str, Any]


def bill(root: Path) -> bytes:
    """Return the bill of the project in a folder, as JSON. Raises ValueError for a package without a licence."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    packages, needs = _of_python(root, set(map(_name, project["dependencies"])), project["name"])
    pages = list(_of_pages(root))
    itself = f"pkg:pypi/{project['name']}@{project['version']}"
    references = {package["name"]: package["bom-ref"] for package in packages} | {project["name"]: itself}
    graph = {references[name]: sorted(references[need] for need in needs[name]) for name in references}
    graph[itself] += [page["bom-ref"] for page in pages]
    content = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": itself,
                "name": project["name"],
                "version": project["version"],
                "licenses": [{"expression": "MIT"}],
                "purl": itself,
            }
        },
        "components": [*packages, *pages],
        "dependencies": [{"ref": ref, "dependsOn": needed} for ref, needed in sorted(graph.items())],
    }
    return json.dumps(content, indent=1).encode()


def _of_python(root: Path, required: set[str], project: str) -> tuple[list[Component], dict[str, set[str]]]:
    """Return the packages of the lock file, and the needs of each package by name.

    Packages that only the build of a wheel needs have the scope "excluded".
    """
    licences = tomllib.loads((root / "migrations" / "licences.toml").read_text(encoding="utf-8"))
    locked = _LOCKED.findall((root / "requirements.lock").read_text(encoding="utf-8"))
    needs: dict[str, set[str]] = defaultdict(set)
    for name, _, _, comments in locked:
        for needing in _NEEDED_BY.findall(comments):
            needs[needing].add(name)
    running = set[str]()
    reached = required & needs[project]
    while reached:
        running |= reached
        reached = set().union(*(needs[name] for name in reached)) - running
    needs[project] &= running
    if missing := [name for name, *_ in locked if name not in licences]:
        raise ValueError(f"migrations/licences.toml has no licence of {', '.join(missing)}")
    packages = [
        _component(
            "pypi",
            name,
            version,
            licences[name],
            [("SHA-256", digest) for digest in sorted(_HASH.findall(hashes))],
            scope="required" if name in running else "excluded",
        )
        for name, version, hashes, _ in locked
    ]
    return packages, needs


def _of_pages(root: Path) -> Iterator[Component]:
    """Yield the npm packages with code in the built pages."""
    locked = json.loads((root / "api" / "console" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for key in json.loads((root / PACKED).read_text(encoding="utf-8")):
        entry = locked[key]
        algorithm, _, digest = entry["integrity"].partition("-")
        hashed = (f"SHA-{algorithm.removeprefix('sha')}", base64.b64decode(digest).hex())
        name = entry.get("name", key.rpartition("node_modules/")[2])
        yield _component("npm", name, entry["version"], entry["license"], [hashed])


def _component(
    kind: str, name: str, version: str, licence: str, hashes: Iterable[tuple[str, str]], scope: str = "required"
) -> Component:
    url = f"pkg:{kind}/{quote(name)}@{quote(version)}"
    return {
        "type": "library",
        "bom-ref": url,
        "name": name,
        "version": version,
        "scope": scope,
        "hashes": [{"alg": algorithm, "content": digest} for algorithm, digest in hashes],
        "licenses": [{"expression": licence}],
        "purl": url,
    }


def _name(requirement: str) -> str:
    """Return the normalised name of a requirement (PEP 503)."""
    (name,) = _REQUIRED.findall(requirement)[:1]
    return re.sub(r"[-_.]+", "-", name).lower()
