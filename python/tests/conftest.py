"""The tests of the Python package take it from where it was built."""
import os
import sys

from package_paths import BUILD

sys.path.insert(0, str(BUILD / "python"))

# Hulls are computed, not remembered from an older build.
os.environ["ESPALIER_CACHE"] = "off"


def pytest_configure(config):
    config.addinivalue_line("markers", "peers: compares with Pinocchio and MuJoCo from PyPI")
