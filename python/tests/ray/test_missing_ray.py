"""Without Ray, espalier.ray says what it needs."""
import importlib
import sys

import pytest


def test_what_is_missing_is_told(monkeypatch):
    pytest.importorskip("gymnasium")
    for name in [name for name in sys.modules if name.startswith("espalier.ray")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "ray.exceptions", None)
    with pytest.raises(ModuleNotFoundError, match=r'pip install "espalier\[ray\]"') as told:
        importlib.import_module("espalier.ray")
    assert told.value.name.startswith("ray")
