import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))


def pytest_configure(config):
    config.addinivalue_line("markers", "peers: compares with Pinocchio and MuJoCo from PyPI")


def pytest_collection_modifyitems(items):
    for item in items:
        item.add_marker(pytest.mark.peers)
