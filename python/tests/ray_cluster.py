"""A small cluster of Ray on this machine, one for all tests of a process."""
import logging
import os
import sys

import pytest

from package_paths import BUILD, ROOT


def start():
    """Skips where Ray is not installed. Its processes find the package and the tasks of tests."""
    # A folder of tests is called ray, too, and is no package: so something within is asked for.
    pytest.importorskip("ray.exceptions", reason="ray is not installed", exc_type=ModuleNotFoundError)
    pytest.importorskip("gymnasium")
    import ray

    if ray.is_initialized():
        return
    paths = [BUILD / "python", ROOT / "python" / "tests", ROOT / "python" / "tests" / "learn"]
    for path in map(str, paths[1:]):
        if path not in sys.path:
            sys.path.append(path)
    inherited = [path for path in [os.environ.get("PYTHONPATH")] if path]
    os.environ["PYTHONPATH"] = os.pathsep.join([*map(str, paths), *inherited])
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(address="local", num_cpus=8, include_dashboard=False, object_store_memory=100_000_000, log_to_driver=False,
             logging_level=logging.ERROR)
