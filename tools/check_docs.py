#!/usr/bin/env python3
"""Fails where documentation and source have drifted apart.

usage: check_docs.py [ROOT]      (default: the folder above this file)

- The table of modules in docs/architecture.md is that of tools/layers.txt.
- Files that the documentation names in backticks exist, and so do the targets of its links and the public headers that it
  includes.
- Every citation «[Bergou2008, section 5.1]» in source and documentation has its key in docs/references.bib, and there is
  no other style of citing.
- No two files of src/ have the same name.

Prints one line per fault, «file:line: what is wrong», and exits 1 if there is any.
"""
import re
import sys
from pathlib import Path

# rows of the table of modules that are no modules of src/
OUTSIDE = {"validation", "bench", "apps/filum"}
SOURCES = ["include", "src", "apps", "validation", "bench", "tests"]
# «[Wang2016», «; Servin2007»: a key is the first author's name, plain, and the year
CITATION = re.compile(r"[\[;] ?([A-Z][A-Za-z]+(?:19|20|18|17)\d\d[a-z]*)\b")
# «Bergou et al. 2008», «Servin & Lacoursière (2007)», «Wang 2016»
LOOSE = re.compile(r"\b[A-ZÉ][\w'’é-]+(?: et al\.| (?:&|and) [A-ZÉ][\wéèü-]+)?,? \(?(?:17|18|19|20)\d\d\b\)?")
NAMED = re.compile(r"`((?:src|include|apps|tools|tests|validation|bench|web|docs|scenes|cmake)/[\w./-]+)`")
HEADER = re.compile(r"<(filum/\w+\.hpp)>")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def lines_of(path):
    return enumerate(path.read_text(encoding="utf-8").splitlines(), 1)


def check_architecture(root):
    """Rows «| `math` | base | … |» against «module math base»."""
    page = root / "docs" / "architecture.md"
    listed = {}
    for line in (root / "tools" / "layers.txt").read_text(encoding="utf-8").splitlines():
        words = line.split("#")[0].split()
        if words[:1] == ["module"]:
            listed[words[1]] = words[2:]
    told = set()
    for number, line in lines_of(page):
        cells = [cell.strip() for cell in line.split("|")]
        names = [word.strip(" `") for word in cells[1].split(",")] if len(cells) == 5 and cells[1].startswith("`") else []
        if not names or set(names) <= OUTSIDE:
            continue
        below = [] if cells[2] == "–" else [word.strip() for word in cells[2].split(",")]
        told.update(names)
        for name in names:
            if name not in listed:
                yield page, number, f"tools/layers.txt has no module {name}"
            elif sorted(below) != sorted(listed[name]):
                yield page, number, f"{name} may include {', '.join(listed[name]) or 'nothing'} (tools/layers.txt)"
    for name in listed:
        if name not in told:
            yield page, 1, f"the table has no row for the module {name}"


def check_names(root):
    for page in [*sorted((root / "docs").rglob("*.md")), *sorted(root.glob("*.md"))]:
        for number, line in lines_of(page):
            for name in NAMED.findall(line):
                if not (root / name).exists() and not any(root.glob(name.rstrip(".") + ".*")):
                    yield page, number, f"there is no {name}"
            for name in HEADER.findall(line):
                if not (root / "include" / name).exists():
                    yield page, number, f"there is no public header {name}"
            for target in LINK.findall(line):
                if not (page.parent / target).exists():
                    yield page, number, f"the link leads nowhere: {target}"


def check_citations(root):
    bib = (root / "docs" / "references.bib").read_text(encoding="utf-8")
    keys = {key.lower() for key in re.findall(r"@\w+\{([^,]+),", bib)}
    paths = [p for folder in SOURCES for p in sorted((root / folder).rglob("*")) if p.suffix in {".hpp", ".cpp"}]
    for path in [*paths, *sorted((root / "docs").rglob("*.md"))]:
        for number, line in lines_of(path):
            for key in CITATION.findall(line):
                if key.lower() not in keys:
                    yield path, number, f"[{key}] is not in docs/references.bib"
            comment = line.partition("//")[2]
            if path.suffix != ".md" and LOOSE.search(comment):
                yield path, number, f"cite as [Name2008, section 5.1], not «{LOOSE.search(comment)[0]}»"


def check_unique(root):
    seen = {}
    for path in sorted((root / "src").rglob("*.[hc]pp")):
        stem = path.with_suffix("")
        other = seen.setdefault(stem.name, stem)
        if other != stem:
            yield path, 1, f"another file has this name: {other.relative_to(root)}"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    faults = [fault for check in (check_architecture, check_names, check_citations, check_unique) for fault in check(root)]
    for path, line, what in faults:
        print(f"{path.relative_to(root)}:{line}: {what}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
