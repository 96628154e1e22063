#!/usr/bin/env python3
"""Draws the pictures of the example scenes and of some validation cases: solves or runs each and keeps pictures of its report
as SVG files.

    docs/pictures/make.py FILUM [NAME…]     FILUM: the program; NAME: scenes without .yaml, or cases of CASES; default all

Of each scene it keeps the perspective picture and, where motion is better told by curves over time, those. The pictures
in a report take their colours from the page's style sheet. Here they are written out, in the light set, so that the file
stands alone and every viewer shows it.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SCENES = HERE.parent.parent / "scenes"
# what a scene needs beyond `filum solve` to show what it is about
ARGUMENTS = {"buckled-column": ["--nudge"], "buckling-pendulum": ["--set", "simulation.end=28"], "steering-sweep": ["--path", "13"],
             "cable-over-edge": ["--path", "7"],
             "drawer-cable": ["--path", "21"], "cluster-removal": ["--path", "31", "--nudge"],
             "wrist-cable": ["--path", "81", "--nudge"]}
PERSPECTIVE = "Perspective picture of the scene"
# further pictures: name of the file, and the report's pictures that it stacks
FURTHER = {
    "wilberforce": {"wilberforce-beat": ["Position of probe end of the spring"]},
    "buckling-pendulum": {"buckling-pendulum-bounce": ["Position of probe weight", "Energy, change since the start"]},
    "torsional-pendulum": {"torsional-pendulum-turns": ["Turns of twist"]},
    "laid-rope-hook": {"laid-rope-hook-turns": ["Turns of twist"]},
    "free-rod": {"free-rod-energy": ["Energy"]},
}
# validation cases with pictures: name of the file, and the page's pictures that it shows two abreast
CASES = {
    "particle-spectra": {
        "particle-distributions": ["Share of steps by φ_d, M/m = 100", "Share of steps by φ_a, M/m = 100"],
        "particle-return-maps": [f"Return map, {model}, M/m = {ratio}" for ratio in (100, 150) for model in ("(a)", "(e)")],
        "particle-spectra": ["log10 of φ_d, m, M/m = 150", "log10 of φ_a, rad, M/m = 150"],
    },
    "crane-energy": {"crane-energy": ["Energy of the swinging crane"]},
}


def picture(page, label):
    """The svg element of a report page that has this label, its size, and what is in it."""
    start = re.search(rf'<svg viewBox="0 0 (\S+) (\S+)" [^>]*aria-label="{re.escape(label)}">', page)
    depth, end = 1, start.end()
    while depth:
        tag = re.compile(r"<svg|</svg>").search(page, end)
        depth += -1 if tag.group(0) == "</svg>" else 1
        end = tag.end()
    return page[start.start() : end], float(start.group(1)), float(start.group(2))


def style(page):
    """The page's colours in the light set, and the rules that a picture uses: text, strokes and fills."""
    text = re.search(r"<style>(.*?)</style>", page, re.S).group(1)
    colours = dict(re.findall(r"--([a-z]+):([^;}]+)", text[text.index(":root{") : text.index("@media")]))
    rules = [r for r in re.findall(r"^(?:svg|\.)[^\n]*", text, re.M) if re.search(r"stroke|fill", r)]
    css = re.sub(r"var\(--([a-z]+)\)", lambda m: colours[m.group(1)], "\n".join(rules))
    return css.replace("font-family:inherit", "font-family:system-ui,'DejaVu Sans',sans-serif"), colours["card"]


def standalone(page, labels, abreast=1):
    """Pictures of a report page, so many abreast, the rest below, as a file of its own."""
    css, background = style(page)
    parts, width, height, x, row = [], 0, 0, 0, 0
    for i, label in enumerate(labels):
        if i % abreast == 0:
            height, x, row = height + row, 0, 0
        svg, w, h = picture(page, label)
        parts.append(svg.replace("<svg ", f'<svg x="{x:g}" y="{height:g}" width="{w:g}" height="{h:g}" ', 1))
        x, row, width = x + w, max(row, h), max(width, x + w)
    height += row
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}">',
        f"<style>\n{css}\n</style>",
        f'<rect width="{width:g}" height="{height:g}" rx="10" fill="{background}"/>',
        *parts, "</svg>", ""])


def page_of(call, name):
    """The page of that name which a call of the program writes into the folder given to it last."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*call, folder], check=True, stdout=subprocess.DEVNULL)
        return (pathlib.Path(folder) / name).read_text(encoding="utf-8")


def keep(file, svg):
    path = HERE / f"{file}.svg"
    path.write_text(svg, encoding="utf-8")
    print(path)


def main():
    program, names = sys.argv[1], sys.argv[2:] or [*sorted(path.stem for path in SCENES.glob("*.yaml")), *CASES]
    for name in names:
        if name in CASES:
            page = page_of([program, "validate", name, "--report"], "validation.html")
            for file, labels in CASES[name].items():
                keep(file, standalone(page, labels, abreast=2))
            continue
        scene = SCENES / f"{name}.yaml"
        verb = "run" if "mode: dynamics" in scene.read_text(encoding="utf-8") else "solve"
        page = page_of([program, verb, str(scene), *ARGUMENTS.get(name, []), "-o"], "report.html")
        for file, labels in {name: [PERSPECTIVE], **FURTHER.get(name, {})}.items():
            keep(file, standalone(page, labels))


if __name__ == "__main__":
    main()
