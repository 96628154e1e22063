"""The licences of what is built in: that the check can fail, and that the program shows them."""
import importlib.util
import json
import shutil
import unittest
from pathlib import Path

from filum_cli import CliTest

ROOT = Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("make_notice", ROOT / "tools/make_notice.py")
make_notice = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make_notice)


class Notice(CliTest):
    def test_the_check_sees_what_is_missing(self):
        for name in ("NOTICE", "sbom.cdx.json", "web/package.json", "web/package-lock.json", "tools/packages.txt"):
            (self.folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, self.folder / name)
        self.assertEqual(make_notice.check(self.folder), [])
        with open(self.folder / "tools/packages.txt", "a", encoding="utf-8") as packages:
            packages.write("libnew-dev\n")
        self.assertIn("libnew-dev: not in NOTICE", make_notice.check(self.folder))
        lock = json.loads((self.folder / "web/package-lock.json").read_text())
        lock["packages"]["node_modules/three"]["version"] = "9.9.9"
        (self.folder / "web/package-lock.json").write_text(json.dumps(lock))
        self.assertTrue(any(problem.startswith("three: 9.9.9") for problem in make_notice.check(self.folder)))

    def test_the_program_shows_them(self):
        said = self.expect(0, "--licences").stdout
        for name in ("three", "preact", "@preact/signals", "uplot", "OFL", "nlohmann", "CLI11", "Eigen", "fmt", "Boost", "yaml"):
            self.assertIn(name.lower(), said.lower())


if __name__ == "__main__":
    unittest.main()
