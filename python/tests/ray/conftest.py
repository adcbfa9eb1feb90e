"""Tests on Ray share one cluster, as far as they run in one process."""
import os
import sys

import pytest

import ray_cluster
from package_paths import ROOT

sys.path.append(str(ROOT / "python" / "tests" / "learn"))


@pytest.fixture(scope="session")
def cluster():
    ray_cluster.start()
    import ray

    yield ray
    ray.shutdown()


@pytest.fixture
def kill(cluster):
    """kill(env or pool, worker, how): ends an actor as ray.kill does, or its process."""

    def end(owner, worker, how="actor"):
        actor = owner._group._handles[worker].actor
        if how == "actor":
            cluster.kill(actor, no_restart=True)
        else:
            os.kill(cluster.get(actor.__ray_call__.remote(lambda self: os.getpid())), 9)

    return end
