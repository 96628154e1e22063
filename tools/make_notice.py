#!/usr/bin/env python3
"""Writes NOTICE, the licences of all that the program and its page contain, and sbom.cdx.json, the list of it (CycloneDX 1.5).

make_notice.py [ROOT]          writes both
make_notice.py --check [ROOT]  says what of the dependencies is missing in them; needs neither packages nor node_modules

The page's parts are the dependencies of web/package.json and what these depend on, by web/package-lock.json; their texts come
from web/node_modules. The program's are the libraries of tools/packages.txt; their texts come from /usr/share/doc.
"""
import json
import pathlib
import subprocess
import sys

# of tools/packages.txt: what only builds or tests, and leaves nothing in the program
TOOLS = {"g++", "cmake", "ninja-build", "ccache", "pkg-config", "doctest-dev", "python3"}
# SPDX names of the libraries' own licences
LIBRARY_LICENCES = {
    "libeigen3-dev": "MPL-2.0", "libfmt-dev": "MIT", "libcli11-dev": "BSD-3-Clause", "libyaml-dev": "MIT", "libboost-dev": "BSL-1.0",
    "libexpat1-dev": "MIT", "libzip-dev": "BSD-3-Clause", "libassimp-dev": "BSD-3-Clause",
    "nlohmann-json3-dev": "MIT",
}


def page_parts(root):
    """Name to version, of everything that may end in the page."""
    locked = json.loads((root / "web/package-lock.json").read_text())["packages"]
    todo = list(json.loads((root / "web/package.json").read_text())["dependencies"])
    found = {}
    while todo:
        name = todo.pop()
        if name in found:
            continue
        entry = locked[f"node_modules/{name}"]
        found[name] = entry["version"], entry.get("license", "")
        todo += entry.get("dependencies", {})
    return dict(sorted(found.items()))


def libraries(root):
    lines = (root / "tools/packages.txt").read_text().splitlines()
    return [line for line in map(str.strip, lines) if line and not line.startswith("#") and line not in TOOLS]


def licence_text(folder):
    for file in sorted(folder.iterdir()):
        if file.name.upper().startswith(("LICENSE", "LICENCE", "COPYING")):
            return file.read_text().strip()
    sys.exit(f"{folder}: no licence")


def version_of(package):
    return subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], check=True, capture_output=True, text=True).stdout


def write(root):
    sections = []
    parts = []

    def add(name, version, licence, text, kind):
        sections.append(f"{'=' * 80}\n{name} {version} ({licence})\n{'=' * 80}\n\n{text}\n")
        parts.append({"type": "library", "name": name, "version": version, "licenses": [{"license": {"id": licence}}],
                      "purl": f"pkg:{kind}/{name.replace('@', '%40')}@{version}"})

    for name, (version, licence) in page_parts(root).items():
        add(name, version, licence, licence_text(root / "web/node_modules" / name), "npm")
    for name in libraries(root):
        text = pathlib.Path(f"/usr/share/doc/{name}/copyright").read_text().strip()
        add(name, version_of(name), LIBRARY_LICENCES[name], text, "deb/debian")
    head = "Filum is under the Apache License 2.0 (LICENSE). The program and its page contain the following, each under its own licence.\nMade by tools/make_notice.py.\n\n"
    (root / "NOTICE").write_text(head + "\n".join(sections))
    bom = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
           "metadata": {"component": {"type": "application", "name": "filum", "licenses": [{"license": {"id": "Apache-2.0"}}]}},
           "components": parts}
    (root / "sbom.cdx.json").write_text(json.dumps(bom, indent=1) + "\n")


def check(root):
    """What is missing or of another version, in words."""
    notice = (root / "NOTICE").read_text()
    listed = {part["name"]: part["version"] for part in json.loads((root / "sbom.cdx.json").read_text())["components"]}
    wanted = {name: version for name, (version, _) in page_parts(root).items()} | {name: None for name in libraries(root)}
    problems = [f"{name}: not in NOTICE" for name in wanted if f"\n{name} " not in notice]
    problems += [f"{name}: not in sbom.cdx.json" for name in wanted if name not in listed]
    problems += [f"{name}: {version} is used, {listed[name]} is listed" for name, version in wanted.items()
                 if version and listed.get(name, version) != version]
    problems += [f"{name}: listed but not used" for name in listed if name not in wanted]
    return problems


def main(arguments):
    root = pathlib.Path(next((a for a in arguments if not a.startswith("-")), pathlib.Path(__file__).parent.parent))
    if "--check" not in arguments:
        return write(root)
    problems = check(root)
    return "\n".join(problems + ["run tools/make_notice.py"]) if problems else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
