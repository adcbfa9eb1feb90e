"""The tests of the Python package take it from where it was built."""
import os
import signal
import sys

from package_paths import BUILD

sys.path.insert(0, str(BUILD / "python"))

# A run in the background of a shell has SIGINT ignored, and so would have what the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Hulls are computed, not remembered from an older build.
os.environ["ESPALIER_CACHE"] = "off"


def pytest_configure(config):
    config.addinivalue_line("markers", "peers: compares with Pinocchio and MuJoCo from PyPI")
