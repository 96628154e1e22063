"""The layer check finds what it is there to find."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_layers.py"

LAYERS = """\
module base
module math base
module formulations math
module formulations/one formulations
module formulations/two formulations
module io formulations/one formulations/two
header types.hpp base
header files.hpp io
plain base math formulations formulations/one formulations/two
"""


class Layers(unittest.TestCase):
    def faults(self, files):
        """Runs the check on a tree of these files; its exit code and lines."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"tools/layers.txt": LAYERS, **files}.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, TOOL, folder], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.splitlines()

    def refused(self, files, where):
        code, lines = self.faults(files)
        self.assertEqual(code, 1)
        self.assertEqual(len(lines), 1, lines)
        self.assertTrue(lines[0].startswith(where + ": "), lines[0])

    def test_allowed(self):
        self.assertEqual(self.faults({
            "include/filum/types.hpp": "#include <Eigen/Core>\n#include <vector>\n",
            "src/base/ids.hpp": "#pragma once\n",
            "src/math/a.hpp": '#include <filum/types.hpp>\n#include "base/ids.hpp"\n',
            "src/io/b.cpp": '#include "base/ids.hpp"\n#include <fstream>\n#include <fmt/format.h>\n',
        }), (0, []))

    def test_upward(self):
        self.refused({"src/io/b.hpp": "", "src/math/a.hpp": '// math\n#include "io/b.hpp"\n'}, "src/math/a.hpp:2")

    def test_upward_through_a_public_header(self):
        self.refused({"include/filum/files.hpp": "", "src/math/a.hpp": "#include <filum/files.hpp>\n"}, "src/math/a.hpp:1")

    def test_one_formulation_to_another(self):
        self.refused({"src/formulations/two/b.hpp": "",
                      "src/formulations/one/a.cpp": '#include "formulations/two/b.hpp"\n'}, "src/formulations/one/a.cpp:1")

    def test_streams_and_libraries_below_io(self):
        for header in ("iostream", "fstream", "thread", "chrono", "filesystem", "fmt/format.h", "yaml.h"):
            self.refused({"src/math/a.cpp": f"#include <{header}>\n"}, "src/math/a.cpp:1")

    def test_printing_below_io(self):
        self.refused({"src/math/a.cpp": '#include <cstdio>\nvoid f() { std::printf("here"); }\n'}, "src/math/a.cpp:2")
        self.assertEqual(self.faults({"src/math/a.cpp": "#include <cstdio>\nint n = std::snprintf(t, 9, f);\n"})[0], 0)

    def test_unknown_module(self):
        self.refused({"src/misc/a.cpp": ""}, "src/misc/a.cpp:1")

    def test_relative_include(self):
        self.refused({"src/math/b.hpp": "", "src/math/a.cpp": '#include "b.hpp"\n'}, "src/math/a.cpp:1")

    def test_circle_of_headers(self):
        self.refused({"src/math/a.hpp": '#include "math/b.hpp"\n', "src/math/b.hpp": '#include "math/a.hpp"\n'},
                     "src/math/a.hpp:1")

    def test_circle_of_units(self):
        # neither header knows the other, but a.cpp needs b and b.cpp needs a
        self.refused({"src/math/a.hpp": "", "src/math/a.cpp": '#include "math/a.hpp"\n#include "math/b.hpp"\n',
                      "src/math/b.hpp": "", "src/math/b.cpp": '#include "math/b.hpp"\n#include "math/a.hpp"\n'},
                     "src/math/a.cpp:2")

    def test_circle_through_a_part_of_a_class(self):
        # more.cpp is part of what a.hpp declares
        self.refused({"src/math/a.hpp": "", "src/math/more.cpp": '#include "math/a.hpp"\n#include "math/b.hpp"\n',
                      "src/math/b.hpp": '#include "math/a.hpp"\n'}, "src/math/more.cpp:2")

    def test_no_circle(self):
        self.assertEqual(self.faults({
            "src/math/a.hpp": "", "src/math/b.hpp": '#include "math/a.hpp"\n', "src/math/c.hpp": '#include "math/a.hpp"\n',
            "src/math/d.cpp": '#include "math/b.hpp"\n#include "math/c.hpp"\n',
        }), (0, []))

    def test_too_long(self):
        self.refused({"src/math/a.cpp": "\n" * 701}, "src/math/a.cpp:701")
        self.assertEqual(self.faults({"src/math/a.cpp": "\n" * 700})[0], 0)


if __name__ == "__main__":
    unittest.main()
