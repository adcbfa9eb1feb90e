"""What the tests of the Python package share: where it was built, and where the project is."""
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("ESPALIER_BUILD", ROOT / "build" / "release"))
sys.path.insert(0, str(BUILD / "python"))

# Hulls are computed, not remembered from an older build.
os.environ["ESPALIER_CACHE"] = "off"


def pytest_configure(config):
    config.addinivalue_line("markers", "peers: compares with Pinocchio and MuJoCo from PyPI")
