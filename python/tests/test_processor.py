"""A processor older than x86-64-v3 gets an ImportError before the extension module is loaded."""
import subprocess
import sys
from pathlib import Path

import pytest

import espalier
from espalier import _processor

OLD = "processor\t: 0\nflags\t\t: fpu sse sse2 avx\nprocessor\t: 1\nflags\t\t: avx2 fma\n"


def test_what_is_missing_is_named():
    assert _processor.missing(OLD) == ["avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"]
    assert _processor.missing("flags : " + " ".join(_processor.NEEDED)) == []
    assert _processor.missing("CPU architecture: 8\n") == [], "nothing is told"


@pytest.mark.skipif(not _processor.CPUINFO.is_file(), reason="there is no /proc/cpuinfo")
def test_import_says_so(tmp_path):
    (tmp_path / "cpuinfo").write_text(OLD)
    program = f"""
import pathlib, platform, sys
platform.machine = lambda: "x86_64"
pathlib.Path.read_text = lambda self: open({str(tmp_path / "cpuinfo")!r}).read()
try:
    import espalier
except ImportError as error:
    print(error)
print([name for name in sys.modules if name.endswith("_espalier")])
"""
    package = Path(espalier.__file__).parents[1]
    said = subprocess.run([sys.executable, "-c", program], env={"PYTHONPATH": str(package)},
                          capture_output=True, text=True, check=True).stdout
    assert "lacks avx2, bmi1, bmi2, f16c, fma, abm, movbe; Espalier is built for x86-64-v3" in said
    assert said.endswith("[]\n"), "the extension module was loaded all the same"
