#!/usr/bin/env python3
"""Draws the pictures of the example scenes: solves each and keeps the perspective picture of its report as an SVG.

    docs/pictures/make.py FILUM [SCENE…]     FILUM: the program; SCENE: names without .yaml, default all

The picture in a report takes its colours from the page's style sheet. Here they are written out, in the light set, so
that the file stands alone and every viewer shows it.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SCENES = HERE.parent.parent / "scenes"
# what a scene needs beyond `filum solve` to show what it is about
ARGUMENTS = {"buckled-column": ["--nudge"], "steering-sweep": ["--path", "13"]}


def standalone(page):
    """The first picture of a report page as a file of its own."""
    style = re.search(r"<style>(.*?)</style>", page, re.S).group(1)
    colours = dict(re.findall(r"--([a-z]+):([^;}]+)", style[style.index(":root{") : style.index("@media")]))
    # the rules that a picture uses: text and the classes that set strokes and fills
    rules = [r for r in re.findall(r"^(?:svg|\.)[^\n]*", style, re.M) if re.search(r"stroke|fill", r)]
    css = re.sub(r"var\(--([a-z]+)\)", lambda m: colours[m.group(1)], "\n".join(rules))
    css = css.replace("font-family:inherit", "font-family:system-ui,'DejaVu Sans',sans-serif")
    svg = re.search(r"<svg.*?</svg>", page, re.S).group(0)
    width, height = re.search(r'viewBox="0 0 (\S+) (\S+)"', svg).groups()
    svg = svg.replace("<svg ", f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" ', 1)
    background = f'<rect width="{width}" height="{height}" rx="10" fill="{colours["card"]}"/>'
    return svg.replace(">\n", f">\n<style>\n{css}\n</style>\n{background}\n", 1) + "\n"


def main():
    program, names = sys.argv[1], sys.argv[2:] or sorted(path.stem for path in SCENES.glob("*.yaml"))
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            call = [program, "solve", str(SCENES / f"{name}.yaml"), "-o", folder, *ARGUMENTS.get(name, [])]
            subprocess.run(call, check=True, stdout=subprocess.DEVNULL)
            page = (pathlib.Path(folder) / "report.html").read_text(encoding="utf-8")
        (HERE / f"{name}.svg").write_text(standalone(page), encoding="utf-8")
        print(HERE / f"{name}.svg")


if __name__ == "__main__":
    main()
