#!/usr/bin/env python3
"""Fails on an include that the layers do not allow, on files of a module that include each other in a circle, and on files
that have grown too long.

usage: check_layers.py [ROOT]      (default: the folder above this file)

Reads ROOT/tools/layers.txt. Prints one line per fault, «file:line: what is wrong», and exits 1 if there is any.
"""
import re
import sys
from pathlib import Path

LONGEST_FILE = 700
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# of the standard library: what touches files, streams, clocks and threads
NOT_PLAIN = {
    "iostream", "fstream", "istream", "ostream", "sstream", "thread", "mutex", "future", "atomic", "condition_variable",
    "chrono", "ctime", "filesystem",
}
# what starts threads or listens
THREADS = {"thread", "mutex", "shared_mutex", "future", "atomic", "condition_variable", "semaphore", "sys/socket.h"}
# <cstdio> is allowed for snprintf, which makes the numbers in messages, and for that alone
PRINTS = re.compile(r"\b(printf|fprintf|puts|fputs|putchar|fopen|fwrite)\s*\(")
# everything we write by hand, wherever it is
WRITTEN = {".hpp", ".cpp", ".py", ".sh", ".cmake", ".ts"}
FOLDERS = ["include", "src", "apps", "validation", "bench", "tests", "tools", "cmake"]


class Layers:
    """tools/layers.txt, with «may include» followed all the way down."""

    def __init__(self, path):
        self.direct, self.headers, self.plain, self.threadless = {}, {}, set(), set()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            kind, *rest = words
            if kind == "module":
                self.direct[rest[0]] = rest[1:]
            elif kind == "header" and len(rest) == 2:
                self.headers[rest[0]] = rest[1]
            elif kind == "plain":
                self.plain.update(rest)
            elif kind == "threadless":
                self.threadless.update(rest)
            else:
                sys.exit(f"{path}:{number}: expected module, header, plain or threadless, found '{line}'")
        self.reach = {module: self._reach(module, set()) for module in self.direct}

    def _reach(self, module, seen):
        if module not in seen:
            seen.add(module)
            for below in self.direct[module]:
                self._reach(below, seen)
        return seen

    def module_of(self, path):
        """The module of a file below src/, given as parts of its path; the longest folder name that is one."""
        for length in range(len(path) - 1, 0, -1):
            name = "/".join(path[:length])
            if name in self.direct:
                return name
        return None


def faults_of_include(layers, root, module, bracket, target):
    """What is wrong with one include of a file in `module`; None if nothing."""
    # public headers
    if target.startswith("filum/"):
        owner = layers.headers.get(target[len("filum/"):])
        if owner is None:
            return f"<{target}> is not listed in tools/layers.txt"
        return None if owner in layers.reach[module] else f"{module} must not know {owner} (<{target}>)"
    # private headers
    if bracket == '"':
        if not (root / "src" / target).exists():
            return f'"{target}": name private headers by their path from src/'
        owner = layers.module_of(Path(target).parts)
        return None if owner in layers.reach[module] else f'{module} must not know {owner} ("{target}")'
    # the standard library and others
    if module in layers.threadless and (target in THREADS or target.startswith("boost/")):
        return f"{module} knows no threads and no sockets (<{target}>)"
    if module in layers.plain:
        foreign = "/" in target or target.endswith((".h", ".hpp"))
        if target in NOT_PLAIN or (foreign and not target.startswith("Eigen/")):
            return f"{module} is std and Eigen alone: no <{target}>"
    return None


def check_includes(layers, root):
    for folder in ("src", "include/filum"):
        base = root / folder
        for path in sorted(p for p in base.rglob("*") if p.suffix in (".hpp", ".cpp")):
            inside = path.relative_to(base)
            module = layers.module_of(inside.parts) if folder == "src" else layers.headers.get(inside.name)
            if module is None:
                yield path, 1, "belongs to no module of tools/layers.txt"
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                found = INCLUDE.match(line)
                fault = found and faults_of_include(layers, root, module, *found.groups())
                if fault:
                    yield path, number, fault
                if module in layers.plain and PRINTS.search(line.split("//")[0]):
                    yield path, number, f"{module} prints nothing and opens no files"


class Units:
    """The units of the modules: a header with its .cpp, and what each includes of its own module.

    A .cpp without a header of its own name whose first include is a header of its module is part of what that header
    declares.
    """

    def __init__(self, layers, root):
        self.place = {}  # (unit, unit it includes): (file, line)
        self.includes = {}  # unit: the units it includes
        base = root / "src"
        for path in sorted(p for p in base.rglob("*") if p.suffix in (".hpp", ".cpp")):
            module = layers.module_of(path.relative_to(base).parts)
            lines = path.read_text(encoding="utf-8").splitlines()
            targets = [(number, found.group(2)) for number, found in enumerate(map(INCLUDE.match, lines), 1) if found]
            own = [(number, Path(target).with_suffix("")) for number, target in targets
                   if (base / target).exists() and layers.module_of(Path(target).parts) == module]
            unit = path.relative_to(base).with_suffix("")
            if own and own[0][0] == targets[0][0] and not path.with_suffix(".hpp").exists():
                unit = own[0][1]
            known = self.includes.setdefault(unit, [])
            for number, other in own:
                if other != unit and other not in known:
                    known.append(other)
                    self.place[unit, other] = (path, number)

    def circle_through(self, start):
        """The shortest way from a unit back to itself, or nothing."""
        ways = [[start]]
        seen = set()
        for way in ways:
            for other in self.includes.get(way[-1], []):
                if other == start:
                    return way
                if other not in seen:
                    seen.add(other)
                    ways.append([*way, other])
        return []


def check_circles(layers, root):
    units = Units(layers, root)
    told = set()
    for unit in sorted(units.includes):
        circle = units.circle_through(unit)
        if circle and not told & set(circle):
            told.update(circle)
            names = " → ".join(step.name for step in [*circle, unit])
            yield *units.place[unit, circle[1]], f"includes itself in a circle: {names}"


def check_lengths(root):
    for folder in FOLDERS:
        for path in sorted(p for p in (root / folder).rglob("*") if p.suffix in WRITTEN):
            length = len(path.read_text(encoding="utf-8").splitlines())
            if length > LONGEST_FILE:
                yield path, LONGEST_FILE + 1, f"{length} lines: more than {LONGEST_FILE}, split it"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    layers = Layers(root / "tools" / "layers.txt")
    faults = [*check_includes(layers, root), *check_circles(layers, root), *check_lengths(root)]
    for path, line, what in faults:
        print(f"{path.relative_to(root)}:{line}: {what}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
