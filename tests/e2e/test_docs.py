"""The check of the documentation finds what it is there to find."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_docs.py"

SOUND = {
    "tools/layers.txt": "module base\nmodule math base\n",
    "docs/architecture.md": "| `base` | – | types |\n| `math` | base | rotations |\n",
    "docs/references.bib": "@article{bergou2008,\n}\n",
    "docs/guide.md": "See `src/math/a.cpp`, [the architecture](architecture.md) and <filum/types.hpp>.\n",
    "include/filum/types.hpp": "",
    "src/math/a.cpp": "// twist [Bergou2008, section 5.1]\n",
}


class Docs(unittest.TestCase):
    def faults(self, changed):
        """Runs the check on a sound tree with these files changed; its exit code and lines."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**SOUND, **changed}.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, TOOL, folder], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.splitlines()

    def refused(self, changed, where, what):
        code, lines = self.faults(changed)
        self.assertEqual(code, 1)
        self.assertEqual(len(lines), 1, lines)
        self.assertTrue(lines[0].startswith(where + ": "), lines[0])
        self.assertIn(what, lines[0])

    def test_sound(self):
        self.assertEqual(self.faults({}), (0, []))

    def test_a_module_that_the_table_lacks(self):
        self.refused({"tools/layers.txt": "module base\nmodule math base\nmodule rod math\n"}, "docs/architecture.md:1", "rod")

    def test_a_row_that_says_something_else(self):
        self.refused({"tools/layers.txt": "module base\nmodule math\n"}, "docs/architecture.md:2", "math")

    def test_a_row_without_a_module(self):
        self.refused({"tools/layers.txt": "module base\n"}, "docs/architecture.md:2", "math")

    def test_a_file_that_is_gone(self):
        self.refused({"docs/guide.md": "\nSee `src/math/b.cpp`.\n"}, "docs/guide.md:2", "src/math/b.cpp")

    def test_a_link_that_leads_nowhere(self):
        self.refused({"docs/guide.md": "[there](gone.md)\n"}, "docs/guide.md:1", "gone.md")

    def test_a_header_that_is_gone(self):
        self.refused({"docs/guide.md": "    #include <filum/files.hpp>\n"}, "docs/guide.md:1", "files.hpp")

    def test_a_key_without_an_entry(self):
        self.refused({"src/math/a.cpp": "// [Nobody1999]\n"}, "src/math/a.cpp:1", "Nobody1999")

    def test_another_style_of_citing(self):
        self.refused({"src/math/a.cpp": "// after Bergou et al. 2008\n"}, "src/math/a.cpp:1", "Bergou et al. 2008")

    def test_two_files_of_one_name(self):
        self.refused({"src/base/a.hpp": ""}, "src/math/a.cpp:1", "src/base/a")


if __name__ == "__main__":
    unittest.main()
